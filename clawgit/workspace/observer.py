"""Keeps what files held when their writers closed them."""

import errno
import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue
from threading import Event, Thread

from clawgit.errors import ClawgitError, Command, file_unwritable, watch_limit
from clawgit.git import locks, repository
from clawgit.git.git_command import git
from clawgit.git.inotify import FolderEvents
from clawgit.git.repository import Oid, Repository
from clawgit.workspace import config, file_roles, seen_versions
from clawgit.workspace.uncommitted import uncommitted

WAIT_SECONDS = 1.0
_GROUP_SECONDS, _STEP_SECONDS = 1.0, 0.2
_TRIES, _PAUSE_SECONDS = 5, 0.1
_MOST_WAITING = 2_000
"""So many versions wait in memory to be kept; then whoever reads waits too."""

Warn = Callable[[ClawgitError], object]


class Observer:
    """Watches the files of the workspace at `root`, in threads of its own.

    One thread reads each file as soon as it is closed, so that the next writer finds it read; the other looks for
    secrets and keeps what is new. `warn` is told what may go unseen, once.
    """

    def __init__(self, root: Path, warn: Warn) -> None:
        """Begin to watch: what is written from now on is seen."""
        self._scope = _Scope(root)
        self._files = _WatchedFiles(root, self._scope.folders)
        self._read: Queue[tuple[str, bytes, float] | None] = Queue(_MOST_WAITING)
        self._changed, self._follow, self._stop = Event(), Event(), Event()
        self._warn, self._told = warn, set[str]()
        self._head: Oid | None = None
        self._threads = (
            Thread(target=self._watch, daemon=True, name="file events"),
            Thread(target=self._keep, daemon=True, name="seen versions"),
        )
        for thread in self._threads:
            thread.start()

    def wait(self) -> bool:
        """Return whether anything was written, once nobody has for a moment; after a second at the latest."""
        if not self._changed.wait(WAIT_SECONDS):
            return False
        end = time.monotonic() + _GROUP_SECONDS
        while self._changed.is_set() and time.monotonic() < end:
            self._changed.clear()
            self._changed.wait(_STEP_SECONDS)
        self._changed.clear()
        return True

    def follow(self) -> None:
        """Look anew which folders and files are ours: what git tracks has changed."""
        self._follow.set()

    def close(self) -> None:
        """End, with all kept that was read."""
        self._stop.set()
        for thread in self._threads:
            thread.join(2 * WAIT_SECONDS + 5)
        self._files.close()

    def _watch(self) -> None:
        """Read what is closed, until asked to end."""
        try:
            for path in self._scope.waiting():
                self._take(self._scope.root / path)
            while not self._stop.is_set():
                if self._follow.is_set():
                    self._follow.clear()
                    self._scope.renew()
                    self._take_all(self._files.follow())
                self._take_all(self._files.wait())
                if self._files.trouble:
                    self._tell(self._files.trouble)
        except (ClawgitError, OSError) as exc:  # the workspace is gone, or is being taken away: its watcher says so
            self._tell(_blind(exc))
        finally:
            self._read.put(None)

    def _take_all(self, places: Iterable[Path]) -> None:
        for place in places:
            self._changed.set()
            self._take(place)

    def _take(self, place: Path) -> None:
        path = place.relative_to(self._scope.root).as_posix()
        if path == file_roles.CONFIG:
            self._follow.set()
        if self._scope.has(path) and (data := locks.read_closed(place)):
            self._read.put((path, data, time.time()))

    def _keep(self) -> None:
        """Keep what was read, until the reader ends; meanwhile drop what has come into a commit."""
        repo = repository.find(self._scope.root)
        going = True
        while going:
            try:
                going = self._keep_next(repo)
            except ClawgitError as exc:
                self._tell(exc)
            except Exception as exc:  # noqa: BLE001 - of libgit2, of a repository that is being taken away
                self._tell(_blind(exc))
        with suppress(Exception):  # a repository that was taken away: its watcher says so
            self._tidy(repo)

    def _keep_next(self, repo: Repository) -> bool:
        try:
            found = self._read.get(timeout=WAIT_SECONDS)
        except Empty:
            self._tidy(repo)
            return True
        if found:
            _patiently(lambda: seen_versions.keep(repo, *found))
        return found is not None

    def _tidy(self, repo: Repository) -> None:
        """Drop what has come into a commit since the last time."""
        head = repository.head(repo)
        if head != self._head:
            self._head = head
            seen_versions.tidy(repo)

    def _tell(self, error: ClawgitError) -> None:
        if error.message not in self._told:
            self._told.add(error.message)
            self._warn(error)


def _patiently(act: Callable[[], None]) -> None:
    """Do what git may stand in the way of for a moment: it is in the midst of moving its own files."""
    for _ in range(_TRIES):
        try:
            return act()
        except Exception:  # noqa: BLE001 - of libgit2
            time.sleep(_PAUSE_SECONDS)
    return act()


