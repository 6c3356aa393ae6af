"""The workspace, and the one way to write to it."""

import os
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from clawgit import file_roles
from clawgit.errors import Command, workspace_missing
from clawgit.git import bare_repository, repository
from clawgit.git.repository import Oid
from clawgit.workspace.workspace_base import WorkspaceBase

if TYPE_CHECKING:  # what only a write needs is loaded when one begins
    from clawgit.workspace.change import Applied, Captured, Change


@dataclass
class Workspace(WorkspaceBase, AbstractContextManager["Workspace"]):
    """An open workspace. Leave it as a context manager, or call `close`, when the last change has been made."""

    def apply(self, change: "Change", *, wait: bool | None = None) -> "Applied":
        """Write a change as exactly one commit, after edits of others in its files have been captured.

        A change to the identity may wait for the operator instead: by soul_policy, or by `wait`. Raises ClawgitError
        with every file as it was when it is refused, BusyError when somebody locks the workspace.
        """
        from clawgit.workspace import writing  # noqa: PLC0415

        self.require_managed()
        return writing.apply_change(self, change, wait=wait)

    def capture(
        self,
        paths: Iterable[str],
        bases: Mapping[str, Oid] | None = None,
        before: Mapping[str, bytes] | None = None,
    ) -> "Captured":
        """Commit edits of others in `paths`, as one commit.

        `bases` are the commits before they committed files themselves, by path. `before` is the content of files before
        a call of the agent's: edits of others until then are a commit of their own.

        Raises ClawgitError, with every file as it was, when one of them may not enter history as it is.
        """
        from clawgit.workspace import writing  # noqa: PLC0415

        self.require_managed()
        return writing.capture_files(self, paths, bases or {}, before or {})

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close, also after an error."""
        self.close()


def open_workspace(path: Path) -> Workspace:
    """Return the workspace that encloses `path`: any git repository with SOUL.md, MEMORY.md or memory/.

    A bare one is shown as a tree of its branch, and cannot be written.

    Raises ClawgitError for anything else.
    """
    bare = bare_repository.find_bare_repository(path)
    repo = bare_repository.view(bare) if bare else repository.find(path)
    repository.require_head(repo)
    signs = (file_roles.SOUL, file_roles.MEMORY, file_roles.LOWER_MEMORY, "memory")
    workspace = Workspace(repo)
    is_openclaws = (repo.root / "openclaw.json").exists()
    if is_openclaws or not (any(os.path.lexists(repo.root / name) for name in signs) or workspace.managed):
        words = f"{repo.root} is not a workspace: it has no SOUL.md, MEMORY.md or memory/, or is OpenClaw's own"
        raise workspace_missing(words, fix=Command("clawgit init {}", path if is_openclaws else repo.root))
    if not repo.of:
        from clawgit.workspace import import_0_2  # noqa: PLC0415

        import_0_2.take_over(workspace)
    return workspace
