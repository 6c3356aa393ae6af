"""Every line with content belongs to exactly one item."""

import pytest
from hypothesis import given

from clawgit.text import document
from clawgit.text.entry import entries, split_tags
from clawgit.text.stale_write.item import sheet, wording
from clawgit.text.stale_write.item_merge import count_items
from tests.workspace.pasts import Author, Random, everything, flat, past, render

from .ugly import markdown

TEXT = """---
a: b
---
Title
=====
para
2. goes on

- a *x*
  more
  - [x] b
    ```py
    - no
    ```

  second
1. one

| a | b |
|---|:-:|
| 1 | 2 |
> quote
<!-- x
-->
~~~
# code
~~~
---
"""


@given(markdown())
def test_no_line_is_lost_and_none_belongs_to_two(text):
    found = sheet(text)
    covered = [row for item in found.items for row in range(item.start, item.end)]
    assert covered == sorted(set(covered))
    rest = [row for at, row in enumerate(found.rows) if at not in set(covered)]
    assert all(document.is_blank(row.removeprefix("\ufeff")) for row in rest)
    assert "".join(found.rows) == text


@given(markdown())
def test_a_parent_comes_first(text):
    items = sheet(text).items
    assert all(item.parent < at and item.section < at for at, item in enumerate(items))


def test_items_are_of_the_kinds_that_markdown_has():
    found = sheet(TEXT)
    kinds = "front heading text bullet bullet text bullet head row text comment fence rule"
    assert [item.kind for item in found.items] == kinds.split()
    assert [item.key for item in found.items[1:6]] == [
        "Title",
        "para 2. goes on",
        "a x more",
        "b ```py - no ```",
        "second",
    ]
    assert [item.parent for item in found.items[1:9]] == [-1, 1, 1, 3, 3, 1, 1, 7]
    assert found.items[4].checked is True


@pytest.mark.parametrize("seed", range(5))
def test_it_sees_the_entries_that_the_parser_sees(seed):
    for text in past(seed).files[::5]:
        bullets = [wording(one.text) for one in entries(text) if one.kind == "bullet"]
        assert [split_tags(item.key)[0] for item in sheet(text).items if item.kind == "bullet"] == bullets


@pytest.mark.parametrize("seed", range(20))
def test_a_text_has_the_same_gist_in_any_style(seed):
    """Of tables the padding, of bullets the marks, of headings the lines under them: nothing of it is said."""
    author = Author(Random(seed))
    text = author.first()
    plain, other = count_items(render(text)), count_items(render(text, author.style()))
    assert other.counts == plain.counts
    assert other.boxes == plain.boxes
    assert {flat(line.words) for line in everything(text)} <= {flat(key) for key in plain.counts} | {
        flat(key.removeprefix("```sh")) for key in plain.counts
    }
