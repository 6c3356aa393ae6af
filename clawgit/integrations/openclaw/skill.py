"""The skill that tells the agent when to use clawgit."""

import shutil

from clawgit.errors import quoted
from clawgit.integrations.openclaw import stamp
from clawgit.integrations.openclaw.part import Part, State
from clawgit.integrations.openclaw.target import Target
from clawgit.resources import resource
from clawgit.workspace.change import Change, Edit

PATH = "skills/clawgit/SKILL.md"
FOLDERS = ("skills/clawgit", "skills")


def text() -> str:
    """Return the skill."""
    return stamp.stamped((resource("templates") / "skill/SKILL.md").read_bytes()).decode()


def look(target: Target) -> Part:
    """Return how the skill stands."""
    found = target.workspace.read(PATH)
    state = _state(found)
    fix = {
        "edited": f"rm {PATH} && clawgit openclaw install",
        "foreign": "git mv skills/clawgit skills/clawgit.before && clawgit openclaw install",
    }.get(state, "")
    note = {"edited": "somebody changed it", "foreign": "somebody's own skill has this name"}.get(state, "")
    if state == "installed" and not shutil.which("clawgit", path=target.host.environ.get("PATH", "")):
        note = "clawgit is not on PATH here: where that holds for OpenClaw too, it does not show the skill"
        fix = f"ln -s {quoted(target.program)} ~/.local/bin/clawgit"
    return Part("skill", state, target.root / PATH, note, fix)


def change(target: Target, after: str | None) -> Change:
    """Return the change that brings the skill, or takes it away."""
    subject = "skills: how the agent uses clawgit" if after else "skills: without clawgit"
    return Change(subject, edits=(Edit(PATH, target.workspace.read(PATH), after, exact=True),))


def _state(found: str | None) -> State:
    if found is None:
        return "missing"
    data = found.encode()
    if not stamp.ours(data):
        return "foreign"
    if not stamp.untouched(data):
        return "edited"
    return "installed" if found == text() else "outdated"
