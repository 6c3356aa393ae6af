"""An operation that was checked, and its evidence."""

import unicodedata
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import Any, cast

from msgspec import Struct, to_builtins

from clawgit.agents.messages_to_read import Heard
from clawgit.agents.protocol.batch import Batch, Turn
from clawgit.agents.protocol.check_result import Checked
from clawgit.agents.protocol.operations import Operation, State
from clawgit.text import confidence
from clawgit.text.entry import named
from clawgit.workspace import write_guard
from clawgit.workspace.change import Origin
from clawgit.workspace.commit_message import one_line
from clawgit.workspace.workspace import Workspace

_QUOTED = 160


class Decided(Struct, frozen=True):
    """What the checks say of an operation.

    One that is `landed` is fit to. `same` is the entry that it merely mentions once more, `quotes` are the sentences
    that bear it out, `n` is its number in the answer. `aside` where the
    line goes to the file of its topic: a detail, or one more than the memory file holds.
    """

    operation: Operation
    n: int
    state: State
    why: str = ""
    quotes: tuple[str, ...] = ()
    confidence: float = confidence.OPERATOR
    same: str = ""
    aside: bool = False

    def name(self, batch: Batch) -> str:
        """Return the id of the change that it comes to: the same one whenever the answer is read again."""
        return named("\0".join(("operation", batch.id, str(self.n), self.operation.act, self.operation.text)))


def of(n: int, one: Checked) -> Decided:
    """Return what was checked, as what is to be done."""
    state: State = "landed" if one.state == "fits" else one.state
    quotes = tuple(quote.text for quote in one.quotes)
    return Decided(one.operation, n, state, one.why, quotes, one.confidence, one.same, one.aside)


def document(one: Decided) -> dict[str, Any]:
    """Return it as JSON has it."""
    found: dict[str, Any] = to_builtins(one)
    return found


def load(found: Mapping[str, Any]) -> Decided:
    """Return what `document` wrote. Raises KeyError, TypeError or ValueError for another document."""
    told = dict(found["operation"])
    told["turns"], told["entries"] = tuple(told["turns"]), tuple(told["entries"])
    told["differs"] = tuple(told.get("differs", ()))
    more = {**found, "operation": Operation(**told), "quotes": tuple(found["quotes"])}
    return Decided(**more)


def heard(workspace: Workspace, turn: Turn) -> tuple[Heard, bool]:
    """Return a turn as the conversations hold it, and whether they do: only then can it be pointed at."""
    kept = workspace.conversations(turn.session, turn.event) if turn.session and turn.event else None
    time = datetime.fromisoformat(turn.time).timestamp() if turn.time else None
    origin = cast("Origin", kept.origin if kept else "operator" if turn.by == "operator" else "unknown")
    return Heard(kept.text if kept else turn.text, origin, time, turn.session, turn.event), kept is not None


def cited(batch: Batch, operation: Operation) -> tuple[Turn, ...]:
    """Return the turns that an operation cites, its context last."""
    numbers = (*operation.turns, *([operation.context] if operation.context else []))
    return tuple(turn for n in dict.fromkeys(numbers) if (turn := batch.turn(n)))


def pointers(workspace: Workspace, batch: Batch, one: Decided) -> tuple[str, ...]:
    """Return the evidence of an operation: each turn that it cites, with the words that bear it out."""
    return tuple(dict.fromkeys(_pointers(workspace, batch, one)))


def _pointers(workspace: Workspace, batch: Batch, one: Decided) -> Iterator[str]:
    for turn in cited(batch, one.operation):
        said, kept = heard(workspace, turn)
        if not kept:
            continue
        quotes = [quote for quote in one.quotes if _plain(quote) in _plain(said.text)]
        for quote in quotes or [""]:
            pointer = said.pointer(one_line(quote) or one_line(said.text)[:_QUOTED])
            yield from (pointer,) if pointer else ()


def origin(workspace: Workspace, batch: Batch, one: Decided) -> Origin:
    """Return whose words an operation rests on: the operator's only where he said them wholly."""
    turns = [turn for n in one.operation.turns if (turn := batch.turn(n))]
    origins = {heard(workspace, turn)[0].origin for turn in turns}
    return "operator" if origins == {"operator"} and one.confidence >= confidence.OPERATOR else "agent"


def mentions(workspace: Workspace, batch: Batch, operation: Operation) -> frozenset[str]:
    """Return what the cited turns are known by."""
    turns = (turn for n in operation.turns if (turn := batch.turn(n)))
    return frozenset(heard(workspace, turn)[0].mention for turn in turns)


def days(batch: Batch, operation: Operation) -> tuple[date, ...]:
    """Return the days of the cited turns, in order; today where nothing tells."""
    turns = (turn for n in operation.turns if (turn := batch.turn(n)))
    found = sorted(datetime.fromisoformat(one.time).date() for one in turns if one.time)
    return tuple(found) or (date.fromisoformat(batch.today),)


def reason(one: Decided) -> str:
    """Return why a change is made, in the words that it rests on."""
    said = [f'The operator said: "{write_guard.cleaned(one_line(quote))}"' for quote in one.quotes[:5]]
    told = write_guard.cleaned(one_line(one.operation.reason))
    due = f"Due {one.operation.due}." if one.operation.due else ""
    return "\n".join(part for part in (*said, told, due) if part)


def _plain(text: str) -> str:
    return unicodedata.normalize("NFC", one_line(text))
