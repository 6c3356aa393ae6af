"""The connected OpenClaw, and the files written for it."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct, convert, to_builtins

from clawgit.connect import written_files
from clawgit.connect.written_files import is_untouched, read_data, stamp_template, tell_state
from clawgit.errors import Command, file_unreadable, openclaw_missing, openclaw_owner, quote_shell
from clawgit.llm.model import VOICE_SOCKET
from clawgit.openclaw.host import Agent, Host
from clawgit.resources import resource
from clawgit.workspace.workspace import Workspace

Name = Literal["plugin", "plugin setting"]
State = written_files.State | Literal["off", "unfit"]
Act = Literal["installed", "renewed", "kept", "removed", "left"]
Files = Mapping[Path, tuple[bytes | None, bytes | None]]
"""What files hold, and what they are to hold; None: no file."""


class Part(Struct, frozen=True):
    """The state of one part at `place`, or its outcome.

    `off`: switched off by the operator; `unfit`: it cannot be installed from here, for the reason in `note`; `left`: it
    was not touched, for that reason. `fix` is a command to paste.
    """

    name: Name
    state: State | Act
    place: Path
    note: str = ""
    fix: str = ""


class Target(Struct, frozen=True):
    """A workspace of OpenClaw, the `agents` that work in it, and the command `clawgit`."""

    workspace: Workspace
    agents: tuple[Agent, ...]
    program: Path

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
        """The name of the plugin."""
        return f"clawgit-{self.agents[0].id}"

    @property
    def alone(self) -> bool:
        """Whether every agent of OpenClaw works in this workspace, so that all of them may see the plugin."""
        return len(self.host.agents) == len(self.agents)

    @property
    def folder(self) -> Path:
        """The plugin's folder; OpenClaw's configuration names it."""
        return self.workspace.trusted.folder / self.name

    @property
    def old_folder(self) -> Path:
        """The folder of the plugin of clawgit 0.2."""
        return self.host.state / "extensions" / self.name

    def installer(self, verb: Literal["install", "uninstall"]) -> tuple[str, ...]:
        """Return OpenClaw's command for the plugin, () if there is no OpenClaw to call."""
        options = ("--link", "--force", "--accept-capabilities") if verb == "install" else ("--force",)
        name = str(self.folder) if verb == "install" else self.name
        return (str(self.host.program), "plugins", verb, *options, name) if self.host.program else ()


def target(workspace: Workspace, program: Path) -> Target:
    """Return the target of a connection. Raises ClawgitError if OpenClaw is missing, or works elsewhere."""
    host = workspace.host
    if not host.installed:
        raise openclaw_missing(f"no OpenClaw here: {host.state} does not exist", fix=Command("openclaw onboard"))
    agents = host.owners(workspace.root)
    if not agents:
        owners = ", ".join(f"{agent.id} in {agent.workspace}" for agent in host.agents)
        raise openclaw_owner(
            f"no agent of OpenClaw works in {workspace.root}, only {owners}",
            fix=Command("openclaw config set agents.defaults.workspace {}", workspace.root),
        )
    return Target(workspace, agents, program)


Keys = tuple[str, ...]


class Put(Struct, frozen=True):
    """A value that was put at `keys`."""

    keys: Keys
    value: Any


class Record(Struct, frozen=True):
    """The settings put into the configuration at `place`; `original` is its text before, to the letter.

    `folders` were made for the plugin.
    """

    place: str = ""
    puts: tuple[Put, ...] = ()
    folders: tuple[str, ...] = ()
    original: str = ""


def locate_connection_record(workspace: Workspace) -> Path:
    """Return the place of the record of a workspace."""
    return workspace.trusted.folder / "openclaw.json"


def load_target(workspace: Workspace) -> Record:
    """Return the record, an empty one if there is none. Raises ClawgitError for a damaged one."""
    place = locate_connection_record(workspace)
    try:
        return convert(json.loads(place.read_bytes()), Record)
    except FileNotFoundError:
        return Record()
    except (OSError, ValueError) as exc:
        raise file_unreadable(f"{place} cannot be read: {exc}", fix=Command("rm {}", place)) from exc


