"""Captures edits of others as soon as they pause."""

import itertools
import os
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread

from clawgit import file_roles
from clawgit.errors import Advice, ClawgitError, Command, file_unwritable, watch_limit, workspace_gone
from clawgit.git import git_state, locks, repository
from clawgit.git.git_command import git
from clawgit.git.inotify import FolderEvents
from clawgit.workspace import config, seen_versions
from clawgit.workspace.capture_and_enforce import (
    QUIET_SECONDS,
    Outcome,
    capture_and_enforce,
    list_rested,
)
from clawgit.workspace.change import Captured
from clawgit.workspace.identity_enforcement import enforce
from clawgit.workspace.identity_policy import is_enforced
from clawgit.workspace.uncommitted import list_uncommitted_files
from clawgit.workspace.workspace import Workspace

AGAIN_SECONDS = 60.0
"""What was held back, or went unnoticed, is looked at again after so long."""
RESTLESS_SECONDS = 60.0
"""So long the identity is left to whoever goes on writing in it; who never pauses does not keep it for ever."""
COMMITTING_SECONDS = 1.0
"""A commit of ours would make theirs fail, so theirs is waited for; how long at most, `commit_open` knows."""
_GOING = 20
"""Tenths of a second in which a workspace that is being deleted is gone."""

Tell = Callable[[Outcome], None]
Warn = Callable[[ClawgitError], object]
Signature = tuple[int, ...] | None


class Watch:
    """Watches the workspace at `root`: the present folder, and no other that takes its place.

    `warn` gets versions that may be overwritten unseen; each opened workspace is given to `prepare`.
    """

    def __init__(
        self, root: Path, warn: Warn = lambda _: None, prepare: Callable[[Workspace], object] = lambda _: None
    ) -> None:
        """Begin to watch: later writes are seen."""
        self._root = root
        self._gitdir = repository.find(root).gitdir
        self._inode = root.stat().st_ino
        self._observer = Observer(root, warn)
        self._prepare = prepare
        self._heads: tuple[Signature, ...] = ()
        self._told: set[tuple[str, str]] = set()
        self._restless_since: float | None = None

    def run(self, tell: Tell, stop: Event) -> None:
        """Commit edits of others, one capture for each group of writes, until `stop` is set.

        Every version that is closed meanwhile is kept, even if it is overwritten. Raises ClawgitError when the
        workspace is gone, or is another one now.
        """
        changes, due = True, 0.0
        try:
            while not stop.is_set():
                self._require_same()
                now, heads = time.monotonic(), tuple(_sign(self._gitdir / name) for name in ("HEAD", "logs/HEAD"))
                if heads != self._heads:
                    self._observer.follow()
                if changes or heads != self._heads or now >= due:
                    self._heads, due = heads, now + self.look(now, tell)
                changes = self._observer.wait()
        except Exception:
            for _ in range(_GOING):
                self._require_same()  # it goes while it is looked at: a folder is deleted from its leaves on
                time.sleep(0.1)
            raise
        finally:
            self._observer.close()

    def _require_same(self) -> None:
        try:
            inode = self._root.stat().st_ino
        except OSError as exc:
            raise workspace_gone(f"{self._root} is gone", fix=Advice("git clone BACKUP, or restore it")) from exc
        if self._inode != inode or not (self._root / ".git").exists():
            raise workspace_gone(f"{self._root} was replaced", fix=Command("clawgit -C {} doctor", self._root))

    def look(self, now: float, tell: Tell) -> float:
        """Capture the files at rest, unless somebody's commit is open; return the seconds until the next look.

        Even if that fails, no unapproved text stays in the identity.
        """
        with Workspace(repository.find(self._root), attended=False) as workspace:
            self._prepare(workspace)
            if not workspace.managed and not is_enforced(workspace):
                workspace.require_managed()
            # Git refuses a commit from its editor if HEAD has moved meanwhile.
            if git_state.commit_open(workspace.repo):
                self._say(Outcome(enforced=enforce(workspace)), tell)
                return COMMITTING_SECONDS
            rested_paths, restless = frozenset[str](), frozenset[str]()
            with suppress(ClawgitError):  # of CONFIG.md: the capture says so
                rested_paths, restless = list_rested(workspace)
            result = capture_and_enforce(workspace, rested_paths.__contains__, puts_back=self._puts_back(restless, now))
            self._say(result, tell)
            return QUIET_SECONDS if restless else AGAIN_SECONDS

    def _puts_back(self, restless: Collection[str], now: float) -> bool:
        """Return whether to put back now: a capture keeps an edit in the inbox, once its writer has paused."""
        if not any(map(file_roles.is_identity, restless)):
            self._restless_since = None
        elif self._restless_since is None:
            self._restless_since = now
        return self._restless_since is None or now - self._restless_since >= RESTLESS_SECONDS

    def _say(self, work: Outcome, tell: Tell) -> None:
        """Report captures and files put back, and new reasons for held ones."""
        refusals = {**work.held, **({"": work.refusal} if work.refusal else {})}
        news = {path: error for path, error in refusals.items() if (path, error.message) not in self._told}
        self._told.update((path, error.message) for path, error in news.items())
        hints = {item.path: f": clawgit show {item.item}" for item in work.enforced.returned if item.item}
        back = (
            f"{item.path} was not as approved, and was put back{hints.get(item.path, '')}"
            for item in work.enforced.returned
        )
        notes = (*work.secrets, *back)
        captures = (*work.captured, *((Captured(notes=notes),) if notes else ()))
        if captures or news:
            tell(Outcome(captures, news))


