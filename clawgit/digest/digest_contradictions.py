"""What was corrected, and what contradicts each other."""

from collections.abc import Iterator

from clawgit.digest import digest_text
from clawgit.digest.digest_sections import Happened
from clawgit.digest.digest_text import Item, Part
from clawgit.text import document
from clawgit.text.conflict import Conflict, conflicts
from clawgit.text.correction import STANDS, corrections
from clawgit.workspace import file_roles

_CLOSED = "closed: a side is gone or was reworded"


def corrected(happened: Happened) -> Part:
    """Return what was corrected; a record that others wrote is counted."""
    new = happened.lines(file_roles.CORRECTIONS)
    text = happened.text(happened.workspace.head, file_roles.CORRECTIONS) if new else ""
    rows = text.splitlines()
    heads = [number for number, row in enumerate(rows) if row.startswith("## ")]
    items: list[Item] = []
    unquoted = 0
    for head, one in zip(heads, corrections(text), strict=True):
        if rows[head] not in new:
            continue
        if one.id and _whole(rows[head : one.end], new):
            said, true = (digest_text.quote(side) for side in one.values)
            words = f"not “{said}” but “{true}”" if said else f"“{true}” is so"
            about = digest_text.quote(one.fields.get("answers", ""))
            what = (f"in answer to “{about}”",) if about and about != said else ()
            stands = digest_text.quote(one.fields.get(STANDS.casefold(), ""))
            what = what or ((f"so that it says “{stands}”",) if stands and stands != true else ())
            items.append(Item(words, what, f"clawgit corrections show {one.id}"))
        else:
            unquoted += 1
    return Part("corrections", tuple(items), unquoted, "clawgit corrections list")


def contradicted(happened: Happened) -> Part:
    """Return the conflicts that were found or decided; what others wrote is counted."""
    new = happened.lines(file_roles.CONFLICTS)
    text = happened.text(happened.workspace.head, file_roles.CONFLICTS) if new else ""
    rows = [document.content(row) for row in document.split(text)]
    found = [item for one in conflicts(text) for item in _conflict(one, rows[one.start - 1 : one.end], new)]
    items = [one for one in found if one]
    closed = [one for one in items if one.text.endswith(_CLOSED)]
    if len(closed) > 1:
        items = [one for one in items if one not in closed]
        items.append(Item(f"{len(closed)} are {_CLOSED}", command="clawgit conflicts list --all"))
    return Part("conflicts", tuple(items), found.count(None), "clawgit conflicts list --all")


def _conflict(one: Conflict, rows: list[str], new: dict[str, bool]) -> Iterator[Item | None]:
    """Yield what became of one conflict, None where it is not quoted."""
    state = "open" if one.open else _state(one)
    if rows[:1] and rows[0] in new:
        sure = _whole(rows, new) and all(digest_text.known(side.origin) for side in (one.a, one.b))
        words = f"“{digest_text.quote(one.a.text)}” against “{digest_text.quote(one.b.text)}” ({state})"
        yield Item(words, command=f"clawgit conflicts show {one.id}") if sure else None
    elif any(row.lstrip("-*+ ").startswith("Resolved") and row in new for row in rows):
        yield Item(f"{one.id} is {state}", command=f"clawgit conflicts show {one.id}")


def _state(one: Conflict) -> str:
    words = {"a": "the first holds", "b": "the second holds", "both": "both hold", "merged": "a new text holds"}
    holds = words.get(one.winner)
    return f"resolved: {holds}" if holds else _CLOSED


def _whole(rows: list[str], new: dict[str, bool]) -> bool:
    """Tell whether every line of a record came in this period, from somebody who may be quoted."""
    return all(new.get(row, False) for row in rows if row.strip())
