"""Finds differences from HEAD among our files."""

import os
import time
from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from clawgit import file_roles
from clawgit.errors import ClawgitError, Command, git_overlooked, quote_shell
from clawgit.git import difference, git_filters, git_state, locks, repository, worktree_files
from clawgit.git.difference import Different
from clawgit.git.paths import check_name
from clawgit.git.repository import Repository
from clawgit.workspace import capture, file_contents
from clawgit.workspace.file_contents import PLACES, decode_file
from clawgit.workspace.workspace import Workspace


class NotKept(Struct, frozen=True):
    """How many files clawgit leaves out of git, each counted once.

    `files` are neither tracked nor captured. `ignored` are hidden by an ignore rule; `changed` are tracked, differ from
    HEAD, and are left to others to commit. `unknown` ones can only be compared by a filter that does not run. Nested
    repositories are not looked into. Of the memory, `hidden` are the files among the ignored ones, and `absent` the
    files that are gone without git's notice.
    """

    files: int = 0
    ignored: int = 0
    changed: int = 0
    unknown: int = 0
    hidden: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()


def list_uncommitted_files(repo: Repository, globs: Collection[str] = ()) -> list[Different]:
    """Return the files of our scope whose content on disk or in the index is not HEAD's, sorted by path.

    `globs` add to the scope (`capture` of CONFIG.md).
    """
    return _select_ours(repo, globs, difference.list_differing(repo, (*PLACES, *map(file_roles.widen, globs))))


def _select_ours(repo: Repository, globs: Collection[str], differences: Iterable[Different]) -> list[Different]:
    ours = (change for change in differences if _is_kept(change.path, globs, tracked=change.tracked))
    originals = (change for change in ours if change.tracked or not _is_view(repo, change.path))
    return sorted(originals, key=lambda change: change.path)


def _is_view(repo: Repository, path: str) -> bool:
    """Return whether an untracked file is rendered by us and not hidden by a rule of .gitignore."""
    from clawgit.workspace import changelog  # noqa: PLC0415 - untracked files are rare

    return changelog.is_rendered(repo.root / path)


def list_different(repo: Repository, globs: Collection[str] = ()) -> tuple[list[Different], NotKept]:
    """Return the result of `uncommitted`, and the files of the folder outside of captures; `globs` add to the scope.

    Our rendered files are neither: they can be rendered again. Git looks once for both.
    """
    differences = difference.list_differing(repo, (*PLACES, *map(file_roles.widen, globs)))
    untracked = difference.list_untracked(repo)
    ignored = [path for path in untracked.ignored if "/" in path or not _is_view(repo, path)]
    others = (change for change in differences if not _is_kept(change.path, globs, tracked=change.tracked))
    changed = {change.path for change in others if change.tracked}
    loose = [path for path in untracked.loose if path not in changed and not _is_kept(path, globs, tracked=False)]
    not_kept = NotKept(
        len(loose),
        len(ignored),
        len(changed),
        len(difference.list_unknown(repo)),
        tuple(filter(file_roles.is_memory_or_settings, ignored)),
        tuple(filter(file_roles.is_memory_or_settings, untracked.absent)),
    )
    return _select_ours(repo, globs, differences), not_kept


def staying_out(root: Path) -> tuple[list[str], NotKept]:
    """Return the files of our scope in a folder that is not under git, and how many others would stay out of it."""
    all_paths = difference.list_loose(root)
    ours = [path for path in all_paths if _is_kept(path, (), tracked=False)]
    return ours, NotKept(len(set(all_paths).difference(ours)))


_PASSED_OVER = frozenset({".git", "node_modules", ".venv", "venv", "__pycache__"})


