"""Approved lines that bind the agent, where they are lost."""

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from clawgit.workspace.trust.trust import Trust

if TYPE_CHECKING:
    from clawgit.workspace.workspace import Workspace

Texts = Mapping[str, str | None]


class Boundary(Struct, frozen=True):
    """A line of `path`, as the operator approved it in so many words, that the file no longer holds, or holds weakened.

    `line` is its 1-based number in what was approved, `instead` the new line that comes nearest to it, "" for none.
    """

    path: str
    line: int
    text: str
    weakened: bool
    instead: str

    @property
    def key(self) -> tuple[str, str]:
        """What it is known by, whatever becomes of the file."""
        return self.path, " ".join(self.text.split())

    @property
    def fate(self) -> str:
        """What became of it, in words; they repeat words of the file."""
        from clawgit.workspace.risk import quote  # noqa: PLC0415 - only where something is lost

        state = f'now "{quote(_bare(self.instead))}"' if self.instead else "weakened" if self.weakened else "gone"
        return f'"{quote(_bare(self.text))}" is {state}'


def _bare(line: str) -> str:
    return line.strip().lstrip("-*+> ")


def lost(trust: Trust, path: str, text: str | None, operator: Collection[str]) -> tuple[Boundary, ...]:
    """Return the boundaries of a file that do not stand in `text` as they were approved, in the order of their lines.

    It is held against what the operator approved in so many words, so that many small edits are told as one large one
    is. None where nothing was approved, and of a file that is gone: that is an alarm of its own.
    """
    said = trust.said(path)
    if not trust.known or said is None or text is None or text == said:
        return ()
    from clawgit.safety import normalise, protected_lines  # noqa: PLC0415 - most files are as they were approved
    from clawgit.workspace.risk import EVERYDAY  # noqa: PLC0415

    notes = path in EVERYDAY
    names = {*operator, *(() if notes else normalise.served_names(said))}
    rows = said.split("\n")
    held = {" ".join(row.split()) for row in rows}
    fresh = [row for row in text.split("\n") if row.strip() and " ".join(row.split()) not in held]
    found: dict[int, bool] = {}
    for one in protected_lines.lost(said, text, range(1, len(rows) + 1), names, notes=notes):
        found[one.line] = found.get(one.line, False) or one.weakened
    return tuple(
        Boundary(path, line, rows[line - 1], weakened, protected_lines.nearest(rows[line - 1], fresh))
        for line, weakened in sorted(found.items())
    )


class Touched(Struct, frozen=True):
    """A boundary that an edit has weakened, `again` where it was weakened before."""

    boundary: Boundary
    again: bool


def touched(trust: Trust, before: Texts, after: Texts, operator: Collection[str]) -> Iterator[Touched]:
    """Yield the boundaries that an edit from `before` to `after` has weakened, or changed once more."""
    for path, text in after.items():
        if path in trust.files and text != before.get(path):
            known = set(lost(trust, path, before.get(path), operator))
            keys = {one.key for one in known}
            found = (one for one in lost(trust, path, text, operator) if one not in known)
            yield from (Touched(one, one.key in keys) for one in found)


def whole(trust: Trust, path: str, operator: Collection[str]) -> str | None:
    """Return the newest text that may count as approved and keeps every boundary, None for no file.

    That is what grew at a low grade since the operator approved the file, unless it lost something on the way.
    """
    text = trust.approved(path)
    return trust.said(path) if lost(trust, path, text, operator) else text


def standing(workspace: "Workspace") -> Iterator[Boundary]:
    """Yield the boundaries of all identity files that do not stand, on disk, as they were approved."""
    from clawgit.workspace import enforcement  # noqa: PLC0415 - it asks what soul_policy makes of a file
    from clawgit.workspace.trust import review  # noqa: PLC0415 - it asks for grades

    if not workspace.trust.known:
        return
    put_back = {one.path for one in enforcement.deviations(workspace)}
    for path in review.paths(workspace):
        if path not in put_back:
            yield from lost(workspace.trust, path, review.standing(workspace, path), workspace.called)
