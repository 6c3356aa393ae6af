"""What a file says of itself before it begins."""

import pytest

from clawgit.text.front_matter import read_front_matter


@pytest.mark.parametrize(
    ("text", "values", "lines"),
    [
        ("---\ntitle: Acme\nage: 3\n---\n# A\n", {"title": "Acme", "age": 3}, 4),
        ("\ufeff---\r\ntitle: Acme\r\n---\r\n", {"title": "Acme"}, 3),
        ("---  \n# about\n\ntitle: |\n  --- \n---", {"title": "--- \n"}, 6),
        ("# A\n\n---\ntitle: Acme\n---\n", {}, 0),
        ("\n---\ntitle: Acme\n---\n", {}, 0),
        ("----\ntitle: Acme\n----\n---\n", {}, 0),
        ("---\nno: end\n", {}, 0),
        ("---\n---\n", {}, 0),
        ("---\n# A\n\n## B\n---\n", {}, 0),
        ("---\nOnly words.\n---\n", {}, 0),
    ],
)
def test_front_matter_is_a_mapping_and_all_else_is_text(text, values, lines):
    found = read_front_matter(text)
    assert (found.values, found.lines, found.error) == (values, lines, None)


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
