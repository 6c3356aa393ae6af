"""A row stays with its entry, and no two entries share one."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from clawgit.text.entry import digest, entries, entry_id
from clawgit.workspace.entries import Row, render
from clawgit.workspace.entry_association import associate
from clawgit.workspace.sidecar_rows import Table

ONE, TWO = "MEMORY.md", "memory/2026-02-14.md"
FIRST = "Ana meets the bank on Monday"
ROW = Row("kkkkkkkkkk", ONE, digest(FIRST), "event", "untrusted", 0.4, date(2026, 1, 2), mentions=frozenset({"m1"}))


def moved(before, after, *rows):
    """Return what changes in these rows."""
    return associate(Table(render({row.id: row for row in rows})), before, after)


def test_nothing_changes_when_nothing_was_reworded():
    assert moved({ONE: f"- {FIRST}\n"}, {ONE: f"# New\n\n* {FIRST} #event\n- more\n"}, ROW) == {}


def test_the_row_follows_a_reworded_entry():
    words = "Ana meets the bank on Tuesday"
    found = moved({ONE: f"- {FIRST}\n- x\n"}, {ONE: f"- x\n- {words}\n"}, ROW)
    assert found == {ROW.id: replace(ROW, hash=digest(words))}


def test_the_row_follows_an_entry_in_bold_and_wrapped():
    found = moved({ONE: f"- {FIRST}\n"}, {ONE: "- **Ana** meets\n  the bank on Monday\n"}, ROW)
    assert list(found) == [ROW.id]


def test_the_row_follows_an_entry_to_another_file():
    found = moved({ONE: f"- {FIRST}\n", TWO: None}, {ONE: None, TWO: f"- {FIRST}\n"}, ROW)
    assert found == {ROW.id: replace(ROW, file=TWO)}


def test_an_entry_without_a_row_gets_one_so_that_its_id_stays():
    found = moved({ONE: f"- {FIRST}\n"}, {ONE: f"- {FIRST}, at ten\n"})
    key = entry_id(ONE, FIRST)
    assert found == {key: Row(key, ONE, digest(FIRST + ", at ten"))}


def test_a_row_whose_entry_is_gone_waits_for_it():
    assert moved({ONE: f"- {FIRST}\n"}, {ONE: "- 天气很好\n"}, ROW) == {}
    assert moved({ONE: "- 天气很好\n"}, {ONE: f"- 天气很好\n- {FIRST}\n"}, ROW) == {}


def test_a_tombstone_is_never_moved():
    dead = replace(ROW, status="tombstone")
    assert dead.id not in moved({ONE: f"- {FIRST}\n"}, {ONE: f"- {FIRST}, at ten\n"}, dead)


def test_no_entry_is_taken_for_one_of_several_that_are_alike():
    before = "- call Bob about the car\n- call Bob about the cat\n"
    after = "- call Bob about the cab\n- call Bob about the can\n"
    rows = [Row(name * 10, ONE, digest(f"call Bob about the {word}")) for name, word in (("k", "car"), ("l", "cat"))]
    assert moved({ONE: before}, {ONE: after}, *rows) == {}


def test_an_id_that_went_on_with_other_words_is_not_given_twice():
    """Whoever writes the first words again writes a new entry."""
    rows = moved({ONE: f"- {FIRST}\n"}, {ONE: f"- {FIRST}, at ten\n"})
    found = associate(Table(render(rows)), {ONE: f"- {FIRST}, at ten\n"}, {ONE: f"- {FIRST}, at ten\n- {FIRST}\n"})
    assert found
    assert entry_id(ONE, FIRST) not in found


BULLETS = st.lists(st.text("abc xyz", min_size=1, max_size=12).filter(str.strip).map("- {}\n".format), max_size=8).map(
    "".join
)


@given(BULLETS, BULLETS, BULLETS, BULLETS, st.data())
def test_each_row_belongs_to_one_entry_at_most(old, new, aside, beside, data):
    said = [(path, one.text) for path, text in ((ONE, old), (TWO, aside)) for one in entries(text)]
    kept = data.draw(st.lists(st.sampled_from(said), unique=True)) if said else []
    rows = {entry_id(path, text): Row(entry_id(path, text), path, digest(text), confidence=0.5) for path, text in kept}
    after = {**rows, **associate(Table(render(rows)), {ONE: old, TWO: aside}, {ONE: new, TWO: beside})}
    places = [(row.file, row.hash) for row in after.values()]
    standing = {(path, digest(one.text)) for path, text in ((ONE, new), (TWO, beside)) for one in entries(text)}
    assert all(places.count(place) == 1 for place in standing & set(places))
    assert all(key == row.id for key, row in after.items())
    assert all((row.file, row.hash) in standing for key, row in after.items() if rows.get(key) != row)
