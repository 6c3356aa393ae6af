"""What files said before conflict markers came in."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from clawgit.errors import ClawgitError, quoted
from clawgit.git import history, repository, worktree_files
from clawgit.git.git_command import git
from clawgit.git.repository import Oid, Repository
from clawgit.safety.markers import conflict_markers, without_conflicts
from clawgit.workspace import entries, file_roles
from clawgit.workspace.file_contents import decoded

_MARK = b"<<<<<<<"
_GLOBS = (
    ":(glob)*.md",
    ":(glob)memory/**/*.md",
    ":(glob)Archive/**/*.md",
    *(f":(glob){glob}" for glob in file_roles.IDENTITY_GLOBS),
    ":(glob).clawgit/*.tsv",
)
_MOST = 1000
"""Commits of one file that are looked through for a version without markers."""


class Served(Struct, frozen=True):
    """The bytes that may be shown of a file with conflict markers, and a sentence that says which they are.

    `line` is that of the first marker, from 1. `commit` has these bytes as they are, None where no commit has.
    """

    path: str
    data: bytes
    line: int
    said: str
    commit: Oid | None = None

    @property
    def fix(self) -> str:
        """The way out; what a commit brings back stands in the log still."""
        if self.commit is None:
            return f"resolve them, then git add {quoted(self.path)}"
        name = quoted(self.path)
        return f"git checkout {self.commit[:10]} -- {name} && git commit -m 'no conflict' -- {name}   # or resolve them"


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
    for path in listed.decode("utf-8", "surrogateescape").split("\0"):
        try:
            file = worktree_files.read(repo, path) if path else None
        except ClawgitError:  # that it cannot be read is told elsewhere
            continue
        one = served(repo, path, file.data) if file else None
        shown += [one] if one else []
    return shown


def served(repo: Repository, path: str, data: bytes, start: Oid | None = None) -> Served | None:
    """Return what is shown instead of `data` where it has conflict markers; None where it has none.

    That is the newest version before `start` (HEAD) that has no markers; where a merge committed them, what both of its
    parents say. Where no version is without, it is what stands outside of the conflicts.
    """
    line = conflict_markers(data.decode("utf-8", "replace")) if marked(data) else None
    if line is None:
        return None
    where = f"{path}:{line} has conflict markers"
    head = start or repository.head(repo)
    commits = list(_sound(repo, path, head))
    if not commits:
        kept = without_conflicts(data.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
        return Served(path, kept, line, f"{where}, and no commit is without; what stands between is left out")
    texts = dict.fromkeys(repository.read(repo, oid, path) or b"" for oid in commits)
    names = " and ".join(oid[:10] for oid in commits)
    said = f"{where}; what it said in {'HEAD' if commits == [head] else names} is served instead"
    if len(texts) == 1:
        return Served(path, next(iter(texts)), line, said, commits[0])
    return Served(path, _both(*texts), line, said)


def _sound(repo: Repository, path: str, start: Oid | None) -> Iterator[Oid]:
    """Yield the newest commit in which a file has no markers; of a merge that brought them, each parent's."""
    if start is None or repository.blob_id(repo, start, path) is None:
        return
    if _clean(repo, start, path):
        yield start
        return
    for found in history.log(repo, path, start=start, limit=_MOST, named=False, first_parent=True):
        parents = [oid for oid in found.parents if _clean(repo, oid, path)]
        if parents:
            yield from parents
            return


def _clean(repo: Repository, commit: Oid, path: str) -> bool:
    data = repository.read(repo, commit, path)
    return data is not None and (_MARK not in data or conflict_markers(data.decode("utf-8", "replace")) is None)


def _both(one: bytes, *others: bytes) -> bytes:
    """Return one text, and at its end the lines that only others have: nobody has decided between them."""
    for other in others:
        known = {row.strip() for row in one.splitlines()}
        new = [row for row in other.splitlines(keepends=True) if row.strip() not in known]
        if one and new and not one.endswith(b"\n"):
            one += b"\n"
        one += b"".join(new)
    return one
