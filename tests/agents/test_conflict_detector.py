"""The conflict detector, on memories that are added day by day."""

import shutil
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from clawgit.agents.conflict_detector import ConflictDetector
from clawgit.agents.detecting import conflict_decisions
from clawgit.agents.running import Result, View, apply, preview
from clawgit.errors import ClawgitError
from clawgit.text.conflict import Conflict, conflicts
from clawgit.text.merge import merge
from clawgit.workspace import memory, undo
from clawgit.workspace.change import Origin
from tests.amounts import amount

from .talk import Talk

START = datetime(2026, 6, 1, 7, tzinfo=UTC)
OLD, NEW = "The relay listens on port 8080.", "The relay listens on port 9090."


class Desk:
    """A workspace whose clock is set by days."""

    def __init__(self, talk: Talk) -> None:
        self.talk, self.workspace = talk, talk.workspace
        self.on(0)

    def on(self, day: float) -> "Desk":
        self.workspace.clock = lambda: START + timedelta(days=day)
        return self

    def add(self, text: str, tag: str = "knowledge", origin: Origin = "operator", *, daily: bool = False) -> str:
        added = memory.add(self.workspace, text, tag=tag, origin=origin, daily=daily)
        self.workspace.apply(added.change)
        return added.id

    def run(self, **more: object) -> Result:
        return apply(ConflictDetector(**more), self.workspace)  # type: ignore[arg-type]

    def found(self) -> tuple[Conflict, ...]:
        return conflicts(self.talk.text("CONFLICTS.md"))

    def one(self) -> Conflict:
        (found,) = self.found()
        return found

    def keep(self, winner: conflict_decisions.Keep) -> str:
        return self.workspace.apply(conflict_decisions.keep(View(self.workspace), self.one(), winner)).change

    def correct(self, said: str, true: str) -> None:
        self.talk.write("CORRECTIONS.md", f"# Corrections\n\n## kkkkkkkkkk\n\n- Said: {said}\n- True: {true}\n")


@pytest.fixture
def desk(talk: Talk) -> Desk:
    return Desk(talk)


# --- the three rules


@pytest.mark.parametrize("newer", [True, False])
def test_a_correction_wins_whatever_its_age(desk: Desk, newer: bool) -> None:
    for day, text in enumerate((OLD, NEW) if newer else (NEW, OLD)):
        desk.on(day * 90).add(text)
    desk.correct(OLD, NEW)
    desk.run(start=START - timedelta(days=1))
    found = desk.one()
    assert (found.rule, found.status) == ("correction", "resolved")
    assert getattr(found, found.winner).text == NEW
    assert (
        desk.talk.bullets()
        == [line + (" #superseded" if OLD in line else "") for line in (f"- {OLD} #knowledge", f"- {NEW} #knowledge")][
            :: 1 if newer else -1
        ]
    )
    assert "Evidence: CORRECTIONS.md#kkkkkkkkkk" in desk.talk.git("log", "-1", "--format=%B")


def test_an_entry_that_is_tagged_as_a_correction_wins(desk: Desk) -> None:
    desk.add(NEW)
    desk.talk.write("MEMORY.md", desk.talk.text().replace(NEW + " #knowledge", NEW + " #knowledge #correction"))
    desk.on(100).add(OLD)
    desk.run()
    assert (desk.one().rule, desk.one().winner) == ("correction", "a")


@pytest.mark.parametrize(("days", "rule", "winner"), [(30, "newer by 30 days", "b"), (29, "open", "none")])
def test_the_newer_wins_from_thirty_days_on(desk: Desk, days: int, rule: str, winner: str) -> None:
    loser = desk.add(OLD)
    desk.on(days).add(NEW)
    desk.run()
    assert (desk.one().rule, desk.one().winner) == (rule, winner)
    row = desk.workspace.rows()[loser]
    assert (row.status, row.by) == (("superseded", desk.one().id) if winner == "b" else ("live", ""))


