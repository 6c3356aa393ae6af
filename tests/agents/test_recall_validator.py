"""The recall validator, on conversations."""

from msgspec.structs import replace

from clawgit.agents import reading_run
from clawgit.agents.reading_landing import Outcome
from clawgit.agents.recall_validator import Looked, look
from clawgit.agents.running import View
from clawgit.memory.corrected_values import Told, Turn
from clawgit.memory.restated_values import REASON
from clawgit.messages.triage import BUILT_IN, triage
from clawgit.reading.backlog import make_message
from clawgit.sessions import chat_store
from clawgit.text.correction import corrections
from clawgit.workspace import memory

from .talk import NOON, Talk

SAID = "No, I said Tuesday."
BEFORE = (Turn("agent", "The kickoff is on Monday, as you said."),)


def stored(talk: Talk, text: str = "The kickoff is on Monday.") -> str:
    added = memory.add(talk.workspace, text, tag="event")
    talk.workspace.apply(added.change)
    return added.id


def looked(talk: Talk, text: str = SAID, **more: object) -> Looked:
    now = talk.workspace.now().timestamp()
    event = talk.say(text, at=now)
    heard = make_message(text, "operator", now, "s1", event)
    told = Told(heard, triage(text, BUILT_IN), BEFORE)
    return look(View(talk.workspace), replace(told, **more), talk.workspace.now())


def test_one_commit_holds_record_memory_and_evidence(talk: Talk) -> None:
    entry = stored(talk)
    found = looked(talk)
    assert found.change
    applied = talk.workspace.apply(found.change)
    said = talk.git("log", "-1", "--format=%B")
    assert 'Evidence: session:s1#e1 "No, I said Tuesday."' in said
    assert "Evidence: MEMORY.md#L" in said
    assert "Clawgit-Agent: recall-validator" in said
    assert "Origin: operator" in said
    assert set(applied.files) == {"MEMORY.md", "CORRECTIONS.md"}
    (record,) = corrections(talk.text("CORRECTIONS.md"))
    assert (record.id, record.about, record.values) == (found.change.id, entry, ("Monday", "Tuesday"))
    assert record.fields["source"] == 'session:s1#e1 "No, I said Tuesday."'
    row = talk.workspace.rows()[entry]
    assert (row.confidence, row.origin, row.tag, row.by) == (1.0, "operator", "event", record.id)
    assert len(row.mentions) == 2


def test_a_memory_that_says_it_twice_waits(talk: Talk) -> None:
    stored(talk, "The kickoff is on Monday, unless Monday is a holiday.")
    found = looked(talk)
    assert found.change is None
    assert found.item
    assert talk.text("CORRECTIONS.md").count("\n## ") == 0


def test_what_the_agent_alone_got_wrong_is_only_recorded(talk: Talk) -> None:
    stored(talk, "The kickoff is on Tuesday.")
    before = talk.text()
    found = looked(talk)
    assert found.change
    talk.workspace.apply(found.change)
    assert talk.text() == before
    assert corrections(talk.text("CORRECTIONS.md"))[0].values == ("Monday", "Tuesday")


def test_the_miner_does_not_bring_the_wrong_value_back(talk: Talk) -> None:
    stored(talk)
    found = looked(talk)
    assert found.change
    talk.workspace.apply(found.change)
    talk.say("fact: The kickoff is on Monday.", session="s2")
    assert [verdict.state for verdict in talk.mine().verdicts] == ["refused"]
    assert talk.text().count("- The kickoff") == 1


def test_what_was_said_before_the_memory_was_corrects_nothing(talk: Talk) -> None:
    stored(talk)
    event = talk.say(SAID, at=NOON)
    found = looked(talk, heard=make_message(SAID, "operator", NOON, "s1", event))
    assert (found.change, found.skipped) == (None, "said before the memory was")


def validate(talk: Talk) -> Outcome:
    with chat_store.open_chat_store(talk.workspace.store, {}) as store:
        return reading_run.read(talk.workspace, store, "recall-validator", None)


def test_without_a_model_what_may_have_become_untrue_is_asked_about_five_times_a_day(talk: Talk) -> None:
    now = talk.workspace.now().timestamp()
    ids = [stored(talk, f"The {name} lesson costs 45 € an hour.") for name in ("tuba", "viola", "oboe")]
    before = talk.text()
    for number in range(7):
        talk.say(f"The oboe lesson costs {50 + number} € an hour.", at=now - 60 * number)
    validate(talk)
    items = talk.workspace.store.read_items("open")
    assert len(items) == 5
    assert {(item.kind, item.reason) for item in items} == {("correction", REASON)}
    assert all(item.details["choices"][0] == ids[2] for item in items)
    assert talk.text() == before
