"""`clawgit purge`: shows first, asks, and reaches the chat store."""

import json

import pytest

from clawgit.sessions import chat_store_choice
from clawgit.sessions.envelope import Session
from clawgit.sessions.session_messages import Event, digest
from clawgit.store.database import StateStore

pytest.importorskip("git_filter_repo")
SECRET = "the-blue-heron-4711"


@pytest.fixture
def told(call, space, monkeypatch):
    """A workspace with a phrase in history and in a conversation, and the words of the command about it."""
    assert call("memory", "add", f"The vault opens with {SECRET}.").code == 0
    (space / "MEMORY.md").write_text((space / "MEMORY.md").read_text().replace(SECRET, "nothing"))
    call("capture")
    said = f"remember {SECRET}"
    with chat_store_choice.opened(StateStore(space / ".git/clawgit"), {}) as store:
        here = Session("s", "main", "agent:main:s", "direct", "telegram", 1.0)
        store.meet(here)
        event = Event("e1", "", 1, 1.0, "user", "operator", said, 1.0, digest=digest("user", said))
        store.take(here, "file", [event], "s.jsonl", {})
    return lambda *words: call("purge", "--text", "-", *words, stdin=f"{SECRET}\n".encode())


def test_it_shows_where_it_stands_and_touches_nothing(told, space, inside):
    head = inside("rev-parse", "HEAD")
    shown = told("--json").json
    assert {(one["kind"], one["name"]) for one in shown["places"]} >= {("history", "blob"), ("chat", "messages")}
    assert SECRET not in json.dumps(shown)
    assert inside("rev-parse", "HEAD") == head


def test_it_needs_the_hash_of_what_was_seen(told, space, inside):
    head = inside("rev-parse", "HEAD")
    assert told("--apply").code == 1
    assert told("--apply", "--hash", "0" * 12).code == 1
    assert inside("rev-parse", "HEAD") == head


def test_afterwards_it_stands_nowhere(told, space):
    seen = told("--json").json["hash"]
    done = told("--apply", "--hash", seen, "--json")
    assert (done.code, done.json["messages"]) == (0, 1)
    assert told("--json").json["places"] == []
    assert not [one for one in space.rglob("*") if one.is_file() and SECRET.encode() in one.read_bytes()]


def test_one_thing_is_named(call):
    assert call("purge").code == 2
    assert call("purge", "--path", "x.md", "--fingerprint", "1").code == 2
    assert call("purge", "--path", "none.md").code == 1
    assert call("purge", "--fingerprint", "ffffffffffff").code == 1


def test_a_bundle_is_written_over_nothing(told, space, inside):
    head, soul = inside("rev-parse", "HEAD"), (space / "SOUL.md").read_bytes()
    seen = told("--json").json["hash"]
    refused = told("--apply", "--hash", seen, "--keep-backup", "SOUL.md")
    assert (refused.code, "is there already" in refused.err) == (1, True)
    assert told("--apply", "--hash", seen, "--keep-backup", "memory/b.bundle").code == 1
    assert (inside("rev-parse", "HEAD"), (space / "SOUL.md").read_bytes()) == (head, soul)


def test_a_hash_is_of_one_phrase(call, space, inside):
    (space / "MEMORY.md").write_text("# Memory\n\n- a AAAAAAAAAAAA\n- b the honest phrase stays\n")
    inside("commit", "-qam", "two")
    head = inside("rev-parse", "HEAD")
    seen = call("purge", "--text", "-", "--json", stdin=b"AAAAAAAAAAAA").json["hash"]
    other = call("purge", "--text", "-", "--apply", "--hash", seen, stdin=b"honest phras")
    assert (other.code, "the hash is" in other.err) == (1, True)
    assert inside("rev-parse", "HEAD") == head
    assert call("purge", "--text", "-", "--apply", "--hash", seen, stdin=b"AAAAAAAAAAAA\n").code == 0


NEEDED = (
    *("memory", "MEMORY.md", "clawgit", "SOUL.md", "entries.tsv", "Clawgit-Change", "Origin: operator", "operator"),
    *("capture", "soul_max", "Knowledge", "knowledge", "purged", "objects", "memory-miner", "2026-11-24", "gitignore"),
    *("Clawgit-Change: abcdefghij", "workspace", "Archive", "known_good"),
)


@pytest.mark.parametrize("word", NEEDED)
def test_words_that_clawgit_needs_stay(call, space, inside, word):
    StateStore(space / ".git/clawgit").save_document("x", {"known_good": 1})
    head = inside("rev-parse", "HEAD")
    for words in ((), ("--apply", "--hash", "0" * 12)):
        refused = call("purge", "--text", "-", *words, stdin=word.encode())
        assert (refused.code, "fix: " in refused.err) == (2, True)
        assert "clawgit needs these words itself" in refused.err
    assert inside("rev-parse", "HEAD") == head


