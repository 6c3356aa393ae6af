"""Where a workspace's approvals lie.

They belong to the folder itself, wherever it is moved. A folder is told by its inode, and by where it lies or an id of
ours within it. So `mv` and a renamed parent keep the approvals, and a copy, a clone or a restored backup, which have
inodes of their own, inherit none. Whoever may write there may take away the id, and does not get rid of approvals.
"""

import contextlib
import itertools
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from clawgit.errors import ClawgitError
from clawgit.git import regular_file
from clawgit.store.database import WORKSPACE_ID, StateStore

_FILE = "place.json"


class Place(Struct, frozen=True):
    """The folder of a workspace: where it lies, what the system knows it by, and the id that we left in it, or ""."""

    path: str
    device: int
    inode: int
    id: str

    def same(self, other: "Place") -> bool:
        """Return whether two of them, one of them noted earlier, are one folder.

        Devices may be numbered anew when the machine starts; then the path has to be the same.
        """
        if self.inode != other.inode:
            return False
        return self.path == other.path or (self.device == other.device and self.id == other.id != "")


def standing(commondir: Path, *, with_id: bool = True) -> Place:
    """Return the folder of a workspace as it is now; without its id no database is opened."""
    spot = commondir.resolve()
    root = spot.parent if spot.name == ".git" else spot
    status = root.stat()
    return Place(str(spot), status.st_dev, status.st_ino, _id(spot) if with_id else "")


def folder(commondir: Path, environ: Mapping[str, str]) -> Path:
    """Return the folder of one workspace below `$XDG_STATE_HOME/clawgit`; it need not be there yet."""
    usual = _usual(commondir, environ)
    if usual.is_dir() and not os.path.lexists(usual / _FILE):
        return usual  # made by a clawgit that knew a workspace by its path alone
    if (noted := _noted(usual)) and noted.same(standing(commondir, with_id=False)):
        return usual
    now = standing(commondir)
    moved = next((one for one, noted in _all(usual.parent) if noted.same(now)), None)
    return moved or next(one for one in _free(usual, now) if not os.path.lexists(one / _FILE))


def note(commondir: Path, where: Path) -> None:
    """Note in `where`, the folder of a workspace, which folder that is now. Raises OSError and ClawgitError."""
    now = standing(commondir)
    known = _noted(where)
    if known == now and now.id:
        return
    if not now.id or known is None:
        _leave_id(commondir.resolve(), anew=known is None)
        now = standing(commondir)
    regular_file.save_state(where / _FILE, now)


def replaced(commondir: Path, environ: Mapping[str, str]) -> Path | None:
    """Return the folder of approvals of what lay at this path before, where another folder lies there now."""
    usual, now = _usual(commondir, environ), standing(commondir)
    if (noted := _noted(usual)) and noted.path == now.path and not noted.same(now):
        return usual
    return next((one for one, noted in _all(usual.parent) if noted.path == now.path and not noted.same(now)), None)


def _usual(commondir: Path, environ: Mapping[str, str]) -> Path:
    """Return the folder that is named by where the workspace lies."""
    place = commondir.resolve()
    name = (place.parent if place.name == ".git" else place).name
    home = environ.get("XDG_STATE_HOME") or str(Path(environ.get("HOME") or Path.home()) / ".local" / "state")
    return Path(home) / "clawgit" / f"{name}-{_digest(place)}"


def _digest(place: Path) -> str:
    import hashlib  # noqa: PLC0415 - 3 ms that most commands need not pay

    return hashlib.sha256(os.fsencode(place)).hexdigest()[:12]


def _free(usual: Path, now: Place) -> Iterator[Path]:
    """Yield names for a folder, best first: the usual one may belong to what lay there before."""
    yield usual
    yield from (usual.with_name(f"{usual.name}-{now.inode}-{number}") for number in itertools.count())


def _all(home: Path) -> Iterator[tuple[Path, Place]]:
    """Yield what is noted of every workspace."""
    with contextlib.suppress(OSError):
        for one in sorted(home.iterdir()):
            if noted := _noted(one):
                yield one, noted


def _noted(where: Path) -> Place | None:
    """Return which folder it was when that was noted, None where nothing is, or nothing legible."""
    return regular_file.parse_state(where / _FILE, Place)


def _id(commondir: Path) -> str:
    with contextlib.suppress(ClawgitError):
        return StateStore(commondir / "clawgit").read_document(WORKSPACE_ID, str) or ""
    return ""


def _leave_id(commondir: Path, *, anew: bool) -> None:
    """Leave an id in a workspace, `anew` also where one came with a copy."""
    store = StateStore(commondir / "clawgit")
    if anew or not _id(commondir):
        store.save_document(WORKSPACE_ID, os.urandom(16).hex())
