"""The state beside git goes to another machine: whole, checked, and never over newer state."""

import json
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.amounts import amount
from tests.sessions.transcripts import chain, write_transcript

Call = Callable[..., Any]


@pytest.fixture
def filled(call: Call, space: Path) -> Path:
    """A workspace with a conversation, a flag, a proposal, a correction candidate and a search that was noted."""
    write_transcript(space.parent / "talks/s1.jsonl", chain(("user", "I moved to Graz.")), session="s1")
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


def run_in(call: Call, clone: Path, *words: str | Path, **options: Any) -> Any:
    return call("-C", clone, *words, **options)


def acts(answer: Any) -> dict[str, str]:
    return {step["name"]: step["act"] for step in answer.json["steps"]}


def proposals(call: Call, place: Path) -> list[str]:
    """Return the edits of the identity that wait; corrections that nothing decides wait beside them."""
    return [row["id"] for row in call("-C", place, "inbox", "--json").json if row["kind"] == "identity"]


def rows(place: Path, name: str) -> list[Any]:
    """Return the rows of a list in the store of the workspace, the oldest first."""
    from clawgit.workspace.workspace import open_workspace  # noqa: PLC0415 - loads libgit2

    with open_workspace(place) as workspace:
        return workspace.store.read_rows(name, Any)


def tables(place: Path) -> dict[str, list[object]]:
    """Return all that the database of the workspace holds."""
    with closing(sqlite3.connect(place / ".git/clawgit/state.db")) as database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: database.execute(f'SELECT * FROM "{name}"').fetchall() for name in names}


def sessions(call: Call, place: Path) -> list[str]:
    return [row["session"] for row in call("-C", place, "session", "list", "--json").json]


def test_a_round_trip_brings_everything(call: Call, filled: Path, clone: Path) -> None:
    file = filled.parent / "state"
    assert call("state", "export", file).code == 0
    assert file.stat().st_mode & 0o777 == 0o600
    before, waiting = sessions(call, filled), proposals(call, filled)
    assert (len(before), len(waiting)) == (1, 1)
    assert sessions(call, clone) == []

    result = run_in(call, clone, "state", "import", file, "--json", terminal=True)
    assert result.code == 0, result.err
    counts = {step["name"]: step["count"] for step in result.json["steps"]}
    assert {"chat_message": 1, "inbox": 2, "flags": 1, "recalls": 1, "own-commits": 3}.items() <= counts.items()
    assert {acts(result)[name] for name in ("approvals", "chat_message", "inbox", "flags", "recalls")} == {"new"}
    assert sessions(call, clone) == before
    assert proposals(call, clone) == waiting
    for name in ("flags", "recalls"):
        assert rows(clone, name) == rows(filled, name) != []
    assert run_in(call, clone, "status", "--json").json["untrusted"] == []
    assert (clone / ".git/clawgit/state.db").stat().st_mode & 0o777 == 0o600

    repeated = run_in(call, clone, "state", "import", file, "--json", terminal=True)
    assert {*acts(repeated).values()} == {"same"}
    approve = run_in(call, clone, "soul", "approve", waiting[0], stdin=b"y\n", terminal=True)
    assert approve.code == 0, approve.err


def test_approvals_come_in_at_a_terminal_only(call: Call, filled: Path, clone: Path) -> None:
    file = filled.parent / "state"
    assert call("state", "export", file).code == 0
    assert run_in(call, clone, "state", "import", file).code == 1
    assert sessions(call, clone) == []
    assert run_in(call, clone, "state", "import", file, "--without-approvals").code == 0
    assert len(sessions(call, clone)) == 1
    assert run_in(call, clone, "status", "--json").json["untrusted"]


def test_what_came_since_is_added_and_an_older_file_takes_nothing_away(call: Call, filled: Path, clone: Path) -> None:
    first, second = filled.parent / "first", filled.parent / "second"
    assert call("state", "export", first).code == 0
    assert run_in(call, clone, "state", "import", first, terminal=True).code == 0
    assert call("triage", "remember that Ana has a dog", "--act").code == 0
    assert call("soul", "reject", proposals(call, filled)[0], terminal=True).code == 0
    assert call("state", "export", second).code == 0
    kinds = acts(run_in(call, clone, "state", "import", second, "--json", terminal=True))
    assert (kinds["flags"], kinds["inbox"]) == ("new", "new")
    assert rows(clone, "flags") == rows(filled, "flags")
    assert proposals(call, clone) == []
    after = tables(clone)
    back = acts(run_in(call, clone, "state", "import", first, "--json", terminal=True))
    assert {*back.values()} == {"same"}
    assert "dog" in json.dumps(rows(clone, "flags"))
    assert proposals(call, clone) == []
    assert tables(clone)["record"] == after["record"]


def test_where_both_sides_approved_something_else_nothing_is_changed_unless_it_is_kept(
    call: Call, filled: Path, clone: Path
) -> None:
    file = filled.parent / "state"
    assert call("state", "export", file).code == 0
    from clawgit.git.repository import find  # noqa: PLC0415 - loads libgit2
    from clawgit.workspace.trust_review import approve_head  # noqa: PLC0415
    from clawgit.workspace.workspace import Workspace  # noqa: PLC0415

    (clone / "SOUL.md").write_text(f"{(clone / 'SOUL.md').read_text()}- Kind.\n")
    assert run_in(call, clone, "capture").code == 0
    workspace = Workspace(find(clone))
    assert approve_head(workspace) == ()
    trusted = workspace.trusted.file.read_bytes()
    before = tables(clone)
    refusal = run_in(call, clone, "state", "import", file, terminal=True)
    assert refusal.code == 1
    assert "approved" in refusal.err
    assert (tables(clone), sessions(call, clone)) == (before, [])
    assert workspace.trusted.file.read_bytes() == trusted
    assert run_in(call, clone, "state", "import", file, "--without-approvals").code == 0
    assert workspace.trusted.file.read_bytes() == trusted
    assert len(sessions(call, clone)) == 1


