"""A digest is Markdown of 80 columns, whatever is in it."""

from datetime import timedelta
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from clawgit.digest.digest_document import MOST, document, render
from clawgit.digest.digest_text import COLUMNS, COST, TITLES, Digest, Item, Part, width, wrapped
from tests.amounts import amount

from .space import START

words = st.text(st.characters(exclude_categories=["C", "Z"]) | st.just(" "), min_size=1)
item = st.builds(Item, words, st.lists(words, max_size=3).map(tuple), st.sampled_from(["", "clawgit undo kkkkkkkkkk"]))
parts = st.lists(
    st.builds(
        Part,
        st.sampled_from([*TITLES]),
        st.lists(item, max_size=MOST + 3).map(tuple),
        st.integers(0, 3),
        st.just("clawgit log"),
    ),
    unique_by=lambda part: part.name,
)


def made(some: list[Part]) -> Digest:
    return Digest("ws", START, START + timedelta(days=1), None, tuple(some))


@settings(max_examples=amount(40, 16))
@given(parts)
def test_no_line_is_wider_than_eighty_columns(some: list[Part]) -> None:
    rows = render(made(some)).splitlines()
    assert all(width(row) <= COLUMNS for row in rows)


@settings(max_examples=amount(40, 16))
@given(parts)
def test_every_part_that_holds_something_has_a_heading_and_a_count(some: list[Part]) -> None:
    found = made(some)
    told = render(found)
    full = [part for part in some if part.items or part.unquoted]
    assert told.count("\n## ") == len(full)
    assert all(f"## {TITLES[part.name]}\n" in told for part in full)
    assert ("Nothing happened that you should know of." in told) is found.empty
    assert found.empty is not any(part.name != COST for part in full)
    assert document(found)["text"] == told


@given(words, st.sampled_from(["", "- ", "  "]))
def test_breaking_loses_no_letter(text: str, indent: str) -> None:
    rows = list(wrapped(text, indent, indent))
    assert "".join("".join(row.removeprefix(indent).split()) for row in rows) == "".join(text.split())


def test_many_items_are_counted_with_the_command_that_shows_them() -> None:
    some = tuple(Item(f"memory {number}") for number in range(MOST + 7))
    told = render(made([Part("memories", some, look="clawgit memory list")]))
    assert "- and 7 more\n  `clawgit memory list`\n" in told
    assert f"New memories: {MOST + 7}." in told


def test_a_command_is_never_broken() -> None:
    command = f"clawgit restore 'memory/{'x' * 90}.md' --as-of 0123456789"
    assert f"\n  `{command}`\n" in render(made([Part("removals", (Item("one", (), command),))]))


def test_the_document_shows_every_heading_as_it_is_rendered() -> None:
    text = (Path(__file__).resolve().parents[2] / "docs/digest.md").read_text("utf-8")
    example = text.partition("```text\n")[2].partition("```\n")[0]
    headings = [row.removeprefix("## ") for row in example.splitlines() if row.startswith("## ")]
    assert headings == [title for title in TITLES.values() if title != TITLES["conflicts"]]
    assert all(f"| {title} |" in text for title in TITLES.values())
    assert all(width(row) <= COLUMNS for row in example.splitlines())
