"""What a reader says becomes operations; what is no operation is told and takes none of the others with it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.agents.protocol import operations
from clawgit.agents.protocol.operations import Answer, Operation


def said(*operations: object, **more: object) -> str:
    return json.dumps({"operations": list(operations), **more})


def test_operations_in_prose_and_fences_are_read() -> None:
    one = {"act": "add", "turns": [3], "text": " The kettle is blue. ", "tag": "knowledge"}
    found = operations.parse(f"Here it is:\n```json\n{said(one, reasons={'4': 'small talk'})}\n```", "memory-miner")
    assert found == Answer((Operation("add", (3,), "The kettle is blue.", "knowledge"),), {4: "small talk"})


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        ("soul", "is no object"),
        ({"act": "soul", "turns": [1]}, "act is one of"),
        ({"act": "add", "turns": [True]}, "whole numbers"),
        ({"act": "add", "turns": {"1": 1}}, "list of numbers"),
        ({"act": "add", "turns": [1], "text": "x" * 3000}, "at most"),
        ({"act": "add", "turns": [1], "tag": "gossip"}, "tag is one of"),
        ({"act": "merge", "turns": [], "entries": [1]}, "list of ids"),
    ],
)
def test_a_broken_operation_is_told_and_the_others_stay(broken: object, told: str) -> None:
    found = operations.parse(said({"act": "retire", "turns": [1], "entries": ["k"]}, broken), "memory-miner")
    assert isinstance(found, Answer)
    assert found.operations == (Operation("retire", (1,), entries=("k",)),)
    assert found.problems[0].startswith("operation 2: ")
    assert told in found.problems[0]


def test_a_single_number_may_stand_in_a_list() -> None:
    """Models write it so, and asking again for that would lose the turns that have another operation, too."""
    rows = [{"act": "add", "turns": [3], "text": "It is blue.", "context": one} for one in (2, [2], [], None, [1, 2])]
    found = operations.parse(said(*rows), "memory-miner")
    assert isinstance(found, Answer)
    assert [one.context for one in found.operations] == [2, 2, None, None]
    assert "whole numbers" in found.problems[0]


@pytest.mark.parametrize("text", ["", "I would rather not.", '{"operations": ', "[]", '{"answer": []}', "null"])
def test_what_is_no_answer_is_told(text: str) -> None:
    assert "no JSON object" in str(operations.parse(text, "memory-miner"))


@given(st.text() | st.recursive(st.none() | st.integers() | st.text(), st.lists).map(json.dumps))
def test_nothing_breaks_the_reader(text: str) -> None:
    assert isinstance(operations.parse(text, "soul-keeper"), str | Answer)
    assert isinstance(operations.parse(f'{{"operations": [{text}]}}', "soul-keeper"), str | Answer)
