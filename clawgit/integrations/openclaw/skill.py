"""The skill that tells the agent when to use clawgit.

OpenClaw takes any skill in the workspace's own folder for the sign of a finished setup, and deletes BOOTSTRAP.md then.
So ours lies in OpenClaw's folder of skills, which every agent sees; where there are agents of other workspaces it lies
in the workspace, once BOOTSTRAP.md is gone.
"""

import os
import shutil
from pathlib import Path

from clawgit.errors import quoted
from clawgit.integrations.openclaw import stamp
from clawgit.integrations.openclaw.part import Part, State
from clawgit.integrations.openclaw.plan import Files
from clawgit.integrations.openclaw.target import Target
from clawgit.resources import resource
from clawgit.workspace.change import Change, Edit

PATH = "skills/clawgit/SKILL.md"
BOOTSTRAP = "BOOTSTRAP.md"


def text(target: Target) -> str:
    """Return the skill."""
    template = (resource("templates") / "skill/SKILL.md").read_bytes()
    name = target.name if _apart(target) else "clawgit"
    return stamp.stamped(template.replace(b"@NAME@", name.encode()).replace(b"@SERVER@", target.name.encode())).decode()


def folders(target: Target) -> tuple[Path, ...]:
    """Return the folders that the skill lies in, the innermost first."""
    return _places(target)[0].parent, _places(target)[0].parent.parent


def look(target: Target) -> Part:
    """Return how the skill stands; one that lies where it would not be put now is outdated."""
    place, other = _places(target)
    state = _state(_held(place), text(target))
    older = _held(other)
    if state != "foreign" and older is not None and stamp.ours(older):
        state, place = ("outdated", place) if stamp.untouched(older) and state != "edited" else ("edited", other)
    if state == "missing" and not _apart(target) and os.path.lexists(target.root / BOOTSTRAP):
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
    """Return what becomes of the skill in OpenClaw's folder, where it is to be `wanted` or gone."""
    place = _shared(target)
    was, now = _held(place), text(target).encode() if wanted and _apart(target) else None
    return {} if was == now or (was is not None and not stamp.untouched(was)) else {place: (was, now)}


def change(target: Target, *, wanted: bool) -> Change | None:
    """Return the change that brings the skill into the workspace, or takes it out; None where nothing is to do."""
    was, now = target.workspace.read(PATH), text(target) if wanted and not _apart(target) else None
    if was == now or (was is not None and not stamp.untouched(was.encode())):
        return None
    subject = "skills: how the agent uses clawgit" if now else "skills: without clawgit"
    return Change(subject, edits=(Edit(PATH, was, now, exact=True),))


def _apart(target: Target) -> bool:
    """Tell whether the skill may lie where every agent sees it: all of them work in this workspace."""
    return len(target.host.agents) == len(target.agents)


def _shared(target: Target) -> Path:
    return target.host.state / "skills" / target.name / "SKILL.md"


def _places(target: Target) -> tuple[Path, Path]:
    """Return where the skill belongs, and where it may lie from before."""
    both = _shared(target), target.root / PATH
    return both if _apart(target) else (both[1], both[0])


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
