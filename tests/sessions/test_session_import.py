"""Conversations are brought in whole, each message once, in any order."""

import gzip
import importlib.util
import json
import sqlite3
import subprocess
from contextlib import closing
from copy import deepcopy
from pathlib import Path

import pytest

from clawgit.sessions import openclaw_sessions
from tests.amounts import amount
from tests.promises.desk import COMMAND

from .transcripts import (
    SESSION,
    START,
    V13,
    V17,
    chain,
    database,
    head,
    lines,
    message,
    write_sessions,
    write_transcript,
)

TALK = chain(("user", "hello"), ("assistant", "hi there"), ("user", "no, it's Tuesday"), ("assistant", "🦞 'x' %s"))
WORDS = [("operator", "hello"), ("agent", "hi there"), ("operator", "no, it's Tuesday"), ("agent", "🦞 'x' %s")]


def texts(talks):
    return {session: [text for _, text in messages] for session, messages in talks.told().items()}


def jsonl(talks, entries, name=f"{SESSION}.jsonl", key="agent:main:main", chat="direct", **fields):
    folder = talks.agent / "sessions"
    write_sessions(folder, **{SESSION.replace("-", "_"): (key, {"chatType": chat, **fields})})
    return write_transcript(folder / name, entries)


SHAPES = {
    "jsonl-3": lambda talks: jsonl(talks, TALK),
    "topic": lambda talks: jsonl(talks, TALK, f"{SESSION}-topic-42.jsonl"),
    "deleted": lambda talks: jsonl(talks, TALK, f"{SESSION}.jsonl.deleted.2026-05-05T10-20-30.123Z"),
    "schema 13": lambda talks: database(talks.database, {SESSION: [head(), *TALK]}, V13),
    "schema 17": lambda talks: database(talks.database, {SESSION: [head(), *TALK]}, V17),
    "both": lambda talks: (SHAPES["jsonl-3"](talks), SHAPES["schema 17"](talks)),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_conversation_is_read_whole_in_every_shape(shape, each_store):
    SHAPES[shape](each_store)
    document = each_store.bring()
    assert (document["new"], document["bad_lines"], document["problems"], document["rewritten"]) == (4, [], [], [])
    assert each_store.told() == {SESSION: WORDS}
    (summary,) = each_store.run("session", "list")
    assert (summary["agent"], summary["key"], summary["kind"]) == ("main", "agent:main:main", "direct")
    assert each_store.bring()["new"] == 0


def test_sessions_and_turns_of_machines_are_passed_over_and_the_talk_goes_on(talks):
    machines = {"cron": "agent:main:cron:7", "own": "explicit:model-run-7", "dreaming": "dreaming-narrative-light-1"}
    turns = chain(
        ("user", "hello"),
        ("assistant", "hi"),
        ("user", "Read HEARTBEAT.md if it exists"),
        ("assistant", "I looked around and cleaned the attic"),
        ("user", "[Mon 2026-05-04 10:00 GMT+2] thanks"),
        ("assistant", "[[reply_to_current]] welcome"),
    )
    folder = talks.agent / "sessions"
    keys = {name: (key, {}) for name, key in machines.items()}
    write_sessions(folder, **keys, sub=("agent:main:main", {"spawnedBy": "x"}))
    for name in (*machines, "sub"):
        write_transcript(folder / f"{name}.jsonl", TALK, session=name)
    write_transcript(folder / "talk.jsonl", turns[:3], session="talk")
    document = talks.bring()
    assert document["skipped"] == {**dict.fromkeys(machines, 4), "subagent": 4, "heartbeat": 1}
    write_transcript(folder / "talk.jsonl", turns, session="talk")
    assert talks.bring()["skipped"] == {"heartbeat": 1}
    assert texts(talks) == {"talk": ["hello", "hi", "thanks", "welcome"]}


def test_broken_lines_are_counted_by_number_and_the_rest_is_read(talks):
    place = jsonl(talks, TALK)
    rows = place.read_text().splitlines()
    rows[2:2] = ['{"type": "mess', "7", "", "\ufffd"]
    place.write_bytes("\n".join(rows).encode() + b'\n\xff\xfe\n{"type":"x","id":"y"}\n{"half')
    assert [bad["line"] for bad in talks.bring()["bad_lines"]] == [3, 4, 6, 10]
    assert talks.told() == {SESSION: WORDS}


def test_the_database_goes_before_a_stale_file_and_one_that_cannot_be_read_leaves_the_files(talks):
    stale = chain(("user", "hello"), ("assistant", "hi there"), ("user", "given up"))
    jsonl(talks, stale)
    talks.database.parent.mkdir()
    talks.database.write_bytes(b"no database at all" * 100)
    document = talks.bring()
    assert (document["new"], len(document["problems"])) == (3, 1)
    talks.database.unlink()
    fork = message("n", TALK[1]["id"], "user", "instead", START + 40)
    database(talks.database, {SESSION: [head(), *stale, fork]})
    talks.bring()
    assert texts(talks) == {SESSION: ["hello", "hi there", "instead"]}


def test_while_openclaw_has_its_database_open_its_newest_events_are_read_and_nothing_is_left_behind(talks):
    place = database(talks.database, {SESSION: TALK[:2]})
    with closing(sqlite3.connect(place)) as writer:
        writer.execute("PRAGMA wal_autocheckpoint=0")
        for seq, entry in enumerate(TALK[2:], 2):
            writer.execute("INSERT INTO transcript_events VALUES (?,?,?,?)", (SESSION, seq, json.dumps(entry), 1))
        writer.commit()
        before = {path.name: path.stat().st_size for path in place.parent.iterdir()}
        assert talks.bring()["new"] == 4
        assert {path.name: path.stat().st_size for path in place.parent.iterdir()} == before


def test_it_goes_on_where_it_ended_and_a_rewritten_transcript_doubles_nothing(talks):
    place = jsonl(talks, TALK[:2])
    assert talks.bring()["new"] == 2
    with place.open("a") as file:
        file.write(lines(TALK[2:]))
    assert talks.bring()["new"] == 2
    jsonl(talks, TALK[2:])
    document = talks.bring()
    assert (document["new"], document["rewritten"]) == (0, [str(place)])
    other = message(TALK[1]["id"], TALK[0]["id"], "assistant", "[redacted]", START + 10)
    renamed = [deepcopy(entry) for entry in (TALK[0], other, *TALK[2:])]
    for number, entry in enumerate(renamed):
        entry.update(id=f"new{number}", parentId=f"new{number - 1}" if number else None)
    for entries in ([TALK[0], other, *TALK[2:]], renamed):
        jsonl(talks, entries)
        assert talks.bring()["new"] == 0
        assert texts(talks) == {SESSION: ["hello", "[redacted]", "no, it's Tuesday", TALK_END]}


TALK_END = WORDS[-1][1]


@pytest.mark.parametrize("form", ["file", "database"])
def test_of_a_source_that_forks_only_what_is_new_is_taken(form, talks):
    """A purged part of it does not come back with the rest."""
    turns = chain(("user", "hello"), ("assistant", "NO_REPLY"), ("user", "it is Tuesday evening"))
    additions = [
        message("m", turns[2]["id"], "assistant", "NO_REPLY", START + 30),
        message("o", "m", "user", "so", START + 40),
    ]
    fork = message("n", turns[0]["id"], "user", "instead", START + 50)

    def write(*entries):
        if form == "database":
            place = database(talks.database, {SESSION: [{}, *entries]})
            with closing(sqlite3.connect(place)) as connection, connection:
                connection.execute("UPDATE transcript_events SET event_json = 'no JSON' WHERE seq = 0")
        else:
            place = jsonl(talks, entries)
            place.write_text("no JSON\n" + place.read_text())

    write(*turns)
    document = talks.bring()
    assert (document["new"], document["skipped"], len(document["bad_lines"])) == (2, {"no reply": 1}, 1)
    preview = talks.run("purge", "--text", "-", stdin="Tuesday evening")
    talks.run("purge", "--text", "-", "--apply", "--hash", preview["hash"], stdin="Tuesday evening")
    write(*turns, *additions, fork)
    document = talks.bring()
    assert (document["new"], document["skipped"], document["bad_lines"]) == (2, {"no reply": 1}, [])
    assert texts(talks) == {SESSION: ["hello", "instead"]}


def test_three_who_import_at_once_keep_each_message_once(each_store):
    jsonl(each_store, chain(*(("user", f"t{number}") for number in range(2_000))))
    command = [COMMAND, "-C", each_store.root, "session", "import", each_store.agent]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) for _ in range(3)]
    for process in running:
        output = process.communicate(timeout=120)[0]
        assert process.returncode == 0, output
    assert texts(each_store) == {SESSION: [f"t{number}" for number in range(2_000)]}


