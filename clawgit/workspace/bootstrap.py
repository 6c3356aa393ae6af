"""Makes a folder a workspace."""

import os
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from clawgit.errors import ClawgitError
from clawgit.git import disk, repository
from clawgit.git.chain import NewCommit
from clawgit.git.repository import Repository
from clawgit.git.transaction import Plan, Snapshot
from clawgit.safety.paths import check
from clawgit.workspace import capture, contents, message, rendering, scaffold, scope, secrecy
from clawgit.workspace.folder import refuse_wrong
from clawgit.workspace.trust import review
from clawgit.workspace.workspace import Workspace

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
    path.mkdir(parents=True, exist_ok=True)
    new_repository = not os.path.lexists(path / ".git")
    brand_new = new_repository and not any(os.path.lexists(path / name) for name in _SIGNS)
    repo = repository.create(path, "main") if new_repository else repository.find(path)
    workspace = Workspace(repo, attended=attended)
    if workspace.managed:
        return Born(workspace, (), (), (), None)
    warnings = _warnings(brand_new=brand_new)
    files = _templates(workspace, brand_new=brand_new)
    kept = tuple(_existing(workspace.root, files))
    held = dict(_held_back(workspace.repo, kept))
    mine = [name for name in dict.fromkeys((*files, *kept)) if name not in held]
    written = workspace.first_commit(_Birth(workspace, files).decide, mine)
    rendered, unrendered = rendering.begin(workspace)
    created = tuple(sorted((*(name for name in files if name not in kept), *rendered)))
    warnings = (*warnings, *held.values(), *review.approve_head(workspace), *unrendered)
    return Born(workspace, created, kept, warnings, written.commits[-1])


_SIGNS = ("SOUL.md", "IDENTITY.md", "USER.md", "AGENTS.md", "MEMORY.md", "memory", "memory.md", "skills")


def _warnings(*, brand_new: bool) -> tuple[str, ...]:
    if not brand_new:
        return ()
    words = "OpenClaw begins its own first-run ritual only where there is no git repository yet"
    return (f"{words}; the {RITUAL} made here stands in for it",)


def _templates(workspace: Workspace, *, brand_new: bool) -> dict[str, str]:
    """Return path and text of every file that a workspace starts with."""
    files = {
        **scaffold.identity(),
        **scaffold.records(),
        **scaffold.bookkeeping(),
        **{path: text for path, text in scaffold.folders().items() if _is_empty(workspace.root, path)},
        ".gitignore": scaffold.ignore_rules(),
    }
    if not brand_new:
        del files[RITUAL]
    files[scope.CONFIG] = scaffold.with_branch(workspace.repo, workspace.branch, files[scope.CONFIG])
    return files


def _is_empty(root: Path, path: str) -> bool:
    """Tell whether the folder of `path` is not there yet, or holds nothing; not behind a link."""
    folder = (root / path).parent
    above = [root / one for one in Path(path).parents]
    if any(place.is_symlink() or (place.exists() and not place.is_dir()) for place in above):
        return False
    return not folder.exists() or not any(folder.iterdir())


def _existing(root: Path, files: dict[str, str]) -> Iterator[str]:
    """Yield what the folder has already of a workspace's files."""
    found = {name for name in files if os.path.lexists(root / name)}
    found |= {place.name for place in root.glob("*.md")}
    found |= {place.relative_to(root).as_posix() for place in root.glob("memory/**/*.md")}
    yield from sorted(name for name in found if os.path.lexists(root / name))


def _held_back(repo: Repository, paths: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield the files that may not enter history, each with the reason."""
    head = repository.head(repo)
    for path in (path for path in paths if not path.startswith(scope.OURS)):
        try:
            check(path)
            if repository.blob_id(repo, head, path) is None:
                capture.refuse_ignored(repo, path)
            file = disk.read(repo, path)
            contents.decoded(path, file.data if file else None)
            secrecy.refuse(path, None, file.data if file else None)
        except ClawgitError as exc:
            yield path, f"{exc.message}; left uncommitted"


class _Birth(Struct, frozen=True):
    """The plan of the first commit."""

    workspace: Workspace
    files: dict[str, str]

    def decide(self, snapshot: Snapshot) -> Plan:
        when = self.workspace.now()
        taken = capture.take(self.workspace.setting(), snapshot, snapshot.disk, stale="leave")
        captured = capture.commit(taken, when)
        new = {path: self.files[path].encode() for path, file in snapshot.disk.items() if file is None}
        text = message.render(message.Message("workspace: managed by clawgit", "", (("Origin", "operator"),)))
        first = NewCommit(text, self.workspace.operator, when, new)
        return Plan((captured, first) if captured else (first,))
