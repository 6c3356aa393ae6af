"""Conversations are brought in whole, each message once, whatever the order."""

import json
import random
import sqlite3
import subprocess
import sys
from contextlib import closing
from copy import deepcopy
from pathlib import Path

import pytest

from clawgit.sessions import chat_store, openclaw_sessions, session_import, transcript_discovery

from .transcripts import SESSION, START, V13, V17, chain, database, head, lines, listed, said, written

TALK = chain(("user", "hello"), ("assistant", "hi there"), ("user", "no, it's Tuesday"), ("assistant", "noted"))
WORDS = ["hello", "hi there", "no, it's Tuesday", "noted"]


@pytest.fixture
def agent(tmp_path):
    """The folder of OpenClaw's agent main."""
    folder = tmp_path / "state/agents/main"
    (folder / "sessions").mkdir(parents=True)
    return folder


def bring(chats, place):
    return session_import.bring(chats, transcript_discovery.list_transcripts_at(Path(place)), "main")


def told(chats, **more):
    return {one.session.id: [m.text for m in chats.messages(one.session, **more)] for one in chats.sessions()}


def everything(chats):
    return {
        (one.session.agent, one.session.id): [
            (m.event, m.role, m.origin, m.text, m.time, m.tool, m.failed, m.calls) for m in chats.messages(one.session)
        ]
        for one in chats.sessions()
    }


# --- every documented shape


def jsonl(agent, entries, name=f"{SESSION}.jsonl", version=3):
    listed(agent / "sessions", **{SESSION.replace("-", "_"): ("agent:main:main", {"chatType": "direct"})})
    return written(agent / "sessions" / name, entries, version=version)


