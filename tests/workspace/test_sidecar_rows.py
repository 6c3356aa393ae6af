"""Rows that are read and changed one by one are what reading and rendering all of them gives."""

from hypothesis import given
from hypothesis import strategies as st

from clawgit.workspace.entries import HEADER, Row, joined, parse, render, with_rows
from clawgit.workspace.sidecar_rows import Table, changed_lines, edited

IDS = [letter * 10 for letter in "klmnopq"]
ROWS = st.builds(
    Row,
    st.sampled_from(IDS),
    st.sampled_from(["MEMORY.md", "memory/a.md", "memory/a.md.md"]),
    st.sampled_from(["0" * 16, "1" * 16]),
    mentions=st.frozensets(st.sampled_from(["m1", "m2", "kkkkkkkkkk"]), max_size=2),
)
TABLES = st.lists(ROWS, max_size=6).map(lambda rows: {row.id: row for row in rows})
ODD = ["# note", "garbage", "", "@\tkkkkzzzz\t4\tlllllzzz:7", f"{IDS[0]}\tkkkkzzzz:9"]
EXTRA = st.lists(st.sampled_from(ODD), max_size=2)


@st.composite
def texts(draw):
    """A sidecar as we write it, or with lines that others left in whatever order."""
    text = render(draw(TABLES))
    if not draw(st.booleans()):
        return text
    lines = [*text.split("\n")[:-1], *draw(EXTRA)]
    return "".join(f"{line}\n" for line in draw(st.permutations(lines)))


def plain(text):
    return parse(text)


@given(texts(), st.lists(ROWS, max_size=3, unique_by=lambda row: row.id), st.sets(st.sampled_from(IDS), max_size=2))
def test_an_edit_of_single_rows_is_an_edit_of_all(text, new, drops):
    kept = {key: row for key, row in parse(text).items() if key not in drops}
    whole = with_rows(text, joined(kept, new, forget="m1"))
    assert plain(edited(text, new, drops, forget="m1")) == plain(whole)


@given(TABLES, st.lists(ROWS, max_size=3, unique_by=lambda row: row.id), st.sets(st.sampled_from(IDS), max_size=2))
def test_a_file_of_ours_stays_in_its_order(rows, new, drops):
    text = edited(render(rows), new, drops)
    assert text == render(parse(text))


@given(texts(), texts())
def test_lines_outside_of_the_change_are_the_same(before, after):
    start, old, new = changed_lines(before, after)
    assert (before[:start], before[old:]) == (after[:start], after[new:])
    assert all(not text or text.endswith("\n") for text in (before[:start], before[start:old], after[start:new]))


@given(texts(), st.sampled_from(IDS), st.sets(st.sampled_from(["MEMORY.md", "memory/a.md", "none.md"])))
def test_a_table_answers_as_all_rows_do(text, key, paths):
    table, rows = Table(text), parse(text)
    assert table.get(key) == rows.get(key)
    assert (key in table) == (key in rows)
    assert not paths or {*table.of_files(paths)} >= {name for name, row in rows.items() if row.file in paths}


def test_one_row_among_many_takes_one_line():
    rows = {f"{n:010}".translate(str.maketrans("0123456789", "klmnopqrst")): n for n in range(5000)}
    text = render({key: Row(key, "MEMORY.md", f"{n:016}") for key, n in rows.items()})
    new = Row("kkkkkkkkzz", "MEMORY.md", "f" * 16)
    done = edited(text, [new])
    start, old, end = changed_lines(text, done)
    assert (old - start, done[start:end].count("\n")) == (len(text[start:old]), text[start:old].count("\n") + 1)
    assert parse(done)[new.id] == new
    assert done.startswith(HEADER)
