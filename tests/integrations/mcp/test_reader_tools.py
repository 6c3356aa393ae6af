"""What a reader of batches may do, and nobody else."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from mcp.shared.exceptions import MCPError

from clawgit.sessions import chat_store
from clawgit.sessions.envelope import Session
from clawgit.sessions.session_messages import Event, digest
from clawgit.store.database import StateStore

from .conftest import Asked

PORT = "The relay listens on port 8080."


@pytest.fixture
def reader(serving: Callable[..., Asked], space: Path) -> Asked:
    at = time.time() - 3600
    said = Event("e1", "", 1, at, "user", "operator", PORT, at, digest=digest("user", PORT))
    with chat_store.opened(StateStore(space / ".git/clawgit"), {}) as store:
        here = Session("5b0f", "main", "agent:main:5b0f", "direct", "telegram", at)
        store.meet(here)
        store.take(here, "file", [said], "5b0f.jsonl", {})
    return serving(space, reader=True)


def test_no_other_server_hands_out_what_was_said(ask: Callable, serving: Callable[..., Asked], space: Path) -> None:
    for client in (ask, serving(space, gateway=True)):
        with pytest.raises(MCPError, match="there is no tool"):
            client("batch_next")


def test_a_batch_is_read_and_what_nobody_judged_waits(reader: Asked, space: Path) -> None:
    batch = reader.told("batch_next")["batch"]
    assert [one["text"] for one in batch["turns"]] == [PORT]
    assert reader.told("batch_next")["batch"]["id"] == batch["id"]
    good = {"act": "add", "turns": [1], "text": PORT, "tag": "knowledge"}
    bad = {"act": "add", "turns": [1], "text": "The relay listens on port 9090.", "tag": "knowledge"}
    found = reader.told("batch_answer", id=batch["id"], operations=[good, bad])
    assert [one["state"] for one in found["verdicts"]] == ["waits", "refused"]
    assert "8080" not in (space / "MEMORY.md").read_text()
    assert "9090" not in (space / "MEMORY.md").read_text()
    assert "was answered on" in reader.refused("batch_answer", id=batch["id"], operations=[good])
    assert reader.told("batch_next") == {"batch": None}