@pytest.mark.parametrize(
    ("key", "old", "new"), [("user.email", "op@vienna.org", "x@y.org"), ("user.name", "Thomas Meier", "Op")]
)
def test_the_name_of_who_commits_goes_once_it_is_another(call, space, inside, key, old, new):
    inside("config", key, old)
    assert call("memory", "add", "Ana likes tea in the morning.").code == 0
    refused = call("purge", "--text", "-", stdin=old.encode())
    assert (refused.code, f"git config {key} NEW_VALUE" in refused.err) == (2, True)
    inside("config", key, new)
    seen = call("purge", "--text", "-", "--json", stdin=old.encode()).json["hash"]
    assert call("purge", "--text", "-", "--apply", "--hash", seen, stdin=old.encode()).code == 0
    assert old not in inside("log", "--format=%an %ae %cn %ce")
    assert "a purge" not in call("status").out


def test_a_setting_is_changed_first(call, space, inside):
    assert call("config", "set", "timezone", "Europe/Vienna").code == 0
    refused = call("purge", "--text", "-", stdin=b"Europe/Vienna")
    assert (refused.code, "clawgit config set timezone NEW_VALUE" in refused.err) == (2, True)


def test_the_files_of_clawgit_stay(call):
    assert call("purge", "--path", ".clawgit/entries.tsv").code == 2


@pytest.fixture
def diary(space, inside):
    """A file that history knows by two names, and of which there is a copy that nobody committed."""
    (space / "memory/old").mkdir(parents=True)
    (space / "memory/diary.md").write_text("my private diary\n")
    inside("add", "-A")
    inside("commit", "-qm", "a diary")
    (space / "memory/diary.md").rename(space / "memory/old/diary.md")
    inside("add", "-A")
    inside("commit", "-qm", "moved")
    (space / "copy.txt").write_text("my private diary\n")
    return "memory/diary.md"


@pytest.mark.parametrize("folder", ["memory", "memory/old", "was", "memory/old/"])
def test_a_folder_is_refused_before_anything_happens(call, diary, space, inside, folder):
    (space / "was").mkdir()
    (space / "was/x.md").write_text("x\n")
    inside("add", "was")
    inside("commit", "-qm", "one")
    inside("rm", "-q", "was/x.md")
    inside("commit", "-qm", "none")
    (space / "was").write_text("a file now\n")
    inside("add", "was")
    inside("commit", "-qm", "a file")
    head = inside("rev-parse", "HEAD")
    for words in ((), ("--apply", "--hash", "0" * 12)):
        refused = call("purge", "--path", folder, *words)
        assert (refused.code, "is a folder, or was one" in refused.err) == (1, True)
    assert inside("rev-parse", "HEAD") == head
    assert "a purge" not in call("status").out


def test_what_has_the_same_words_is_named(call, diary, space):
    seen = call("purge", "--path", diary, "--json").json
    (told,) = [one for one in seen["unreached"] if "under other names" in one]
    assert "memory/old/diary.md" in told
    assert "copy.txt" in told
    done = call("purge", "--path", diary, "--apply", "--hash", seen["hash"])
    assert "nothing of it is left" not in done.out
    assert "0 objects gone" in done.out
    assert "1 object of it stay under other names" in done.out
    assert (space / "memory/old/diary.md").read_text() == "my private diary\n"


def test_what_is_kept_of_a_file_is_named(call, space):
    seen = call("purge", "--path", "SOUL.md", "--json").json
    assert [one for one in seen["unreached"] if "trust.json" in one]


@pytest.mark.parametrize("words", [(), ("--hash", "0" * 12)])
def test_what_stands_nowhere_needs_no_purge(told, call, space, inside, words):
    head = inside("rev-parse", "HEAD")
    done = call("purge", "--text", "-", "--apply", *words, stdin=b"no-such-words-anywhere")
    assert (done.code, "nothing to purge" in done.out) == (0, True)
    assert "backups" in done.out
    assert inside("rev-parse", "HEAD") == head
    again = call("purge", "--text", "-", "--apply", "--json", *words, stdin=b"no-such-words-anywhere")
    assert again.json == {"commits": 0, "objects": 0, "files": 0, "messages": 0, "backup": None}


@pytest.mark.parametrize("coding", ["utf-8-sig", "utf-16"])
def test_a_phrase_from_windows_is_the_same(told, call, coding):
    assert call("purge", "--text", "-", "--json", stdin=f"{SECRET} \r\n".encode(coding)).json == told("--json").json


def test_compressed_files_are_named(told, space, inside):
    for name in ("was.gz", "here.docx", "loose.zip"):
        (space / name).write_bytes(b"x")
    inside("add", "-f", "was.gz", "here.docx")
    inside("commit", "-qm", "two")
    inside("rm", "-q", "was.gz")
    inside("commit", "-qm", "one")
    (row,) = [one for one in told("--json").json["unreached"] if one.startswith("compressed files")]
    assert [name in row for name in ("was.gz", "here.docx", "loose.zip")] == [True] * 3