@pytest.mark.parametrize("tag", ["event", "decision", "skill"])
def test_a_skill_is_left_to_the_operator(desk: Desk, tag: str) -> None:
    desk.add(OLD, tag)
    desk.on(60).add(NEW, tag)
    desk.run()
    assert desk.one().rule == ("open" if tag == "skill" else "newer by 30 days")


@pytest.mark.parametrize("origin", ["agent", "untrusted"])
def test_what_was_not_said_directly_never_wins_by_its_age(desk: Desk, origin: Origin) -> None:
    desk.add(OLD)
    desk.on(60).add(NEW, origin=origin)
    desk.run()
    assert desk.one().open
    assert not any("superseded" in line for line in desk.talk.bullets())


def test_untrusted_words_win_by_no_tag_and_reach_no_subject(desk: Desk) -> None:
    desk.add(OLD)
    desk.on(60).add(NEW, origin="untrusted")
    desk.talk.write("MEMORY.md", desk.talk.text().replace(NEW + " #knowledge", NEW + " #knowledge #correction"))
    desk.run()
    assert desk.one().open
    subject, why = desk.talk.git("log", "-1", "--format=%s%x00%b").split("\0")
    assert "9090" not in subject + why.partition("Evidence:")[0]
    assert "Origin: untrusted" in why


# --- what is compared


def test_a_finding_is_one_commit_with_both_as_evidence(desk: Desk) -> None:
    desk.add(OLD)
    desk.add(NEW)
    before = desk.talk.git("rev-parse", "HEAD").strip()
    result = desk.run()
    assert desk.talk.git("rev-list", f"{before}..HEAD").count("\n") == 1
    said = desk.talk.git("log", "-1", "--format=%B")
    assert f'"{OLD}"' in said
    assert f'"{NEW}"' in said
    assert "Clawgit-Agent: conflict-detector" in said
    assert (result.read, len(result.learnt)) == (2, 1)


def test_a_preview_writes_nothing_and_shows_what_would_be_written(desk: Desk) -> None:
    desk.add(OLD)
    desk.on(40).add(NEW)
    shown = preview(ConflictDetector(), desk.workspace)
    assert desk.found() == ()
    assert set(shown.texts) == {"CONFLICTS.md", "MEMORY.md"}
    desk.run()
    assert shown.texts["CONFLICTS.md"][1] == desk.talk.text("CONFLICTS.md")
    assert shown.texts["MEMORY.md"][1] == desk.talk.text()


def test_only_what_changed_in_a_day_is_looked_at_unless_more_is_wanted(desk: Desk) -> None:
    desk.add(OLD)
    desk.add(NEW)
    desk.on(3)
    assert desk.run().read == 0
    assert desk.found() == ()
    assert desk.run(start=START - timedelta(hours=1)).read == 2
    assert desk.one().open


def test_what_changed_while_no_run_was_is_not_passed_over(desk: Desk) -> None:
    desk.run()
    desk.on(1).add(OLD)
    desk.on(2).add(NEW)
    desk.on(5).run()
    assert len(desk.found()) == 1


def test_what_is_only_on_disk_counts_as_new_and_is_captured(desk: Desk) -> None:
    desk.add(OLD)
    desk.on(10)
    desk.talk.write("MEMORY.md", desk.talk.text() + f"\n- {NEW}\n")
    desk.run()
    assert len(desk.found()) == 1
    assert desk.talk.git("status", "--porcelain") == ""


def test_a_touched_file_and_a_new_dress_are_no_change(desk: Desk) -> None:
    desk.add(OLD)
    desk.add(NEW)
    desk.on(5)
    desk.talk.write("MEMORY.md", desk.talk.text().replace(f"- {OLD} #knowledge", f"* {OLD}"))
    assert desk.run().read == 0


def test_journals_are_compared_and_keep_their_bytes(desk: Desk) -> None:
    desk.add(OLD, daily=True)
    journal = desk.workspace.journal_path(START.date())
    before = desk.talk.text(journal)
    desk.on(20).add(NEW)
    desk.correct(OLD, NEW)
    desk.run()
    assert (desk.one().winner, desk.one().a.path, desk.one().b.path) == ("b", journal, "MEMORY.md")
    assert desk.talk.text(journal) == before
    assert desk.workspace.rows()[desk.one().a.id].status == "superseded"
    desk.on(20.1)
    assert desk.run(start=START - timedelta(days=1)).learnt == []


