"""What edits took out of memories, and that the commands given really bring it back."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.amounts import amount

from .reports import JOURNAL, wild


@pytest.fixture
def place(memory_folder):
    """A workspace that is not managed yet."""
    return wild(memory_folder)


def journal(*notes, title="# 2026-01-20"):
    sections = [f"## {hour:02}:00 - {name}\n\n" + "".join(f"- {row}\n" for row in rows) for hour, name, rows in notes]
    return "\n".join([title + "\n", *sections])


MORNING = (9, "deploy", ["moved the staging cluster to Helsinki", "Ada wants a rollback plan"])
NOON = (12, "garden", ["ordered twelve metres of drip hose", "the pump needs a new seal"])
EVENING = (20, "trip", ["booked the night train to Vienna", "hotel near the Naschmarkt"])


def brought_back(place, loss, wanted, kept=()):
    """Manage the workspace, run the commands, and see that the lost lines stand and no other line went."""
    place.manage()
    before = {path: place.text(path) for path in place.tree() if path.endswith(".md")}
    assert loss.brings_back
    for command in loss.brings_back:
        place.run(command)
    for path, rows in wanted.items():
        assert set(rows) <= set(place.text(path).splitlines())
    for path, text in before.items():
        assert set(text.splitlines()) <= set(place.text(path).splitlines()), path
    for row in kept:
        assert any(row in place.text(path) for path in before)


def restore(loss, path=JOURNAL):
    """The command that restores a file as it was before a loss."""
    return f"clawgit restore {path} --as-of {next(file.shows for file in loss.files if file.path == path)[9:19]}"


def test_lines_that_the_last_edit_took_come_back_with_the_file(place):
    place.commit({JOURNAL: journal(MORNING, NOON)})
    oid = place.commit({JOURNAL: journal(MORNING), "MEMORY.md": "# Memory\n\n- Ada likes tea\n"})
    place.commit({"MEMORY.md": "# Memory\n\n- Ada likes tea\n- Bob likes milk\n"})
    (loss,) = place.report().journals
    assert (loss.commit, loss.lines, loss.files[0].words) == (oid, 3, "12:00 - garden")
    assert loss.brings_back == (restore(loss),)
    brought_back(place, loss, {JOURNAL: ["- the pump needs a new seal"]}, kept=["likes tea"])


@pytest.mark.parametrize("later", [journal(MORNING, EVENING), None])
def test_no_command_takes_a_line_that_came_later(place, later):
    place.commit({JOURNAL: journal(MORNING, NOON)})
    place.commit({JOURNAL: journal(MORNING), "MEMORY.md": "# Memory\n"})
    place.commit({JOURNAL: later, "MEMORY.md": "# Memory\n\n- Ada likes tea\n"})
    loss = next(loss for loss in place.report().journals if "12:00 - garden" in loss.files[0].words)
    assert loss.brings_back == ()
    assert b"the pump needs a new seal" in place.run(loss.files[0].shows)


def test_deleted_journals_come_back_with_one_command(place):
    days = {
        f"memory/2026-01-{day:02}.md": f"# day\n\n- note number {day} about the garden wall\n" for day in range(1, 9)
    }
    place.commit(days)
    oid = place.commit(dict.fromkeys(days))
    (loss,) = place.report().journals
    assert [file.deleted for file in loss.files] == [True] * 8
    assert loss.brings_back == (f"clawgit undo {oid[:10]}",)
    brought_back(place, loss, {path: text.splitlines() for path, text in days.items()})


def test_lines_that_moved_or_were_copied_are_not_lost(place):
    place.commit({JOURNAL: journal(MORNING, NOON)})
    place.commit(
        {JOURNAL: journal(MORNING), "Archive/2026.md": "## 12:00 - Garden\n\n" + "".join(f"* {r}\n" for r in NOON[2])}
    )
    assert place.report().journals == ()


def test_a_renamed_journal_lost_nothing_and_later_losses_are_told_once(place):
    renamed = "memory/2026-01-20-garden.md"
    place.commit({JOURNAL: journal(MORNING, NOON)})
    place.git("mv", JOURNAL, renamed)
    place.commit({})
    assert place.report().journals == ()
    oid = place.commit({renamed: journal(MORNING)})
    (loss,) = place.report().journals
    assert (loss.commit, loss.lines) == (oid, 3)


def test_what_a_merge_dropped_is_lost_and_what_one_side_deleted_is_told_once(place):
    place.commit({JOURNAL: journal(MORNING)})
    place.git("checkout", "-qb", "side")
    place.commit({JOURNAL: journal(MORNING, NOON), "memory/2026-01-21.md": "# day\n\n- the fox came back tonight\n"})
    place.git("checkout", "-q", "main")
    place.commit({JOURNAL: journal((*MORNING[:2], MORNING[2][:1]))})
    place.git("merge", "-q", "-s", "ours", "-m", "ours", "side")
    edited, merged = sorted(place.report().journals, key=lambda loss: loss.lines)
    assert edited.lines == 1
    assert {file.path for file in merged.files} == {JOURNAL, "memory/2026-01-21.md"}
    assert merged.lines == 4


def test_a_name_that_no_shell_should_see_is_never_in_a_command(place):
    place.commit({"memory/2026-01-20\nrm x.md": journal(MORNING)})
    place.commit({"memory/2026-01-20\nrm x.md": None, "MEMORY.md": "# Memory\n\n- Ada likes tea\n"})
    (loss,) = place.report().journals
    assert loss.brings_back == ()
    assert b"Helsinki" in place.run(loss.files[0].shows)
    assert "\n" not in loss.files[0].shows


NOTES = [
    f"{who} {what}" for who in ("the fox", "Ada", "a heron") for what in ("came at dawn", "left a letter", "slept")
]
SECTION = st.tuples(st.sampled_from(["## Garden", "## Work", "## 09:00 - talk"]), st.lists(st.sampled_from(NOTES)))
TEXT = st.lists(SECTION, max_size=3).map(
    lambda parts: "# day\n" + "".join(f"\n{title}\n\n" + "".join(f"- {n}\n" for n in notes) for title, notes in parts)
)
PATHS = (JOURNAL, "memory/2026-01-21.md", "MEMORY.md")
COMMIT = st.dictionaries(st.sampled_from(PATHS), st.one_of(st.none(), TEXT, TEXT), min_size=1)


@settings(max_examples=amount(20, 8), suppress_health_check=list(HealthCheck))
@given(commits=st.lists(COMMIT, min_size=2, max_size=6), order=st.randoms(use_true_random=False))
def test_whatever_happened_the_commands_bring_back_what_they_say_and_take_nothing(commits, order):
    """In any order: the first does what it says, later ones may be refused, and none takes a line that stood."""
    with tempfile.TemporaryDirectory(prefix="clawgit-place-") as folder:
        place = wild(Path(folder))
        for files in commits:
            place.commit(
                {path: text for path, text in files.items() if text is not None or (place.root / path).exists()}
            )
        found = [loss for loss in losses_of(place) if loss.brings_back]
        order.shuffle(found)
        if found:
            place.manage()
        for loss in found:
            for command in loss.brings_back:
                before = {path: place.text(path) for path in place.tree() if path.endswith(".md")}
                place.run(command, refusable=loss is not found[0])
                for path, text in before.items():
                    assert set(text.splitlines()) <= set(place.text(path).splitlines()), (command, path)
            if loss is found[0]:
                back = {(loss.commit, file.path) for file in loss.files if file.brings_back}
                assert back.isdisjoint(told(losses_of(place)))


def losses_of(place):
    found = place.report()
    return [*found.journals, *found.notes]


def told(losses):
    return {(loss.commit, file.path) for loss in losses for file in loss.files}
