"""An errand that was asked for leaves the memory file when its day is over, and is never lost."""

from datetime import UTC, datetime

import pytest

from clawgit.agents import overdue_errands
from clawgit.messages import message_flags
from clawgit.messages.patterns import BUILT_IN
from clawgit.messages.triage import triage
from clawgit.workspace import memory, undo
from tests.agents.reading.scripted import Scripted, add, answer, believing, run
from tests.agents.talk import DAY, NOON, Talk

LATE = NOON + 27 * DAY
"""31 May 2026, a Sunday, the day before the workspace's clock."""


def later(talk: Talk, day: int, month: int = 6) -> None:
    talk.workspace.clock = lambda: datetime(2026, month, day, 6, tzinfo=UTC)


def tidy(talk: Talk) -> list[str]:
    return [change.subject for change, _ in overdue_errands.apply(talk.workspace, BUILT_IN)]


def test_an_errand_by_the_net_moves_the_day_after_and_keeps_its_row(talk: Talk) -> None:
    text = "Remember that the dentist is on Tuesday at nine."
    talk.say(text, at=LATE)
    message_flags.file(talk.workspace.store, text, triage(text, BUILT_IN), datetime(2026, 5, 31, 12, tzinfo=UTC))
    run(talk, "memory-miner", Scripted(answer()))
    assert talk.bullets() == ["- the dentist is on Tuesday at nine. #event"]
    later(talk, 2)
    assert tidy(talk) == []
    later(talk, 3)
    run(talk, "memory-miner", Scripted(answer()))
    assert talk.bullets() == []
    assert talk.bullets("memory/events.md") == ["- the dentist is on Tuesday at nine. #event"]
    (row,) = (one for one in talk.workspace.rows().values() if one.status == "live")
    assert (row.file, row.origin, len(row.mentions), len(row.sources)) == ("memory/events.md", "operator", 1, 1)
    assert tidy(talk) == []


def test_what_the_operator_typed_moves_and_an_undo_keeps_it(talk: Talk) -> None:
    text = "The lease ends on 3 June."
    talk.workspace.apply(memory.add(talk.workspace, text, tag=memory.kind(talk.workspace, text)).change)
    later(talk, 4)
    assert tidy(talk) == ["memory: moved to memory/events.md: The lease ends on 3 June."]
    talk.workspace.apply(undo.undo(talk.workspace))
    assert talk.bullets() == [f"- {text} #event"]
    assert tidy(talk) == []


def test_a_plan_that_nobody_asked_for_stays_in_its_file(talk: Talk) -> None:
    talk.say("Ana lands on 3 June, by the way.", at=LATE)
    run(talk, "memory-miner", believing(add("Ana lands on 3 June.", 1, tag="event")))
    later(talk, 9)
    assert tidy(talk) == []
    assert talk.bullets() == ["- Ana lands on 3 June. #event"]


@pytest.mark.parametrize(
    "text",
    [
        "Decision: we launch on 3 June.",
        "Remember that the standup is every Tuesday at nine.",
        "Remember that Tom's birthday is on 3 June.",
        "Remember that the kettle is blue.",
    ],
)
def test_what_holds_on_stays(talk: Talk, text: str) -> None:
    talk.say(text, at=LATE)
    tag = "decision" if text.startswith("Decision") else "event"
    run(talk, "memory-miner", believing(add(text, 1, tag=tag)))
    later(talk, 28)
    assert tidy(talk) == []
    assert talk.bullets() == [f"- {text} #{tag}"]


def test_a_day_that_the_voice_names_stands_behind_the_words(talk: Talk) -> None:
    talk.say("Remind me to renew the passport before we fly, so by the twelfth.", at=LATE)
    run(talk, "memory-miner", believing(add("Renew the passport before the flight.", 1, due="2026-06-12")))
    assert talk.bullets() == ["- Renew the passport before the flight (2026-06-12). #event"]


def test_the_end_of_a_longer_time_is_no_day_that_was_named(talk: Talk) -> None:
    talk.say("The nursery tells us at the end of June, remind me to look.", at=LATE)
    run(talk, "memory-miner", believing(add("The nursery answers at the end of June 2026.", 1, due="2026-06-30")))
    assert talk.bullets() == ["- The nursery answers at the end of June 2026 (~2026-06-30). #event"]


def test_a_day_that_was_corrected_counts_and_the_old_value_goes_along(talk: Talk) -> None:
    talk.workspace.apply(memory.add(talk.workspace, "The lease ends on 3 June.", tag="event").change)
    (key,) = (one.id for one in memory.memories(talk.workspace))
    talk.say("No, it's 5 June, not 3 June. The lease ends on 5 June.", at=LATE)
    mended = {"act": "correct", "turns": [1], "entries": [key], "wrong": "3 June", "right": "5 June"}
    mended["claims"] = ["The lease ends on 5 June."]
    run(talk, "memory-miner", believing(mended))
    (line,) = talk.bullets()
    assert line.startswith("- The lease ends on 5 June. #event #correction")
    later(talk, 5)
    assert tidy(talk) == []
    later(talk, 6)
    assert tidy(talk) == ["memory: moved to memory/events.md: The lease ends on 5 June."]
    assert talk.bullets("memory/events.md") == [line]


def test_a_corrected_plan_that_no_memory_held_keeps_its_day(talk: Talk) -> None:
    talk.say("So the lease ends on 3 June.", at=LATE - 60, origin="agent")
    talk.say("No, on 5 June, not on 3 June. The lease ends on the fifth.", at=LATE)
    mended = {"act": "correct", "turns": [2], "wrong": "3 June", "right": "5 June", "text": "The lease ends on 5 June."}
    found = run(talk, "memory-miner", believing({**mended, "due": "2026-06-05"}))
    assert [(one.state, one.why) for one in found.verdicts] == [("landed", "")]
    (line,) = talk.bullets()
    assert line == "- The lease ends on 5 June. #event #correction"


def test_lines_nested_below_a_plan_keep_it_where_it_is(talk: Talk) -> None:
    text = "The lease ends on 3 June."
    talk.workspace.apply(memory.add(talk.workspace, text, tag="event").change)
    talk.write("MEMORY.md", talk.text().rstrip("\n") + "\n  - The keys are with Ana.\n")
    later(talk, 20)
    assert tidy(talk) == []
