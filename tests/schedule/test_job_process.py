"""A job is a process of its own: whatever becomes of it, the runner goes on."""

import subprocess
import sys
import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from clawgit.schedule import job_process, runner_state
from clawgit.schedule.job_process import Did, Hand, Order

ORDER = Order("capture", "/", "2026-05-04T12:00:00+00:00", 0.0, 60.0, 1000)
PATIENCE = 60.0


def never():
    return False


@pytest.fixture
def handle(tmp_path):
    with runner_state.hold_lease(tmp_path / "lease") as found:
        yield found


def script(text):
    return (sys.executable, "-c", text)


def gone(number):
    """Tell whether a process has ended, waiting for it as long as it takes on a busy machine."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state == "Z":
            return True
        time.sleep(0.02)
    return False


def test_a_real_job_answers(here, handle, environ):
    (here.root / "MEMORY.md").write_text("# Memory\n\n- Somebody wrote this.\n")
    order = replace(ORDER, root=str(here.root), now="2026-06-01T12:00:00+00:00")
    did = Hand(handle, environ)(order, never)
    assert (did.result, did.error, len(did.commits)) == ("done", "", 1)
    said = subprocess.run(
        ["git", "log", "-1", "--format=%H %ad", "--date=iso"], cwd=here.root, capture_output=True, text=True, check=True
    )
    assert said.stdout.startswith(f"{did.commits[0]} 2026-06-01 12:00")


def test_a_job_that_hangs_is_killed_with_all_that_it_started(handle, environ, tmp_path, monkeypatch):
    """It ignores what asks it to end, and so does its child."""
    monkeypatch.setattr(job_process, "GRACE_OF_WORKER", 0.2)
    note = tmp_path / "children"
    words = script(
        "import os, signal, subprocess, sys, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'],"
        " start_new_session=True)\n"
        f"open({str(note)!r}, 'w').write(f'{{os.getpid()}} {{child.pid}}')\n"
        "time.sleep(600)\n"
    )
    did = Hand(handle, environ, words)(replace(ORDER, seconds=2.0), lambda: False)
    assert (did.result, did.error) == ("killed", "it took longer than 2 seconds")
    assert did.fix == "clawgit -C '/' schedule run --once capture"
    if note.exists():  # on a very busy machine its time was over before it began
        assert all(gone(number) for number in note.read_text().split())


def test_asked_to_stop_it_asks_the_job_to_end(handle, environ):
    words = script(
        "import json, signal, sys, threading\n"
        "stop = threading.Event()\n"
        "signal.signal(signal.SIGTERM, lambda *_: stop.set())\n"
        "stop.wait(600)\n"
        'print(json.dumps({"result": "stopped", "commits": ["abc"]}))\n'
    )
    asked = time.monotonic() + 1.0
    did = Hand(handle, environ, words)(ORDER, lambda: time.monotonic() > asked)
    # Where the machine was so busy that it had not begun to listen, it was stopped without a word.
    assert did in (Did("stopped", ["abc"]), Did("stopped", error="capture ended with -15 and no answer"))


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("raise SystemExit(3)", "capture ended with 3 and no answer"),
        ("print('no JSON')", "capture ended with 0 and no answer"),
        ('print(\'{"result": "done", "other": 1}\')', "capture ended with 0 and no answer"),
        ("import os; os.abort()", "capture ended with -6 and no answer"),
        ("import sys; print('boom', file=sys.stderr); sys.exit(1)", "capture ended with 1 and no answer: boom"),
        ("print('[' * 100_000)", "capture ended with 0 and no answer"),
    ],
)
def test_a_job_that_breaks_is_a_failure_and_no_more(handle, environ, text, error):
    did = Hand(handle, environ, script(text))(ORDER, never)
    assert (did.result, did.error) == ("failed", error)


def test_the_folder_at_hand_gives_no_modules(here, handle, environ, monkeypatch):
    """An agent could write them there, and have them run as the operator."""
    (here.root / "json.py").write_text("raise SystemExit('taken over')\n")
    (here.root / "clawgit").mkdir()
    (here.root / "clawgit/__init__.py").write_text("raise SystemExit('taken over')\n")
    monkeypatch.chdir(here.root)
    assert Hand(handle, environ)(replace(ORDER, root=str(here.root)), never).result in ("done", "nothing")


def test_a_job_outlives_no_runner_that_was_killed(here, handle, environ):
    """The end of its stdin asks it to end; meanwhile it holds the lease."""
    script_ = (
        "import json, os, sys, time\n"
        "from clawgit.schedule import worker\n"
        "worker.do = lambda order, stop: [print(os.getpid(), file=sys.stderr, flush=True)]"
        " + [time.sleep(0.01) for _ in iter(lambda: stop(), True)] and worker.Did('stopped')\n"
        "worker.main()\n"
    )
    started = subprocess.Popen(script(script_), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    started.stdin.write(
        b'{"job": "capture", "root": "/", "now": "2026-05-04T12:00:00+00:00", "since": 0, "seconds": 600,'
        b' "tokens": 5}\n'
    )
    started.stdin.flush()
    assert started.stderr.readline().strip() == str(started.pid).encode()
    out, _ = started.communicate(timeout=PATIENCE)
    assert b'"stopped"' in out
    assert started.returncode == 0
