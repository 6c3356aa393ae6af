"""The files that clawgit writes for OpenClaw."""

import json
from collections.abc import Mapping
from pathlib import Path

from clawgit.errors import quoted
from clawgit.integrations.openclaw.openclaw_target import Files, Part, Target
from clawgit.integrations.written_files import is_untouched, read_data, stamp, tell_state
from clawgit.llm.voice_record import SOCKET
from clawgit.resources import resource

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
    texts = {place.name: place.read_bytes() for place in shipped} | {SETTINGS: _settings(target)}
    texts[f"{SKILLS}/{target.name}/SKILL.md"] = (resource("templates") / "skill/SKILL.md").read_bytes()
    words = {"@NAME@": target.name, "@SKILLS@": f'"./{SKILLS}"' if target.alone else ""}
    for mark, word in words.items():
        texts = {name: data.replace(mark.encode(), word.encode()) for name, data in texts.items()}
    return {name: stamp(data) for name, data in texts.items()}


def look_at_folder(target: Target) -> Part:
    """Return the state of the plugin's folder."""
    folder, wanted = target.folder, render_files(target)
    files = _read_folder(folder, wanted)
    state = tell_state(files.values(), current=files == wanted)
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        state = "foreign"
    note, fix = {
        "edited": ("somebody changed it", f"rm -r {quoted(folder)} && clawgit connect"),
        "foreign": (
            "something that is not clawgit's stands there",
            f"mv {quoted(folder)} {quoted(f'{folder}.before')} && clawgit connect",
        ),
    }.get(state, ("", ""))
    return Part("plugin", state, folder, note, fix)


def list_files(target: Target, *, wanted: bool) -> Files:
    """Return what becomes of the plugin's files, where they are to be `wanted` or gone; edited ones stay."""
    new = render_files(target)
    old = _read_folder(target.folder, new)
    if wanted:
        return {target.folder / name: (old.get(name), data) for name, data in new.items()}
    return {target.folder / name: (data, None) for name, data in old.items() if is_untouched(data)}


def _read_folder(folder: Path, names: Mapping[str, bytes]) -> dict[str, bytes]:
    return {name: data for name in names if (data := read_data(folder / name)) is not None}


def _settings(target: Target) -> bytes:
    settings = {
        "description": "Written by clawgit: `clawgit disconnect` takes it away.",
        "digest": "@DIGEST@",
        "name": target.name,
        "program": str(target.program),
        "workspace": str(target.root),
        "socket": str(target.workspace.store.folder / SOCKET),
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
