"""Old journals become a chronicle, and each comes back byte for byte."""

import os
import shlex
import subprocess
from datetime import timedelta
from pathlib import Path

import pytest

from clawgit.agents import running
from clawgit.agents.memory_compactor import MemoryCompactor
from clawgit.agents.running import Result
from clawgit.errors import ClawgitError
from clawgit.memory.compact import Plan, read_plan
from clawgit.memory.expiry import list_sources
from clawgit.workspace import clock, rendered_views, restore, undo
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
    clock.confirm(talk.workspace)
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


def test_a_second_run_does_nothing(talk: Talk) -> None:
    day(talk)
    compact(talk)
    before, head = tree(talk.root), talk.workspace.head
    assert compact(talk).applied == []
    assert (tree(talk.root), talk.workspace.head) == (before, head)


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


def test_an_undone_chronicle_is_not_told_again_though_nothing_was_removed(talk: Talk) -> None:
    day(talk)
    (change, _), *_ = compact(talk, Plan("quarterly", 30, remove=False)).applied
    talk.workspace.apply(undo.undo(talk.workspace, change.id))
    assert compact(talk, Plan("quarterly", 30, remove=False)).skipped["brought back"] == 1


def test_restore_brings_a_day_back_and_it_stays(talk: Talk) -> None:
    path = day(talk)
    compact(talk)
    talk.workspace.apply(restore.restore(talk.workspace, path))
    assert talk.text(path) == DAY
    assert compact(talk).applied == []


def test_what_is_noted_later_under_an_old_date_is_told_too(talk: Talk) -> None:
    path = day(talk)
    compact(talk)
    talk.write(path, "- Found the invoice 4711 of that day.\n")
    compact(talk)
    assert "invoice 4711" in talk.text(CHRONICLE)
    assert "Chose Postgres 16" in talk.text(CHRONICLE)
    assert not (talk.root / path).exists()


@pytest.mark.parametrize(
    ("age", "kept"), [(30, "2026-05-02"), (30, "2026-06-01"), (30, "2026-07-01"), (60, "2026-04-02")]
)
def test_what_is_young_stays(talk: Talk, age: int, kept: str) -> None:
    path = day(talk, kept)
    assert compact(talk, Plan("chronicle", age, remove=True)).applied == []
    assert (talk.root / path).exists()


def test_the_last_thirty_days_stay_whatever_is_configured(talk: Talk) -> None:
    path = day(talk, "2026-05-10")
    assert compact(talk, Plan("chronicle", 0, remove=True)).applied == []
    assert (talk.root / path).exists()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"a\0b", "not fit to be read"),
        (b"caf\xe9", "not fit to be read"),
        (b"<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> other\n", "not fit to be read"),
        (b"- token ghp_abcdefghijklmnopqrstuvwxyz0123456789\n", "not fit to be read"),
        (b"- The relay is on 9090. #knowledge #correction\n", "holds a #correction"),
        (b"- 42 lines\n" * 500_000, "too large"),
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


def test_a_secret_that_history_has_is_not_copied(talk: Talk) -> None:
    path = day(talk, text="- Deploy key ghp_abcdefghijklmnopqrstuvwxyz0123456789 expires 12 June.\n")
    talk.git("add", path)
    talk.git("-c", "user.name=Eve", "-c", "user.email=e@x.y", "commit", "--no-verify", "-qm", "by hand")
    compact(talk)
    assert "expires 12 June" in talk.text(CHRONICLE)
    assert "ghp_" not in talk.text(CHRONICLE)
    talk.workspace.apply(restore.restore(talk.workspace, path))
    assert "ghp_" in talk.text(path)


def test_what_is_staged_or_open_elsewhere_stays(talk: Talk) -> None:
    staged, open_, gone = day(talk), day(talk, "2026-03-06"), day(talk, "2026-03-07")
    talk.git("add", staged)
    writer = subprocess.Popen(["sh", "-c", f"exec 3>>{talk.root / open_}; echo; read _"], stdin=-1, stdout=-1)
    try:
        assert writer.stdout is not None
        writer.stdout.readline()
        result = compact(talk)
    finally:
        writer.communicate(b"\n")
    assert (result.skipped["staged by hand"], result.skipped["open in another program"]) == (1, 1)
    assert [(talk.root / path).exists() for path in (staged, open_, gone)] == [True, True, False]


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


def test_a_run_that_ended_between_the_two_goes_on(talk: Talk) -> None:
    path = day(talk)
    compact(talk, Plan("chronicle", 30, remove=False))
    told = talk.text(CHRONICLE)
    (change,) = (change for change, _ in compact(talk).applied)
    assert "removed" in change.subject
    assert talk.text(CHRONICLE) == told
    assert not (talk.root / path).exists()