def change_roots(file: Path) -> None:
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("UPDATE export SET manifest = json_set(manifest, '$.roots', json_array(hex(zeroblob(20))))")


HARMS: dict[str, tuple[Callable[[Path], object], str]] = {
    "text": (lambda file: file.write_text("hello"), "no file of clawgit state export"),
    "half": (lambda file: file.write_bytes(file.read_bytes()[: file.stat().st_size // 2]), "is damaged"),
    "of another workspace": (change_roots, "another workspace"),
}


@pytest.mark.parametrize("harm", HARMS)
def test_a_file_that_is_not_right_is_refused_and_nothing_changes(
    call: Call, filled: Path, clone: Path, harm: str
) -> None:
    file = filled.parent / "state"
    assert call("state", "export", file).code == 0
    act, words = HARMS[harm]
    act(file)
    assert run_in(call, clone, "triage", "remember that the cat is grey", "--act").code == 0
    before = tables(clone)
    refusal = run_in(call, clone, "state", "import", file, terminal=True)
    assert refusal.code == 1, refusal
    assert words in refusal.err
    assert tables(clone) == before
    assert run_in(call, clone, "status", "--json").json["untrusted"]


def test_conversations_elsewhere_are_not_carried_and_it_says_so(
    call: Call, filled: Path, clone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = filled.parent / "state"
    monkeypatch.setenv("CLAWGIT_CHAT_URL", "postgresql://nobody:hunter77@127.0.0.1:1/none")
    answer = call("state", "export", file, "--json")
    assert any("CLAWGIT_CHAT_URL" in words for words in answer.json["without"])
    assert "hunter77" not in answer.out + answer.err
    assert b"hunter77" not in file.read_bytes()
    monkeypatch.delenv("CLAWGIT_CHAT_URL")
    result = run_in(call, clone, "state", "import", file, terminal=True)
    assert (result.code, "CLAWGIT_CHAT_URL" in result.err) == (0, True)


KILLED = """
import os, signal, sys
from pathlib import Path
from clawgit.workspace import import_0_2
from clawgit.workspace.workspace import open_workspace
left = int(sys.argv[3])
def step(event, arguments):
    global left
    if event in ("os.rename", "os.link", "open", "os.mkdir", "os.remove", "shutil.rmtree", "subprocess.Popen",
                 "sqlite3.connect", "fcntl.flock"):
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
workspace = open_workspace(Path(sys.argv[1]))
workspace.trusted.folder
sys.addaudithook(step)
import_0_2.import_state(workspace, Path(sys.argv[2]))
"""


def test_killed_anywhere_an_import_leaves_old_or_new(call: Call, filled: Path, clone: Path) -> None:
    """After each kill all rows are there or none, no item is torn, and another import goes on to the end."""
    add = ("soul", "edit", "--add", "Kind.", "--section", "Vibe", "--why", "x", "--propose")
    assert call(*add).code == 0
    file = filled.parent / "state"
    assert call("state", "export", file).code == 0
    waiting = proposals(call, filled)
    assert len(waiting) == 2
    assert run_in(call, clone, "triage", "remember that the cat is grey", "--act").code == 0
    own = rows(clone, "flags")
    outcomes = set()
    step, finished = 1, False
    while not finished and step < 1_000:
        copy = filled.parent / f"copy{step}"
        shutil.copytree(clone, copy, symlinks=True)
        ended = subprocess.run([sys.executable, "-c", KILLED, copy, file, str(step)], capture_output=True, check=False)
        finished = ended.returncode == 0
        assert finished or ended.returncode == -signal.SIGKILL, ended.stderr.decode()
        new = (len(sessions(call, copy)), len(rows(copy, "flags")), len(rows(copy, "recalls")))
        assert new in ((0, 1, 0), (1, 2, 1)), (step, new)
        whole = new[0] == 1
        items = proposals(call, copy)
        assert {*items} <= {*waiting}, step  # they are in the log before the rows are in the database
        assert len(items) == 2 or not whole
        repeated = run_in(call, copy, "state", "import", file, terminal=True)
        assert repeated.code == 0, (step, repeated.err)
        assert rows(copy, "flags") == [*own, *rows(filled, "flags")]
        assert proposals(call, copy) == waiting
        assert len(sessions(call, copy)) == 1
        assert run_in(call, copy, "status", "--json").json["untrusted"] == []
        outcomes.add(whole)
        shutil.rmtree(copy)
        step += amount(1 if step < 12 else 3, 14)
    assert finished
    assert outcomes == {True, False}
    assert file.exists()


def test_approvals_that_cannot_be_read_stay_out(call: Call, filled: Path) -> None:
    from clawgit.workspace.workspace import open_workspace  # noqa: PLC0415 - loads libgit2

    with open_workspace(filled) as workspace:
        workspace.trusted.file.write_text("{")
    assert call("state", "export", filled.parent / "state").code == 0
