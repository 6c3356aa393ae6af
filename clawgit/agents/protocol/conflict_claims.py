"""What the call of support is asked of two memories."""

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256

from clawgit.agents.protocol import conflict_checks
from clawgit.agents.protocol.checked import Checked, Ground, Held
from clawgit.agents.protocol.operations import Operation
from clawgit.language import logic

RULES = """\
Of two memories A and B, wholly: of the same thing, at the same time, both cannot be true; partly: they may be of
different things or times, or what the operator says leaves open which one holds; not: both can be true."""
_BOTH = "A and B cannot both be true."
_NEITHER = "A and B can both be true."


def source(entries: Sequence[Held]) -> list[str]:
    """Return two memories, each with its day."""
    return [
        f'{letter}{f" ({one.first})" if one.first else ""}: "{_line(one.text)}"'
        for letter, one in zip("AB", entries, strict=True)
    ]


def claim(operation: Operation, entries: Sequence[Held]) -> str:
    """Return what is claimed of two memories."""
    del entries
    return f"{_BOTH}{_winner(operation, operation.holds)}"


def twin(operation: Operation, ground: Ground) -> str:
    """Return a claim that is false where the other is true.

    It names the other side where one is said to hold; else it says that both can be true, or that one of them cannot
    be true together with a memory that has nothing to do with it.
    """
    if operation.holds:
        return f"{_BOTH}{_winner(operation, next(one for one in operation.entries if one != operation.holds))}"
    first = ground.held[operation.entries[0]].text
    isos = logic.languages(first)
    mine = logic.content(first, isos)
    far = [one.text for one in ground.held.values() if not logic.content(one.text, logic.languages(one.text)) & mine]
    key = int(sha256(first.encode("utf-8", "replace")).hexdigest(), 16)
    return f'A and "{_line(far[key % len(far)])}" cannot both be true.' if far and key % 2 else _NEITHER


def left(one: Checked, claimed: str | None, other: str | None) -> Checked:
    """Return what becomes of a conflict that is not wholly borne out: it is left open, or both may hold."""
    if claimed == "not":
        return replace(one, state="refused", why="both can hold")
    if other == "wholly":
        return replace(one, state="refused", why="a false form of it was taken for true, too")
    if claimed == "partly" and one.operation.holds:
        return replace(conflict_checks.undecided(one.operation), needs_support=False)
    return replace(one, state="refused", why="they may be of different things, or times")


def _winner(operation: Operation, name: str) -> str:
    return f" What holds is {'AB'[operation.entries.index(name)]}." if name else ""


def _line(text: str) -> str:
    return " ".join(text.split())
