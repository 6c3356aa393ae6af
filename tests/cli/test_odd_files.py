"""With anything in the place of a file, every command ends, and names the obstacle."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

COMMANDS = (
    ("status",),
    ("doctor",),
    ("capture",),
    ("search", "tea"),
    ("context", "--query", "tea"),
    ("memory", "add", "Ana likes tea."),
    ("triage", "remember this"),
    ("log",),
)


def large(place: Path) -> None:
    with place.open("wb") as file:
        file.truncate(10 << 30)


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("SOUL.md", Path.mkdir),
        ("CONFIG.md", large),
        ("memory", lambda path: path.symlink_to(path.name)),
    ],
)
def test_nothing_that_stands_there_instead_is_a_mistake_of_ours(
    name: str, make: Callable[[Path], object], space: Path, call: Callable
) -> None:
    place = space / name
    shutil.rmtree(place) if place.is_dir() else place.unlink(missing_ok=True)
    make(place)
    for arguments in (*COMMANDS, ("memory", "compact"), ("journal", "add", "tea")):
        assert "mistake in clawgit" not in call(*arguments).err, arguments


def test_names_that_are_no_utf8_are_survived_and_printed(
    space: Path,
    call: Callable,
    shell: Callable,
    inside: Callable,
) -> None:
    """Git keeps any bytes as a name; a report of such a file is valid JSON, and safe on a terminal."""
    names = [
        os.fsdecode(name) for name in (b"memory/caf\xe9.md", b"bad\xff.md", b"memory/new\nline.md", b"code\xff.py")
    ]
    for name in names:
        (space / name).write_text("# x\n\n- the kettle of the cafe is red\n")
    inside("add", "-A")
    inside("commit", "-qm", "odd names")
    for name in names:
        (space / name).unlink()
    inside("commit", "-qam", "gone")
    for arguments in (("doctor",), ("memory", "story", "kettle"), ("status",), ("log",), ("search", "kettle")):
        answer = call(*arguments)
        assert "mistake in clawgit" not in answer.err, arguments
        json.loads(call(*arguments, "--json").out)
    adopted = call("adopt", "--dry-run", "--json")
    assert "bug" not in {row["key"] for row in json.loads(adopted.out)["report"]["findings"]}
    assert "kettle" in shell("memory", "story", "kettle").out


def test_why_offers_only_what_works(space: Path, call: Callable, inside: Callable) -> None:
    """An undo that would be refused is not offered."""
    (space / "notes.md").write_text("".join(f"line {number}\n" for number in range(40)))
    inside("add", "notes.md")
    inside("commit", "-qm", "by hand")
    assert "clawgit undo" in call("why", "notes.md:1").out
    (space / "notes.md").write_text("line 0\n" + "".join(f"line {number}, later\n" for number in range(1, 40)))
    inside("commit", "-qam", "anew")
    first = inside("rev-parse", "HEAD~1")[:10]
    assert call("why", "notes.md:1", "--json").json[0]["undo"] is None
    refusal = call("undo", first)
    assert refusal.code == 1
    assert len(refusal.err.splitlines()) <= 40
    assert f"all of it: clawgit undo {first} --json\n" in refusal.err
    assert "line 39" in str(call("undo", first, "--json").json["conflict"])
