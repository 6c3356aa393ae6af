"""The files that clawgit writes for OpenClaw."""

import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from clawgit.errors import quoted
from clawgit.integrations.openclaw.config_part import Name, Part, State
from clawgit.integrations.openclaw.install_plan import Files
from clawgit.integrations.openclaw.openclaw_target import Target
from clawgit.llm.voice_record import SOCKET
from clawgit.resources import resource
from clawgit.workspace.change import Change, Edit
from clawgit.workspace.host.openclaw_files import HostConfig

_MARK = b"Written by clawgit: "
_BLANK = b"@DIGEST@"
_DIGEST = re.compile(rb'digest"?: "?([0-9a-f]{16})(?![0-9a-f])')


def stamped(template: bytes) -> bytes:
    """Return a template with its own digest in the place that it keeps for one."""
    return template.replace(_BLANK, _digest(template))


def ours(data: bytes) -> bool:
    """Return whether a file came from clawgit, in whatever version."""
    return _MARK in data and _DIGEST.search(data) is not None


def untouched(data: bytes) -> bool:
    """Return whether a file of ours is as it was written, in whatever version."""
    found = _DIGEST.search(data)
    return found is not None and found[1] == _digest(data.replace(found[1], _BLANK, 1))


def _digest(template: bytes) -> bytes:
    return hashlib.sha256(template).hexdigest()[:16].encode()


SETTINGS = "settings.json"
CONTEXT_WAIT, MESSAGE_WAIT = 2_000, 10_000
"""Milliseconds that OpenClaw waits for a context, half of them for messages; and that a message may take."""
_MARGIN = 200  # what OpenClaw may count beside the words
_NOTES: Mapping[State, str] = {
    "edited": "somebody changed it",
    "foreign": "something that is not clawgit's stands there",
}


def files(target: Target, home: str, names: Iterable[str], words: Mapping[str, str]) -> dict[str, bytes]:
    """Return the files `names` of the shipped folder `home`, with `words` in their places, and the settings."""
    texts = {name: (resource("hooks") / home / name).read_bytes() for name in names} | {SETTINGS: _settings(target)}
    for mark, word in words.items():
        texts = {name: data.replace(mark.encode(), word.encode()) for name, data in texts.items()}
    return {name: stamped(data) for name, data in texts.items()}


def look(name: Name, folder: Path, wanted: Mapping[str, bytes]) -> Part:
    """Return how a folder stands that should hold `wanted`."""
    state = _state(folder, wanted, standing(folder, wanted))
    fix = {
        "edited": f"rm -r {quoted(folder)} && clawgit connect",
        "foreign": f"mv {quoted(folder)} {quoted(f'{folder}.before')} && clawgit connect",
    }.get(state, "")
    return Part(name, state, folder, _NOTES.get(state, ""), fix)


def standing(folder: Path, names: Iterable[str]) -> dict[str, bytes]:
    """Return those of the files that stand in `folder`; those that are no regular files are empty."""
    found = {}
    for name in names:
        place = folder / name
        if place.is_symlink() or place.exists():
            found[name] = place.read_bytes() if place.is_file() and not place.is_symlink() else b""
    return found


def open_channels(config: HostConfig) -> tuple[str, ...]:
    """Return the channels on which anybody may write to the agent in private, by their ids."""
    return tuple(sorted(str(name).lower() for name, own in config.table("channels").items() if _open(own)))


def _state(folder: Path, wanted: Mapping[str, bytes], found: Mapping[str, bytes]) -> State:
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        return "foreign"
    if not found:
        return "missing"
    if not all(map(ours, found.values())):
        return "foreign"
    if not all(map(untouched, found.values())):
        return "edited"
    return "installed" if found == wanted else "outdated"


