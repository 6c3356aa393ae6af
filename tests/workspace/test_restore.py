"""What comes back, and what stays out."""

import pytest

from clawgit.errors import ClawgitError
from clawgit.workspace import entry_association, memory
from clawgit.workspace.restore import restore
from clawgit.workspace.undo import ConflictError, undo

from .places import AWS, DAY, SOUL


def bring(place, wanted, as_of=None):
    return place.ws.apply(restore(place.ws, wanted, as_of))


def test_what_is_not_committed_is_kept_first(place):
    place.write("SOUL.md", "# Mine\n")
    applied = bring(place, "SOUL.md")
    assert place.text("SOUL.md") == SOUL
    assert applied.captured
    assert place.committed("SOUL.md", applied.captured) == b"# Mine\n"
    place.agrees()


def test_an_entry_of_a_journal(place):
    place.given(DAY="# 2026-02-14\n\n- Ana: shorter\n- Ben: longer\n")
    name = memory.memories(place.ws, DAY)
    (first, _) = list(name)
    place.commit({DAY: "# 2026-02-14\n\n- Ben: longer\n"})
    bring(place, first.id)
    assert place.text(DAY) == "# 2026-02-14\n\n- Ana: shorter\n- Ben: longer\n"


def test_an_entry_whose_section_is_gone_too(place):
    added = memory.add(place.ws, "Ana likes tea.", tag="skill")
    place.ws.apply(added.change)
    place.commit({"MEMORY.md": "# Anew\n\n- Other.\n"})
    bring(place, added.id)
    assert place.text("MEMORY.md") == "# Anew\n\n- Other.\n\n## Skills\n\n- Ana likes tea. #skill\n"


def test_an_entry_of_a_file_that_is_gone(place):
    added = memory.add(place.ws, "Ana likes tea.")
    place.ws.apply(added.change)
    place.git("rm", "-q", "MEMORY.md")
    place.git("commit", "-qm", "gone")
    bring(place, added.id)
    assert place.text("MEMORY.md") == "## Knowledge\n\n- Ana likes tea. #knowledge\n"
    place.agrees()


def test_after_a_rename_the_entry_goes_where_its_file_is(place):
    added = memory.add(place.ws, "Ana likes tea.")
    place.ws.apply(added.change)
    place.ws.apply(memory.add(place.ws, "Ben likes rye.").change)
    place.git("mv", "MEMORY.md", "memory/long-term.md")
    place.git("commit", "-qm", "moved")
    text = place.text("memory/long-term.md")
    with place.refused("already-set", added.id):
        bring(place, added.id)
    place.commit({"memory/long-term.md": text.replace("- Ana likes tea. #knowledge\n", "")})
    assert bring(place, added.id).files == ("memory/long-term.md",)
    assert place.text("memory/long-term.md") == text


def test_an_undo_finds_its_file_under_another_name(place):
    added = place.ws.apply(memory.add(place.ws, "Ana likes tea.").change)
    place.ws.apply(memory.add(place.ws, "Ben likes rye.").change)
    place.git("mv", "MEMORY.md", "memory/long-term.md")
    place.git("commit", "-qm", "moved")
    place.ws.apply(undo(place.ws, added.change))
    assert "Ana" not in place.text("memory/long-term.md")
    assert "Ben" in place.text("memory/long-term.md")
    assert place.read("MEMORY.md") is None
    place.agrees()


def test_versions_reach_back_through_renames(place):
    place.commit({"SOUL.md": SOUL + "- More.\n"})
    place.git("mv", "SOUL.md", "B.md")
    place.git("commit", "-qm", "b")
    place.commit({"B.md": SOUL + "- More.\n- Most.\n"})
    place.git("mv", "B.md", "C.md")
    place.git("commit", "-qm", "c")
    found = [(one.path, one.text[len(SOUL) :]) for one in entry_association.versions(place.ws, "C.md")]
    names = ["C.md", "B.md", "B.md", "SOUL.md", "SOUL.md"]
    assert found == list(zip(names, ["- More.\n- Most.\n"] * 2 + ["- More.\n"] * 2 + [""], strict=True))
    assert entry_association.here(place.ws, "SOUL.md") == "C.md"
    assert entry_association.here(place.ws, "never.md") == "never.md"


def test_a_secret_that_history_has_may_come_back(place):
    """It is no new one; a restore that is refused would lose the rest of the file."""
    place.commit({"memory/keys.md": f"key: {AWS}\n- other\n"})
    place.git("rm", "-q", "memory/keys.md")
    place.git("commit", "-qm", "gone")
    bring(place, "memory/keys.md")
    assert AWS in place.text("memory/keys.md")


def test_an_undo_of_several_files_shows_the_conflicts_of_all(place):
    place.commit({"SOUL.md": SOUL.replace("Calm", "Loud"), "MEMORY.md": "# M\n\n- Ana likes tea.\n"}, "both")
    name = place.head
    place.commit({"SOUL.md": SOUL.replace("Calm", "Quiet"), "MEMORY.md": "# M\n\n- Ana likes rye.\n"}, "again")
    before = place.photograph()
    with pytest.raises(ConflictError) as caught:
        undo(place.ws, name)
    sides = " ".join(one.ours for one in caught.value.conflicts)
    assert "Quiet" in sides
    assert "rye" in sides
    assert place.photograph() == before


def test_an_undo_of_several_files_lands_in_all(place):
    before = place.tree()
    place.commit({"SOUL.md": SOUL.replace("Calm", "Loud"), "memory/x.md": "- new\n"}, "both")
    name = place.head
    place.commit({"SOUL.md": place.text("SOUL.md") + "- Later.\n"}, "later")
    assert place.ws.apply(undo(place.ws, name)).files == ("SOUL.md", "memory/x.md")
    assert place.text("SOUL.md") == SOUL + "- Later.\n"
    assert set(place.tree()) == set(before)


def test_a_merge_is_no_change_and_says_what_is(place):
    place.git("checkout", "-qb", "side")
    place.commit({"SOUL.md": SOUL + "- Side.\n"}, "on the side")
    side = place.head
    place.git("checkout", "-q", "main")
    place.commit({"MEMORY.md": "# M\n"}, "on main")
    place.git("merge", "-q", "--no-ff", "-m", "merge", "side")
    merge = place.head[:10]
    with place.refused(f"{merge} is a merge", f"git log --oneline {merge}^..{merge}"):
        undo(place.ws, "HEAD")
    assert side[:7] in place.git("log", "--oneline", f"{merge}^..{merge}")
    place.ws.apply(undo(place.ws, side))
    assert place.text("SOUL.md") == SOUL


def test_a_symlink_or_binary_is_not_restored(place):
    place.commit({"x.md": b"\xff\n"})
    place.git("rm", "-q", "x.md")
    place.git("commit", "-qm", "gone")
    with place.refused("x.md:1 is not valid UTF-8"):
        restore(place.ws, "x.md")


def test_without_a_commit_at_that_time(place):
    place.commit({"later.md": "x\n"})
    with place.refused("there was no later.md at"):
        restore(place.ws, "later.md", "HEAD~1")


def test_a_beginning_of_several_ids(place):
    known = {}
    for number in range(40):
        added = memory.add(place.ws, f"Line {number}.")
        place.ws.apply(added.change)
        known.setdefault(added.id[:1], []).append(added.id)
    with pytest.raises(ClawgitError):
        restore(place.ws, "kk")
