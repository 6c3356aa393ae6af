"""Entries, their names, and how one is written."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawgit.errors import ClawgitError
from clawgit.text.edit import bullet
from clawgit.text.entry import entries, entry_id, is_id, normalise
from tests.amounts import amount

from .ugly import ROW, markdown


def test_what_an_entry_is():
    """Bullets (nested, checkbox), rows and paragraphs under their headings; no fences, quotes, comments."""
    text = (
        "# M\n\n- Chose REST. #decision <!-- importance: 3 -->\n  over GraphQL #decision <!-- trigger: api -->\n"
        "  - [x] tell Ann #event #correction\n\n## T\n| k | v |\n|---|---|\n| a | b |\n\nPara\nline.\n\n```\n"
        "- no\n```\n- [ ] tell Ann\n"
    )
    rows = [(e.kind, e.text, e.tag, e.status, e.section, e.start, e.end, e.ordinal, e.checked) for e in entries(text)]
    first = "Chose REST. #decision <!-- importance: 3 -->\nover GraphQL"
    assert rows == [
        ("bullet", first, "decision", (), ("M",), 3, 4, 1, None),
        ("bullet", "tell Ann", "event", ("correction",), ("M",), 5, 5, 1, True),
        ("row", "a | b", None, (), ("M", "T"), 10, 10, 1, None),
        ("paragraph", "Para\nline.", None, (), ("M", "T"), 12, 13, 1, None),
        ("bullet", "tell Ann", None, (), ("M", "T"), 18, 18, 2, False),
    ]


@given(st.one_of(markdown(), st.text(max_size=60)))
@settings(max_examples=amount(200, 40))
def test_entries_of_anything(text):
    """No input crashes; spans are in order and say something."""
    entries_found = entries(text)
    assert all(earlier.end < b.start for earlier, b in pairwise(entries_found))
    assert all(entry.text.strip() for entry in entries_found)


@given(
    st.one_of(ROW, st.text(max_size=30), st.lists(ROW, max_size=4).map("\n".join)),
    st.sampled_from([None, "event", "skill"]),
)
@settings(max_examples=amount(500, 80))
def test_a_bullet_says_what_it_was_given(text, tag):
    """One bullet with exactly that text and tag, or a refusal with a way out."""
    try:
        line = bullet(text, tag)
    except ClawgitError:
        return
    (entry,) = entries(line + "\n")
    plain = text.replace("\r\n", "\n").strip(" \t\r\n")
    assert (entry.kind, entry.text, entry.tag) == ("bullet", plain, tag)


@pytest.mark.parametrize(
    "text",
    [
        "# x",
        "- x",
        "```",
        "> x",
        "<div>",
        "a\n===",
        "a\n\n- b",
        "中文 #1",
    ],
)
def test_what_markdown_would_misread_is_escaped(text):
    """None of these is refused, and a following bullet stays its own."""
    assert [entry.text for entry in entries(bullet(text) + "\n- next\n")] == [text, "next"]


@pytest.mark.parametrize("text", ["", "  \n", "x #event", "x <!-- c -->"])
def test_the_impossible_is_refused(text):
    """Nothing at all, and text that ends in bytes that are no text."""
    with pytest.raises(ClawgitError):
        bullet(text)


def test_an_unknown_tag_is_refused():
    """The tags are four."""
    with pytest.raises(ClawgitError) as caught:
        bullet("x", "lesson")
    assert caught.value.key == "tag-unknown"
    assert "#lesson" in caught.value.message


def test_normalised_texts_are_equal():
    """Case, width, quotes, spaces, comments and the tag do not count; words do."""
    dressed, plain = "It’s  ＦＩＮＥ <!-- was: x --> today #event", "it's fine\ntoday"  # noqa: RUF001
    assert normalise(dressed) == normalise(plain)
    rule, opposite = "use X", "do not use X"
    assert normalise(rule) != normalise(opposite)


@given(st.text(), st.text(), st.integers(1, 9))
@settings(max_examples=amount(100, 15))
def test_an_id_is_ten_letters(path, text, ordinal):
    """k to z, the same for the same, another for another file."""
    name = entry_id(path, text, ordinal)
    assert is_id(name)
    assert name == entry_id(path, text, ordinal)
    assert name != entry_id(path + "x", text, ordinal)
