"""The skill that tells the agent when to use clawgit.

OpenClaw takes any skill in the workspace's own folder for the sign of a finished setup, and deletes BOOTSTRAP.md then.
So ours lies in the plugin, or in OpenClaw's folder of skills, which every agent sees; where there are agents of other
workspaces it lies in the workspace, once BOOTSTRAP.md is gone.
"""

import os
import shutil
from pathlib import Path

from msgspec.structs import replace

from clawgit.errors import quoted
from clawgit.integrations.openclaw import stamp
from clawgit.integrations.openclaw.part import Part, State
from clawgit.integrations.openclaw.plan import Files
from clawgit.integrations.openclaw.target import Target
from clawgit.resources import resource
from clawgit.workspace.change import Change, Edit

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
    return stamp.stamped(filled.replace(b"@SERVER@", target.name.encode())).decode()


def folders(target: Target) -> tuple[Path, ...]:
    """Return the folders that the skill lies in, the innermost first."""
    return _places(target)[0].parent, _places(target)[0].parent.parent


def look(target: Target) -> Part:
    """Return how the skill stands; one that lies where it would not be put now is outdated."""
    place, *others = _places(target)
    state = _state(_held(place), text(target))
    for other in others:
        older = _held(other)
        if state not in ("foreign", "edited") and older is not None and stamp.ours(older):
            state, place = ("outdated", place) if stamp.untouched(older) else ("edited", other)
    if state == "missing" and not target.alone and os.path.lexists(target.root / BOOTSTRAP):
        note = "in the workspace it would have OpenClaw delete BOOTSTRAP.md before the agent has followed it"
        return Part("skill", "unfit", place, note, "clawgit openclaw install   # once BOOTSTRAP.md is gone")
    folder = quoted(place.parent)
    fix = {
        "edited": f"rm {quoted(place)} && clawgit openclaw install",
        "foreign": f"mv {folder} {quoted(f'{place.parent}.before')} && clawgit openclaw install",
    }.get(state, "")
    note = {"edited": "somebody changed it", "foreign": "somebody's own skill has this name"}.get(state, "")
    if state == "installed" and not shutil.which("clawgit", path=target.host.environ.get("PATH", "")):
        note = "clawgit is not on PATH here: where that holds for OpenClaw too, it does not show the skill"
        fix = f"ln -s {quoted(target.program)} ~/.local/bin/clawgit"
    return Part("skill", state, place, note, fix)


def files(target: Target, *, wanted: bool) -> Files:
    """Return what becomes of the skill in OpenClaw's folders, where it is to be `wanted` or gone."""
    found: dict[Path, tuple[bytes | None, bytes | None]] = {}
    for place in _places(target):
        here = wanted and target.alone and place == _shared(target)
        was, now = _held(place), text(target).encode() if here else None
        if place != target.root / PATH and was != now and (was is None or stamp.untouched(was)):
            found[place] = (was, now)
    return found


def change(target: Target, *, wanted: bool) -> Change | None:
    """Return the change that brings the skill into the workspace, or takes it out; None where nothing is to do."""
    was, now = target.workspace.read(PATH), text(target) if wanted and not target.alone else None
    if was == now or (was is not None and not stamp.untouched(was.encode())):
        return None
    subject = "skills: how the agent uses clawgit" if now else "skills: without clawgit"
    return Change(subject, edits=(Edit(PATH, was, now, exact=True),))


def _shared(target: Target) -> Path:
    """Return where it lies for every agent: in the plugin, else in OpenClaw's folder of skills."""
    home = target.plugin if target.way == "plugin" else target.host.state
    return home / "skills" / target.name / "SKILL.md"


def _places(target: Target) -> tuple[Path, ...]:
    """Return where the skill belongs, and where it may lie from before."""
    every = (
        _shared(target),
        _shared(replace(target, way="hook" if target.way == "plugin" else "plugin")),
        target.root / PATH,
    )
    return every if target.alone else (every[2], *every[:2])


def _held(place: Path) -> bytes | None:
    """Return what lies there, nothing of what is no regular file."""
    if not os.path.lexists(place):
        return None
    return place.read_bytes() if place.is_file() and not place.is_symlink() else b""


def _state(found: bytes | None, wanted: str) -> State:
    if found is None:
        return "missing"
    if not stamp.ours(found):
        return "foreign"
    if not stamp.untouched(found):
        return "edited"
    return "installed" if found == wanted.encode() else "outdated"
