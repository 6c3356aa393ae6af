"""Runs due jobs in workspaces, in one or in many."""

import glob
import os
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import nullcontext, suppress
from datetime import datetime
from functools import partial
from hashlib import blake2b
from math import inf
from pathlib import Path
from threading import Event
from typing import Annotated

import schedule
from msgspec import Meta, Struct, ValidationError, convert
from msgspec.structs import replace

from clawgit import errors, file_roles
from clawgit.errors import (
    Advice,
    BusyError,
    ClawgitError,
    Command,
    job_failed,
    quote_shell,
    watch_limit,
    workspace_nested,
)
from clawgit.git import regular_file
from clawgit.git.inotify import FolderEvents
from clawgit.openclaw.host import Host
from clawgit.schedule import job_timetable, runner_state
from clawgit.schedule.job_process import Did, Hand, Order, Stop
from clawgit.schedule.runner import BLIND, Clock, Ended, WorkspaceRunner, tell_new
from clawgit.schedule.runner_state import GoneError, Place
from clawgit.text import yaml_reader
from clawgit.workspace import shared_memory
from clawgit.workspace.capture_and_enforce import QUIET_SECONDS
from clawgit.workspace.shared_memory import Home
from clawgit.workspace.watch import list_folders_below

LONG_SECONDS = 10.0
"""A job that has taken so long no longer counts among those that run at once: it may be stuck."""
MOST_LONG = 32
"""So many jobs may be taking long; then the next ones wait."""
PATIENCE_SECONDS = 15.0
"""What was written waits no longer than this for its writer to pause."""
ROOTS_SECONDS, AGAIN_SECONDS = 60.0, 60.0
"""How often the list of workspaces is read, and a workspace that cannot be run is looked at again."""
BUSY_SECONDS = 5.0
"""So long somebody else's runner is left alone."""
_EDIT_PRIORITY_SECONDS = 30.0
"""By so many seconds of waiting what was written comes before what is only due."""
_DAY = 86_400.0
_IDLE, _PACE, _ENDING = 1.0, 0.05, 30.0

Homes = Callable[[], tuple[Home, ...]]


class Listeners(Struct, frozen=True):
    """Listeners for a job that ended, for a workspace that cannot be run as it is, and for the number of workspaces."""

    ended: Callable[[Home, Ended], object]
    trouble: Callable[[Home, ClawgitError], object]
    listed: Callable[[int | ClawgitError], object] = lambda _: None


class Tenant(Struct, eq=False):
    """A workspace of the fleet; times are seconds of a clock that never goes back.

    `due` is the time of the next look, `first` since when a write waits, `began` the begin of the present look. `told`
    is the trouble that was reported last.
    """

    home: Home
    turn: WorkspaceRunner | None = None
    handle: int = -1
    due: float = 0.0
    first: float | None = None
    began: float | None = None
    watched: bool = False
    told: frozenset[str] = frozenset()


_LookResult = tuple[Ended | None, float, tuple[ClawgitError, ...]]
"""A job that ended, else after how many seconds there is something to do; and what is wrong."""


