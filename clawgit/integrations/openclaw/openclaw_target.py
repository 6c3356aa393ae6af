"""The OpenClaw that is connected."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct, convert, to_builtins
from msgspec.structs import replace

from clawgit.errors import Command, file_unreadable, openclaw_missing, openclaw_owner
from clawgit.integrations import written_files
from clawgit.workspace.host.host import Agent, Host
from clawgit.workspace.workspace import Workspace

Name = Literal["plugin", "plugin setting"]
State = written_files.State | Literal["off", "unfit"]
Act = Literal["installed", "renewed", "kept", "removed", "left"]
Files = Mapping[Path, tuple[bytes | None, bytes | None]]
"""What files hold, and what they are to hold; None: no file."""


class Part(Struct, frozen=True):
    """The state of one part at `place`, or what becomes of it.

    `off`: switched off by the operator; `unfit`: it cannot be installed from here, for the reason in `note`; `left`: it
    was not touched, for that reason. `fix` is a command to paste.
    """

    name: Name
    state: State | Act
    place: Path
    note: str = ""
    fix: str = ""


class Target(Struct, frozen=True):
    """A workspace of OpenClaw, the `agents` that work in it, and where clawgit lies.

    The plugin is `linked` where OpenClaw's own installer puts it in place; else its files go to OpenClaw's extensions.
    """

    workspace: Workspace
    agents: tuple[Agent, ...]
    program: Path
    linked: bool = False

    @property
    def host(self) -> Host:
        """The OpenClaw of this machine."""
        return self.workspace.host

    @property
    def root(self) -> Path:
        """The workspace's folder."""
        return self.workspace.root

    @property
    def name(self) -> str:
        """What the plugin is called."""
        return f"clawgit-{self.agents[0].id}"

    @property
    def alone(self) -> bool:
        """Whether every agent of OpenClaw works in this workspace, so that all of them may see what is installed."""
        return len(self.host.agents) == len(self.agents)

    @property
    def folder(self) -> Path:
        """Where OpenClaw looks for the plugin."""
        return (self.workspace.trusted.folder if self.linked else self.host.state / "extensions") / self.name

    @property
    def other(self) -> "Target":
        """The target with the plugin in the other place."""
        return replace(self, linked=not self.linked)

    def installer(self, verb: Literal["install", "uninstall"]) -> tuple[str, ...]:
        """Return OpenClaw's command for a plugin that is linked, () where there is no OpenClaw to call."""
        options = ("--link", "--force", "--accept-capabilities") if verb == "install" else ("--force",)
        name = str(self.folder) if verb == "install" else self.name
        is_called = self.host.program and self.linked
        return (str(self.host.program), "plugins", verb, *options, name) if is_called else ()


def target(workspace: Workspace, program: Path) -> Target:
    """Return what is to be connected. Raises ClawgitError where OpenClaw is not there, or works elsewhere."""
    host = workspace.host
    if not host.installed:
        raise openclaw_missing(f"no OpenClaw here: {host.state} does not exist", fix=Command("openclaw onboard"))
    agents = host.owners(workspace.root)
    if not agents:
        known = ", ".join(f"{agent.id} in {agent.workspace}" for agent in host.agents)
        raise openclaw_owner(
            f"no agent of OpenClaw works in {workspace.root}, only {known}",
            fix=Command("openclaw config set agents.defaults.workspace {}", workspace.root),
        )
    return Target(workspace, agents, program)


Keys = tuple[str, ...]


class Put(Struct, frozen=True):
    """A value that was put at `keys`."""

    keys: Keys
    value: Any


class Record(Struct, frozen=True):
    """What was put into the configuration at `place`, and where; `original` is what it said before, to the letter.

    `folders` were made for the plugin.
    """

    place: str = ""
    puts: tuple[Put, ...] = ()
    folders: tuple[str, ...] = ()
    original: str = ""


def file(workspace: Workspace) -> Path:
    """Return where the record of a workspace lies."""
    return workspace.trusted.folder / "openclaw.json"


def load(workspace: Workspace) -> Record:
    """Return the record, an empty one where there is none. Raises ClawgitError for a damaged one."""
    place = file(workspace)
    try:
        return convert(json.loads(place.read_bytes()), Record)
    except FileNotFoundError:
        return Record()
    except (OSError, ValueError) as exc:
        raise file_unreadable(f"{place} cannot be read: {exc}", fix=Command("rm {}", place)) from exc


def dumped(record: Record) -> bytes:
    """Return a record as its file holds it."""
    return (json.dumps(to_builtins(record), ensure_ascii=False, indent=1) + "\n").encode("utf-8", "surrogateescape")


CONTACT = "openclaw contact"
"""The document that holds when the plugin's process last reached clawgit, if it did since it was installed."""
