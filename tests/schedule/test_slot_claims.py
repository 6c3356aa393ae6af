"""Runners of several machines serve each slot once."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sync.machines import Machines

CLOCKED = Path(__file__).resolve().parents[1] / "stories/clocked.py"


@pytest.fixture
def machines(mould, tmp_path):
    """Three clones of one workspace that sync, in which the miner alone has a time."""
    created = Machines(mould, tmp_path, "abc")
    others = ("decay-engine", "lessons", "organizer", "housekeeping", "promotion-review", "digest")
    keys = (f"cron_{name}: off\n" for name in ("soul_keeper", "compactor_weekly", "conflict_detector"))
    times = ", ".join(f"{job}: off" for job in others)
    block = f"# Config\n\n```yaml\ntimezone: UTC\ncron_times: {{{times}}}\n{''.join(keys)}```\n"
    created["a"].commit_file("CONFIG.md", block)
    created.settle(2)
    return created


def look(machines, moment, url, *, names="abc"):
    """Let the runners of these machines look at once; return the number of runs of the miner, and their output."""
    clock = machines.hub.root.parent / "clock"
    clock.write_text(f"{moment}:00+00:00")
    running = [
        subprocess.Popen(
            [sys.executable, CLOCKED, clock, "-C", machines[name].root, "schedule", "once", "--json"],
            env={**os.environ, "CLAWGIT_CHAT_URL": url, "XDG_STATE_HOME": str(clock.with_name(f"state-{name}"))},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for name in names
    ]
    outputs = [process.communicate(timeout=120)[0] for process in running]
    return sum('"job": "memory-miner"' in row for text in outputs for row in text.splitlines()), "".join(outputs)


def test_three_runners_serve_each_slot_once_and_the_slot_of_one_that_died_goes_to_another(machines, postgres_url):
    psycopg = pytest.importorskip("psycopg")
    assert look(machines, "2026-12-01T12:00", postgres_url)[0] == 0
    assert look(machines, "2026-12-02T06:00", postgres_url)[0] == 1
    assert look(machines, "2026-12-02T06:10", postgres_url)[0] == 0
    with psycopg.connect(postgres_url, autocommit=True) as database:
        (row,) = database.execute("SELECT workspace, job, slot, runs FROM clawgit_slot").fetchall()
        assert row[1:] == ("memory-miner", "2026-12-02", 1)
        values = (row[0], "memory-miner", "2026-12-03", "a runner that died")
        dead = "INSERT INTO clawgit_slot VALUES (%s, %s, %s, %s, clock_timestamp() + interval '1 hour')"
        database.execute(dead, values)
        assert look(machines, "2026-12-03T06:00", postgres_url)[0] == 0
        database.execute("UPDATE clawgit_slot SET until = clock_timestamp()")
        assert look(machines, "2026-12-03T06:10", postgres_url)[0] == 1


def test_while_the_database_is_away_slots_wait_and_everything_else_goes_on(machines):
    url = "postgresql://tester@/none?host=/nowhere"
    look(machines, "2026-12-01T12:00", url, names="a")
    machines["a"].write("memory/a.md", "- By hand.\n")
    os.utime(machines["a"].root / "memory/a.md", (1, 1))
    count, output = look(machines, "2026-12-02T06:00", url, names="a")
    assert count == 0
    assert "nobody can tell" in output
    assert machines["a"].git("ls-files", "memory/a.md")