class FleetRunner:
    """Looks at workspaces after writes there, and when jobs are due, at the latest after `tick` seconds.

    One watcher of the kernel serves all of them. All work on a workspace is done by a thread of a pool, so that a slow
    disk or a stuck job delays only its own; each job is a process, and one look does one job. So many `jobs` run at
    once, each with `memory_mb` (0: as much as there is). The only workspace may have a `lease` that is held already.
    """

    def __init__(
        self,
        homes: Homes,
        jobs: int,
        memory_mb: int,
        stop: Event,
        tell: Listeners,
        environ: Mapping[str, str],
        *,
        lease: int | None = None,
        tick: float = inf,
        clock: Clock = lambda: datetime.now().astimezone(),
    ) -> None:
        self._homes, self._jobs, self._stop, self._tell, self._memory_mb = homes, jobs, stop, tell, memory_mb
        self._environ, self._claims = environ, runner_state.read_claims(environ)
        self._lease, self._tick, self._clock = lease, tick, clock
        self._tenants: dict[Path, Tenant] = {}
        self._running: dict[Future[_LookResult], Tenant] = {}
        self._listing: Future[tuple[Home, ...]] | None = None
        # One thread more reads the list of workspaces.
        self._pool = ThreadPoolExecutor(jobs + MOST_LONG + 1, thread_name_prefix="fleet")
        self._events: FolderEvents | None = None
        with suppress(OSError):
            self._events = FolderEvents()

    def run(self) -> tuple[Home, ...]:
        """Go on until asked to end; jobs that run then end after the present commit.

        Returns the workspaces with an unfinished look, as on a disk that does not answer.
        """
        # `schedule` gives the rhythm, due times are ours: it has no catch-up, and breaks when the clock goes back.
        scheduler = schedule.Scheduler()
        scheduler.every(ROOTS_SECONDS).seconds.do(self._begin_listing)  # type: ignore[arg-type] # it takes parts of a second, too
        scheduler.every(_IDLE).seconds.do(self._begin)  # type: ignore[arg-type]
        scheduler.run_all()
        try:
            while not self._stop.is_set():
                if (scheduler.idle_seconds or 0.0) > ROOTS_SECONDS:  # the machine's clock was put back
                    scheduler.run_all()
                scheduler.run_pending()
                self._step()
        finally:
            self._pool.shutdown(wait=False)
            left = wait(self._running, _ENDING).not_done
            if self._events:
                self._events.close()
        return tuple(self._running[future].home for future in left)

    def _step(self) -> None:
        """Wait for events, a second at most, and handle them."""
        self._finish_listing()
        due = min((tenant.due for tenant in self._tenants.values()), default=inf)
        idle = max(0.0, min(_IDLE, due - time.monotonic()))
        # A thread that ends wakes nobody, so it is looked for often.
        seconds = _PACE if self._running or self._listing else idle
        changes = dict[Path, set[Path]]()
        if self._events:
            changes = self._events.wait(seconds)
        else:
            time.sleep(seconds)
        now = time.monotonic()
        for root, files in changes.items():
            if root in self._tenants:
                self._wrote(self._tenants[root], files, now)
        for future in [future for future in self._running if future.done()]:
            self._finish(self._running.pop(future), future, now)
        self._begin()

    def _begin_listing(self) -> None:
        """Begin to list the workspaces anew."""
        self._listing = self._listing or self._pool.submit(self._homes)

    def _finish_listing(self) -> None:
        """Take up the workspaces that were listed; after a failure they stay as they were."""
        if self._listing is None or not self._listing.done():
            return
        listing, self._listing = self._listing, None
        try:
            homes = {home.root: home for home in listing.result()}
        except ClawgitError as exc:
            self._tell.listed(exc)
            return
        for root in self._tenants.keys() - homes.keys():
            del self._tenants[root]
            if self._events:
                self._events.follow(root, ())
        new = homes.keys() - self._tenants.keys()
        self._tenants |= {root: Tenant(homes[root]) for root in new}
        if new:
            self._tell.listed(len(self._tenants))

    def _wrote(self, tenant: Tenant, files: set[Path], now: float) -> None:
        """Look at a workspace after its writer has paused. Changes while our own job runs are our own commits."""
        logs = tenant.turn.place.git / "logs" if tenant.turn else None
        if tenant.began is not None and all(file.parent == logs for file in files):
            return
        tenant.first = now if tenant.first is None else tenant.first
        tenant.due = min(now + QUIET_SECONDS, tenant.first + PATIENCE_SECONDS)

    def _begin(self) -> None:
        """Begin as many looks as allowed: the longest waiting workspace is next, and one look does one job."""
        now = time.monotonic()
        waiting = [tenant for tenant in self._tenants.values() if tenant.due <= now and tenant.began is None]
        waiting.sort(key=lambda tenant: tenant.due - (_EDIT_PRIORITY_SECONDS if tenant.first is not None else 0.0))
        short = sum(now - (tenant.began or now) < LONG_SECONDS for tenant in self._running.values())
        room = min(self._jobs - short, self._jobs + MOST_LONG - len(self._running))
        for tenant in waiting[: max(room, 0)]:
            early = (job_timetable.CAPTURE,) if tenant.first is not None else ()
            tenant.began, tenant.first, tenant.due = now, None, inf
            self._running[self._pool.submit(self._look, tenant, early)] = tenant

    def _finish(self, tenant: Tenant, future: "Future[_LookResult]", now: float) -> None:
        tenant.began = None
        problems: tuple[ClawgitError, ...]
        try:
            ended, pause, problems = future.result()
        except BusyError:
            tenant.due = min(tenant.due, now + BUSY_SECONDS)
            return
        except GoneError as exc:
            tenant.turn, problems, pause = None, (exc,), AGAIN_SECONDS
        except ClawgitError as exc:
            problems, pause = (exc,), AGAIN_SECONDS
        except Exception as exc:  # noqa: BLE001 - whatever one workspace does, the others go on
            problems = (job_failed(f"{type(exc).__name__}: {exc}", fix=Command("df -h", note="or: mount")),)
            pause = AGAIN_SECONDS
        else:
            if ended:
                self._tell.ended(tenant.home, ended)
                if ended.did.again:
                    tenant.first = now
                    pause = QUIET_SECONDS
        tenant.due = min(tenant.due, now + min(pause, self._tick))
        tenant.told = tell_new(tenant.told, problems, partial(self._tell.trouble, tenant.home))

    def _look(self, tenant: Tenant, early: tuple[str, ...]) -> _LookResult:
        """Do the first due job, in a thread of the pool. Raises the error of any obstacle."""
        turn = tenant.turn or self._turn(tenant)
        turn.place.require()
        crowded = self._follow(tenant, turn.place) if early or not tenant.watched else ()
        lease = runner_state.hold_lease(turn.place.home) if self._lease is None else nullcontext(self._lease)
        with lease as tenant.handle:
            tenant.turn = turn
            ended = next(turn.run(early=early), None)
            return ended, 0.0 if ended else turn.next(), (*turn.problems(), *crowded)

    def _follow(self, tenant: Tenant, place: Place) -> tuple[ClawgitError, ...]:
        """Watch the present folders; without room in the kernel, they are looked at from time to time."""
        tenant.watched = True
        try:
            if self._events:
                self._events.follow(tenant.home.root, list_watched_folders(place))
        except OSError as exc:
            return (
                watch_limit(
                    f"the kernel watches no more folders for this user ({exc.strerror}); what is written is captured "
                    "within five minutes",
                    fix=Command("sudo sysctl fs.inotify.max_user_watches=1048576", note="then start the fleet anew"),
                ),
            )
        return ()

    def _turn(self, tenant: Tenant) -> WorkspaceRunner:
        location = open_place(tenant.home, self._environ)
        tenant.watched = False

        def work(order: Order, stop: Stop) -> Did:
            return Hand(tenant.handle, self._environ)(replace(order, memory_mb=self._memory_mb), stop)

        blind = BLIND
        if self._lease is None:  # the looks of many workspaces without a change are spread over half a day
            spread = blake2b(os.fsencode(location.root), digest_size=2).digest()
            blind = _DAY * (0.5 + int.from_bytes(spread) / 0x1FFFF)
        return WorkspaceRunner(
            location,
            work,
            self._clock,
            self._stop.is_set,
            self._environ,
            blind=blind,
            claims=self._claims,
        )


