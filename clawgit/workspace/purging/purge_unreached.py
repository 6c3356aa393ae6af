"""Names what a purge does not reach."""

import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

from clawgit.errors import quoted
from clawgit.git import rewriting
from clawgit.git.git_command import git
from clawgit.workspace.purging import file_phrases
from clawgit.workspace.purging.file_walk import walked
from clawgit.workspace.workspace import Workspace

EVERY = ("log", "--all", "--reflog", "-m", "--root", "--no-renames", "--format=", "-z")
"""Words of git that list the files of every commit, whatever leads to it."""
_SIGNED = (b"-----BEGIN PGP SIGNATURE-----", b"-----BEGIN SSH SIGNATURE-----", b"-----BEGIN SIGNED MESSAGE-----")
_COMPRESSED = (
    *(".gz", ".tgz", ".zip", ".bz2", ".xz", ".7z", ".zst", ".rar", ".lz4", ".br", ".jar", ".pdf", ".epub"),
    *(".docx", ".xlsx", ".pptx", ".odt", ".ods", ".odp"),
)
_NAMED = 5


def unreached(workspace: Workspace, forms: Sequence[bytes]) -> Iterator[str]:
    """Yield where we do not reach, so that the operator does, and what is lost."""
    signed = [kind for _, kind, _ in rewriting.holding(workspace.root, _SIGNED, kinds=("commit", "tag"))]
    if signed:
        yield f"signatures are lost: {len(signed)} signed commits and tags sign what was"
    yield from _files(workspace, forms)
    if forms and (packed := sorted(_compressed(workspace))):
        yield f"compressed files, which are not looked into: {listed(packed)}"
    if within := [one for one in _repositories(workspace) if one]:
        yield f"repositories within this one, with a history of their own: {', '.join(within)}"
    if workspace.host.owners(workspace.root):
        yield "OpenClaw's own transcripts and databases: openclaw memory forget"
    yield "backups, editors' copies and other clones; each clone has to be made anew"


def _files(workspace: Workspace, forms: Sequence[bytes]) -> Iterator[str]:
    """Yield the files that hold it and have checksums, and those that could not be read."""
    closed: list[Path] = []
    for _, place in walked(workspace, closed.append) if forms else ():
        try:
            if file_phrases.checked(place) and file_phrases.holds(place, forms):
                yield f"{place}, which holds it and would not open if it was changed from outside: make it anew"
            elif stat.S_ISREG(place.lstat().st_mode) and not os.access(place, os.R_OK):
                closed.append(place)
        except OSError:
            closed.append(place)
    if closed:
        yield f"what this user may not read: {listed(closed)}"


def _compressed(workspace: Workspace) -> set[str]:
    """Return the names of compressed files, of all of history and on disk."""
    told = git(workspace.root, *EVERY, "--name-only")
    names = {os.fsdecode(one.strip(b"\n")) for one in told.split(b"\0")}
    names |= {place.relative_to(root).as_posix() for root, place in walked(workspace)}
    return {one for one in names if one.lower().endswith(_COMPRESSED)}


def listed(places: Sequence[object]) -> str:
    """Return names for a person, the first ones where there are many."""
    more = f" and {len(places) - _NAMED} more" if len(places) > _NAMED else ""
    return ", ".join(quoted(one) for one in places[:_NAMED]) + more


def broken(objects: Sequence[tuple[str, str, bytes]]) -> Iterator[str]:
    """Yield what of history will not open any more."""
    if many := sum(kind == "blob" and file_phrases.checked_bytes(data) for _, kind, data in objects):
        yield f"{many} files of history with checksums of their own, which will not open any more: --keep-backup FILE"


def _repositories(workspace: Workspace) -> Iterator[str]:
    """Yield the folders of submodules and nested repositories."""
    trees = {one.root for one in rewriting.checkouts(workspace.repo)}
    for folder, folders, _ in os.walk(workspace.root):
        place = Path(folder)
        if place not in trees and os.path.lexists(place / ".git"):
            folders.clear()
            yield place.relative_to(workspace.root).as_posix()
        folders[:] = sorted(one for one in folders if one != ".git")
