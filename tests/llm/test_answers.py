"""An answer is kept, whoever asks and whatever happens to the file."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

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


def test_several_processes_and_threads_keep_answers_at_once(tmp_path):
    place = tmp_path / "a.db"
    script = (
        "import sys; from pathlib import Path; from clawgit.llm.asking import Answers;"
        "answers = Answers(Path(sys.argv[1]));"
        "[answers.put(f'{sys.argv[2]}-{n}'.encode(), 'v') for n in range(40)]"
    )
    started = [subprocess.Popen([sys.executable, "-c", script, place, str(who)]) for who in range(3)]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda n: Answers(place).put(f"t-{n}".encode(), "v"), range(40)))
    assert [one.wait() for one in started] == [0, 0, 0]
    keys = [f"{who}-{n}".encode() for who in (0, 1, 2, "t") for n in range(40)]
    assert [one for one in keys if Answers(place).get(one) != "v"] == []
