"""What waits is told with what to do; what is forgotten is in no batch and in no answer."""

import json

import pytest

from clawgit.agents.protocol import kept_batches, operations
from clawgit.workspace import memory, waiting_batches
from tests.agents.protocol.scripted import Scripted, add, answer, reading, run
from tests.agents.talk import DAY, NOON, Talk

LATE = NOON + 27 * DAY
PORT = "The relay listens on port 8080."


def kinds(talk: Talk, voice: str = "") -> list[tuple[str, str, int]]:
    found = waiting_batches.waiting(talk.workspace.store, talk.workspace.now(), voice)
    return [(one.kind, one.agent, one.n) for one in found]


def handed_out(talk: Talk) -> kept_batches.Kept:
    with reading(talk, None) as found:
        kept = found.next_batch()
    assert kept is not None
    return kept


def answered(talk: Talk) -> None:
    """Leave a batch as a kill does: answered, and nothing of it landed."""
    with reading(talk, Scripted(answer(add(PORT, 1)))) as found:
        _, kept = found.preview()
    assert kept is not None


def kept_text(talk: Talk) -> str:
    """Return all that batches and answers hold, as it is read."""
    return json.dumps([found for _, found in waiting_batches.every(talk.workspace.store)], ensure_ascii=False)


def test_each_kind_of_waiting_is_told_with_a_command(talk: Talk) -> None:
    assert kinds(talk) == []
    talk.say(PORT, at=LATE)
    handed_out(talk)
    assert kinds(talk) == [("out", "memory-miner", 1)]
    (one,) = waiting_batches.waiting(talk.workspace.store, talk.workspace.now())
    assert one.message == "memory-miner: a batch of 1 turn handed out, and not answered yet (since 2026-06-01 06:00)"
    assert one.fix.startswith("clawgit run memory-miner --take-back ")
    assert one.fix.endswith("clawgit run memory-miner --answer FILE --apply")


def test_a_batch_without_an_answer_of_use_and_one_that_was_answered(talk: Talk) -> None:
    talk.say(PORT, at=LATE)
    run(talk, Scripted("no"))
    assert kinds(talk) == [("unanswered", "memory-miner", 1)]
    run(talk, Scripted(answer()))
    assert kinds(talk) == []
    talk.say("The tap drips.", at=LATE + 60)
    answered(talk)
    assert kinds(talk) == [("answered", "memory-miner", 1)]


def test_a_voice_that_is_not_believed_is_named(talk: Talk) -> None:
    said = answer(add("INVENTED", 1), add("INVENTED too", 1))
    for n in range(3):
        talk.say(f"It is {n} o'clock.", at=LATE + n * 60)
        run(talk, Scripted(said, answer(add("INVENTED again", 1))))
    assert kinds(talk, "scripted") == [("poor", "memory-miner", 0)]
    assert kinds(talk, "another") == []


@pytest.mark.parametrize("make", [handed_out, answered])
def test_what_is_forgotten_is_in_no_batch_and_no_answer(talk: Talk, make) -> None:
    talk.workspace.apply(memory.add(talk.workspace, "The relay was bought from Okafor.").change)
    (key,) = (one.id for one in memory.memories(talk.workspace))
    talk.say(PORT, at=LATE)
    talk.say("The relay was bought in Lyon.", at=LATE + 60)
    for forgotten in (
        {"entries": [key]},
        {"holds": ["bought  from OKAFOR"]},
        {"holds": [b"Okafor"]},
        {"sessions": ["s1"]},
    ):
        make(talk)
        assert "Okafor" in kept_text(talk)
        names = waiting_batches.held(talk.workspace.store, **forgotten)
        assert len(names) == 1
        assert waiting_batches.forget(talk.workspace.store, **forgotten) == names
        assert "Okafor" not in kept_text(talk)
        assert talk.workspace.store.read_documents("batch ", object) == {}


def test_what_holds_nothing_of_it_stays_and_what_was_to_be_read_is_read_again(talk: Talk) -> None:
    talk.say(PORT, at=LATE)
    kept = handed_out(talk)
    assert waiting_batches.forget(talk.workspace.store, ["another"], entries=["kkkkkkkkkk"], holds=["Okafor"]) == []
    assert kept_batches.load(talk.workspace.store, kept.batch.id)
    assert waiting_batches.forget(talk.workspace.store, holds=["port 8080"]) == [kept.batch.id]
    assert handed_out(talk).batch.turns == kept.batch.turns


def test_the_words_of_an_answer_count_as_well(talk: Talk) -> None:
    talk.say(PORT, at=LATE)
    with reading(talk, Scripted(answer())) as found:
        kept = found.next_batch()
        assert kept is not None
        found.decide(kept, operations.Answer((operations.Operation("add", (1,), "INVENTED by Okafor", "knowledge"),)))
    assert len(waiting_batches.held(talk.workspace.store, holds=["invented by"])) == 1


def test_the_instructions_are_nobodys_words(talk: Talk) -> None:
    talk.say(PORT, at=LATE)
    kept = handed_out(talk)
    assert waiting_batches.held(talk.workspace.store, holds=[kept.batch.instructions[:60]]) == []
