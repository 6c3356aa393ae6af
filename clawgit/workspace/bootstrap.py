"""Makes a folder a workspace."""

import os
from collections.abc import Collection, Mapping
from functools import partial
from pathlib import Path

from msgspec import Struct

from clawgit import file_roles
from clawgit.git import ownership, repository, worktree_files
from clawgit.git.repository import Oid, Repository
from clawgit.git.transaction import Plan, Snapshot
from clawgit.resources import resource
from clawgit.text import document
from clawgit.workspace import capture, changelog, entries, line_writers, trust_review
from clawgit.workspace.commit_message import Message
from clawgit.workspace.uncommitted import list_held_back, list_scope_globs, uncommitted
from clawgit.workspace.workspace import Workspace, refuse_wrong
from clawgit.workspace.workspace_base import FORMAT_VERSION

IGNORE = ".gitignore"


def bookkeeping() -> dict[str, str]:
    """Return path and text of clawgit's own files in the tree."""
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


def add_rules(text: str, rules: str, title: str) -> str:
    """Return `text` with its missing `rules` at its end, below the line `title`; unchanged if none is new.

    Blank lines and comments in `rules` are left out. Line ends are those of `text`.
    """
    present_rows = {"", *(row.strip() for row in document.split(text))}
    new_rules = [row for row in rules.splitlines() if row.strip() not in present_rows and not row.startswith("#")]
    if not new_rules:
        return text
    end = document.eol(text)
    gap = "" if not text else end if document.ends_with_newline(text) else end + end
    return text + gap + end.join([title, *new_rules]) + end


def with_branch(repo: Repository, usual: str, text: str) -> str:
    """Set the current branch in a CONFIG.md of this text, if it is not the `usual` one."""
    current = repository.branch(repo)
    if current in (usual, None):
        return text
    return text.replace("```yaml\n", f"```yaml\nbranch: {current}  # where every change goes\n\n", 1)


RITUAL = "BOOTSTRAP.md"


class Born(Struct, frozen=True):
    """The result of `init`; `commit` is None when the workspace was managed already."""

    workspace: Workspace
    created: tuple[str, ...]
    kept: tuple[str, ...]
    warnings: tuple[str, ...]
    commit: str | None


def init(path: Path, *, attended: bool = True) -> Born:
    """Make `path` a managed workspace: repository, templates, first commit. No existing file is touched.

    `attended`: the operator is at the terminal. Raises ClawgitError for a folder in somebody's repository, OpenClaw's
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
    different = uncommitted(repo, (*list_scope_globs(workspace), IGNORE))
    refusals = {difference.path: refusal for difference, refusal in list_held_back(workspace, different)}
    theirs = tuple(difference.path for difference in different if difference.path not in refusals)
    new = {path: text.encode() for path, text in files.items() if path not in refusals and is_free(repo.root, path)}
    commit, rendered, notes = begin(workspace, new, theirs, refusals, "workspace: managed by clawgit")
    candidates = sorted({*files, *theirs, *refusals} - new.keys())
    existing = tuple(path for path in candidates if os.path.lexists(workspace.root / path))
    left = (f"{refusal.message}; left uncommitted" for refusal in refusals.values())
    return Born(workspace, tuple(sorted((*new, *rendered))), existing, (*warnings, *left, *notes), commit)


def begin(
    workspace: Workspace,
    new: Mapping[str, bytes],
    theirs: Collection[str],
    waiting_paths: Collection[str],
    subject: str,
    *,
    has_views: bool = True,
) -> tuple[Oid | None, tuple[str, ...], tuple[str, ...]]:
    """Commit the edits of others in `theirs`, then our `new` files; approve the identity, and render the views.

    Return the commit, None if an interrupted adoption has just been finished, the existing views, and notes on
    omissions. `waiting_paths` files stay uncommitted.
    """
    paths = dict.fromkeys((*new, *theirs))
    result = workspace.first_commit(partial(_plan, workspace, new, theirs, subject), paths)
    if not result.commits:
        return None, (), ()
    line_writers.note_look(workspace.store, workspace.clock().timestamp(), waiting_paths)
    notes = trust_review.approve_head(workspace, adopting=True)
    rendered, unrendered = changelog.begin(workspace) if has_views else ((), ())
    return result.commits[-1], rendered, (*notes, *unrendered)


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
        **{path: text for path, text in folders().items() if not any((workspace.root / path).parent.glob("*"))},
        IGNORE: ignore_rules(),
    }
    if not brand_new:
        del files[RITUAL]
    files[file_roles.CONFIG] = with_branch(workspace.repo, workspace.branch, files[file_roles.CONFIG])
    return files


def is_free(root: Path, path: str) -> bool:
    """Return whether there is nothing at `path`, or an empty file, and a new file there would be ours alone.

    Not behind a link, and not in a nested repository.
    """
    parents = [root / folder for folder in Path(path).parents if folder != Path()]
    own = all(worktree_files.is_folder(folder) or not os.path.lexists(folder) for folder in parents)
    nested = any(os.path.lexists(folder / ".git") for folder in parents)
    return own and not nested and (not os.path.lexists(root / path) or changelog.ours(root / path))


def _plan(
    workspace: Workspace, new: Mapping[str, bytes], theirs: Collection[str], subject: str, snapshot: Snapshot
) -> Plan:
    """Return the plan of the commits: the edits of others, then our files that may still be written.

    Those are missing or empty files, and the .gitignore that we read.
    """
    if snapshot.committed.get(file_roles.FORMAT) is not None:
        return Plan(())
    ours = {}
    for path, data in new.items():
        file, committed = snapshot.disk[path], snapshot.committed[path]
        if file is None or not (file.data or committed) or (path == IGNORE and file.data == committed):
            ours[path] = data
    return capture.plan_with(workspace, snapshot, theirs, ours, Message(subject), workspace.now())
