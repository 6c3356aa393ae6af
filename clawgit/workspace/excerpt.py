"""Lines of a file in the workspace."""

from typing import TYPE_CHECKING

from msgspec import Struct

from clawgit.errors import ClawgitError, quoted

if TYPE_CHECKING:
    from clawgit.workspace.workspace import Workspace


class Excerpt(Struct, frozen=True):
    """`count` lines of a file from line `first` on; `truncated` when more follow.

    `note` is a sentence where this is not what stands on disk.
    """

    path: str
    text: str
    first: int
    count: int
    truncated: bool
    note: str = ""


def excerpt(workspace: "Workspace", path: str, first: int = 1, count: int | None = None) -> Excerpt:
    """Return lines of the file at `path` as it stands on disk, all from `first` on without `count`.

    What is recalled goes to a model, and from there anywhere: a secret is named instead of shown.
    Raises ClawgitError for a path outside, a missing file, or a first line beyond the end.
    """
    from clawgit.safety import paths  # noqa: PLC0415 - cli is light until a command runs
    from clawgit.safety.redaction import redacted  # noqa: PLC0415
    from clawgit.text import lines  # noqa: PLC0415
    from clawgit.workspace import scope, served  # noqa: PLC0415

    wanted = paths.check(path)
    if (workspace.root / wanted).is_dir() and not scope.guarded(wanted):
        raise ClawgitError(f"{wanted} is a folder", fix=f"ls {quoted(workspace.root / wanted)}")
    text, note = served.text(workspace, wanted)
    if text is None:
        raise _missing(workspace, wanted)
    rows = lines.split(redacted(text))
    if first > max(len(rows), 1):
        start = max(len(rows) - 9, 1)
        raise ClawgitError(
            f"{wanted} has {len(rows)} lines; line {first} is beyond its end",
            fix=f"clawgit memory get {quoted(wanted)} --from {start}",
        )
    end = len(rows) if count is None else first - 1 + count
    chosen = rows[first - 1 : end]
    return Excerpt(wanted, "".join(chosen), first, len(chosen), end < len(rows), note)


def _missing(workspace: "Workspace", path: str) -> ClawgitError:
    from clawgit.git.repository import files  # noqa: PLC0415 - only when something was not found
    from clawgit.text.similarity import misspelt  # noqa: PLC0415

    head = workspace.head
    near = misspelt(path, files(workspace.repo, head)) if head else None
    return ClawgitError(
        f"there is no file {path} in {workspace.root}",
        fix=f"clawgit memory get {quoted(near)}" if near else f"ls {quoted(workspace.root)}",
    )
