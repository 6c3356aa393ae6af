"""Runners of several machines serve each slot once."""

import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from urllib.parse import unquote

import pytest

from clawgit.schedule.runner import Turn
from clawgit.schedule.runner_state import place
from clawgit.schedule.slot_claims import Claims
from tests import moulds
from tests.amounts import amount
from tests.sessions.conftest import NEEDS
from tests.sessions.postgres import nobody, programs, throwaway

from .conftest import NOON, Clock, Work

DAY = "2026-05-04"
DAYS = amount(7, 3)


def git(root, *arguments):
    subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True)


@pytest.fixture
def clones(mould, tmp_path, environ):
    """Three clones of one workspace that sync."""
    found = []
    for name in "abc":
        root = moulds.copied(mould, tmp_path / name)
        git(root, "remote", "add", "origin", f"ssh://host-{name}/srv/mira.git")
        git(root, "update-ref", "refs/clawgit/remotes/origin/branch", "HEAD")
        found.append(place(root, {**environ, "XDG_STATE_HOME": str(tmp_path / f"state-{name}")}))
    return found


@pytest.fixture
def claims(postgres_url):
    """Three runners."""
    return [Claims(postgres_url) for _ in range(3)]


def finished(claims):
    return claims.rows("SELECT workspace, job, slot, result, runs FROM clawgit_slot WHERE done IS NOT NULL")


def test_of_many_who_claim_a_slot_at_once_one_has_it(clones, postgres_url):
    many = [Claims(postgres_url) for _ in range(12)]
    with ThreadPoolExecutor(12) as pool:
        for day in range(1, 8):
            slot = f"2026-05-{day:02}"
            found = list(pool.map(lambda one: one.take(clones[0], "memory-miner", slot, 600).standing, many))  # noqa: B023
            assert sorted(found) == ["held"] * 11 + ["ours"]


def test_the_slot_of_one_that_died_goes_to_another_and_the_dead_one_finishes_nothing(clones, claims):
    dead = claims[0].take(clones[0], "memory-miner", DAY, 600)
    assert claims[1].take(clones[1], "memory-miner", DAY, 600).standing == "held"
    claims[2].rows("UPDATE clawgit_slot SET until = clock_timestamp()")
    heir = claims[1].take(clones[1], "memory-miner", DAY, 600)
    assert heir.standing == "ours"
    assert "another runner served" in dead.end("done", well=True).message
    assert heir.end("done", well=True) is None
    assert [(row[3], row[4]) for row in finished(claims[2])] == [("done", 2)]


def test_a_slot_that_did_not_end_well_is_left_to_whoever_comes(clones, claims):
    claim = claims[0].take(clones[0], "memory-miner", DAY, 600)
    assert claim.end("failed", well=False) is None
    assert claims[1].take(clones[1], "memory-miner", DAY, 600).standing == "ours"


def turns(clones, claims, environ, *, clocks=None):
    works = [Work() for _ in clones]
    clocks = clocks or [Clock() for _ in clones]
    found = [
        Turn(one, work, clock, lambda: False, environ, claims=claim)
        for one, work, clock, claim in zip(clones, works, clocks, claims, strict=True)
    ]
    return found, works, clocks


def agents_of(work):
    return [job for job in work.taken() if job in ("memory-miner", "soul-keeper", "conflict-detector", "digest")]


def test_three_runners_serve_each_slot_of_some_days_once_with_clocks_an_hour_apart(clones, claims, environ):
    apart = [timedelta(hours=-1), timedelta(), timedelta(hours=1)]
    found, works, clocks = turns(clones, claims, environ, clocks=[Clock(NOON + one) for one in apart])
    for turn in found:
        list(turn.run())
    for work in works:
        work.taken()
    ran = []
    for _ in range(DAYS * 24):
        for turn, work, clock in zip(found, works, clocks, strict=True):
            clock.go(hours=1)
            list(turn.run())
            ran += [(job, clock.now.date()) for job in agents_of(work)]
    for job in ("memory-miner", "soul-keeper", "conflict-detector", "digest"):
        assert sum(one == job for one, _ in ran) == DAYS, (job, ran)
    assert len(finished(claims[0])) == len({row[:3] for row in finished(claims[0])})


def test_while_the_database_is_away_slots_wait_and_everything_else_goes_on(clones, environ):
    away = [Claims("postgresql://tester@/none?host=/nowhere") for _ in range(1)]
    found, works, clocks = turns(clones[:1], away, environ)
    list(found[0].run())
    works[0].taken()
    clocks[0].go(days=1)
    ran = {one.job for one in found[0].run()}
    assert {"capture", "housekeeping"} <= ran
    assert "memory-miner" not in ran
    assert any("nobody can tell whether" in one.message for one in found[0].problems())
    assert found[0].next() > 0


@pytest.fixture
def own_server():
    """A PostgreSQL of this test alone, and what restarts it."""
    installed = programs()
    if installed is None:
        pytest.skip(NEEDS)
    with throwaway(installed) as url:
        data = Path(unquote(url.partition("host=")[2])) / "data"

        def restart(*, away=0.0):
            for word in ("stop", "restart"):
                command = [installed / "pg_ctl", "-D", data, "-m", "immediate", "-w", word]
                quiet = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
                subprocess.run(command, cwd=data, user=nobody(), check=True, **quiet)
                time.sleep(away if word == "stop" else 0.0)

        yield url, restart


def test_a_restart_of_the_database_takes_no_slot_from_whoever_holds_it(clones, own_server):
    url, restart = own_server
    first, second = Claims(url), Claims(url)
    claim = first.take(clones[0], "memory-miner", DAY, 600)
    assert second.take(clones[1], "memory-miner", DAY, 600).standing == "held"
    restart()
    assert second.take(clones[1], "memory-miner", DAY, 600).standing == "held"
    assert claim.end("done", well=True) is None
    assert second.take(clones[1], "memory-miner", DAY, 600).standing == "served"
