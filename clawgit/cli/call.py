"""One call of the command line, and its workspace."""

import contextlib
import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from clawgit import errors
from clawgit.cli import operator_input
from clawgit.cli.output import Output, progress
from clawgit.errors import NO_FIX, Advice, ClawgitError, Command

if TYPE_CHECKING:
    from clawgit.workspace.workspace import Workspace

_SIGNS = ("SOUL.md", "MEMORY.md", "memory.md", ".clawgit", ".git/clawgit")


class Call:
    """The global options of a command, and its output.

    `vouched`: the operator has just shown, by a code of his terminal, that he is there.
    """

    def __init__(self, output: Output, *, vouched: bool = False) -> None:
        self.out = output
        self.vouched = vouched
        self.folder: str | None = None
        self.agent = ""
        self.debug = False
        self.reads_only = False
        """Whether nothing is to be noted of what is only read."""
        self.pager = True

    def place(self) -> Path:
        """Return the folder of the command, and report its choice if nobody named it."""
        path, reason = choose_folder(self.folder, self.agent)
        if reason:
            self.out.note(f"in {path} ({reason})")
        return path

    @contextmanager
    def workspace(self, *, patient: bool = True, managed: bool = False) -> Iterator["Workspace"]:
        """Open the workspace of the command; a `patient` caller sees the progress of the work.

        Raises ClawgitError if it has to be `managed`, and is not.
        """
        from clawgit.sessions import know_sessions  # noqa: PLC0415 - the help does without
        from clawgit.workspace.workspace import open_workspace  # noqa: PLC0415 - loads libgit2

        workspace = open_workspace(self.place())
        know_sessions(workspace)
        workspace.attended = self.vouched or operator_input.is_interactive()
        with self.closing(workspace), progress(self.out) if patient else nullcontext():
            if managed:
                workspace.require_managed()
            yield workspace

    @contextmanager
    def closing(self, workspace: "Workspace") -> Iterator[None]:
        """Let the workspace look back after the answer is out, and report its repairs."""
        try:
            yield
            self.out.flush()
        finally:
            self.out.note(*workspace.close())


def choose_folder(path: str | None, agent: str = "") -> tuple[Path, str]:
    """Return the workspace of `agent`, else `path`, else the one around the current folder, else OpenClaw's.

    With it comes the reason, if nobody named it or was in it. Raises UsageError for a folder or agent that does not
    exist, ClawgitError when there is none to choose.
    """
    if agent:
        return _find_folder_of_agent(agent)
    if path:
        return _require_folder(Path(path).expanduser()), ""
    current = _read_current_folder()
    workspaces = [folder for folder in (current, *current.parents) if looks_like_workspace(folder)]
    if workspaces:  # the innermost repository that looks like a workspace, else a folder that only looks so
        return next((folder for folder in workspaces if (folder / ".git").exists()), workspaces[0]), ""
    return _find_folder_of_agent("")


def _read_current_folder() -> Path:
    try:
        return Path.cwd()
    except FileNotFoundError as exc:
        raise errors.folder_deleted("the current folder has been deleted", fix=Advice("cd")) from exc


def _require_folder(path: Path, variable: str = "") -> Path:
    """Return the folder, which a `variable` may name."""
    source = f" ({variable})" if variable else ""
    if path.is_dir():
        return path
    if path.exists():
        raise errors.path_invalid(f"{path} is not a folder{source}", fix=NO_FIX)
    raise errors.path_invalid(f"{path} does not exist{source}", fix=Command("clawgit init {}", path))


def _find_folder_of_agent(name: str) -> tuple[Path, str]:
    """Return the workspace of an agent of OpenClaw, of the default one for "", and the reason for it."""
    from clawgit.openclaw.host import Host  # noqa: PLC0415 - only where nothing nearer is there

    host = Host(os.environ)
    agent = host.agent(name)
    # A folder that the variable names has to exist, and the error names the variable.
    if agent.found == "OPENCLAW_WORKSPACE_DIR" or agent.workspace.is_dir():
        reason = agent.found or "OpenClaw's default"
        # Among several agents the default one is a guess, so the note names the others.
        if len(host.agents) > 1:
            others = ", ".join(other.id for other in host.agents if other != agent)
            reason = f"of OpenClaw's agent {agent.id}; --agent names another: {others}"
        elif reason.startswith("agents."):
            reason = f"OpenClaw's, by {reason}"
        return _require_folder(agent.workspace, agent.found), reason
    missing = f"the workspace of OpenClaw's agent {agent.id}, {agent.workspace}, does not exist"
    missing = "; ".join((missing, *host.problems[:1]))
    if name:
        raise errors.workspace_missing(missing, fix=Command("clawgit init {}", agent.workspace))
    raise errors.workspace_missing(
        f"{_read_current_folder()} is in no workspace, and {missing}",
        fix=Advice("clawgit -C DIR …   # or make one: clawgit init DIR"),
    )


def looks_like_workspace(folder: Path) -> bool:
    """Return whether `folder` has the files of a workspace, on disk or in HEAD, and is not OpenClaw's own."""
    from clawgit.git.git_command import git  # noqa: PLC0415 - the help does without

    is_workspace = any(os.path.lexists(folder / name) for name in _SIGNS) or any((folder / "memory").rglob("*.md"))
    with contextlib.suppress(ClawgitError):  # where there is no commit
        is_workspace = is_workspace or (
            os.path.lexists(folder / ".git") and bool(git(folder, "ls-tree", "HEAD", ".clawgit/format"))
        )
    # OpenClaw's state folder may have such files, but it is no workspace.
    return is_workspace and not (folder / "openclaw.json").exists()
