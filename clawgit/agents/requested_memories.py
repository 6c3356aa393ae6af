"""Requests of the operator, in his own sentence."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from clawgit.agents.messages_to_read import Heard
from clawgit.language import due_dates, logic, sentences
from clawgit.language.own_words import own_words
from clawgit.messages.patterns import MINER, Pattern
from clawgit.messages.triage import triage
from clawgit.reading.explicit_requests import extract
from clawgit.reading.operations import Operation
from clawgit.reading.turns import Turn
from clawgit.workspace.commit_message import one_line, shorten
from clawgit.workspace.unkept_requests import Unkept

_MAX_TITLE_CHARS = 240
_SECRET = re.compile(r"\[[a-z][a-z0-9-]+(?: [0-9a-f]{12})?\]")
"""A secret that is named instead of kept: no command may keep it."""


def asks(text: str, patterns: Sequence[Pattern]) -> bool:
    """Return whether the operator asks in so many words that something be kept."""
    return any(match.route == MINER for match in triage(text, patterns).matches)


def list_operations(turn: Turn, patterns: Sequence[Pattern]) -> tuple[Operation, ...]:
    """Return the lines that the requests of a turn come to by themselves: each sentence that asks, whole."""
    found = extract(turn.text).findings
    texts: dict[str, Any] = {finding.text: finding.tag for finding in found}
    if not found and asks(turn.text, patterns):  # in the words of a pattern of the operator's own
        talk = own_words(turn.text)
        matches = [match for match in triage(turn.text, patterns).matches if match.route == MINER]
        for sentence in sentences.sentences(talk):
            if any(sentence.start <= match.start < sentence.end for match in matches):
                texts[one_line(turn.text[sentence.start : sentence.end])] = "knowledge"
    return tuple(
        Operation("add", (turn.n,), text, "event" if tag == "knowledge" and due_dates.days(text, turn.day) else tag)
        for text, tag in texts.items()
    )


def find_uncovered(turn: Turn, proposed: Iterable[Operation], patterns: Sequence[Pattern]) -> tuple[Operation, ...]:
    """Return what a turn asks for and no operation on it says: half of the words of a request cover it.

    Of the only request of a turn one word does, or an operation that takes something away.
    """
    wanted = list_operations(turn, patterns)
    given = [operation for operation in proposed if turn.n in operation.turns]
    isos = logic.languages(turn.text)
    said = logic.content("\n".join(f"{operation.text} {operation.right}" for operation in given), isos)
    if any(not operation.text and not operation.right for operation in given):
        return ()
    share = 2 if len(wanted) > 1 else 1 << 10
    stems = [(operation, logic.content(operation.text, isos)) for operation in wanted]
    return tuple(operation for operation, words in stems if share * len(words & said) < len(words))


def make_unkept(turn: Turn, text: str, why: str, now: datetime, *, dropped: bool = False) -> Unkept:
    """Return the note that nothing was kept of what a turn asks for."""
    moment = datetime.fromisoformat(turn.time) if turn.time else None
    heard = Heard(turn.text, "operator", moment.timestamp() if moment else None)
    title = shorten(one_line(text or turn.text), _MAX_TITLE_CHARS)
    day = (moment or now).date().isoformat()
    return Unkept(title, why, day, now.isoformat(), heard.mention, turn.session, dropped)


def list_ignored(heard: Heard, why: str, patterns: Sequence[Pattern], now: datetime) -> tuple[Unkept, ...]:
    """Return the notes on what a message asks for, where nothing came of it."""
    time = datetime.fromtimestamp(heard.time, now.tzinfo).isoformat() if heard.time is not None else ""
    turn = Turn(0, heard.session, time, "operator", may_cite=True, text=heard.text)
    if heard.origin != "operator" or _SECRET.search(heard.text) or not asks(heard.text, patterns):
        return ()
    texts = [operation.text for operation in list_operations(turn, patterns)] or [""]
    return tuple(make_unkept(turn, text, why, now) for text in texts)
