"""Edits that leave every other byte."""

import pytest
from hypothesis import given, settings

from clawgit.errors import ClawgitError
from clawgit.text import document
from clawgit.text.document import sections
from clawgit.text.edit import append_block, append_under, remove_once, replace_once
from clawgit.text.entry import entries
from tests.amounts import amount

from .ugly import markdown


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("## S\n\n- a\n\n## T\n", "## S\n\n- a\n- x\n\n## T\n"),
        ("## S\r\n- a\r\n\r\n### Sub\r\n- b\r\n", "## S\r\n- a\r\n- x\r\n\r\n### Sub\r\n- b\r\n"),
        ("## S", "## S\n\n- x\n"),
        ("## S\nText.\n\n\n## T\n", "## S\nText.\n\nx\n\n\n## T\n"),
        ("## S\n- a\n  - n\n\n  more\n\nText\n", "## S\n- a\n  - n\n\n  more\n- x\n\nText\n"),
    ],
)
def test_append_under(text, expected):
    """The last bullet of the section's own list, before blank lines and subsections; a paragraph after text."""
    assert append_under(text, "s", "- x") == expected


def test_append_under_a_missing_section():
    """Refused with the nearest title, or made at the end."""
    with pytest.raises(ClawgitError) as caught:
        append_under("## People\n", "Peopel", "- x")
    assert "People" in str(caught.value.fix)
    assert append_under("# M\n- a", "New", "- x", create=True) == "# M\n- a\n\n## New\n\n- x\n"
    assert append_under("", "New", "- x", create=True) == "## New\n\n- x\n"


@given(markdown())
@settings(max_examples=amount(200, 30))
def test_an_append_adds_its_line_and_changes_no_other(text):
    """In every section of any text."""
    line = "- brand new memory"
    for section in sections(text)[:2]:
        result = append_under(text, " > ".join(section.path), line)
        now = [document.content(row) for row in document.split(result)]
        rest = iter(now)
        assert all(document.content(row) in rest for row in document.split(text))
        assert line in now or line[2:] in now  # a paragraph among paragraphs


@given(markdown(), markdown())
@settings(max_examples=amount(200, 30))
def test_a_journal_only_grows(text, block):
    """append_block keeps every byte before it and ends the line."""
    result = append_block(text, block)
    assert result.startswith(text)
    assert result.endswith("\n") or not block


def test_replace_once():
    """Exactly once, over soft line ends, within a section if one is named."""
    assert replace_once("a\r\nb\r\nc", "a\nb", "x\ny") == "x\r\ny\r\nc"
    assert replace_once("# A\n- t\n# B\n- t\n", "- t", "- u", "B") == "# A\n- t\n# B\n- u\n"
    with pytest.raises(ClawgitError) as caught:
        replace_once("- t\n\n- t\n", "- t", "x")
    assert caught.value.key == "text-ambiguous"
    assert "1, 3" in caught.value.message
    with pytest.raises(ClawgitError) as caught:
        replace_once("- x\n- likes tea\n", "- like tea", "x")
    assert caught.value.key == "text-not-found"
    assert "line 2" in str(caught.value.fix)
    with pytest.raises(ClawgitError):
        replace_once("a", "", "x")


def test_remove_once():
    """The lines of that one entry, by its text or as they stand."""
    first, second = "- one #event <!-- c -->\n", "- two\n  more\n"
    text = f"# A\n\n{first}{second}- three\n- ones"
    assert remove_once(text, "one") == f"# A\n\n{second}- three\n- ones"
    assert remove_once(text, "two\nmore") == f"# A\n\n{first}- three\n- ones"
    assert remove_once(text, "- three") == f"# A\n\n{first}{second}- ones"
    assert remove_once(text, "- ones").endswith("- three\n")
    with pytest.raises(ClawgitError):
        remove_once("- a\n- a\n", "a")
    with pytest.raises(ClawgitError):
        remove_once("- a\n", "b")


@given(markdown())
@settings(max_examples=amount(100, 20))
def test_a_removed_entry_takes_its_lines_only(text):
    """The rest is the text without those lines."""
    for entry in entries(text)[:3]:
        try:
            result = remove_once(text, entry.text)
        except ClawgitError:
            continue
        rows = text.split("\n")
        assert len(rows) - len(result.split("\n")) in {entry.end - entry.start, entry.end - entry.start + 1}
