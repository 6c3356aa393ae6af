"""Clawgit's own lines leave the memory file when they are over, others are proposed; old corrections move."""

from datetime import UTC, date, datetime

import pytest

from clawgit import clock
from clawgit.agents import running
from clawgit.agents.memory_compactor import MemoryCompactor
from clawgit.agents.running import Result, View
from clawgit.memory import expiry
from clawgit.memory.compact import Plan
from clawgit.store.item import Item
from clawgit.workspace import adopt, decide, memory, restore, undo
from clawgit.workspace.change import Origin
from clawgit.workspace.memory_lines import list_lines

from ..talk import Talk  # noqa: TID252 - the tests' own workspace

PLAN = Plan("chronicle", 30, remove=True)
ARCHIVE = "memory/archive/memories/2026-June.md"
RECORD = "## {} {} 09:00\n\n- Said: Monday\n- True: Tuesday\n- Re-embedded: {}\n"


def compact(talk: Talk) -> Result:
    talk.workspace.clock = lambda: datetime(2026, 6, 1, 6, tzinfo=UTC)
    clock.confirm(talk.workspace.repo, talk.workspace.clock())
    return running.apply(MemoryCompactor(PLAN), talk.workspace)


def add(
    talk: Talk,
    text: str,
    on: str = "2025-09-01",
    origin: Origin = "agent",
    tag: str = "knowledge",
    agent: str | None = "memory-miner",
) -> str:
    talk.workspace.clock = lambda: datetime.fromisoformat(on).replace(tzinfo=UTC)
    added = memory.add(talk.workspace, text, origin=origin, tag=tag, agent=agent)
    talk.workspace.apply(added.change)
    return added.id


def test_what_nobody_is_sure_of_or_mentions_moves_to_the_archive(talk: Talk) -> None:
    key = add(talk, "The printer is in room 12.")
    add(talk, "Ana likes tea.", "2026-05-20")
    before = talk.text()
    (change, _), *rest = compact(talk).applied
    assert rest == []
    assert talk.bullets() == ["- Ana likes tea. #knowledge"]
    assert talk.bullets(ARCHIVE) == ["- The printer is in room 12. #knowledge"]
    quote = "“The printer is in room 12.”"
    assert f"- entry {key} of MEMORY.md, {quote}: confidence 0.2, silent for 273 days, now in {ARCHIVE}" in change.why
    assert {line.id for line in list_lines(talk.workspace, paths=(ARCHIVE,))} == {key}
    talk.workspace.apply(undo.undo(talk.workspace, change.id))
    assert talk.text() == before
    assert not (talk.root / ARCHIVE).exists()
    assert compact(talk).applied == []


def items(talk: Talk) -> list[Item]:
    return talk.workspace.store.read_items("open")


def accept(talk: Talk, item: Item) -> None:
    decide.accept(talk.workspace, item.id, decide.view(talk.workspace, item).digest)


def test_a_line_of_somebody_else_is_proposed_and_leaves_when_it_is_accepted(talk: Talk) -> None:
    add(talk, "The printer is in room 12.", agent=None)
    before = talk.text()
    compact(talk)
    (item,) = items(talk)
    assert talk.text() == before
    assert "The printer is in room 12." in item.reason
    accept(talk, item)
    assert talk.bullets() == []
    assert talk.bullets(ARCHIVE) == ["- The printer is in room 12. #knowledge"]


def test_a_line_of_clawgits_that_somebody_reworded_is_theirs(talk: Talk) -> None:
    add(talk, "The printer is in room 12.")
    talk.write("MEMORY.md", talk.text().replace("is in room 12", "is in the room 12"))
    talk.workspace.capture(["MEMORY.md"])
    before = talk.text()
    compact(talk)
    assert talk.text() == before


def test_no_more_than_five_are_proposed_in_a_week_and_none_twice(talk: Talk) -> None:
    for number in range(1, 8):
        add(talk, f"The printer number {number} is in room {number}0.", agent=None)
    compact(talk)
    (item,) = items(talk)
    assert item.reason.count("- entry ") == 5
    compact(talk)
    assert items(talk) == [item]
    decide.reject(talk.workspace, item.id)
    compact(talk)
    assert items(talk) == []
    at = datetime(2026, 6, 9, 6, tzinfo=UTC)
    talk.workspace.clock = lambda: at
    clock.confirm(talk.workspace.repo, talk.workspace.clock())
    running.apply(MemoryCompactor(PLAN), talk.workspace)
    (later,) = items(talk)
    assert later.reason.count("- entry ") == 2


def test_an_event_that_is_over_leaves(talk: Talk) -> None:
    add(talk, "The dentist appointment is on 2026-05-20 at nine.", "2026-05-10", "operator", "event")
    add(talk, "The passport office opens on 2026-06-20 at nine.", "2026-05-10", "operator", "event")
    compact(talk)
    assert talk.bullets() == ["- The passport office opens on 2026-06-20 at nine. #event"]
    assert talk.bullets(ARCHIVE) == ["- The dentist appointment is on 2026-05-20 at nine. #event"]


def test_a_file_that_is_too_long_gives_its_own_lines_to_files_by_topic(talk: Talk) -> None:
    for number in range(6):
        add(talk, f"Room {number} has the printer with the name P{number}x.", "2026-05-01")
    theirs = "".join(f"- Their line {number} is about something.\n" for number in range(205))
    talk.write("MEMORY.md", f"{talk.text()}\n## Theirs\n\n{theirs}")
    compact(talk)
    assert talk.text().count("Their line") == 205
    assert talk.bullets("memory/knowledge.md")
    assert "](memory/knowledge.md)" in talk.text()
    assert len(items(talk)) == 1


