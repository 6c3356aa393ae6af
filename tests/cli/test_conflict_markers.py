"""A file in which a merge left conflict markers is served without them, and says so."""

from collections.abc import Callable
from pathlib import Path

DAY = "memory/2026-02-14.md"
OPEN = "# Day\n\n<<<<<<< HEAD\n- The kettle is red.\n=======\n- The kettle is green.\n>>>>>>> side\n"
FENCED = "# Day\n\n- How a conflict looks:\n\n```\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> side\n```\n"


def write(space: Path, text: str) -> None:
    (space / DAY).write_bytes(text.encode())


def test_of_committed_markers_both_sides_are_served_and_an_alarm_tells(
    call: Callable, space: Path, inside: Callable
) -> None:
    """Nobody has decided between them."""
    write(space, OPEN)
    inside("add", DAY)
    inside("commit", "-q", "--no-verify", "-m", "merged, so to speak")
    output = call("memory", "get", DAY).out
    assert ("red" in output, "green" in output, "<<<<<<<" in output) == (True, True, False)
    assert [alarm["key"] for alarm in call("status", "--json").json["alarms"]] == ["markers-found"]


def test_what_only_speaks_of_markers_is_served_and_captured_as_it_stands(
    call: Callable, space: Path, inside: Callable
) -> None:
    for text in (FENCED, "# Day\n\nTitle\n=======\n\n- after\n", "- <<<<<<< HEAD\n- =======\n- >>>>>>> side\n"):
        write(space, text)
        assert text.strip() in call("memory", "get", DAY).out
        call("capture")
        assert inside("show", f"HEAD:{DAY}") == text
    assert call("status", "--json").json["alarms"] == []
