"""A batch is one JSON document, and its name is a hash of what it holds."""

import json

from msgspec.structs import replace

from clawgit.agents.protocol import operations
from clawgit.agents.protocol.batch import Batch, Known, Line, Observation, Room, Rule, Turn, load

BATCH = Batch(
    agent="memory-miner",
    instructions="Read.",
    today="2026-11-21",
    timezone="Europe/Berlin",
    turns=(
        Turn(1, "main/a", "2026-11-20T09:00:00+01:00", "operator", True, True, "Remember: the kettle is blue."),
        Turn(2, "main/a", "", "agent", False, False, "Noted."),
    ),
    must=(1,),
    entries=(Known("kpqxtwzmno", "MEMORY.md", "House", "The kettle is red.", "2026-01-02", 2),),
    sections={"House": 1},
    corrections=(Rule("k", "kpqxtwzmno", "red", "blue"),),
    observations=(Observation("2026-11-01", "too long again", "Keep it short."),),
    soul=(Line("SOUL.md", "Voice", 3, "Keep it short."),),
    budget=Room(200, 12000, 4000),
)


def test_a_batch_is_one_document_and_comes_back() -> None:
    document = json.loads(json.dumps(BATCH.document(operations.schema("memory-miner"))))
    assert document["answer"]["required"] == ["operations"]
    assert load(document) == BATCH
    assert load(document).id == document["id"]


def test_its_name_is_what_it_holds() -> None:
    other = replace(BATCH, instructions="Read with care.")
    assert other.id != BATCH.id
    assert other.material == BATCH.material
    assert replace(BATCH, today="2026-11-22").material != BATCH.material


def test_a_turn_is_found_by_its_number() -> None:
    assert BATCH.turn(2) is BATCH.turns[1]
    assert BATCH.turn(0) is BATCH.turn(3) is None
