"""`clawgit schedule`."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

CLAWGIT = Path(sys.executable).with_name("clawgit")
PATIENCE = 120


@pytest.fixture(autouse=True)
def _own_state(tmp_path, monkeypatch):
    """A state folder of one's own, and an OpenClaw that is not there."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("OPENCLAW_STATE_DIR", str(tmp_path / "oc"))


def test_once_does_what_is_due_and_says_when_nothing_is(call, space):
    (space / "MEMORY.md").write_text("# Memory\n\n- by hand\n")
    os.utime(space / "MEMORY.md", (1_770_000_000, 1_770_000_000))
    result = call("schedule", "once")
    assert result.code == 0
    assert " capture done, 1 commit\n" in result.out
    repeated = call("schedule", "once")
    assert (repeated.out, repeated.err) == ("", "note: nothing is due; clawgit schedule status says what comes next\n")


def test_a_bad_time_is_named_with_its_line_and_the_rest_is_done(call, space):
    (space / "CONFIG.md").write_text("# Config\n\n```yaml\ncron_memory_miner: 6 o'clock\n```\n")
    result = call("schedule", "once")
    assert result.code == 1
    assert 'CONFIG.md:4: cron_memory_miner: "6 o\'clock" is not a time of day such as 06:00, or off' in result.err
    assert "fix: clawgit config cron_memory_miner 06:00" in result.err
    rows = {row["job"]: row for row in call("schedule", "status", "--json").json}
    assert rows["memory-miner"]["enabled"] is False
    assert rows["memory-miner"]["problem"].startswith("CONFIG.md:4: ")
    assert rows["capture"]["last"]
    assert "CONFIG.md:4: " in call("schedule", "status").out
    call("config", "cron_memory_miner", "off")
    assert next(row for row in call("schedule", "status").out.splitlines() if "memory-miner" in row).split()[1] == "off"


@pytest.fixture
def runner(space):
    """A runner as a process of its own, that has had its first look."""
    command = [CLAWGIT, "-C", space, "schedule", "run", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        yield process
        process.kill()


def test_a_runner_runs_until_it_is_asked_to_end_and_no_second_beside_it(runner, call):
    assert '"job": "capture"' in runner.stdout.readline()
    second = call("schedule", "run")
    assert second.code == 75
    assert f"a runner is at work on {Path.cwd()} already: process {runner.pid}" in second.err
    assert call("schedule", "once").code == 75
    assert f"running: process {runner.pid}" in call("schedule", "status").err
    runner.send_signal(signal.SIGTERM)
    assert runner.wait(PATIENCE) == 0
    assert "running" not in call("schedule", "status").err


def test_a_runner_keeps_what_is_written_over_between_two_captures(runner, call, space):
    runner.stdout.readline()
    for words in ("- only for a moment\n", "- in its place\n"):
        (space / "memory/a.md").write_text(words)
        time.sleep(0.5)
    runner.send_signal(signal.SIGTERM)
    assert runner.wait(PATIENCE) == 0
    assert "- only for a moment" in call("log", "memory/a.md", "--seen").out


def test_a_job_of_a_runner_that_was_killed_keeps_others_out_until_it_ends(call, space, tmp_path):
    script, started, end = (tmp_path / name for name in ("send", "begun", "end"))
    script.write_text(f"#!/bin/sh\ntouch {started}\nwhile [ ! -e {end} ]; do sleep 0.1; done\n")
    script.chmod(0o755)
    call("config", "digest_command", f"[{script}]", terminal=True)
    call("memory", "add", "Ana likes tea.")
    deadline = time.monotonic() + PATIENCE
    with subprocess.Popen([CLAWGIT, "-C", space, "schedule", "run", "--once", "digest"]) as runner:
        while not started.exists():
            assert time.monotonic() < deadline
            time.sleep(0.05)
        runner.kill()
    assert call("schedule", "run", "--once", "capture").code == 75
    end.touch()
    while call("schedule", "run", "--once", "capture").code == 75:
        assert time.monotonic() < deadline


def test_the_jobs_of_a_week_are_done_when_they_are_named(call):
    for job in ("promotion-review", "housekeeping"):
        answer = call("schedule", "once", job, "--json")
        assert answer.code == 0, answer.err
    assert {row["job"]: bool(row["last"]) for row in call("schedule", "status", "--json").json}["promotion-review"]


def test_a_runner_ends_with_its_workspace(runner, space):
    runner.stdout.readline()
    space.rename(space.with_name("moved"))
    _, err = runner.communicate(timeout=PATIENCE)
    assert (runner.returncode, "error: " in err, str(space) in err) == (1, True, True), err
