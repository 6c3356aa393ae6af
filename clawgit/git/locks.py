"""Our lock, git's lock, and the processes that write."""

import contextlib
import errno
import fcntl
import os
import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from msgspec import Struct

from clawgit import errors
from clawgit.git import regular_file, worktree_files
from clawgit.git.repository import Repository
from clawgit.git.worktree_files import announce_step, sync_folder

_DENIED = (errno.EACCES, errno.EPERM, errno.EROFS)
_PROC = Path("/proc")
_LONGEST = 60  # letters of a command line that are told
FORMER_ID = "redo-log-id"
"""The file with the id of a folder that an earlier version made."""
_STARTED = 19  # of the fields of /proc/PID/stat that follow the program's name


class Process(Struct, frozen=True):
    """A process: its number, and its arguments (none if they may not be read)."""

    number: int
    arguments: tuple[str, ...] = ()

    def __str__(self) -> str:
        command = " ".join(("git", *self.arguments[1:]))
        return f"process {self.number} ({command if len(command) <= _LONGEST else command[:_LONGEST] + '…'})"


def list_git_processes(repo: Repository, *commands: str) -> tuple[Process, ...] | None:
    """Return the git processes in this working tree (only these `commands`); None if that is unknown.

    A process of another user with an unreadable folder counts as one of them.
    """
    if not (_PROC / "self/stat").exists():
        return None
    return tuple(
        process
        for process in _gits(repo)
        if not (commands and process.arguments) or set(commands) & {Path(word).name for word in process.arguments}
    )


def is_open(place: Path) -> bool:
    """Return whether a process that we may look into has the file at `place` open."""
    with contextlib.suppress(OSError):
        status = place.stat()
        for handle in (path for number in _numbers() for path in regular_file.list_folder(_PROC / str(number) / "fd")):
            with contextlib.suppress(OSError):
                if os.path.samestat(handle.stat(), status):
                    return True
    return False


def running_seconds(process: Process) -> float:
    """Return the seconds that a process has run; 0 if unknown."""
    try:
        uptime = float((_PROC / "uptime").read_text().split()[0])
        start = read_start((_PROC / str(process.number) / "stat").read_bytes())
        return uptime - start / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return 0.0


def read_start(stat: bytes) -> int:
    """Return when a process began, in ticks since the start of the system, as its line of /proc has it."""
    # The program's name is in parentheses, and may have spaces and parentheses itself.
    return int(stat.rpartition(b")")[2].split()[_STARTED])


def _gits(repo: Repository) -> Iterator[Process]:
    places = tuple(f"{place}" for place in dict.fromkeys((repo.root, repo.gitdir, repo.commondir)))
    for number in _numbers():
        try:
            stat = (_PROC / str(number) / "stat").read_bytes()
            name, fields = stat[stat.index(b"(") + 1 : stat.rindex(b")")], stat[stat.rindex(b")") + 1 :].split()
            # By the name of the program, which its arguments cannot change; git-remote-https counts, too.
            if not (name == b"git" or name.startswith(b"git-")) or fields[0] == b"Z":
                continue
            words = (_PROC / str(number) / "cmdline").read_bytes().split(b"\0")[:-1]
        except (OSError, ValueError, IndexError):
            continue
        arguments = tuple(map(os.fsdecode, words))
        if _works_inside(number, places, arguments):
            yield Process(number, arguments)


def _works_inside(number: int, places: tuple[str, ...], arguments: tuple[str, ...]) -> bool:
    try:
        folder = os.readlink(_PROC / str(number) / "cwd")  # noqa: PTH115 - it may say that the folder is gone
    except PermissionError:
        return True
    except OSError:
        return False
    # A git may work here from elsewhere, by `-C` or `--git-dir=`.
    paths = [os.path.normpath(Path(folder, word.split("=", 1)[-1])) for word in arguments]
    return any(path == place or path.startswith(f"{place}/") for path in (folder, *paths) for place in places)


def _numbers() -> Iterator[int]:
    for name in os.listdir(_PROC) if _PROC.is_dir() else ():  # noqa: PTH208 - names are all it takes
        if name.isdecimal() and int(name) != os.getpid():
            yield int(name)