def list_scope(root: Path, tracked: Collection[str] = ()) -> Iterator[str]:
    """Yield the paths of our scope below `root`, also of links and unreadable files; `tracked` are git's.

    No link is followed, no repository entered. An unreadable folder is yielded by its own name.
    """
    start, unreadable = len(f"{root}/"), list[str]()
    for folder, folders, names in os.walk(root, onerror=lambda exc: unreadable.append(exc.filename)):
        for place in (f"{folder}/{name}" for name in (*folders, *names)):
            path = place[start:]
            # A link counts as if it were a folder of ours.
            inside = (f"{path}/x.md", f"{path}/SOUL.md") if Path(place).is_symlink() else ()
            is_ours = file_roles.is_captured(path, tracked=path in tracked) or any(map(file_roles.is_captured, inside))
            if is_ours or (inside and path in ("agents", "memory")):
                yield path
        own = (name for name in folders if not os.path.lexists(f"{folder}/{name}/.git"))
        folders[:] = [name for name in own if name not in _PASSED_OVER]
    yield from (name[start:] or "." for name in unreadable)


def _is_kept(path: str, globs: Collection[str], *, tracked: bool) -> bool:
    return file_roles.is_captured(path, globs, tracked=tracked) or path.startswith(file_roles.OURS)


class UnfinishedError(ClawgitError):
    """Somebody is at work in git with a file: they staged it, or have yet to merge it."""


def list_uncommitted(workspace: Workspace) -> tuple[str, ...]:
    """Return the files of the workspace whose content on disk is not committed, sorted."""
    return tuple(
        change.path for change in list_uncommitted_files(workspace.repo, workspace.config.lenient.captured_globs)
    )


def list_held_back(workspace: Workspace, differences: Iterable[Different]) -> Iterator[tuple[Different, ClawgitError]]:
    """Yield the files that may not be committed as they are, each with the error."""
    changes = list(differences)
    staged = [change.path for change in changes if change.staged]
    stale = git_state.stale_entries(workspace.repo, staged) if staged else ()
    # Both paths of a rename belong in one commit: two of them would be a removal and a new file.
    renames = difference.list_staged_renames(workspace.repo) if len(staged) > 1 else ()
    pairs = {path: pair for pair in renames for path in pair}
    for change in changes:
        is_nobodys = change.whole and (workspace.head is None or change.path.startswith(git_state.RECORDS))
        try:
            is_staged = change.staged and change.path not in stale and not is_nobodys
            _refuse(workspace, change, staged=pairs.get(change.path, (change.path,)) if is_staged else ())
        except ClawgitError as exc:
            yield change, exc


def _refuse(workspace: Workspace, change: Different, *, staged: Sequence[str]) -> None:
    """Raise ClawgitError for a file that somebody is working on, or keeps out of commits.

    `staged` are the paths that are staged together with it, and it.
    """
    path = change.path
    if change.unmerged:
        fix = Command("git add {}", path, note="once resolved")
        raise UnfinishedError("file-unmerged", f"{path} is unmerged", fix=fix)
    if change.overlooked:
        steps = " && ".join(f"git update-index --no-{bit} {{}}" for bit in change.overlooked)
        words = f"{path} has changes that git was told to overlook ({' and '.join(change.overlooked)})"
        raise git_overlooked(words, fix=Command(steps, *[path] * len(change.overlooked)))
    if staged:
        note = f"or: git restore --staged {' '.join(map(quote_shell, staged))}"
        fix = Command(f"git commit -m {{}}{' {}' * len(staged)}", "by hand", *staged, note=note)
        raise UnfinishedError("file-staged", f"{path} has staged changes", fix=fix)
    committed = repository.read(workspace.repo, workspace.head, path)
    if committed is None:
        capture.refuse_ignored(workspace.repo, path)  # libgit2 reads some rules otherwise than git does
    data = refuse_content(workspace.repo, path, committed, workspace.leaked)
    git_filters.require_unfiltered(workspace.repo, path, data)


def refuse_content(repo: Repository, path: str, committed: bytes | None, leaked: Container[str] = ()) -> bytes | None:
    """Return the content of `path`. Raises ClawgitError if it may not enter history as it is.

    History has `committed` at that place, and the `leaked` secrets, by fingerprint, somewhere.
    """
    check_name(repo.root, path)
    file = worktree_files.read_present(repo, path)
    if file is None:
        return None
    if (handle := locks.wait_for_lease(worktree_files.locate(repo, path), time.monotonic() - 1)) is not None:
        os.close(handle)  # nobody has it open for writing
    decode_file(path, file.data)
    file_contents.refuse_new_secrets(path, committed, file.data, leaked)
    return file.data
