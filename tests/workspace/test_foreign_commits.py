"""What others committed themselves is looked at as if it had been found on disk."""

import pytest

from clawgit.findings.status import status
from clawgit.workspace.capture_and_enforce import capture_all

from .places import DAY

OLD = "# Memory\n\n## Knowledge\n\n- The office is in Berlin.\n- Ana leads the team.\n"
YOUNG = "- The budget of spring is spent.\n"
STALE = OLD + "- Rust is what the indexer is written in.\n"
SOUL = "# Soul\n\n" + "".join(f"- Principle number {number} is to be kept.\n" for number in range(20))


@pytest.fixture
def stale(place):
    """A memory file that somebody wrote back from an old reading, and committed themselves."""
    place.given(MEMORY=OLD)
    place.given(MEMORY=OLD + YOUNG)
    capture_all(place.ws)
    place.commit({"MEMORY.md": STALE}, "update memory")
    return place


def notes(place):
    return [words for captured in capture_all(place.open()).captured for words in captured.notes]


def test_what_somebody_committed_stays_and_lines_that_went_are_told(stale):
    (told,) = notes(stale)
    assert told.endswith("brings them back: clawgit log 'MEMORY.md'")
    assert stale.text("MEMORY.md") == STALE
    stale.agrees()


def test_where_nobody_noted_how_far_it_begins_at_the_newest_commit_of_ours(stale):
    """As in a fresh clone, which has nothing of what belongs to one machine."""
    stale.ws.store.drop_document("followed")
    assert len(notes(stale)) == 1


def test_a_merge_that_took_one_side_is_not_healed(place, monkeypatch):
    place.given(MEMORY=OLD)
    place.git("switch", "--quiet", "-c", "side")
    place.commit({"MEMORY.md": OLD + "- Side.\n"}, "side")
    place.git("switch", "--quiet", "main")
    place.given(MEMORY=OLD + YOUNG)
    capture_all(place.ws)
    place.git("merge", "--quiet", "-s", "recursive", "-X", "theirs", "side", "-m", "joined")
    place.write("MEMORY.md", OLD + "- Side.\n")
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2037-01-01T00:00:00Z")  # else it may be the same commit
    place.git("commit", "--quiet", "-a", "--amend", "--no-edit")
    assert notes(place) == [], "what both forms of the merge hold was never off the branch"
    assert "spring" not in place.text("MEMORY.md")


def test_what_others_commit_while_we_look_is_followed_the_next_time(stale):
    def wanted(path):
        stale.git("commit", "--quiet", "--allow-empty", "-m", "meanwhile")
        stale.commit({"MEMORY.md": STALE.replace("- Ana leads the team.\n", "")}, "meanwhile")
        return True

    stale.write(DAY, "- x\n")
    capture_all(stale.open(), wanted)
    assert len(notes(stale)) == 1


def test_an_identity_that_somebody_cut_and_committed_raises_an_alarm(place):
    place.given(SOUL=SOUL)
    capture_all(place.ws)
    before = place.head
    place.commit({"SOUL.md": SOUL[: SOUL.index("- Principle number 5")]}, "tidy")
    (captured,) = capture_all(place.open()).captured
    assert (captured.commit, captured.changed) == (None, ("SOUL.md",))
    (alarm,) = status(place.open()).alarms
    assert str(alarm.fix) == f"clawgit restore 'SOUL.md' --as-of {before[:10]}"
