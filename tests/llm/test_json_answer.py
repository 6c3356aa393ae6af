"""Whatever stands around an answer, the JSON in it is found; what is broken is never taken for whole."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawgit.llm import json_answer
from tests.amounts import amount

leaves = st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=20)
trees = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
)
objects = st.dictionaries(st.text(max_size=8), trees, min_size=1, max_size=5)
prose = st.text(alphabet=st.characters(exclude_characters='{}[]"<'), max_size=60)


@settings(max_examples=amount(100, 15))
@given(objects, prose, prose, st.sampled_from(["", "```", "```json", "~~~"]), st.sampled_from([None, 2]))
def test_an_object_is_found_in_whatever_prose_and_fence(value, before, after, fence, indent):
    said = json.dumps(value, ensure_ascii=False, indent=indent)
    text = f"{before}\n{fence}\n{said}\n{fence.rstrip('json')}\n{after}"
    assert json_answer.values(text) == [value]


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
