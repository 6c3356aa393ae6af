"""The state of a runner, and slots that machines share."""

import fcntl
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal
from uuid import uuid4

from msgspec import Struct

from clawgit import errors, file_roles
from clawgit.errors import Advice, ClawgitError, Command, claim_lost
from clawgit.git import regular_file, repository
from clawgit.git.git_command import git
from clawgit.git.repository import Repository
from clawgit.schedule import job_timetable
from clawgit.schedule.job_timetable import Kept
from clawgit.sessions.chat_databases import VARIABLE, Postgres
from clawgit.store.database import StateStore
from clawgit.workspace.approvals import TrustStore

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
    from clawgit.sessions import openclaw_sessions  # noqa: PLC0415 - looked for every few minutes only

    host = Host(environ)
    for transcript in openclaw_sessions.list_transcripts_of_host(host, (agent.id for agent in host.owners(place.root))):
        yield transcript.path
        # SQLite writes to the log beside the database first.
        if transcript.form == "database":
            yield transcript.path.with_name(f"{transcript.path.name}-wal")
    yield host.places.config


def _count_flags(place: Place, _: Mapping[str, str]) -> Iterator[int]:
    """Yield how many messages were flagged: flags are only added."""
    from clawgit.messages import triage  # noqa: PLC0415 - as the above

    yield len(triage.list_flags(StateStore(place.home)))


def _searched(place: Place, environ: Mapping[str, str]) -> Iterator[Path | int]:
    yield from _files(place, environ)
    yield StateStore(place.home).newest("chat_message")


_LOOKS: Mapping[str, Callable[[Place, Mapping[str, str]], Iterable[Path | int]]] = {
    job_timetable.CAPTURE: _files,
    job_timetable.IMPORT: _conversations,
    job_timetable.VALIDATOR: _count_flags,
    job_timetable.INDEX: _searched,
}


_MARGIN_SECONDS = 60.0
"""A slot is held for as long as its job may take, and this for its end: a dead runner's goes to another one then."""
_LAST_SECONDS = 30.0
"""So long it is tried to note what a run came to, while the database is away."""
_DOWN_SECONDS = 5.0
"""So long a database that did not answer is not asked again: whoever waits for it waits once."""
_AGAIN_SECONDS = 1.0
HERE = frozenset({job_timetable.HYGIENE, job_timetable.HOUSEKEEPING, job_timetable.SYNC})
"""Jobs that look after one clone: each machine has them done for itself."""
SETTING = "clawgit.slots"
"""The key of a clone's own git configuration that names the workspace, where it must not be found out."""
_TABLE_LOCK = 0x_C1A6_618  # so that two who come first do not both make the table
_TABLE = """
CREATE TABLE IF NOT EXISTS clawgit_slot (
    workspace text NOT NULL,
    job text NOT NULL,
    slot text NOT NULL,
    runner text NOT NULL,
    until timestamptz NOT NULL,
    runs integer NOT NULL DEFAULT 1,
    done timestamptz,
    result text NOT NULL DEFAULT '',
    PRIMARY KEY (workspace, job, slot)
)
"""
# Time is the database's alone: clocks of machines go an hour apart.
_TAKE = """
INSERT INTO clawgit_slot AS held (workspace, job, slot, runner, until)
SELECT ?, ?, ?, ?, clock_timestamp() + ? * interval '1 second'
ON CONFLICT (workspace, job, slot) DO UPDATE
SET runner = excluded.runner, until = excluded.until, runs = held.runs + 1
WHERE held.done IS NULL AND (held.runner = excluded.runner OR held.until < clock_timestamp())
RETURNING runner
"""
_STANDS = "SELECT done IS NOT NULL FROM clawgit_slot WHERE workspace = ? AND job = ? AND slot = ?"
_CLOSE_SLOT = """
UPDATE clawgit_slot SET done = coalesce(done, clock_timestamp()), result = ?
WHERE workspace = ? AND job = ? AND slot = ? AND runner = ? RETURNING runner
"""
"""Said again where the answer was lost, it is true again."""
_FREE = """
UPDATE clawgit_slot SET until = clock_timestamp()
WHERE workspace = ? AND job = ? AND slot = ? AND runner = ? AND done IS NULL
"""

