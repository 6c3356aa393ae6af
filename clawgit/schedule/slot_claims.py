"""Slots that several machines serve once between them."""

import os
import threading
import time
from collections.abc import Mapping
from contextlib import closing
from typing import Any, Literal
from uuid import uuid4

from msgspec import Struct

from clawgit.errors import ClawgitError, Command, claim_lost
from clawgit.git.git_command import git
from clawgit.schedule import job_timetable
from clawgit.schedule.runner_state import Place
from clawgit.sessions.chat_databases import VARIABLE, Postgres

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
