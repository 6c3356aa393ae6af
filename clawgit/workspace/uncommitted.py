"""Finds what differs from HEAD among our files."""

from collections.abc import Collection

from clawgit.git import difference
from clawgit.git.difference import Different
from clawgit.git.repository import Repository
from clawgit.workspace import scope

PLACES = ("*.md", "memory/**/*.md", "Archive/**/*.md", "agents/*/SOUL.md", f"{scope.OURS}*")
"""Where files of our scope may lie that git does not track yet, as git's globs."""


def uncommitted(repo: Repository, globs: Collection[str] = ()) -> list[Different]:
    """Return the files of our scope whose content on disk or in the index is not HEAD's, sorted by path.

    `globs` add to the scope (`capture` of CONFIG.md).
    """
    found = difference.differing(repo, (*PLACES, *globs))
    ours = (one for one in found if scope.captured(one.path, globs, tracked=one.tracked) or _is_ours(one.path))
    return sorted(ours, key=lambda one: one.path)


def _is_ours(path: str) -> bool:
    return path.startswith(scope.OURS)
