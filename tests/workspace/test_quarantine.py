"""What is kept of unapproved edits: nothing of an honest one is lost, and there is an end to how much."""

import pytest

from clawgit.findings.status import status
from clawgit.workspace import quarantine, trust_review
from clawgit.workspace.capture_and_enforce import capture_all, capture_and_enforce
from clawgit.workspace.enforcement import enforce
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


def test_an_hour_of_saves_is_one_item_and_one_group(place):
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
    lines = {line for one in (*offered, *kept) for line in one.splitlines()}
    assert {line for one in saved for line in one.splitlines()} <= lines
    assert len(quarantine.groups(quarantine.items(place.ws.repo))) <= 1
    assert len([one for one in status(place.open()).alarms if "SOUL.md" in one.message]) <= 1


def test_an_hour_of_saves_that_no_capture_takes_is_one_group_and_one_alarm(place):
    text = SOUL + "\0"
    for number in range(SAVES):
        place.later(seconds=50)
        text += f"- Thought {number}\n"
        place.write("SOUL.md", text)
        capture_and_enforce(place.open())
    items = quarantine.items(place.ws.repo)
    assert len(items) == SAVES
    assert len(quarantine.groups(items)) == 1
    (alarm,) = [one for one in status(place.open()).alarms if "SOUL.md" in one.message]
    assert alarm.level == "alarm"


def test_two_edits_that_have_nothing_in_common_both_wait(place):
    for line in ("- Prefer tea.\n", "- Answer in verse.\n"):
        place.later(minutes=1)
        place.write("SOUL.md", SOUL + line)
        capture_and_enforce(place.open())
    offered, kept = texts(place)
    assert (offered, kept) == ([SOUL + "- Prefer tea.\n", SOUL + "- Answer in verse.\n"], [])


def test_there_is_room_for_so_many_and_what_goes_is_told(place, monkeypatch):
    """First goes what a later version holds line by line, and that is no loss; then the oldest."""
    monkeypatch.setattr(quarantine, "MOST_ITEMS", 10)
    honest = SOUL + "\0- Prefer tea.\n"
    written = [honest, *(SOUL + "\0" + "- More.\n" * count for count in range(1, 9))]
    for text in written:
        place.later(minutes=1)
        place.write("SOUL.md", text)
        enforce(place.open())
    for number in range(4):
        place.later(minutes=1)
        place.write("SOUL.md", SOUL + f"\0- Other {number}.\n")
        enforce(place.open())
    kept = texts(place)[1]
    assert len(kept) <= 10
    assert honest in kept
    assert all(one.contained for one in quarantine.dropped(place.ws.repo))
    assert not [one for one in status(place.open()).alarms if "dropped" in one.message]
    for number in range(10):
        place.later(minutes=1)
        place.write("SOUL.md", SOUL + f"\0- Flood {number}.\n")
        enforce(place.open())
    gone = [one for one in quarantine.dropped(place.ws.repo) if not one.contained]
    assert honest not in texts(place)[1]
    assert (gone[0].path, len(gone[0].blob or ""), gone[0].first < gone[0].when) == ("SOUL.md", 40, True)
    assert [one for one in status(place.open()).alarms if "dropped from quarantine" in one.message]


def test_there_is_room_for_so_many_bytes_and_the_large_go_first(place, monkeypatch):
    monkeypatch.setattr(quarantine, "MOST_BYTES", 12 << 20)
    honest = SOUL + "\0- Prefer tea.\n"
    place.write("SOUL.md", honest)
    enforce(place.open())
    for number in range(5):
        place.later(minutes=1)
        place.write("SOUL.md", f"{number}" * (3 << 20))
        enforce(place.open())
    kept = quarantine.items(place.ws.repo)
    assert sum(one.place.stat().st_size for one in kept) <= 12 << 20
    assert honest.encode() in [quarantine.content(one) for one in kept]


def test_what_somebody_still_writes_into_is_not_dropped(place, monkeypatch):
    monkeypatch.setattr(quarantine, "MOST_ITEMS", 3)
    place.write("SOUL.md", SOUL + "\0first\n")
    with place.root.joinpath("SOUL.md").open("ab") as editor:
        for number in range(6):
            enforce(place.open())
            place.later(minutes=1)
            place.write("SOUL.md", SOUL + f"\0{number}\n")
        editor.write(b"- Late words.\n")
    assert any("Late words" in one for one in texts(place)[1])
