"""When a change of the identity fits."""

from collections.abc import Sequence

from clawgit.agents.protocol import amended
from clawgit.agents.protocol.batch import Batch
from clawgit.agents.protocol.checked import Fault, Ground, Held, Quote
from clawgit.agents.protocol.operations import Operation
from clawgit.language import logic
from clawgit.language.requests import asking

_DAYS = 2
"""Quotes of so many days make a repetition."""


def explicit(batch: Batch, n: int, ground: Ground) -> bool:
    """Tell whether the operator asks for it in so many words."""
    turn = batch.turn(n)
    if n in ground.explicit or turn is None:
        return n in ground.explicit
    isos = logic.languages(turn.text)
    sources = tuple(filter(None, map(asking, isos)))
    return any(logic.begins(source, turn.text) for source in sources)


def line(batch: Batch, operation: Operation) -> str:
    """Return the text of the line of the identity that an operation replaces, "" for none."""
    wanted = (operation.file, operation.line)
    return next((one.text for one in batch.soul if (one.file, one.line) == wanted), "") if operation.line else ""


def fault(
    batch: Batch, operation: Operation, ground: Ground, quotes: Sequence[Quote], isos: tuple[str, ...]
) -> Fault | None:
    """Return why a change of the identity does not fit, None where it does."""
    if operation.act != "soul":
        return None
    if found := _place(batch, operation, ground):
        return found
    if any(explicit(batch, n, ground) for n in operation.turns):
        return None
    days = {one.day for one in quotes if one.day} | _observed(batch, operation, isos)
    return Fault("said on one day only: it waits for a second one", "waits") if len(days) < _DAYS else None


def _place(batch: Batch, operation: Operation, ground: Ground) -> Fault | None:
    if not operation.file or operation.file not in ground.identity:
        return Fault("name the file of the identity that changes, one that a reader may change")
    if operation.line and not line(batch, operation):
        return Fault(f"there is no line {operation.line} of {operation.file} in this batch")
    if (operation.file, operation.line) in ground.protected:
        return Fault("that line is protected: only the operator changes it")
    if not operation.line and not operation.text:
        return Fault("name the line that goes, or the text that comes")
    same = operation.text and amended.known(operation.text, (Held(one.file, one.text) for one in batch.soul))
    return Fault("the identity says so already") if same else None


def _observed(batch: Batch, operation: Operation, isos: tuple[str, ...]) -> set[str]:
    """Return the days of earlier observations of the same: of that line, or in half of the words."""
    text = line(batch, operation)
    mine = logic.content(operation.text, isos)
    return {
        one.date[:10]
        for one in batch.observations
        if (text and one.line == text) or 2 * len(mine & logic.content(one.quote, isos)) >= max(1, len(mine))
    }
