"""Taking back one change."""

from hypothesis import given, settings
from hypothesis import strategies as st

from clawgit.text.merge import revert
from tests.amounts import amount

ROWS = st.lists(st.one_of(st.sampled_from(["", "- a", "- b", "## H", "para"]), st.text("xy\r", max_size=3)), max_size=8)


@st.composite
def texts(draw):
    return draw(st.sampled_from(["\n", "\r\n"])).join(draw(ROWS)) + draw(st.sampled_from(["", "\n"]))


@given(texts(), texts())
@settings(max_examples=amount(300, 50))
def test_undo_after_apply_is_identity(before, after):
    """With nothing done since, the earlier text comes back to the byte."""
    assert revert(before, after, after).text == before


@given(texts(), texts())
@settings(max_examples=amount(200, 30))
def test_nothing_to_do(before, now):
    """An undone change, and one that changed nothing, leave the text alone."""
    assert revert(before, before, now).text == now


def test_removed_lines_return_to_their_place():
    """A removal is undone between the neighbours that still stand, in the style of the text now."""
    before, after, now = "- a\n- gone\n- c\n", "- a\n- c\n", "# T\r\n- a\r\n- new\r\n- c\r\n"
    undone = revert(before, after, now).text
    assert sorted(undone.split("\r\n")) == sorted(["# T", "- a", "- gone", "- new", "- c", ""])
    assert undone.index("- a") < undone.index("- gone") < undone.index("- c")


def test_a_line_that_stands_twice_is_dropped_near_its_context():
    """The copy between the change's own neighbours is the one that goes."""
    before, after = "# A\n- x\n# B\n- y\n", "# A\n- x\n- dup\n# B\n- y\n"
    now = after + "# C\n- dup\n"
    assert revert(before, after, now).text == "# A\n- x\n# B\n- y\n# C\n- dup\n"


def test_a_bullet_that_came_later_keeps_its_distance_from_the_paragraph():
    """The blank line came with the change that is undone, and the text below still needs it."""
    before = "## Vibe\n\nCalm and plain.\n\n## Next\n"
    first = before.replace("plain.\n", "plain.\n\n- one\n")
    now = first.replace("- one\n", "- one\n- two\n")
    assert revert(before, first, now).text == before.replace("plain.\n", "plain.\n\n- two\n")


def test_a_removed_line_returns_to_its_section_when_every_neighbour_has_gone():
    before, after = "# A\n\n- a\n- gone\n- c\n\n# B\n\n- d\n", "# A\n\n- a\n- c\n\n# B\n\n- d\n"
    rest = "- new\n- newer\n"
    assert revert(before, after, f"# A\n\n{rest}\n# B\n\n- other\n").text == f"# A\n\n{rest}- gone\n\n# B\n\n- other\n"
    assert revert(before, after, "# A\n\n# B\n\n- other\n").text == "# A\n\n- gone\n\n# B\n\n- other\n"
