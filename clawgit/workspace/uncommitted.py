"""Finds what differs from HEAD among our files."""

from collections.abc import Collection, Iterable

from msgspec import Struct

from clawgit.git import difference
from clawgit.git.difference import Different
from clawgit.git.repository import Repository
from clawgit.workspace import file_roles

PLACES = ("*.md", "memory/**/*.md", "Archive/**/*.md", "agents/*/SOUL.md", f"{file_roles.OURS}*")
"""Where files of our scope may lie that git does not track yet, as git's globs."""


class NotKept(Struct, frozen=True):
    """How many files clawgit leaves out of git, each counted once.

    `files` git does not track, and no capture takes them; `ignored` are those that an ignore rule hides; `changed` git
    tracks, they differ from HEAD, and to commit them is left to others. Of `unknown`, whether they differ can only be
    told by a filter that does not run. Repositories of their own are not looked into. Of the memory, `hidden` are the
    files among the ignored ones, `nested` the folders that are such repositories, and `absent` the files that are gone
    without git's notice.
    """

    files: int = 0
    ignored: int = 0
    changed: int = 0
    unknown: int = 0
    hidden: tuple[str, ...] = ()
    nested: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()


def uncommitted(repo: Repository, globs: Collection[str] = ()) -> list[Different]:
    """Return the files of our scope whose content on disk or in the index is not HEAD's, sorted by path.

    `globs` add to the scope (`capture` of CONFIG.md).
    """
    return _in_scope(repo, globs, difference.differing(repo, (*PLACES, *globs)))


def _in_scope(repo: Repository, globs: Collection[str], found: Iterable[Different]) -> list[Different]:
    ours = (one for one in found if _kept(one.path, globs, tracked=one.tracked))
    return sorted((one for one in ours if one.tracked or not _is_view(repo, one.path)), key=lambda one: one.path)


def _is_view(repo: Repository, path: str) -> bool:
    """Tell whether an untracked file is one that we rendered, where no rule of .gitignore hides it."""
    from clawgit.workspace import changelog  # noqa: PLC0415 - untracked files are rare

    return changelog.ours(repo.root / path)


def all_different(repo: Repository, globs: Collection[str] = ()) -> tuple[list[Different], NotKept]:
    """Return what `uncommitted` does, and the files of the folder that no capture takes; `globs` add to the scope.

    What we rendered is none of these: it can be rendered again. Git looks once for both.
    """
    every = difference.differing(repo, (*PLACES, *globs))
    return _in_scope(repo, globs, every), _not_kept(repo, globs, every)


def _not_kept(repo: Repository, globs: Collection[str], every: Iterable[Different]) -> NotKept:
    found = difference.untracked(repo)
    ignored = [path for path in found.ignored if "/" in path or not _is_view(repo, path)]
    changed = [one for one in every if one.tracked and not _kept(one.path, globs, tracked=True)]
    lost = {one.path for one in changed}
    others = [path for path in found.loose if not _kept(path, globs, tracked=False) and path not in lost]
    unknown = len(difference.unknown(repo))
    hidden, absent = (tuple(filter(file_roles.memory, some)) for some in (ignored, found.absent))
    nested = tuple(path for path in found.nested if file_roles.memory(f"{path}/x.md"))
    return NotKept(len(others), len(ignored), len(changed), unknown, hidden, nested, absent)


def _kept(path: str, globs: Collection[str], *, tracked: bool) -> bool:
    return file_roles.captured(path, globs, tracked=tracked) or _is_ours(path)


def _is_ours(path: str) -> bool:
    return path.startswith(file_roles.OURS)
