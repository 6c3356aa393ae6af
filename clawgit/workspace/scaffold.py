"""The files that clawgit brings into a workspace."""

from collections.abc import Mapping

from clawgit.git import repository
from clawgit.git.repository import Repository
from clawgit.resources import resource
from clawgit.workspace import entries, scope
from clawgit.workspace.workspace import FORMAT_VERSION

PURPOSES: Mapping[str, str] = {
    scope.FORMAT: "says that clawgit may write here",
    entries.PATH: "what is known of memories beyond their words",
    scope.CONFIG: "the settings, each with its default",
    scope.CORRECTIONS: "what you corrected, one record each",
    scope.CONFLICTS: "memories that contradict each other, one record each",
    ".gitignore": "keeps state, keys and rendered files out of history",
}
"""What each of them is for; a prompt says so itself."""


def purpose(path: str) -> str:
    """Return what one of our files is for."""
    return PURPOSES.get(path) or f"the prompt of the {path.split('/')[1].replace('-', ' ')}"


def bookkeeping() -> dict[str, str]:
    """Return path and text of what clawgit itself keeps in the tree."""
    return {scope.FORMAT: f"{FORMAT_VERSION}\n", entries.PATH: entries.render({})}


def records() -> dict[str, str]:
    """Return path and text of the settings, the records and the agents' prompts."""
    home = resource("templates")
    files = {name: (home / "workspace" / name).read_text("utf-8") for name in _RECORDS}
    for place in sorted((home / "agents").glob("*/SOUL.md")):
        files[f"agents/{place.parent.name}/SOUL.md"] = place.read_text("utf-8")
    return files


_RECORDS = (scope.CONFIG, scope.CORRECTIONS, scope.CONFLICTS)
_FOLDERS = ("memory", "Archive/Chronicles", "Archive/Corrections")


def folders() -> dict[str, str]:
    """Return path and text of the files that keep empty folders of a new workspace in git (spec §14, step 1)."""
    return {f"{folder}/.gitkeep": "" for folder in _FOLDERS}


def identity() -> dict[str, str]:
    """Return path and text of what an agent wakes up with."""
    places = sorted((resource("templates") / "workspace").glob("*.md"))
    return {place.name: place.read_text("utf-8") for place in places if place.name not in _RECORDS}


def ignore_rules() -> str:
    """Return the text of a new .gitignore."""
    return (resource("templates") / "workspace" / "gitignore").read_text("utf-8")


def with_branch(repo: Repository, usual: str, text: str) -> str:
    """Name the branch at hand in a CONFIG.md of this text, where it is not the `usual` one."""
    current = repository.branch(repo)
    if current in (usual, None):
        return text
    return text.replace("```yaml\n", f"```yaml\nbranch: {current}  # where every change goes\n\n", 1)