def test_what_is_said_twice_becomes_one_with_both_mentions(talk: Talk) -> None:
    old = add(talk, "Ana's flight leaves at 14:30.", "2026-05-01", "operator")
    new = add(talk, "Ana's flight leaves at 2:30 pm.", "2026-05-20", "operator")
    before = talk.text()
    result = compact(talk)
    assert talk.bullets() == ["- Ana's flight leaves at 14:30. #knowledge"]
    rows = talk.workspace.rows()
    assert rows[old].last == date(2026, 5, 20)
    assert (rows[new].status, rows[new].file) == ("live", ARCHIVE)
    (change, _), *_ = result.applied
    assert f"back: clawgit restore {new}" in change.why
    talk.workspace.apply(restore.restore(talk.workspace, new))
    assert talk.bullets()[-1] == "- Ana's flight leaves at 2:30 pm. #knowledge"
    assert compact(talk).applied == []
    talk.workspace.apply(undo.undo(talk.workspace))
    talk.workspace.apply(undo.undo(talk.workspace, change.id))
    assert talk.text() == before


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The relay uses port 8080.", "The relay does not use port 8080."),
        ("Ana is older than Bo.", "Bo is older than Ana."),
    ],
)
def test_like_is_not_same(talk: Talk, one: str, other: str) -> None:
    for text in (one, other):
        add(talk, text, "2026-05-20")
    assert compact(talk).applied == []


def test_old_corrections_move_whole(talk: Talk) -> None:
    old, young = (
        RECORD.format("kkkkkkkkkk", "2026-05-01", "true"),
        RECORD.format("mmmmmmmmmm", "2026-05-20", "true"),
    )
    text = f"# Corrections\n\nMine.\n\n{old}\n{young}"
    talk.write("CORRECTIONS.md", text)
    result = compact(talk)
    assert talk.text("CORRECTIONS.md") == f"# Corrections\n\nMine.\n\n{young}"
    assert talk.text("Archive/Corrections/2026-May.md").endswith(f"\n\n{old}")
    assert [one.record.id for one in View(talk.workspace).corrections()].count("kkkkkkkkkk") == 1
    (change, _), *_ = result.applied
    command = "clawgit restore 'CORRECTIONS.md#kkkkkkkkkk 2026-05-01 09:00'"
    assert command in change.why
    talk.workspace.apply(restore.restore(talk.workspace, "CORRECTIONS.md#kkkkkkkkkk 2026-05-01 09:00"))
    assert old.strip() in talk.text("CORRECTIONS.md")
    assert compact(talk).applied == []


def test_every_other_byte_of_the_memory_file_stays(talk: Talk) -> None:
    add(talk, "The printer is in room 12.")
    crlf = talk.text().replace("\n", "\r\n") + "\r\n<!-- mine -->\r\nEnd without newline"
    (talk.root / "MEMORY.md").write_bytes(b"\xef\xbb\xbf" + crlf.encode())
    compact(talk)
    gone = b"- The printer is in room 12. #knowledge\r\n"
    assert (talk.root / "MEMORY.md").read_bytes() == b"\xef\xbb\xbf" + crlf.encode().replace(gone, b"")
    assert talk.bullets(ARCHIVE) == ["- The printer is in room 12. #knowledge"]


def test_in_an_adopted_workspace_the_first_run_waits_in_the_inbox(talk: Talk) -> None:
    talk.write("memory/2026-01-05.md", "# 2026-01-05\n\n- Ann wants the report on Monday.\n")
    talk.workspace.capture(["memory/2026-01-05.md"])
    add(talk, "The printer is in room 12.")
    talk.git("commit", "-q", "--allow-empty", "--no-verify", "-m", adopt.SUBJECT)
    before = talk.text()
    plan = Plan("chronicle", 30, remove=True, ask=True)
    talk.workspace.clock = lambda: datetime(2026, 6, 1, 6, tzinfo=UTC)
    clock.confirm(talk.workspace.repo, talk.workspace.clock())
    running.apply(MemoryCompactor(plan), talk.workspace)
    (item,) = items(talk)
    assert "1 journal to 1 archive" in item.title
    assert (talk.text(), (talk.root / "memory/2026-01-05.md").exists()) == (before, True)
    again = running.apply(MemoryCompactor(plan), talk.workspace)
    assert any("waits in the inbox" in note for note in again.notes)
    accept(talk, item)
    assert "Ann wants" in talk.text("memory/archive/chronicles/2026-January.md")
    assert not (talk.root / "memory/2026-01-05.md").exists()
    running.apply(MemoryCompactor(plan), talk.workspace)
    assert talk.bullets() == []


def test_forget_moves_a_memory_with_what_is_nested_and_undo_brings_it_back(talk: Talk) -> None:
    talk.write(
        "MEMORY.md", "# Memory\n\n## Rooms\n\n- The printer is in room 12.\n  - It is green.\n- Ana likes tea.\n"
    )
    talk.workspace.capture(["MEMORY.md"])
    before = talk.text()
    change = expiry.forget_line(talk.workspace, "the printer")
    talk.workspace.apply(change)
    assert talk.bullets() == ["- Ana likes tea."]
    assert "- The printer is in room 12.\n  - It is green.\n" in talk.text(ARCHIVE)
    talk.workspace.apply(undo.undo(talk.workspace, change.id))
    assert talk.text() == before
