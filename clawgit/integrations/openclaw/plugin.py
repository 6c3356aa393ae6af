"""The plugin that OpenClaw's gateway loads."""

from clawgit.integrations.openclaw import shipped
from clawgit.integrations.openclaw.part import Part
from clawgit.integrations.openclaw.target import Target

SHIPPED = (
    "openclaw.plugin.json",
    "package.json",
    "index.js",
    "connection.js",
    "conversation.js",
    "corpus.js",
    "tools.js",
    "voice.js",
)
SKILLS = "skills"
SINCE = (2026, 9, 6)
"""The first OpenClaw that it was run in; `compat.pluginApi` of its package.json says the same."""


def files(target: Target) -> dict[str, bytes]:
    """Return the files of the plugin, by name; the skill beside them is a part of its own."""
    skills = f'"./{SKILLS}"' if target.alone else ""
    return shipped.files(target, "openclaw-plugin", SHIPPED, {"@NAME@": target.name, "@SKILLS@": skills})


def look(target: Target) -> Part:
    """Return how the plugin stands."""
    return shipped.look("plugin", target.plugin, files(target))
