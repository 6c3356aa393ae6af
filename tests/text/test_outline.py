"""Sections by their headings."""

import pytest
from hypothesis import given, settings

from clawgit.text.document import find_section, sections
from tests.amounts import amount

from .ugly import markdown

TEXT = "intro\n# A\na\n## **Notes** ##\nn\n### Deep\nd\n\nB\n=\nb\n## Notes\n\n# C#\n```\n# no\n```\n"


def test_extents():
    """A section reaches to the next heading of its level or above; fences hold none."""
    assert [(s.title, s.level, s.line, s.body, s.end, s.path) for s in sections(TEXT)] == [
        ("A", 1, 2, 3, 8, ("A",)),
        ("**Notes**", 2, 4, 5, 8, ("A", "**Notes**")),
        ("Deep", 3, 6, 7, 8, ("A", "**Notes**", "Deep")),
        ("B", 1, 9, 11, 13, ("B",)),
        ("Notes", 2, 12, 13, 13, ("B", "Notes")),
        ("C#", 1, 14, 15, 17, ("C#",)),
    ]
    assert [(s.title, s.line, s.end) for s in sections("# A\n## B\nx\n# C\n")] == [
        ("A", 1, 3),
        ("B", 2, 3),
        ("C", 4, 4),
    ]


@pytest.mark.parametrize("title", ["notes", "## Notes", "NOTES ##", "A > notes", "a  >  Notes", "*Notes*"])
def test_a_title_is_found_however_it_is_written(title):
    """Case, marks, emphasis and spaces do not count; the first of equals is taken."""
    assert find_section(TEXT, title).line == 4


def test_a_title_may_hold_the_sign_itself():
    assert find_section("# A > B\n", "a > b").line == 1


@given(markdown())
@settings(max_examples=amount(150, 60))
def test_any_text_has_an_outline(text):
    """Extents nest and every title is found again."""
    for section in sections(text):
        assert section.line < section.body <= section.end + 1
        if not any(">" in title for title in section.path):  # a heading of that sign alone has no name
            assert find_section(text, " > ".join(section.path)).line <= section.line