Standing = Literal["ours", "served", "held"]


class Claims:
    """Slots in PostgreSQL: of several runners one has a slot at a time, and one finishes it."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._runner = f"{os.uname().nodename}:{os.getpid()}:{uuid4().hex[:12]}"
        self._lock = threading.Lock()
        self._down: tuple[float, ClawgitError] | None = None

    def take(self, place: Place, job: str, slot: str, seconds: float) -> "Claim":
        """Claim a slot, by its key, of a workspace, for a job that takes so many seconds at the most.

        Raises ClawgitError if its owner is unknown.
        """
        key = (workspace(place), job, slot)
        if not key[0] or job in HERE:
            return Claim("ours")
        if self.rows(_TAKE, *key, self._runner, seconds + _MARGIN_SECONDS):
            return Claim("ours", self, (*key, self._runner))
        rows = self.rows(_STANDS, *key)
        return Claim("served" if rows and rows[0][0] else "held")

    def rows(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Run a statement over a connection of its own, one at a time. Raises ClawgitError."""
        with self._lock:
            if self._down and time.monotonic() < self._down[0]:
                raise self._down[1]
            self._down = None
            try:
                with closing(Postgres(self._url)) as database:
                    with database.transaction():
                        database.rows("SELECT pg_advisory_xact_lock(?)", _TABLE_LOCK)
                        database.rows(_TABLE)
                    return database.rows(statement, *values)
            except ClawgitError as exc:
                self._down = (time.monotonic() + _DOWN_SECONDS, exc)
                raise


class Claim(Struct, frozen=True):
    """One slot, and its owner; `claims` and `key` are set if other machines need its outcome."""

    standing: Standing
    claims: Claims | None = None
    key: tuple[str, str, str, str] = ("", "", "", "")

    def end(self, result: str, *, well: bool) -> ClawgitError | None:
        """Record the outcome of the run: a slot that did not end well is left to the next runner. Returns the error.

        While the database is away, it is tried again for a while: an unrecorded slot would be served once more.
        """
        last = time.monotonic() + _LAST_SECONDS
        while self.claims:
            try:
                if not well:
                    self.claims.rows(_FREE, *self.key)
                elif not self.claims.rows(_CLOSE_SLOT, result, *self.key):
                    words = f"another runner served {self.key[1]} of {self.key[2]} as well"
                    return claim_lost(words, fix=Command("date"))
            except ClawgitError as exc:
                if not well or time.monotonic() > last:
                    return exc
                time.sleep(_AGAIN_SECONDS)
            else:
                break
        return None


def read_claims(environ: Mapping[str, str]) -> Claims | None:
    """Return the claims of slots if `CLAWGIT_CHAT_URL` names a PostgreSQL; None if it does not."""
    url = environ.get(VARIABLE, "").strip()
    return Claims(url) if url.partition("://")[0] in ("postgresql", "postgres") else None


def workspace(place: Place) -> str:
    """Return the name of a workspace on all machines that sync it, "" for one without other machines.

    Clones that sync have their first commit and the name of their shared repository in common. Copies of a template
    have the first commit, too, and are not one workspace: they do not sync.
    """
    name = _run_git(place, "config", "--get", SETTING)
    if name:
        return name
    # A sync leaves references here for the heads at its remote.
    if not _run_git(place, "for-each-ref", "--count=1", "refs/clawgit/remotes/"):
        return ""
    roots = sorted(_run_git(place, "rev-list", "--max-parents=0", "HEAD").split())
    url = _run_git(place, "config", "--get", "remote.origin.url")
    meets = url.rstrip("/").rpartition("/")[2].rpartition(":")[2].removesuffix(".git")
    return f"{roots[0]}/{meets}" if roots else ""


def _run_git(place: Place, *arguments: str) -> str:
    try:
        return git(place.root, *arguments).decode("utf-8", "replace").strip()
    except ClawgitError:
        return ""