PACKED = """
CREATE TABLE transcript_events (session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT,
  created_at INTEGER NOT NULL, event_zstd BLOB, event_utf8_bytes INTEGER, navigation_json TEXT,
  PRIMARY KEY (session_id, seq)) STRICT;
PRAGMA user_version = 23;
"""


def test_long_events_that_openclaw_packs_are_read_once_something_unpacks_them(talks, monkeypatch):
    zstandard = pytest.importorskip("zstandard", reason="zstandard; get it: pip install 'clawgit[openclaw]'")
    entries = chain(("user", "hello"), ("assistant", "It is long. " * 200), ("user", "thanks"))
    talks.database.parent.mkdir(parents=True)
    with closing(sqlite3.connect(talks.database)) as connection:
        connection.executescript(PACKED)
        for number, entry in enumerate(entries):
            text = json.dumps(entry)
            long = zstandard.ZstdCompressor(level=1, write_checksum=True).compress(text.encode())
            packs = (None, long, len(text)) if len(text) > 1_024 else (text, None, len(text))
            row = (SESSION, number, packs[0], 1, *packs[1:], None)
            connection.execute("INSERT INTO transcript_events VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        connection.commit()
    with monkeypatch.context() as patch:
        patch.setattr(openclaw_sessions, "can_read_packed", lambda: False)
        (problem,) = talks.bring()["problems"]
    assert problem["fix"] == "pip install 'clawgit[openclaw]'"
    assert texts(talks)[SESSION] == ["hello", "thanks"]
    assert talks.bring()["problems"] == []
    assert texts(talks)[SESSION][1].startswith("It is long. It is long.")


def test_what_openclaw_forgot_goes_and_does_not_come_back(talks):
    other = "7e0a3c1e-6a52-4a3e-9d57-0f6f0a9e4c11"
    code = "Remember that the alarm code is on the fridge."
    forgotten = chain(("user", code), ("assistant", "noted"))
    database(talks.database, {SESSION: [head(), *forgotten], other: chain(("user", "Bo likes tea"), prefix="f")})
    write_transcript(talks.agent / f"sessions/{SESSION}.jsonl.reset.2026-05-05T10-20-30.123Z", forgotten)
    talks.bring()
    talks.run("triage", code, "--act", "--session", SESSION)
    talks.run("triage", "That's wrong: the alarm code is not on the fridge.", "--act", "--session", SESSION)
    assert "alarm code" in str(talks.run("inbox"))
    with closing(sqlite3.connect(talks.database)) as connection:  # as `openclaw memory forget --session` leaves it
        connection.execute(
            "CREATE TABLE memory_session_tombstones (session_id TEXT NOT NULL PRIMARY KEY,"
            " agent_id TEXT NOT NULL, reason TEXT NOT NULL, created_at INTEGER NOT NULL) STRICT"
        )
        connection.execute("INSERT INTO memory_session_tombstones VALUES (?, 'main', 'forgotten', 1)", (SESSION,))
        connection.commit()
    assert [row["session"] for row in talks.bring()["forgotten"]] == [SESSION]
    for act in ("flush", "plan"):
        assert talks.call("session", act, f"main/{SESSION}").key == "session-forgotten"
    assert "alarm code" not in str(talks.run("inbox"))
    for _ in range(2):
        assert [*talks.told()] == [other]
        assert talks.bring()["forgotten"] == []
    assert not [path for path in (talks.root / ".git/clawgit").glob("state.db*") if b"alarm code" in path.read_bytes()]


RECORDED = sorted(Path(__file__).with_name("recorded").glob("*.jsonl.gz"))


def test_what_openclaw_itself_wrote_is_read_and_left_as_it_was(talks, tmp_path):
    """Conversations of a real OpenClaw, with compactions, and with calls of tools (benchmarks/memory)."""
    for place in RECORDED[:: amount(1, 5)]:
        data = gzip.decompress(place.read_bytes())
        file = tmp_path / f"{SESSION}.jsonl"
        file.write_bytes(data)
        plan = talks.run("session", "plan", str(file))
        assert (plan["unread"], plan["messages"] > 0, plan["tokens"] > 0) == (0, True, True)
        assert talks.bring(file)["bad_lines"] == []
        assert file.read_bytes() == data


def test_a_command_of_the_operators_is_a_call_with_its_output(talks):
    command = {"role": "bashExecution", "command": "make test", "output": "2 failed", "exitCode": 2}
    entry = {"type": "message", "id": "b", "parentId": TALK[-1]["id"], "timestamp": TALK[-1]["timestamp"]}
    jsonl(talks, [*TALK, {**entry, "message": command}])
    talks.bring()
    (message,) = [row for row in talks.run("show", SESSION)["messages"] if row.get("tool") == "bash"]
    assert (message["text"], message["failed"]) == ("2 failed", True)


def test_a_compressed_transcript_is_read_or_names_what_it_needs(talks):
    place = talks.agent / f"sessions/{SESSION}.jsonl.zst"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(b"\x28\xb5\x2f\xfd")
    if importlib.util.find_spec("zstandard") is None:
        assert "pip install" in str(talks.run("session", "import")["problems"])
