"""A reading of history that was interrupted goes on where it was, and comes to the same."""

import os

import pytest

from clawgit.git import churn
from clawgit.git.churn import Gap
from clawgit.git.repository import find
from clawgit.workspace.report import report_history
from clawgit.workspace.report.report import report

from .reports import AWS, JOURNAL, wild

COMMITS = 12


@pytest.fixture
def place(memory_folder, monkeypatch):
    """A folder with a history, of which everything that is read is written down at once."""
    monkeypatch.setattr(report_history, "_PATIENCE", -1)
    monkeypatch.setattr(report_history, "_OFTEN", -1)
    place = wild(memory_folder)
    rows = []
    for number in range(COMMITS):
        rows.append(f"- note {number} on the hedgehog in the garden\n")
        lost = rows[::3] if number % 4 == 3 else rows
        place.commit({JOURNAL: "# day\n\n" + "".join(lost), f"n{number}.md": f"key {AWS[:-2]}{number:02}\n"})
        place.commit({f"n{number}.md": None})
    return place


@pytest.fixture
def notes(memory_folder):
    return memory_folder / "clawgit" / "cache"


@pytest.fixture
def asked(monkeypatch):
    """The commits that git was asked for."""
    found = []
    churned = churn.churn

    def asking(repo, commits, *globs):
        found.extend(commits)
        return churned(repo, commits, *globs)

    monkeypatch.setattr(churn, "churn", asking)
    return found


def interrupted(place, notes, after):
    """Read until so many commits are through, then be stopped as by ^C."""

    def stop(done, _):
        if done >= after:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        report(place.root, find(place.root), notes=notes, progress=stop)


@pytest.mark.parametrize("after", [1, 2, 7, 20])
def test_what_was_read_is_not_read_again(place, notes, asked, after):
    whole = report(place.root, find(place.root))
    interrupted(place, notes, after)
    asked.clear()
    assert report(place.root, find(place.root), notes=notes) == whole
    assert len(asked) <= 2 * COMMITS + 1 - after + 1
    assert not notes.exists()
    assert not notes.parent.exists()


def test_commits_that_came_meanwhile_are_read_as_well(place, notes, asked):
    interrupted(place, notes, 9)
    place.commit({JOURNAL: f"# day\n\nkey {AWS[:-2]}ZZ\n"})
    asked.clear()
    found = report(place.root, find(place.root), notes=notes)
    assert found == report(place.root, find(place.root))
    assert len(found.secrets.rules) == 1
    assert len(found.secrets.history) == COMMITS + 1


@pytest.mark.parametrize("damage", [b"", b"{}\n", b'["', b'["0123456789","x"]\n', b"\xff\n" * 9])
def test_notes_that_somebody_damaged_are_not_believed(place, notes, damage):
    whole = report(place.root, find(place.root))
    interrupted(place, notes, 9)
    file = notes / report_history.NAME
    rows = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(rows[0] + damage + b"".join(rows[2:])[:-7])
    assert report(place.root, find(place.root), notes=notes) == whole


def test_a_commit_of_which_something_is_missing_is_tried_again(place, notes):
    """What is not here today may be here tomorrow: it is not noted as read."""
    broken = place.commit({"memory/2026-01-21.md": "only here\n"})
    place.commit({"memory/2026-01-21.md": None})
    blob = place.git("rev-parse", f"{broken}:memory/2026-01-21.md").strip()
    object_ = place.root / ".git/objects" / blob[:2] / blob[2:]
    kept = object_.read_bytes()
    object_.unlink()
    interrupted(place, notes, 5)
    known = report_history.Checkpoint(notes)
    assert broken not in known
    object_.write_bytes(kept)
    assert report(place.root, find(place.root), notes=notes).history.whole


def test_names_and_lines_that_are_no_utf8_are_kept_to_the_byte(place, notes):
    place.write(os.fsdecode(b"memory/caf\xe9.md"), b"# d\n\n- caf\xe9 \xff\n")
    place.git("add", "-A")
    place.git("commit", "-qm", "odd")
    commits = churn.reachable(find(place.root), "--all")
    expected = list(churn.churn(find(place.root), commits, "*.md"))
    first = report_history.Checkpoint(notes)
    assert list(report_history.read_checkpoint(find(place.root), commits, first, "*.md")) == expected
    first.save()
    again = report_history.Checkpoint(notes)
    assert all(commit in again for commit in commits)
    assert list(report_history.read_checkpoint(find(place.root), commits, again, "*.md")) == expected
    assert not any(isinstance(touch, Gap) for _, touch in expected)
    assert (notes / report_history.NAME).stat().st_mode & 0o077 == 0


def test_a_short_reading_leaves_nothing_on_disk(place, notes, monkeypatch):
    monkeypatch.setattr(report_history, "_PATIENCE", 60)
    report(place.root, find(place.root), notes=notes)
    assert not notes.parent.exists()
