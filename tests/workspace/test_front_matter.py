"""What a file says of itself before it begins."""

import pytest

from clawgit.workspace import front_matter


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("---\ntitle: Acme\nage: 3\n---\n# A\n", {"title": "Acme", "age": 3}),
        ("# A\n\n---\ntitle: Acme\n---\n", {}),
        ("", {}),
        ("---\n: [\n---\n", None),
        ("---\nno end\n", {}),
    ],
)
def test_what_stands_between_the_lines_is_read(text, said):
    assert front_matter.read(text) == said


def test_a_field_is_one_line():
    assert front_matter.field("---\ntitle: |\n  Two\n  lines\ntags: [a]\n---\n", "title") == "Two lines"
    assert front_matter.field("---\ntags: [a]\n---\n", "tags") == ""
    assert front_matter.field("---\n: [\n---\n", "title") == ""
