"""What the operator asked for, in his own sentence."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime

from clawgit.agents.explicit_requests import extract
from clawgit.agents.messages_to_read import Heard
from clawgit.agents.protocol.batch import Turn
from clawgit.agents.protocol.operations import Operation
from clawgit.language import due_dates, logic, sentences
from clawgit.language.own_words import own_words
from clawgit.messages import message_flags
from clawgit.messages.patterns import MINER, Pattern
from clawgit.messages.triage import triage
from clawgit.store.database import StateStore
from clawgit.workspace.commit_message import one_line, shorten
from clawgit.workspace.unkept_requests import Unkept, message_of_mention

_LONGEST = 240
_LEAST = 4  # letters beyond the words that ask
_SECRET = re.compile(r"\[[a-z][a-z0-9-]+(?: [0-9a-f]{12})?\]")
"""A secret that is named instead of kept: no command may keep it."""


def asks(text: str, patterns: Sequence[Pattern]) -> bool:
    """Return whether the operator asks in so many words that something be kept."""
    return any(match.route == MINER for match in triage(text, patterns).matches)


def messages(store: StateStore, patterns: Sequence[Pattern]) -> frozenset[str]:
    """Return the flagged messages in which the operator asked for something to be kept, as mentions name them."""
    some = (flag for flag in message_flags.flags(store) if flag.text and asks(flag.text, patterns))
    heard = (Heard(one.text, "operator", datetime.fromisoformat(one.at).timestamp()) for one in some)
    return frozenset(message_of_mention(one.mention) for one in heard)


def operations(turn: Turn, patterns: Sequence[Pattern]) -> tuple[Operation, ...]:
    """Return the lines that requests come to by themselves: each sentence that asks, once.

    A sentence that ends with the request takes the next one with it; one that is too long to stand is refused later.
    """
    matches = [one for one in triage(turn.text, patterns).matches if one.route == MINER]
    if not matches:
        return _said_outright(turn)
    own = list(sentences.sentences(own_words(turn.text)))
    said = datetime.fromisoformat(turn.time).date() if turn.time else None
    found: dict[int, Operation] = {}
    for match in matches:
        at = next((at for at, one in enumerate(own) if one.start <= match.start < one.end), None)
        if at is None or any(
            found[other].text.endswith(one_line(turn.text[own[at].start : own[at].end])) for other in found
        ):
            continue
        end = own[at].end
        if len(turn.text[match.end : end].strip(" \t\n.!:,;")) < _LEAST and at + 1 < len(own):
            end = own[at + 1].end
        text = one_line(turn.text[own[at].start : end])
        if len(match.text) < len(text):
            found[at] = Operation("add", (turn.n,), text, "event" if due_dates.days(text, said) else "knowledge")
    return tuple(found.values())


def _said_outright(turn: Turn) -> tuple[Operation, ...]:
    """Return the lines of requests in words that triage does not know."""
    found = extract(turn.text).findings
    return tuple(
        Operation("add", (turn.n,), one.text, "decision" if one.kind == "decision" else "knowledge")
        for one in found[:1]
    )


def uncovered(turn: Turn, proposed: Iterable[Operation], patterns: Sequence[Pattern]) -> tuple[Operation, ...]:
    """Return what a turn asks for and no operation on it says: each says the request that it shares most words with.

    One that says half of the words of another request covers that as well.
    """
    wanted = operations(turn, patterns)
    isos = logic.languages(turn.text)
    asked = frozenset(stem for match in triage(turn.text, patterns).matches for stem in logic.content(match.text, isos))
    stems = [logic.content(one.text, isos) - asked for one in wanted]
    left = set(range(len(wanted)))
    for one in proposed:
        said = logic.content(f"{one.text} {one.right}", isos)
        if not one.text and not one.right:
            return ()  # it takes away what was spoken of
        shared = [len(said & here) for here in stems]
        best = max(range(len(wanted)), key=lambda at: shared[at], default=0)
        left -= {at for at in left if (at == best and shared[at]) or shared[at] * 2 > len(stems[at])}
    return tuple(wanted[at] for at in sorted(left))


def unkept(turn: Turn, text: str, why: str, now: datetime, *, dropped: bool = False) -> Unkept:
    """Return the note that nothing was kept of what a turn asks for."""
    moment = datetime.fromisoformat(turn.time) if turn.time else None
    heard = Heard(turn.text, "operator", moment.timestamp() if moment else None)
    said = shorten(one_line(text or turn.text), _LONGEST)
    return Unkept(said, why, (moment or now).date().isoformat(), now.isoformat(), heard.mention, turn.session, dropped)


def ignored(heard: Heard, why: str, patterns: Sequence[Pattern], now: datetime) -> tuple[Unkept, ...]:
    """Return the notes on what a message asks for, where nothing came of it."""
    time = datetime.fromtimestamp(heard.time, now.tzinfo).isoformat() if heard.time is not None else ""
    turn = Turn(0, heard.session, time, "operator", may_cite=True, priority=True, text=heard.text)
    if heard.origin != "operator" or _SECRET.search(heard.text) or not asks(heard.text, patterns):
        return ()
    return tuple(unkept(turn, operation.text, why, now) for operation in operations(turn, patterns)) or (
        unkept(turn, "", why, now),
    )
