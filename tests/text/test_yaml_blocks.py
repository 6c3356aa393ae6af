"""Settings are found in any pasted form; look-alikes are left alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.text.markdown_settings import blocks, list_stray_keys, parse_settings, with_value
from clawgit.text.yaml_reader import BlockError

KNOWN = frozenset({"branch", "timezone", "soul_max_tokens", "crm_tokens", "heartbeat_custom_patterns"})
SETTING = "soul_max_tokens: 900"
SPEC = f"""# ── Context Assembler ──
crm_tokens: 1000

# ── Soul Keeper ──
{SETTING}

# ── Extension Points ──
heartbeat_custom_patterns: []
"""
MEANT = {
    "bare": SPEC,
    "bare and indented": "".join(f"    {row}" if row.strip() else row for row in SPEC.splitlines(keepends=True)),
    "bare with a mark in front": "\ufeff" + SPEC.partition("\n")[2],
    "bare, of another system": SPEC.replace("\n", "\r\n"),
    "tildes": f"~~~yaml\n{SPEC}~~~\n",
    "attributes": f"```{{.yaml}}\n{SPEC}```\n",
    "never closed": f"```yaml\n{SPEC}",
}


@pytest.mark.parametrize("text", MEANT.values(), ids=MEANT)
def test_what_is_meant_is_read_and_changed_in_its_place(text: str) -> None:
    """Covers P13: the specification's own block, pasted in any way."""
    first = blocks(text, KNOWN)[0]
    values, lines = parse_settings(first.text)
    assert values["soul_max_tokens"] == 900
    assert text.splitlines()[first.line + lines["soul_max_tokens"] - 2].strip() == SETTING
    after = with_value(text, "soul_max_tokens", 950, "", KNOWN)
    assert after == text.replace("900", "950")
    extended = with_value(text, "branch", "main", "", KNOWN)
    assert parse_settings(blocks(extended, KNOWN)[0].text)[0] == {**values, "branch": "main"}
    assert len(blocks(extended, KNOWN)) == len(blocks(text, KNOWN)) == 1
    assert list(list_stray_keys(text, KNOWN)) == []


@pytest.mark.parametrize(
    "text",
    [
        "---\ntitle: Config\nbranch: none of yours\n---\n",
        f"# Config\n\nHow it is kept.\n\n{SPEC}",
        f"# Config\n\n```\n{SPEC}```\n",
        "<!--\nsoul_max_tokens: 900\n-->\n",
        "````md\n```yaml\nsoul_max_tokens: 900\n```\n````\n",
        "host: example.org\nport: 22\n",
    ],
)
def test_what_is_not_meant_is_left_alone(text: str) -> None:
    assert blocks(text, KNOWN) == []


def test_the_first_labelled_fence_counts_and_what_has_no_effect_is_named() -> None:
    text = f"{SPEC}\n```yaml\nsoul_max_tokens: 2\n```\n\nsoul_max_tokens = 3\n\n```yml\nsoul_max_tokens: 4\n```\n"
    blocks_found = blocks(text, KNOWN)
    assert [parse_settings(block.text)[0]["soul_max_tokens"] for block in blocks_found] == [2, 4]
    names = ["crm_tokens", "soul_max_tokens", "heartbeat_custom_patterns", "soul_max_tokens"]
    assert [name for name, _ in list_stray_keys(text, KNOWN)] == names


@pytest.mark.parametrize(
    "row",
    [
        "- soul_max_tokens: 900",
        "soul_max_tokens = 900",
        "Text.\n\nsoul_max_tokens: 900",
    ],
)
def test_what_no_block_holds_is_named(row: str) -> None:
    text = f"# Config\n\n{row}\n"
    assert list(list_stray_keys(text, KNOWN)) == [("soul_max_tokens", text.count("\n"))]


@pytest.mark.parametrize("row", ["timezone: Europe/Berlin", "timezone: 'UTC'", "branch: main"])
def test_a_short_name_counts_where_nothing_else_stands(row: str) -> None:
    assert len(blocks(f"# Config\n\n{row}\n", KNOWN)) == 1
    assert blocks(f"# Config\n\nThe {row}\n", KNOWN) == []
    assert blocks(f"# Config\n\n{row}\nhost: here\n", KNOWN) == []


@given(st.text("soul_max_tokens: 9\n`~-#<>!\ufeff ab", max_size=80))
def test_blocks_lie_where_they_say(text: str) -> None:
    for block in blocks(text, KNOWN):
        assert text[block.start : block.start + len(block.text)] == block.text
        assert text.count("\n", 0, block.start) + 1 == block.line
    list(list_stray_keys(text, KNOWN))
    try:
        after = with_value(text, "soul_max_tokens", 7, "", KNOWN)
    except BlockError:
        return
    assert parse_settings(blocks(after, KNOWN)[0].text)[0]["soul_max_tokens"] == 7
