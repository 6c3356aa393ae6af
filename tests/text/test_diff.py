"""Hunks with words."""

from hypothesis import given, settings
from hypothesis import strategies as st

from clawgit.text import document
from clawgit.text.diff import Line, Word, diff_words, hunks
from tests.amounts import amount

from .ugly import markdown


@given(markdown(), markdown(), st.integers(0, 3))
@settings(max_examples=amount(300, 40))
def test_a_diff_rebuilds_both_texts(old, new, context):
    """Each hunk's lines are at their place, and outside the hunks both texts agree."""
    before, after = ([document.content(row) for row in document.split(text)] for text in (old, new))
    old_line = new_line = 0
    for hunk in hunks(old, new, context):
        assert hunk.old_start - 1 >= old_line
        assert hunk.old_start - 1 - old_line == hunk.new_start - 1 - new_line
        assert before[old_line : hunk.old_start - 1] == after[new_line : hunk.new_start - 1]
        mine = [line.text for line in hunk.lines if line.op != "+"]
        yours = [line.text for line in hunk.lines if line.op != "-"]
        old_line, new_line = hunk.old_start - 1 + len(mine), hunk.new_start - 1 + len(yours)
        assert before[hunk.old_start - 1 : old_line] == mine
        assert after[hunk.new_start - 1 : new_line] == yours
    assert before[old_line:] == after[new_line:]


@given(st.text(max_size=30), st.text(max_size=30))
def test_words_rebuild_both_lines(old, new):
    """White space included."""
    left, right = diff_words(old, new)
    assert "".join(word.text for word in left) == old
    assert "".join(word.text for word in right) == new
    assert "".join(w.text for w in left if w.op == " ") == "".join(w.text for w in right if w.op == " ")


def test_a_changed_bullet():
    """It is paired, its words are marked, its section named."""
    tea, coffee = "- likes tea a lot", "- likes coffee a lot"
    (hunk,) = hunks(f"# A\n## Likes\n\n{tea}\n", f"# A\n## Likes\n\n{coffee}\n", 0)
    assert (hunk.section, hunk.old_start, hunk.new_start) == ("Likes", 4, 4)
    assert hunk.lines == (
        Line("-", tea, (Word(" ", "- likes "), Word("-", "tea"), Word(" ", " a lot"))),
        Line("+", coffee, (Word(" ", "- likes "), Word("+", "coffee"), Word(" ", " a lot"))),
    )
