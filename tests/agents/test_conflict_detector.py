"""The conflict detector, on memories that are added day by day."""

import subprocess
from datetime import UTC, datetime, timedelta

import pytest

from clawgit.agents.conflict_detector import ConflictDetector
from clawgit.agents.running import Result, View, apply, preview
from clawgit.errors import ClawgitError
from clawgit.memory import conflicts as conflict_decisions
from clawgit.memory import contradictions
from clawgit.text.conflict import Conflict, conflicts
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


@pytest.mark.parametrize("newer", [False])
def test_a_correction_wins_whatever_its_age(desk: Desk, newer: bool) -> None:
    for day, text in enumerate((OLD, NEW) if newer else (NEW, OLD)):
        desk.on(day * 90).add(text)
    desk.correct(OLD, NEW)
    desk.run(start=(START - timedelta(days=1)).timestamp())
    found = desk.one()
    assert (found.rule, found.status) == ("correction", "resolved")
    assert getattr(found, found.winners[0]).text == NEW
    assert desk.talk.bullets() == [f"- {NEW} #knowledge"]
    assert "Evidence: CORRECTIONS.md#kkkkkkkkkk" in desk.talk.git("log", "-1", "--format=%B")


@pytest.mark.parametrize(("days", "rule", "winners"), [(30, "newer by 30 days", ("b",)), (29, "open", ())])
def test_the_newer_wins_from_thirty_days_on(desk: Desk, days: int, rule: str, winners: tuple[str, ...]) -> None:
    loser = desk.add(OLD)
    desk.on(days).add(NEW)
    desk.run()
    assert (desk.one().rule, desk.one().winners) == (rule, winners)
    row = desk.workspace.rows()[loser]
    assert (row.status, row.by) == (("superseded", desk.one().id) if winners else ("live", ""))


@pytest.mark.parametrize("tag", ["skill"])
def test_a_skill_is_left_to_the_operator(desk: Desk, tag: str) -> None:
    desk.add(OLD, tag)
    desk.on(60).add(NEW, tag)
    desk.run()
    assert desk.one().rule == ("open" if tag == "skill" else "newer by 30 days")


@pytest.mark.parametrize("origin", ["agent"])
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


def test_the_first_run_looks_at_all_and_later_ones_at_what_changed_unless_more_is_wanted(desk: Desk) -> None:
    desk.add(OLD)
    desk.add(NEW)
    desk.on(30)
    assert desk.run().read == 2
    assert desk.one().open
    desk.on(33)
    assert desk.run().read == 0
    assert desk.run(start=(START - timedelta(hours=1)).timestamp()).read == 2


def test_more_than_five_wait_for_the_next_days(desk: Desk) -> None:
    for number in range(8):
        desk.add(f"The relay of hall {'ABCDEFGH'[number]} listens on port 80{number}1.")
        desk.add(f"The relay of hall {'ABCDEFGH'[number]} listens on port 90{number}2.")
    desk.on(30)
    desk.run()
    assert len(desk.found()) == 5
    desk.on(33)
    desk.run()
    assert len(desk.found()) == 8


def test_a_side_that_says_something_else_now_is_looked_at_again(desk: Desk) -> None:
    desk.add(OLD)
    desk.add(NEW)
    desk.run()
    first = desk.one().id
    desk.talk.write("MEMORY.md", desk.talk.text().replace("9090", "9191"))
    desk.run()
    old, new = desk.found()
    assert (old.id, old.status, old.winners) == (first, "resolved", ("none",))
    assert "gone or reworded" in old.resolved[0]
    assert (new.open, new.b.text) == (True, "The relay listens on port 9191.")


def test_an_undo_brings_every_byte_back_and_it_is_not_found_again(desk: Desk) -> None:
    desk.add(OLD)
    desk.on(40).add(NEW)
    before = {name: desk.talk.text(name) for name in ("MEMORY.md", "CONFLICTS.md")}
    rows = desk.workspace.rows()
    desk.run()
    assert desk.talk.bullets() == [f"- {NEW} #knowledge"]
    desk.workspace.apply(undo.undo(desk.workspace))
    assert {name: desk.talk.text(name) for name in before} == before
    assert desk.workspace.rows() == rows
    assert desk.run().skipped["taken back before"] == 1
    assert desk.talk.text() == before["MEMORY.md"]


# --- the operator decides


