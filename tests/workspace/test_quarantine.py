"""What is kept of unapproved edits: nothing of one is lost."""

import subprocess
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from clawgit.agents import inbox_items
from clawgit.findings.status import status
from clawgit.git import repository
from clawgit.workspace import decide, quarantine, trust_review
from clawgit.workspace.capture_and_enforce import capture_all, capture_and_enforce
from clawgit.workspace.inbox import find_item, list_items
from tests.amounts import amount

from .inboxes import open_items
from .places import SOUL

SAVES = amount(60, 8)


@pytest.fixture(params=["locked"])
def place(place, request):
    """A workspace whose identity was approved, under a policy that lets nothing stand that was not."""
    place.given(SOUL=SOUL)
    place.write("CONFIG.md", f"# Config\n\n```yaml\nsoul_policy: {request.param}\n```\n")
    capture_all(place.open())
    trust_review.approve_head(place.open())
    capture_all(place.open())
    return place


def texts(place):
    """Every text that waits: in the inbox and in quarantine."""
    offered = [item.texts["SOUL.md"][1] for item in open_items(place)]
    return offered, [quarantine.content(one).decode() for one in quarantine.items(place.ws.repo)]


def test_what_is_written_late_into_a_file_on_another_disk_is_there(tmp_path, disk):
    places = [Path("/dev/shm"), disk]
    other = next((one for one in places if one.is_dir() and one.stat().st_dev != tmp_path.stat().st_dev), None)
    if other is None:
        pytest.skip("a second file system; get it: mount a tmpfs on /dev/shm")
    with tempfile.TemporaryDirectory(dir=other, prefix="clawgit-") as far:
        subprocess.run(["git", "init", "-q", "--separate-git-dir", f"{far}/git", str(tmp_path)], check=True)
        (tmp_path / "SOUL.md").write_text("- Not approved.\n")
        with (tmp_path / "SOUL.md").open("a") as file:
            quarantine.put_back(repository.find(tmp_path), "SOUL.md", b"- Approved.\n", 0o644, datetime.now(UTC))
            file.write("- Late.\n")
    assert (tmp_path / "SOUL.md").read_text() == "- Approved.\n"
    assert "- Late.\n" in "".join(place.read_text() for place in tmp_path.glob(".SOUL.md.*"))


def test_an_hour_of_saves_is_one_item(place):
    """An operator writes by hand, and every save is put back: nothing is lost, and little is said."""
    text, saved = SOUL, []
    for number in range(SAVES):
        place.later(seconds=50)
        text = f"{text.rstrip()} and more.\n" if number % 3 == 2 else f"{text}- Thought {number}\n"
        saved.append(text)
        place.write("SOUL.md", text)
        capture_and_enforce(place.open())
        assert place.text("SOUL.md") == SOUL
    offered, kept = texts(place)
    assert offered == [text]
    closed = [item.texts["SOUL.md"][1] for item in place.ws.store.read_items("closed")]
    lines = {line for one in (*offered, *kept, *closed) for line in one.splitlines()}
    assert {line for one in saved for line in one.splitlines()} <= lines
    assert len([one for one in status(place.open()).alarms if "SOUL.md" in one.message]) <= 1


def test_saves_that_no_capture_takes_are_one_item_and_one_alarm(place):
    text = SOUL + "\0"
    for number in range(SAVES):
        place.later(seconds=50)
        text += f"- Thought {number}\n"
        place.write("SOUL.md", text)
        capture_and_enforce(place.open())
    items = quarantine.items(place.ws.repo)
    assert len(items) == SAVES
    ((newest, count),) = quarantine.list_newest(items)
    assert (quarantine.content(newest), count) == (text.encode(), SAVES - 1)
    (alarm,) = [one for one in status(place.open()).alarms if "SOUL.md" in one.message]
    assert alarm.level == "alarm"


def test_two_edits_that_have_nothing_in_common_both_wait(place):
    for line in ("- Prefer tea.\n", "- Answer in verse.\n"):
        place.later(minutes=1)
        place.write("SOUL.md", SOUL + line)
        capture_and_enforce(place.open())
    offered, kept = texts(place)
    assert (offered, kept) == ([SOUL + "- Prefer tea.\n", SOUL + "- Answer in verse.\n"], [])


def test_what_was_taken_out_is_accepted_under_its_own_id(place):
    branch = place.git("symbolic-ref", "--short", "HEAD").strip()
    place.git("checkout", "-q", "--detach")
    place.write("SOUL.md", SOUL + "- Prefer tea.\n")
    capture_and_enforce(place.open())
    assert place.text("SOUL.md") == SOUL
    place.git("checkout", "-q", branch)
    (item,) = list_items(place.open(), "quarantine")
    inbox_items.accept(place.ws, item, decide.view(place.ws, item).digest)
    assert place.text("SOUL.md") == place.open().trust.said("SOUL.md") == SOUL + "- Prefer tea.\n"
    assert (texts(place), find_item(place.ws, item.id).state) == (([], []), "accepted")
