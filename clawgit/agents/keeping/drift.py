"""Holds principles against what the agent did of late."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct

from clawgit.agents.keeping.aspects import Aim
from clawgit.agents.keeping.conduct import SHOWS
from clawgit.agents.keeping.signal import Signal
from clawgit.agents.keeping.standing import Line
from clawgit.sessions.chat_store import ChatStore, Message
from clawgit.sessions.origin import MACHINES, Session
from clawgit.text import evidence
from clawgit.text.evidence import Pointer

FEWEST = 5
"""Answers that it takes to speak of a habit; of remarks it takes two."""
DRIFTED = 0.5
_REMARKS = 2
_CITED = 3
_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


class Score(Struct, frozen=True):
    """A principle, and the share of the occasions it was about that contradict it, 0 to 1, with pointers to some."""

    text: str
    aim: Aim
    score: float
    occasions: int
    evidence: tuple[str, ...]

    @property
    def drifted(self) -> bool:
        """Whether the agent does the contrary more often than not."""
        return self.score >= DRIFTED


def answers(store: ChatStore, start: float, ours: Callable[[Session], bool]) -> Iterator[Message]:
    """Yield what the agent said to its operator alone since `start` (seconds since 1970), in `ours` of the sessions."""
    for summary in store.sessions():
        session = summary.session
        alone = session.kind not in MACHINES and session.kind not in ("group", "hook")
        if not alone or not ours(session) or (summary.last or start) < start:
            continue
        heard = False
        for one in store.messages(session):
            heard = one.origin == "operator" if one.role == "user" else heard
            if heard and one.role == "assistant" and one.text.strip() and (one.time or 0) >= start:
                yield one


def scores(there: Sequence[Line], said: Iterable[Message], remarks: Sequence[Signal]) -> tuple[Score, ...]:
    """Return the score of each principle for which there are occasions, the worst first (spec P2)."""
    plain = [(one, _FENCE.sub("", one.text)) for one in said]
    found = [score for line in there for aim in line.aims if (score := _score(line, aim, plain, remarks))]
    return tuple(sorted(found, key=lambda one: (-one.score, one.text)))


def _score(line: Line, aim: Aim, said: Sequence[tuple[Message, str]], remarks: Sequence[Signal]) -> Score | None:
    if aim.sign == 0:
        return None
    shows = SHOWS.get(aim.aspect)
    if shows is None:
        return _by_remarks(line, aim, remarks)
    seen = [(one, shown) for one, text in said if (shown := shows(text)) is not None]
    against = [one for one, shown in seen if shown is not (aim.sign > 0)]
    if len(seen) < FEWEST:
        return _by_remarks(line, aim, remarks)
    return Score(line.text, aim, len(against) / len(seen), len(seen), tuple(map(_cited, against[-_CITED:])))


def _by_remarks(line: Line, aim: Aim, remarks: Sequence[Signal]) -> Score | None:
    """Score by what the operator remarked: complaints against praise."""
    about = [one for one in remarks if one.aim == aim and one.kind in ("complaint", "praise")]
    if len({one.occasion for one in about}) < _REMARKS:
        return None
    against = [one for one in about if one.kind == "complaint"]
    return Score(line.text, aim, len(against) / len(about), len(about), tuple(one.pointer for one in against[-_CITED:]))


def _cited(one: Message) -> str:
    quote = " ".join(one.text.split())[-60:]
    return evidence.format(Pointer("session", id=one.session, event=one.event, quote=quote))