def test_a_journal_older_than_thirty_days_is_history(desk: Desk) -> None:
    desk.add(OLD, daily=True)
    desk.on(31).add(NEW)
    desk.run()
    assert desk.found() == ()


def test_one_that_contradicts_three_others_gives_three_records(desk: Desk) -> None:
    for port in (7070, 8080, 9090):
        desk.add(f"The relay listens on port {port}.")
    desk.on(1.5).add("The relay listens on port 6060.")
    desk.run()
    assert len(desk.found()) == 3
    assert all(one.open for one in desk.found())


def test_a_correction_puts_three_others_out_of_force_and_they_are_not_compared_again(desk: Desk) -> None:
    for port in (6060, 7070, 8080):
        desk.add(f"The relay listens on port {port}.")
    desk.add(NEW)
    desk.correct(OLD, NEW)
    result = desk.run()
    assert sum(line.endswith("#superseded") for line in desk.talk.bullets()) == 3
    assert [one.rule for one in desk.found() if not one.open] == ["correction"] * 3
    open_ = [one for one in desk.found() if one.open]
    desk.on(0.1).run()
    assert [one for one in desk.found() if one.open] == [] or open_ == []
    assert result.notes == []


# --- again, or not again


def test_what_was_recorded_or_settled_is_not_reported_again(desk: Desk) -> None:
    desk.add(OLD)
    desk.add(NEW)
    desk.run()
    assert desk.run().skipped["open already"] == 1
    desk.keep("both")
    assert desk.run().skipped["settled before"] == 1
    assert len(desk.found()) == 1


def test_a_side_that_says_something_else_now_is_looked_at_again(desk: Desk) -> None:
    desk.add(OLD)
    desk.add(NEW)
    desk.run()
    first = desk.one().id
    desk.talk.write("MEMORY.md", desk.talk.text().replace("9090", "9191"))
    desk.run()
    old, new = desk.found()
    assert (old.id, old.status, old.winner) == (first, "resolved", "none")
    assert "gone or reworded" in old.resolved[0]
    assert (new.open, new.b.text) == (True, "The relay listens on port 9191.")


def test_a_record_whose_side_is_gone_is_closed(desk: Desk) -> None:
    desk.add(OLD)
    desk.add(NEW)
    desk.run()
    desk.talk.write("MEMORY.md", desk.talk.text().replace(f"- {NEW} #knowledge\n", ""))
    desk.run()
    assert (desk.one().status, desk.one().winner) == ("resolved", "none")


def test_an_undo_brings_every_byte_back_and_it_is_not_found_again(desk: Desk) -> None:
    desk.add(OLD)
    desk.on(40).add(NEW)
    before = {name: desk.talk.text(name) for name in ("MEMORY.md", "CONFLICTS.md")}
    rows = desk.workspace.rows()
    desk.run()
    assert "#superseded" in desk.talk.text()
    desk.workspace.apply(undo.undo(desk.workspace))
    assert {name: desk.talk.text(name) for name in before} == before
    assert desk.workspace.rows() == rows
    assert desk.run().skipped["taken back before"] == 1
    assert desk.talk.text() == before["MEMORY.md"]


def test_what_no_row_knew_is_in_force_again_after_an_undo(desk: Desk) -> None:
    desk.talk.write("MEMORY.md", desk.talk.text() + f"\n- {OLD}\n")
    desk.correct(OLD, NEW)
    desk.add(NEW)
    desk.run()
    assert "#superseded" in desk.talk.text()
    desk.workspace.apply(undo.undo(desk.workspace))
    denied = "The relay does not listen on port 8080."
    desk.on(0.1).add(denied)
    desk.run()
    assert {desk.one().a.text, desk.one().b.text} == {OLD, denied}


