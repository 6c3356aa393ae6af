"""Walks over the files of each working tree."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from clawgit.git import rewriting
from clawgit.workspace.workspace import Workspace


def walked(workspace: Workspace, closed: Callable[[Path], object] | None = None) -> Iterator[tuple[Path, Path]]:
    """Yield the files and links of each working tree, ignored ones, too, after the folder of their tree.

    A folder is yielded where it is empty; repositories within are not looked at. `closed` is told of a folder that this
    user may not list.
    """
    inside = {one.root for one in rewriting.checkouts(workspace.repo)} | {workspace.root}
    for root in sorted(inside):
        for folder, folders, there in os.walk(root, onerror=lambda exc: closed and closed(Path(exc.filename))):
            links = [one for one in folders if (Path(folder) / one).is_symlink()]
            others = sorted(set(folders) - set(links))
            folders[:] = [one for one in others if one != ".git" and not os.path.lexists(Path(folder) / one / ".git")]
            for name in sorted((*there, *links)) or ([""] if not folders and folder != str(root) else []):
                if name != ".git":
                    yield root, Path(folder) / name
