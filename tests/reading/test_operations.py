"""An answer is read leniently, and what cannot be read is named."""

import json

import pytest

from clawgit.reading import operations
from clawgit.reading.operations import Answer, Operation

MINER = ("memory-miner",)
ADD = {"act": "add", "turns": [1], "text": "The kettle is blue.", "tag": "knowledge"}


def parse(*rows: object, **more: object) -> Answer | str:
    return operations.parse(json.dumps({"operations": rows, **more}), MINER)


@pytest.mark.parametrize("turns", [["1"], "1", 1, [1.0], [" 1 "]], ids=repr)
def test_numbers_in_other_forms_are_read(turns: object) -> None:
    assert parse({**ADD, "turns": turns}) == Answer((Operation("add", (1,), "The kettle is blue.", "knowledge"),))


def test_one_broken_operation_does_not_lose_nine() -> None:
    answer = parse(*({**ADD, "text": f"Shelf {n}."} for n in range(9)), {"act": "sing"})
    assert isinstance(answer, Answer)
    assert len(answer.operations) == 9
    assert answer.problems == ("operation 10: act is one of add, replace, merge, retire, correct, lesson",)


@pytest.mark.parametrize("said", ["", "I would rather not.", "[]", '{"operations": [{"act"', "\0\0", "{}"])
def test_what_is_no_answer_is_named(said: str) -> None:
    assert operations.parse(said, MINER) == "there is no JSON object with a list of operations in it"