def test_two_machines_find_the_same_under_the_same_id(desk: Desk, tmp_path: Path) -> None:
    desk.add(OLD)
    desk.add(NEW)
    other = Talk(Path(shutil.copytree(desk.talk.root, tmp_path / "other")))
    with other:
        there = Desk(other)
        there.run()
        desk.on(0.1).run()
        assert there.one().id == desk.one().id


# --- the operator decides


@pytest.mark.parametrize("winner", ["a", "b", "both"])
def test_the_operator_says_which_holds_and_an_undo_opens_it_again(desk: Desk, winner: conflict_decisions.Keep) -> None:
    desk.add(OLD)
    desk.add(NEW)
    desk.run()
    before = desk.talk.text(), desk.talk.text("CONFLICTS.md")
    change = desk.keep(winner)
    assert (desk.one().open, desk.one().winner) == (False, winner)
    lost = {"a": [NEW], "b": [OLD], "both": []}[winner]
    assert [line for line in desk.talk.bullets() if "#superseded" in line] == [
        f"- {text} #knowledge #superseded" for text in lost
    ]
    desk.workspace.apply(undo.undo(desk.workspace, change))
    assert (desk.talk.text(), desk.talk.text("CONFLICTS.md")) == before
    assert desk.one().open


def test_other_words_take_the_place_of_both(desk: Desk) -> None:
    desk.add(OLD)
    desk.add(NEW)
    desk.run()
    words = "The relay listens on port 9090, the old one on 8080."
    desk.workspace.apply(conflict_decisions.merge(View(desk.workspace), desk.one(), words))
    assert desk.talk.bullets() == [f"- {words} #knowledge"]
    assert (desk.one().open, desk.one().winner) == (False, "merged")
    (found,) = memory.memories(desk.workspace)
    assert (found.text, found.status, found.origin) == (words, "live", "operator")
    desk.workspace.apply(undo.undo(desk.workspace))
    assert desk.talk.bullets() == [f"- {OLD} #knowledge", f"- {NEW} #knowledge"]


def test_what_stands_below_an_entry_is_not_torn_off_by_a_merge(desk: Desk) -> None:
    desk.add(OLD)
    desk.talk.write("MEMORY.md", desk.talk.text() + f"\n- {NEW}\n  - since the move\n")
    desk.run()
    desk.workspace.apply(conflict_decisions.merge(View(desk.workspace), desk.one(), "The relay listens on both ports."))
    assert f"- {NEW} #superseded\n  - since the move\n" in desk.talk.text()


def test_two_journals_merge_to_a_memory(desk: Desk) -> None:
    desk.add(OLD, daily=True)
    desk.on(1).add(NEW, daily=True)
    desk.on(1.1).run()
    desk.workspace.apply(conflict_decisions.merge(View(desk.workspace), desk.one(), "The relay listens on 9090."))
    assert desk.talk.bullets() == ["- The relay listens on 9090. #knowledge"]


def test_a_side_that_was_reworded_since_is_not_decided_on(desk: Desk) -> None:
    desk.add(OLD)
    desk.add(NEW)
    desk.run()
    record = desk.one()
    desk.talk.write("MEMORY.md", desk.talk.text().replace("9090", "9191"))
    desk.add("An unrelated memory.")  # captures that
    with pytest.raises(ClawgitError, match="reworded since"):
        conflict_decisions.keep(View(desk.workspace), record, "b")


def test_a_winner_that_is_gone_is_named_and_a_loser_that_is_gone_is_no_matter(desk: Desk) -> None:
    desk.add(OLD)
    desk.add(NEW)
    desk.run()
    desk.talk.write("MEMORY.md", desk.talk.text().replace(f"- {OLD} #knowledge\n", ""))
    with pytest.raises(ClawgitError, match="A is gone") as caught:
        desk.keep("a")
    assert str(caught.value.fix) == f"clawgit restore {desk.one().a.id}"
    desk.keep("b")
    assert desk.one().winner == "b"


