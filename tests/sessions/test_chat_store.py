"""What every chat store promises, in a file and in PostgreSQL."""

import json
import subprocess
import sys

import pytest

from clawgit.sessions import chat_store
from clawgit.sessions.envelope import Session
from clawgit.sessions.session_messages import Event, digest
from clawgit.sessions.transcript import Call

HERE = Session("s1", "main", "agent:main:main", "direct", "telegram", 100.0)


def event(name, parent, text="", at=100.0, role="user", **more):
    more = {"origin": "operator" if role == "user" else "agent", "time": at, **more}
    return Event(name, parent, int(at), at, role, text=text, digest=digest(role, text), **more)


def texts(store, session=HERE, **more):
    return [one.text for one in store.messages(session, **more)]


def test_what_is_kept_comes_back_as_it_was(store, reopen):
    calls = (Call("exec", '{"command": "ls \\"ü\\""}'),)
    told = [
        event("a", None, "grüße 🦞 'quoted' ? % %s"),
        event("b", "a", "", 101.5, "assistant", calls=calls),
        event("c", "b", "denied", 102.25, "tool", origin="untrusted", tool="exec", failed=True),
    ]
    store.meet(HERE)
    assert store.take(HERE, "file", told, "x", {"offset": 7}) == 3
    with reopen() as again:
        first, second, third = again.messages(HERE)
        assert (first.event, first.role, first.origin, first.text, first.time) == (
            "a",
            "user",
            "operator",
            told[0].text,
            100.0,
        )
        assert (second.calls, second.time) == (calls, 101.5)
        assert (third.tool, third.failed, third.origin) == ("exec", True, "untrusted")
        (kept,) = again.sessions()
        assert (kept.session, kept.messages, kept.first, kept.last) == (HERE, 3, 100.0, 102.25)
        assert again.mark("x")["offset"] == 7


def test_from_two_sources_a_message_is_kept_once_and_the_database_has_the_last_word(store):
    store.meet(HERE)
    store.take(HERE, "file", [event("a", None, "old words"), event("b", "a", "b", 101)], "x", {})
    assert store.take(HERE, "database", [event("a", None, "new words"), event("c", "a", "c", 102)], "y", {}) == 1
    assert store.take(HERE, "reset.1", [event("a", None, "older words")], "z", {}) == 0
    assert texts(store) == ["new words", "b", "c"]


def test_a_branch_that_was_given_up_is_not_told_unless_it_is_asked_for(store):
    store.meet(HERE)
    told = [event("a", None, "a"), event("b", "a", "b", 101), event("c", "b", "c", 102), event("d", "a", "d", 103)]
    store.take(HERE, "file", told[:3], "x", {})
    assert texts(store) == ["a", "b", "c"]
    store.take(HERE, "file", told, "x", {}, seen="abcd", branch="ad")
    assert texts(store) == ["a", "d"]
    assert texts(store, abandoned=True) == ["a", "b", "c", "d"]
    (kept,) = store.sessions()
    assert kept.messages == 2
    told.append(event("e", "c", "e", 104))
    store.take(HERE, "file", told, "x", {}, seen="abcde", branch="abce")  # and back again
    assert texts(store) == ["a", "b", "c", "e"]


def test_a_rewritten_source_is_read_anew_and_nothing_is_doubled_or_lost(store):
    store.meet(HERE)
    store.take(HERE, "file", [event("a", None, "a"), event("b", "a", "b", 101), event("c", "b", "c", 102)], "x", {})
    told = [event("b", None, "B", 101), event("n", "b", "c", 102)]
    assert store.take(HERE, "file", told, "x", {}, seen="bn", branch="bn") == 0
    assert texts(store) == ["a", "B", "c"]


def test_what_cannot_land_whole_does_not_land_at_all(store, monkeypatch):
    store.meet(HERE)
    store.take(HERE, "file", [event("a", None, "a")], "x", {"offset": 1})
    monkeypatch.setattr(json, "dumps", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        store.take(HERE, "file", [event("b", "a", "b", 101)], "x", {"offset": 2})
    monkeypatch.undo()
    assert texts(store) == ["a"]
    assert store.mark("x")["offset"] == 1
    assert store.take(HERE, "file", [event("b", "a", "b", 101)], "x", {"offset": 2}) == 1


def test_two_importers_at_once_keep_each_message_once(store, store_url):
    script = (
        "import sys; from pathlib import Path; from clawgit.sessions import chat_store\n"
        "from clawgit.sessions.envelope import Session; from clawgit.sessions.session_messages import Event, digest\n"
        "here = Session('s1', 'main'); total = 0\n"
        "with chat_store.open_chat_store(Path('/nowhere'), {'CLAWGIT_CHAT_URL': sys.argv[1]}) as store:\n"
        "    store.meet(here)\n"
        "    for n in range(100):\n"
        "        up = f'e{n - 1}' if n else None\n"
        "        same = digest('user', f't{n}')\n"
        "        one = Event(f'e{n}', up, n, n, 'user', 'operator', f't{n}', float(n), digest=same)\n"
        "        total += store.take(here, 'file', [one], 'x', {'n': n})\n"
        "print(total)\n"
    )
    command = [sys.executable, "-c", script, store_url]
    runs = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    for run in runs:
        _, err = run.communicate(timeout=120)
        assert run.returncode == 0, err
    assert texts(store, Session("s1", "main")) == [f"t{n}" for n in range(100)]


# --- of one kind


def test_the_file_is_its_owners_alone(tmp_path):
    chat_store.open_sqlite(tmp_path / "deep/chat.db").close()
    assert (tmp_path / "deep/chat.db").stat().st_mode & 0o077 == 0


TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"  # built here, so that no scanner takes this file for a leak


def test_a_store_that_kept_secrets_is_cleaned_when_it_is_opened(store, reopen):
    """What an older clawgit kept as it was said is named afterwards, in words and in calls of tools alike."""
    words = f"the key is {TOKEN} for now"
    told = [
        event("a", None, words),
        event("b", "a", "", 101, "assistant", calls=(Call("exec", json.dumps({"command": f"login {TOKEN}"})),)),
        event("c", "b", "nothing of the kind", 102),
    ]
    store.meet(HERE)
    store.take(HERE, "file", told, "x", {"offset": 7})
    store._database.rows("UPDATE chat_format SET version = 1")
    with reopen() as again:
        first, second, third = again.messages(HERE)
        assert TOKEN not in first.text
        assert TOKEN not in second.calls[0].arguments
        assert first.text.startswith("the key is [")
        assert third.text == "nothing of the kind"
        assert [one.event for one in again.saying("user", words)] == ["a"]
        assert again._database.rows("SELECT version FROM chat_format") == [(2,)]


def test_nothing_of_a_secret_is_left_in_the_file(tmp_path):
    """Not in pages that were given back, either."""
    place = tmp_path / "chat.db"
    told = [event(f"e{number}", None, f"row {number}: {TOKEN}", 100 + number) for number in range(200)]
    with chat_store.open_sqlite(place) as old:
        old.meet(HERE)
        old.take(HERE, "file", told, "x", {})
        old._database.rows("UPDATE chat_format SET version = 1")
    chat_store.open_sqlite(place).close()
    assert [one for one in tmp_path.iterdir() if TOKEN.encode() in one.read_bytes()] == []
