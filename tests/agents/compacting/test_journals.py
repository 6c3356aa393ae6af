"""Old journals become a chronicle, and each comes back byte for byte."""

import os
import shlex
from datetime import timedelta
from pathlib import Path

import pytest

from clawgit import clock
from clawgit.agents import running
from clawgit.agents.memory_compactor import MemoryCompactor
from clawgit.agents.running import Result
from clawgit.errors import ClawgitError
from clawgit.memory.compact import Plan
from clawgit.workspace import restore, undo
from clawgit.workspace.memory_lines import list_lines

from ..talk import Talk  # noqa: TID252 - the tests' own workspace

CHRONICLE = "memory/archive/chronicles/2026-March.md"
DAY = """# 2026-03-05

## 09:10 - Release plan

Deploy moved to Tuesday 10 March; Ana tells the others. Thanks!

## 14:00 - Relay

- Chose Postgres 16 over SQLite. #decision
- Backup runs at 03:00
  - on the NAS in Bonn
"""
CHRONICLES, REMOVES = Plan("chronicle", 30, remove=True), True


def compact(talk: Talk, plan: Plan = CHRONICLES) -> Result:
    clock.confirm(talk.workspace.repo, talk.workspace.clock())
    return running.apply(MemoryCompactor(plan), talk.workspace)


def tree(root: Path) -> dict[str, bytes]:
    files = (place for place in root.rglob("*") if place.is_file())
    names = ((place.relative_to(root).as_posix(), place) for place in files)
    ours = (".git/", ".clawgit/", "COMPACTION_LOG.md")  # the last is rendered, and tells of an undo as well
    return {name: place.read_bytes() for name, place in names if not name.startswith(ours)}


def day(talk: Talk, name: str = "2026-03-05", text: str = DAY) -> str:
    path = f"memory/{name}.md"
    talk.write(path, text)
    return path


def test_a_month_goes_into_its_chronicle_in_one_commit(talk: Talk) -> None:
    first, second = day(talk), day(talk, "2026-03-06-vendor", "- Zoë signed for 4,200 EUR.\n")
    result = compact(talk)
    assert [change.subject for change, _ in result.applied] == ["memory: chronicle of March 2026, 2 days"]
    (commit,) = (one.commit for _, one in result.applied)
    assert talk.git("show", f"{commit}^:{first}") == DAY
    assert set(talk.git("show", "--name-only", "--format=", str(commit)).split()) == {first, second, CHRONICLE}
    text = talk.text(CHRONICLE)
    assert DAY.strip() in text
    assert "# 2026-03-06\n\n- Zoë signed for 4,200 EUR.\n" in text
    assert text.index("# 2026-03-05") < text.index("# 2026-03-06")


def test_entries_move_with_their_ids(talk: Talk) -> None:
    talk.workspace.capture([day(talk)])
    before = {line.text: (line.id, line.birth) for line in list_lines(talk.workspace, "journal")}
    compact(talk)
    after = {line.text: (line.id, line.birth) for line in list_lines(talk.workspace) if line.path == CHRONICLE}
    long = {text for text in before if len(text.split()) > 3}
    assert long
    assert {text: after[text] for text in long} == {text: before[text] for text in long}


def test_each_undo_gives_back_every_byte_and_is_not_overruled(talk: Talk) -> None:
    day(talk)
    day(talk, "2026-03-09", "﻿# Tuesday\r\n\r\n- met Zoë\r\n\r\n")
    day(talk, "2026-03-10", "")
    before = tree(talk.root)
    result = compact(talk)
    for change, _ in reversed(result.applied):
        talk.workspace.apply(undo.undo(talk.workspace, change.id))
    assert tree(talk.root) == before
    again = compact(talk)
    assert (again.applied, again.skipped["brought back"]) == ([], 3)


