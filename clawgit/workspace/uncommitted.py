"""Finds what differs from HEAD among our files."""

import os
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from clawgit.git import difference
from clawgit.git.difference import Different
from clawgit.git.repository import Repository
from clawgit.workspace import file_roles

PLACES = ("*.md", "memory/**/*.md", "Archive/**/*.md", *file_roles.IDENTITY_GLOBS, f"{file_roles.OURS}*")
"""Where files of our scope may lie that git does not track yet, as git's globs."""


class NotKept(Struct, frozen=True):
    """How many files clawgit leaves out of git, each counted once.

    `files` git does not track, and no capture takes them. `ignored` are those that an ignore rule hides; `changed` git
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
    return _in_scope(repo, globs, difference.differing(repo, _places(globs)))


def _in_scope(repo: Repository, globs: Collection[str], found: Iterable[Different]) -> list[Different]:
    ours = (one for one in found if _kept(one.path, globs, tracked=one.tracked))
    return sorted((one for one in ours if one.tracked or not _is_view(repo, one.path)), key=lambda one: one.path)


def _is_view(repo: Repository, path: str) -> bool:
    """Return whether an untracked file is one that we rendered, where no rule of .gitignore hides it."""
    from clawgit.workspace import changelog  # noqa: PLC0415 - untracked files are rare

    return changelog.ours(repo.root / path)


def all_different(repo: Repository, globs: Collection[str] = ()) -> tuple[list[Different], NotKept]:
    """Return what `uncommitted` does, and the files of the folder that no capture takes; `globs` add to the scope.

    What we rendered is none of these: it can be rendered again. Git looks once for both.
    """
    every = difference.differing(repo, _places(globs))
    return _in_scope(repo, globs, every), _not_kept(repo, globs, every)


def staying_out(root: Path) -> tuple[list[str], NotKept]:
    """Return the files of our scope in a folder that is not under git, and how many others would stay out of it."""
    every = [one.path for one in difference.loose(root, ("**",))]
    ours = [path for path in every if _kept(path, (), tracked=False)]
    others = set(every).difference(ours)
    return ours, NotKept(len(others))


_PASSED_OVER = frozenset({".git", "node_modules", ".venv", "venv", "__pycache__"})


def list_scope(root: Path, tracked: Collection[str] = ()) -> Iterator[str]:
    """Yield the paths of our scope below `root`, also of links and of what cannot be read; `tracked` are git's.

    No link is followed, no repository entered. What cannot be listed is yielded by its own name.
    """
    waiting = [""]
    while waiting:
        folder = waiting.pop()
        try:
            places = sorted(os.scandir(root / folder), key=lambda one: one.name)
        except OSError:
            yield folder.rstrip("/") or "."
            continue
        inner = []
        for place in places:
            path = folder + place.name
            if file_roles.captured(path, tracked=path in tracked) or (place.is_symlink() and _leads_in(path)):
                yield path
            if place.is_dir(follow_symlinks=False) and place.name not in _PASSED_OVER:
                inner += [] if os.path.lexists(root / path / ".git") else [f"{path}/"]
        waiting += reversed(inner)


def _leads_in(path: str) -> bool:
    """Return whether files below `path`, if it were a folder, would be ours."""
    return file_roles.captured(f"{path}/x.md") or file_roles.captured(f"{path}/SOUL.md") or path in ("agents", "memory")


def _not_kept(repo: Repository, globs: Collection[str], every: Iterable[Different]) -> NotKept:
    found = difference.untracked(repo)
    ignored = [path for path in found.ignored if "/" in path or not _is_view(repo, path)]
    changed = [one for one in every if one.tracked and not _kept(one.path, globs, tracked=True)]
    lost = {one.path for one in changed}
    others = [path for path in found.loose if path not in lost and not _kept(path, globs, tracked=False)]
    unknown = len(difference.unknown(repo))
    hidden, absent = (tuple(filter(file_roles.memory, some)) for some in (ignored, found.absent))
    nested = tuple(path for path in found.nested if file_roles.memory(f"{path}/x.md"))
    return NotKept(len(others), len(ignored), len(changed), unknown, hidden, nested, absent)


def _places(globs: Collection[str]) -> tuple[str, ...]:
    """Return where files of the scope may lie, as git's globs."""
    return (*PLACES, *globs)


def _kept(path: str, globs: Collection[str], *, tracked: bool) -> bool:
    return file_roles.captured(path, globs, tracked=tracked) or path.startswith(file_roles.OURS)
