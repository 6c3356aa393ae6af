"""The workspace, and the one way to write to it."""

import os
import re
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from clawgit import errors, file_roles
from clawgit.errors import Advice, ClawgitError, Command, quote_shell
from clawgit.git import repository
from clawgit.git.repository import Oid, Repository
from clawgit.workspace.change import Applied, Captured, Change
from clawgit.workspace.workspace_base import WorkspaceBase

_STATE_OF_0_2 = (
    *("clawgit/machine.json", "clawgit/workspace-id", "clawgit/state/candidates.jsonl", "clawgit/state/unkept.jsonl"),
    *("clawgit/state/chat.db", "refs/clawgit/proposals/*", "refs/clawgit/rejected/*"),
)
_PACKED_OF_0_2 = re.compile(rb" refs/clawgit/(?:proposals|rejected)/")
_SIGNS = ("SOUL.md", "IDENTITY.md", "MEMORY.md", "memory.md")


@dataclass
class Workspace(WorkspaceBase, AbstractContextManager["Workspace"]):
    """An open workspace. Leave it as a context manager, or call `close`, when the last change has been made."""

    def apply(self, change: Change, *, wait: bool | None = None) -> Applied:
        """Write a change as exactly one commit, after edits of others in its files have been captured.

        A change to the identity may wait for the operator instead: by soul_policy, or by `wait`. Raises ClawgitError
        with every file as it was when it is refused, BusyError when somebody locks the workspace.
        """
        from clawgit.workspace import writing  # noqa: PLC0415 - readers do without

        self.require_managed()
        return writing.apply_change(self, change, wait=wait)

    def capture(
        self,
        paths: Iterable[str],
        bases: Mapping[str, Oid] | None = None,
        before: Mapping[str, bytes] | None = None,
    ) -> Captured:
        """Commit edits of others in `paths`, as one commit.

        `bases` are the commits before they committed files themselves, by path. `before` is the content of files before
        a call of the agent's: edits of others until then are a commit of their own.

        Raises ClawgitError, with every file as it was, when one of them may not enter history as it is.
        """
        from clawgit.workspace import writing  # noqa: PLC0415 - readers do without

        self.require_managed()
        return writing.capture_files(self, paths, bases or {}, before or {})

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close, also after an error."""
        self.close()


_ANOTHER = Advice("clawgit -C DIR …   # DIR is the folder of the agent's SOUL.md or MEMORY.md")


def open_workspace(path: Path) -> Workspace:
    """Return the workspace that encloses `path`: any git repository with SOUL.md, MEMORY.md or memory/.

    Raises ClawgitError for anything else.
    """
    try:
        repo = repository.find(path)
    except ClawgitError as exc:
        if exc.key != errors.repository_missing.name or _is_empty(path):
            raise
        if _has_signs(path):
            raise errors.repository_missing(exc.message, fix=Command("clawgit adopt {}", path)) from exc
        words = f"{path} is no workspace: it is in no git repository, and has no file of an agent's"
        raise errors.repository_missing(
            words, fix=Advice("clawgit -C DIR …   # or make one: clawgit init DIR")
        ) from exc
    repository.require_head(repo)
    signs = (file_roles.SOUL, file_roles.MEMORY, file_roles.LOWER_MEMORY, "memory")
    workspace = Workspace(repo)
    is_openclaws = (repo.root / "openclaw.json").exists()
    if is_openclaws or not (any(os.path.lexists(repo.root / name) for name in signs) or workspace.managed):
        if any(os.path.lexists(path / name) for name in signs):
            refuse_wrong(path, "adopt")  # a workspace in somebody's repository
        words = f"{repo.root} is not a workspace: it has no SOUL.md, MEMORY.md or memory/, or is OpenClaw's own"
        raise errors.workspace_missing(words, fix=Command("clawgit init {}", path) if is_openclaws else _ANOTHER)
    if _has_state_of_0_2(repo):
        from clawgit.workspace import import_0_2  # noqa: PLC0415 - loads libgit2, and hooks do without

        import_0_2.take_over(workspace)
    return workspace


def _has_state_of_0_2(repo: Repository) -> bool:
    """Return whether version 0.2 left something that was not taken over yet."""
    places = [place for pattern in _STATE_OF_0_2 for place in repo.commondir.glob(pattern)]
    packed = repo.commondir / "packed-refs"
    return bool(places) or (packed.is_file() and bool(_PACKED_OF_0_2.search(packed.read_bytes())))


def refuse_wrong(path: Path, command: str) -> None:
    """Raise ClawgitError for a home, OpenClaw's state folder, a place in a repository, or no folder, for a command."""
    place = path.resolve()
    present = next(folder for folder in (path, *place.parents) if folder.exists())
    if not present.is_dir():
        raise errors.file_kind(f"{present} is not a folder", fix=Advice(f"clawgit {command} ANOTHER"))
    home = Path.home().resolve()
    if place in (home, *home.parents):
        raise errors.adopt_home(f"{path} includes your home", fix=Command("clawgit {} ~/.openclaw/workspace", command))
    is_state_dir = place.parent == home and place.name.startswith((".openclaw", ".clawdbot", ".moltbot"))
    if is_state_dir or (place / "openclaw.json").exists() or (place / "credentials").is_dir():
        fix = Command("clawgit {} {}", command, place / "workspace")
        raise errors.adopt_openclaw_state(f"{path} is OpenClaw's state folder: it holds credentials", fix=fix)
    if all((place / name).exists() for name in ("HEAD", "objects", "refs")):
        clone = Advice(f"git clone {quote_shell(path)} WORKSPACE")
        raise errors.repository_kind(f"{path} is a bare repository", fix=clone)
    outer = next((folder for folder in place.parents if (folder / ".git").exists()), None)
    if outer and not os.path.lexists(place / ".git"):
        words = f"{path} lies in the repository {outer}, which holds more than this workspace"
        raise errors.workspace_nested(words, fix=_choose_repository(path, outer, command))


def _choose_repository(path: Path, outer: Path, command: str) -> Command:
    """Return the command that gives a folder its own repository, or takes the one around it if an agent lives there."""
    own = f"git init {quote_shell(path)} && clawgit {command} {quote_shell(path)}"
    try:
        refuse_stranger(outer)
    except ClawgitError:
        note = f"a repository of its own; {quote_shell(outer)} goes on with what it has of it"
        return Command("git init {} && clawgit {} {}", path, command, path, note=note)
    return Command("clawgit adopt {}", outer, note=f"or, as a repository of its own: {own}")


def refuse_stranger(path: Path) -> None:
    """Raise ClawgitError for the folders that `refuse_wrong` refuses, and for one without any sign of an agent."""
    refuse_wrong(path, "adopt")
    if not path.exists():
        raise errors.folder_missing(f"{path} does not exist", fix=Command("clawgit init {}", path))
    if not _has_signs(path):
        words = f"{path} is not a workspace: it has none of {', '.join(_SIGNS)}, and no memory/*.md"
        fix = Command("clawgit init {}", path, note="makes it one") if _is_empty(path) else _ANOTHER
        raise errors.workspace_missing(words, fix=fix)


def _has_signs(path: Path) -> bool:
    """Return whether a folder has a file of an agent's."""
    has_notes = (path / "memory").is_dir() and any((path / "memory").rglob("*.md"))
    return has_notes or any(os.path.lexists(path / name) for name in _SIGNS)


def _is_empty(path: Path) -> bool:
    return not path.is_dir() or next(path.iterdir(), None) is None
