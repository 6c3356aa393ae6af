"""Conflict markers are told from headings and quotes."""

import pytest

from clawgit.safety.hidden_text import conflict_markers

CONFLICT = "a\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> topic\nb\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (CONFLICT, 2),
        (CONFLICT.replace("\n", "\r\n"), 2),
        ("<<<<<<<\n=======\n>>>>>>>", 1),
        ("<<<<<<< ours\n||||||| base\nx\n=======\n>>>>>>> theirs\n", 1),
        ("<<<<<<< one\n<<<<<<< two\n=======\n>>>>>>> two", 2),
        ("```\n<<<<<<< a\n```\n=======\n```\n>>>>>>> b\n", 2),
        ("```\nnobody closes this\n<<<<<<< a\n=======\n>>>>>>> b\n", 3),
        ("<<<<<<< a\n```\nx\n=======\ny\n>>>>>>> b\n```\n", 1),
        ("```\n<<<<<<< a\n=======\n>>>>>>> b\n```\n<<<<<<< a\n=======\n>>>>>>> b\n", 6),
    ],
)
def test_a_conflict_is_reported_at_its_first_line(text, line):
    """All three markers in their order, each at the start of a line."""
    assert conflict_markers(text) == line


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Title\n=======\n\ntext\n",
        ">>>>>>> a\n=======\n<<<<<<< b\n",
        "<<<<<<< HEAD\nTitle\n========\n>>>>>>> x\n",
        "".join("    " + x + "\n" for x in CONFLICT.splitlines()),
        "<<<<<<<<<< ten\n=======\n>>>>>>> x",
        "<<<<<<< HEAD\nx\n=======\n",
        ">>>>>>> a mail quoted seven deep\n",
        f"```\n{CONFLICT}```\n",
        f"   ~~~~ text\r\n{CONFLICT}~~~~~\r\n",
        f"```\n~~~\n{CONFLICT}```\n",
    ],
)
def test_what_looks_like_half_a_conflict_is_text(text):
    """Underlined headings, deep quotes, examples and unfinished sets are no conflict."""
    assert conflict_markers(text) is None
