"""The log as people read it, and the names by which they ask."""

import pytest
from msgspec.structs import replace

from clawgit.errors import ClawgitError
from clawgit.workspace import identity_edits, memory, memory_lines, records
from clawgit.workspace.undo import undo

from .places import DAY, SOUL, Place, another


def edit(place, text, **more):
    return place.ws.apply(identity_edits.edit(place.ws, "add", text, **{"why": "asked for", "section": "Vibe", **more}))


def newest(place, *paths):
    return next(records.log(place.ws, *paths))


def test_a_day_means_its_last_commit(place):
    place.later(days=1)
    one = edit(place, "One.").commit
    place.later(hours=14, minutes=29)
    two = edit(place, "Two.").commit
    place.later(days=3)
    edit(place, "Three.")
    assert records.find(place.ws, "2026-02-15") == two
    assert records.find(place.ws, "2026-02-17") == two
    assert records.find(place.ws, "2026-02-15T09:30:00") == one
    with pytest.raises(ClawgitError, match="no commit from 2026-02-01 or before"):
        records.find(place.ws, "2026-02-01")


def test_a_word_in_a_reason_is_no_change(place):
    """Nobody becomes a change by being talked about."""
    one = edit(place, "One.")
    edit(place, "Two.", why=f"see\n\nClawgit-Change: {one.change}")
    place.commit({"a.md": "x\n"}, f"talk\n\nClawgit-Change: {one.change}\n\nbut this is the end")
    assert records.find(place.ws, one.change) == one.commit


def test_squashed_commits_can_be_taken_back_together(place):
    """Trailers explain, they are never needed; one commit of two changes is neither of them."""
    start = place.head
    edit(place, "One.")
    two = edit(place, "Two.")
    messages = place.git("log", "--reverse", "--format=%B", f"{start}..HEAD")
    place.git("reset", "--quiet", "--soft", start)
    place.git("commit", "--quiet", "-m", messages)
    assert newest(place).subject.startswith("soul: One.")
    assert (newest(place).change, newest(place).claimed) == (None, True)
    with pytest.raises(ClawgitError, match="there is no change"):
        records.find(place.ws, two.change)
    place.ws.apply(undo(place.ws, "HEAD"))
    assert place.text("SOUL.md") == SOUL
    place.agrees()


def test_a_new_name_is_no_line_and_a_second_copy_is_one(place):
    place.commit({"memory/hens.md": "- The hens lay daily.\n"}, "hens")
    place.git("mv", "memory/hens.md", "memory/birds.md")
    place.git("commit", "--quiet", "-m", "birds")
    place.commit({"memory/birds.md": "- The hens lay daily.\n- The hens lay daily.\n"}, "twice")
    told = records.describe_commits(place.ws, records.log(place.ws, limit=3))
    words = {entry.record.subject: entry.words for entry in told}
    assert words == {
        "twice": ("+ The hens lay daily.",),
        "birds": (),
        "hens": ("+ The hens lay daily.",),
    }


def test_a_fresh_clone_tells_the_same(place, mould):
    """Log, rows, memories and the way back: nothing of it lives in one clone only."""
    place.given(DAY="- Ana: shorter\n")
    edit(place, "Short.", evidence=(f"{DAY}#L1",))
    for text in ("a", "b", "A", "c"):
        place.ws.apply(memory.add(place.ws, text, evidence=(f"{DAY}#L1",)).change)
    place.ws.apply(undo(place.ws))
    change = place.ws.apply(undo(place.ws, newest(place, "SOUL.md").commit)).change
    with another(mould) as elsewhere:
        place.git("clone", "--quiet", place.root, elsewhere.root / "clone")
        clone = Place(elsewhere.root / "clone")
        claims = [replace(one, claimed=True, origin=None) for one in records.log(place.ws)]
        assert list(records.log(clone.ws)) == claims
        assert clone.ws.rows() == place.ws.rows()
        assert list(memory_lines.list_bullets(clone.ws)) == list(memory_lines.list_bullets(place.ws))
        assert records.find(clone.ws, change[:9]) == records.find(place.ws, change)
        clone.ws.apply(undo(clone.ws, change))
        place.ws.apply(undo(place.ws, change))
        assert clone.text("SOUL.md") == place.text("SOUL.md")
        clone.agrees()
