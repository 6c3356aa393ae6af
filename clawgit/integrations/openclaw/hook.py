"""The hook of OpenClaw, for versions without our plugin."""

from clawgit.integrations.openclaw import shipped
from clawgit.integrations.openclaw.part import Part
from clawgit.integrations.openclaw.target import Target

SHIPPED = ("HOOK.md", "handler.js", "package.json")


def files(target: Target) -> dict[str, bytes]:
    """Return the files of the hook, by name."""
    return shipped.files(target, "openclaw", SHIPPED, {"@NAME@": target.name})


def look(target: Target) -> Part:
    """Return how the hook stands."""
    return shipped.look("hook", target.folder, files(target))
