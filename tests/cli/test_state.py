"""What is kept beside git goes to another machine: whole, checked, and never over what is newer there."""

import gzip
import hashlib
import io
import json
import shutil
import signal
import sqlite3
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Call = Callable[..., Any]
TALK = [
    {"type": "session", "version": 3, "id": "s1", "timestamp": 1_788_000_000_000},
    {
        "type": "message",
        "id": "m1",
        "parentId": None,
        "message": {"role": "user", "content": "I moved to Graz.", "timestamp": 1},
    },
]


@pytest.fixture
def filled(call: Call, space: Path) -> Path:
    """A workspace with a conversation, a flag, a proposal, a correction candidate and a search that was noted."""
    (space.parent / "talks").mkdir()
    (space.parent / "talks/s1.jsonl").write_text("".join(json.dumps(row) + "\n" for row in TALK))
    assert call("session", "import", space.parent / "talks").code == 0
    assert call("memory", "add", "Ana likes tea.").code == 0
    assert call("search", "tea", "--session", "s9").code == 0
    assert call("triage", "remember that I moved to Graz", "--act").code == 0
    waiting = call("soul", "edit", "--add", "Short.", "--section", "Vibe", "--why", "x", "--propose", "--json")
    assert waiting.code == 0, waiting.err
    return space


