"""What an agent takes for a correction waits for the operator."""

from collections.abc import Callable
from pathlib import Path

import pytest

from clawgit.agents import correction_candidates
from clawgit.agents.recall_validation import REASON, suggest
from clawgit.errors import ClawgitError
from clawgit.workspace import memory
from clawgit.workspace.bootstrap import init
from clawgit.workspace.workspace import Workspace


@pytest.fixture
def workspace(repo: Path) -> Workspace:
    made = init(repo).workspace
    for text in ("The kickoff is on Monday.", "The tea is green."):
        made.apply(memory.add(made, text).change)
    return made


def kept(workspace: Workspace, said: str) -> str:
    return next(one.id for one in memory.memories(workspace) if said in one.text)


@pytest.mark.parametrize(
    ("text", "said", "true"),
    [
        ("The kickoff is on Tuesday, not Monday.", "Monday", "Tuesday"),
        ("not Monday, Tuesday", "Monday", "Tuesday"),
        ("The kickoff is on Tuesday at ten.", "", "The kickoff is on Tuesday at ten."),
    ],
)
def test_both_sides_are_known_where_the_memory_is_named(
    workspace: Workspace, git: Callable, text: str, said: str, true: str
) -> None:
    head, about = git("rev-parse", "HEAD"), kept(workspace, "kickoff")
    one = suggest(workspace, text, about[:5])
    assert (one.said, one.true, one.choices, one.reason) == (said, true, (about,), REASON)
    (item,) = workspace.store.read_items("open")
    assert (item.kind, correction_candidates.Waiting.of_item(item).choices) == ("correction", (about,))
    assert git("rev-parse", "HEAD") == head


def test_what_is_missing_is_said(workspace: Workspace) -> None:
    one = suggest(workspace, "something is wrong there")
    assert one.true == ""
    assert one.reason.startswith(f"{REASON}; ")


def test_what_is_suggested_twice_waits_once(workspace: Workspace) -> None:
    assert suggest(workspace, "not Monday, Tuesday") == suggest(workspace, "not Monday, Tuesday")
    assert len(workspace.store.read_items("open")) == 1


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("", ""),
        ("  \n", ""),
        ("not \u200bMonday", ""),
        ("it is ghp_q7Zx2LmPv9RtK4sWbN8cJ3hYd6GfT1aE5uXo", ""),
        ("x", "kkkkkkkkkk"),
    ],
)
def test_what_may_not_be_kept_is_refused_and_nothing_is_filed(workspace: Workspace, text: str, about: str) -> None:
    with pytest.raises(ClawgitError):
        suggest(workspace, text, about)
    assert workspace.store.read_items() == []
