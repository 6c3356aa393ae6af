"""All that others wrote is captured; what may not enter is held back, and stops nobody."""

import os
import socket
from pathlib import Path

import pytest

from clawgit.workspace import entries, memory
from clawgit.workspace.capture_and_enforce import capture_all
from clawgit.workspace.uncommitted import list_held_back, uncommitted

from .places import AWS, DAY


def held(outcome):
    return {one.path: one.reason for one in outcome.held}


def captured(outcome):
    return [path for one in outcome.captured for path in one.files]


def test_everything_in_scope_becomes_one_commit_and_nothing_else(place):
    place.commit({"docs/tracked.md": "a\n", "src/app.py": "a\n"})
    wanted = ["MEMORY.md", "agents/scout/SOUL.md", "docs/tracked.md", DAY, "memory/a/b c 中.md", "notes.md"]
    others = ["src/app.py", "docs/new.md", "node_modules/x/README.md", "memory/data.json", "agents/scout/notes.md"]
    for path in (*wanted, *others):
        place.write(path, "- new\n")
    before = place.git("status", "--porcelain", "--untracked-files=all")
    outcome = capture_all(place.ws)
    assert len(outcome.captured) == 1
    assert sorted(captured(outcome)) == sorted(wanted)
    after = place.git("status", "--porcelain", "--untracked-files=all")
    assert [row for row in before.splitlines() if any(path in row for path in others)] == after.splitlines()


def test_what_may_not_enter_is_held_back_and_the_others_carry_on(place):
    place.commit({"memory/pipe.md": "a\n", "memory/plug.md": "a\n"})
    place.write("memory/secret.md", f"key {AWS}\n")
    place.write("memory/latin.md", b"caf\xe9\n")
    place.write("memory/binary.md", b"a\0b\n")
    place.write("memory/huge.md", b"x" * (3 << 20))
    place.write("memory/merge.md", "<<<<<<< a\nb\n=======\nc\n>>>>>>> d\n")
    (place.root / "memory/link.md").symlink_to("../SOUL.md")
    (place.root / "memory/pipe.md").unlink()
    os.mkfifo(place.root / "memory/pipe.md")
    (place.root / "memory/plug.md").unlink()
    with socket.socket(socket.AF_UNIX) as plug:
        plug.bind(os.path.relpath(place.root / "memory/plug.md"))
        place.write(DAY, "- good\n")
        outcome = capture_all(place.ws)
    assert captured(outcome) == [DAY]
    reasons = held(outcome)
    assert reasons.keys() == {
        f"memory/{name}.md" for name in ("secret", "latin", "binary", "huge", "merge", "link", "pipe", "plug")
    }
    assert reasons["memory/secret.md"] == "memory/secret.md:1 holds a secret (aws-access-key)"
    assert AWS not in repr(outcome)
    assert all(one.fix for one in outcome.held)
    place.sound()


def test_rows_that_are_staged_as_they_stand_hold_nothing_back(place):
    """What git's autostash, or `git add -A`, stages of our rows is nobody's own: the file says the same."""
    place.ws.apply(memory.add(place.ws, "The kettle is blue.").change)
    rows = place.read(entries.PATH)
    place.write(entries.PATH, rows + b"zzzzzzzzzz" + rows.splitlines()[-1][10:] + b"\n")
    place.git("add", entries.PATH)
    os.utime(place.root / ".git/index", (1, 1))
    place.write(DAY, "- good\n")
    outcome = capture_all(place.ws)
    assert DAY in captured(outcome)
    assert not outcome.held
    place.ws.apply(memory.add(place.ws, "The door is green.").change)
    assert place.git("diff", "--cached") == ""


def test_a_file_that_refuses_only_at_the_write_is_held_back_too(place, monkeypatch):
    """What was found fit and is not any more: the others are committed without it."""
    for name in ("a", "b", "c", "d", "e"):
        place.write(f"memory/{name}.md", "- x\n")
    write = type(place.ws).capture

    def late(workspace, paths, runs):
        Path(workspace.root / "memory/c.md").write_bytes(b"\xff\n")
        return write(workspace, paths, runs)

    monkeypatch.setattr(type(place.ws), "capture", late)
    outcome = capture_all(place.ws)
    assert sorted(captured(outcome)) == [f"memory/{name}.md" for name in "abde"]
    assert held(outcome) == {"memory/c.md": "memory/c.md:1 is not valid UTF-8 (byte 0xff)"}


def test_an_unmerged_file_is_named_as_such(place):
    place.git("switch", "--quiet", "-c", "side")
    place.commit({"notes.md": "side\n"})
    place.git("switch", "--quiet", "main")
    place.commit({"notes.md": "main\n"})
    with pytest.raises(AssertionError):
        place.git("merge", "side")
    (one,) = uncommitted(place.ws.repo)
    ((_, why),) = list_held_back(place.ws, [one])
    assert (why.message, str(why.fix)) == ("notes.md is unmerged", "git add 'notes.md'   # once resolved")


def test_a_command_to_paste_takes_any_name(place):
    place.write("memory/o'hara.md", f"key {AWS}\n")
    place.write("memory/link.md", "x\n")
    (place.root / "memory/link.md").unlink()
    (place.root / "memory/link.md").symlink_to("../SOUL.md")
    (link, _) = sorted(capture_all(place.ws).held, key=lambda one: one.path)
    assert str(link.fix) == f"cp --remove-destination '{place.root}/SOUL.md' 'memory/link.md'"
