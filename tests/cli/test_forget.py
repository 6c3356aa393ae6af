"""`clawgit forget`."""

from collections.abc import Callable
from pathlib import Path

import pytest


def test_the_agent_is_not_given_what_is_forgotten(call: Callable, space: Path) -> None:
    """Search does not find it either; undo and restore bring it back, and it can be learnt again."""
    call("memory", "add", "The spare key hangs in the blue shed.")
    assert call("forget", "spare key").code == 0
    question = "Where does the spare key hang?"
    assert "blue shed" not in call("context", question).out
    assert "blue shed" not in call("search", question).out
    (archive,) = (space / "memory/archive/memories").glob("*.md")
    assert "blue shed" in archive.read_text()
    for command in (("undo",), ("undo", "--redo"), ("memory", "add", "The spare key hangs in the blue shed.")):
        assert call(*command).code == 0
        is_back = command != ("undo", "--redo")
        assert ("blue shed" in call("context", question).out) == is_back
        assert ("blue shed" in call("search", question).out) == is_back


def test_what_is_forgotten_is_brought_back_by_its_words_and_from_the_search_for_it(call: Callable, space: Path) -> None:
    sentence = "The raku kiln is borrowed from Ylva until March."
    call("remember", sentence)
    call("forget", sentence)
    assert call("restore", sentence).code == 0
    assert sentence in (space / "MEMORY.md").read_text("utf-8")
    call("forget", "raku kiln")
    (hit,) = call("search", "raku kiln", "--deleted", "--json").json["results"]
    assert call(*hit["restore"].split()[1:]).code == 0
    assert sentence in (space / "MEMORY.md").read_text("utf-8")


def test_a_file_is_printed_as_it_was(call: Callable, space: Path, inside: Callable) -> None:
    before = (space / "MEMORY.md").read_text()
    document = call("memory", "add", "Ana likes tea.", "--json").json
    assert call("read", "MEMORY.md", "--as-of", f"{document['commit']}~").out.strip() == before.strip()
    assert "Ana likes tea." in call("read", "MEMORY.md", "--as-of", "today").out
    assert inside("tag", "backup-2020-01-20", f"{document['commit']}~") == ""
    assert "Ana likes tea." not in call("read", "MEMORY.md", "--as-of", "backup-2020-01-20").out
    assert call("read", "MEMORY.md", "--as-of", "backup-2020-01-20").code == 0
    missing = call("read", "MEMORY.md", "--as-of", "4 days ago")
    assert (missing.code, missing.out) == (1, "")


def test_where_a_file_lost_lines_the_way_back_is_an_undo(
    call: Callable, space: Path, inside: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    (space / "memory/boat.md").write_text("# Boat\n\n" + "".join(f"- Plank {number}.\n" for number in range(12)))
    inside("add", "-A")
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2020-01-02T03:04:05+00:00")
    inside("commit", "-qm", "boat")
    monkeypatch.delenv("GIT_COMMITTER_DATE")
    (space / "memory/boat.md").write_text("# Boat\n")
    inside("commit", "-qam", "shorter")
    assert "boat.md: +0 -12" in call("digest", "--since", "today").out
    answer = call("restore", "memory/boat.md")
    (fix,) = (row.split("fix: ")[1] for row in answer.err.splitlines() if "fix: " in row)
    assert call(*fix.partition("#")[0].split()[1:]).code == 0
    assert "Plank 11" in (space / "memory/boat.md").read_text()


def test_a_place_as_search_prints_it_is_read_shown_and_forgotten(call: Callable, space: Path) -> None:
    call("remember", "The blue kayak is in the shed.")
    place = call("search", "kayak").out.split()[0]
    assert place.startswith("MEMORY.md#L")
    assert call("read", place).out.startswith("- The blue kayak is in the shed.")
    assert "kayak" in call("show", place).out
    assert call("forget", place).code == 0
    assert "kayak" not in (space / "MEMORY.md").read_text("utf-8")
    rows = "| Name | Goods |\n|---|---|\n| Kurt | water |\n| Ivana | yeast |\n"
    (space / "memory/suppliers.md").write_text(f"# Suppliers\n\n{rows}")
    call("capture")
    assert call("forget", "memory/suppliers.md#L5").code == 0
    assert call("search", "Kurt", "--json").json["results"] == []


def test_paths_are_those_of_the_current_folder_too(
    call: Callable, space: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (space / "memory").mkdir(exist_ok=True)
    (space / "memory/glazes.md").write_text("# Glazes\n\n- Sea green fires at 1240.\n")
    call("capture")
    monkeypatch.chdir(space / "memory")
    assert "Sea green" in call("read", "glazes.md").out
    assert "Sea green" in call("why", "glazes.md:3").out
    assert "nothing happened" not in call("log", str(space / "memory/glazes.md")).out
    (space / "memory/glazes.md").unlink()
    answer = call("restore", "glazes.md")
    assert (answer.code, (space / "memory/glazes.md").exists()) == (0, True)
    assert "clawgit restore" not in answer.err


def test_a_correction_that_was_decided_can_be_said_again(call: Callable) -> None:
    call("remember", "The studio is in Kungsgatan.")
    words = ("correct", "the studio moved to Storgatan")
    first = call(*words, "--json").json["fix"].split()[2]
    assert call("accept", first, "--only", "1", "--text", "…").code == 2
    call("reject", first)
    second = call(*words, "--json").json["fix"].split()[2]
    assert second != first
    assert call("show", second).code == 0