SHAPES = {
    "jsonl-3": lambda agent: jsonl(agent, TALK),
    "topic": lambda agent: jsonl(agent, TALK, f"{SESSION}-topic-42.jsonl"),
    "deleted": lambda agent: jsonl(agent, TALK, f"{SESSION}.jsonl.deleted.2026-05-05T10-20-30.123Z"),
    "schema 13": lambda agent: database(agent / "agent/openclaw-agent.sqlite", {SESSION: [head(), *TALK]}, V13),
    "schema 17": lambda agent: database(agent / "agent/openclaw-agent.sqlite", {SESSION: [head(), *TALK]}, V17),
    "both": lambda agent: (SHAPES["jsonl-3"](agent), SHAPES["schema 17"](agent)),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_conversation_is_read_whole_in_every_shape(shape, agent, chats):
    SHAPES[shape](agent)
    done = bring(chats, agent)
    assert (done.new, done.bad_lines, done.problems, done.rewritten) == (4, [], [], [])
    assert told(chats) == {SESSION: WORDS}
    (summary,) = chats.sessions()
    assert (summary.session.agent, summary.session.key, summary.session.kind) == ("main", "agent:main:main", "direct")
    assert [m.origin for m in chats.messages(summary.session)] == ["operator", "agent", "operator", "agent"]
    assert bring(chats, agent).new == 0
    assert told(chats) == {SESSION: WORDS}


# --- machines, groups, noise


@pytest.mark.parametrize(
    ("key", "more", "reason"),
    [
        ("agent:main:cron:7", {}, "cron"),
        ("explicit:model-run-7", {}, "own"),
        ("agent:main:main", {"spawnedBy": "agent:main:main"}, "subagent"),
    ],
)
def test_sessions_of_machines_are_passed_over(key, more, reason, agent, chats):
    listed(agent / "sessions", **{SESSION.replace("-", "_"): (key, more)})
    written(agent / f"sessions/{SESSION}.jsonl", TALK)
    done = bring(chats, agent)
    assert (done.new, done.skipped) == (0, {reason: 4})
    assert told(chats) == {}
    assert bring(chats, agent).skipped == {}


def test_in_a_group_nobody_is_the_operator(agent, chats):
    database(agent / "agent/openclaw-agent.sqlite", {SESSION: TALK}, key="agent:main:telegram:group:-1", chat="group")
    bring(chats, agent)
    assert {m.origin for m in chats.messages(chats.sessions()[0].session)} == {"untrusted", "agent"}


def test_a_machines_turn_and_its_answer_are_passed_over_and_the_talk_goes_on(agent, chats):
    turns = chain(
        ("user", "hello"),
        ("assistant", "hi"),
        ("user", "Read HEARTBEAT.md if it exists"),
        ("assistant", "I looked around and cleaned the attic"),
        ("user", "[Mon 2026-05-04 10:00 GMT+2] thanks"),
        ("assistant", "[[reply_to_current]] welcome"),
    )
    jsonl(agent, turns[:3])
    bring(chats, agent)
    jsonl(agent, turns)
    done = bring(chats, agent)
    assert done.skipped == {"heartbeat": 1}
    assert told(chats) == {SESSION: ["hello", "hi", "thanks", "welcome"]}


# --- what is broken


def test_broken_lines_are_counted_by_number_and_the_rest_is_read(agent, chats):
    place = jsonl(agent, TALK)
    rows = place.read_text().splitlines()
    rows[2:2] = ['{"type": "mess', "7", "", "\ufffd"]
    place.write_bytes("\n".join(rows).encode() + b'\n\xff\xfe\n{"type":"x","id":"y"}\n{"half')
    done = bring(chats, agent)
    assert [bad.line for bad in done.bad_lines] == [3, 4, 6, 10]
    assert done.skipped == {}
    assert told(chats) == {SESSION: WORDS}


def test_the_database_goes_before_a_stale_file(agent, chats):
    stale = chain(("user", "hello"), ("assistant", "hi there"), ("user", "given up"))
    fork = [*TALK[:2], said("n", TALK[1]["id"], "user", "instead", START + 40)]
    jsonl(agent, stale)
    database(agent / "agent/openclaw-agent.sqlite", {SESSION: [head(), *stale, fork[2]]})
    bring(chats, agent)
    assert told(chats) == {SESSION: ["hello", "hi there", "instead"]}


@pytest.mark.parametrize(
    ("data", "words"),
    [(b"no database at all" * 100, "is encrypted, or no database")],
)
def test_a_database_that_cannot_be_read_leaves_the_files(data, words, agent, chats):
    jsonl(agent, TALK)
    (agent / "agent").mkdir()
    (agent / "agent/openclaw-agent.sqlite").write_bytes(data)
    done = bring(chats, agent)
    assert done.new == 4
    assert words in done.problems[0].message
    assert done.problems[0].fix


def test_while_openclaw_has_its_database_open_its_newest_events_are_read_and_nothing_is_left_behind(agent, chats):
    place = database(agent / "agent/openclaw-agent.sqlite", {SESSION: TALK[:2]})
    with closing(sqlite3.connect(place)) as writer:
        writer.execute("PRAGMA wal_autocheckpoint=0")
        for seq, one in enumerate(TALK[2:], 2):
            writer.execute("INSERT INTO transcript_events VALUES (?,?,?,?)", (SESSION, seq, json.dumps(one), 1))
        writer.commit()
        before = {one.name: one.stat().st_size for one in place.parent.iterdir()}
        assert bring(chats, agent).new == 4
        assert {one.name: one.stat().st_size for one in place.parent.iterdir()} == before


# --- going on, and what changed meanwhile


def test_it_goes_on_where_it_ended(agent, chats):
    place = jsonl(agent, TALK[:2])
    assert bring(chats, agent).new == 2
    with place.open("a") as file:
        file.write(lines(TALK[2:]))
    assert bring(chats, agent).new == 2
    base = agent / "agent/openclaw-agent.sqlite"
    database(base, {SESSION: TALK})
    assert bring(chats, agent).new == 0
    database(base, {SESSION: [*TALK, said("n", TALK[3]["id"], "user", "more", START + 50)]})
    assert bring(chats, agent).new == 1
    assert told(chats) == {SESSION: [*WORDS, "more"]}


def test_a_transcript_that_shrinks_or_is_rewritten_is_noticed_and_nothing_is_doubled(agent, chats):
    jsonl(agent, TALK)
    bring(chats, agent)
    place = jsonl(agent, [TALK[2], TALK[3]])
    done = bring(chats, agent)
    assert (done.new, done.rewritten) == (0, [str(place)])
    jsonl(agent, [*TALK[:1], said(TALK[1]["id"], TALK[0]["id"], "assistant", "[redacted]", START + 10), *TALK[2:]])
    assert bring(chats, agent).new == 0
    assert told(chats) == {SESSION: ["hello", "[redacted]", "no, it's Tuesday", "noted"]}
    renamed = [
        {**deepcopy(one), "id": f"new{n}", "parentId": f"new{n - 1}" if n else None} for n, one in enumerate(TALK)
    ]
    renamed[1]["message"]["content"][-1]["text"] = "[redacted]"
    jsonl(agent, renamed)
    assert bring(chats, agent).new == 0
    assert told(chats) == {SESSION: ["hello", "[redacted]", "no, it's Tuesday", "noted"]}


@pytest.mark.parametrize("form", ["file", "database"])
def test_of_a_source_that_forks_only_what_is_new_is_taken(form, agent, chats, monkeypatch):
    monkeypatch.setattr(session_import, "_LANDING_EVENTS", 2)
    asked = chain(("user", "hello"), ("assistant", "NO_REPLY"), ("user", "it is Tuesday"))
    more = [said("m", asked[2]["id"], "assistant", "NO_REPLY", START + 30), said("o", "m", "user", "so", START + 40)]
    fork = said("n", asked[0]["id"], "user", "instead", START + 50)

    def write(*entries):
        if form == "database":
            place = database(agent / "agent/openclaw-agent.sqlite", {SESSION: [{}, *entries]})
            with closing(sqlite3.connect(place)) as connection, connection:
                connection.execute("UPDATE transcript_events SET event_json = 'no JSON' WHERE seq = 0")
        else:
            place = jsonl(agent, entries)
            place.write_text("no JSON\n" + place.read_text())

    write(*asked)
    done = bring(chats, agent)
    assert (done.new, done.skipped, len(done.bad_lines)) == (2, {"no reply": 1}, 1)
    chats.reword(lambda text: text.replace("Tuesday", "[purged]"), really=True)
    write(*asked, *more, fork)
    done = bring(chats, agent)
    assert (done.new, done.skipped, done.bad_lines) == (2, {"no reply": 1}, [])
    assert told(chats) == {SESSION: ["hello", "instead"]}
    assert told(chats, abandoned=True) == {SESSION: ["hello", "it is [purged]", "so", "instead"]}


def test_what_a_stale_file_gave_up_is_told_once_the_database_has_it(agent, chats):
    jsonl(agent, [*TALK[:2], said("n", TALK[0]["id"], "user", "instead", START + 40)])
    base = agent / "agent/openclaw-agent.sqlite"
    database(base, {SESSION: TALK[:1]})
    bring(chats, agent)
    assert told(chats) == {SESSION: ["hello", "instead"]}
    database(base, {SESSION: TALK[:2]})
    bring(chats, agent)
    assert told(chats) == {SESSION: ["hello", "hi there", "instead"]}


def test_a_killed_import_goes_on_as_if_nothing_had_been(agent, tmp_path):
    jsonl(agent, chain(*(("user", f"t{n}") for n in range(6_000))))
    script = (
        "import os, sys; from pathlib import Path\n"
        "from clawgit.sessions import chat_store, session_import, transcript_discovery\n"
        "store = chat_store.open_sqlite(Path(sys.argv[1])); taken = []; take = store.take\n"
        "def dying(*a, **k):\n"
        "    taken.append(take(*a, **k))\n"
        "    if len(taken) == 3: os.kill(os.getpid(), 9)\n"
        "    return taken[-1]\n"
        "store.take = dying\n"
        "session_import.bring(store, transcript_discovery.list_transcripts_at(Path(sys.argv[2])), 'main')\n"
    )
    command = [sys.executable, "-c", script, tmp_path / "chats.db", agent]
    assert subprocess.run(command, check=False).returncode == -9
    with chat_store.open_sqlite(tmp_path / "chats.db") as chats:
        assert bring(chats, agent).new == 3_000
        assert told(chats) == {SESSION: [f"t{n}" for n in range(6_000)]}


# --- what must always hold


@pytest.mark.parametrize("seed", range(6))
def test_in_either_store_any_pieces_of_a_tree_tell_the_same(seed, store, chats, tmp_path):
    chance = random.Random(seed)
    entries = []
    for number in range(60):
        parent = chance.choice([entries[-1]["id"]] * 9 + [one["id"] for one in entries]) if entries else None
        role, text = chance.choice(["user", "assistant"]), chance.choice(["yes", "no", "NO_REPLY", "grüße 🦞"])
        entries.append(said(f"e{number}", parent, role, text, START + number))
    agent = tmp_path / "agents/main"
    place = written(agent / f"sessions/{SESSION}.jsonl", entries)
    bring(chats, agent)
    whole = place.read_bytes()
    for share in sorted(chance.random() for _ in range(4)):
        place.write_bytes(whole[: int(len(whole) * share)])
        bring(store, agent)
        if chance.random() < 0.5:
            database(
                agent / "agent/openclaw-agent.sqlite", {SESSION: [head(), *entries[: int(60 * share)]]}, key="main"
            )
    place.write_bytes(whole)
    database(agent / "agent/openclaw-agent.sqlite", {SESSION: [head(), *entries]}, key="main")
    bring(store, agent)
    assert everything(store) == everything(chats)
    assert bring(store, agent).new == 0


PACKED = """
CREATE TABLE transcript_events (session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT,
  created_at INTEGER NOT NULL, event_zstd BLOB, event_utf8_bytes INTEGER, navigation_json TEXT,
  PRIMARY KEY (session_id, seq)) STRICT;
PRAGMA user_version = 23;
"""


@pytest.fixture
def packed_talk(agent):
    """A database of schema 23, which packs what is long."""
    zstandard = pytest.importorskip("zstandard", reason="zstandard; get it: pip install 'clawgit[openclaw]'")
    entries = chain(("user", "hello"), ("assistant", "It is long. " * 200), ("user", "thanks"))
    place = agent / "agent/openclaw-agent.sqlite"
    place.parent.mkdir(parents=True)
    with closing(sqlite3.connect(place)) as connection:
        connection.executescript(PACKED)
        for number, entry in enumerate(entries):
            text = json.dumps(entry)
            long = zstandard.ZstdCompressor(level=1, write_checksum=True).compress(text.encode())
            packs = (None, long, len(text)) if len(text) > 1_024 else (text, None, len(text))
            row = (SESSION, number, packs[0], 1, *packs[1:], None)
            connection.execute("INSERT INTO transcript_events VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        connection.commit()
    return agent


def test_long_events_that_openclaw_packs_are_read(packed_talk, chats):
    done = bring(chats, packed_talk)
    assert (done.new, done.bad_lines, done.problems) == (3, [], [])
    assert told(chats)[SESSION][1].startswith("It is long. It is long.")
    assert bring(chats, packed_talk).rewritten == []


def test_where_nothing_unpacks_them_that_is_told_and_later_they_are_read(packed_talk, chats, monkeypatch):
    monkeypatch.setattr(openclaw_sessions, "readable", lambda: False)
    done = bring(chats, packed_talk)
    assert told(chats)[SESSION] == ["hello", "thanks"]
    assert [(one.message.rpartition(": ")[2], str(one.fix)) for one in done.problems] == [
        ("1 long messages are packed, and were not read", "pip install 'clawgit[openclaw]'")
    ]
    monkeypatch.undo()
    assert bring(chats, packed_talk).problems == []
    assert len(told(chats)[SESSION]) == 3
