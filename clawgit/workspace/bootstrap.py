"""Makes a folder a workspace."""

import os
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from msgspec import Struct

from clawgit import errors
from clawgit.errors import Advice, ClawgitError, Command, quoted
from clawgit.git import ownership, repository
from clawgit.git.repository import Repository
from clawgit.git.transaction import Plan, Snapshot
from clawgit.resources import resource
from clawgit.workspace import capture, changelog, entries, file_roles, line_writers, trust_review
from clawgit.workspace.uncommitted import refuse_content
from clawgit.workspace.workspace import Workspace
from clawgit.workspace.workspace_base import FORMAT_VERSION

_SIGNS = ("SOUL.md", "IDENTITY.md", "MEMORY.md", "memory.md")


def refuse_wrong(path: Path, command: str) -> None:
    """Raise ClawgitError for a home, OpenClaw's state folder, a place in a repository, or no folder, for a command."""
    place = path.resolve()
    if path.exists() and not path.is_dir():
        raise errors.file_kind(f"{path} is not a folder", fix=Advice(f"clawgit {command} ANOTHER"))
    home = Path.home().resolve()
    if place in (home, *home.parents):
        raise errors.adopt_home(f"{path} includes your home", fix=Command("clawgit {} ~/.openclaw/workspace", command))
    named = place.parent == home and place.name.startswith((".openclaw", ".clawdbot", ".moltbot"))
    if named or (place / "openclaw.json").exists() or (place / "credentials").is_dir():
        raise errors.adopt_openclaw_state(
            f"{path} is OpenClaw's state folder: it holds credentials",
            fix=Command("clawgit {} {}", command, place / "workspace"),
        )
    if all((place / name).exists() for name in ("HEAD", "objects", "refs")):
        raise errors.repository_kind(f"{path} is a bare repository", fix=Advice(f"git clone {quoted(path)} WORKSPACE"))
    outer = next((folder for folder in place.parents if (folder / ".git").exists()), None)
    if outer and not os.path.lexists(place / ".git"):
        words = f"{path} lies in the repository {outer}, which holds more than this workspace"
        raise errors.workspace_nested(words, fix=_choose_repository(path, outer, command))


def _choose_repository(path: Path, outer: Path, command: str) -> Command:
    """Return the command that gives a folder a repository of its own, or takes that around it where an agent lives."""
    own = f"git init {quoted(path)} && clawgit {command} {quoted(path)}"
    try:
        refuse_stranger(outer)
    except ClawgitError:
        note = f"a repository of its own; {quoted(outer)} goes on with what it has of it"
        return Command("git init {} && clawgit {} {}", path, command, path, note=note)
    return Command("clawgit adopt {}", outer, note=f"or, as a repository of its own: {own}")


def refuse_stranger(path: Path) -> None:
    """Raise ClawgitError for what `refuse_wrong` refuses, and for a folder in which no agent has ever lived."""
    refuse_wrong(path, "adopt")
    if not path.exists():
        raise errors.folder_missing(f"{path} does not exist", fix=Command("clawgit init {}", path))
    notes = (path / "memory").is_dir() and any((path / "memory").rglob("*.md"))
    if not notes and not any(os.path.lexists(path / name) for name in _SIGNS):
        raise errors.workspace_missing(
            f"{path} is not a workspace: it has none of {', '.join(_SIGNS)}, and no memory/*.md",
            fix=Command("clawgit init {}", path, note="makes it one"),
        )


def bookkeeping() -> dict[str, str]:
    """Return path and text of what clawgit itself keeps in the tree."""
    return {file_roles.FORMAT: f"{FORMAT_VERSION}\n", entries.PATH: entries.render({})}


def records() -> dict[str, str]:
    """Return path and text of the settings, the records and the agents' prompts."""
    home = resource("templates")
    files = {name: (home / "workspace" / name).read_text("utf-8") for name in _RECORDS}
    for place in sorted((home / "agents").glob("*/SOUL.md")):
        files[f"agents/{place.parent.name}/SOUL.md"] = place.read_text("utf-8")
    return files


_RECORDS = (file_roles.CONFIG, file_roles.CORRECTIONS, file_roles.CONFLICTS)
_FOLDERS = ("memory", "Archive/Chronicles", "Archive/Corrections")


def folders() -> dict[str, str]:
    """Return path and text of the files that keep empty folders of a new workspace in git (spec §14, step 1)."""
    return {f"{folder}/.gitkeep": "" for folder in _FOLDERS}


def ignore_rules() -> str:
    """Return the text of a new .gitignore."""
    return (resource("templates") / "workspace" / "gitignore").read_text("utf-8")


def with_branch(repo: Repository, usual: str, text: str) -> str:
    """Name the branch at hand in a CONFIG.md of this text, where it is not the `usual` one."""
    current = repository.branch(repo)
    if current in (usual, None):
        return text
    return text.replace("```yaml\n", f"```yaml\nbranch: {current}  # where every change goes\n\n", 1)


