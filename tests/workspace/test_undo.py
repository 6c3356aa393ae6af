"""One change is taken back; what came later stays."""

import pytest

from clawgit.workspace import identity_edits, memory, memory_lines
from clawgit.workspace.change import Append, Change, Edit
from clawgit.workspace.undo import ConflictError, newest, redo, undo

from .places import AWS, DAY, SOUL


def edit(place, act, text, **more):
    return place.ws.apply(identity_edits.edit(place.ws, act, text, **{"why": "asked for", **more}))


def remember(place, text, **more):
    return place.ws.apply(memory.add(place.ws, text, **more).change)


def back(place, name=None, **more):
    applied = place.ws.apply(undo(place.ws, name, **more))
    place.agrees()
    return applied


def texts(place):
    return [found.text for found in memory_lines.list_bullets(place.ws)]


def test_without_a_name_the_newest_that_stands_is_taken_back(place):
    """Neither what was undone already nor an undo; an undo that was undone counts its change again."""
    one, two, three = (edit(place, "add", f"{name}.", section="Vibe") for name in ("One", "Two", "Three"))
    place.commit({"notes.md": "by hand\n"})
    assert newest(place.ws) == three.commit
    undone = back(place)
    assert newest(place.ws) == two.commit
    back(place, undone.change)
    assert newest(place.ws) == three.commit
    for applied in (three, two, one):
        assert newest(place.ws) == applied.commit
        back(place)
    assert place.text("SOUL.md") == SOUL
    with place.refused("there is no change of clawgit's to undo"):
        undo(place.ws)


def test_a_redo_brings_back_what_the_newest_undo_took_back(place):
    """Each undo once, the newest first; what a redo brought back can be undone, and redone."""
    one, two = (edit(place, "add", f"{name}.", section="Vibe") for name in ("One", "Two"))
    for _ in range(2):
        whole = place.text("SOUL.md")
        back(place, two.change)
        back(place, one.change)
        for name in (two.change, None):
            applied = place.ws.apply(redo(place.ws, name))
            assert place.git("log", "-1", "--format=%s", applied.commit).strip().startswith("soul: redo: ")
        assert place.text("SOUL.md") == whole
        with place.refused("there is no undo to take back"):
            redo(place.ws)
    place.commit({"notes.md": "by hand\n"})
    with place.refused("there is no undo of HEAD"):
        redo(place.ws, "HEAD")


def test_an_undo_of_an_older_change_is_itself_undone_first(place):
    """It is what was done last; what a plain undo took back is passed over."""
    by_hand = place.commit({"SOUL.md": SOUL + "\nBy hand.\n"})
    one, two, three = (edit(place, "add", f"{name}.", section="Vibe") for name in ("One", "Two", "Three"))
    named = back(place, one.change)
    assert newest(place.ws) == named.commit
    back(place)
    assert newest(place.ws) == three.commit
    place.ws.apply(redo(place.ws))
    assert newest(place.ws) == named.commit
    for applied in (named, three, two, one):
        assert newest(place.ws) == applied.commit
        back(place)
    named = back(place, by_hand)
    assert newest(place.ws) == named.commit
    back(place)
    later = edit(place, "add", "Four.", section="Vibe")
    place.commit({"notes.md": "by hand\n"})
    back(place, "HEAD")
    named = back(place, later.change)
    assert newest(place.ws) == named.commit
    back(place)
    back(place)
    back(place)
    with place.refused("there is no change of clawgit's to undo"):
        undo(place.ws)


def test_the_first_note_of_a_day_is_taken_back_though_others_follow(place):
    """The journal's title stays, and every later note."""
    first = place.ws.apply(memory.add_note(place.ws, "First."))
    place.later(minutes=1)
    place.ws.apply(memory.add_note(place.ws, "Second."))
    back(place, first.change)
    assert place.text(DAY) == "# 2026-02-14\n\n## 09:31\n\nSecond.\n"


def test_a_file_that_is_gone_or_there_again_is_a_conflict(place):
    """Nobody can tell what should become of it."""
    one = edit(place, "add", "New.", section="Vibe")
    two = place.ws.apply(Change("x", edits=(Edit("SOUL.md", place.text("SOUL.md"), None),)))
    with place.refused(kind=ConflictError):
        undo(place.ws, one.change)
    place.commit({"SOUL.md": "# Another\n"})
    with place.refused(kind=ConflictError):
        undo(place.ws, two.change)


def test_one_file_in_conflict_refuses_the_whole(place):
    change = Change("x", edits=(Edit("SOUL.md", SOUL, SOUL + "- a line of ours\n"), Append("USER.md", "- b\n")))
    applied = place.ws.apply(change)
    place.commit({"SOUL.md": SOUL + "- a line of theirs\n"})
    with place.refused(kind=ConflictError):
        undo(place.ws, applied.change)
    back(place, applied.change, only="USER.md")
    assert "- b" not in place.text("USER.md")


def test_a_memory_may_be_learnt_again_where_that_is_meant(place):
    added = memory.add(place.ws, "x")
    applied = place.ws.apply(added.change)
    back(place, applied.change, again=True)
    assert added.id not in place.ws.rows()


def test_a_mention_is_taken_back_and_a_later_one_stays(place):
    """With the date of the later one."""
    remember(place, "x")
    place.later(days=1)
    middle = remember(place, "X")
    place.later(days=1)
    last = remember(place, " x")
    back(place, middle.change)
    (found,) = memory_lines.list_bullets(place.ws)
    assert (found.mentions, found.last.day) == (2, 16)
    assert last.change in place.ws.rows()[found.id].mentions
    with place.refused("undo-done"):
        undo(place.ws, middle.change)


def test_what_was_deleted_stays_deleted_when_a_mention_is_taken_back(place):
    first = memory.add(place.ws, "x")
    place.ws.apply(first.change)
    mention = remember(place, "X")
    back(place, first.change.id)
    back(place, mention.change)
    assert place.ws.rows()[first.id].status == "tombstone"
    assert texts(place) == []


@pytest.mark.parametrize("line", [f"key {AWS}", "in\u200bvisible"])
def test_what_was_removed_comes_back_whatever_it_was(place, line):
    """It stands in history already: to refuse it would only keep the operator from his own file."""
    before = SOUL + f"- {line}\n"
    place.commit({"SOUL.md": before})
    applied = edit(place, "remove", line)
    assert line not in place.text("SOUL.md")
    place.commit({"SOUL.md": place.text("SOUL.md").replace("Have a view.", "Later.")})
    back(place, applied.change)
    assert place.text("SOUL.md") == before.replace("Have a view.", "Later.")


def test_two_undos_of_one_change_take_it_back_once(place):
    applied = edit(place, "add", "New.", section="Vibe")
    one, two = undo(place.ws, applied.change), undo(place.open(), applied.change)
    place.ws.apply(one)
    assert place.ws.apply(two).commit is None
    assert place.text("SOUL.md") == SOUL
