"""Managed workspaces to be run, and a clock that the tests set."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from clawgit.schedule.job_process import Did, Order
from clawgit.schedule.runner import Turn
from clawgit.schedule.runner_state import Place, place
from tests import moulds
from tests.moulds import no_waiting_for_the_disk  # noqa: F401 - for all tests of this folder
from tests.sessions.conftest import cluster, postgres_url  # noqa: F401 - a real PostgreSQL

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)  # a Monday


@dataclass
class Clock:
    """Tells the time that it was set to."""

    now: datetime = NOON

    def __call__(self) -> datetime:
        return self.now

    def go(self, **time: float) -> None:
        self.now += timedelta(**time)


@dataclass
class Work:
    """Does nothing, and notes what it was asked for; `comes` is what a job comes to, by its name."""

    comes: dict[str, Did | BaseException] = field(default_factory=dict)
    orders: list[Order] = field(default_factory=list)

    def __call__(self, order: Order, stop: Callable[[], bool]) -> Did:
        self.orders.append(order)
        came = self.comes.get(order.job, Did())
        if isinstance(came, BaseException):
            raise came
        return came

    def taken(self) -> list[str]:
        """Return the jobs that were asked for since the last time."""
        jobs, self.orders = [one.job for one in self.orders], []
        return jobs


@pytest.fixture(scope="session")
def mould(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A managed workspace, made once to be copied."""
    return moulds.managed(tmp_path_factory.mktemp("mould") / "ws", "# Soul\n\n- Have a view.\n- Look before asking.\n")


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    """The variables of an operator who has an OpenClaw of their own."""
    more = {
        "HOME": str(tmp_path),
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "OPENCLAW_STATE_DIR": str(tmp_path / "oc"),
    }
    return {**os.environ, **more}


@pytest.fixture
def here(mould: Path, tmp_path: Path, environ: dict[str, str]) -> Place:
    """A copy of the mould."""
    return place(moulds.copied(mould, tmp_path / "ws"), environ)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def work() -> Work:
    return Work()


@pytest.fixture
def turn(here: Place, work: Work, clock: Clock, environ: dict[str, str]) -> Turn:
    """What looks at the workspace."""
    return Turn(here, work, clock, lambda: False, environ)


@pytest.fixture
def configure(here: Place) -> Callable[[str], None]:
    """Let CONFIG.md say nothing but these lines."""

    def write(block: str) -> None:
        (here.root / "CONFIG.md").write_text(f"# Config\n\n```yaml\n{block}\n```\n")

    return write
