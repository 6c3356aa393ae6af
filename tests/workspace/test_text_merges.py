"""One of two versions: of a sidecar by id, of anything else by line, and forward whatever happens."""

import pytest

from clawgit.workspace import entries
from clawgit.workspace.entries import Row, parse, render
from clawgit.workspace.text_merges import merge_forward, merge_text


def rows(**mentions):
    return render(
        {key * 10: Row(key * 10, "MEMORY.md", "h", mentions=frozenset(said)) for key, said in mentions.items()}
    )


def test_a_sidecar_is_merged_by_id():
    """Two mentions of one entry are two, where lines would be in conflict."""
    base, ours, theirs = rows(k="a"), rows(k="ab", l="x"), rows(k="ac", z="y")
    for first, second in ((ours, theirs), (theirs, ours)):
        assert merge_text(entries.PATH, base, first, second).text == rows(k="abc", l="x", z="y")
        merged = merge_forward(entries.PATH, base.encode(), first.encode(), second.encode())
        assert parse(merged.decode()) == parse(rows(k="abc", l="x", z="y"))
    assert merge_text("MEMORY.md", base, ours, theirs).conflicts


def test_anything_else_is_merged_by_line():
    assert merge_text("MEMORY.md", "- a\n- b\n", "- a\n- b\n- c\n", "- b\n").text == "- b\n- c\n"


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "found"),
    [
        (b"a\n", None, b"a\nb\n", b"a\nb\n"),
        (b"a\n", b"a\nb\n", None, b"a\nb\n"),
        (b"a\n", None, None, None),
        (None, b"a\n", b"a\n", b"a\n"),
        (b"a\n", b"\xff\n", b"b\n", b"b\n"),
        (b"a\n", b"b\n", b"\xff\n", b"\xff\n"),
    ],
)
def test_forward_there_is_always_an_answer(base, ours, theirs, found):
    assert merge_forward("MEMORY.md", base, ours, theirs) == found


def test_of_a_conflict_both_sides_stay():
    found = merge_forward("SOUL.md", b"- Calm and plain.\n", b"- Calm and quick.\n", b"- Calm and quiet.\n")
    assert sorted(found.splitlines()) == [b"- Calm and quick.", b"- Calm and quiet."]
