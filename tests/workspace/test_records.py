"""The log as people read it, and the names by which they ask."""

import pytest
from msgspec.structs import replace

from clawgit.errors import ClawgitError
from clawgit.workspace import identity_edits, memory, records
from clawgit.workspace.undo import undo

from .places import DAY, SOUL, Place, another


def edit(place, text, **more):
    return place.ws.apply(identity_edits.edit(place.ws, "add", text, **{"why": "asked for", "section": "Vibe", **more}))


def newest(place, *paths):
    return next(records.log(place.ws, *paths))


def test_a_change_is_explained(place):
    (day,) = place.ws.apply(memory.add_note(place.ws, "- Ana: shorter")).files
    line = place.text(day).split("\n").index("- Ana: shorter") + 1
    applied = edit(
        place, "Short.", evidence=(f"{day}#L{line}",), agent="soul-keeper", origin="agent", why="Twice.\n\nReally."
    )
    found = newest(place, "SOUL.md")
    assert (found.commit, found.change, found.agent, found.author) == (
        applied.commit,
        applied.change,
        "soul-keeper",
        "soul-keeper",
    )
    assert (found.origin, found.subject, found.why) == ("agent", "soul: Short.", "Twice.\n\nReally.")
    assert (found.date, found.files, found.undoes) == (place.now, ("SOUL.md",), None)
    (cited,) = found.evidence
    assert cited.quote == "- Ana: shorter"
    assert cited.pointer.startswith(f"{day}#L{line}@")


def test_an_undo_says_of_what(place):
    applied = edit(place, "Short.")
    place.ws.apply(undo(place.ws, applied.change))
    assert newest(place).undoes == applied.change


def test_plain_commits_appear_too(place):
    place.commit({"SOUL.md": SOUL + "x\n"}, "fix: by hand\n\nbecause\n\nSigned-off-by: A <a@b>")
    found = newest(place, "SOUL.md")
    assert (found.change, found.agent, found.author, found.subject) == (None, None, "Ada", "fix: by hand")
    assert found.why == "because"
    assert found.evidence == ()


def test_the_log_is_that_of_git(place):
    for number in range(3):
        edit(place, f"Line {number}.")
        place.ws.apply(memory.add_note(place.ws, "x"))
    assert [one.commit for one in records.log(place.ws)] == place.git("log", "--format=%H").split()
    assert [one.commit for one in records.log(place.ws, "SOUL.md")] == place.git(
        "log", "--format=%H", "--", "SOUL.md"
    ).split()
    assert len(list(records.log(place.ws, "SOUL.md", limit=2))) == 2


def test_evidence_that_somebody_wrote_by_hand_is_shown_as_it_is(place):
    place.commit({"a.md": "x\n"}, "s\n\nEvidence: see the talk\nEvidence: a.md#L1\nEvidence:  sha256:")
    assert [(one.pointer, one.quote) for one in newest(place).evidence] == [
        ("see the talk", None),
        ("a.md#L1", None),
        (" sha256:", None),
    ]


def test_a_change_is_found_by_the_beginning_of_its_id(place):
    applied = [edit(place, f"Line {number}.") for number in range(3)]
    ids = [one.change for one in applied]
    for one in applied:
        size = next(n for n in range(1, 11) if sum(other.startswith(one.change[:n]) for other in ids) == 1)
        for name in (one.change, one.change[:size]):
            assert records.find(place.ws, name) == one.commit


def test_a_beginning_of_several_is_refused_with_all_of_them(place, monkeypatch):
    ids = iter(["kkkkkkkkkk", "kkkkkkkkkl"])
    monkeypatch.setattr(memory, "new_id", lambda: next(ids))
    for text in ("a", "b"):
        place.ws.apply(memory.add(place.ws, text).change)
    with pytest.raises(ClawgitError, match="several changes begin with kkkk: ") as caught:
        records.find(place.ws, "kkkk")
    assert "kkkkkkkkkk" in str(caught.value)
    assert "kkkkkkkkkl" in str(caught.value)