def test_machines_that_decide_otherwise_leave_it_to_the_operator_and_one_answer_mends_it(desk: Desk) -> None:
    desk.add(OLD)
    desk.add(NEW)
    desk.run()
    text = desk.talk.text("CONFLICTS.md")
    desk.keep("a")
    mine, ours = desk.talk.text("CONFLICTS.md"), desk.talk.text()
    desk.workspace.apply(undo.undo(desk.workspace))
    desk.keep("b")
    both = merge(text, mine, desk.talk.text("CONFLICTS.md")).text
    lost = merge(ours.replace(" #superseded", ""), ours, desk.talk.text()).text
    assert both is not None
    assert lost is not None
    desk.talk.write("CONFLICTS.md", both)
    desk.talk.write("MEMORY.md", lost)
    assert (desk.one().disputed, desk.one().open) == (True, True)
    desk.keep("b")
    assert desk.one().winner == "b"
    assert desk.talk.bullets() == [f"- {OLD} #knowledge #superseded", f"- {NEW} #knowledge"]


# --- bad input


@pytest.mark.parametrize(
    "text",
    [
        "# Conflicts\n\n## by hand\n\nwords\n",
        "## kkkkkkkkkk\n- A: x\n",
        "no heading",
        "",
        "# C\n\n## kkkkkkkkkk\n\n- A: x\n- B: y\n\n## kkkkkkkkkk\n\n- A: x\n- B: y\n- Status: resolved\n- Winner: a\n",
        "\ufeff# C\r\n\r\n## kkkkkkkkkk\r\n- A: x\r\n- B: y\r\n",
    ],
)
def test_a_file_edited_by_hand_is_added_to_and_loses_nothing(desk: Desk, text: str) -> None:
    desk.talk.write("CONFLICTS.md", text)
    desk.add(OLD)
    desk.add(NEW)
    desk.run()
    assert desk.talk.text("CONFLICTS.md").replace("\r\n", "\n").startswith(text.replace("\r\n", "\n"))
    assert any(one.b.text == NEW for one in desk.found())


def test_a_file_that_is_not_there_is_made(desk: Desk) -> None:
    (desk.talk.root / "CONFLICTS.md").unlink()
    desk.add(OLD)
    desk.add(NEW)
    desk.run()
    assert desk.talk.text("CONFLICTS.md").startswith("# Conflicts\n")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The arrow is --> on port 8080.", "The arrow is --> on port 9090."),
        ("备份服务器的端口是8080", "备份服务器的端口是9090"),
        ("会議は火曜日の10時です", "会議は木曜日の10時です"),
        ("백업 서버 포트는 8080이다", "백업 서버 포트는 9090이다"),
        ("Die Besprechung ist am Dienstag.", "Die Besprechung ist am Donnerstag."),
        ("The path is C:\\relay on port 8080.", "The path is C:\\relay on port 9090."),
    ],
)
def test_any_script_and_sign_is_recorded_marked_and_brought_back(desk: Desk, one: str, other: str) -> None:
    desk.add(one)
    desk.on(31).add(other)
    before = desk.talk.text()
    desk.run()
    assert (desk.one().a.text, desk.one().b.text) == (one, other)
    assert desk.talk.text() == before.replace(f"- {one} #knowledge", f"- {one} #knowledge #superseded")
    desk.workspace.apply(undo.undo(desk.workspace))
    assert desk.talk.text() == before


def test_the_mark_goes_before_a_comment_and_after_the_last_line(desk: Desk) -> None:
    lines = f"\n- {OLD} #knowledge <!-- was 2026-02-14: 7070 -->\n- The rent is 900 euros\n  a month.\n\nEnd.\n"
    desk.talk.write("MEMORY.md", desk.talk.text() + lines)
    desk.add("Ana has the key.")
    desk.on(40)
    desk.add(NEW)
    desk.add("The rent is 950 euros a month.")
    desk.run()
    text = desk.talk.text()
    assert f"- {OLD} #knowledge #superseded <!-- was 2026-02-14: 7070 -->\n" in text
    assert "- The rent is 900 euros\n  a month.\n" in text  # without a tag it is no rule's to decide
    assert len(desk.found()) == 2


