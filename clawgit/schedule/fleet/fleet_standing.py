"""How the workspaces of a fleet stand."""

import os
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Literal

from msgspec import Struct

from clawgit.errors import ClawgitError, Command, quoted, workspace_nested
from clawgit.schedule import runner, runner_state
from clawgit.schedule.job_timetable import Last
from clawgit.workspace.agent_workspaces import Home

State = Literal["well", "failing", "new", "unknown"]


class Trouble(Struct, frozen=True):
    """What is wrong: the job, "" for the workspace itself, a sentence and a way out."""

    job: str
    words: str
    fix: str = ""


class Standing(Struct, frozen=True):
    """How a workspace stands.

    `well`: each job ended well when it ran last; `failing`: one of them did not, or does not run though it should;
    `new`: nothing ran yet; `unknown`: it could not be looked at. `runner` is the process that is at work there.
    """

    home: Home
    state: State
    last: str = ""
    job: str = ""
    next: str = ""
    runner: str = ""
    trouble: tuple[Trouble, ...] = ()


def look(home: Home, now: datetime, environ: Mapping[str, str]) -> Standing:
    """Return how one workspace stands, by what its runners noted; nothing is opened there, and nothing written."""
    try:
        place = runner_state.place(home.root, environ)
        if os.path.realpath(place.root) != os.path.realpath(home.root):
            raise workspace_nested(f"{home.root} is inside {place.root}", fix=Command("clawgit init {}", home.root))
        _, rows = runner.standing(place, now, environ)
        holder = runner_state.holder(place.home) or ""
    except ClawgitError as exc:
        return Standing(home, "unknown", trouble=(Trouble("", exc.message, str(exc.fix)),))
    except OSError as exc:
        words = f"{exc.filename or home.root}: {exc.strerror}"
        return Standing(home, "unknown", trouble=(Trouble("", words, f"ls -ld {home.root}"),))
    runs = [(row.row.job, row.kept.last) for row in rows if row.kept.last]
    trouble = (
        *(Trouble(row.row.job, row.row.problem.message, str(row.row.problem.fix)) for row in rows if row.row.problem),
        *(Trouble(job, last.error or last.result, _again(home.root, job)) for job, last in runs if _failed(last)),
    )
    newest = max(runs, key=lambda one: datetime.fromisoformat(one[1].ended), default=None)
    coming = min((row.next for row in rows if row.next), default=None)
    return Standing(
        home,
        "failing" if trouble else "well" if newest else "new",
        newest[1].ended if newest else "",
        newest[0] if newest else "",
        coming.isoformat() if coming else "",
        holder,
        trouble,
    )


def _failed(last: Last) -> bool:
    return last.result in ("failed", "killed")


def _again(root: Path, job: str) -> str:
    return f"clawgit -C {quoted(root)} schedule once {job}"
