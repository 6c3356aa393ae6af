"""What comes back, and what stays out."""

from clawgit.workspace import memory
from clawgit.workspace.restore import restore

from .places import AWS


def bring(place, wanted, as_of=None):
    return place.ws.apply(restore(place.ws, wanted, as_of))


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


def test_a_secret_that_history_has_may_come_back(place):
    """It is no new one; a restore that is refused would lose the rest of the file."""
    place.commit({"memory/keys.md": f"key: {AWS}\n- other\n"})
    place.git("rm", "-q", "memory/keys.md")
    place.git("commit", "-qm", "gone")
    bring(place, "memory/keys.md")
    assert AWS in place.text("memory/keys.md")
