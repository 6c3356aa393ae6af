"""`clawgit purge`: shows first, asks, and reaches the chat store."""

import json
import re

import pytest

from clawgit.sessions import chat_store
from clawgit.sessions.envelope import Session
from clawgit.sessions.session_messages import Event, hash_words
from clawgit.store.database import StateStore
from clawgit.text.evidence_pointer import quote_hash

pytest.importorskip("git_filter_repo")
SECRET = "the-blue-heron-4711"


@pytest.fixture
def purge(call, space, monkeypatch):
    """A workspace with a phrase in history and in a conversation, and the words of the command about it."""
    assert call("memory", "add", f"The vault opens with {SECRET}.").code == 0
    (space / "MEMORY.md").write_text((space / "MEMORY.md").read_text().replace(SECRET, "nothing"))
    call("capture")
    phrase = f"remember {SECRET}"
    with chat_store.open_chat_store(StateStore(space / ".git/clawgit"), {}) as store:
        session = Session("s", "main", "agent:main:s", "direct", "telegram", 1.0)
        store.meet(session)
        event = Event("e1", "", 1, 1.0, "user", "operator", phrase, 1.0, digest=hash_words("user", phrase))
        store.take(session, "file", [event], "s.jsonl", {})
    return lambda *words: call("purge", "--text", "-", *words, stdin=f"{SECRET}\n".encode())


def test_it_shows_where_it_stands_and_needs_the_hash_of_that(call, purge, space, inside):
    head = inside("rev-parse", "HEAD")
    document = purge("--json").json
    assert {(row["kind"], row["name"]) for row in document["places"]} >= {("history", "blob"), ("chat", "messages")}
    assert SECRET not in json.dumps(document)
    windows = f"{SECRET} \r\n".encode("utf-16")
    assert call("purge", "--text", "-", "--json", stdin=windows).json == document
    assert [purge("--apply", *options).code for options in ((), ("--hash", "0" * 12))] == [1, 1]
    assert call("purge", "--path", "MEMORY.md", "--apply", "--json").json["fix"] == "clawgit purge --path 'MEMORY.md'"
    for words, code in ((), 2), (("--path", "x.md", "--fingerprint", "1"), 2), (("--path", "none.md"), 1):
        assert call("purge", *words).code == code
    assert inside("rev-parse", "HEAD") == head
    result = purge("--apply", "--hash", document["hash"], "--json")
    assert (result.code, result.json["messages"]) == (0, 1)
    assert purge("--json").json["places"] == []
    assert not [path for path in space.rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()]


def test_an_old_copy_that_was_merged_is_named_by_doctor(call, purge, space, inside, tmp_path):
    copy = tmp_path / "copy"
    inside("clone", "-q", str(space), str(copy))
    assert purge("--apply", "--hash", purge("--json").json["hash"]).code == 0
    assert {row["check"]: row["ok"] for row in call("doctor", "--json").json}["purged objects"]
    inside("fetch", "-q", str(copy), "main")
    inside("merge", "-q", "--allow-unrelated-histories", "-s", "ours", "-m", "merge: an old copy", "FETCH_HEAD")
    findings = {row["check"]: row["key"] for row in call("doctor", "--json").json if not row["ok"]}
    assert findings["purged objects"] == "purge-revived"


def test_words_that_clawgit_needs_stay(call, space, inside):
    StateStore(space / ".git/clawgit").save_document("x", {"known_good": 1})
    (space / "memory/2026-05-01.md").write_text("# 2026-05-01\n\n- Tea.\n")
    call("capture")
    head = inside("rev-parse", "HEAD")
    own_words = ("MEMORY.md", "Origin: operator", "soul_max", "objects", "Clawgit-Change: abcdefghij", "known_good")
    for word in (*own_words, "memory/2026-05-01.md", ".gitignore", "memory/archive/", "Archive/Chronicles"):
        for words in ((), ("--apply", "--hash", "0" * 12)):
            refusal = call("purge", "--text", "-", *words, "--json", stdin=word.encode())
            assert (refusal.code, refusal.json["key"]) == (2, "purge-needed")
    assert inside("rev-parse", "HEAD") == head


def test_the_name_of_who_commits_goes_once_it_is_another(call, inside):
    old = "op@vienna.org"
    inside("config", "user.email", old)
    assert call("memory", "add", "Ana likes tea in the morning.").code == 0
    refusal = call("purge", "--text", "-", stdin=old.encode())
    assert (refusal.code, "git config user.email NEW_VALUE" in refusal.err) == (2, True)
    inside("config", "user.email", "x@y.org")
    digest = call("purge", "--text", "-", "--json", stdin=old.encode()).json["hash"]
    assert call("purge", "--text", "-", "--apply", "--hash", digest, stdin=old.encode()).code == 0
    assert old not in inside("log", "--format=%an %ae %cn %ce")
    assert "a purge" not in call("status").out


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


def test_a_folder_is_refused_before_anything_happens(call, diary, space, inside):
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
    for folder in ("memory/old", "was"):
        refusal = call("purge", "--path", folder)
        assert (refusal.code, "is a folder, or was one" in refusal.err) == (1, True)
    assert inside("rev-parse", "HEAD") == head


def test_a_file_leaves_all_commits_and_what_has_the_same_words_is_named(call, diary, space, inside):
    document = call("purge", "--path", diary, "--json").json
    assert [row for row in document["unreached"] if "under other names" in row]
    result = call("purge", "--path", diary, "--apply", "--hash", document["hash"])
    assert "nothing of it is left" not in result.err
    assert "objects 0" in " ".join(result.out.split())
    assert "1 object of it stay under other names" in result.err
    assert (space / "memory/old/diary.md").read_text() == "my private diary\n"
    assert inside("log", "--all", "--format=%h", "--", diary) == ""


def test_a_secret_is_named_by_its_fingerprint(call, space, inside):
    key = "AKIA" + "Z7Q2X4WNB3RTY5KP"
    (space / "leak.md").write_text(f"The key is {key}.\n")
    inside("add", "leak.md")
    inside("commit", "-qm", "leak", "--no-verify")
    messages = " ".join(row["message"] for row in call("doctor", "--json").json if "leak.md" in row["message"])
    words = re.findall(r"\b[0-9a-f]{12}\b", messages)
    preview = call("purge", "--fingerprint", words[0], "--json").json
    assert call("purge", "--fingerprint", words[0], "--apply", "--hash", preview["hash"]).code == 0
    assert key not in inside("log", "-p")
    assert call("purge", "--fingerprint", "0" * 12, "--json").json["key"] == "id-unknown"


def test_the_quote_of_a_purged_phrase_has_a_hash_of_its_own(call, space, inside):
    (space / "memory/2026-05-01.md").write_text(f"# 2026-05-01\n\n- The vault opens with {SECRET} at noon.\n")
    call("capture")
    pointer = f'memory/2026-05-01.md#L3 "opens with {SECRET}"'
    entry = call("memory", "add", "The vault has a code.", "--evidence", pointer, "--json").json
    preview = call("purge", "--text", "-", "--json", stdin=SECRET.encode()).json
    assert call("purge", "--text", "-", "--apply", "--hash", preview["hash"], stdin=SECRET.encode()).code == 0
    message = inside("log", "-1", "--format=%B", "--grep", entry["change"])
    quote = message.partition('"')[2].partition('"')[0]
    assert (quote, f"sha256:{quote_hash(quote)}" in message) == ("opens with [purged]", True)
