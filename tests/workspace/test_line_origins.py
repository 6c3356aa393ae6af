"""Where a line came from, in clones and folders of every kind."""

import shutil
import subprocess

import pytest

from clawgit.errors import ClawgitError
from clawgit.git import repository
from clawgit.workspace import identity_edits, line_origins, records, restore
from clawgit.workspace.workspace import Workspace

from .places import DAY, SOUL


def clone(place, *options):
    """Clone the place over a real transport, and open the copy."""
    place.git("config", "uploadpack.allowFilter", "true")
    target = place.root.with_name("clone")
    subprocess.run(["git", "clone", "-q", *options, f"file://{place.root}", target], check=True)
    with (target / ".git/config").open("a") as config:
        config.write("[user]\n\tname = Ben\n\temail = ben@example.org\n")
    return Workspace(repository.find(target), lambda: place.now)


@pytest.fixture
def grown(place):
    """A note, and two lines of the soul, one of which cites it."""
    place.given(DAY="- Ana: shorter\n")
    for text, cited in (("Short.", (f"{DAY}#L1",)), ("Kind.", ())):
        place.later(days=1)
        place.ws.apply(identity_edits.edit(place.ws, "add", text, section="Vibe", why="asked", evidence=cited))
    return place


def number(text, path="SOUL.md"):
    return path.index(text) if text in path else 1 + SOUL.count("\n") + ["- Short.", "- Kind."].index(text)


def test_a_shallow_clone_says_that_it_ends(grown):
    copy = clone(grown, "--depth", "1")
    found = line_origins.lines(copy)
    assert all(one.cut_off for one in found)
    (one,) = records.log(copy, "SOUL.md")
    assert one.commit == grown.head
    with pytest.raises(ClawgitError, match="shallow"):
        restore.restore(copy, "SOUL.md#Never")
    with pytest.raises(ClawgitError, match="shallow"):
        restore.restore(copy, "zzzzzzzzzz")


def test_evidence_from_before_the_end_of_a_shallow_clone(grown):
    """The commit that it names is not here; the words stand in the tree that is."""
    copy = clone(grown, "--depth", "2")
    line, said = line_origins.trace_line(copy, "SOUL.md", number("- Short."))
    assert line.record.change
    assert said[0].text == "- Ana: shorter"


def test_a_partial_clone_without_its_remote_says_what_is_missing(grown):
    copy = clone(grown, "--filter=blob:none")
    shutil.move(grown.root, grown.root.with_name("away"))
    for act in (
        lambda: line_origins.lines(copy),
        lambda: identity_edits.show(copy, name="HEAD~1"),
        lambda: restore.restore(copy, "SOUL.md", "HEAD~1"),
        lambda: identity_edits.versions(copy, everything=True),
    ):
        with pytest.raises(ClawgitError, match="not here, and cannot be fetched") as caught:
            act()
        assert str(caught.value.fix) == "git fetch --refetch origin"
    assert len(list(records.log(copy, "SOUL.md"))) == 3  # the log needs no file


def test_a_sparse_checkout_answers_from_head(grown):
    grown.git("sparse-checkout", "set", "--no-cone", "/MEMORY.md", "/.clawgit/")
    assert grown.read("SOUL.md") is None
    assert [one.text for one in line_origins.lines(grown.ws)] == grown.committed("SOUL.md").decode().splitlines()
    assert line_origins.place(grown.ws, "SOUL.md:3") == ("SOUL.md", 3)
    assert line_origins.trace_line(grown.ws, "SOUL.md", number("- Kind."))[0].record.why == "asked"
