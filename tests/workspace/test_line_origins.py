"""Where a line came from, in clones and folders of every kind."""

import shutil
import subprocess

import pytest
from msgspec.structs import replace

from clawgit.errors import ClawgitError
from clawgit.git import repository
from clawgit.workspace import identity_edits, identity_versions, line_origins, records, restore
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


def test_each_line_has_its_commit_and_evidence(grown):
    found = line_origins.lines(grown.ws)
    assert [one.text for one in found] == grown.text("SOUL.md").splitlines()
    line, said = line_origins.why(grown.ws, "SOUL.md", number("- Short."))
    assert (line.text, line.record.why, line.cut_off) == ("- Short.", "asked", False)
    assert (said[0].text, said[0].available, said[0].start) == ("- Ana: shorter", True, 1)


def claims(lines):
    """Return lines as a clone tells them: each with a claim of who wrote it."""
    return [replace(one, record=replace(one.record, claimed=True, origin=None)) for one in lines]


def test_a_clone_says_the_same_as_a_claim(grown):
    copy = clone(grown)
    assert list(line_origins.lines(copy)) == claims(line_origins.lines(grown.ws))
    place = ("SOUL.md", number("- Short."))
    (line, said), (own, words) = line_origins.why(copy, *place), line_origins.why(grown.ws, *place)
    assert ([line], said) == (claims([own]), words)
    assert identity_versions.versions(copy) == identity_versions.versions(grown.ws)


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
    line, said = line_origins.why(copy, "SOUL.md", number("- Short."))
    assert line.record.change
    assert said[0].text == "- Ana: shorter"


def test_a_partial_clone_fetches_what_it_lacks(grown):
    copy = clone(grown, "--filter=blob:none")
    assert identity_edits.show(copy, name="HEAD~1").text == grown.committed("SOUL.md", "HEAD~1").decode()
    assert list(line_origins.lines(copy)) == claims(line_origins.lines(grown.ws))


def test_a_partial_clone_without_its_remote_says_what_is_missing(grown):
    copy = clone(grown, "--filter=blob:none")
    shutil.move(grown.root, grown.root.with_name("away"))
    for act in (
        lambda: line_origins.lines(copy),
        lambda: identity_edits.show(copy, name="HEAD~1"),
        lambda: restore.restore(copy, "SOUL.md", "HEAD~1"),
        lambda: identity_versions.versions(copy, everything=True),
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
    assert line_origins.why(grown.ws, "SOUL.md", number("- Kind."))[0].record.why == "asked"


def test_a_linked_worktree_answers_the_same(grown):
    before = line_origins.lines(grown.ws)
    grown.git("worktree", "add", "-q", "../other", "HEAD")
    linked = Workspace(repository.find(grown.root.with_name("other")), lambda: grown.now)
    assert line_origins.lines(linked) == before
    assert [one.commit for one in records.log(linked)] == [one.commit for one in records.log(grown.ws)]


def test_a_file_of_a_nested_repository_is_its_owners(grown):
    inner = grown.root / "inner"
    subprocess.run(["git", "init", "-q", inner], check=True)
    (inner / "x.md").write_text("x\n")
    with grown.refused("path-submodule", "x.md", "clawgit -C"):
        line_origins.lines(grown.ws, "inner/x.md")


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("nope.md", "there is no file nope.md"),
        ("fresh.md", "fresh.md is not committed"),
        ("../x.md", "leaves the folder"),
    ],
)
def test_a_file_without_history_is_said(grown, path, words):
    grown.write("fresh.md", "x\n")
    with grown.refused(words):
        line_origins.lines(grown.ws, path)


def test_a_link_is_not_followed(grown):
    (grown.root / "link.md").symlink_to("SOUL.md")
    grown.git("add", "link.md")
    grown.git("commit", "-qm", "link")
    with grown.refused("link.md is a symbolic link"):
        line_origins.lines(grown.ws, "link.md")


def test_before_the_first_commit_there_is_nothing_to_say(tmp_path):
    subprocess.run(["git", "init", "-q", tmp_path / "new"], check=True)
    (tmp_path / "new/SOUL.md").write_text("x\n")
    new = Workspace(repository.find(tmp_path / "new"))
    with pytest.raises(ClawgitError, match="is not committed"):
        line_origins.lines(new)
    with pytest.raises(ClawgitError, match="never was"):
        restore.restore(new, "OTHER.md")
    assert identity_versions.versions(new) == ()


def test_blame_follows_a_rename_and_sees_through_moves(grown):
    before = {one.text: one.record.commit for one in line_origins.lines(grown.ws)}
    grown.git("mv", "SOUL.md", "größe: 日本.md")
    grown.git("commit", "-qm", "renamed")
    after = {one.text: one.record.commit for one in line_origins.lines(grown.ws, "größe: 日本.md")}
    assert after == before


def test_a_conflicted_or_binary_file_is_refused_in_words(grown):
    grown.commit({"x.md": b"a\xff\n"})
    with grown.refused("x.md:1 is not valid UTF-8"):
        line_origins.lines(grown.ws, "x.md")


def test_a_correction_is_read_whole(grown):
    text = "# Corrections\n\n## kkkkkkkkkk 2026-02-14\n\n- said: a\n- true: b\n\n## llllllllll\n\n- x\n"
    grown.commit({"CORRECTIONS.md": text})
    grown.commit(
        {"SOUL.md": "# New\n"}, "s\n\nEvidence: CORRECTIONS.md#kkkkkkkkkk\nEvidence: CORRECTIONS.md#zzzzzzzzzz"
    )
    _, (said, gone) = line_origins.why(grown.ws, "SOUL.md", 1)
    assert said.text == "## kkkkkkkkkk 2026-02-14\n\n- said: a\n- true: b\n"
    assert (gone.available, "does not stand in CORRECTIONS.md" in gone.missing) == (False, True)
