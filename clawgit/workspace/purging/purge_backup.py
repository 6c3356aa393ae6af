"""The bundle of what was there before a purge."""

import os
from pathlib import Path

from clawgit.errors import Advice, ClawgitError, file_exists, file_unwritable, path_invalid
from clawgit.git import rewriting, unfinished_rewrite
from clawgit.git.git_command import git
from clawgit.workspace.workspace import Workspace

_ELSEWHERE = Advice("clawgit purge --text - --keep-backup NEW_FILE < FILE   # outside of the workspace")


def usual(workspace: Workspace) -> Path:
    """Return a place beside the state of this user where nothing is yet."""
    base = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state") / "clawgit" / "purge"
    plain = place = base / f"{workspace.root.name}-{os.getpid()}.bundle"
    number = 2
    while os.path.lexists(place):
        place, number = plain.with_name(f"{plain.stem}-{number}.bundle"), number + 1
    return place


def require_free(workspace: Workspace, place: Path) -> Path:
    """Return the whole name of a place where a bundle may be written.

    Raises UsageError where something is already, but for the bundle of a purge that was stopped, and for a place in a
    working tree or in git's folder: what goes would be kept there.
    """
    whole = Path(os.path.abspath(place))  # noqa: PTH100 - a link stays one
    if os.path.lexists(whole) and str(whole) not in unfinished_rewrite.bundles(workspace.repo.commondir):
        raise file_exists(f"{place} is there already", fix=_ELSEWHERE)
    real = whole.parent.resolve() / whole.name
    ours = [
        workspace.root,
        workspace.repo.commondir,
        *(checkout.root for checkout in rewriting.checkouts(workspace.repo)),
    ]
    if inside := next((one for one in ours if real.is_relative_to(one.resolve())), None):
        raise path_invalid(f"{place} lies in {inside}, where nothing of it may stay", fix=_ELSEWHERE)
    above = next(parent for parent in whole.parents if os.path.lexists(parent))
    if not above.is_dir() or not os.access(above, os.W_OK | os.X_OK):
        raise file_unwritable(f"nothing can be written in {above}", fix=_ELSEWHERE)
    return whole


def write(workspace: Workspace, place: Path) -> None:
    """Write the bundle; one that was written before references moved stays as it is. Raises ClawgitError."""
    if os.path.lexists(place) and _is_of_before(workspace, place):
        return
    try:
        rewriting.backup(workspace.repo, place)
    except OSError as exc:
        raise file_unwritable(f"{place} cannot be written: {exc.strerror}", fix=_ELSEWHERE) from exc


def _is_of_before(workspace: Workspace, place: Path) -> bool:
    """Return whether a bundle has what the repository has no more, or is about to lose."""
    try:
        heads = [row.split()[0] for row in git(workspace.root, "bundle", "list-heads", str(place)).splitlines()]
    except ClawgitError:
        return False
    if unfinished_rewrite.halfway(workspace.repo.commondir):
        return True
    told = git(workspace.root, "cat-file", "--batch-check", stdin=b"".join(head + b"\n" for head in heads))
    return any(row.endswith(b" missing") for row in told.splitlines())
