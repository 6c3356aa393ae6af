"""A member goes into JSON5 text and out of it, and every other byte stays."""

import json

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from clawgit.integrations.openclaw.json5_edit import ShapeError, outline, put, take
from clawgit.integrations.openclaw.openclaw_config import there, value_at
from clawgit.workspace.host import openclaw_files as host_json

KEYS = ("mcp", "servers", "clawgit-main")
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


def joined(value, keys):
    if not keys:
        return VALUE
    return {**value, keys[0]: joined(value.get(keys[0], {}), keys[1:])}


@given(documents)
def test_what_is_put_in_is_there_and_everything_else_as_it_was(text):
    before = parsed(text)
    try:
        after = put(text, KEYS, VALUE)
    except ShapeError as exc:
        assert is_true(str(exc), before)  # noqa: PT017 - most texts are not refused
        return
    assert parsed(after) == joined(before, KEYS)
    assert parsed(take(after, KEYS)) == joined(before, KEYS) | {"mcp": stripped(joined(before, KEYS)["mcp"])}


def is_true(words, values):
    """Whether a refusal has its reason in what the text says; that a key stands twice no value tells."""
    what, _, keys = words.partition(" at ")
    found = value_at(values, keys.split("."))
    otherwise = there(found) and (what == "says something else" or not isinstance(found, dict))
    return otherwise or words.endswith("twice")


def stripped(mcp):
    return mcp | {"servers": {key: value for key, value in mcp["servers"].items() if key != KEYS[-1]}}


@given(documents, st.sampled_from(["}", "{", ",", ":", "'", "/*", "\\", "]"]), st.integers(0, 200))
def test_broken_text_is_refused_or_read_as_others_read_it(text, mark, at):
    broken = text[: at % (len(text) + 1)] + mark + text[at % (len(text) + 1) :]
    try:
        after = put(broken, ("new",), 1)
    except ShapeError:
        return
    try:
        before = parsed(broken)
    except host_json.JsonError:
        assume(False)  # what cannot be read is never written: it is compared first
    assert parsed(after) == before | {"new": 1}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"mcp": {"$include": "./mcp.json"}}', "includes another file at mcp"),
        ('{"$include": ["a", "b"]}', "includes another file at its top"),
        ('{"mcp": true}', "has no object at mcp"),
        ('{"mcp": {}, mcp: {}}', "has mcp twice"),
        ('{"mcp": {"servers": {"clawgit-main": 1}}}', "says something else at mcp.servers.clawgit-main"),
        ("[]", "has no object at its top"),
        ("", "cannot be read at line 1"),
        ("{\n\n oops}", "cannot be read at line 3"),
        ("[" * 100_000, "is nested too deep"),
    ],
)
def test_where_it_is_not_safe_nothing_is_put(text, words):
    with pytest.raises(ShapeError, match=words):
        put(text, KEYS, VALUE)


def test_a_comment_stays_on_the_line_that_it_belongs_to():
    text = "{\n\ta: 1 // one\n\t// the end\n}\n"
    after = put(text, ("b",), [2])
    assert after == '{\n\ta: 1, // one\n\t"b": [\n\t\t2\n\t]\n\t// the end\n}\n'
    assert take(after, ("b",)) == "{\n\ta: 1 // one\n\t// the end\n}\n"


def test_lines_end_as_the_others_do():
    text = '{\r\n    "a": {},\r\n}\r\n'
    after = put(text, ("a", "b"), 1)
    assert after == '{\r\n    "a": {\r\n        "b": 1\r\n    },\r\n}\r\n'
    assert outline(after).members


def test_one_line_stays_one_line():
    assert put("{ a: 1 }", ("b",), {"c": True}) == '{ a: 1, "b": {"c": true} }'
