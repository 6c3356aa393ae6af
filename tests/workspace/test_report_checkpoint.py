"""A reading of history that was interrupted goes on where it was, and comes to the same."""

import pytest

from clawgit.git import churn
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


@pytest.mark.parametrize("after", [2, 20])
def test_what_was_read_is_not_read_again(place, notes, asked, after):
    whole = report(place.root, find(place.root))
    interrupted(place, notes, after)
    asked.clear()
    assert report(place.root, find(place.root), notes=notes) == whole
    assert len(asked) <= 2 * COMMITS + 1 - after + 1
    assert not notes.exists()
    assert not notes.parent.exists()


@pytest.mark.parametrize("damage", [b"{}\n", b'["0123456789","x"]\n', b"\xff\n" * 9])
def test_notes_that_somebody_damaged_are_not_believed(place, notes, damage):
    whole = report(place.root, find(place.root))
    interrupted(place, notes, 9)
    file = notes / report_history.NAME
    rows = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(rows[0] + damage + b"".join(rows[2:])[:-7])
    assert report(place.root, find(place.root), notes=notes) == whole


def test_a_short_reading_leaves_nothing_on_disk(place, notes, monkeypatch):
    monkeypatch.setattr(report_history, "_PATIENCE", 60)
    report(place.root, find(place.root), notes=notes)
    assert not notes.parent.exists()
