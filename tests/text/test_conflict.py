"""Records of CONFLICTS.md are read, added and closed, also after edits by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.text.conflict import EMPTY_CONFLICTS, Conflict, Side, close_records, conflicts, rendered, unreadable
from clawgit.text.edit import append_block

A = Side("The port is 8080.", "MEMORY.md", "kkkkkkkkkk", "2026-01-02", "operator")
B = Side("The port is 9090.", "memory/2026-03-01.md", "llllllllll", "2026-03-01", "agent")
ONE = Conflict("mmmmmmmmmm", "2026-03-02 07:00", A, B, "other number: 8080 and 9090")
TWO = Conflict("nnnnnnnnnn", "2026-03-03 07:00", B, A, "one says not")
DONE = "2026-03-04 09:00 by operator: B holds"


def write_records(*conflicts_given: Conflict) -> str:
    text = EMPTY_CONFLICTS
    for conflict in conflicts_given:
        text = append_block(text, rendered(conflict))
    return text


words = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=60).filter(
    lambda text: text.split()
)


@given(words, words)
def test_any_words_come_back_on_one_line(text: str, words: str) -> None:
    conflict_given = Conflict("mmmmmmmmmm", "2026-03-02 07:00", Side(text), Side(words), "x")
    (record,) = conflicts(EMPTY_CONFLICTS + rendered(conflict_given))
    assert (record.a.text, record.b.text) == (" ".join(text.split()), " ".join(words.split()))


@pytest.mark.parametrize("text", ["a --> b", "<!-- was 8080 -->", "<b>\\<", "line\nand line", "```", "## x"])
def test_no_words_open_a_comment_a_fence_or_a_section(text: str) -> None:
    whole = write_records(Conflict("mmmmmmmmmm", "2026-03-02 07:00", Side(text), B), TWO)
    first, second = conflicts(whole)
    assert first.a.text == " ".join(text.split())
    assert second == TWO
    assert "\n<!--" not in whole
    assert " <!--" not in whole


def test_closing_changes_its_own_record_and_no_other_byte() -> None:
    text = write_records(ONE, TWO).replace("- Why: other", "- Note: mine\n\nsome prose\n\n- Why: other")
    after = close_records(text, ONE.id, "b", DONE)
    first, second = conflicts(after)
    assert (first.open, first.winners, first.resolved) == (False, ("b",), (DONE,))
    assert second == TWO
    fields = f"- Status: resolved\n- Winner: b\n- Resolved: {DONE}\n"
    assert after.replace(fields, "- Status: open\n") == text


def test_closing_twice_leaves_one_answer() -> None:
    text_closed = close_records(write_records(ONE), ONE.id, "b", DONE)
    assert close_records(text_closed, ONE.id, "b", DONE) == text_closed
    (record,) = conflicts(close_records(text_closed, ONE.id, "a", "later"))
    assert (record.winners, record.resolved) == (("a",), ("later",))


@pytest.mark.parametrize(
    "section",
    [
        "## by hand\n\n- A: x\n- B: y\n",
        "## kkkkkkkkkk\n\n- A: x\n",
    ],
)
def test_a_section_that_is_no_record_is_passed_over_and_named(section: str) -> None:
    text = append_block(write_records(ONE), section) + rendered(TWO)
    assert conflicts(text) == (ONE, TWO)
    assert len(unreadable(text)) == 1


def test_records_by_hand_are_read_in_their_dress() -> None:
    text = "## 2026-01-01 kkkkkkkkkk\n* **A**: tea\n* **B:** coffee\n* Status: Resolved\n* Winner: B\n"
    (record,) = conflicts(text)
    assert (record.found, record.a.text, record.b.text, record.winners) == ("2026-01-01", "tea", "coffee", ("b",))
    assert record.a.path == ""


@given(st.text(max_size=300))
def test_no_text_breaks_the_reader(text: str) -> None:
    conflicts(text)
    unreadable(text)
    assert close_records(text, "kkkkkkkkkk", "a", "x") == text or "kkkkkkkkkk" in text