@contextmanager
def repository_lock(repo: Repository, deadline: float, *, halfway: bool = False) -> Iterator[None]:
    """Hold the lock that all clawgit processes of this reference store share.

    The system drops it when the process ends. Raises BusyError after `deadline` (time.monotonic()), and ClawgitError
    after an interrupted purge, except `halfway` for the one that continues it.
    """
    place = _lock_of(repo)
    announce_step("lock")
    try:
        # A link in the place of a file of ours would lead our writes elsewhere.
        for folder in {place.parent, repo.room}:
            regular_file.set_strays_aside(folder)
        place.parent.mkdir(exist_ok=True)
        handle = os.open(place, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
    except OSError as exc:
        fix = regular_file.clearing_command(exc) or errors.Command("ls -ld {}", repo.commondir)
        raise errors.file_unwritable(f"{place.parent} cannot be written: {exc.strerror}", fix=fix) from exc
    try:
        _wait_for(handle, deadline)
        if not halfway:
            require_whole_purge(repo)
        repo.room.mkdir(exist_ok=True)
        sign_folder(repo)
        yield
    except Exception as exc:
        if not isinstance(exc, OSError) and "pygit2" not in type(exc).__module__:
            raise
        raise translate_system_error(repo, exc) from exc
    finally:
        regular_file.hand_over(repo.commondir)
        os.close(handle)


PURGE_AGAIN = errors.Advice("clawgit purge --text - < FILE   # the same again does the rest")


def _halfway_mark_of(repo: Repository) -> Path:
    return repo.commondir / "clawgit" / "purge-halfway"


def is_purge_halfway(repo: Repository) -> bool:
    """Return whether a purge moved references, but not yet everything that follows them."""
    return _halfway_mark_of(repo).exists()


def mark_purge(repo: Repository, *, halfway: bool) -> None:
    """Note that a purge moves references from now on, or that all else followed them. Raises OSError."""
    if halfway:
        _halfway_mark_of(repo).touch()
    else:
        _halfway_mark_of(repo).unlink(missing_ok=True)


def require_whole_purge(repo: Repository) -> None:
    """Raise ClawgitError after an interrupted purge: a write would undo it."""
    if is_purge_halfway(repo):
        raise errors.purge_unfinished("a purge runs, or was stopped halfway", fix=PURGE_AGAIN)


def _lock_of(repo: Repository) -> Path:
    return repo.commondir / "clawgit" / "lock"


def read_folder_id(repo: Repository) -> str:
    """Return the id of our folder, stored in its lock; "" for none."""
    return "".join(regular_file.read_words(_lock_of(repo), 100))


def sign_folder(repo: Repository) -> None:
    """Give our folder an id if it has none. Raises OSError."""
    place = _lock_of(repo)
    if os.path.lexists(place) and not (place.is_file() and place.stat().st_size == 0):
        return
    name = "".join(regular_file.read_words(repo.room / FORMER_ID, 100)) or os.urandom(16).hex()
    place.parent.mkdir(exist_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(place, flags, 0o600), "wb", buffering=0) as file:
        regular_file.match(file.fileno(), place.parent)
        regular_file.write_all(file.fileno(), f"{name}\n".encode())
        os.fsync(file.fileno())


def mark_folder(repo: Repository) -> str:
    """Return the mark of the lock of our folder, which no copy of the folder has."""
    return mark_file(_lock_of(repo))


def mark_file(place: Path) -> str:
    """Return the device, the inode and the time of change of a file; "" without one."""
    try:
        status = place.lstat()
    except OSError:
        return ""
    return f"{status.st_dev}:{status.st_ino}:{status.st_ctime_ns}"


def translate_system_error(repo: Repository, exc: Exception) -> errors.ClawgitError:
    """Return an error of the system as an error with a fix."""
    if full := errors.find_disk_error(exc, repo.root):
        return full
    number, name = getattr(exc, "errno", None), getattr(exc, "filename2", None) or getattr(exc, "filename", None)
    words = os.strerror(number) if number else str(exc)
    denied = number or any(os.strerror(code) in words for code in _DENIED)
    if not denied and (damage := errors.explain_damage(exc)):
        return damage
    ancestor = next((path for path in (Path(name), *Path(name).parents) if path.exists()), None) if name else None
    fix = regular_file.clearing_command(exc) or errors.Command("ls -ld {} {}", repo.root, repo.gitdir)
    if ancestor and number in _DENIED:
        fix = worktree_files.way_to_write(ancestor)
    return errors.file_unwritable(f"{name}: {words}" if name else words, fix=fix)


def require_free(repo: Repository, deadline: float) -> None:
    """Raise BusyError if our lock is taken until `deadline`; it is released at once."""
    # An OSError: no lock was ever taken, or not by us.
    with contextlib.suppress(OSError), regular_file.open_handle(_lock_of(repo), os.O_RDONLY | os.O_NONBLOCK) as handle:
        _wait_for(handle, deadline)


def _wait_for(handle: int, deadline: float) -> None:
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                inode, number = str(os.fstat(handle).st_ino), 0
                # flock tells that the lock is taken, /proc/locks by whom.
                with contextlib.suppress(OSError, ValueError, IndexError):
                    rows = map(str.split, (_PROC / "locks").read_text().splitlines())
                    holders = [row[4] for row in rows if row[1] == "FLOCK" and row[5].rpartition(":")[2] == inode]
                    number = max(int(holders[0]), 0)
                words = f": process {number}" if number else ""
                fix = f"wait for it, or, if it hangs: kill {number}" if number else "try again in a moment"
                raise errors.in_use(f"another clawgit process is writing{words}", fix=errors.Advice(fix)) from None
            time.sleep(random.uniform(0.001, 0.005))  # noqa: S311 - a pause, not a secret
        else:
            return


class IndexLock:
    """git's own `index.lock`, recognisable as ours after a crash by the id of our folder in it."""

    def __init__(self, repo: Repository) -> None:
        self.place = repo.gitdir / "index.lock"
        self._repo = repo

    def try_take(self) -> bool:
        """Take the lock if it is free; with hard links it is complete as soon as it exists."""
        announce_step("index.lock")
        sign_folder(self._repo)
        fresh = self._repo.room / f"index.lock.{os.urandom(4).hex()}"
        regular_file.replace_state(fresh, self._content())
        try:
            self._link(fresh)
        except FileExistsError:
            fresh.unlink()
            return False
        try:
            fresh.unlink()
        except OSError:
            self.release()
            raise
        return True

    def _link(self, fresh: Path) -> None:
        try:
            # A link appears whole or not at all; `open(O_EXCL)` would show an empty lock for a moment.
            os.link(fresh, self.place)
        except OSError as exc:
            # Some file systems, such as FAT, have no hard links.
            if exc.errno not in (errno.EPERM, errno.ENOTSUP, errno.EMLINK, errno.ENOSYS):
                raise
            regular_file.create(self.place, self._content())

    def take(self, deadline: float) -> None:
        """Take the lock, waiting for git. Raises BusyError after `deadline`."""
        while not self.try_take():
            if time.monotonic() > deadline:
                raise errors.git_busy(
                    f"git is at work: {self.place}", fix=errors.Advice("wait, or: clawgit doctor --fix")
                )
            time.sleep(0.003)

    def ours(self) -> bool:
        """Return whether the present lock is one of ours."""
        try:
            return regular_file.read_regular_file(self.place, 100) == self._content()
        except OSError:
            return False

    def release(self) -> None:
        """Give the lock back."""
        announce_step("unlock")
        with contextlib.suppress(FileNotFoundError):
            self.place.unlink()

    def _content(self) -> bytes:
        return f"clawgit {read_folder_id(self._repo)}\n".encode()


def clear_reference_locks(repo: Repository, branch: str, tip: str | None) -> None:
    """Remove reference locks left by a killed writer of ours.

    Only the holder of our lock may call it. Those under refs/clawgit are ours by name; except for the pending one's,
    they may be in use. The branch's lock is ours when its content is `tip`, the pending commit; an empty or torn one
    only when the same file is still there a second later.
    """
    for place in (repo.commondir / "refs" / "clawgit").rglob("*.lock"):
        if place.name.startswith("pending"):
            place.unlink(missing_ok=True)
        else:
            remove_stale(place)
    if tip is None:
        return
    place = repo.commondir / "refs" / "heads" / f"{branch}.lock"
    content: bytes | None = None
    with contextlib.suppress(FileNotFoundError):
        content = place.read_bytes().strip()
    if content == tip.encode() or (content is not None and tip.encode().startswith(content) and _stays(place)):
        place.unlink(missing_ok=True)
        sync_folder(place.parent)


def remove_stale(place: Path) -> None:
    """Remove the lock of a reference if it is unused, that is, unchanged for a second.

    A writer of a reference keeps its lock for milliseconds.
    """
    if _stays(place):
        place.unlink(missing_ok=True)


def _stays(place: Path) -> bool:
    try:
        before = place.lstat()
        if not time.time() - before.st_mtime > 1:
            time.sleep(1)
        after = place.lstat()
    except FileNotFoundError:
        return False
    return os.path.samestat(before, after) and before.st_size == after.st_size


QUIET_SECONDS = 0.05
_PAUSE = 0.005
_MOST_HELD = 200
"""A process may hold only so many files open; of a larger group each is leased only while it is read."""


@contextmanager
def lease_files(
    repo: Repository, paths: Iterable[str], deadline: float
) -> Iterator[tuple[dict[str, worktree_files.DiskFile | None], Callable[[], None]]]:
    """Yield the files at `paths` while nobody else can start to write them, and a way to end that sooner.

    Waits for processes that have one open for writing. Raises BusyError after `deadline` (time.monotonic()).
    """
    path_list = tuple(paths)
    with ExitStack() as stack:
        files: dict[str, worktree_files.DiskFile | None] = {}
        for path in path_list:
            place = worktree_files.locate(repo, path)
            handle = None if worktree_files.is_folder(place) else wait_for_lease(place, deadline)
            if handle is None:
                files[path] = worktree_files.read_present(repo, path)
                continue
            stack.callback(os.close, handle)
            files[path] = worktree_files.read_handle(handle, path)
            if len(path_list) > _MOST_HELD:
                stack.close()
        yield files, stack.close


def wait_for_lease(place: Path, deadline: float) -> int | None:
    """Return an open, leased handle on `place`; None when there is no such readable file.

    Closing the handle gives the lease back. Raises BusyError after `deadline`.
    """
    while True:
        try:
            handle = worktree_files.open_quietly(place)
        except OSError:
            return None
        # On systems without leases, ask for a modification time in the past.
        is_leased = regular_file.lease(handle, fcntl.F_RDLCK)
        if is_leased or (is_leased is None and time.time() - os.fstat(handle).st_mtime > QUIET_SECONDS):
            return handle
        os.close(handle)
        if time.monotonic() > deadline:
            raise errors.file_open(
                f"{place} is open elsewhere", fix=errors.Command("lsof {}", place, note="then try again")
            )
        time.sleep(_PAUSE)


def read_closed(place: Path) -> bytes | None:
    """Return the content of the file at `place`; None for no file, one that is too large, or one open for writing.

    It does not wait for the writer to close it.
    """
    with (
        contextlib.suppress(errors.ClawgitError, OSError),
        regular_file.open_handle(place, worktree_files.QUIETLY) as handle,
    ):
        if regular_file.lease(handle, fcntl.F_RDLCK) is False:
            return None
        # Without leases a change of size or time shows that somebody wrote during the read.
        before = os.fstat(handle)
        data = worktree_files.read_handle(handle, str(place)).data
        after = os.fstat(handle)
        if (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns):
            return data
    return None


def are_unchanged(repo: Repository, files: Mapping[str, worktree_files.DiskFile | None]) -> bool:
    """Return whether the files at these paths are as they were read."""
    try:
        return all(worktree_files.read_present(repo, path) == file for path, file in files.items())
    except errors.ClawgitError:
        return False
