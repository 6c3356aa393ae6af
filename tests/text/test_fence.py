"""The yaml block: found, read, and changed in one place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.text.markdown_settings import blocks, parse_settings, with_value
from clawgit.text.yaml_reader import BlockError

BLOCK = """# Config

Words, and `yaml` in them.

```yaml
# -- first --
branch: main  # where every change goes
soul_max_tokens: 800
cron: "02:30"
single: 'it''s'
bare: 12:30
on: off
nothing:
empty:   # a comment
list:
- a  # one
- b
# about the next
indented: # patterns
  - a
  -
flow: [a,
  b]  # two lines
literal: |
  text

long: two
  lines  # here
last: 0.05
```

More words.

```yaml
branch: second
```
"""


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize(
    ("key", "value", "line"),
    [
        ("branch", "agent", "branch: agent  # where every change goes"),
        ("branch", "true", 'branch: "true"  # where every change goes'),
        ("branch", "12:30", 'branch: "12:30"  # where every change goes'),
        ("single", "that's", """single: "that's\""""),
        ("empty", 5, "empty: 5   # a comment"),
        ("flow", ["c"], 'flow: ["c"]  # two lines'),
        ("literal", "short", 'literal: "short"'),
        ("long", "short", "long: short  # here"),
    ],
)
def test_one_value_changes_and_no_other_byte(key: str, value: object, line: str, mark: str, eol: str) -> None:
    text = mark + BLOCK.replace("\n", eol)
    after = with_value(text, key, value)
    rows, new_rows = text.split(eol), after.split(eol)
    index = next(number for number, row in enumerate(new_rows) if row.startswith(f"{key}:"))
    assert new_rows[index] == line
    assert rows[:index] == new_rows[:index]
    left = len(new_rows) - index - 1
    assert rows[len(rows) - left :] == new_rows[index + 1 :]
    assert all(row.startswith("  ") or not row for row in rows[index + 1 : len(rows) - left])  # its own further lines


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_a_list_without_brackets_becomes_one_with_them(eol: str) -> None:
    text = BLOCK.replace("\n", eol)
    flush = with_value(text, "list", ["x"])
    assert flush == text.replace(f"- a  # one{eol}- b{eol}", f'  ["x"]{eol}')
    indented = with_value(text, "indented", [])
    assert indented == text.replace(f"  - a{eol}  -{eol}", f"  []{eol}")
    for after, key, value in ((flush, "list", ["x"]), (indented, "indented", [])):
        assert parse_settings(blocks(after)[0].text)[0][key] == value


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("", '# Config\n\n```yaml\nbranch: "a"\n```\n'),
        ("# Mine\n", '# Mine\n\n```yaml\nbranch: "a"\n```\n'),
        ("# Mine\r\n", '# Mine\r\n\r\n```yaml\r\nbranch: "a"\r\n```\r\n'),
        ("```yaml\nx: 1", '```yaml\nx: 1\nbranch: "a"\n'),
        ("```yaml\n  x: 1\n```\n", '```yaml\n  x: 1\n  branch: "a"\n```\n'),
        ("~~~ YAML\nx: 1\n~~~\nbye", '~~~ YAML\nx: 1\nbranch: "a"\n~~~\nbye'),
    ],
)
def test_what_is_missing_is_added_at_the_end(text: str, after: str) -> None:
    assert with_value(text, "branch", "a", "# Config\n") == after


@pytest.mark.parametrize(
    "yaml",
    [
        "x: &a 5\nbranch: *a",
        "- a",
        "x: 1\nbranch: a\nbranch: b",
        "x: [",
    ],
)
def test_what_a_program_cannot_change_by_itself_is_left_to_a_person(yaml: str) -> None:
    with pytest.raises(BlockError):
        with_value(f"```yaml\n{yaml}\n```\n", "branch", "z")


def test_times_and_switches_are_text() -> None:
    block = "cron: 12:30\non: off\nyes: no\nn: 1_000\nday: 2026-01-20\n"
    assert parse_settings(block) == (
        {"cron": "12:30", "on": "off", "yes": "no", "n": 1000, "day": "2026-01-20"},
        {"cron": 1, "on": 2, "yes": 3, "n": 4, "day": 5},
    )


@pytest.mark.parametrize(
    ("yaml", "line", "words"),
    [
        ("a: 1\nb: 2\na: 3", 3, "a is set twice"),
        ("a:\n\t- b", 2, "found character that cannot start any token"),
    ],
)
def test_a_broken_block_is_named_by_its_line(yaml: str, line: int, words: str) -> None:
    with pytest.raises(BlockError, match=words) as caught:
        parse_settings(yaml)
    assert caught.value.line in (line, line + 1)


SCALAR = st.one_of(
    st.integers(0, 10**6),
    st.floats(0, 1),
    st.text(st.characters(blacklist_categories=("Cs", "Cc", "Cn")), max_size=12),
    st.lists(st.text("ab'\"\\ #:-", max_size=5), max_size=3),
)


@given(st.sampled_from(["branch", "single", "cron", "list", "literal", "flow", "nothing", "fresh"]), SCALAR)
def test_whatever_is_set_is_read_back_and_nothing_else_changes(key: str, value: object) -> None:
    before = parse_settings(blocks(BLOCK)[0].text)[0]
    try:
        after = with_value(BLOCK, key, value)
    except BlockError:
        return
    assert parse_settings(blocks(after)[0].text)[0] == before | {key: value}


@given(st.text("ab:-[]{}&*!|>'\"#%@`, \n\t?0", max_size=40))
def test_any_block_is_values_or_a_sentence(yaml: str) -> None:
    try:
        parse_settings(yaml)
        with_value(f"```yaml\n{yaml}\n```\n", "branch", "z")
    except BlockError:
        pass
