"""Workspaces of OpenClaw's agents, and their shared memory."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from clawgit import errors
from clawgit.errors import NO_FIX, Advice, Command, Fix, explain_partial_failure
from clawgit.openclaw.host import MAIN, Agent, Host
from clawgit.workspace import memory_lines, settings
from clawgit.workspace.change import Applied, Change, Origin
from clawgit.workspace.memory_lines import Addition
from clawgit.workspace.workspace import Workspace, open_workspace

READERS_KEY = "read_agents"


class Home(Struct, frozen=True):
    """One workspace, and the ids of its agents: more than one if they share it."""

    agents: tuple[str, ...]
    root: Path

    @property
    def name(self) -> str:
        """The agents by name, as `main, work`."""
        return ", ".join(self.agents)

    def is_at(self, folder: Path) -> bool:
        """Return whether `folder` is this workspace, by any path."""
        return os.path.realpath(self.root) == os.path.realpath(folder)


class Unread(Home, frozen=True):
    """A workspace that was not looked at, with the reason and a fix: its content is unknown."""

    why: str
    fix: Fix = NO_FIX

    @property
    def document(self) -> dict[str, object]:
        """The same as JSON has it."""
        names = {"agent": self.agents[0], "agents": list(self.agents)}
        return {**names, "workspace": str(self.root), "unknown": True, "why": self.why, "fix": str(self.fix)}


def make_unread(place: Home, error: Exception) -> Unread:
    """Return the report on a workspace that could not be looked at."""
    explanation = explain_partial_failure(error)
    return Unread(place.agents, place.root, explanation.message, explanation.fix)


def group_workspaces(agents: Iterable[Agent]) -> tuple[Home, ...]:
    """Return workspaces with their agents, each folder once, by any path."""
    homes: dict[str, Home] = {}
    for agent in agents:
        place = os.path.realpath(agent.workspace)
        group = homes.get(place, Home((), agent.workspace))
        homes[place] = Home((*group.agents, agent.id), group.root)
    return tuple(homes.values())


def home(host: Host, name: str) -> Home:
    """Return the workspace of an agent. Raises UsageError with the nearest name if OpenClaw has no such agent."""
    agent = host.agent(name)
    return next(home_entry for home_entry in group_workspaces(host.agents) if agent.id in home_entry.agents)


def open_exactly(root: Path, fix: Fix = NO_FIX) -> Workspace:
    """Open the workspace at a folder, and none around it. Raises ClawgitError with the obstacle."""
    fix = fix or Command("clawgit init {}", root)
    if not root.is_dir():
        state = "is no folder" if os.path.lexists(root) else "is not there"
        raise errors.workspace_missing(f"{root} {state}", fix=fix)
    workspace = open_workspace(root)
    if os.path.realpath(workspace.root) != os.path.realpath(root):
        raise errors.workspace_nested(f"{root} is inside {workspace.root}", fix=fix)
    return workspace


def require_readable(own: Workspace, other: Home) -> None:
    """Raise ClawgitError unless the workspace `own` may read that of another agent, by its trusted `read_agents`."""
    if other.is_at(own.root):
        return
    readable = frozenset(map(str, own.config.value(READERS_KEY)))
    if not readable.isdisjoint(other.agents):
        return
    name = other.agents[0]
    waits = any(
        name in (setting.untrusted or ()) for setting in own.config.untrusted() if setting.key.name == READERS_KEY
    )
    if waits:
        raise errors.setting_unapproved(
            f"{READERS_KEY} names {name}, and nobody approved it", fix=Command("clawgit trust")
        )
    agent_list = ", ".join(sorted({*readable, name}))
    words = f"{own.root} may not read the workspace of the agent {name}: {READERS_KEY} does not name it"
    fix = Command(f"clawgit -C {{}} config {READERS_KEY} [{{}}]", own.root, agent_list, note="at a terminal")
    raise errors.not_shared(words, fix=fix)


SHARED_KEY = "shared"
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
    if settings.is_unset(own.root, SHARED_KEY):
        return None
    setting = own.config.shown(settings.KEYS[SHARED_KEY])
    if setting.problem:
        raise setting.problem
    if setting.untrusted and not setting.value:
        raise errors.setting_unapproved(f"{SHARED_KEY} is set, and nobody approved it", fix=Command("clawgit trust"))
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
    shared = open_exactly(folder, Command(f"clawgit config {SHARED_KEY}"))
    # Defaults would replace what its owner says there.
    if problem := next((item for item in shared.config.problems() if item.key == errors.file_unreadable.name), None):
        raise problem
    shared.clock, shared.attended = own.clock, False
    return shared


def require_shared(own: Workspace) -> Workspace:
    """Open the shared memory. Raises ClawgitError if there is none."""
    shared = open_shared(own)
    if shared is None:
        fix = Command(f"clawgit config {SHARED_KEY} ~/.openclaw/shared", note="at a terminal")
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
    addition = memory_lines.make_addition(shared, text, tag=tag, origin=origin, agent=agent)
    owners = own.host.owners(own.root)
    is_default = os.path.realpath(own.host.agents[0].workspace) == os.path.realpath(own.root)  # which alone writes it
    reason, is_held = f"Shared by the agent {owners[0].id if owners else MAIN}.", not is_default
    change = replace(addition.change, why=reason, held=is_held)
    change = transform(change) if transform else change
    return replace(addition, change=change), shared.apply(change)
