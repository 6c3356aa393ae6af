"""Whatever stands around an answer, the JSON in it is found; what is broken is never taken for whole."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.llm import json_answer

leaves = st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=20)
trees = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
)
objects = st.dictionaries(st.text(max_size=8), trees, min_size=1, max_size=5)
prose = st.text(alphabet=st.characters(exclude_characters='{}[]"<'), max_size=60)


@given(objects, prose, prose, st.sampled_from(["", "```", "```json", "~~~"]), st.sampled_from([None, 2]))
def test_an_object_is_found_in_whatever_prose_and_fence(value, before, after, fence, indent):
    said = json.dumps(value, ensure_ascii=False, indent=indent)
    text = f"{before}\n{fence}\n{said}\n{fence.rstrip('json')}\n{after}"
    assert json_answer.values(text) == [value]


@given(objects)
def test_commas_before_a_closing_bracket_do_no_harm(value):
    said = json.dumps([value, [1]], indent=1)
    lines = said.split("\n")
    follows = [*(line.strip()[:1] for line in lines[1:]), ""]
    commas = [
        f"{line}," if after in ("}", "]") and line.strip()[-1] not in "{[," else line
        for line, after in zip(lines, follows, strict=True)
    ]
    assert json_answer.values("\n".join(commas)) == [[value, [1]]]


@given(objects, st.data())
def test_an_object_that_is_cut_off_gives_nothing_of_itself(value, data):
    said = json.dumps(value)
    cut = data.draw(st.integers(1, len(said) - 1))
    assert json_answer.values(said[:cut]) == []


@given(st.text(alphabet='{}[]",:\\ \n1a<think>/', max_size=400) | st.text(max_size=400))
def test_no_text_is_too_odd(text):
    assert isinstance(json_answer.values(text), list)
    assert isinstance(json_answer.spoken(text), str)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("no JSON", []),
        ("Set {x} and [see below].", []),
        ('[see {"a": 1}]', [{"a": 1}]),
        ('An example is {"a": ...}. The answer: {"a": 1}', [{"a": 1}]),
        ('First {"a": 1}, then {"a": 1, "b": 2}.', [{"a": 1, "b": 2}, {"a": 1}]),
        ('{"a": "line\nfeed"}', [{"a": "line\nfeed"}]),
        ('{"a": ",]}"}', [{"a": ",]}"}]),
        ('\ufeff{"a": 1}', [{"a": 1}]),
        ('{"outer": nonsense, "inner": {"a": 1}}', []),
        ('<think>{"a": 0}</think>{"a": 1}', [{"a": 1}]),
        ('<think>{"a": 0}', []),
        ('{"n": ' + "9" * 5000 + "}", []),
        ("[" * 5000 + "]" * 5000, []),
    ],
)
def test_by_example(text, found):
    assert json_answer.values(text) == found


@pytest.mark.parametrize(
    "piece", ["{", "[", '"', '\\"', '{"', "[[", '{"a":', ",", ", ", "<think>", "{ ", '[""],', "{}"]
)
def test_no_text_takes_long(piece):
    json_answer.values(piece * (400_000 // len(piece)))
