"""The changelog of the identity: what it says, where it lies."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.workspace import changelog, identity_edits, records
from clawgit.workspace.undo import undo

from .places import SOUL


def rendered(place):
    return changelog.changelog(place.ws).text


def test_days_are_grouped_newest_first_whatever_the_order_of_the_log(place, monkeypatch):
    """A rebase leaves author dates that do not follow the log; each day still stands once."""
    for day in ("2096-03-02", "2096-03-01", "2096-03-02"):
        monkeypatch.setenv("GIT_AUTHOR_DATE", f"{day}T12:00:00+02:00")
        place.commit({"SOUL.md": place.text("SOUL.md") + "x\n"}, f"on {day}")
    days = re.findall(r"^## (.+)$", rendered(place), re.MULTILINE)
    assert days == sorted(set(days), reverse=True)
    assert days[:2] == ["2096-03-02", "2096-03-01"]
    assert "- 12:00 +0200, by Ada, without clawgit: `SOUL.md`" in rendered(place)


def test_an_undo_that_was_undone_takes_nothing_back(place):
    first = place.ws.apply(identity_edits.edit(place.ws, "add", "Kind.", section="Vibe", why="w")).change
    second = place.ws.apply(undo(place.ws, first)).change
    assert f"- taken back by `{second}`" in rendered(place)
    third = place.ws.apply(undo(place.ws, second)).change
    text = rendered(place)
    assert f"- taken back by `{third}`" in text
    assert f"- undo: `clawgit undo {first}`" in text
    assert f"- undo: `clawgit undo {third}`" in text


def test_merges_and_what_made_the_workspace_offer_no_undo(place):
    place.git("checkout", "-qb", "side")
    place.commit({"SOUL.md": SOUL.replace("Calm", "Loud")}, "loud")
    place.git("checkout", "-q", "main")
    place.commit({"SOUL.md": SOUL.replace("Calm", "Quiet")}, "quiet")
    place.git("merge", "-q", "-s", "ours", "-m", "joined", "side")
    place.write("SOUL.md", SOUL.replace("Calm", "Both"))
    place.git("commit", "-q", "-a", "--amend", "--no-edit")
    entries = dict(re.findall(r"^### (.+)\n\n((?:- .*\n)+)", rendered(place), re.MULTILINE))
    assert "a merge" in entries["joined"]
    assert "undo" not in entries["joined"]
    assert "undo" not in entries["workspace: managed by clawgit"]
    assert "undo" in entries["loud"]


def test_a_squash_lists_its_changes(place):
    ids = [
        place.ws.apply(identity_edits.edit(place.ws, "add", text, section="Vibe", why="w")).change
        for text in ("Kind.", "Warm.")
    ]
    messages = "\n".join(place.message(name) for name in ("HEAD~1", "HEAD"))
    place.git("reset", "-q", "--soft", "HEAD~2")
    place.git("commit", "-q", "-F", "-", stdin=messages)
    assert f"- squashed: `{ids[0]}` soul: Kind.\n- squashed: `{ids[1]}` soul: Warm.\n" in rendered(place)


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_words_make_one_line_each(subject, why):
    """No words of anybody begin a line, or end the code span that they stand in."""
    assert "\n" not in changelog._plain(subject)
    span = changelog._code(why)
    fence = re.match("`+", span)[0]
    assert span.endswith(fence)
    assert not re.search(f"(?<!`){fence}(?!`)", span[len(fence) : -len(fence)])


def test_an_own_name_that_is_taken_is_refused(place):
    config = place.text("CONFIG.md").replace("```yaml\n", "```yaml\nchangelog_file: SOUL.md\n", 1)
    place.write("CONFIG.md", config)
    with place.refused("SOUL.md is somebody else's", "changelog_file"):
        changelog.changelog(place.open())


@pytest.mark.parametrize("name", ["../out.md", "/etc/x.md", ".git/x.md"])
def test_a_name_that_leads_out_is_refused(place, name):
    config = place.text("CONFIG.md").replace("```yaml\n", f"```yaml\nchangelog_file: {name}\n", 1)
    place.write("CONFIG.md", config)
    with place.refused("path"):
        changelog.changelog(place.open())


def test_the_entries_are_the_log_of_the_guarded_files(place):
    place.commit({"agents/new/SOUL.md": "# New\n", "agents/new/notes.md": "x\n"}, "agent")
    place.commit({"agents/new/notes.md": "y\n"}, "notes")
    place.commit({"MEMORY.md": "# M\n"}, "memory")
    found = [one.subject for one in changelog.identity(place.ws)]
    assert found[0] == "agent"
    assert "notes" not in found
    assert "memory" not in found
    listed = {one.commit for path in ("SOUL.md", "IDENTITY.md") for one in records.log(place.ws, path)}
    assert listed <= {one.commit for one in changelog.identity(place.ws)}
