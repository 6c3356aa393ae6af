"""What every chat store promises, in a file and in PostgreSQL."""

import json
import subprocess
import sys

import pytest

from clawgit.errors import ClawgitError
from clawgit.sessions import chat_databases, chat_store_choice
from clawgit.sessions.envelope import Session
from clawgit.sessions.session_messages import Event, digest
from clawgit.sessions.transcript import Call
from clawgit.store.database import StateStore

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


def test_an_empty_store_is_empty(store):
    assert list(store.sessions()) == []
    assert list(store.messages(HERE)) == []
    assert store.mark("x") is None
    assert store.count(HERE) == 0


def test_the_same_again_adds_nothing(store):
    told = [event("a", None, "one"), event("b", "a", "two", 101)]
    store.meet(HERE)
    assert [store.take(HERE, "file", told, "x", {}) for _ in range(3)] == [2, 0, 0]
    assert texts(store) == ["one", "two"]


def test_from_two_sources_a_message_is_kept_once_and_the_database_has_the_last_word(store):
    store.meet(HERE)
    store.take(HERE, "file", [event("a", None, "old words"), event("b", "a", "b", 101)], "x", {})
    assert store.take(HERE, "database", [event("a", None, "new words"), event("c", "a", "c", 102)], "y", {}) == 1
    assert store.take(HERE, "reset.1", [event("a", None, "older words")], "z", {}) == 0
    assert texts(store) == ["new words", "b", "c"]


def test_what_has_no_id_of_its_own_is_told_by_its_words_and_its_time(store):
    store.meet(HERE)
    store.take(HERE, "file", [event("a", None, "yes"), event("b", "a", "yes", 101)], "x", {})
    assert store.take(HERE, "reset.1", [event("~1", None, "yes"), event("~2", "~1", "yes", 105)], "y", {}) == 1
    assert texts(store) == ["yes", "yes", "yes"]


def test_a_branch_that_was_given_up_is_not_told_unless_it_is_asked_for(store):
    store.meet(HERE)
    told = [event("a", None, "a"), event("b", "a", "b", 101), event("c", "b", "c", 102), event("d", "a", "d", 103)]
    store.take(HERE, "file", told[:3], "x", {})
    assert texts(store) == ["a", "b", "c"]
    store.take(HERE, "file", told[3:], "x", {})
    assert texts(store) == ["a", "d"]
    assert texts(store, abandoned=True) == ["a", "b", "c", "d"]
    (kept,) = store.sessions()
    assert kept.messages == 2
    store.take(HERE, "file", [event("e", "c", "e", 104)], "x", {})  # and back again
    assert texts(store) == ["a", "b", "c", "e"]


def test_a_rewritten_source_is_read_anew_and_nothing_is_doubled_or_lost(store):
    store.meet(HERE)
    store.take(HERE, "file", [event("a", None, "a"), event("b", "a", "b", 101), event("c", "b", "c", 102)], "x", {})
    assert store.take(HERE, "file", [event("b", None, "B", 101), event("n", "b", "c", 102)], "x", {}, anew=True) == 0
    assert texts(store) == ["a", "B", "c"]


def test_a_dump_gives_way_to_the_transcript_whichever_comes_first(store):
    dump = [event("dump-1", "", "hello", 100, time=None), event("dump-2", "", "only here", 100, time=None)]
    real = [event("a", None, "hello  ", 100)]
    for name, order in (("s1", (("dump:x", dump), ("file", real))), ("s2", (("file", real), ("dump:x", dump)))):
        session = store.meet(Session(name, "main"))
        for stream, told in order:
            store.take(session, stream, told, f"{name}/{stream}", {})
        assert sorted(one.event for one in store.messages(session)) == ["a", "dump-2"]


def test_agents_may_have_sessions_of_one_name(store):
    for agent in ("main", "work"):
        session = store.meet(Session("s1", agent))
        store.take(session, "file", [event("a", None, f"of {agent}")], agent, {})
    assert [texts(store, one.session) for one in store.sessions()] == [["of main"], ["of work"]]


def test_what_is_learnt_of_a_session_holds_for_what_is_there(store):
    unknown = store.meet(Session("s1", "main", started=5.0))
    store.take(unknown, "file", [event("a", None, "hello"), event("b", "a", "hi", 101, "assistant")], "x", {})
    group = store.meet(Session("s1", "main", "agent:main:discord:group:7", "group", "discord", 9.0))
    assert (group.kind, group.started) == ("group", 5.0)
    assert store.meet(Session("s1", "main")) == group
    assert store.meet(Session("s1", "main", kind="direct")) == group
    assert [one.origin for one in store.messages(group)] == ["untrusted", "agent"]


