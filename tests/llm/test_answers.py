"""An answer is kept, whoever asks and whatever happens to the file."""

import os

import pytest

from clawgit.llm.asking import Answers


@pytest.mark.parametrize("bad", [b"garbage" * 1000, b"SQLite format 3\0" + b"x" * 5000, b"\0"])
def test_garbage_is_built_anew(tmp_path, bad):
    place = tmp_path / "a.db"
    place.write_bytes(bad)
    answers = Answers(place)
    assert answers.get(b"k") is None
    answers.put(b"k", "v")
    assert answers.get(b"k") == "v"


def test_a_file_that_is_cut_deleted_or_of_another_version_costs_only_its_answers(tmp_path):
    import sqlite3  # noqa: PLC0415

    place = tmp_path / "deep/a.db"
    answers = Answers(place)
    for harm in (place.unlink, lambda: os.truncate(place, 5000), lambda: os.truncate(place, 0)):
        answers.put(b"k", "v")
        assert answers.get(b"k") == "v"
        harm()
        assert answers.get(b"k") is None
    with sqlite3.connect(place) as db:
        db.execute("PRAGMA user_version = 77")
    db.close()
    answers.put(b"k", "v")
    assert answers.get(b"k") == "v"