def _settings(target: Target) -> bytes:
    host = target.host
    limits = host.caps(target.root).limits
    told = {
        "description": "Written by clawgit: `clawgit disconnect` takes it away.",
        "digest": "@DIGEST@",
        "name": target.name,
        "program": str(target.program),
        "workspace": str(target.root),
        "socket": str(target.workspace.store.folder / SOCKET),
        "agents": [agent.id for agent in target.agents],
        "first": host.agents[0] in target.agents,
        "open": list(open_channels(host.config)),
        "contextWait": CONTEXT_WAIT,
        "messageWait": MESSAGE_WAIT,
        "longest": max(limits.file - _MARGIN, _MARGIN),
    }
    return (json.dumps(told, ensure_ascii=False, indent=2) + "\n").encode("utf-8", "surrogateescape")


def _open(own: Any) -> bool:
    return any(
        policy.get("dmPolicy") == "open" or policy.get("policy") == "open" or _all(policy) for policy in _policies(own)
    )


def _all(one: Mapping[str, Any]) -> bool:
    allowed = one.get("allowFrom")
    return isinstance(allowed, list) and "*" in allowed


def _policies(own: Any) -> Iterator[Mapping[str, Any]]:
    """Yield what a channel says of private messages: itself, below `dm`, and for each account."""
    if not isinstance(own, Mapping):
        return
    yield {key: value for key, value in own.items() if key != "policy"}
    if isinstance(own.get("dm"), Mapping):
        yield own["dm"]
    accounts = own.get("accounts")
    for one in accounts.values() if isinstance(accounts, Mapping) else ():
        yield from _policies(one)


HOOK_SHIPPED = ("HOOK.md", "handler.js", "package.json")


def hook_files(target: Target) -> dict[str, bytes]:
    """Return the files of the hook, by name."""
    return files(target, "openclaw", HOOK_SHIPPED, {"@NAME@": target.name})


def look_at_hook(target: Target) -> Part:
    """Return how the hook stands."""
    return look("hook", target.folder, hook_files(target))


PLUGIN_SHIPPED = (
    "openclaw.plugin.json",
    "package.json",
    "index.js",
    "connection.js",
    "conversation.js",
    "corpus.js",
    "flush.js",
    "tools.js",
    "calls.js",
    "voice.js",
)
SKILLS = "skills"
SINCE = (2026, 9, 6)
"""The first OpenClaw that it was run in; `compat.pluginApi` of its package.json says the same."""


def plugin_files(target: Target) -> dict[str, bytes]:
    """Return the files of the plugin, by name; the skill beside them is a part of its own."""
    skills = f'"./{SKILLS}"' if target.alone else ""
    return files(target, "openclaw-plugin", PLUGIN_SHIPPED, {"@NAME@": target.name, "@SKILLS@": skills})


def capabilities(target: Target) -> tuple[str, ...]:
    """Return what the plugin, or the hook and the server, may do once OpenClaw loads it."""
    if target.way == "hook":
        return "hears each message", "adds to the prompt", "gives the agent the tools of `clawgit mcp`"
    tools = json.loads(plugin_files(target)["openclaw.plugin.json"])["contracts"]["tools"]
    access = "hooks.allowConversationAccess (hears the conversation, adds to each turn)"
    return (
        access,
        f"tools {', '.join(tools)}",
        "/clawgit",
        "requests to the agent's model",
        "a process of `clawgit mcp`",
    )


def look_at_plugin(target: Target) -> Part:
    """Return how the plugin stands."""
    return look("plugin", target.plugin, plugin_files(target))


PATH = "skills/clawgit/SKILL.md"
_TOOLS = {
    "plugin": "`clawgit_search`, `clawgit_read`, `clawgit_remember` and `clawgit_propose` are tools of your own and do "
    "most of it; these commands, run in the workspace, do the rest. `memory_search` is OpenClaw's, which",
    "hook": "Run these in the workspace. If OpenClaw offers the MCP server `@SERVER@`, its tools do the same: "
    "`@SERVER@__memory_search`, `@SERVER@__memory_add` and so on. A tool that is called just `memory_search` is "
    "OpenClaw's own, which",
}
BOOTSTRAP = "BOOTSTRAP.md"


