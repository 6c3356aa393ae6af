"""`clawgit forget`."""

from collections.abc import Callable
from pathlib import Path


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


def test_a_file_is_printed_as_it_was(call: Callable, space: Path, inside: Callable) -> None:
    before = (space / "MEMORY.md").read_text()
    made = call("memory", "add", "Ana likes tea.", "--json").json
    assert call("read", "MEMORY.md", "--as-of", f"{made['commit']}~").out.strip() == before.strip()
    assert "Ana likes tea." in call("read", "MEMORY.md", "--as-of", "today").out
    assert inside("tag", "backup-2020-01-20", f"{made['commit']}~") == ""
    assert "Ana likes tea." not in call("read", "MEMORY.md", "--as-of", "backup-2020-01-20").out
    assert call("read", "MEMORY.md", "--as-of", "backup-2020-01-20").code == 0
    gone = call("read", "MEMORY.md", "--as-of", "4 days ago")
    assert (gone.code, gone.out) == (1, "")
