"""The id under which this working tree writes rows."""

import contextlib
import json
import os
from pathlib import Path

from msgspec import Struct, to_builtins

from clawgit.workspace import version_vector
from clawgit.workspace.version_vector import Dot, Vector

_FILE, _PLACE = "machine.json", "machine-place"


class _Known(Struct, frozen=True):
    """What is kept of an id: the highest number that was given out, and the highest that is in a commit of ours."""

    id: str = ""
    issued: int = 0
    landed: int = 0
    place: str = ""


class MachineId:
    """Gives out the numbers of the rows that are written here; call it under the lock of the repository.

    An id belongs to one row of writes, each of which had read the one before. So a new one is taken where that cannot
    be vouched for: in a clone, in a copied folder, after `.git/clawgit` was deleted, and when the file that is written
    lacks our last row, as after a reset or on another branch. `folder` is our folder beside the index.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._given: int | None = None

    def issue(self, there: Vector, count: int) -> Dot:
        """Return the first of `count` new dots for a file that tells of the dots `there`."""
        known = self._known()
        last = there.get(known.id, 0)
        if not known.id or not known.landed <= last <= version_vector.LAST // 2:
            known = _Known(_new_id(there), place=self._place())
            last = 0
        first = max(known.issued, last) + 1
        self._given = first + count - 1
        self._keep(_Known(known.id, self._given, max(known.landed, last), known.place))
        return known.id, first

    def land(self) -> None:
        """Note that the rows with the numbers that were given out last are in a commit on the branch.

        Best effort: the commit stands, and what the file holds counts as well.
        """
        if self._given is not None:
            known, given = self._known(), self._given
            self._given = None
            if known.issued == given:
                with contextlib.suppress(OSError):
                    self._keep(_Known(known.id, given, given, known.place))

    def _known(self) -> _Known:
        """Return what is kept, nothing where it was copied from elsewhere."""
        try:
            values = json.loads((self._folder / _FILE).read_bytes())
            known = _Known(str(values["id"]), int(values["issued"]), int(values["landed"]), str(values["place"]))
        except (OSError, ValueError, KeyError, TypeError):
            return _Known()
        whole = version_vector.dots(f"{known.id}:1") and 0 <= known.landed <= known.issued < version_vector.LAST // 2
        return known if whole and known.place == self._standing() else _Known()

    def _keep(self, known: _Known) -> None:
        temporary = self._folder / f"{_FILE}.new"
        temporary.write_text(json.dumps(to_builtins(known)) + "\n", "utf-8")
        temporary.replace(self._folder / _FILE)

    def _place(self) -> str:
        """Make the file anew whose inode and time of change no copy has, and return these."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileNotFoundError):
            (self._folder / _PLACE).unlink()
        (self._folder / _PLACE).touch()
        return self._standing()

    def _standing(self) -> str:
        try:
            found = os.lstat(self._folder / _PLACE)
        except OSError:
            return ""
        return f"{found.st_dev}:{found.st_ino}:{found.st_ctime_ns}"


def _new_id(there: Vector) -> str:
    while True:
        found = "".join(chr(ord("k") + byte % 16) for byte in os.urandom(8))
        if found not in there:
            return found
