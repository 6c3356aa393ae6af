"""Upgrade from 0.2.0: a workspace that the release made goes on, with everything that waited in it.

`made_by_0_2_0.tar.gz` has a folder before it was adopted, the same one after a day with clawgit 0.2.0, and what that
release listed: proposals, a quarantined file, open conflicts, a correction, candidates, memories, changes.
"""

import json
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import time_machine

from tests.promises.desk import IDENTITY, Desk

MUTATION = (
    "workspace/import_0_2.py",
    '_OPEN, _REJECTED = "refs/clawgit/proposals/",',
    '_OPEN, _REJECTED = "refs/clawgit/offers/",',
)

MADE = Path(__file__).with_name("made_by_0_2_0.tar.gz")
RULE = "Sing in the morning"
"""What the edit that waits there adds to SOUL.md."""
LISTS = ("soul proposals", "quarantine list", "conflicts", "corrections", "memory candidates")


@pytest.fixture
def adopted(tmp_path: Path) -> Desk:
    """Return the workspace as 0.2.0 left it."""
    with tarfile.open(MADE) as archive:
        archive.extractall(tmp_path, filter="data")
    desk = Desk(tmp_path / "ws")
    with (desk.root / ".git/config").open("a") as config:
        config.write(IDENTITY)
    return desk


@pytest.fixture
def old(adopted: Desk) -> Iterator[Desk]:
    """Return the same on that day: proposals and candidates last some days."""
    with time_machine.travel("2026-11-26 08:00:00+00:00", tick=True):
        yield adopted


def read_old_list(desk: Desk, name: str) -> Any:
    """Return the list of 0.2.0."""
    return json.loads((desk.root.parent / "lists.json").read_text())[name]


@pytest.mark.parametrize("name", LISTS)
def test_what_waited_waits(old: Desk, name: str) -> None:
    assert {*read_old_list(old, name)} <= {row["id"] for row in old.run(*name.split())}


def test_memories_have_their_ids_and_changes_their_names(old: Desk) -> None:
    texts = {row["id"]: row["text"] for row in old.run("memory", "list")}
    assert read_old_list(old, "memory list").items() <= texts.items()
    assert read_old_list(old, "log") == [row["change"] for row in old.run("log") if row["change"]]


def test_reading_changes_nothing(old: Desk) -> None:
    before = old.files(), old.head()
    for words in ("status", "memory list", "search lamps", "log"):
        old.run(*words.split())
    assert (old.files(), old.head()) == before


def test_an_item_is_decided_and_a_change_of_then_is_undone(old: Desk) -> None:
    old.run("soul", "approve", "tskykkxnvz", terminal="y\n")
    assert RULE in old.read("SOUL.md")
    old.run("conflicts", "resolve", "tmppwpulrq", "--keep", "b")
    assert [row["id"] for row in old.run("conflicts")] == ["mqvsmzwmpp"]
    old.run("undo", "vnvqkosmsx")
    assert "400 watts" not in old.read("MEMORY.md")


def test_the_correction_is_in_force_and_refutes_no_other_value(old: Desk) -> None:
    old.append("MEMORY.md", "- Deploys happen on Tuesday evening. #decision\n")
    old.run("capture")
    texts = [hit["snippet"] for hit in old.run("search", "deploys happen")["results"] if hit["path"] == "MEMORY.md"]
    assert not [text for text in texts if "Tuesday" in text]
    assert [text for text in texts if "Monday" in text]


def test_eject_gives_every_byte_back(adopted: Desk) -> None:
    before = adopted.root.parent / "before"
    contents = {path: text for path, text in adopted.files().items() if (before / path).exists()}
    adopted.run("eject", "--yes")
    assert len(contents) == sum(place.is_file() for place in before.rglob("*"))
    assert contents.items() <= adopted.files().items()
    assert not (adopted.root / ".clawgit").exists()
    assert not adopted.git("for-each-ref", "refs/clawgit")


def test_all_of_it_is_in_the_inbox(old: Desk) -> None:
    ids = {item["id"] for item in old.run("inbox")}
    assert {id_ for name in LISTS if name != "corrections" for id_ in read_old_list(old, name)} <= ids


def test_damaged_conversations_cost_no_decision(old: Desk) -> None:
    items = [item["id"] for item in old.run("inbox")]
    old.write(".git/clawgit/state/chat.db", "no database")
    assert [item["id"] for item in old.run("inbox")] == items
    assert not list((old.root / ".git/clawgit").glob("state.db.damaged*"))
    assert old.read(".git/clawgit/old/chat.db") == "no database"
