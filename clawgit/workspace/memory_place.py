"""The places of our memories and journals."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from clawgit import file_roles
from clawgit.errors import ClawgitError
from clawgit.git.paths import check

if TYPE_CHECKING:
    from clawgit.openclaw.openclaw_files import Ledger

_ROOT_FILES = (file_roles.MEMORY, file_roles.LOWER_MEMORY, file_roles.USER)
APART, JOURNALS_APART = "memory/long-term.md", "memory/clawgit/"


def is_shown(path: str) -> bool:
    """Return whether OpenClaw shows the file to its agent, and records its writers."""
    return file_roles.role_name(path) in _ROOT_FILES


class MemoryPlace(Struct, frozen=True):
    """The memory file, and the folder of our journals (with its slash); `apart`: they are not OpenClaw's own."""

    file: str
    journals: str
    apart: bool


def choose_memory_place(root: Path, sidecar: bytes, ledger: "Callable[[], Ledger]") -> MemoryPlace:
    """Return the place of memories if CONFIG.md does not name it.

    If OpenClaw keeps records of the writers of its files, ours are apart from them: it would drop a file that was
    edited from outside from the prompt. Once apart they stay apart, by the files of the workspace, so that a clone and
    an unreadable database lead to the same places.
    """
    was_apart = f"\t{APART}\t".encode() in sidecar or os.path.lexists(root / JOURNALS_APART)
    if was_apart or ledger().records:
        return MemoryPlace(APART, JOURNALS_APART, apart=True)
    return MemoryPlace(find_openclaw_memory(root), "memory/", apart=False)


def find_openclaw_memory(root: Path) -> str:
    """Return OpenClaw's own memory file: in lower case only if there is no other."""
    lower = os.path.lexists(root / file_roles.LOWER_MEMORY) and file_roles.MEMORY not in os.listdir(root)  # noqa: PTH208 - names
    return file_roles.LOWER_MEMORY if lower else file_roles.MEMORY


def is_memory_place(path: str) -> bool:
    """Return whether `memory_file` may name `path`: Markdown in the root or below memory/ that is nothing else."""
    from clawgit.workspace import manifest  # noqa: PLC0415 - only when somebody sets it

    try:
        place = check(path)
    except ClawgitError:
        return False
    inside = "/" not in place or place.startswith("memory/")
    return place == path and inside and path.endswith(".md") and manifest.kind(path) in ("memory", "other")
