"""Corrections and conflicts of a period."""

from collections.abc import Iterator

from clawgit.digest import quoting
from clawgit.digest.digest import Item, Part
from clawgit.digest.happened import Happened
from clawgit.text import lines
from clawgit.text.conflict import Conflict, conflicts
from clawgit.text.correction import corrections
from clawgit.workspace import scope


def corrected(happened: Happened) -> Part:
    """Return what was corrected; a record that others wrote is counted."""
    new = happened.lines(scope.CORRECTIONS)
    text = happened.text(happened.workspace.head, scope.CORRECTIONS) if new else ""
    rows = text.splitlines()
    heads = [number for number, row in enumerate(rows) if row.startswith("## ")]
    items: list[Item] = []
    unquoted = 0
    for head, one in zip(heads, corrections(text), strict=True):
        if rows[head] not in new:
            continue
        if one.id and _whole(rows[head : one.end], new):
            said, true = (quoting.quote(side) for side in one.values)
            words = f"not “{said}” but “{true}”" if said else f"“{true}” is so"
            about = quoting.quote(one.fields.get("answers", ""))
            what = (f"in answer to “{about}”",) if about and about != said else ()
            items.append(Item(words, what, f"clawgit corrections show {one.id}"))
        else:
            unquoted += 1
    return Part("corrections", tuple(items), unquoted, "clawgit corrections list")


def contradicted(happened: Happened) -> Part:
    """Return the conflicts that were found or decided; what others wrote is counted."""
    new = happened.lines(scope.CONFLICTS)
    text = happened.text(happened.workspace.head, scope.CONFLICTS) if new else ""
    rows = [lines.content(row) for row in lines.split(text)]
    found = [item for one in conflicts(text) for item in _conflict(one, rows[one.start - 1 : one.end], new)]
    return Part("conflicts", tuple(one for one in found if one), found.count(None), "clawgit conflicts list --all")


def _conflict(one: Conflict, rows: list[str], new: dict[str, bool]) -> Iterator[Item | None]:
    """Yield what became of one conflict, None where it is not quoted."""
    state = "open" if one.open else f"resolved: {_holds(one)}"
    if rows[:1] and rows[0] in new:
        sure = _whole(rows, new) and all(quoting.known(side.origin) for side in (one.a, one.b))
        words = f"“{quoting.quote(one.a.text)}” against “{quoting.quote(one.b.text)}” ({state})"
        yield Item(words, command=f"clawgit conflicts show {one.id}") if sure else None
    elif any(row.lstrip("-*+ ").startswith("Resolved") and row in new for row in rows):
        yield Item(f"{one.id} is {state}", command=f"clawgit conflicts show {one.id}")


def _holds(one: Conflict) -> str:
    words = {"a": "the first holds", "b": "the second holds", "both": "both hold", "merged": "a new text holds"}
    return words.get(one.winner, "neither holds")


def _whole(rows: list[str], new: dict[str, bool]) -> bool:
    """Tell whether every line of a record came in this period, from somebody who may be quoted."""
    return all(new.get(row, False) for row in rows if row.strip())