def _sign(place: Path) -> Signature:
    with suppress(OSError):
        status = place.lstat()
        return (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
    return None


WAIT_SECONDS = 1.0
_GROUP_SECONDS = 0.5


_NO_ROOM = watch_limit(
    "the kernel watches no more folders for this user (fs.inotify.max_user_watches): files are compared every second, "
    "and versions overwritten within a second are lost",
    fix=Command("sudo sysctl fs.inotify.max_user_watches=524288", note="then watch anew"),
)


class Observer:
    """Watches the files of the workspace at `root`, in threads of its own.

    One thread reads each file as soon as it is closed, so that the next writer finds it read; the other looks for
    secrets and keeps new versions. The kernel reports changes, or the files are compared every second. `warn` gets
    versions that may go unseen, once.
    """

    def __init__(self, root: Path, warn: Warn) -> None:
        """Begin to watch: later writes are seen."""
        self._root, self._repo = root, repository.find(root)
        self._changed, self._follow, self._stop = Event(), Event(), Event()
        self._warn, self._told = warn, set[str]()
        self._keeper = ThreadPoolExecutor(1, "seen versions")
        self._globs: tuple[str, ...] = ()
        self._tracked, self._folders = frozenset[str](), frozenset[Path]()
        self._signatures: dict[Path, Signature] = {}
        self._events: FolderEvents | None = None
        with suppress(OSError, AttributeError):  # of a system without inotify
            self._events = FolderEvents()
        self._renew_scope()
        self._reader = Thread(target=self._watch, daemon=True, name="file events")
        self._reader.start()

    def wait(self) -> bool:
        """Return whether anything was written, after a second at the latest; a group of writes counts once."""
        if not self._changed.wait(WAIT_SECONDS):
            return False
        time.sleep(_GROUP_SECONDS)
        self._changed.clear()
        return True

    def follow(self) -> None:
        """Update the watched folders and files: the tracked files have changed."""
        self._follow.set()

    def close(self) -> None:
        """End, with all kept that was read."""
        self._stop.set()
        self._reader.join(2 * WAIT_SECONDS + 5)
        self._keeper.shutdown()
        if self._events:
            self._events.close()

    def _watch(self) -> None:
        """Read closed files, until asked to end."""
        try:
            self._take(self._root / change.path for change in list_uncommitted_files(self._repo, self._globs))
            while not self._stop.is_set():
                if self._follow.is_set():
                    self._follow.clear()
                    self._take(self._renew_scope())
                self._take(self._wait_for_files())
        except (ClawgitError, OSError) as exc:  # the workspace is gone, or is being taken away: its watcher says so
            self._tell(exc)

    def _take(self, places: Iterable[Path]) -> None:
        """Read closed files, and have their versions kept."""
        for place in places:
            self._changed.set()
            path = place.relative_to(self._root).as_posix()
            # The scope depends on `capture` of CONFIG.md.
            if path == file_roles.CONFIG:
                self._follow.set()
            is_ours = file_roles.is_captured(path, self._globs, tracked=path in self._tracked)
            if is_ours and (data := locks.read_closed(place)):
                self._keeper.submit(self._keep, path, data, time.time())

    def _keep(self, path: str, data: bytes, read_at: float) -> None:
        try:
            seen_versions.save_seen_version(self._repo, path, data, read_at)
        except Exception as exc:  # noqa: BLE001 - of libgit2, of a repository that is being taken away
            self._tell(exc)

    def _tell(self, exc: Exception) -> None:
        words = f"versions that are overwritten at once go unseen: {exc}"
        error = exc if isinstance(exc, ClawgitError) else file_unwritable(words, fix=Command("clawgit doctor"))
        if error.message not in self._told:
            self._told.add(error.message)
            self._warn(error)

    def _renew_scope(self) -> list[Path]:
        """Read our scope from CONFIG.md and git's index; return the files of new folders."""
        with suppress(ClawgitError):  # whoever needs a value of CONFIG.md says so
            self._globs = tuple(config.load_config(self._root).captured_globs)
        with suppress(ClawgitError):
            output = git(self._root, "ls-files", "-z", "--", "*.md", literal=False)
            names = (os.fsdecode(name) for name in output.split(b"\0") if name)
            self._tracked = frozenset(name for name in names if not file_roles.is_captured(name))
        return self._watch_folders()

    def _wait_for_files(self) -> list[Path]:
        """Return files that were changed, or are gone, after some time at the latest."""
        if self._events is None:
            time.sleep(WAIT_SECONDS)
            self._watch_folders()
            before, self._signatures = self._signatures, {place: _sign(place) for place in _scan_folders(self._folders)}
            return [place for place, _ in before.items() ^ self._signatures.items()]
        changed = self._events.wait(WAIT_SECONDS / 2).get(self._root, set())
        lost_folders = changed & self._folders  # the kernel could not keep note of all
        return [*changed, *(self._watch_folders() if changed else ()), *_scan_folders(lost_folders)]

    def _watch_folders(self) -> list[Path]:
        """Watch the folders as they are now; return the files of new ones."""
        before, self._folders = self._folders, frozenset(self._list_folders())
        if self._events and self._folders != before:
            try:
                self._events.follow(self._root, self._folders)
            except OSError:
                self._events.close()
                self._events = None
                self._tell(_NO_ROOM)
        return _scan_folders(self._folders - before)

    def _list_folders(self) -> Iterator[Path]:
        """Yield the folders in which files of our scope lie or may come to lie."""
        tops = [self._root / name for name in (*file_roles.FOLDERS, "agents/")]
        fixed_names = (
            glob.partition("*")[0].partition("?")[0].rpartition("/")[0] for glob in self._globs if "/" in glob
        )
        tops += [self._root / name for name in fixed_names]
        outside = ((self._root / path).parent for path in self._tracked)
        return itertools.chain([self._root], *map(list_folders_below, tops), filter(Path.is_dir, outside))


def _scan_folders(folders: Iterable[Path]) -> list[Path]:
    """Return the regular files in folders, not in those below."""
    files: list[Path] = []
    for folder in folders:
        with suppress(OSError), os.scandir(folder) as entries:
            files += [Path(entry.path) for entry in entries if entry.is_file(follow_symlinks=False)]
    return files


def list_folders_below(top: Path) -> Iterator[Path]:
    """Yield a folder and those below it, without repositories of their own and without links."""
    if top.is_symlink():
        return
    for folder, folders, _ in os.walk(top):
        folders[:] = sorted(name for name in folders if name != ".git" and not (Path(folder) / name / ".git").exists())
        yield Path(folder)