def test_what_stands_below_an_entry_is_not_torn_off_by_a_merge(desk: Desk) -> None:
    desk.add(OLD)
    desk.talk.write("MEMORY.md", desk.talk.text() + f"\n- {NEW}\n  - since the move\n")
    desk.run()
    desk.workspace.apply(conflict_decisions.merge(View(desk.workspace), desk.one(), "The relay listens on both ports."))
    assert f"- {NEW}\n  - since the move\n" in desk.talk.text()
    assert any(row.status == "superseded" for row in desk.workspace.rows().values())


def test_a_side_that_was_reworded_since_is_not_decided_on(desk: Desk) -> None:
    desk.add(OLD)
    desk.add(NEW)
    desk.run()
    record = desk.one()
    desk.talk.write("MEMORY.md", desk.talk.text().replace("9090", "9191"))
    desk.add("An unrelated memory.")  # captures that
    with pytest.raises(ClawgitError, match="reworded since"):
        conflict_decisions.keep(View(desk.workspace), record, "b")


@pytest.mark.parametrize(
    "text",
    ["# C\n\n## kkkkkkkkkk\n\n- A: x\n- B: y\n\n## kkkkkkkkkk\n\n- A: x\n- B: y\n- Status: resolved\n- Winner: a\n"],
)
def test_a_file_edited_by_hand_is_added_to_and_loses_nothing(desk: Desk, text: str) -> None:
    desk.talk.write("CONFLICTS.md", text)
    desk.add(OLD)
    desk.add(NEW)
    desk.run()
    assert desk.talk.text("CONFLICTS.md").replace("\r\n", "\n").startswith(text.replace("\r\n", "\n"))
    assert any(one.b.text == NEW for one in desk.found())


def test_one_change_among_thousands_is_found_in_seconds(desk: Desk) -> None:
    many = range(amount(10_000, 300))
    rows = "".join(f"- Room {number} of the archive holds crate {number * 7}.\n" for number in many)
    desk.talk.write("MEMORY.md", f"# Memory\n\n- {OLD}\n{rows}")
    desk.add("Ana has the key.")
    desk.on(40).add(NEW)
    found = preview(ConflictDetector(), desk.workspace)
    assert [NEW in one.subject for one in found.proposed] == [True]


def test_a_secret_that_stands_there_already_is_not_copied(desk: Desk) -> None:
    key = "AKIA" + "Z7Q2X4WNB3RTY5KP"
    place = desk.talk.root / "MEMORY.md"
    place.write_text(f"# Memory\n\n- The relay has the key {key} and port 8080.\n", "utf-8")
    desk.talk.git("add", "-A")
    subprocess.run(["git", "commit", "-q", "--no-verify", "-m", "by hand"], cwd=desk.talk.root, check=True)
    desk.add(f"The relay has the key {key[:4]} and port 9090.")
    desk.run()
    assert key not in desk.talk.text("CONFLICTS.md")


def test_lines_of_others_are_not_held_against_each_other(desk: Desk) -> None:
    desk.talk.write("MEMORY.md", "# Memory\n\n- **Path**: `scripts/weekly.sh`\n- **Path**: `scripts/daily.sh`\n")
    desk.run()
    assert desk.found() == ()


def test_a_sentence_with_a_second_value_is_about_more_than_the_title_above_it(desk: Desk) -> None:
    for path, time in (("MEMORY.md", "9:15"), ("memory/ops.md", "9:45")):
        desk.talk.write(path, f"# {path}\n\n- The standup is at {time} on Mondays.\n- Bed at {time}.\n")
    desk.run()
    conflict = desk.one()
    assert {conflict.a.text, conflict.b.text} == {f"The standup is at {time} on Mondays." for time in ("9:15", "9:45")}


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        ("the limit is 3", "the limit is 5", ("3 against 5",)),
        ("deploy on Friday", "do not deploy on Friday", ("only one says: not",)),
        ("due on 3 May", "due on 4 May", ("3 against 4",)),
        ("lunch at 2 PM", "lunch at 1 PM", ("2 against 1",)),
        ("The server has 16 GB of memory.", "The server has 32 GB of memory.", ("16 against 32",)),
        ("The meeting is on Monday in the hall.", "The meeting is on Friday in the hall.", ("Monday against Friday",)),
        ("Bus at 9:15 to Porto.", "Bus at 9:45 to Porto.", None),
        ("the limit is 3", "the limit is 5 in the hall of those who keep bees and goats", None),
        ("Ana pays Ben", "Ben pays Ana", None),
        ("uses Postgres", "uses Postgres in production", None),
    ],
)
def test_a_reason_is_said_in_words(one: str, other: str, reason: tuple[str, ...] | None) -> None:
    assert contradictions.judge(one, other) == reason
