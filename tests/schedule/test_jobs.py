"""What each job does to a real workspace."""

import json
import subprocess
from datetime import UTC, datetime, timedelta

import pytest

from clawgit import clock
from clawgit.errors import Advice
from clawgit.git import repository
from clawgit.messages import message_flags
from clawgit.schedule import worker
from clawgit.schedule.job_process import Order
from clawgit.store.database import StateStore
from clawgit.workspace import decide, run_ledger
from clawgit.workspace.workspace import Workspace, open_workspace

from .conftest import NOON

SECRET = "ghp_" + "0123456789abcdefghijABCDEFGHIJ012345"
SAID = (
    ("user", "We decided to use Postgres 16 for the billing service."),
    ("assistant", "The standup is on Tuesday."),
    ("user", "No, I said Wednesday, not Tuesday."),
)


@pytest.fixture
def do(here, environ, monkeypatch):
    """Do a job as the worker does it, at noon unless another time is given."""
    for name in ("HOME", "XDG_STATE_HOME", "OPENCLAW_STATE_DIR"):
        monkeypatch.setenv(name, environ[name])

    def run(job, now=NOON, stop=lambda: False, since=0.0, tokens=1000, *, right=True):
        if right:
            clock.confirm(repository.find(here.root), now)
        return worker.do(Order(job, str(here.root), now.isoformat(), since, 600.0, tokens), stop)

    return run


@pytest.fixture
def loose(here):
    """Let git have so many loose objects that it packs what is reachable."""
    subprocess.run(["git", "-C", here.root, "config", "gc.auto", "1"], check=True)
    raw = Workspace(repository.find(here.root)).repo.raw
    for number in range(1000):  # it counts those whose id begins with 17
        raw.create_blob(str(number).encode())


@pytest.fixture
def talk(here, environ, tmp_path):
    """Let OpenClaw's agent of this workspace hold a talk."""
    config = tmp_path / "oc/openclaw.json"
    config.parent.mkdir()
    config.write_text(json.dumps({"agents": {"defaults": {"workspace": str(here.root)}}}))

    def hold(name="s1", said=SAID, at=NOON):
        folder = tmp_path / "oc/agents/main/sessions"
        folder.mkdir(parents=True, exist_ok=True)
        start = int(at.timestamp() * 1000)
        rows = [{"type": "session", "version": 3, "id": name, "timestamp": at.isoformat()}]
        for number, (role, text) in enumerate(said, 1):
            message = {"role": role, "content": text, "timestamp": start + number * 1000}
            parent = f"{name}-{number - 1}" if number > 1 else None
            rows.append({"type": "message", "id": f"{name}-{number}", "parentId": parent, "message": message})
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))

    return hold


def test_a_capture_waits_for_whoever_still_writes(do, here):
    place = here.root / "MEMORY.md"
    place.write_text("# Memory\n\n- half a thou")
    written = datetime.fromtimestamp(place.stat().st_mtime, UTC)
    did = do("capture", written + timedelta(seconds=1))
    assert (did.result, did.commits, did.again) == ("nothing", [], True)
    did = do("capture", written + timedelta(seconds=5))
    assert (did.result, len(did.commits), did.again) == ("done", 1, False)
    assert do("capture", written + timedelta(seconds=9)).result == "nothing"


def test_a_secret_is_held_back_and_told(do, here):
    (here.root / "MEMORY.md").write_text("# Memory\n\n- " + SECRET + "\n")
    did = do("capture")
    assert did.commits == []
    assert "stays uncommitted" in did.notes[0]


def test_conversations_are_kept_and_flagged_once(do, talk, here):
    talk()
    first = do("session-import")
    assert (first.result, first.notes) == ("done", ["3 messages are new, 1 flagged"])
    assert do("session-import").result == "nothing"
    assert [one.text for one in message_flags.flags(StateStore(here.home))] == [SAID[2][1]]
    talk("s2")  # the same words, in another session, at the same time
    assert do("session-import").notes == ["3 messages are new, 0 flagged"]


def test_the_miner_keeps_what_was_said_and_notes_it_in_the_ledger(do, talk, here):
    talk()
    do("session-import")
    did = do("memory-miner")
    assert (did.result, len(did.commits), did.noted, did.error) == ("done", 1, True, "")
    assert "Postgres 16" in (here.root / "MEMORY.md").read_text()
    (ran,) = run_ledger.ledger(StateStore(here.home))
    assert (ran.agent, list(ran.committed)) == ("memory-miner", did.commits)
    assert do("memory-miner").result == "nothing"


def test_housekeeping_renders_the_changelog_forgets_and_packs(do, here, loose):
    from clawgit.workspace import changelog  # noqa: PLC0415
    from clawgit.workspace.change import Change, Edit  # noqa: PLC0415

    workspace = open_workspace(here.root)
    changelog.write(workspace, changelog.changelog(workspace))
    workspace.clock = lambda: NOON
    soul = workspace.read("SOUL.md")
    change = Change("soul: more", edits=(Edit("SOUL.md", soul, f"{soul}- Be brief.\n"),), agent="soul-keeper")
    workspace.apply(change, wait=True)
    (waiting,) = workspace.store.read_items("open")
    assert do("housekeeping", NOON + timedelta(days=300)).result == "done"
    assert [item.id for item in workspace.store.read_items()] == [waiting.id]
    decide.reject(workspace, waiting.id)
    for days, left in ((89, 1), (91, 0)):
        assert do("housekeeping", NOON + timedelta(days=days)).result == "done"
        assert len(workspace.store.read_items()) == left
    assert list((here.home.parent / "objects/pack").glob("*.pack"))


def test_one_part_of_housekeeping_that_fails_stops_no_other(do, here, loose, monkeypatch):
    from clawgit.errors import ClawgitError  # noqa: PLC0415
    from clawgit.workspace import changelog  # noqa: PLC0415

    def fail(_):
        raise ClawgitError("test", "no room", fix=Advice("make some"))

    monkeypatch.setattr(changelog, "refresh", fail)
    did = do("housekeeping")
    assert (did.result, did.error, did.fix) == ("failed", "no room", "make some")
    assert list((here.home.parent / "objects/pack").glob("*.pack"))


@pytest.mark.parametrize("job", ["capture", "session-import", "index", "memory-miner", "housekeeping"])
def test_outside_of_a_managed_workspace_nothing_is_touched(job, do, here):
    subprocess.run(["git", "-C", here.root, "rm", "-q", "--cached", ".clawgit/format"], check=True)
    subprocess.run(["git", "-C", here.root, "commit", "-q", "-m", "workspace: given back by clawgit"], check=True)
    head = Workspace(repository.find(here.root)).head
    did = do(job)
    assert did.result == "failed"
    assert "is not managed by clawgit" in did.error
    assert Workspace(repository.find(here.root)).head == head