def render_connection_record(record: Record) -> bytes:
    """Return a record as its file stores it."""
    return (json.dumps(to_builtins(record), ensure_ascii=False, indent=1) + "\n").encode("utf-8", "surrogateescape")


CONTACT = "openclaw contact"
"""The document that holds when the plugin's process last reached clawgit, if it did since it was installed."""


SETTINGS = "settings.json"
CONTEXT_WAIT, MESSAGE_WAIT = 2_000, 10_000
"""Milliseconds that OpenClaw waits for a context, half of them for messages; and that a message may take."""
SKILLS = "skills"
SINCE = (2026, 9, 5)
"""The first OpenClaw that it was run in; `compat.pluginApi` of its package.json says the same."""


def render_files(target: Target) -> dict[str, bytes]:
    """Return the files of the plugin, by name below its folder.

    OpenClaw shows every agent the skill of a plugin, so it is told of it only where all of them work in this workspace.
    """
    shipped = sorted((resource("hooks") / "openclaw-plugin").iterdir())
    texts = {place.name: place.read_bytes() for place in shipped} | {SETTINGS: _render_settings(target)}
    texts[f"{SKILLS}/{target.name}/SKILL.md"] = (resource("templates") / "skill/SKILL.md").read_bytes()
    words = {"@NAME@": target.name, "@SKILLS@": f'"./{SKILLS}"' if target.alone else ""}
    for mark, word in words.items():
        texts = {name: data.replace(mark.encode(), word.encode()) for name, data in texts.items()}
    return {name: stamp_template(data) for name, data in texts.items()}


def look_at_folder(target: Target) -> Part:
    """Return the state of the plugin's folder."""
    folder, templates = target.folder, render_files(target)
    files = _read_folder(folder, templates)
    state = tell_state(files.values(), current=files == templates)
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        state = "foreign"
    note, fix = {
        "edited": ("somebody changed it", f"rm -r {quote_shell(folder)} && clawgit connect"),
        "foreign": (
            "something that is not clawgit's stands there",
            f"mv {quote_shell(folder)} {quote_shell(f'{folder}.before')} && clawgit connect",
        ),
    }.get(state, ("", ""))
    return Part("plugin", state, folder, note, fix)


def list_files(target: Target) -> Files:
    """Return the files of the plugin, to be written."""
    new = render_files(target)
    old = _read_folder(target.folder, new)
    return {target.folder / name: (old.get(name), data) for name, data in new.items()}


def list_removals(target: Target, folder: Path) -> Files:
    """Return the files of the plugin in a folder, to be removed; edited ones stay."""
    old = _read_folder(folder, render_files(target))
    return {folder / name: (data, None) for name, data in old.items() if is_untouched(data)}


def _read_folder(folder: Path, names: Mapping[str, bytes]) -> dict[str, bytes]:
    return {name: data for name in names if (data := read_data(folder / name)) is not None}


def _render_settings(target: Target) -> bytes:
    settings = {
        "description": "Written by clawgit: `clawgit disconnect` takes it away.",
        "digest": "@DIGEST@",
        "name": target.name,
        "program": str(target.program),
        "workspace": str(target.root),
        "socket": str(target.workspace.store.folder / VOICE_SOCKET),
        "agents": [agent.id for agent in target.agents],
        "first": target.host.agents[0] in target.agents,
        "contextWait": CONTEXT_WAIT,
        "messageWait": MESSAGE_WAIT,
    }
    return (json.dumps(settings, ensure_ascii=False, indent=2) + "\n").encode("utf-8", "surrogateescape")


def capabilities(target: Target) -> tuple[str, ...]:
    """Return what the plugin may do once OpenClaw loads it."""
    tools = json.loads(render_files(target)["openclaw.plugin.json"])["contracts"]["tools"]
    access = "hooks.allowConversationAccess (hears the conversation, adds to each turn)"
    others = ("/clawgit", "requests to the agent's model", "a process of `clawgit mcp`")
    return access, f"tools {', '.join(tools)}", *others
