"""`clawgit soul`."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

SOUL = "# Soul\n\n## Core Truths\n\n- Have a view.\n- Look before asking.\n\n## Vibe\n\n- Calm and plain.\n"


@pytest.fixture
def edited(call: Callable, space: Path) -> str:
    """One word of the soul has been replaced, for a reason that can be checked; returns the change."""
    call("journal", "add", "Ana: say it more clearly.")
    (journal,) = (space / "memory").glob("*.md")
    answer = call(
        *("soul", "edit", "--replace", "a view", "a clear view", "--section", "Core Truths"),
        *("--why", "Ana asked for it.", "--evidence", f"memory/{journal.name}#L5", "--json"),
    )
    return str(answer.json["change"])


def test_the_committed_soul_is_shown_to_the_byte(call: Callable, space: Path, inside: Callable) -> None:
    assert call("soul", "show").out == SOUL
    document = call("soul", "show", "--json").json
    assert document["commit"] == inside("rev-parse", "HEAD").strip()
    assert document["text"] == SOUL
    assert datetime.fromisoformat(document["date"]).tzinfo is not None
    (space / "SOUL.md").write_text("# Other\n")
    answer = call("soul", "show")
    assert (answer.out, answer.err) == (SOUL, "note: SOUL.md on disk differs from this, the committed one\n")


def test_a_difference_is_shown_word_by_word_and_a_bare_diff_is_that_of_the_last_change(
    call: Callable, edited: str
) -> None:
    assert "- - Have a view.\n+ - Have a {+clear +}view.\n" in call("soul", "diff", "HEAD~1").out
    assert "clear" in call("soul", "diff").out
    call("soul", "edit", "--add", "Kind.", "--section", "Vibe", "--why", "w")
    call("soul", "edit", "--add", "Short.", "--section", "Vibe", "--why", "w")
    output = call("soul", "diff").out
    assert ("  - Kind.\n+ - Short.\n" in output, "clear" in output) == (True, False)


def test_diff_takes_a_file_behind_the_versions(call: Callable, space: Path, inside: Callable) -> None:
    (space / "MEMORY.md").write_text("# Memory\n\n- Ana drinks tea.\n")
    inside("add", "-A")
    inside("commit", "-qm", "memory: tea")
    for words in (("MEMORY.md",), ("HEAD~1", "MEMORY.md"), ("HEAD~1", "HEAD", "MEMORY.md")):
        assert "tea" in call("diff", *words).out
    assert call("diff", "HEAD~1", "HEAD", "nothing").code == 2


def test_a_line_of_the_section_is_not_added_again(call: Callable, space: Path) -> None:
    words = ("soul", "edit", "--add", "Calm and plain.", "--why", "again", "--json")
    answer = call(*words, "--section", "Vibe")
    assert (answer.code, answer.json["key"]) == (1, "already-set")
    assert (space / "SOUL.md").read_text() == SOUL
    assert call(*words, "--section", "Core Truths").code == 0


def test_the_subject_of_an_edit_has_no_bullet(call: Callable, space: Path) -> None:
    call("soul", "edit", "--replace", "- Look before asking.", "* **Look** before asking.", "--why", "sharper")
    assert call("log", "-n", "1", "--json").json[0]["subject"] == "soul: **Look** before asking."


def test_a_sentence_among_paragraphs_is_a_paragraph(call: Callable, space: Path) -> None:
    before = (space / "SOUL.md").read_text()
    (space / "SOUL.md").write_text(f"{before}\n## Talk\n\nAnswer first.\n")
    call("capture")
    add = ("soul", "edit", "--add", "Speak Dutch with Ana.", "--section", "Talk", "--why", "asked", "--json")
    assert call(*add).code == 0
    assert (space / "SOUL.md").read_text() == f"{before}\n## Talk\n\nAnswer first.\n\nSpeak Dutch with Ana.\n"
    assert call(*add).json["key"] == "already-set"
