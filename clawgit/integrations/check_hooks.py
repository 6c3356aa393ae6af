"""The check of the git hooks."""

from collections.abc import Iterator
from pathlib import Path

from clawgit.errors import quoted
from clawgit.integrations import githooks
from clawgit.workspace.doctor import Check, Finding
from clawgit.workspace.workspace import Workspace

_OURS = ("installed", "chained", "outdated", "edited")


def check(workspace: Workspace, program: Path) -> Check:
    """Return the check of the hooks; to have none is a choice, to have some is a gap."""
    return Check("git hooks", lambda: _look(workspace, program), "installed", "repository")


def _look(workspace: Workspace, program: Path) -> Iterator[Finding]:
    found = githooks.status(workspace.repo, program)
    if not any(hook.state in _OURS or hook.before for hook in found):
        yield Finding("none of ours: a commit warns of no secret, and a push is not looked at", ok=True)
        return
    for hook in found:
        if hook.state == "edited":
            yield Finding(
                f"{hook.name} has words of somebody's in it: it is left as it is", f"cat {quoted(hook.place)}"
            )
        elif hook.state not in ("installed", "chained"):
            yield Finding(f"{hook.name} is {hook.state}", "clawgit hooks install")
