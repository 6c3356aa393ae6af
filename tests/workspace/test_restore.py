"""What comes back, and what stays out."""

import pytest

from clawgit.workspace import memory
from clawgit.workspace.restore import restore
from clawgit.workspace.undo import ConflictError, undo

from .places import AWS, SOUL


def bring(place, wanted, as_of=None):
    return place.ws.apply(restore(place.ws, wanted, as_of))


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