def open_place(home: Home, environ: Mapping[str, str]) -> Place:
    """Return a workspace of the fleet. Raises ClawgitError for an unmanaged folder, or one inside another workspace."""
    location = runner_state.find_runner_place(home.root, environ)
    if os.path.realpath(location.root) != os.path.realpath(home.root):
        raise workspace_nested(f"{home.root} is inside {location.root}", fix=Command("clawgit init {}", home.root))
    return location


def list_watched_folders(place: Place) -> Iterator[Path]:
    """Yield the folders of a workspace with memory, and with git's record of commits."""
    yield from (place.root, place.git / "logs")
    for name in (*file_roles.FOLDERS, "agents/"):
        yield from list_folders_below(place.root / name)


VARIABLE = "CLAWGIT_FLEET"
_MOST_MEMORY = 1024


class Fleet(Struct, frozen=True, forbid_unknown_fields=True):
    """The workspaces that are run, how many jobs at once, and how much memory each of them may take.

    `file` may not be there: then the workspaces are those of OpenClaw's agents.
    """

    file: Path = Path()
    workspaces: tuple[Annotated[str, Meta(pattern=r"\S")], ...] = ()
    openclaw: bool = True
    workers: Annotated[int, Meta(ge=1)] | None = None
    memory_mb: Annotated[int, Meta(ge=1)] = _MOST_MEMORY

    @property
    def jobs(self) -> int:
        """The number of jobs that run at once, that of the processors by default."""
        return self.workers or max(2, os.cpu_count() or 2)


