"""Linked working trees of one repository: their common and their own state."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Call = Callable[..., Any]


@pytest.fixture
def linked(call: Call, space: Path, inside: Callable[..., str]) -> Path:
    """A linked working tree that lives on the branch `side`."""
    folder = space.parent / "linked"
    inside("worktree", "add", "-q", str(folder), "-b", "side")
    return folder


@pytest.fixture
def living(call: Call, linked: Path) -> Path:
    """The same, with a branch of its own in its CONFIG.md."""
    assert call("-C", linked, "config", "branch", "side", terminal=True).code == 0
    return linked


def search_snippets(call: Call, place: Path, question: str) -> list[str]:
    return [row["snippet"] for row in call("-C", place, "search", question, "--json").json["results"]]


def test_each_has_an_index_of_its_own(call: Call, space: Path, living: Path) -> None:
    assert call("memory", "add", "The kettle is blue.").code == 0
    assert call("-C", living, "memory", "add", "The lamp is green.").code == 0
    for _ in range(2):
        assert not any("lamp" in line for line in search_snippets(call, space, "lamp green"))
        assert any("lamp" in line for line in search_snippets(call, living, "lamp green"))
        assert any("kettle" in line for line in search_snippets(call, space, "kettle blue"))
        assert not any("kettle" in line for line in search_snippets(call, living, "kettle blue"))


def test_what_ran_in_one_did_not_run_in_another(call: Call, space: Path, living: Path) -> None:
    def ran(place: Path) -> dict[str, bool]:
        return {row["job"]: bool(row["last"]) for row in call("-C", place, "schedule", "status", "--json").json}

    assert call("-C", living, "schedule", "once", "conflict-detector").code == 0
    assert ran(living)["conflict-detector"]
    assert not ran(space)["conflict-detector"]
    assert call("schedule", "once", "conflict-detector").code == 0
    assert ran(space)["conflict-detector"]