@pytest.fixture
def clone(filled: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clone of it, on another machine: with a state folder of its own."""
    folder = filled.parent / "clone"
    subprocess.run(["git", "clone", "-q", str(filled), str(folder)], check=True, capture_output=True)
    return folder


def there(call: Call, clone: Path, *words: str | Path, **more: Any) -> Any:
    return call("-C", clone, *words, **more)


def sessions(call: Call, place: Path) -> list[str]:
    return [one["session"] for one in call("-C", place, "session", "list", "--json").json]


def test_a_round_trip_brings_everything(call: Call, filled: Path, clone: Path) -> None:
    file = filled.parent / "state"
    out = call("state", "export", file, "--json").json
    assert file.stat().st_mode & 0o777 == 0o600
    names = {one["name"] for one in out["items"]}
    assert {"state/chat.db", "state/inbox.jsonl", "state/search_hits.jsonl", "trust/trust.json", "desk.pack"} <= names
    assert not {"state/machine.json", "state/clock.json", "state/machine-place"} & names
    before = sessions(call, filled)
    proposals = call("soul", "proposals", "--json").json
    assert (len(before), len(proposals)) == (1, 1)
    assert sessions(call, clone) == []

    dry = there(call, clone, "state", "import", file, "--dry-run", "--json").json
    assert (dry["applied"], {step["act"] for step in dry["steps"]}) == (False, {"new"})
    assert sessions(call, clone) == []
    done = there(call, clone, "state", "import", file, "--json", terminal=True)
    assert done.code == 0, done.err
    assert sessions(call, clone) == before
    assert [one["id"] for one in there(call, clone, "soul", "proposals", "--json").json] == [
        one["id"] for one in proposals
    ]
    for name in ("inbox.jsonl", "search_hits.jsonl"):
        kept = ".git/clawgit/state"
        assert (clone / kept / name).read_bytes() == (filled / kept / name).read_bytes()
    assert there(call, clone, "status", "--json").json["untrusted"] == []
    assert (clone / ".git/clawgit/state/chat.db").stat().st_mode & 0o777 == 0o600

    again = there(call, clone, "state", "import", file, "--json", terminal=True).json
    assert {step["act"] for step in again["steps"]} == {"same"}
    approve = there(call, clone, "soul", "approve", proposals[0]["id"], stdin=b"y\n", terminal=True)
    assert approve.code == 0, approve.err


def test_approvals_come_in_at_a_terminal_only(call: Call, filled: Path, clone: Path) -> None:
    file = filled.parent / "state"
    assert call("state", "export", file).code == 0
    assert there(call, clone, "state", "import", file).code == 1
    assert sessions(call, clone) == []
    assert there(call, clone, "state", "import", file, "--without-approvals").code == 0
    assert len(sessions(call, clone)) == 1
    assert there(call, clone, "status", "--json").json["untrusted"]


def test_what_is_older_is_replaced_and_what_is_newer_stays(call: Call, filled: Path, clone: Path) -> None:
    first, second = filled.parent / "first", filled.parent / "second"
    assert call("state", "export", first).code == 0
    assert there(call, clone, "state", "import", first, terminal=True).code == 0
    assert call("triage", "remember that Ana has a dog", "--act").code == 0
    assert call("state", "export", second).code == 0
    acts = {
        s["name"]: s["act"]
        for s in there(call, clone, "state", "import", second, "--json", terminal=True).json["steps"]
    }
    assert acts["state/inbox.jsonl"] == "newer there"
    assert "dog" in (clone / ".git/clawgit/state/inbox.jsonl").read_text()
    back = {
        s["name"]: s["act"] for s in there(call, clone, "state", "import", first, "--json", terminal=True).json["steps"]
    }
    assert back["state/inbox.jsonl"] == "newer here"
    assert "dog" in (clone / ".git/clawgit/state/inbox.jsonl").read_text()


def test_where_both_sides_went_on_nothing_is_changed_unless_it_is_kept(call: Call, filled: Path, clone: Path) -> None:
    file = filled.parent / "state"
    assert call("state", "export", file).code == 0
    assert there(call, clone, "triage", "remember that the cat is grey", "--act").code == 0
    assert there(call, clone, "search", "tea", "--session", "s7").code == 0
    kept = clone / ".git/clawgit/state"
    before = {one.name: one.read_bytes() for one in kept.glob("*.jsonl")}
    refused = there(call, clone, "state", "import", file, terminal=True)
    assert refused.code == 1
    assert "state/inbox.jsonl" in refused.err
    assert {one.name: one.read_bytes() for one in kept.glob("*.jsonl")} == before
    assert sessions(call, clone) == []
    assert there(call, clone, "state", "import", file, "--keep-local", terminal=True).code == 0
    assert (kept / "inbox.jsonl").read_bytes() == before["inbox.jsonl"]
    hits = (kept / "search_hits.jsonl").read_text()
    assert ("s7" in hits, "s9" in hits) == (True, True)
    assert len(sessions(call, clone)) == 1


def broken(file: Path, change: Callable[[list[tuple[str, bytes]]], list[tuple[str, bytes]]]) -> None:
    with tarfile.open(file) as archive:
        members = [(one.name, archive.extractfile(one).read()) for one in archive]  # type: ignore[union-attr]
    file.unlink()
    with tarfile.open(file, "w:gz") as archive:
        for name, data in change(members):
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))


def manifest(members: list[tuple[str, bytes]], **more: Any) -> list[tuple[str, bytes]]:
    (name, data), *others, (end, _) = members
    data = json.dumps(json.loads(data) | more).encode()
    return [(name, data), *others, (end, json.dumps({"manifest": hashlib.sha256(data).hexdigest()}).encode())]


HARMS: dict[str, tuple[Callable[[Path], object], str]] = {
    "gone": (lambda file: file.unlink(), "no file"),
    "a folder": (lambda file: (file.unlink(), file.mkdir()), "no file of clawgit state export"),
    "text": (lambda file: file.write_text("hello"), "no file of clawgit state export"),
    "empty": (lambda file: file.write_bytes(b""), "no file of clawgit state export"),
    "cut off": (lambda file: file.write_bytes(file.read_bytes()[:-200]), "cut off"),
    "half": (lambda file: file.write_bytes(file.read_bytes()[: file.stat().st_size // 2]), "cut off"),
    "a zip of nothing": (lambda file: file.write_bytes(gzip.compress(b"")), "no file of clawgit state export"),
    "changed": (
        lambda file: broken(file, lambda m: [(n, d.replace(b"Graz", b"Linz") if "inbox" in n else d) for n, d in m]),
        "not as it was written",
    ),
    "without its end": (lambda file: broken(file, lambda m: m[:-1]), "cut off"),
    "with one more": (lambda file: broken(file, lambda m: [*m, ("state/x", b"x")]), "not as it was written"),
    "exchanged": (lambda file: broken(file, lambda m: [m[0], *m[2:]]), "not as it was written"),
    "newer": (lambda file: broken(file, lambda m: manifest(m, version=2)), "newer clawgit"),
    "of another workspace": (lambda file: broken(file, lambda m: manifest(m, roots=["0" * 40])), "another workspace"),
    "that leads out": (
        lambda file: broken(
            file,
            lambda m: manifest(
                [m[0], ("../../x", b"x"), m[-1]],
                references={},
                items=[{"name": "../../x", "size": 1, "sha256": hashlib.sha256(b"x").hexdigest()}],
            ),
        ),
        "not as it was written",
    ),
    "that names a machine": (
        lambda file: broken(
            file,
            lambda m: manifest(
                [m[0], ("state/machine.json", b"x"), m[-1]],
                references={},
                items=[{"name": "state/machine.json", "size": 1, "sha256": hashlib.sha256(b"x").hexdigest()}],
            ),
        ),
        "state/machine.json",
    ),
}


@pytest.mark.parametrize("harm", HARMS)
def test_a_file_that_is_not_right_is_refused_and_nothing_changes(
    call: Call, filled: Path, clone: Path, harm: str
) -> None:
    file = filled.parent / "state"
    assert call("state", "export", file).code == 0
    act, words = HARMS[harm]
    act(file)
    there(call, clone, "status")
    before = sorted((one, one.read_bytes()) for one in (clone / ".git/clawgit/state").rglob("*") if one.is_file())
    refused = there(call, clone, "state", "import", file, terminal=True)
    assert refused.code == 1, refused
    assert words in refused.err
    after = sorted((one, one.read_bytes()) for one in (clone / ".git/clawgit/state").rglob("*") if one.is_file())
    assert after == before
    assert not list((clone / ".git/clawgit").glob("state-*"))
    assert not (filled.parent / "x").exists()


def test_export_writes_over_nothing(call: Call, filled: Path) -> None:
    file = filled.parent / "state"
    file.write_text("mine")
    assert call("state", "export", file).code == 1
    assert file.read_text() == "mine"
    assert call("state", "export", filled.parent / "none/state").code == 1
    assert not list(filled.parent.glob(".state*"))


def test_conversations_in_postgresql_are_not_carried_and_it_says_so(
    call: Call, filled: Path, clone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = filled.parent / "state"
    monkeypatch.setenv("CLAWGIT_CHAT_URL", "postgresql://nobody:hunter77@127.0.0.1:1/none")
    out = call("state", "export", file, "--json")
    assert "state/chat.db" not in {one["name"] for one in out.json["items"]}
    assert any("PostgreSQL" in words for words in out.json["without"])
    assert "hunter77" not in out.out + out.err
    assert b"hunter77" not in gzip.decompress(file.read_bytes())
    monkeypatch.delenv("CLAWGIT_CHAT_URL")
    done = there(call, clone, "state", "import", file, terminal=True)
    assert (done.code, "PostgreSQL" in done.err) == (0, True)

    whole = filled.parent / "whole"
    assert call("state", "export", whole).code == 0
    monkeypatch.setenv("CLAWGIT_CHAT_URL", "postgresql://nobody:hunter77@127.0.0.1:1/none")
    done = there(call, clone, "state", "import", whole, terminal=True)
    assert (done.code, "not used" in done.err) == (0, True)


def test_a_store_that_an_address_names_is_carried(
    call: Call, filled: Path, clone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.move(filled / ".git/clawgit/state/chat.db", filled.parent / "talks.db")
    monkeypatch.setenv("CLAWGIT_CHAT_URL", f"sqlite://{filled.parent}/talks.db")
    assert call("state", "export", filled.parent / "state").code == 0
    monkeypatch.delenv("CLAWGIT_CHAT_URL")
    assert there(call, clone, "state", "import", filled.parent / "state", terminal=True).code == 0
    assert len(sessions(call, clone)) == 1


def test_a_store_that_is_written_to_is_carried_whole(call: Call, filled: Path, clone: Path) -> None:
    writer = sqlite3.connect(filled / ".git/clawgit/state/chat.db", isolation_level=None)
    writer.execute("PRAGMA journal_mode = WAL")
    writer.execute("BEGIN IMMEDIATE")
    assert call("state", "export", filled.parent / "state").code == 0
    writer.execute("ROLLBACK")
    writer.close()
    assert there(call, clone, "state", "import", filled.parent / "state", terminal=True).code == 0
    assert len(sessions(call, clone)) == 1


KILLED = """
import os, signal, sys
from pathlib import Path
from clawgit.workspace import state_archive, state_transfer
from clawgit.workspace.workspace import open_workspace
left = int(sys.argv[3])
def step(event, arguments):
    global left
    if event in ("os.rename", "os.link", "open", "os.mkdir", "os.remove", "shutil.rmtree", "subprocess.Popen"):
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
workspace = open_workspace(Path(sys.argv[1]))
workspace.trusted.folder
sys.addaudithook(step)
state_transfer.imported(workspace, Path(sys.argv[2]), dry_run=False)
"""


def test_killed_anywhere_an_import_leaves_old_or_new(call: Call, filled: Path, clone: Path) -> None:
    """After each kill it is either as before, or goes on to the end; nothing of it stays half."""
    file = filled.parent / "state"
    assert call("state", "export", file).code == 0
    there(call, clone, "status")
    outcomes = set()
    at, done = 1, False
    while not done and at < 400:
        copy = filled.parent / f"copy{at}"
        shutil.copytree(clone, copy, symlinks=True)
        ended = subprocess.run([sys.executable, "-c", KILLED, copy, file, str(at)], capture_output=True, check=False)
        done = ended.returncode == 0
        assert done or ended.returncode == -signal.SIGKILL, ended.stderr.decode()
        halfway = (copy / ".git/clawgit/state-import").exists()
        if halfway:
            told = there(call, copy, "status", "--json").json["alarms"]
            assert any("import of state" in one["message"] for one in told)
        there(call, copy, "state", "finish")
        names = {one.name for one in (copy / ".git/clawgit/state").glob("*")}
        whole = {"chat.db", "inbox.jsonl", "search_hits.jsonl"} <= names
        assert whole or not {"chat.db", "inbox.jsonl", "search_hits.jsonl"} & names, (at, names)
        assert (len(there(call, copy, "soul", "proposals", "--json").json) == 1) == whole
        assert whole or not halfway
        outcomes.add(whole)
        shutil.rmtree(copy)
        at += 1 if at < 12 else 7
    assert done
    assert outcomes == {True, False}
    assert file.exists()
