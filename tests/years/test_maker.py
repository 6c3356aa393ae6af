"""The two years are what they promise to be."""

import datetime as dt
import subprocess
import time
from collections import Counter
from pathlib import Path

import pytest

from . import CATEGORIES, LANGUAGES, SHAPES, UNTIL, Made, commits, make, templates
from .longterm import COUNT

BYTES = {"crlf", "bom", "unended"}
ODD = {"slug", "linked", "dangling", "empty", "blank", "enormous", "future", "dump", "undated"}
SEED = 17


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return make(tmp_path_factory.mktemp("years") / "ws", SEED)


def files(root: Path) -> dict[str, bytes]:
    """Return every file that is no link, by its path."""
    found = (path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in found}


def text(held: bytes) -> list[str]:
    return [line.removesuffix("\r") for line in held.decode("utf-8-sig").split("\n")]


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path, made: Made) -> None:
    started = time.process_time()
    again = make(tmp_path / "again", SEED)
    assert time.process_time() - started < 5
    assert files(again.root) == files(made.root)
    assert (again.marks, again.lines) == (made.marks, made.lines)
    assert make(tmp_path / "other", SEED + 1, days=120, notes=900).lines != made.lines


def test_a_short_time_has_every_shape_too(tmp_path: Path) -> None:
    few = make(tmp_path / "few", 3, days=120, notes=900, until=dt.date(2025, 3, 31))
    assert set(few.shapes) == set(SHAPES) | BYTES | ODD
    assert max(few.days.values()) == few.until
    assert len(few.notes) == pytest.approx(900, rel=0.4)  # those of the enormous file come on top


def test_all_that_was_written_is_told(made: Made) -> None:
    held = {path: text(held) for path, held in files(made.root).items() if path.endswith(".md")}
    assert [(path, line) for path, lines in sorted(held.items()) for line in lines if line.strip()] == sorted(
        made.lines, key=lambda one: one[0]
    )
    assert len(made.notes) == pytest.approx(10_000, rel=0.03)


def test_every_shape_is_there(made: Made) -> None:
    assert set(made.shapes) == set(SHAPES) | BYTES | ODD
    for name in SHAPES:
        assert len(made.shapes[name]) >= 20
    held = {
        name: [(made.root / path).read_bytes() for path in paths if (made.root / path).exists()]
        for name, paths in made.shapes.items()
    }
    assert all(b"\r\n" in one for one in held["crlf"])
    assert all(one.startswith(b"\xef\xbb\xbf") for one in held["bom"])
    assert not any(one.endswith(b"\n") for one in held["unended"])
    assert held["empty"] == [b""]
    assert held["blank"][0].split() == []
    assert held["dangling"] == []
    assert len(held["enormous"][0]) == pytest.approx(340_000, rel=0.02)
    assert (made.root / made.shapes["linked"][0]).resolve().is_relative_to(made.root.resolve() / "notes")
    assert made.shapes["future"][0] > f"memory/{UNTIL}.md"


def test_two_months_are_silent(made: Made) -> None:
    months = {path[7:14] for path in made.days if path.startswith("memory/20")}
    assert len(months - {"2026-08"}) == 24 - 2


def test_a_third_was_said_before(made: Made) -> None:
    """Word for word; what has another number is another note."""
    first = {note.text for note in made.notes}
    assert 0.28 < 1 - len(first) / len(made.notes) < 0.36
    assert Counter(note.kind for note in made.notes)["counted"] > 600
    assert sum("#correction" in line for path, line in made.lines) > 50


def test_long_term_memory_has_grown(made: Made) -> None:
    lines = text((made.root / "MEMORY.md").read_bytes())
    bullets = [line for line in lines if line.lstrip().startswith("- ")]
    assert len(bullets) == COUNT == len(made.entries)
    assert COUNT - len(set(bullets)) == COUNT // 20


def test_marks_stand_where_they_say(made: Made) -> None:
    held = {path: text((made.root / path).read_bytes()) for path in {mark.path for mark in made.marks}}
    told = set(made.lines)
    for mark in made.marks:
        assert held[mark.path][mark.number - 1] == mark.line
        assert mark.note.text in mark.line
        assert (mark.path, mark.line) in told
        assert 0 <= (UNTIL - made.days[mark.path]).days < 90


def test_one_mark_in_eight_is_worth_keeping(made: Made) -> None:
    kept = [mark for mark in made.marks if mark.category]
    assert len(made.marks) >= 600
    assert 0.09 < len(kept) / len(made.marks) < 0.16
    assert {mark.category for mark in kept} == set(CATEGORIES)
    assert {mark.note.language for mark in kept} == set(LANGUAGES)


def test_there_are_templates_enough() -> None:
    for language in LANGUAGES:
        least = 60 if language == "en" else 12
        assert len(templates(language, "keep")) >= least
        assert len(templates(language, "alike")) >= (60 if language == "en" else 12)
        for category in CATEGORIES:
            assert any(one.category == category for one in templates(language, "keep"))


def test_history_has_a_commit_for_each_day(tmp_path: Path) -> None:
    made = make(tmp_path / "ws", SEED)
    started = time.monotonic()
    count = commits(made.root, made)
    assert time.monotonic() - started < 10  # a second, where nobody else is at work
    said = subprocess.run(["git", "log", "--format=%as %an"], cwd=made.root, capture_output=True, text=True, check=True)
    assert len(said.stdout.splitlines()) == count > 550
    assert said.stdout.splitlines()[0] == f"{UNTIL} Jonas Weber"
    status = subprocess.run(["git", "status", "--porcelain"], cwd=made.root, capture_output=True, check=True)
    assert status.stdout == b""
