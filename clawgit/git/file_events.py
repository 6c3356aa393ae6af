"""Tells which files were written, once they are closed."""

import errno
import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from clawgit.errors import ClawgitError, Command, watch_failed, watch_limit
from clawgit.git import inotify

Folders = Callable[[], Iterable[Path]]
"""Returns the folders to watch, as they are now."""

POLL_SECONDS = 1.0
"""How often the files are looked at where the kernel does not tell of them."""

_Signature = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Seen:
    """What happened since the last look: files that were written or came, and whether anything else did.

    `trouble` are sentences on what may have gone unseen.
    """

    written: tuple[Path, ...] = ()
    changed: bool = False
    trouble: tuple[ClawgitError, ...] = ()


class FileEvents(Protocol):
    """Where events come from."""

    def wait(self, seconds: float) -> Seen:
        """Return what happened, after so many seconds at the latest."""

    def follow(self) -> Seen:
        """Watch the folders as they are now, and return what stands in the new ones."""

    def close(self) -> None:
        """Stop watching."""


def file_events(folders: Folders) -> FileEvents:
    """Watch the files in `folders`: by inotify where there is one, else by looking at them every second."""
    with suppress(OSError, AttributeError):
        return _Fallible(folders)
    return Polling(folders)


class _Fallible:
    """Inotify as long as it has room; from the moment it has none, polling, and a sentence that says so."""

    def __init__(self, folders: Folders) -> None:
        self._folders = folders
        self._events: FileEvents = Inotify(folders)

    def wait(self, seconds: float) -> Seen:
        """Return what happened."""
        return self._or_poll(lambda: self._events.wait(seconds))

    def follow(self) -> Seen:
        """Watch the folders as they are now."""
        return self._or_poll(self._events.follow)

    def _or_poll(self, look: Callable[[], Seen]) -> Seen:
        try:
            return look()
        except OSError as exc:
            self._events.close()
            self._events = Polling(self._folders)
            return Seen(tuple(_files(self._folders())), changed=True, trouble=(_no_room(exc),))

    def close(self) -> None:
        """Stop watching."""
        self._events.close()


def _no_room(exc: OSError) -> ClawgitError:
    """Return what is said when inotify cannot watch a folder."""
    if exc.errno in inotify.FULL:
        key = "max_user_watches" if exc.errno == errno.ENOSPC else "max_user_instances"
        return watch_limit(
            f"the kernel watches no more folders for this user (fs.inotify.{key}); the files are looked at every "
            "second instead, and what is overwritten within a second goes unseen",
            fix=Command(
                "sudo sysctl fs.inotify.{}={}",
                key,
                524_288 if exc.errno == errno.ENOSPC else 1024,
                note="then watch anew",
            ),
        )
    return watch_failed(
        f"the kernel cannot watch the folders ({exc.strerror}); the files are looked at every second instead"
    )


class Polling:
    """Compares how the files stand with how they stood."""

    def __init__(self, folders: Folders) -> None:
        self._folders = folders
        self._known = _signatures(folders())

    def wait(self, seconds: float) -> Seen:
        """Sleep, and return what differs."""
        time.sleep(min(seconds, POLL_SECONDS))
        before, self._known = self._known, _signatures(self._folders())
        written = tuple(place for place, found in self._known.items() if before.get(place) != found)
        return Seen(written, changed=bool(written) or self._known.keys() != before.keys())

    def follow(self) -> Seen:
        """Return nothing: the folders are asked for at every look."""
        return Seen()

    def close(self) -> None:
        """Nothing is held."""


@dataclass
class Inotify:
    """The kernel's own notes of what happens in folders; each folder is watched by itself.

    With `modified` a file that is still open counts as a change, too.
    """

    folders: Folders
    modified: bool = False
    _watched: dict[int, Path] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Begin to watch. Raises OSError where there is no inotify, or it has no room for all the folders."""
        self._kernel = inotify.Kernel()
        self._mask = inotify.WANTED | (inotify.MODIFY if self.modified else 0)
        self._due: OSError | None = None
        try:
            self._follow()
        except OSError as exc:
            if exc.errno not in inotify.FULL:
                self.close()
                raise
            self._due = exc  # told at the first look: whoever watches is there by then

    def close(self) -> None:
        """Stop watching."""
        self._kernel.close()

    def wait(self, seconds: float) -> Seen:
        """Return what happened. Raises OSError where a new folder cannot be watched."""
        if self._due is not None:
            raise self._due
        if not self._kernel.ready(seconds):
            return Seen()
        written: dict[Path, None] = {}
        folders_changed, overflown = False, False
        for watch, mask, name in self._kernel.events():
            if mask & inotify.OVERFLOW:
                overflown = True
            elif mask & inotify.IGNORED:
                self._watched.pop(watch, None)
            elif mask & (inotify.ISDIR | inotify.DELETE_SELF | inotify.MOVE_SELF):
                folders_changed = True
            elif mask & (inotify.CLOSE_WRITE | inotify.MOVED_TO) and watch in self._watched:
                written[self._watched[watch] / os.fsdecode(name)] = None
        if overflown or folders_changed:
            # What came into a new folder before it was watched is found by looking.
            written |= dict.fromkeys(_files(self._watched.values()) if overflown else ())
            written |= dict.fromkeys(_files(self._follow()))
        return Seen(tuple(written), changed=True, trouble=(_OVERFLOWN,) if overflown else ())

    def follow(self) -> Seen:
        """Watch the folders as they are now. Raises OSError where one cannot be watched."""
        new = self._follow()
        return Seen(tuple(_files(new)), changed=bool(new))

    def _follow(self) -> tuple[Path, ...]:
        """Watch the folders that are there now, and no others; return those that are new."""
        wanted = dict.fromkeys(self.folders())
        before, found = set(self._watched.values()), dict[int, Path]()
        for folder in wanted:
            try:
                watch = self._kernel.add(folder, self._mask)
            except OSError as exc:
                if exc.errno in inotify.FULL:
                    raise
                continue  # gone again, or not ours to read
            found[watch] = folder
        for watch in self._watched.keys() - found.keys():
            self._kernel.remove(watch)
        self._watched = found
        return tuple(folder for folder in found.values() if folder not in before)


_OVERFLOWN = watch_limit(
    "more was written at once than the kernel keeps note of (fs.inotify.max_queued_events); every file was looked at "
    "again, and what was overwritten in between went unseen",
    fix=Command("sudo sysctl fs.inotify.max_queued_events=131072", note="then watch anew"),
)


def _files(folders: Iterable[Path]) -> Iterator[Path]:
    """Yield the regular files in `folders`, not in those below."""
    for folder in folders:
        with suppress(OSError), os.scandir(folder) as listed:
            yield from (Path(one.path) for one in listed if one.is_file(follow_symlinks=False))


def _signatures(folders: Iterable[Path]) -> dict[Path, _Signature]:
    found: dict[Path, _Signature] = {}
    for place in _files(folders):
        with suppress(OSError):
            status = place.lstat()
            found[place] = (status.st_ino, status.st_size, status.st_mtime_ns)
    return found
