"""What lies in the folder of a workspace."""

import os
import stat
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Literal

from msgspec import Struct

from clawgit.workspace import scope

Kind = Literal["file", "link", "repository", "special", "elsewhere", "closed"]

_PASSED_OVER = frozenset({".git", "node_modules", ".venv", "venv", "__pycache__"})


class Place(Struct, frozen=True):
    """One thing in the tree: a file of ours, or what is left alone, and why where there is something to say."""

    kind: Kind
    path: str
    why: str = ""
    size: int = 0


def places(root: Path, tracked: Collection[str] = ()) -> Iterator[Place]:
    """Yield what matters below `root`, sorted in each folder; links are not followed, repositories not entered.

    Markdown outside the scope is "elsewhere"; what cannot be listed is "closed".
    """
    waiting = [""]
    while waiting:
        folder = waiting.pop()
        try:
            found = sorted(os.scandir(root / folder), key=lambda one: one.name)
        except OSError as exc:
            yield Place("closed", folder or ".", exc.strerror or str(exc))
            continue
        inner = []
        for one in found:
            path = folder + one.name
            if not one.is_dir(follow_symlinks=False):
                yield from _file(one, path, path in tracked)
            elif os.path.lexists(os.path.join(one.path, ".git")):  # noqa: PTH118 - asked of every folder
                yield Place("repository", path)
            elif one.name not in _PASSED_OVER:
                if scope.captured(path):
                    yield Place("special", path, "a folder")
                inner.append(f"{path}/")
        waiting += reversed(inner)


def _file(one: "os.DirEntry[str]", path: str, tracked: bool) -> Iterator[Place]:  # noqa: FBT001
    ours = scope.captured(path, tracked=tracked)
    if one.is_symlink():
        if ours or _leads_in(path):
            yield Place("link", path, f"a link to {os.readlink(one.path)}")  # noqa: PTH115 - the text as it stands
        return
    if not path.endswith(".md"):
        return
    status = one.stat(follow_symlinks=False)
    if not ours:
        yield Place("elsewhere", path)
    elif stat.S_ISREG(status.st_mode):
        yield Place("file", path, size=status.st_size)
    else:
        yield Place("special", path, _SPECIAL.get(stat.S_IFMT(status.st_mode), "a device"))


_SPECIAL = {stat.S_IFIFO: "a named pipe", stat.S_IFSOCK: "a socket"}


def _leads_in(path: str) -> bool:
    """Tell whether files below `path`, if it were a folder, would be ours."""
    return scope.captured(f"{path}/x.md") or scope.captured(f"{path}/SOUL.md") or path in ("agents", "memory")
