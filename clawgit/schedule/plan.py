"""What CONFIG.md and the machine say of a workspace's schedule."""

from collections.abc import Mapping
from datetime import tzinfo
from pathlib import Path

from msgspec import Struct

from clawgit.agents import roster
from clawgit.schedule.place import Place
from clawgit.schedule.timetable import Row, timetable
from clawgit.schedule.zone import zone
from clawgit.workspace import config, scope
from clawgit.workspace.host.host import Host
from clawgit.workspace.host.version import Dreaming

_HOUR = 3600


class Plan(Struct, frozen=True):
    """The rows, the zone that their times are meant in, and what one run may take."""

    rows: tuple[Row, ...]
    zone: tzinfo
    zone_name: str
    seconds: float
    commits: int
    tokens: int

    def row(self, job: str) -> Row | None:
        """Return the row of a job, None where there is none."""
        return next((row for row in self.rows if row.job == job), None)


def read(place: Place, environ: Mapping[str, str]) -> Plan:
    """Return the plan as it is now. Raises ClawgitError with file:line for what cannot be used."""
    found = config.load(place.root)
    host = Host(environ)
    here, name = zone(found, environ)
    rows = timetable(found, roster.AGENTS, lambda: host.dreaming if host.installed else Dreaming(on=False))
    value = found.value
    return Plan(rows, here, name, float(value("run_seconds")), int(value("run_commits")), int(value("run_tokens")))


class Reading:
    """Reads the plan again when CONFIG.md has changed, and every hour for what else it depends on."""

    def __init__(self, place: Place, environ: Mapping[str, str]) -> None:
        self._place, self._environ = place, environ
        self._seen: tuple[object, ...] | None = None
        self._plan: Plan | None = None

    def plan(self, now: float) -> Plan:
        """Return the plan at a moment, in seconds since 1970. Raises ClawgitError."""
        seen = (_stamp(self._place.root / scope.CONFIG), now // _HOUR)
        if self._plan is None or seen != self._seen:
            self._plan, self._seen = None, seen
            self._plan = read(self._place, self._environ)
        return self._plan


def _stamp(file: Path) -> tuple[int, ...]:
    try:
        status = file.stat()
    except OSError:
        return ()
    return status.st_ino, status.st_size, status.st_mtime_ns