def _blind(exc: Exception) -> ClawgitError:
    if isinstance(exc, ClawgitError):
        return exc
    return file_unwritable(f"versions that are overwritten at once go unseen: {exc}", fix=Command("clawgit doctor"))


class _WatchedFiles:
    """Files in folders: the kernel tells of them, or they are compared every second; then `trouble` says why."""

    def __init__(self, root: Path, folders: Callable[[], Iterable[Path]]) -> None:
        self._root, self._list_folders = root, folders
        self._folders = frozenset[Path]()
        self.trouble: ClawgitError | None = None
        self._events: FolderEvents | None = None
        with suppress(OSError, AttributeError):  # of a system without inotify
            self._events = FolderEvents()
        self.follow()
        self._signatures = _sign_files(self._folders)

    def follow(self) -> list[Path]:
        """Watch the folders as they are now; return the files of new ones."""
        before, self._folders = self._folders, frozenset(self._list_folders())
        if self._events and self._folders != before:
            try:
                self._events.follow(self._root, self._folders)
            except OSError as exc:
                self.close()
                self._signatures, self._events, self.trouble = {}, None, _explain_limit(exc)
        return list(_list_files(self._folders - before))

    def wait(self) -> list[Path]:
        """Return files that were changed, or are gone, after some time at the latest."""
        if self._events is None:
            time.sleep(WAIT_SECONDS)
            self.follow()
            before, self._signatures = self._signatures, _sign_files(self._folders)
            return [place for place, _ in before.items() ^ self._signatures.items()]
        changed = self._events.wait(WAIT_SECONDS / 2).get(self._root, set())
        lost = changed & self._folders  # the kernel could not keep note of all
        return [*changed, *(self.follow() if changed else ()), *_list_files(lost)]

    def close(self) -> None:
        """Stop watching."""
        if self._events:
            self._events.close()


def _explain_limit(exc: OSError) -> ClawgitError:
    key, value = ("max_user_watches", 524_288) if exc.errno == errno.ENOSPC else ("max_user_instances", 1024)
    return watch_limit(
        f"the kernel watches no more folders for this user (fs.inotify.{key}): files are compared every second, "
        "and versions overwritten within a second are lost",
        fix=Command("sudo sysctl fs.inotify.{}={}", key, value, note="then watch anew"),
    )


def _list_files(folders: Iterable[Path]) -> Iterator[Path]:
    """Yield the regular files in folders, not in those below."""
    for folder in folders:
        with suppress(OSError), os.scandir(folder) as listed:
            yield from (Path(one.path) for one in listed if one.is_file(follow_symlinks=False))


def _sign_files(folders: Iterable[Path]) -> dict[Path, tuple[int, int, int]]:
    signatures = {}
    for place in _list_files(folders):
        with suppress(OSError):
            status = place.lstat()
            signatures[place] = (status.st_ino, status.st_size, status.st_mtime_ns)
    return signatures


class _Scope:
    """Which folders are watched, and which files are ours."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._repo = repository.find(root)
        self._globs: tuple[str, ...] = ()
        self._tracked: frozenset[str] = frozenset()
        self.renew()

    def renew(self) -> None:
        """Ask CONFIG.md and git's index what is ours."""
        with suppress(ClawgitError):  # whoever needs a value of CONFIG.md says so
            self._globs = tuple(config.load(self.root).captured_globs)
        with suppress(ClawgitError):
            listed = git(self.root, "ls-files", "-z", "--", "*.md", literal=False)
            names = (os.fsdecode(name) for name in listed.split(b"\0") if name)
            self._tracked = frozenset(name for name in names if not file_roles.captured(name))

    def has(self, path: str) -> bool:
        """Return whether a file is ours to capture."""
        return file_roles.captured(path, self._globs, tracked=path in self._tracked)

    def waiting(self) -> Iterable[str]:
        """Return what was written before anybody looked."""
        return [one.path for one in uncommitted(self._repo, self._globs) if self.has(one.path)]

    def folders(self) -> Iterator[Path]:
        """Yield the folders in which files of ours lie or may come to lie, each once."""
        found = {self.root: None}
        for name in (*file_roles.FOLDERS, "agents/"):
            found |= dict.fromkeys(below(self.root / name))
        for glob in self._globs:
            fixed = glob.partition("*")[0].partition("?")[0].rpartition("/")[0]
            found |= dict.fromkeys(below(self.root / fixed) if "/" in glob else ())
        outside = (self.root / path for path in self._tracked)
        found |= dict.fromkeys(place.parent for place in outside if place.parent.is_dir())
        yield from found


def below(top: Path) -> Iterator[Path]:
    """Yield a folder and those below it, without repositories of their own and without links."""
    if top.is_symlink():
        return
    for folder, below, _ in os.walk(top):
        below[:] = sorted(one for one in below if one != ".git" and not (Path(folder) / one / ".git").exists())
        yield Path(folder)