RITUAL = "BOOTSTRAP.md"


class Born(Struct, frozen=True):
    """What `init` did; `commit` is None when the workspace was managed already."""

    workspace: Workspace
    created: tuple[str, ...]
    kept: tuple[str, ...]
    warnings: tuple[str, ...]
    commit: str | None


def init(path: Path, *, attended: bool = True) -> Born:
    """Make `path` a managed workspace: repository, templates, first commit. No file that exists is touched.

    `attended` tells that the operator sits there. Raises ClawgitError for a folder in somebody's repository, OpenClaw's
    state folder or a home.
    """
    refuse_wrong(path, "init")
    ownership.make_folders(path)
    new_repository = not os.path.lexists(path / ".git") or _is_half_made(path / ".git")
    brand_new = new_repository and not any(os.path.lexists(path / name) for name in _SIGNS_OF_OPENCLAW)
    repo = repository.create(path, "main") if new_repository else repository.find(path)
    workspace = Workspace(repo, attended=attended)
    if workspace.managed:
        return Born(workspace, (), (), (), None)
    words = "OpenClaw begins its own first-run ritual only where there is no git repository yet"
    warnings = (f"{words}; the {RITUAL} made here stands in for it",) if brand_new else ()
    files = _templates(workspace, brand_new=brand_new)
    kept = tuple(_existing(workspace.root, files))
    held = dict(_held_back(workspace.repo, kept))
    mine = [name for name in dict.fromkeys((*files, *kept)) if name not in held]
    new = {path: text for path, text in files.items() if path not in kept}
    written = workspace.first_commit(partial(_plan, workspace, new), mine)
    line_writers.note_look(workspace.store, workspace.clock().timestamp(), held)
    rendered, unrendered = changelog.begin(workspace)
    created = tuple(sorted((*(name for name in files if name not in kept), *rendered)))
    warnings = (*warnings, *held.values(), *trust_review.approve_head(workspace, adopting=True), *unrendered)
    return Born(workspace, created, kept, warnings, written.commits[-1])


def _is_half_made(gitdir: Path) -> bool:
    """Return whether a git folder was begun, as on a full disk, and never had a HEAD or a branch."""
    names = ("HEAD", "packed-refs")
    return gitdir.is_dir() and not any((gitdir / name).exists() for name in names) and not any(gitdir.glob("refs/*/*"))


_SIGNS_OF_OPENCLAW = ("SOUL.md", "IDENTITY.md", "USER.md", "AGENTS.md", "MEMORY.md", "memory", "memory.md", "skills")


def _templates(workspace: Workspace, *, brand_new: bool) -> dict[str, str]:
    """Return path and text of every file that a workspace starts with."""
    files = {
        **{place.name: place.read_text("utf-8") for place in (resource("templates") / "workspace").glob("*.md")},
        **records(),
        **bookkeeping(),
        **{path: text for path, text in folders().items() if _is_empty(workspace.root, path)},
        ".gitignore": ignore_rules(),
    }
    if not brand_new:
        del files[RITUAL]
    files[file_roles.CONFIG] = with_branch(workspace.repo, workspace.branch, files[file_roles.CONFIG])
    return files


def _is_empty(root: Path, path: str) -> bool:
    """Return whether the folder of `path` is not there yet, or holds nothing; not behind a link."""
    folder = (root / path).parent
    above = [root / parent for parent in Path(path).parents]
    if any(place.is_symlink() or (place.exists() and not place.is_dir()) for place in above):
        return False
    return not folder.exists() or not any(folder.iterdir())


def _existing(root: Path, files: dict[str, str]) -> Iterator[str]:
    """Yield what the folder has already of a workspace's files, but for empty ones that are ours by their names."""
    found = {name for name in files if os.path.lexists(root / name)}
    found |= {place.name for place in root.glob("*.md")}
    found |= {place.relative_to(root).as_posix() for place in root.glob("memory/**/*.md")}
    yield from sorted(name for name in found if os.path.lexists(root / name) and not changelog.ours(root / name))


def _held_back(repo: Repository, paths: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield the files that may not enter history, each with the reason."""
    head = repository.head(repo)
    for path in (path for path in paths if not path.startswith(file_roles.OURS)):
        try:
            if repository.blob_id(repo, head, path) is None:
                capture.refuse_ignored(repo, path)
            refuse_content(repo, path, None)
        except ClawgitError as exc:
            yield path, f"{exc.message}; left uncommitted"


def _plan(workspace: Workspace, files: Mapping[str, str], snapshot: Snapshot) -> Plan:
    """Return the plan of the first commit."""
    new = {path: text.encode() for path, text in files.items() if not getattr(snapshot.disk[path], "data", b"")}
    theirs = snapshot.disk.keys() - new.keys()
    return capture.plan_with(workspace, snapshot, theirs, new, "workspace: managed by clawgit", workspace.now())
