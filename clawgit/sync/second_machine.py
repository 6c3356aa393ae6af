"""Sets another machine up."""

import contextlib
import shutil
from pathlib import Path

from clawgit.errors import ClawgitError, quoted
from clawgit.git import repository
from clawgit.git.git_command import git
from clawgit.sync.machine_heads import HEADS
from clawgit.workspace.workspace import Workspace

_SECONDS = 1800.0


def clone(source: str, target: Path) -> Workspace:
    """Clone the workspace at an address, or out of a folder of bundles, into a folder that is not there yet.

    Raises ClawgitError, with nothing left behind, where there is no workspace that clawgit manages.
    """
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise ClawgitError(f"{target} is there already", fix=f"ls -la {quoted(target)}")
    made = not target.exists()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if bundles := _bundles(source):
            _from_bundles(bundles, target)
        else:
            git(target.parent, "clone", "--quiet", "--no-recurse-submodules", source, str(target), timeout=_SECONDS)
        workspace = Workspace(repository.find(target))
        if not workspace.managed:
            raise ClawgitError(
                f"what lies at {source} is no workspace that clawgit manages",
                fix=f"clawgit adopt WORKSPACE   # on the first machine, then push it; or: git clone {quoted(source)}",
            )
    except BaseException:
        if made:
            shutil.rmtree(target, ignore_errors=True)
        else:
            for one in target.iterdir():
                with contextlib.suppress(OSError):
                    shutil.rmtree(one) if one.is_dir() else one.unlink()
        raise
    return workspace


def _bundles(source: str) -> list[Path]:
    place = Path(source).expanduser()
    if not place.is_dir():
        return []
    return sorted(place.glob("*.bundle"), key=lambda one: -one.stat().st_mtime)


def _from_bundles(bundles: list[Path], target: Path) -> None:
    """Begin with the newest bundle that is whole; what the others have comes with the first sync."""
    problem: ClawgitError | None = None
    for bundle in bundles:
        try:
            listed = git(bundle.parent, "ls-remote", str(bundle.resolve())).decode().splitlines()
            name = next(row.split("\t")[1] for row in listed if f"\t{HEADS}" in row)
            git(target.parent, "init", "--quiet", "--initial-branch=main", str(target))
            git(target, "fetch", "--quiet", "--no-tags", str(bundle.resolve()), f"{name}:refs/clawgit/first")
            git(target, "reset", "--quiet", "--hard", "refs/clawgit/first")
            git(target, "update-ref", "-d", "refs/clawgit/first")
        except (ClawgitError, StopIteration) as exc:
            problem = exc if isinstance(exc, ClawgitError) else None
            shutil.rmtree(target, ignore_errors=True)
        else:
            return
    raise problem or ClawgitError(f"{bundles[0].parent} holds no head of a machine", fix="clawgit sync --folder DIR")
