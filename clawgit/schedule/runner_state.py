"""The state of a runner in a workspace."""

import fcntl
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime
from hashlib import blake2b
from pathlib import Path

from msgspec import Struct

from clawgit import errors, file_roles
from clawgit.errors import Advice, ClawgitError, Command
from clawgit.git import regular_file, repository
from clawgit.git.repository import Repository
from clawgit.schedule import job_timetable
from clawgit.schedule.job_timetable import Kept
from clawgit.store.database import StateStore
from clawgit.workspace.trust.approvals import TrustStore

FILE = "schedule.json"
_PRIVATE = 0o700


def load(folder: Path) -> dict[str, Kept]:
    """Return the record of each job. A damaged file is ignored, and each job is new: that starts none."""
    return (regular_file.parse_state(folder / FILE, dict[str, dict[str, Kept]]) or {}).get("jobs", {})


def save(folder: Path, jobs: Mapping[str, Kept]) -> None:
    """Save it. Raises ClawgitError: a run that cannot be noted must not begin."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=_PRIVATE)
        regular_file.save_state(folder / FILE, {"jobs": dict(sorted(jobs.items()))})
    except OSError as exc:
        raise errors.file_unwritable(
            f"what ran cannot be noted: {exc.filename or folder / FILE}: {exc.strerror}",
            fix=Command("mkdir -p {} && ls -ld {}", folder, folder),
        ) from exc


LEASE_FILE = "schedule.lock"
_FRESH_SECONDS = 900.0
"""A timer calls every five minutes."""


@contextmanager
def hold_lease(home: Path, patience: float = 0.0) -> Iterator[int]:
    """Take the lease of the workspace whose local folder is `home` (`.git/clawgit`); yield its handle.

    A process that inherits the handle keeps the lease, so that no second runner begins beside a job that survived the
    first. Raises BusyError when another one has it, and keeps it for `patience` seconds.
    """
    number = _read_process_number(home)
    busy = errors.in_use(
        f"a runner is at work on {home.parent.parent} already: process {number}",
        fix=Command("clawgit schedule status", note=f"or end it: kill {number}"),
    )
    place = home / LEASE_FILE
    with ExitStack() as stack:
        try:
            handle = stack.enter_context(regular_file.lock_file(place, busy, patience))
            while not _is_current(handle, place):  # whoever had it deletes it
                handle = stack.enter_context(regular_file.lock_file(place, busy, patience))
        except OSError as exc:
            raise errors.make_unwritable_error(home, exc) from exc
        try:
            os.ftruncate(handle, 0)
            os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
            yield handle
        finally:
            with suppress(OSError):
                place.unlink()


def _is_current(handle: int, place: Path) -> bool:
    with suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(handle), place.stat())
    return False


def find_runner_process(home: Path) -> str | None:
    """Return the number of the process that runs the workspace, None for none."""
    try:
        with (home / LEASE_FILE).open("rb") as file:
            # A shared lock shows the holder, and two processes that ask do not disturb each other.
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return _read_process_number(home)
    except OSError:
        return None
    return None


def _read_process_number(home: Path) -> str:
    """Return the number of the process that has the lease, or had it last."""
    with suppress(OSError):
        return (home / LEASE_FILE).read_text("ascii", "replace").strip() or "unknown"
    return "unknown"


class Place(Struct, frozen=True):
    """The present folder, and no other that takes its place.

    `home` is the local folder of the clone (`.git/clawgit`), `git` the folder of git, `state` the folder outside, for
    each linked working tree by itself: the runs of one do not count in another.
    """

    root: Path
    home: Path
    git: Path
    state: Path
    inode: int

    def require(self) -> None:
        """Raise GoneError when the workspace is gone, or is another one now."""
        try:
            inode = self.root.stat().st_ino
        except OSError as exc:
            raise GoneError("workspace-gone", f"{self.root} is gone", fix=Advice("git clone BACKUP")) from exc
        if inode != self.inode or not (self.root / ".git").exists():
            raise GoneError(
                "workspace-gone",
                f"{self.root} was replaced",
                fix=Command("clawgit -C {} schedule status", self.root),
            )
        if not (self.root / file_roles.FORMAT).exists():
            raise GoneError("not-managed", f"{self.root} is not managed", fix=Command("clawgit adopt {}", self.root))


class GoneError(ClawgitError):
    """The workspace is no longer there."""


def find_runner_place(folder: Path, environ: Mapping[str, str]) -> Place:
    """Return the workspace around `folder`. Raises ClawgitError for an unmanaged one."""
    location = _locate_place(repository.find(folder), environ)
    location.require()
    return location


def find_place(folder: Path, environ: Mapping[str, str]) -> Place | None:
    """Return the repository around `folder`, also an unmanaged one; None outside of git."""
    with suppress(ClawgitError):
        return _locate_place(repository.find(folder), environ)
    return None


def _locate_place(repo: Repository, environ: Mapping[str, str]) -> Place:
    state = TrustStore(repo.commondir, environ).folder
    state = state / f"worktree-{repo.gitdir.name}" if repo.linked else state
    return Place(repo.root, repo.commondir / "clawgit", repo.commondir, state, repo.root.stat().st_ino)


_DIGITS = 16


def describe_runner(place: Place, now: datetime) -> str:
    """Return a description of the runner of a workspace, "" if there was none for a quarter of an hour."""
    if process := find_runner_process(place.home):
        return f"running: process {process}"
    last = max((max(record.looked, record.ran, record.tried) for record in load(place.state).values()), default=0.0)
    is_fresh = now.timestamp() - last < _FRESH_SECONDS
    return f"a timer, or by hand, last at {datetime.fromtimestamp(last, now.tzinfo):%H:%M}" if is_fresh else ""


def stamp_job(job: str, place: Place, environ: Mapping[str, str]) -> str:
    """Return a stamp that changes when a job has something new to do, "" for a job without one."""
    look = _LOOKS.get(job)
    if look is None:
        return ""
    digest = blake2b(digest_size=_DIGITS)
    for source in look(place, environ):
        state = _read_stamp(source) if isinstance(source, Path) else source
        digest.update(repr((str(source), state)).encode("utf-8", "backslashreplace"))
    return digest.hexdigest()


def _read_stamp(file: Path) -> tuple[int, ...]:
    with suppress(OSError):
        status = file.lstat()
        return status.st_ino, status.st_size, status.st_mtime_ns
    return ()


def _files(place: Place, _: Mapping[str, str]) -> Iterator[Path]:
    """Yield the files of captures, as far as known without git, and those that a commit changes."""
    yield from (place.git / "HEAD", place.git / "logs/HEAD", place.git / "index")
    yield from (path for path in regular_file.list_folder(place.root) if path.name.endswith(".md"))
    for name in (*file_roles.FOLDERS, "agents/", file_roles.OURS):
        for folder, subfolders, files in os.walk(place.root / name):
            subfolders[:] = sorted(
                subfolder for subfolder in subfolders if not (Path(folder) / subfolder / ".git").exists()
            )
            yield from (Path(folder) / file for file in sorted(files))


def _conversations(place: Place, environ: Mapping[str, str]) -> Iterator[Path]:
    """Yield the transcripts and databases of the agents that work here."""
    from clawgit.openclaw.host import Host  # noqa: PLC0415
    from clawgit.sessions import transcript_discovery  # noqa: PLC0415 - looked for every few minutes only

    host = Host(environ)
    for transcript in transcript_discovery.list_transcripts_of_host(
        host, (agent.id for agent in host.owners(place.root))
    ):
        yield transcript.path
        # SQLite writes to the log beside the database first.
        if transcript.form == "database":
            yield transcript.path.with_name(f"{transcript.path.name}-wal")
    yield host.places.config


def _count_flags(place: Place, _: Mapping[str, str]) -> Iterator[int]:
    """Yield how many messages were flagged: flags are only added."""
    from clawgit.messages import message_flags  # noqa: PLC0415 - as the above

    yield len(message_flags.list_flags(StateStore(place.home)))


def _searched(place: Place, environ: Mapping[str, str]) -> Iterator[Path | int]:
    yield from _files(place, environ)
    yield StateStore(place.home).newest("chat_message")


_LOOKS: Mapping[str, Callable[[Place, Mapping[str, str]], Iterable[Path | int]]] = {
    job_timetable.CAPTURE: _files,
    job_timetable.IMPORT: _conversations,
    job_timetable.VALIDATOR: _count_flags,
    job_timetable.INDEX: _searched,
}
