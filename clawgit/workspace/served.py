"""What may be shown of a file."""

from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.git import disk, regular_file, repository
from clawgit.workspace import conflicted, enforcement, scope
from clawgit.workspace.contents import decoded

if TYPE_CHECKING:
    from clawgit.git.repository import Oid
    from clawgit.workspace.workspace import Workspace


def read(
    workspace: "Workspace", path: str, commit: "Oid | None" = None, limit: int = regular_file.LARGEST
) -> tuple[bytes | None, str]:
    """Return the bytes of a file as they may be shown, and a sentence where they are not what stands there.

    Where a merge left conflict markers, that is what it said before; under review and locked, of an identity file that
    is not as approved, the newest approved text, in whatever capitals `path` names it. `commit` reads the file as it
    was. Raises ClawgitError for what cannot be read, unless there is approved text in its place.
    """
    name = enforcement.approved_name(workspace, path)
    approved = scope.guarded(name) and enforcement.enforces(workspace)
    try:
        data = _data(workspace, path, commit, limit)
    except ClawgitError as exc:
        if not approved:
            raise
        return enforcement.served(workspace, name, b"\0"), f"{exc.message}; what you approved is served instead"
    if approved and (data is not None or name == path):
        shown = enforcement.served(workspace, name, data, past=commit is not None)
        if shown != data:
            return shown, f"{path} is not as you approved it; what you approved is served instead"
        return data, ""
    found = conflicted.served(workspace.repo, path, data, commit) if data else None
    return (found.data, found.said) if found else (data, "")


def text(workspace: "Workspace", path: str) -> tuple[str | None, str]:
    """Return the text of a file as it may be shown, and a sentence where it is not what stands there.

    Raises ClawgitError for what is no text.
    """
    data, note = read(workspace, path)
    return decoded(path, data), note


def _data(workspace: "Workspace", path: str, commit: "Oid | None", limit: int) -> bytes | None:
    if commit:
        return repository.read(workspace.repo, commit, path)
    found = disk.read(workspace.repo, path, limit)
    return found.data if found else None