@pytest.mark.parametrize(("age", "kept"), [(30, "2026-06-01"), (60, "2026-04-02")])
def test_what_is_young_stays(talk: Talk, age: int, kept: str) -> None:
    path = day(talk, kept)
    assert compact(talk, Plan("chronicle", age, remove=True)).applied == []
    assert (talk.root / path).exists()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"caf\xe9", "not fit to be read"),
        (b"<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> other\n", "not fit to be read"),
        (b"- The relay is on 9090. #knowledge #correction\n", "holds a #correction"),
    ],
)
def test_what_cannot_be_told_stays_and_keeps_no_other_back(talk: Talk, text: bytes, reason: str) -> None:
    other = day(talk)
    path = talk.root / "memory/2026-03-07.md"
    path.write_bytes(text)
    result = compact(talk)
    assert path.read_bytes() == text
    assert result.skipped[reason] == 1
    assert not (talk.root / other).exists()


def test_an_edit_at_the_last_moment_is_archived_too(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    path, apply = day(talk), type(talk.workspace).apply
    waiting = [DAY + "- And the invoice 4711.\n"]

    def and_then(workspace: object, *arguments: object, **more: object) -> object:
        if waiting:
            talk.write(path, waiting.pop())
        return apply(workspace, *arguments, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(type(talk.workspace), "apply", and_then)
    compact(talk)
    assert "invoice 4711" in talk.text(CHRONICLE)
    assert not (talk.root / path).exists()


@pytest.mark.parametrize("ahead", [timedelta(days=100), timedelta(days=-100)])
def test_by_a_clock_that_jumped_nothing_is_removed_until_somebody_says_that_it_is_right(
    talk: Talk, ahead: timedelta
) -> None:
    path = day(talk, "2026-05-20")
    talk.workspace.capture([path])
    compact(talk)
    right, before = talk.workspace.clock(), tree(talk.root)
    talk.workspace.clock = lambda: right + ahead
    for _ in range(2):
        with pytest.raises(ClawgitError) as refused:
            running.apply(MemoryCompactor(CHRONICLES), talk.workspace)
        assert str(refused.value.fix).startswith("clawgit doctor --clock-is-right")
        assert tree(talk.root) == before
        day(talk, "2026-05-21")  # and what is written by that clock makes it no better
        talk.workspace.capture(["memory/2026-05-21.md"])
        before = tree(talk.root)
    seen = running.preview(MemoryCompactor(CHRONICLES, applying=False), talk.workspace)
    assert any("--clock-is-right" in note for note in seen.notes)
    running.apply(MemoryCompactor(Plan("quarterly", 30, remove=False, tend=False)), talk.workspace)  # removes nothing
    compact(talk)
    assert (talk.root / path).exists() == (ahead < timedelta(0))


NAMES = (
    "2026-03-05 a#L3",
    "2026-03-05#L1-L2@abc",
    "2026-03-05@{u}",
    '2026-03-05 "q"',
    "2026-03-05 it's $HOME; `x`",
    "2026-03-05 -->",
    "2026-03-05 café",
    "2026-03-05 日本",
    "2026-03-05\u200b",
    "2026-03-05\\x",
    "2026-03-05 ghp_abcdefghijklmnopqrstuvwxyz0123456789",
    "deep/er/2026-03-05",
)


def test_whatever_a_journal_is_called_it_comes_back_by_its_command_or_stays(talk: Talk) -> None:
    for name in NAMES:
        day(talk, name, "- Paid 12 EUR.\n")
    (talk.root / os.fsdecode(b"memory/2026-03-05 \xff.md")).write_text("- Paid 13 EUR.\n")
    before = tree(talk.root)
    result = compact(talk)
    rows = [row for change, _ in result.applied for row in change.why.splitlines() if "; back: " in row]
    assert len(rows) >= len(NAMES) // 2
    for row in rows:
        command = shlex.split(row.partition("; back: clawgit restore ")[2])
        talk.workspace.apply(restore.restore(talk.workspace, command[0]))
    assert {path: data for path, data in tree(talk.root).items() if path != CHRONICLE} == before