def test_one_change_among_thousands_is_found_in_seconds(desk: Desk) -> None:
    many = range(amount(10_000, 3_000))
    rows = "".join(f"- Room {number} of the archive holds crate {number * 7}.\n" for number in many)
    desk.talk.write("MEMORY.md", f"# Memory\n\n- {OLD}\n{rows}")
    desk.add("Ana has the key.")
    desk.on(40).add(NEW)
    found = preview(ConflictDetector(), desk.workspace)
    assert [one.text for one in found.learnt] == [f"{OLD} / {NEW}"]


def test_a_memory_of_ten_thousand_letters_is_held_against_another(desk: Desk) -> None:
    long = "The relay " + "of the old mill " * 650
    desk.add(f"{long}listens on port 8080.")
    desk.add(f"{long}listens on port 9090.")
    desk.run()
    assert all(len(one.a.text) > 10_000 for one in desk.found())


def test_a_secret_that_stands_there_already_is_not_copied(desk: Desk) -> None:
    key = "AKIA" + "Z7Q2X4WNB3RTY5KP"
    place = desk.talk.root / "MEMORY.md"
    place.write_text(f"# Memory\n\n- The relay has the key {key} and port 8080.\n", "utf-8")
    desk.talk.git("add", "-A")
    subprocess.run(["git", "commit", "-q", "--no-verify", "-m", "by hand"], cwd=desk.talk.root, check=True)
    desk.add(f"The relay has the key {key[:4]} and port 9090.")
    desk.run()
    assert key not in desk.talk.text("CONFLICTS.md")


def test_a_correction_that_went_to_the_archive_decides_as_well(desk: Desk) -> None:
    desk.add(OLD)
    desk.on(90).add(NEW)
    desk.talk.write(
        "Archive/Corrections/2026-January.md", f"# Corrections\n\n## kkkkkkkkkk\n\n- Said: {NEW}\n- True: {OLD}\n"
    )
    desk.run(start=START - timedelta(days=1))
    found = desk.one()
    assert (found.rule, getattr(found, found.winner).text) == ("correction", OLD)
    cited = "Archive/Corrections/2026-January.md#kkkkkkkkkk"
    assert f"Evidence: {cited}" in desk.talk.git("log", "-1", "--format=%B")


def test_a_conversation_that_openclaw_left_is_not_compared(tmp_path):
    from datetime import date  # noqa: PLC0415 - the only test of places
    from types import SimpleNamespace  # noqa: PLC0415

    from clawgit.agents.detecting.contradiction import places  # noqa: PLC0415

    (tmp_path / "memory").mkdir()
    (tmp_path / "memory/2026-05-04-1430.md").write_text("# Session: x\n\n- **Session Key**: agent:main:main\n")
    (tmp_path / "memory/2026-05-04-trip.md").write_text("# Trip\n\n- Oslo.\n")
    workspace = SimpleNamespace(root=tmp_path, memory_files=("MEMORY.md",))
    assert places(workspace, date(2026, 5, 1)) == ("MEMORY.md", "memory/2026-05-04-trip.md")


def test_what_journals_log_is_no_contradiction(desk: Desk) -> None:
    """In 57 workspaces of others rules took 309 pairs for contradictions, 241 of them lines of journals: logs."""
    desk.add("The node rent is $310 a month.", daily=True)
    day = desk.workspace.journal_path(START.date())
    desk.talk.write(day, desk.talk.text(day) + "- MEMORY.md cleanup (10+ days): remove dead paths\n")
    desk.talk.write("memory/2026-06-02.md", "# 2026-06-02\n\n- MEMORY.md cleanup (11+ days): remove dead paths\n")
    desk.on(1).add("The node rent is $340 a month.", daily=True)
    desk.on(1.1).run()
    assert "rent" in desk.one().a.text


def test_lines_of_others_are_not_held_against_each_other(desk: Desk) -> None:
    desk.talk.write("MEMORY.md", "# Memory\n\n- **Path**: `scripts/weekly.sh`\n- **Path**: `scripts/daily.sh`\n")
    desk.run()
    assert desk.found() == ()