@pytest.mark.parametrize("name", ["HEAD", "main", "HEAD~1", "HEAD^", "@", "main@{0}"])
def test_any_revision_is_found(place, name):
    edit(place, "x")
    assert records.find(place.ws, name) == place.git("rev-parse", name).strip()


def test_a_beginning_of_a_commit_is_found(place):
    head = edit(place, "x").commit
    assert records.find(place.ws, head[:7]) == records.find(place.ws, head) == head


def test_a_branch_whose_name_could_be_an_id_is_found(place):
    place.git("branch", "trunk")
    assert records.find(place.ws, "trunk") == place.head


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


def test_what_is_not_there_names_the_nearest(place):
    applied = edit(place, "x")
    slip = applied.change[:-1] + ("k" if applied.change[-1] != "k" else "l")
    with pytest.raises(ClawgitError) as caught:
        records.find(place.ws, slip)
    assert f"there is no change, revision or date {slip!r}; nearest: {applied.change}" in str(caught.value)
    assert str(caught.value.fix) == "clawgit soul log"


def test_before_the_first_commit_there_is_none(memory_folder):
    from clawgit.git.repository import create  # noqa: PLC0415
    from clawgit.workspace.workspace import Workspace  # noqa: PLC0415

    ws = Workspace(create(memory_folder, "main"))
    assert list(records.log(ws)) == []
    for name in ("HEAD", "kkkk", "2026-02-14"):
        with pytest.raises(ClawgitError):
            records.find(ws, name)


def test_a_word_in_a_reason_is_no_change(place):
    """Nobody becomes a change by being talked about."""
    one = edit(place, "One.")
    edit(place, "Two.", why=f"see\n\nClawgit-Change: {one.change}")
    place.commit({"a.md": "x\n"}, f"talk\n\nClawgit-Change: {one.change}\n\nbut this is the end")
    assert records.find(place.ws, one.change) == one.commit


def test_rebased_commits_keep_their_names(place):
    """The ids stay, the commits do not."""
    place.commit({"notes.md": "x\n"})
    start = place.head
    one, two = edit(place, "One."), edit(place, "Two.")
    place.git("rebase", "--quiet", "--force-rebase", "--no-ff", start)
    assert records.find(place.ws, one.change) == place.git("rev-parse", "HEAD~1").strip() != one.commit
    place.ws.apply(undo(place.ws, two.change))
    place.ws.apply(undo(place.ws, one.change))
    assert place.text("SOUL.md") == SOUL


def test_squashed_commits_can_still_be_read_and_taken_back(place):
    """Trailers explain, they are never needed."""
    start = place.head
    edit(place, "One.")
    two = edit(place, "Two.")
    messages = place.git("log", "--reverse", "--format=%B", f"{start}..HEAD")
    place.git("reset", "--quiet", "--soft", start)
    place.git("commit", "--quiet", "-m", messages)
    assert newest(place).subject.startswith("soul: One.")
    assert records.find(place.ws, two.change) == place.head
    place.ws.apply(undo(place.ws, "HEAD"))
    assert place.text("SOUL.md") == SOUL
    place.agrees()


def test_a_commit_without_any_trailer_left_is_taken_back(place):
    one = edit(place, "One.")
    place.git("commit", "--quiet", "--amend", "-m", "squashed")
    with pytest.raises(ClawgitError):
        records.find(place.ws, one.change)
    place.ws.apply(undo(place.ws, "HEAD"))
    assert place.text("SOUL.md") == SOUL


def test_a_commit_in_another_encoding_is_read(place):
    place.write("a.md", "x\n")
    place.git("add", "a.md")
    message = place.root / ".git/message"
    message.write_bytes("größer\n\nweil".encode("latin-1"))
    place.git("-c", "i18n.commitEncoding=latin-1", "commit", "--quiet", "-F", message)
    assert (newest(place).subject, newest(place).why) == ("größer", "weil")


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
        assert list(memory.memories(clone.ws)) == list(memory.memories(place.ws))
        assert records.find(clone.ws, change[:9]) == records.find(place.ws, change)
        clone.ws.apply(undo(clone.ws, change))
        place.ws.apply(undo(place.ws, change))
        assert clone.text("SOUL.md") == place.text("SOUL.md")
        clone.agrees()
