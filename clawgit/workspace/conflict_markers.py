"""What is served of files with conflict markers."""

from collections.abc import Iterable

from msgspec import Struct

from clawgit.errors import ClawgitError
from clawgit.git import repository, worktree_files
from clawgit.git.git_command import git
from clawgit.git.repository import Oid, Repository
from clawgit.safety.markers import conflict_markers, join_sides
from clawgit.workspace import entries, file_roles
from clawgit.workspace.file_contents import decoded, read_quietly

_MARK = b"<<<<<<<"
_GLOBS = (
    ":(glob)*.md",
    ":(glob)memory/**/*.md",
    ":(glob)Archive/**/*.md",
    *(f":(glob){glob}" for glob in file_roles.IDENTITY_GLOBS),
    ":(glob).clawgit/*.tsv",
)


class Served(Struct, frozen=True):
    """The bytes that may be shown of a file with conflict markers, and a sentence that says which they are.

    `line` is that of the first marker, from 1.
    """

    path: str
    data: bytes
    line: int
    said: str


def marked(data: bytes) -> bool:
    """Return whether bytes may have conflict markers, and so are worth a look."""
    return _MARK in data


def shown_text(repo: Repository, path: str) -> tuple[str | None, str]:
    """Return the text of a file as it may be shown, and a sentence where that is not what stands there.

    Raises ClawgitError for what is no text.
    """
    file = worktree_files.read(repo, path)
    shown = served(repo, path, file.data) if file else None
    data = shown.data if shown else file.data if file else None
    return decoded(path, data), shown.said if shown else ""


def sidecar(repo: Repository) -> str:
    """Return the text of the sidecar, "" where there is none."""
    return shown_text(repo, entries.PATH)[0] or ""


def found(repo: Repository, named: Iterable[str] = ()) -> list[Served]:
    """Return the tracked memory files, prompt files and sidecars that have conflict markers now, and those `named` so.

    Git looks at its index alone: of what lies on disk in their place it would open a pipe, and wait.
    """
    paths = [*_GLOBS, *(f":(literal){path}" for path in named)]
    options = ("grep", "-lz", "--cached", "--no-recurse-submodules", "-e", "^<<<<<<<", "--")
    try:
        listed = git(repo.root, *options, *paths, literal=False)
    except ClawgitError:  # none has any
        return []
    shown = []
    for path in filter(None, listed.decode("utf-8", "surrogateescape").split("\0")):
        data = read_quietly(repo, path)  # that it cannot be read is told elsewhere
        one = served(repo, path, data) if data else None
        shown += [one] if one else []
    return shown


def served(repo: Repository, path: str, data: bytes, commit: Oid | None = None) -> Served | None:
    """Return what is shown instead of `data` where it has conflict markers; None where it has none.

    That is the version of `commit` (HEAD) if it has no markers, else what both sides of each conflict say.
    """
    line = _find_markers(data)
    if line is None:
        return None
    where = f"{path}:{line} has conflict markers"
    start = commit or repository.head(repo)
    before = repository.read(repo, start, path) if start else None
    if before is not None and _find_markers(before) is None:
        return Served(path, before, line, f"{where}; what it said in HEAD is served instead")
    both = join_sides(data.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
    return Served(path, both, line, f"{where}, also where it was committed; what both sides say is served instead")


def _find_markers(data: bytes) -> int | None:
    return conflict_markers(data.decode("utf-8", "replace")) if marked(data) else None
