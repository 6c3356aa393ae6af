"""The workspace with the memory that all agents read."""

import os
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from clawgit import errors
from clawgit.errors import Advice, Command
from clawgit.openclaw.host import MAIN
from clawgit.workspace import agent_workspaces, memory, settings
from clawgit.workspace.change import Applied, Change, Origin
from clawgit.workspace.memory import Addition
from clawgit.workspace.workspace import Workspace

KEY = "shared"
PREFIX = "shared:"
"""What the paths of its files begin with where another workspace tells of them."""


def locate_in_shared(path: str) -> str | None:
    """Return the path in the shared memory that `path` names, None if it names none there."""
    return path.removeprefix(PREFIX) if path.startswith(PREFIX) else None


def locate_shared_memory(own: Workspace) -> Path | None:
    """Return the folder of the shared memory that a workspace reads, None if there is none.

    None, too, in that workspace itself: nothing is found twice, and there are no cycles. Raises ClawgitError if
    CONFIG.md cannot be used, or names an unapproved folder.
    """
    if settings.is_unset(own.root, KEY):
        return None
    setting = own.config.shown(settings.KEYS[KEY])
    if setting.problem:
        raise setting.problem
    if setting.untrusted and not setting.value:
        raise errors.setting_unapproved(f"{KEY} is set, and nobody approved it", fix=Command("clawgit trust"))
    if not setting.value:
        return None
    folder = Path(os.path.normpath(own.root / Path(str(setting.value)).expanduser()))
    return None if os.path.realpath(folder) == os.path.realpath(own.root) else folder


def open_shared(own: Workspace) -> Workspace | None:
    """Open the shared memory that a workspace reads, None if there is none.

    The shared memory of that workspace is not followed: one step only. Raises ClawgitError with the reason if it cannot
    be read.
    """
    folder = locate_shared_memory(own)
    if folder is None:
        return None
    shared = agent_workspaces.open_exactly(folder, Command(f"clawgit config {KEY}"))
    # Defaults would replace what its owner says there.
    if problem := next((item for item in shared.config.problems() if item.key == errors.file_unreadable.name), None):
        raise problem
    shared.clock, shared.attended = own.clock, False
    return shared


def require_shared(own: Workspace) -> Workspace:
    """Open the shared memory. Raises ClawgitError if there is none."""
    shared = open_shared(own)
    if shared is None:
        fix = Command(f"clawgit config {KEY} ~/.openclaw/shared", note="at a terminal")
        raise errors.not_shared(f"{own.root} has no shared memory", fix=fix)
    return shared


def add_shared_memory(
    own: Workspace,
    shared: Workspace,
    text: str,
    *,
    tag: str | None = None,
    origin: Origin = "operator",
    evidence: tuple[str, ...] = (),
    agent: str | None = None,
    transform: Callable[[Change], Change] | None = None,
) -> tuple[Addition, Applied]:
    """Keep a memory for all agents: the default agent's lands, that of another one waits in the shared memory's inbox.

    `transform` edits the change before it is applied. Raises UsageError for evidence, which cannot be
    checked from another workspace.
    """
    if evidence:
        raise errors.options_conflict("evidence cannot be checked in shared memory", fix=Advice("leave --evidence out"))
    shared.require_managed()
    addition = memory.make_addition(shared, text, tag=tag, origin=origin, agent=agent)
    owners = own.host.owners(own.root)
    is_default = os.path.realpath(own.host.agents[0].workspace) == os.path.realpath(own.root)  # which alone writes it
    reason, is_held = f"Shared by the agent {owners[0].id if owners else MAIN}.", not is_default
    change = replace(addition.change, why=reason, held=is_held)
    change = transform(change) if transform else change
    return replace(addition, change=change), shared.apply(change)