def locate_fleet_file(environ: Mapping[str, str]) -> Path:
    """Return the file that names the workspaces: the one of the variable, else of the operator's configuration."""
    value = environ.get(VARIABLE)
    home = Path(environ.get("XDG_CONFIG_HOME") or Path(environ.get("HOME", "~")).expanduser() / ".config")
    return Path(value).expanduser().absolute() if value else home / "clawgit/fleet.yaml"


def load_fleet(file: Path, *, named: bool = False) -> Fleet:
    """Return the settings of a file. Raises ClawgitError with file:line, also if a `named` file is missing."""
    try:
        text = regular_file.read_regular_file(file, yaml_reader.MAX_CONFIG_BYTES).decode("utf-8")
    except FileNotFoundError as exc:
        if not named:
            return Fleet(file)
        words = "workspaces:\\n  - ~/agents/*\\n"
        raise errors.file_missing(
            f"{file} does not exist", fix=Advice(f"printf '{words}' > {quote_shell(file)}")
        ) from exc
    except (OSError, ValueError) as exc:
        raise errors.file_unreadable(f"{file} cannot be read: {exc}", fix=Command("ls -l {}", file)) from exc
    fix = Advice(f"see docs/fleet.md, and correct it: {quote_shell(file)}")
    try:
        document = yaml_reader.read_yaml(text)
        if document is None:
            raise errors.setting_invalid(f"{file} holds no keys", fix=fix)
        return replace(convert(document[0], Fleet), file=file)
    except yaml_reader.BlockError as exc:
        raise errors.setting_invalid(f"{file}:{exc.line}: {exc}", fix=fix) from exc
    except ValidationError as exc:
        raise errors.setting_invalid(f"{file}: {exc}", fix=fix) from exc


def homes(fleet: Fleet, environ: Mapping[str, str]) -> tuple[Home, ...]:
    """Return the workspaces, each folder once, by any path: of OpenClaw's agents, then of the file.

    A pattern matches the folders that are workspaces of clawgit; a full name is one, whether it exists or not. Names
    are those of agents, else of folders; of equal ones with the folder above.
    """
    result: dict[str, Home] = {}
    if fleet.openclaw:
        host = Host(environ)
        result = {
            os.path.realpath(home.root): home
            for home in shared_memory.group_workspaces(host.agents)
            if _is_managed(home.root)
        }
    plain = [folder for folder in _folders(fleet) if os.path.realpath(folder) not in result]
    folders = list(dict.fromkeys(plain))
    names = [path.name for path in folders]
    for folder in folders:
        name = folder.name if names.count(folder.name) == 1 else f"{folder.parent.name}/{folder.name}"
        result.setdefault(os.path.realpath(folder), Home((name,), folder))
    return tuple(result.values())


def _is_managed(root: Path) -> bool:
    return (root / file_roles.FORMAT).exists()


def _folders(fleet: Fleet) -> Iterator[Path]:
    for pattern in fleet.workspaces:
        full = str(fleet.file.parent / Path(pattern).expanduser())
        if glob.has_magic(full):
            yield from (Path(path) for path in sorted(glob.iglob(full)) if _is_managed(Path(path)))  # noqa: PTH207 - absolute
        else:
            yield Path(full)
