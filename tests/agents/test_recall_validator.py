"""The recall validator, on conversations."""

import pytest
from msgspec.structs import replace

from clawgit.agents.messages_to_read import Heard, Told
from clawgit.agents.recall_validator import Looked, look
from clawgit.agents.running import View
from clawgit.memory.corrected_values import Turn
from clawgit.messages.patterns import BUILT_IN
from clawgit.messages.triage import triage
from clawgit.text.correction import corrections
from clawgit.workspace import memory, undo

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
    heard = Heard(text, "operator", now, "s1", event)
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


def test_an_undone_correction_does_not_come_back_by_itself(talk: Talk) -> None:
    stored(talk)
    found = looked(talk)
    assert found.change
    talk.workspace.apply(found.change)
    assert looked(talk).change is None
    talk.workspace.apply(undo.undo(talk.workspace, found.change.id))
    again = looked(talk)
    assert (again.change, again.skipped) == (None, "taken back before")


@pytest.mark.parametrize("origin", ["untrusted", "agent", "unknown"])
def test_nobody_else_corrects(talk: Talk, origin: str) -> None:
    stored(talk)
    heard = Heard(SAID, origin, NOON)  # type: ignore[arg-type]
    assert looked(talk, heard=heard).skipped == "not the operator's"


def test_a_secret_is_no_truth(talk: Talk) -> None:
    stored(talk, "The key is old-key-1.")
    key = "AKIA" + "QWERTYUIOPASDFGH"
    found = looked(talk, f"No, the key is {key}, not old-key-1.")
    assert found.change is None
    assert found.item is None or key not in found.item.title


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
    found = looked(talk, heard=Heard(SAID, "operator", NOON, "s1", event))
    assert (found.change, found.skipped) == (None, "said before the memory was")


def test_what_only_the_journal_says_becomes_a_memory_that_is_right(talk: Talk) -> None:
    path = talk.workspace.journal_path(talk.workspace.now().date())
    talk.write(path, "# Today\n\n## Remembered\n\n- 09:12 Carla prefers calls on Monday.\n")
    before = talk.text(path)
    found = looked(talk, "No, Carla prefers calls on Tuesday, not Monday.")
    assert found.change
    talk.workspace.apply(found.change)
    *kept, note = talk.text(path).splitlines()
    assert kept == before.splitlines()
    assert note.startswith("  - Corrected 2026-06-01: Carla prefers calls on Tuesday.")
    assert "- Carla prefers calls on Tuesday. #knowledge #correction" in talk.bullets()
    row = next(one for one in talk.workspace.rows().values() if one.file == path)
    assert row.status == "superseded"


@pytest.mark.parametrize(
    "turn", [Turn("operator", "The kickoff is on Monday at 10."), Turn("agent", "Your kickoff is on Monday.")]
)
def test_what_no_memory_says_is_asked_and_no_sentence_is_made_of_it(talk: Talk, turn: Turn) -> None:
    before = talk.text()
    found = looked(talk, "no, Tuesday, not Monday", before=(turn,))
    assert found.change is None
    assert found.item
    assert found.item.title == "no, Tuesday, not Monday"
    assert talk.text() == before


def test_copies_of_a_memory_are_corrected_together(talk: Talk) -> None:
    for text in ("The kickoff with Acme is on Monday.", "Kickoff with Acme: Monday", "The retro is on Monday."):
        stored(talk, text)
    found = looked(talk, "No, the kickoff with Acme is on Tuesday, not Monday.", before=())
    assert found.change
    talk.workspace.apply(found.change)
    said = [one[2:].partition(" #")[0] for one in talk.bullets()]
    assert said == ["The kickoff with Acme is on Tuesday.", "Kickoff with Acme: Tuesday", "The retro is on Monday."]
    assert len(corrections(talk.text("CORRECTIONS.md"))) == 1
    talk.workspace.apply(undo.undo(talk.workspace, found.change.id))
    assert [one.count("Monday") for one in talk.bullets()] == [1, 1, 1]


def test_a_correction_of_a_correction_and_of_what_was_archived_holds(talk: Talk) -> None:
    stored(talk)
    for said in ("The kickoff is on Tuesday, not Monday.", "The kickoff is on Wednesday, not Tuesday."):
        found = looked(talk, said, before=())
        assert found.change
        talk.workspace.apply(found.change)
    assert any(one.startswith("- The kickoff is on Wednesday. #event") for one in talk.bullets())
    talk.write("Archive/Corrections/2026-06.md", talk.text("CORRECTIONS.md"))
    talk.write("CORRECTIONS.md", "# Corrections\n")
    talk.write("Archive/2026.md", "# 2026\n\n- The kickoff is on Wednesday. #event\n")
    talk.write("MEMORY.md", "# Memory\n")
    for at, said in enumerate(("The kickoff is on Monday.", "The kickoff is on Tuesday.")):
        talk.say(f"fact: {said}", session=f"s{at + 2}")
    talk.mine()
    assert not any("Monday" in one or "Tuesday" in one for one in talk.bullets())
