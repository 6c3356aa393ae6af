"""No explicit request ends without one of three: it is kept, it waits in the inbox, or the operator is told."""

from itertools import product

import pytest

from clawgit.agents import inbox_items, requested_memories
from clawgit.messages.triage import built_in
from clawgit.reading import backlog
from clawgit.reading.turns import Turn
from clawgit.store.item import Item
from clawgit.workspace import memory_lines, unkept_requests
from tests.agents.reading.scripted import Scripted, add, answer, believing, run
from tests.agents.talk import DAY, NOON, Talk
from tests.amounts import amount

LATE = NOON + 27 * DAY
PATTERNS = built_in(("de", "es", "fr", "it", "zh", "ja", "ko"))
ASKED = (
    "Remember that the kettle is blue.",
    "Decision: we ship on Fridays only.",
    "Important: never call Ana before ten.",
    "Don't forget: the spare key is with Tom. Remember that the code of the shelf is 4711.",
    "Remember " + "that the rope is long " * 40 + ".",
)
REPLIES = (
    answer(),
    answer(t1="a joke"),
    answer(add("INVENTED", 1)),
    answer(add("PARTLY true of the kettle, Fridays, Ana, the rope and the key.", 1)),
    answer(add("It is late.", 1)),
    "no",
)


def told(talk: Talk) -> list[str]:
    return [item.title for item in asked(talk)]


def asked(talk: Talk) -> list[Item]:
    """Return the open items for requests that nothing came of."""
    return [item for item in talk.workspace.store.read_items("open") if item.details.get("asked")]


def ended(talk: Talk, text: str) -> bool:
    """Tell whether each request of a text is kept, waits, is told, or is still to be read."""
    turn = Turn(1, "s1", "2026-05-31T12:00:00+00:00", "operator", may_cite=True, text=text)
    files = "\n".join(one.text for one in memory_lines.list_bullets(talk.workspace))
    waits = bool(talk.workspace.store.read_items("open"))
    left = not backlog.load_read(talk.workspace, "memory-miner.voice").spans
    some = [one.text for one in requested_memories.list_operations(turn, PATTERNS)] or [text]
    return left or all(one in files or waits or any(one[:100] in said for said in told(talk)) for one in some)


@pytest.mark.parametrize(("text", "reply"), list(product(ASKED, REPLIES))[:: amount(1, 5)])
def test_with_a_voice_of_any_kind(talk: Talk, text: str, reply: str) -> None:
    talk.say(text, at=LATE)
    run(talk, "memory-miner", Scripted(reply))
    assert ended(talk, text)


def test_what_is_left_out_is_told_with_a_command_that_keeps_it(talk: Talk) -> None:
    talk.say("Remember that the kettle is blue.", at=LATE)
    run(talk, "memory-miner", Scripted(answer(t1="a joke")))
    (item,) = asked(talk)
    assert "2026-05-31" in item.reason
    inbox_items.accept(talk.workspace, item)
    assert "kettle" in talk.text()
    assert told(talk) == []


def test_each_of_two_requests_of_a_message_counts(talk: Talk) -> None:
    talk.say("Remember that the kettle is blue. Remember that the spare key is with Tom.", at=LATE)
    run(talk, "memory-miner", believing(add("The kettle is blue.", 1)))
    assert talk.bullets() == [
        "- The kettle is blue. #knowledge",
        "- the spare key is with Tom. #knowledge",
    ]


def test_it_is_not_told_for_ever_nor_kept_from_being_forgotten(talk: Talk) -> None:
    talk.say("Remember that the kettle is blue.", at=LATE)
    run(talk, "memory-miner", Scripted(answer(t1="a joke")))
    unkept_requests.forget_sessions(talk.workspace.store, (), ["the KETTLE  is blue"])
    assert told(talk) == []
