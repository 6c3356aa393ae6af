"""The timetable of a workspace (spec §11)."""

from collections.abc import Callable, Container
from datetime import time

from msgspec import Struct

from clawgit.errors import ClawgitError
from clawgit.schedule.slots import Daily, Every, Weekly, When
from clawgit.workspace import settings
from clawgit.workspace.config import Config
from clawgit.workspace.host.version import Dreaming

CAPTURE, IMPORT, VALIDATOR, INDEX = "capture", "session-import", "recall-validator", "index"
HYGIENE, HOUSEKEEPING, DIGEST, REVIEW = "vector-hygiene", "housekeeping", "digest", "promotion-review"

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
AGENTS = {
    "soul-keeper": "cron_soul_keeper",
    "memory-compactor": "cron_compactor_weekly",
    "memory-miner": "cron_memory_miner",
    "conflict-detector": "cron_conflict_detector",
}
"""The agents that have a time, and the key that says which."""
_HOUR = 3600.0
_MOVED = {"Sunday 03:00": "Sunday 03:40", "Sunday 03:30": "Sunday 04:10"}
"""Where a default goes when OpenClaw dreams in the hour from three on: two writers of one file at once serve nobody."""
_DREAMS_AT_THREE = ("0", "3")


class Row(Struct, frozen=True):
    """One job: `when` is None for one that does not run; `problem` says why, where that is not the operator's wish.

    `key` is the key of CONFIG.md that decides, `moved` the time that it says where another one holds.
    """

    job: str
    key: str
    when: When | None
    problem: ClawgitError | None = None
    moved: str = ""


def timetable(config: Config, agents: Container[str], dreaming: Callable[[], Dreaming]) -> tuple[Row, ...]:
    """Return the rows in the order in which they run where several are due, of the agents that there are.

    A value that cannot be used costs its own row only. Raises ClawgitError where CONFIG.md cannot be read at all.
    """
    poll = _minutes(config, "poll_minutes")
    rows = [Row(job, "poll_minutes", *poll) for job in (CAPTURE, IMPORT, VALIDATOR)]
    rows.append(Row(INDEX, "poll_minutes", None if poll[0] is None else Every(max(_HOUR, poll[0].seconds)), poll[1]))
    rows += [_timed(config, job, key, dreaming) for job, key in AGENTS.items() if job in agents]
    rows += [_timed(config, HYGIENE, "cron_vector_hygiene", dreaming)] if _has_vectors(config) else []
    rows += [_timed(config, HOUSEKEEPING, "cron_housekeeping", dreaming)]
    rows += [_timed(config, REVIEW, "cron_promotion_review", dreaming)]
    return (*rows, _timed(config, DIGEST, "cron_digest", dreaming))


def _minutes(config: Config, key: str) -> tuple[Every | None, ClawgitError | None]:
    shown = config.shown(settings.KEYS[key])
    return (None, shown.problem) if shown.problem else (Every(shown.value * 60.0), None)


def _timed(config: Config, job: str, key: str, dreaming: Callable[[], Dreaming]) -> Row:
    shown = config.shown(settings.KEYS[key])
    if shown.problem:
        return Row(job, key, None, shown.problem)
    said = str(shown.value)
    moved = _MOVED.get(said) if said == settings.KEYS[key].default else None
    if moved and _collides(dreaming()):
        return Row(job, key, when(moved), moved=said)
    return Row(job, key, when(said))


def _collides(dreaming: Dreaming) -> bool:
    """Tell whether OpenClaw rewrites the memory at three; a version that nobody knows may."""
    minute, _, hour = dreaming.schedule.partition(" ")
    return dreaming.on is not False and (minute, hour.partition(" ")[0]) == _DREAMS_AT_THREE


def when(said: str) -> Daily | Weekly | None:
    """Return what a value of CONFIG.md means: "06:00", "Sunday 03:00"; None for "off"."""
    day, _, clock = said.rpartition(" ")
    if clock == "off":
        return None
    at = time.fromisoformat(clock)
    return Weekly(DAYS.index(day), at) if day else Daily(at)


def _has_vectors(config: Config) -> bool:
    """Tell whether there are vectors to look after; a bad value is for the search to tell."""
    embedder, tier = (config.shown(settings.KEYS[name]) for name in ("embedder", "search_tier"))
    return bool(embedder.value) and tier.value != "core"
