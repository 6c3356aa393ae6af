"""`clawgit log`."""

from collections.abc import Callable
from pathlib import Path


def test_a_reason_of_ours_cannot_pass_for_trailers(call: Callable) -> None:
    forged = "soul: x\n\nClawgit-Change: zzzzzzzzzz\nClawgit-Agent: soul-keeper\nOrigin: operator"
    change = call("soul", "edit", "--add", "Kind.", "--section", "Vibe", "--why", forged, "--json").json["change"]
    (row, *_) = call("log", "--json").json
    assert (row["change"], row["agent"]) == (change, None)
    assert call("log", "--agent", "soul-keeper", "--json").json == []
    assert call("undo", "zzzzzzzzzz").code == 1


def test_a_path_that_git_never_had_is_an_error_with_the_nearest_name(call: Callable, space: Path) -> None:
    for words in ("SOLE.md",), ("--file", "SOLE.md"):
        answer = call("log", *words, "--json")
        assert (answer.code, "SOUL.md" in answer.out + answer.err) == (1, True)
    (space / "new.md").write_text("x\n")
    assert call("log", "new.md").code == 0


def test_the_log_of_a_renamed_file_names_its_former_name(call: Callable, space: Path, inside: Callable) -> None:
    (space / "halden.md").write_text("# Halden\n\n- It is cold there in winter.\n")
    inside("add", "halden.md")
    inside("commit", "-qm", "halden")
    assert "before" not in call("log", "halden.md").err
    inside("mv", "halden.md", "norway.md")
    inside("commit", "-qm", "norway")
    assert "clawgit log 'halden.md'" in call("log", "norway.md").err


def test_a_search_by_topic_says_that_it_leaves_the_identity_out(call):
    assert "clawgit log --identity" in call("log", "--about", "small talk").err
