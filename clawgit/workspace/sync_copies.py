"""Finds the copies that sync programs leave."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from clawgit import file_roles
from clawgit.errors import Advice, ClawgitError, folder_synced
from clawgit.git import history, repository
from clawgit.git.repository import Repository
from clawgit.text.merge import merge
from clawgit.workspace.file_contents import text_of
from clawgit.workspace.undo import SYNC
from clawgit.workspace.workspace import Workspace

_FOLDERS = ("memory", "users", "agents")
_VERSIONS = 50
_NUMBERED = re.compile(r".+ (?:\(\d\d?\)|\d)(?:\.\w+)?")
"""Git itself gives no such name."""
_MAX_NAMES = 3


def find_copies(root: Path) -> dict[str, str]:
    """Return the copies in the memory and identity of a workspace, with their originals."""
    places = (place for folder in _FOLDERS for place in (root / folder).rglob("*.md"))
    paths = (place.relative_to(root).as_posix() for place in (*root.glob("*.md"), *places) if place.is_file())
    return {path: original for path in sorted(paths) if (original := file_roles.copied_from(path))}


def read_problems(repo: Repository) -> Iterator[ClawgitError]:
    """Yield signs that another program syncs the folder: copies of files, and of git's own."""
    if copies := find_copies(repo.root):
        names = ", ".join(list(copies)[:_MAX_NAMES])
        many = "a copy" if len(copies) == 1 else f"{len(copies)} copies"
        fix = Advice("clawgit inbox   # what they have more; then delete them")
        yield folder_synced(f"{many} that a sync program left: {names}; nothing of it is served", fix=fix)
    places = (place for folder in ("refs", "logs") for place in (repo.commondir / folder).rglob("*") if place.is_file())
    top = (place for glob in ("*", "clawgit/*") for place in repo.commondir.glob(glob) if place.is_file())
    names_in_git = (place.name for place in (*top, *places))
    if inside := [name for name in names_in_git if file_roles.copied_from(name) or _NUMBERED.fullmatch(name)]:
        yield folder_synced(
            f".git was touched by a sync program: {', '.join(inside[:_MAX_NAMES])}; "
            "two machines that write one .git break it",
            fix=Advice("exclude .git there, and use: clawgit sync --folder DIR"),
        )


def offer_copies(workspace: Workspace) -> None:
    """Open inbox items for lines of copies that their originals lack."""
    for copy, original in find_copies(workspace.root).items():
        text, now = text_of((workspace.root / copy).read_bytes()), workspace.read(original)
        if text is None or text == now or not file_roles.is_captured(original):
            continue
        result = merge(_find_base(workspace, original, text), now or "", text)
        if result.text != (now or ""):
            from clawgit.workspace.inbox import open_file  # noqa: PLC0415 - copies are rare

            words = f"what {copy} has, which a sync program left, and {original} has not"
            open_file(workspace, original, (now, result.text), words, SYNC)


def _find_base(workspace: Workspace, path: str, text: str) -> str | None:
    """Return the committed version of a file that has most lines in common with a text, None for none."""
    text_lines = Counter(text.split("\n"))

    def count_shared(version: str) -> int:
        lines = Counter(version.split("\n"))
        return (lines & text_lines).total() - (lines - text_lines).total()

    commits = history.log(workspace.repo, path, start=workspace.head or "HEAD", limit=_VERSIONS, named=False)
    contents = (repository.read(workspace.repo, commit.id, path) for commit in commits)
    versions = (text_of(data) for data in contents if data is not None)
    return max(filter(None, versions), key=count_shared, default=None)
