"""Journals that were written from an older version are united; a deletion stays one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.workspace import memory
from clawgit.workspace.stale_write import heal, started_from

from .places import DAY

LINES = [f"- line {letter}" for letter in "abcdefgh"]


def united(committed, disk, older):
    """Return what becomes of a journal."""
    return heal(committed, disk, older, grows=True).text


def text(*numbers):
    return "".join(LINES[n] + "\n" for n in numbers)


def test_lines_that_the_writer_never_saw_are_put_back():
    assert united(text(0, 1, 2), text(0, 1, 3), [text(0, 1, 2), text(0, 1)]) == text(0, 1, 2, 3)


@given(st.integers(1, 6), st.lists(st.sampled_from(LINES), max_size=4))
def test_what_was_appended_to_a_reset_journal_joins_it(size, later):
    """Stash or reset took every line away; an appender went on, or is about to."""
    new = [f"{line} later {at}\n" for at, line in enumerate(later)]
    found = united(text(*range(size)), "".join(new), [])
    for line in [*LINES[:size], *new]:
        assert line in found


def test_a_deliberate_deletion_stays():
    """A writer who takes a line out of the newest version started from that one."""
    assert united(text(0, 1, 2), text(0, 2), [text(0, 1, 2), text(0, 1)]) == text(0, 2)
    assert united(text(0, 1, 2), text(0, 2, 3), [text(0, 1, 2), text(0, 1)]) == text(0, 2, 3)


def test_a_line_that_was_edited_is_not_doubled():
    edited = text(0, 1, 2).replace("line b", "line b, corrected")
    assert united(text(0, 1, 2), edited, [text(0, 1, 2), text(0, 1), text(0)]) == edited


@given(st.permutations(range(6)), st.integers(0, 6))
def test_a_journal_that_lacks_nothing_is_taken_as_it_is(order, size):
    committed, disk = text(*sorted(order[:size])), text(*sorted(order))
    assert united(committed, disk, [text(0)]) == disk


def test_the_smallest_difference_wins_and_of_equals_the_newest():
    assert started_from(text(0, 1, 3), [text(0, 1, 2), text(0, 1), ""]) == text(0, 1)
    assert started_from(text(0), [text(1), text(2)]) == text(1)


@pytest.fixture
def three(place):
    """A journal of three versions, each a line longer."""
    for size in (1, 2, 3):
        place.given(DAY=text(*range(size)))
    return place


def test_a_stash_beside_an_appender_loses_nothing(three):
    three.write(DAY, text(0, 1, 2, 3))
    three.git("stash", "--quiet")
    three.write(DAY, text(0, 1, 2) + "- from the appender\n")
    three.git("stash", "drop", "--quiet")
    three.ws.apply(memory.add_note(three.ws, "ours"))
    for line in (*LINES[:3], "- from the appender", "ours"):
        assert line in three.text(DAY)
    three.agrees()


@pytest.mark.parametrize("back", [1, 2])
def test_a_writer_from_an_older_version_takes_nothing_away(three, back):
    three.write(DAY, three.committed(DAY, f"HEAD~{back}") + b"- of the writer\n")
    three.ws.capture([DAY])
    for line in (*LINES[:3], "- of the writer"):
        assert three.text(DAY).count(line + "\n") == 1
    three.agrees()


def test_an_emptied_journal_that_grew_again_is_whole(three):
    three.write(DAY, "- after the reset\n")
    three.ws.capture([DAY])
    assert sorted(three.text(DAY).split()) == sorted(" ".join([*LINES[:3], "- after the reset"]).split())
    three.agrees()


def test_a_line_that_was_taken_out_by_hand_stays_out(three):
    three.write(DAY, text(0, 2))
    three.ws.apply(memory.add_note(three.ws, "ours"))
    assert LINES[1] not in three.text(DAY)
    three.write(DAY, three.text(DAY) + "- more\n")
    three.ws.apply(memory.add_note(three.ws, "ours again"))
    assert LINES[1] not in three.text(DAY)


def test_a_deleted_journal_is_a_decision(three):
    three.write(DAY, None)
    three.ws.capture([DAY])
    assert three.read(DAY) is None
    three.agrees()


def test_a_file_that_was_edited_stays_as_it_is(place):
    """Only a journal that went back to an older version is united: elsewhere somebody meant it."""
    place.given(MEMORY=text(0))
    place.given(MEMORY=text(0, 1))
    place.write("MEMORY.md", text(0))
    place.ws.capture(["MEMORY.md"])
    assert place.text("MEMORY.md") == text(0)


def test_a_journal_that_is_no_text_is_not_guessed_at(three):
    """Not even where lines are missing from it: no byte is replaced by what stands for a broken one."""
    three.write(DAY, b"- \xff\n")
    with three.refused("not valid UTF-8"):
        three.ws.apply(memory.add_note(three.ws, "ours"))
    with three.refused("not valid UTF-8"):
        three.ws.capture([DAY])


def test_a_journal_that_was_no_text_is_not_guessed_at(three):
    three.commit({DAY: b"- \xff\n- x\n- y\n"})
    three.write(DAY, "- written anew\n")
    three.ws.capture([DAY])
    assert three.read(DAY) == b"- written anew\n"


def test_an_edited_line_is_no_reset():
    """Whoever corrects the one line of a short journal does not get the old one back beside it."""
    before = "- Ana takes the trian at nine, and Bob drives\n"
    after = "- Ana takes the train at nine, and Bob drives\n"
    assert united(before, after, []) == after


def test_a_secret_that_was_taken_out_stays_out():
    """Also where the line was most of the journal."""
    before = "# 2026-05-04\n\n- the router answers to admin and blue-wombat-7\n"
    after = "# 2026-05-04\n\n- the router answers to admin and (see the safe)\n"
    assert united(before, after, []) == after


def test_what_is_appended_to_an_emptied_journal_may_be_like_what_it_held():
    """Lines of one program resemble each other, and are no edits of each other."""
    before = "# Today\nappended 1 end\njournal by us\nappended 2 end\n"
    after = "appended 3 end\nappended 4 end\nappended 5 end\n"
    found = united(before, after, [])
    assert all(line in found for line in (before + after).split("\n"))


def test_the_second_half_of_a_split_line_is_no_edit_of_a_line_that_is_like_it():
    """The writer never saw what Lena did, though one half of what he split ends in the same words."""
    split, like = "- Yuki has to renew the router before the summer", "- Lena paused the garden fence before the summer"
    read = f"# Memory\n\n- Bob sold the van\n{split}\n- Emil likes tea\n"
    written = read.replace(split, "- Yuki has to renew\n- the router before the summer")
    healed = heal(read.replace("- Emil", f"{like}\n- Emil"), written, [read], grows=False)
    assert healed.text.count(like + "\n") == 1
    assert split not in healed.text


@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["plain", "with a mark"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "  \n"], ids=["unix", "windows", "blanks"])
@pytest.mark.parametrize("more", ["", "\n## 19:00 W\n\nwindows line here\n"], ids=["same", "more"])
def test_a_journal_that_an_editor_saves_in_its_own_manner_gets_nothing_twice(mark, end, more):
    day = "# 2026-11-21\n\n## 10:00 Bread\n\nMira baked with rye.\n\n## 11:00 Tea\n\nGreen tea.\n"
    disk = mark + (day + more).replace("\n", end)
    assert heal(day, disk, ["# 2026-11-21\n"], grows=True).text == disk


STEPS = [f"- {word} the tide table for the crew\n" for word in ("read", "print", "pin", "mail", "check")]
FRESH = [f"- {word} is on the quay from now on\n" for word in ("Ana", "Bo", "Cem", "Dora", "Emil", "Fay", "Gil", "Hal")]


def test_what_every_known_version_has_its_writer_has_seen():
    committed = "- `AUTONOMY.md` = proactive execution policy\n- `AUTONOMOUS.md` = active task backlog\n"
    disk = "# AUTONOMY.md\n## Purpose\n- `AUTONOMY.md` = bounded proactive execution policy\n"
    assert heal(committed, disk, [committed], grows=False).text == disk


def test_a_text_that_is_written_anew_gets_nothing_back():
    """It is nearer to an old, short version, of which it lacks less."""
    short = "# Plan\n\n" + STEPS[0] + STEPS[1]
    committed = short + "".join(f"- the boat leaves quay {n} at dawn\n" for n in range(30))
    disk = "# Plan\n\n" + "".join(FRESH)
    found = heal(committed, disk, [committed, short], grows=False)
    assert (found.text, found.back, found.doubts) == (disk, (), ())


def test_an_old_line_that_is_wanted_again_brings_none_of_its_time_back():
    """Its writer has read what is younger, so what it lacks was taken out."""
    old = "# Plan\n\n" + "".join(STEPS)
    between = "# Plan\n\n" + "".join(STEPS[1:])
    committed = between + "".join(FRESH[:4])
    disk = "# Plan\n\n" + "".join(STEPS[:1]) + "".join(STEPS[3:]) + "".join(FRESH[1:4])
    assert heal(committed, disk, [committed, between, old], grows=False).text == disk
