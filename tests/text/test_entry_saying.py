"""Two lines that say the same have one saying."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.text.entry import read_saying

WORDS = st.text(st.sampled_from("abcdefghäöüßé日本語 "), min_size=4, max_size=40).filter(read_saying)
DRESSES = st.sampled_from(
    ["- {}", "* {}", "  - {}", "1. {}", "12) {}", "- [ ] {}", "- [x] {}", "> {}", "## {}", "| {} |", "**{}**", "{}\r"]
)


@given(WORDS, DRESSES)
def test_a_dress_says_nothing(words, dress):
    assert read_saying(dress.format(words)) == read_saying(words)


@given(st.text(max_size=60))
def test_any_line_has_a_saying_on_one_line(line):
    words = read_saying(line)
    assert words == " ".join(words.split())


@pytest.mark.parametrize(
    "line", ["", "   ", "---", "***", "| --- | --- |", "## 14:30", "# 2026-01-20", "- 09:15 -", "```", "- ok", "- [ ]"]
)
def test_next_to_nothing_is_said_by_rules_times_dates_and_very_short_lines(line):
    assert read_saying(line) == ""


@pytest.mark.parametrize(
    ("line", "other"),
    [
        ("- Uses  REST for the API. #decision", "* uses rest for the api"),
        ("- Likes tea <!-- importance: 3 -->", "likes tea"),
        ("- likes \N{FULLWIDTH LATIN SMALL LETTER T}ea", "Likes tea"),
    ],
)
def test_case_width_spaces_tags_and_comments_do_not_count(line, other):
    assert read_saying(line) == read_saying(other)
