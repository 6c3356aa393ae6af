"""Nothing is removed by its age while the machine's clock may be wrong."""

import subprocess
from datetime import UTC, datetime

import pytest

from clawgit import clock

DAY = 86_400.0


@pytest.fixture
def here(place):
    """A workspace whose newest commit is of now, and whose clock was never seen."""
    place.now = datetime.now(UTC)
    place.ws.store.drop_document("clock")
    return place


def doubted(place) -> str:
    found = clock.doubt(place.ws.repo, place.now)
    return found.message if found else ""


def commit(place, when: datetime) -> None:
    environ = {"GIT_COMMITTER_DATE": when.isoformat(), "PATH": "/usr/bin:/bin"}
    arguments = ["git", "-c", "user.name=A", "-c", "user.email=a@b", "commit", "-q", "--no-verify", "--allow-empty"]
    subprocess.run([*arguments, "-m", "x"], cwd=place.root, env=environ, check=True)


@pytest.mark.parametrize("days", [2, 116_000, -100])
def test_a_clock_that_is_days_from_the_newest_commit_is_not(here, days: int) -> None:
    here.later(days=days)
    assert "the newest commit is of" in doubted(here)


@pytest.mark.parametrize("days", [100, -100])
def test_what_is_written_by_a_clock_that_jumped_does_not_make_it_right(here, days: int) -> None:
    clock.note(here.ws.store, here.now)
    here.later(days=days)
    commit(here, min(here.now, datetime(2090, 1, 1, tzinfo=UTC)))
    clock.note(here.ws.store, here.now)
    assert "it was last seen at" in doubted(here)
    here.later(days=3 if days > 0 else -3)
    clock.note(here.ws.store, here.now)
    assert doubted(here)


@pytest.mark.parametrize("days", [100, -100])
def test_the_operators_word_is_believed_also_beside_commits_of_another_time(here, days: int) -> None:
    clock.note(here.ws.store, here.now)
    here.later(days=days)
    assert doubted(here)
    clock.confirm(here.ws.repo, here.now)
    assert not doubted(here)
    here.later(hours=5)
    clock.note(here.ws.store, here.now)
    assert not doubted(here)
    here.later(days=-days)
    assert doubted(here)


def test_forty_idle_days_of_a_machine_that_ran_or_slept_are_believed(here, monkeypatch, tmp_path) -> None:
    uptime = tmp_path / "uptime"
    uptime.write_text("1000.0 1.0")
    monkeypatch.setattr(clock, "_UPTIME", uptime)
    clock.note(here.ws.store, here.now)
    uptime.write_text(f"{1000 + 40 * DAY} 1.0")
    here.later(days=40)
    assert not doubted(here)


def test_a_machine_that_was_off_for_days_is_believed_a_day_later(here, monkeypatch, tmp_path) -> None:
    boot = tmp_path / "boot"
    boot.write_text("one")
    monkeypatch.setattr(clock, "_BOOT", boot)
    clock.note(here.ws.store, here.now)
    boot.write_text("two")
    here.later(days=4)
    clock.note(here.ws.store, here.now)
    assert "started anew since" in doubted(here)
    for _ in range(3):
        here.later(hours=10)
        clock.note(here.ws.store, here.now)
    assert not doubted(here)
