"""The files that clawgit writes for OpenClaw."""

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from clawgit.errors import quoted
from clawgit.integrations.openclaw.openclaw_target import Files, Part, Target
from clawgit.integrations.written_files import is_ours, is_untouched, read_data, stamp, tell_state
from clawgit.llm.voice_record import SOCKET
from clawgit.resources import resource
from clawgit.workspace.change import Change, Edit

SETTINGS = "settings.json"
CONTEXT_WAIT, MESSAGE_WAIT = 2_000, 10_000
"""Milliseconds that OpenClaw waits for a context, half of them for messages; and that a message may take."""
_HOOK_SHIPPED = ("HOOK.md", "handler.js", "package.json", SETTINGS)
"""What clawgit 0.2 installed for an older OpenClaw: it is taken away."""
SKILLS = "skills"
SINCE = (2026, 9, 5)
"""The first OpenClaw that it was run in; `compat.pluginApi` of its package.json says the same."""


def render_files(target: Target) -> dict[str, bytes]:
    """Return the files of the target's way, by name; the skill beside those of a plugin is a part of its own."""
    if target.way == "hook":
        return dict.fromkeys(_HOOK_SHIPPED, b"")
    shipped = sorted((resource("hooks") / "openclaw-plugin").iterdir())
    texts = {place.name: place.read_bytes() for place in shipped} | {SETTINGS: _settings(target)}
    words = {"@NAME@": target.name, "@SKILLS@": f'"./{SKILLS}"' if target.alone else ""}
    for mark, word in words.items():
        texts = {name: data.replace(mark.encode(), word.encode()) for name, data in texts.items()}
    return {name: stamp(data) for name, data in texts.items()}


def look_at_folder(target: Target) -> Part:
    """Return the state of the folder of the target's way."""
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
    return Part(target.way, state, folder, note, fix)


def list_files(target: Target, *, wanted: bool) -> Files:
    """Return what becomes of the files of the target's way, where they are to be `wanted` or gone; edited ones stay."""
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


PATH = "skills/clawgit/SKILL.md"
BOOTSTRAP = "BOOTSTRAP.md"


def render_skill(target: Target) -> bytes:
    """Return the skill."""
    template = (resource("templates") / "skill/SKILL.md").read_bytes()
    name = target.name if target.alone else "clawgit"
    return stamp(template.replace(b"@NAME@", name.encode()))


def list_skill_folders(target: Target) -> tuple[Path, ...]:
    """Return the folders that the skill lies in, the innermost first."""
    folder = _list_skill_places(target)[0].parent
    return folder, folder.parent


def look_at_skill(target: Target) -> Part:
    """Return the state of the skill; one that lies where it would not be put now is outdated."""
    place, *others = _list_skill_places(target)
    found = read_data(place)
    state = tell_state([] if found is None else [found], current=found == render_skill(target))
    for other in others:
        older = read_data(other)
        if state not in ("foreign", "edited") and older is not None and is_ours(older):
            state, place = ("outdated", place) if is_untouched(older) else ("edited", other)
    part = Part("skill", state, place)
    if state == "missing" and not target.alone and os.path.lexists(target.root / BOOTSTRAP):
        note = "in the workspace it would have OpenClaw delete BOOTSTRAP.md before the agent has followed it"
        return replace(part, state="unfit", note=note, fix="clawgit connect   # once BOOTSTRAP.md is gone")
    if state == "edited":
        return replace(part, note="somebody changed it", fix=f"rm {quoted(place)} && clawgit connect")
    if state == "foreign":
        fix = f"mv {quoted(place.parent)} {quoted(f'{place.parent}.before')} && clawgit connect"
        return replace(part, note="somebody's own skill has this name", fix=fix)
    if state == "installed" and not shutil.which("clawgit", path=target.host.environ.get("PATH", "")):
        note = "clawgit is not on PATH here: where that holds for OpenClaw too, it does not show the skill"
        return replace(part, note=note, fix=f"ln -s {quoted(target.program)} ~/.local/bin/clawgit")
    return part


def list_skill_files(target: Target, *, wanted: bool) -> Files:
    """Return what becomes of the skill in OpenClaw's folders, where it is to be `wanted` or gone."""
    files: dict[Path, tuple[bytes | None, bytes | None]] = {}
    for place in _list_skill_places(target):
        here = wanted and target.alone and place == _find_shared(target)
        old, new = read_data(place), render_skill(target) if here else None
        if place != target.root / PATH and old != new and (old is None or is_untouched(old)):
            files[place] = (old, new)
    return files


def skill_change(target: Target, *, wanted: bool) -> Change | None:
    """Return the change that brings the skill into the workspace, or takes it out; None where nothing is to do."""
    old, new = target.workspace.read(PATH), render_skill(target).decode() if wanted and not target.alone else None
    if old == new or (old is not None and not is_untouched(old.encode())):
        return None
    subject = "skills: how the agent uses clawgit" if new else "skills: without clawgit"
    return Change(subject, edits=(Edit(PATH, old, new, exact=True),))


def _find_shared(target: Target) -> Path:
    """Return where it lies for every agent: in the plugin, else in OpenClaw's folder of skills."""
    home = target.folder if target.way == "plugin" else target.host.state
    return home / SKILLS / target.name / "SKILL.md"


def _list_skill_places(target: Target) -> tuple[Path, ...]:
    """Return where the skill belongs, and where it may lie from before."""
    shared = tuple(map(_find_shared, (target, *target.others)))
    return (*shared, target.root / PATH) if target.alone else (target.root / PATH, *shared)
