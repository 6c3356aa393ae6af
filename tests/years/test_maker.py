"""The two years are what they promise to be."""

from pathlib import Path

import pytest

from . import CATEGORIES, LANGUAGES, UNTIL, Made, make

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
    again = make(tmp_path / "again", SEED)
    assert files(again.root) == files(made.root)
    assert (again.marks, again.lines) == (made.marks, made.lines)
    assert make(tmp_path / "other", SEED + 1, days=120, notes=900).lines != made.lines


def test_all_that_was_written_is_told(made: Made) -> None:
    held = {path: text(held) for path, held in files(made.root).items() if path.endswith(".md")}
    assert [(path, line) for path, lines in sorted(held.items()) for line in lines if line.strip()] == sorted(
        made.lines, key=lambda one: one[0]
    )
    assert len(made.notes) == pytest.approx(10_000, rel=0.03)


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
