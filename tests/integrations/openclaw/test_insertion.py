"""A section of JSON5 text is written anew, and every other byte stays."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.integrations.openclaw.openclaw_config import ShapeError, rewrite_sections
from clawgit.workspace.host import openclaw_files as host_json

VALUE = {"command": "/x y/clawgit", "args": ["-C", "/home/ä 'b", "mcp"]}

blank = st.sampled_from(["", " ", "\n", "\r\n", "\t", "\n  ", " // a } comment\n", "/* { a, */", "\n\n    ", "\ufeff"])
names = st.sampled_from(["mcp", "servers", "hooks", "internal", "a", "b-c", "ключ", "$d", "e f", "_"])
texts = st.text(st.characters(codec="utf-8", exclude_characters="\u2028\u2029"), max_size=8)


def quote(text, mark):
    body = json.dumps(text, ensure_ascii=False)[1:-1]
    if mark == "'":
        body = body.replace("'", "\\'").replace('\\"', '"')
    return mark + body + mark


scalars = st.one_of(
    st.sampled_from(["1", "-2.5e3", "true", "null", '"// no comment"', "'}'", '"a\\"b"', '"${HOME}"']),
    st.builds(quote, texts, st.sampled_from("\"'")),
)


@st.composite
def keyed(draw):
    name = draw(names)
    bare = name.replace("_", "a").replace("$", "a").isalnum()
    return draw(st.sampled_from([name, quote(name, "'"), quote(name, '"')] if bare else [quote(name, '"')]))


def lists(values, brackets):
    @st.composite
    def drawn(draw):
        found = draw(st.lists(values, max_size=3))
        text = brackets[0] + draw(blank)
        for at, value in enumerate(found):
            last = at == len(found) - 1
            text += value + draw(blank) + ("" if last and draw(st.booleans()) else ",") + draw(blank)
        return text + brackets[1]

    return drawn()


def objects(values):
    pair = st.builds(lambda key, a, b, value: f"{key}{a}:{b}{value}", keyed(), blank, blank, values)
    return lists(pair, "{}")


values = st.recursive(scalars, lambda below: st.one_of(lists(below, "[]"), objects(below)), max_leaves=6)
documents = st.builds(lambda a, one, b: f"{a}{one}{b}", blank, objects(values), blank)


def parsed(text):
    return host_json.parse(text.replace("\ufeff", " "))


@given(documents)
def test_a_section_comes_and_goes_and_everything_else_is_as_it_was(text):
    before = parsed(text)
    wanted = {**before, "mcp": VALUE}
    try:
        after = rewrite_sections(text, wanted)
    except ShapeError as exc:
        assert str(exc).endswith(("twice", "safely"))  # noqa: PT017 - most texts are not refused
        return
    assert parsed(after) == wanted
    assert parsed(rewrite_sections(after, before)) == before


@pytest.mark.parametrize("text", ['{"mcp": 1, "mcp": 2}', "{mcp: 1, 'mcp': 2}"])
def test_where_it_is_not_safe_nothing_is_written(text):
    with pytest.raises(ShapeError):
        rewrite_sections(text, {"mcp": VALUE})
