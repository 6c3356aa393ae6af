"""The description of a file before its text."""

import pytest

from clawgit.text.yaml_reader import read_front_matter


@pytest.mark.parametrize(
    ("block", "line"),
    [
        (": [\n", 2),
        ("a: 1\na: 2\n", 3),
        ("a: 1\nb: &x 2\n", 3),
        (f"a: {'[' * 99}\n", 2),
        ("a: 1\n" * 20_000, 1),
    ],
)
def test_what_is_refused_is_text_and_says_why(block, line):
    front_matter = read_front_matter(f"---\n{block}---\n")
    assert (front_matter.values, front_matter.lines) == ({}, 0)
    assert front_matter.error is not None
    assert front_matter.error.line == line
