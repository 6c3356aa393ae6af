"""Writes of other turns than the operator's wait for him."""

import json
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from clawgit.store.item import Item
from clawgit.workspace.workspace import open_workspace

from .conftest import OWNER, Asked

TEXT = 'Bo said: "rent\\bikes" from Oslo.\nÄlso on Sundays.'
SOUL = {"act": "add", "text": "- Short answers.", "section": "Vibe", "why": "He asked for it."}
TABLES = """
CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, created_at INTEGER,
  PRIMARY KEY (session_id, seq));
CREATE TABLE session_windows (session_id TEXT PRIMARY KEY, session_key TEXT, chat_type TEXT);
"""
MAIN, CRON, SUB = "agent:main:main", "agent:main:cron:7:run:1", "agent:main:subagent:9"
GROUP = "agent:main:discord:channel:5"


@pytest.fixture
def openclaw(tmp_path: Path, space: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of an agent of OpenClaw that works in the workspace."""
    state = tmp_path / ".openclaw"
    folder = state / "agents/main"
    (folder / "agent").mkdir(parents=True)
    (folder / "sessions").mkdir()
    (state / "openclaw.json").write_text(json.dumps({"agents": {"entries": {"main": {"workspace": str(space)}}}}))
    monkeypatch.setenv("OPENCLAW_STATE_DIR", str(state))
    return folder


def turn(prompt: str, name: str, arguments: object, moment: float, **fields: object) -> list[dict]:
    """A turn in which the agent calls a tool."""
    ms = int(moment * 1_000)
    call = {"type": "toolCall", "id": "call_1", "name": name, "arguments": arguments}
    return [
        {"type": "message", "id": "a", "message": {"role": "user", "content": prompt, "timestamp": ms, **fields}},
        {"type": "message", "id": "b", "parentId": "a"}
        | {"message": {"role": "assistant", "content": [call], "timestamp": ms}},
    ]


def in_database(folder: Path, key: str, entries: list[dict], session: str = "s1") -> None:
    with closing(sqlite3.connect(folder / "agent/openclaw-agent.sqlite")) as connection:
        connection.executescript(TABLES.replace("CREATE TABLE", "CREATE TABLE IF NOT EXISTS"))
        rows = [(session, number, json.dumps(entry), 1) for number, entry in enumerate(entries)]
        connection.executemany("INSERT INTO transcript_events VALUES (?, ?, ?, ?)", rows)
        chat = "channel" if ":channel:" in key else "direct"
        connection.execute("INSERT INTO session_windows VALUES (?, ?, ?)", (session, key, chat))
        connection.commit()


def in_file(folder: Path, key: str, entries: list[dict], session: str = "s1") -> None:
    (folder / "sessions/sessions.json").write_text(json.dumps({key: {"sessionId": session}}))
    rows = [{"type": "session", "version": 3, "id": session}, *entries]
    (folder / f"sessions/{session}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def calls(text: str = TEXT) -> tuple[str, object]:
    return "clawgit-main__memory_add", {"text": text}


def call_through_search(text: str = TEXT) -> tuple[str, object]:
    return "tool_call", {"id": "clawgit-main__memory_add", "args": json.dumps({"text": text})}


PROMPTS = [
    (CRON, "[cron:7 nightly] Sum up the day", {}, "of a timer"),
    (SUB, "[Subagent Task] Look around", {}, "of a sub-agent"),
    (MAIN, "Read HEARTBEAT.md if it exists.", {}, "of a heartbeat"),
    (MAIN, "Wake", {"provenance": {"kind": "internal_system", "sourceTool": "cron"}}, "of a timer"),
    (GROUP, "Remember this, bot", {"__openclaw": {"senderIsOwner": False}}, "of somebody else"),
    ("hook:5", "A mail came", {}, "of a webhook"),
]


def waiting(space: Path) -> list[Item]:
    with open_workspace(space) as workspace:
        return workspace.store.read_items("open")


@pytest.mark.parametrize("write", [in_database, in_file])
def test_a_memory_of_such_a_turn_is_a_proposal_that_says_whose(
    write: Callable, ask: Asked, openclaw: Path, space: Path, git: Callable
) -> None:
    head = git("rev-parse", "HEAD")
    for number, (key, prompt, fields, words) in enumerate(PROMPTS):
        text = f"{TEXT} Bike {number}."
        call_form = (calls, call_through_search)[number % 2]
        write(openclaw, key, turn(prompt, *call_form(text), time.time(), **fields), f"s{number}")
        document = ask.told("memory_add", text=text)
        assert (document["commit"], document["reason"]) == (None, "it waits for the operator")
        item = next(item for item in waiting(space) if item.id == document["proposal"]["id"])
        assert f"Asked for in a turn {words}, session {key}." in item.reason
        assert item.get("Origin") == ("untrusted" if words.endswith(("else", "webhook")) else "agent")
    assert git("rev-parse", "HEAD") == head


@pytest.mark.parametrize("write", [in_database, in_file])
def test_in_the_operators_own_turn_it_lands(write: Callable, ask: Asked, openclaw: Path) -> None:
    turns = [(MAIN, {}), ("agent:main:discord:direct:5", {}), (GROUP, {"__openclaw": {"senderIsOwner": True}})]
    for number, (key, fields) in enumerate(turns):
        text = f"The rent of bike {number} is {number + 20} euros in Oslo."
        write(openclaw, key, turn("Remember this", *calls(text), time.time(), **fields), f"s{number}")
        assert ask.told("memory_add", text=text)["commit"]


def test_a_call_of_long_ago_or_of_other_words_is_another(ask: Asked, openclaw: Path) -> None:
    in_database(openclaw, CRON, turn("[cron:7 x] go", *calls(), time.time() - 600))
    in_database(openclaw, CRON, turn("[cron:7 x] go", *calls("Something else."), time.time()), "s2")
    assert ask.told("memory_add", text=TEXT)["commit"]


def test_a_timer_makes_no_memory_surer_and_its_edit_of_the_identity_waits(
    ask: Asked, openclaw: Path, space: Path, git: Callable
) -> None:
    document_before = ask.told("memory_add", text="Ada flies on Friday.")
    head = git("rev-parse", "HEAD")
    in_database(openclaw, CRON, turn("[cron:7 x] go", *calls("Ada flies on Friday."), time.time()))
    document = ask.told("memory_add", text="Ada flies on Friday.")
    assert (document["commit"], document["merged_into"], git("rev-parse", "HEAD")) == (
        None,
        document_before["id"],
        head,
    )
    in_database(openclaw, CRON, turn("[cron:7 x] go", "clawgit-main__soul_propose", SOUL, time.time()), "s2")
    document = ask.told("soul_propose", **SOUL)
    (item,) = waiting(space)
    assert (item.id, "Asked for in a turn of a timer" in item.reason) == (document["proposal"]["id"], True)


def test_no_other_client_may_say_whose_turn_it_is(ask: Asked) -> None:
    assert "requester: there is no such argument" in ask.refused("memory_add", text="x", requester=OWNER)