def test_machines_sessions_are_not_listed(store):
    session = store.meet(Session("s1", "main", "cron:7", "cron"))
    store.take(session, "file", [event("a", None, "hello")], "x", {})
    assert list(store.sessions()) == []


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


def test_hundreds_in_one_go(store):
    told = [event(f"e{n}", f"e{n - 1}" if n else None, f"text {n % 7}", 100 + n) for n in range(1500)]
    store.meet(HERE)
    assert store.take(HERE, "file", told, "x", {}) == 1500
    assert store.take(HERE, "file", told, "x", {}) == 0
    assert store.count(HERE) == len(texts(store)) == 1500


def test_two_importers_at_once_keep_each_message_once(store, store_url):
    script = (
        "import sys; from pathlib import Path; from clawgit.sessions import chat_store_choice\n"
        "from clawgit.sessions.envelope import Session; from clawgit.sessions.session_messages import Event, digest\n"
        "here = Session('s1', 'main'); total = 0\n"
        "with chat_store_choice.opened(Path('/nowhere'), {'CLAWGIT_CHAT_URL': sys.argv[1]}) as store:\n"
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


def test_a_younger_format_is_refused(store, reopen):
    store._database.rows("UPDATE chat_format SET version = 99")
    with pytest.raises(ClawgitError, match="younger clawgit"):
        reopen()


# --- of one kind


def test_the_file_is_its_owners_alone(tmp_path):
    chat_databases.opened_sqlite(tmp_path / "deep/chat.db").close()
    assert (tmp_path / "deep/chat.db").stat().st_mode & 0o077 == 0


def test_a_file_that_is_no_store_is_named_with_a_way_out(tmp_path):
    (tmp_path / "chat.db").write_bytes(b"no database, but long enough to look at" * 9)
    with pytest.raises(ClawgitError, match="is no chat store") as refused:
        chat_databases.opened_sqlite(tmp_path / "chat.db")
    assert str(refused.value.fix).startswith("mv ")


def test_the_address_is_never_told(cluster):
    del cluster
    for url in (
        "postgresql://ana:hunter2@127.0.0.1:1/x",
        "postgresql://ana:hunter2@[",
        "postgresql://ana:hunter2@/x?a",
    ):
        with pytest.raises(ClawgitError) as refused:
            chat_databases.opened_postgres(url)
        assert "hunter2" not in refused.value.message + str(refused.value.fix)


def test_the_environment_chooses_the_store(tmp_path):
    here = StateStore(tmp_path)
    with chat_store_choice.opened(here, {}):
        assert here.has_table("chat_message")
    with chat_store_choice.opened(here, {"CLAWGIT_CHAT_URL": f"sqlite://{tmp_path}/other.db"}):
        assert (tmp_path / "other.db").exists()
    with pytest.raises(ClawgitError, match="CLAWGIT_CHAT_URL"):
        chat_store_choice.opened(here, {"CLAWGIT_CHAT_URL": "mysql://ana:hunter2@x"})


def test_two_tools_may_answer_alike_at_once_unless_the_source_was_rewritten(store):
    store.meet(HERE)
    told = [event(name, "", "ok", role="tool", origin="untrusted") for name in "ab"]
    assert store.take(HERE, "file", told, "x", {}) == 2
    anew = [event(name, "", "ok", role="tool", origin="untrusted") for name in "c"]
    assert store.take(HERE, "file", anew, "x", {}, anew=True) == 0
    assert store.take(HERE, "file", [event("d", "", "ok", at=101, role="tool", origin="untrusted")], "x", {}) == 1


def test_one_message_is_found_by_its_event(store):
    store.meet(HERE)
    store.take(HERE, "file", [event("a", None, "one"), event("b", "a", "two", 101, "assistant")], "x", {})
    assert store.message("s1", "b").text == "two"
    assert store.message("s1", "c") is None
    assert store.message("s2", "a") is None


def test_who_says_just_these_words_is_found_in_all_sessions_the_newest_first(store):
    other = Session("s2", "work", "agent:work:main", "direct", "", 50.0)
    for session, at in ((HERE, 100.0), (other, 200.0)):
        store.meet(session)
        told = [event("a", None, "keep  the\nkey", at), event("b", "a", "keep the key", at + 1, "assistant")]
        store.take(session, "file", told, session.id, {})
    found = store.saying("user", "keep the key")
    assert [(one.session, one.event) for one in found] == [("s2", "a"), ("s1", "a")]
    assert store.saying("user", "keep the keys") == []


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
    with chat_databases.opened_sqlite(place) as old:
        old.meet(HERE)
        old.take(HERE, "file", told, "x", {})
        old._database.rows("UPDATE chat_format SET version = 1")
    chat_databases.opened_sqlite(place).close()
    assert [one for one in tmp_path.iterdir() if TOKEN.encode() in one.read_bytes()] == []