def test_words_of_somebody_else_in_the_archive_stay(talk: Talk) -> None:
    theirs = "my own chronicle\n\n## Decisions\n\nNone. `x`\n\n```\n## Decisions\n"
    talk.write(CHRONICLE, theirs)
    day(talk)
    compact(talk)
    now = talk.text(CHRONICLE)
    assert all(line in now for line in theirs.splitlines())
    assert "Chose Postgres 16" in now
    assert list_sources(now)


def test_an_archive_in_the_middle_of_a_merge_keeps_its_days(talk: Talk) -> None:
    path, other = day(talk), day(talk, "2026-02-03")
    talk.write(CHRONICLE, "<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> b\n")
    result = compact(talk)
    assert result.skipped["not fit to be read"] == 1
    assert [(talk.root / one).exists() for one in (path, other)] == [True, False]


def test_two_machines_tell_a_month_in_the_same_bytes(talk: Talk, tmp_path: Path) -> None:
    day(talk)
    day(talk, "2026-03-06", "- Zoë signed for 4,200 EUR.\n")
    talk.workspace.capture(["memory/2026-03-05.md", "memory/2026-03-06.md"])
    subprocess.run(["git", "clone", "-q", talk.root, tmp_path / "other"], check=True)
    for name, value in (("user.name", "Bo"), ("user.email", "bo@example.org")):
        subprocess.run(["git", "config", name, value], cwd=tmp_path / "other", check=True)
    with Talk(tmp_path / "other") as other:
        compact(other)
        compact(talk)
        other.git("pull", "-q", "--no-rebase", "--no-edit", "origin", "main")
        assert other.text(CHRONICLE) == talk.text(CHRONICLE)
        assert compact(other).applied == []


def configure(talk: Talk, value: str) -> None:
    text = talk.text("CONFIG.md")
    talk.write("CONFIG.md", text.replace("compaction_age_days", f"compaction: {value}\ncompaction_age_days", 1))


def test_off_only_shows(talk: Talk) -> None:
    day(talk)
    configure(talk, "off")
    workspace = talk.opened()
    plan = read_plan(workspace.config)
    assert not plan.enabled
    seen = running.preview(MemoryCompactor(plan, applying=False), workspace)
    assert CHRONICLE in seen.texts
    done = running.apply(MemoryCompactor(plan), workspace)
    assert done.applied == []
    assert any("config set compaction chronicle" in note for note in (*seen.notes, *done.notes))


def test_it_is_on_as_the_spec_says(talk: Talk) -> None:
    plan = read_plan(talk.workspace.config)
    assert (plan.form, plan.enabled, plan.days) == ("chronicle", True, 30)


def test_the_log_names_a_command_for_each_removal(talk: Talk) -> None:
    path = day(talk)
    result = compact(talk)
    assert rendered_views.render(talk.workspace) == []
    text = talk.text("COMPACTION_LOG.md")
    assert f"{path}, “09:10 - Release plan”: 88 days old" in text
    assert f"now in {CHRONICLE}; back: clawgit restore '{path}'" in text
    assert f"clawgit undo {result.applied[-1][0].id}" in text
    assert "COMPACTION_LOG.md" not in talk.git("status", "--porcelain")
    talk.workspace.apply(undo.undo(talk.workspace))
    rendered_views.again(talk.workspace)
    assert "- taken back by: " in talk.text("COMPACTION_LOG.md")


def test_the_log_takes_no_file_of_somebody_else(talk: Talk) -> None:
    talk.write("COMPACTION_LOG.md", "compacted by hand\n")
    day(talk)
    compact(talk)
    assert "somebody else's" in rendered_views.render(talk.workspace)[0]
    assert talk.text("COMPACTION_LOG.md") == "compacted by hand\n"


def test_a_run_is_bounded(talk: Talk) -> None:
    for number in range(1, 29):
        day(talk, f"2026-02-{number:02}", "- 4 things. " + "x" * 250_000 + "\n")
    result = compact(talk)
    assert result.skipped["the archive is full"] == 24
    assert len((talk.root / "memory/archive/chronicles/2026-February.md").read_bytes()) < 2 << 20


@pytest.mark.parametrize("ahead", [timedelta(days=100), timedelta(seconds=9_999_999_999), timedelta(days=-100)])
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


def test_the_older_half_of_a_chronicle_is_undone_alone(talk: Talk) -> None:
    day(talk, "2026-03-05", "- Paid 12 EUR.\n- Chose tea. #decision\n")
    (older,) = compact(talk).applied
    day(talk, "2026-03-08", "- Paid 13 EUR.\n- Chose milk. #decision\n")
    compact(talk)
    text = talk.text(CHRONICLE)
    assert text.index("Chose tea") < text.index("# 2026-03-08") < text.index("Chose milk")
    talk.workspace.apply(undo.undo(talk.workspace, older[0].id))
    assert "Chose tea" not in talk.text(CHRONICLE)
    assert "Chose milk" in talk.text(CHRONICLE)
