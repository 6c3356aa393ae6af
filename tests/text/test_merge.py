"""The merge: its table row by row, its laws, and the cases people meet."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawgit.text import document
from clawgit.text.merge import merge
from clawgit.text.unit import fold_line
from tests.amounts import amount

LINE = st.one_of(
    st.sampled_from(
        ["", "", "  ", "# T", "## A", "## B", "- a", "- b", "- c", "  - n", "  more", "para", "```", "|x|y|", "---"]
    ),
    st.text("ab 中\r\0\u2028", max_size=4),
    st.integers(0, 9999).map("- memory {}".format),
)
ENDS = st.sampled_from(["\n", "\n", "\r\n"])


@st.composite
def texts(draw):
    rows = draw(st.lists(LINE, max_size=8))
    ending = draw(ENDS)
    return draw(st.sampled_from(["", "\ufeff"])) + ending.join(rows) + draw(st.sampled_from(["", ending]))


@st.composite
def family(draw):
    """A base and two texts that grew from it by a few inserts, deletions, changes and moves."""
    base = draw(st.lists(LINE, max_size=8))

    def child():
        rows = list(base)
        for _ in range(draw(st.integers(0, 3))):
            index = draw(st.integers(0, len(rows)))
            match draw(st.sampled_from(["insert", "insert", "delete", "change", "move"])):
                case "insert":
                    rows[index:index] = draw(st.lists(LINE, min_size=1, max_size=3))
                case "delete":
                    del rows[index : index + 1]
                case "change" if index < len(rows):
                    rows[index] += "x"
                case "move" if rows:
                    rows.insert(index, rows.pop(draw(st.integers(0, len(rows) - 1))))
        return rows

    def text(rows):
        ending = draw(ENDS)
        return ending.join(rows) + draw(st.sampled_from([ending, ""]))

    return text(base), text(child()), text(child())


def content(text):
    return Counter(fold_line(document.content(row)) for row in document.split(text) if not document.is_blank(row))


@given(texts(), texts())
@settings(max_examples=amount(150, 25))
def test_what_one_side_did_is_the_merge(base, side):
    """merge(b, a, a) = a, merge(b, a, b) = a, merge(b, b, a) = a, to the byte."""
    assert merge(base, side, side).text == side
    assert merge(base, side, base).text == side
    assert merge(base, base, side).text == side
    assert merge(None, side, side).text == side


@given(st.one_of(family(), st.tuples(*[st.text(max_size=40)] * 3)))
@settings(max_examples=amount(600, 90))
def test_the_sides_exchanged_give_the_same_bytes(three):
    """Any text merges, and sides are alike."""
    base, ours, theirs = three
    result, mirrored = merge(base, ours, theirs), merge(base, theirs, ours)
    assert result.text == mirrored.text
    assert [(c.base, c.theirs, c.ours) for c in result.conflicts] == [
        (c.base, c.ours, c.theirs) for c in mirrored.conflicts
    ]
    times = {"ours": 1.0, "theirs": 2.0}
    other = {"ours": 2.0, "theirs": 1.0}
    result = merge(base, ours, theirs, lambda name, _: (False, times[name], ""))
    assert result.text == merge(base, theirs, ours, lambda name, _: (False, other[name], "")).text


@given(family())
@settings(max_examples=amount(500, 100))
def test_no_added_line_is_lost_and_no_deleted_line_returns(three):
    """A line new to the base stands in the merge if a side wrote it; one that a side dropped does not."""
    base, ours, theirs = three
    result = merge(base, ours, theirs)
    old, mine, yours, now = (content(text) for text in (base, ours, theirs, result.text))
    for row in (mine | yours).keys() - old.keys():
        assert now[row] >= 1
    disputed = Counter(row for conflict in result.conflicts for row in (conflict.ours, conflict.theirs))
    for row in old.keys() - (mine.keys() & yours.keys()):
        if max(mine[row], yours[row]) <= old[row] and _in_place(base, mine, ours, row, theirs):
            assert not now[row] or disputed[row]


def _in_place(base, mine, ours, row, theirs):
    """Return whether the side that kept the line left it in its place: its order among common lines."""
    winner = ours if mine[row] else theirs
    before = [document.content(r) for r in document.split(base) if not document.is_blank(r)]
    after = [document.content(r) for r in document.split(winner) if not document.is_blank(r)]
    rest = iter(before)
    return len(set(before)) == len(before) and all(r in rest for r in after if r in set(before))


@given(family())
@settings(max_examples=amount(200, 30))
def test_born_on_both_sides(three):
    """Without a base every line of both stands."""
    _, ours, theirs = three
    result = merge(None, ours, theirs)
    assert set(content(result.text)) >= set(content(ours)) | set(content(theirs))


def test_two_notes_of_one_minute_are_two():
    """The heading that goes is that of the note that went."""
    base, ours = "# D\n\n## 14:31\n\n- x\n", "# D\n\n## 14:31\n\n- o\n\n## 14:31\n\n- x\n"
    left = "# D\n\n## 14:31\n\n- o\n"
    assert merge(base, ours, "", lambda *_: (False, 0.0, "")).text == left
    assert merge(base, ours, "# D\n").text == left


CASES = {
    "two bullets at one place are both kept": (
        "# M\n\n- a\n\n## Z\n",
        "# M\n\n- a\n- o\n\n## Z\n",
        "# M\n\n- a\n- t\n\n## Z\n",
        "# M\n\n- a\n- o\n- t\n\n## Z\n",
    ),
    "two sections appended": (
        "# D\n",
        "# D\n\n## 10:00\n- x\n",
        "# D\n\n## 09:00\n- y\n",
        "# D\n\n## 09:00\n- y\n\n## 10:00\n- x\n",
    ),
    "one section born twice is joined by its heading": (
        "# D\n",
        "# D\n\n## Tea\n\n- green\n",
        "# D\n\n## Tea\n\n- black\n",
        "# D\n\n## Tea\n\n- black\n- green\n",
    ),
    "neighbouring changes are no conflict": (
        "- likes tea\n- lives in Rome\n",
        "- likes green tea\n- lives in Rome\n",
        "- likes tea\n- lives in Milan\n",
        "- likes green tea\n- lives in Milan\n",
    ),
    "no final line end glues nothing": ("- a", "- a\n- o", "- a\n- t\n", "- a\n- o\n- t\n"),
    "a converted text keeps its style": ("- a\n- b\n", "- a\r\n- b\r\n", "- a\n- b\n- c\n", "- a\r\n- b\r\n- c\r\n"),
    "no blank line comes into code": (
        "```\na: 1\nb: 2\nc: 3\n```\n",
        "```\na: 1\nc: 3\n```\n",
        "```\na: 1\nb: 2\nc: 4\n```\n",
        "```\na: 1\nc: 4\n```\n",
    ),
    "a line was moved, and not the heading": (
        "## K\n\n- s\n\n## E\n",
        "## K\n\n- s\n- r\n\n## E\n",
        "## K\n\n## E\n\n- s\n",
        "## K\n\n- r\n\n## E\n\n- s\n",
    ),
    "blank lines between two headings do not come below a bullet": (
        "## D\n\n- x\n\n## E\n",
        "## D\n\n- x\n- y\n\n## E\n",
        "## D\n\n\n\n## E\n",
        "## D\n\n- y\n\n## E\n",
    ),
    "paragraphs stay apart": ("", "hello\n", "world\n", "hello\n\nworld\n"),
    "fences stay whole": (
        "# T\n",
        "# T\n\n```\na\n```\n",
        "# T\n\n```\nb\n```\n",
        "# T\n\n```\na\n```\n\n```\nb\n```\n",
    ),
}


@pytest.mark.parametrize(("base", "ours", "theirs", "expected"), CASES.values(), ids=CASES.keys())
def test_cases(base, ours, theirs, expected):
    """The expected results, to the byte."""
    assert merge(base, ours, theirs).text == expected


TABLE = {
    "deleted, reformatted": ("- a\n- tea\n", "- a\n", "* a\n* **tea**  \n", "* a\n", 0),
    "deleted, reworded": ("- a\n- likes tea\n", "- a\n", "- a\n- likes green tea\n", "- a\n- likes green tea\n", 1),
    "reworded, reformatted": (
        "- bed 1 on day 1\n- bed 2 on day 2\n",
        "- bed 1 on day 1\n- bed 2 on day 5\n",
        "* bed 1 on day 1\n* bed 2 on day 2\n",
        "* bed 1 on day 1\n- bed 2 on day 5\n",
        0,
    ),
    "reworded, reworded": ("- likes tea\n", "- likes green tea\n", "- likes black tea\n", "- likes black tea\n", 1),
    "corrected, reworded later": (
        "- likes tea\n",
        "- likes mate (true)\n",
        "- likes teas\n",
        "- likes mate (true)\n",
        1,
    ),
    "corrected, deleted": (
        "- a\n- likes tea\n",
        "- a\n- likes mate (true)\n",
        "- a\n",
        "- a\n- likes mate (true)\n",
        0,
    ),
    "ticked, reworded": ("- [ ] buy tea\n", "* [x] buy tea\n", "- [ ] buy green tea\n", "- [x] buy green tea\n", 0),
    "moved, edited": (
        "# A\n\n- likes tea\n- b\n\n# Z\n\n- z\n",
        "# A\n\n- b\n\n# Z\n\n- z\n- likes tea\n",
        "# A\n\n- likes green tea\n- b\n\n# Z\n\n- z\n",
        "# A\n\n- b\n\n# Z\n\n- z\n- likes green tea\n",
        0,
    ),
    "a section moved, a line added at its end": (
        "# A\n\n- a\n- a2\n- a3\n\n# B\n\n- b\n",
        "# B\n\n- b\n\n# A\n\n- a\n- a2\n- a3\n",
        "# A\n\n- a\n- a2\n- a3\n\n# B\n\n- b\n- c\n",
        "# B\n\n- b\n- c\n\n# A\n\n- a\n- a2\n- a3\n",
        0,
    ),
    "a section deleted, a line of it reworded": (
        "# A\n\n- a\n\n# B\n\n- tea\n- b\n",
        "# A\n\n- a\n",
        "# A\n\n- a\n\n# B\n\n- teas\n- b\n",
        "# A\n\n- a\n\n# B\n\n- teas\n",
        1,
    ),
    "a bullet deleted, another one put below it": (
        "- a\n- car\n- b\n",
        "- a\n- b\n",
        "- a\n- car\n  - tyres\n- b\n",
        "- a\n- car\n  - tyres\n- b\n",
        1,
    ),
    "an entry of several lines deleted, one of them reworded": (
        "- a\n- the key is\n  kept by Beat\n  in the drawer\n",
        "- a\n",
        "- a\n- the key is\n  kept by Beat\n  in the desk\n",
        "- a\n- the key is\n  kept by Beat\n  in the desk\n",
        1,
    ),
    "two blocks with a blank line in each": (
        "- a\n\n  one\n- b\n\n  two\n",
        "- a\n\n  one\n- b\n\n  two\n- c\n",
        "- a\n\n  one\n- b\n\n  twos\n",
        "- a\n\n  one\n- b\n\n  twos\n- c\n",
        0,
    ),
    "a paragraph wrapped anew, a word of it reworded": (
        "one two three\nfour five six\nseven\n",
        "one two three four five six seven\n",
        "one two three\nfour fife six\nseven\n",
        "one two three\nfour fife six\nseven\n",
        0,
    ),
    "one of two copies deleted, one reworded": ("- tea\n- tea\n", "- tea\n", "- tea\n- teas\n", "- teas\n", 1),
    "one of two copies deleted, that one reworded": (
        "- tea\n- b\n- tea\n",
        "- b\n- tea\n",
        "- teas\n- b\n- tea\n",
        "- teas\n- b\n- tea\n",
        1,
    ),
    "the same added at other places": (
        "## A\n\n- a\n- b\n",
        "## A\n\n- a\n- same\n",
        "## A\n\n- a\n- b\n- same\n",
        "## A\n\n- a\n- same\n",
        0,
    ),
    "a table re-aligned, a cell changed": (
        "| a | b |\n|---|---|\n| 1 | 2 |\n",
        "| a   | b   |\n|-----|-----|\n| 1   | 2   |\n",
        "| a | b |\n|---|---|\n| 1 | 3 |\n",
        "| a   | b   |\n|-----|-----|\n| 1 | 3 |\n",
        0,
    ),
    "one setting made twice": (
        "```yaml\na: 1\n```\n",
        "```yaml\na: 1\nb: 2\n```\n",
        "```yaml\na: 1\nb: 3\n```\n",
        "```yaml\na: 1\nb: 3\n```\n",
        1,
    ),
}


@pytest.mark.parametrize(("base", "ours", "theirs", "expected", "conflicts"), TABLE.values(), ids=TABLE.keys())
def test_the_table(base, ours, theirs, expected, conflicts):
    """The second side is later; `(true)` marks a correction."""
    times = {"ours": 1.0, "theirs": 2.0}
    result = merge(base, ours, theirs, lambda name, line: ("(true)" in line, times[name], ""))
    assert (result.text, len(result.conflicts)) == (expected, conflicts)
    mirrored = merge(base, theirs, ours, lambda name, line: ("(true)" in line, 3.0 - times[name], ""))
    assert (mirrored.text, len(mirrored.conflicts)) == (expected, conflicts)


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "expected"),
    [
        ("- likes tea\n", "- likes green tea\n", "- likes black tea\n", "- likes black tea\n- likes green tea\n"),
        ("- likes tea\n", "- likes green tea\n", "", "- likes green tea\n"),
        (
            "- answer briefly\n",
            "- be terse, always\n",
            "- write long essays on everything\n",
            "- be terse, always\n- write long essays on everything\n",
        ),
        ("- a\n- it is Monday\n- c\n", "- a\n- it is Tuesday\n- c\n", "- a\n- c\n", "- a\n- it is Tuesday\n- c\n"),
    ],
)
def test_without_a_rank_both_lines_stand(base, ours, theirs, expected):
    """One line changed to two things, or changed here and deleted there, is never decided."""
    result = merge(base, ours, theirs)
    assert result.text == expected
    assert len(result.conflicts) == 1


@pytest.mark.parametrize("row", ["\u2028", "\x0b", "\ufeff\u2028"])
def test_a_line_of_odd_white_space_is_a_line(row):
    """It is deleted, however its end was changed meanwhile."""
    assert merge(f"{row}\n", row, "\n").text == "\n"
    assert merge(f"- a\n{row}\n", "- a\n", f"- a\n{row}\n- b\n").text == "- a\n- b\n"


def test_many_lines_merge_fast():
    """Edits at both ends and in the middle of a long file cost milliseconds; bad input is bounded."""
    count = amount(20_000, 4000)
    half = count // 2
    base = [f"- memory {number}" if number % 5 else "" for number in range(count)]
    ours = ["- top", *base[:half], "- middle", *base[half + 1 :]]
    theirs = [*base[:700], *base[701:], "- end"]
    three = ["\n".join(rows) + "\n" for rows in (base, ours, theirs)]
    result = merge(*three).text
    assert result.startswith("- top\n")
    assert result.endswith("- end\n")
    assert result.count("- middle\n") == 1
    repeated = "x\n" * count
    merge(repeated, repeated[: count + 1] + "q\n" + repeated[count + 1 :], repeated[: count + half])


FORMATTED = {
    "decomposed accents": "- Jose\u0301 waters bed_2 on Monday, it's his job. #event\n",
    "a break of HTML": "- José waters bed_2 on Monday, it's his job. #event<br>\n",
    "wrapped lines": "- José waters\n  bed_2 on Monday,\n  it's his job. #event\n",
}


@pytest.mark.parametrize("formatted", FORMATTED.values(), ids=FORMATTED)
def test_new_words_beat_a_new_format(formatted: str) -> None:
    base = "# Garden\n\n- One.\n- José waters bed_2 on Monday, it's his job. #event\n- Three.\n"
    old = base.splitlines(keepends=True)[3]
    ours, theirs = base.replace("Monday", "Friday"), base.replace(old, formatted)
    result = merge(base, ours, theirs)
    assert "Friday" in result.text
    assert "Monday" not in result.text
    assert result.conflicts == ()
