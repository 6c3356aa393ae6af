"""Holds principles against what the agent did of late."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from msgspec import Struct

from clawgit.language import detect, logic, standing_rules
from clawgit.language.own_words import straight
from clawgit.sessions.chat_store import ChatStore, Message
from clawgit.sessions.envelope import MACHINES, Session
from clawgit.text import evidence_pointer
from clawgit.text.document import fenced_lines, split
from clawgit.text.entry import Entry, digest, entries, normalise
from clawgit.text.evidence_pointer import Pointer
from clawgit.text.sameness.note_comparison import compare
from clawgit.text.tokens import count
from clawgit.workspace.commit_message import one_line
from clawgit.workspace.entries import Row

_MARKER = re.compile(r"^[ \t]*(?:[-*+]|\d{1,9}[.)])?[ \t]*(?:\[[ xX]\][ \t]+)?")


class Line(Struct, frozen=True):
    """A bullet or paragraph of a soul."""

    entry: Entry

    @property
    def text(self) -> str:
        """Its words, on one row."""
        return one_line(self.entry.text)


class Way(Struct, frozen=True):
    """The line that may go, and why; `twin` is the one that says the same, None where it is merely the weakest."""

    line: Line
    why: str
    twin: Line | None = None


def lines(soul: str) -> tuple[Line, ...]:
    """Return the bullets and paragraphs of a soul."""
    return tuple(map(Line, entries(soul)))


def way(there: Sequence[Line], protected: Collection[str], rows: Mapping[str, Row], path: str) -> Way | None:
    """Return what makes room: of two lines that say the same one, else the least supported one; None where none may go.

    Protected lines stay, and those that came from what the operator asked for (spec P2).
    """
    support: dict[str, list[Row]] = {}
    for row in rows.values():
        if row.file == path and row.status == "live":
            support.setdefault(row.hash, []).append(row)
    free = [one for one in there if one.entry.kind == "bullet" and not is_protected(one, protected)]
    twin = _twin(there, free)
    if twin:
        return twin
    asked = {key for key, some in support.items() if any(row.origin == "operator" for row in some)}
    loose = [one for one in free if digest(one.entry.text) not in asked]
    weakest = min(loose, key=lambda one: (len(support.get(digest(one.entry.text), ())), one.entry.start), default=None)
    if weakest is None:
        return None
    count = len(support.get(digest(weakest.entry.text), ()))
    return Way(weakest, f"It is the line with the least behind it: {count or 'no'} remark{'' if count == 1 else 's'}.")


def is_protected(line: Line, protected: Collection[str]) -> bool:
    """Tell whether the operator approved a line in so many words; `protected` are the lines as they stand."""
    kept = {normalise(_MARKER.sub("", row)) for row in protected if row.strip()}
    return any(normalise(row) in kept for row in line.entry.text.split("\n"))


def _twin(there: Sequence[Line], free: Sequence[Line]) -> Way | None:
    for one, other in combinations(there, 2):
        goes = other if other in free else one if one in free else None
        if goes and compare(one.text, other.text).relation == "same":
            stays = one if goes is other else other
            return Way(goes, f'It says what "{stays.text}" says.', stays)
    return None


FEWEST = 5
"""Answers that it takes to speak of a habit."""
DRIFTED = 0.5
_CITED = 3
_LONG, _SHORT, _MANY, _SHOUTS = 250, 40, 3, 2
_FEW = 5
_LETTERS = re.compile(r"\w")
_EMOJI = re.compile(r"[\u2600-\u27bf\U0001f300-\U0001faff]")
_BULLET = re.compile(r"^[ \t]*(?:[-*\u2022]|\d+[.)])[ \t]+\S", re.MULTILINE)
_TABLE = re.compile(r"^\|?[ \t]*:?-{3,}:?[ \t]*\|", re.MULTILINE)
_HEAVY = re.compile(r"^#{1,6} |\*\*[^*\n]+\*\*", re.MULTILINE)

SHOWS: Mapping[str, Callable[[str], bool | None]] = {
    "closing": lambda text: text.rstrip().rstrip("*_)\"' ").endswith(("?", "\uff1f")),
    "length": lambda text: True if count(text) > _LONG else False if count(text) < _SHORT else None,
    "emoji": lambda text: bool(_EMOJI.search(text)),
    "exclamation": lambda text: text.count("!") + text.count("\uff01") >= _SHOUTS,
    "lists": lambda text: len(_BULLET.findall(text)) >= _MANY,
    "tables": lambda text: bool(_TABLE.search(text)),
    "markup": lambda text: len(_HEAVY.findall(text)) >= _MANY,
}
"""The forms of an answer that can be seen in it, whatever its language: whether one shows, None where neither."""


class Form(Struct, frozen=True):
    """A form of answers that a principle is about, and whether it is wanted."""

    name: str
    wanted: bool


class Score(Struct, frozen=True):
    """A principle, and the share of the answers it was about that contradict it, 0 to 1, with pointers to some."""

    text: str
    form: Form
    score: float
    occasions: int
    evidence: tuple[str, ...]

    @property
    def drifted(self) -> bool:
        """Whether the agent does the contrary more often than not."""
        return self.score >= DRIFTED


def form(text: str) -> Form | None:
    """Return the form of answers that a sentence is about, None for one that says anything more than that."""
    said, isos = straight(text).lower(), standing_rules.languages(text)
    for name in (*SHOWS, "brief"):
        found = standing_rules.finder(f"forms.{name}", isos).search(said)
        if found and _is_plain(f"{said[: found.start()]} {said[found.end() :]}", isos):
            denied = bool(logic.denials(text, isos) or standing_rules.finder("stops", isos).search(said))
            return Form("length", denied) if name == "brief" else Form(name, not denied)
    return None


def _is_plain(rest: str, isos: tuple[str, ...]) -> bool:
    """Tell whether what else a sentence says is nothing but an order about talking."""
    for key in ("standing", "stops", "orders", "asks", "talk", "forbids", "lead"):
        rest = standing_rules.finder(key, isos).sub(" ", rest)
    for start, end in reversed(logic.denials(rest, isos)):
        rest = f"{rest[:start]} {rest[end:]}"
    return len(_LETTERS.findall(rest)) <= _FEW if detect.eastern(rest) else not logic.content(rest, isos)


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


def scores(there: Sequence[Line], said: Iterable[Message]) -> tuple[Score, ...]:
    """Return the score of each principle that can be seen in enough answers, the worst first (spec P2)."""
    forms = [(line, meant) for line in there if (meant := form(line.text))]
    plain = [(one, _without_code(one.text)) for one in said] if forms else []
    found = [score for line, meant in forms if (score := _score(line, meant, plain))]
    return tuple(sorted(found, key=lambda one: (-one.score, one.text)))


def _without_code(text: str) -> str:
    code = fenced_lines(text)
    return "".join(row for number, row in enumerate(split(text), 1) if number not in code)


def _score(line: Line, meant: Form, said: Sequence[tuple[Message, str]]) -> Score | None:
    seen = [(one, shown) for one, text in said if (shown := SHOWS[meant.name](text)) is not None]
    if len(seen) < FEWEST:
        return None
    against = [one for one, shown in seen if shown is not meant.wanted]
    return Score(line.text, meant, len(against) / len(seen), len(seen), tuple(map(_cited, against[-_CITED:])))


def _cited(one: Message) -> str:
    quote = " ".join(one.text.split())[-60:]
    return evidence_pointer.format(Pointer("session", id=one.session, event=one.event, quote=quote))