def text(target: Target) -> str:
    """Return the skill."""
    template = (resource("templates") / "skill/SKILL.md").read_bytes()
    name = target.name if target.alone else "clawgit"
    filled = template.replace(b"@TOOLS@", _TOOLS[target.way].encode()).replace(b"@NAME@", name.encode())
    return stamped(filled.replace(b"@SERVER@", target.name.encode())).decode()


def folders(target: Target) -> tuple[Path, ...]:
    """Return the folders that the skill lies in, the innermost first."""
    return _places(target)[0].parent, _places(target)[0].parent.parent


def look_at_skill(target: Target) -> Part:
    """Return how the skill stands; one that lies where it would not be put now is outdated."""
    place, *others = _places(target)
    state = _state_skill(_held(place), text(target))
    for other in others:
        older = _held(other)
        if state not in ("foreign", "edited") and older is not None and ours(older):
            state, place = ("outdated", place) if untouched(older) else ("edited", other)
    if state == "missing" and not target.alone and os.path.lexists(target.root / BOOTSTRAP):
        note = "in the workspace it would have OpenClaw delete BOOTSTRAP.md before the agent has followed it"
        return Part("skill", "unfit", place, note, "clawgit connect   # once BOOTSTRAP.md is gone")
    folder = quoted(place.parent)
    fix = {
        "edited": f"rm {quoted(place)} && clawgit connect",
        "foreign": f"mv {folder} {quoted(f'{place.parent}.before')} && clawgit connect",
    }.get(state, "")
    note = {"edited": "somebody changed it", "foreign": "somebody's own skill has this name"}.get(state, "")
    if state == "installed" and not shutil.which("clawgit", path=target.host.environ.get("PATH", "")):
        note = "clawgit is not on PATH here: where that holds for OpenClaw too, it does not show the skill"
        fix = f"ln -s {quoted(target.program)} ~/.local/bin/clawgit"
    return Part("skill", state, place, note, fix)


def skill_files(target: Target, *, wanted: bool) -> Files:
    """Return what becomes of the skill in OpenClaw's folders, where it is to be `wanted` or gone."""
    found: dict[Path, tuple[bytes | None, bytes | None]] = {}
    for place in _places(target):
        here = wanted and target.alone and place == _shared(target)
        was, now = _held(place), text(target).encode() if here else None
        if place != target.root / PATH and was != now and (was is None or untouched(was)):
            found[place] = (was, now)
    return found


def change(target: Target, *, wanted: bool) -> Change | None:
    """Return the change that brings the skill into the workspace, or takes it out; None where nothing is to do."""
    was, now = target.workspace.read(PATH), text(target) if wanted and not target.alone else None
    if was == now or (was is not None and not untouched(was.encode())):
        return None
    subject = "skills: how the agent uses clawgit" if now else "skills: without clawgit"
    return Change(subject, edits=(Edit(PATH, was, now, exact=True),))


def _shared(target: Target) -> Path:
    """Return where it lies for every agent: in the plugin, else in OpenClaw's folder of skills."""
    home = target.plugin if target.way == "plugin" else target.host.state
    return home / "skills" / target.name / "SKILL.md"


def _places(target: Target) -> tuple[Path, ...]:
    """Return where the skill belongs, and where it may lie from before."""
    every = tuple(map(_shared, (target, *target.others)))
    return (*every, target.root / PATH) if target.alone else (target.root / PATH, *every)


def _held(place: Path) -> bytes | None:
    """Return what lies there, nothing of what is no regular file."""
    if not os.path.lexists(place):
        return None
    return place.read_bytes() if place.is_file() and not place.is_symlink() else b""


def _state_skill(found: bytes | None, wanted: str) -> State:
    if found is None:
        return "missing"
    if not ours(found):
        return "foreign"
    if not untouched(found):
        return "edited"
    return "installed" if found == wanted.encode() else "outdated"
