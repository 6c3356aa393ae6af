"""What a file says of itself before it begins."""

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
    found = read_front_matter(f"---\n{block}---\n")
    assert (found.values, found.lines) == ({}, 0)
    assert found.error is not None
    assert found.error.line == line
