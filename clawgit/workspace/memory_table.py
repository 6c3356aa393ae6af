"""The table of entries of a workspace."""

from contextlib import AbstractContextManager
from functools import partial

from clawgit.store.entry_table import EntryTable, open_entries
from clawgit.workspace import file_roles
from clawgit.workspace.workspace_base import WorkspaceBase


def open_table(workspace: WorkspaceBase) -> AbstractContextManager[EntryTable]:
    """Open the table of entries, with the memory files that CONFIG.md names."""
    files = workspace.memory_files
    return open_entries(workspace.repo, partial(_classify, files), "\n".join(files))


def find_role(workspace: WorkspaceBase, path: str) -> str | None:
    """Return the role of the entries of a file: memory, journal, identity or instruction; None for other files."""
    return _classify(workspace.memory_files, path)


def _classify(memory_files: tuple[str, ...], path: str) -> str | None:
    return "memory" if path in memory_files else file_roles.entry_role(path)
