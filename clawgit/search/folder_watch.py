"""Tells whether searched files may have been written since."""

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from clawgit.git.file_events import Inotify
from clawgit.search import corpus, warm

RELIABLE = frozenset(("ext2", "ext3", "ext4", "f2fs", "overlay", "tmpfs", "xfs", "zfs"))
"""File systems of which the kernel tells everything that is written; what others write over a network it does not."""
SECONDS = 2.0
"""After so many the files are looked at again, whatever the kernel says: a file can be written by another hard link."""


class FolderWatch:
    """What the kernel tells of the folders of a workspace, for a process that answers more than once.

    Raises OSError where it cannot be told.
    """

    def __init__(self, root: Path, clock: Callable[[], float] = time.monotonic) -> None:
        if not _reliable(root):
            raise OSError("not every write would be told")
        self._clock, self._seen, self._until = clock, object(), 0.0
        self._events = Inotify(lambda: corpus.folders(root), modified=True)

    def quiet(self, seen: object) -> bool:
        """Tell whether nothing was written since `looked` was told the same. To be called before each look."""
        try:
            changed = self._events.wait(0).changed
        except OSError:  # no room for a new folder
            changed = True
        if changed:
            self._seen = object()
        return self._seen == seen and self._clock() < self._until

    def looked(self, seen: object) -> None:
        """Note that a look found nothing to do: `seen` is what was looked at."""
        self._seen, self._until = seen, self._clock() + SECONDS

    def close(self) -> None:
        """Stop watching."""
        self._events.close()

    def __del__(self) -> None:
        """Stop watching: the kernel keeps 128 watches for a user."""
        if hasattr(self, "_events"):
            self.close()


def watching(root: Path) -> FolderWatch | None:
    """Return the watch of a workspace that this thread keeps; None where it keeps nothing, or cannot be told."""
    if not warm.lasting():
        return None
    status = root.stat()
    return warm.kept(("watch", root), (status.st_dev, status.st_ino), lambda: _begun(root), _ended)


def _begun(root: Path) -> FolderWatch | None:
    with suppress(OSError, AttributeError):
        return FolderWatch(root)
    return None


def _ended(old: FolderWatch | None) -> None:
    if old:
        old.close()


def _reliable(root: Path) -> bool:
    """Tell whether all folders are on one file system that is known to tell of every write."""
    devices = {place.stat().st_dev for place in corpus.folders(root)}
    if len(devices) != 1:
        return False
    device = devices.pop()
    name = f"{device >> 8 & 0xFFF}:{device & 0xFF | device >> 12 & 0xFFF00}"
    for row in Path("/proc/self/mountinfo").read_text("utf-8", "replace").splitlines():
        head, _, tail = row.partition(" - ")
        if head.split(" ")[2] == name:
            return tail.split(" ")[0] in RELIABLE
    return False
