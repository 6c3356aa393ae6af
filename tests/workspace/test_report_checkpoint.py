"""A reading of history that was interrupted goes on where it was, and comes to the same."""

import pytest

from clawgit.git import churn
from clawgit.git.repository import find
from clawgit.workspace.report import report_history
from clawgit.workspace.report.report import report

from .reports import AWS, JOURNAL, wild

COMMITS = 6


@pytest.mark.parametrize("damage", [None, b'["0123456789","x"]\n', b"\xff\n" * 9])
def test_what_was_read_is_not_read_again_unless_somebody_damaged_the_notes(memory_folder, monkeypatch, damage):
    monkeypatch.setattr(report_history, "_PATIENCE", -1)
    monkeypatch.setattr(report_history, "_OFTEN", -1)
    place, notes, asked = wild(memory_folder), memory_folder / "clawgit/cache", []
    for number in range(COMMITS):
        place.commit(
            {JOURNAL: "# day\n\n" + "- note on the hedgehog\n" * (number % 4), "n.md": f"{AWS[:-1]}{number}\n"}
        )
    whole = report(place.root, find(place.root))

    def stop(done, _):
        if done >= 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        report(place.root, find(place.root), notes=notes, progress=stop)
    if damage:
        file = notes / report_history.NAME
        rows = file.read_bytes().splitlines(keepends=True)
        file.write_bytes(rows[0] + damage + b"".join(rows[2:])[:-7])
    churned = churn.churn
    monkeypatch.setattr(
        churn, "churn", lambda repo, commits, *more: asked.extend(commits) or churned(repo, commits, *more)
    )
    assert report(place.root, find(place.root), notes=notes) == whole
    assert damage or len(asked) <= COMMITS + 1 - 3 + 1
    assert not notes.parent.exists()
