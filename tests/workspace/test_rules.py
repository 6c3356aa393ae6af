"""Rules are added at the end, and nothing else changes."""

from hypothesis import given
from hypothesis import strategies as st

from clawgit.workspace.bootstrap import add_rules

RULES = "# kept out\n.env\n\n*.key\n"
TITLE = "# ours"


def test_only_what_is_missing_is_added_below_a_title():
    assert add_rules("*.key\n", RULES, TITLE) == f"*.key\n\n{TITLE}\n.env\n"


def test_a_new_file_begins_with_the_title():
    assert add_rules("", RULES, TITLE) == f"{TITLE}\n.env\n*.key\n"


def test_a_last_line_without_an_end_gets_one():
    assert add_rules("*.log", RULES, TITLE) == f"*.log\n\n{TITLE}\n.env\n*.key\n"


def test_line_ends_are_those_of_the_file():
    assert add_rules("*.log\r\n.env\r\n", RULES, TITLE) == f"*.log\r\n.env\r\n\r\n{TITLE}\r\n*.key\r\n"


@given(st.lists(st.sampled_from(["*.key", ".env ", "# x", "", "a b"])), st.booleans())
def test_what_was_there_stays_and_a_second_time_changes_nothing(rows, closed):
    text = "\n".join(rows) + ("\n" if rows and closed else "")
    once = add_rules(text, RULES, "# ours")
    assert once.startswith(text)
    assert {".env", "*.key"} <= {row.strip() for row in once.splitlines()}
    assert add_rules(once, RULES, "# ours") == once
