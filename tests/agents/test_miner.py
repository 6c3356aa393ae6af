"""The memory miner without a model, on conversations that mark what is asked for."""

import pytest

import clawgit
from clawgit.agents import requested_memories
from clawgit.sessions import chat_store
from clawgit.sessions.envelope import Session
from clawgit.sessions.session_messages import Event
from clawgit.sessions.session_messages import digest as words_digest
from clawgit.text.entry import digest
from clawgit.workspace import memory_lines, run_ledger

from .talk import DAY, NOON, Talk

JOURNAL = "memory/2026-05-04.md"
REST = "decision: The API speaks REST."
PORT = "fact: The relay listens on port 8080."
LINE = "- The relay listens on port 8080. #knowledge"


def test_each_kind_goes_where_it_belongs(talk: Talk) -> None:
    """Covers P1 and A3."""
    talk.say(f"Hello!\n{REST}\n{PORT}")
    talk.say("event: Mia turns 7 on 2026-06-03.\nlesson: Migrations on Fridays go wrong.\nnote: Ana has the key.")
    found = talk.mine()
    for section, line in (
        ("Decisions", "- The API speaks REST. #decision"),
        ("Knowledge", f"{LINE}\n- Ana has the key. #knowledge"),
        ("Skills", "- Migrations on Fridays go wrong. #skill"),
        ("Events", "- Mia turns 7 on 2026-06-03. #event"),
    ):
        assert f"## {section}\n\n{line}\n" in talk.text()
    assert "## Remembered\n\n- 12:00 The relay listens on port 8080.\n" in talk.text(JOURNAL)
    assert "- 12:00 Ana has the key.\n" in talk.text(JOURNAL)
    assert "REST" not in talk.text(JOURNAL)
    assert (found.read, {verdict.state for verdict in found.verdicts}) == (2, {"landed"})
    assert {ran.agent for ran in run_ledger.ledger(talk.workspace.store)} == {"memory-miner"}


def test_a_second_run_adds_nothing(talk: Talk) -> None:
    talk.say(f"{REST}\n{PORT}")
    talk.say("note: Ana has the key.")
    talk.mine()
    before = talk.git("rev-parse", "HEAD:MEMORY.md")
    assert talk.mine().read == 0
    talk.mine(start=0.0)
    assert talk.git("rev-parse", "HEAD:MEMORY.md") == before


def test_what_is_said_again_is_a_mention_and_changes_no_injected_file(talk: Talk) -> None:
    talk.say(PORT)
    talk.mine()
    before = talk.text()
    talk.say("fact: the relay listens on port 8080", at=NOON + 3 * DAY)
    talk.mine()
    assert talk.text() == before
    (row,) = [row for row in talk.workspace.rows().values() if row.hash == digest("The relay listens on port 8080.")]
    assert (len(row.mentions), str(row.first), str(row.last)) == (2, "2026-05-04", "2026-05-07")
    (found,) = [one for one in memory_lines.list_bullets(talk.workspace) if one.id == row.id]
    assert found.mentions == 2


def test_a_secret_is_left_out_and_the_rest_is_kept(talk: Talk) -> None:
    talk.say("Remember the key AKIA" + "Z7Q2X4WNB3RTY5KP for me.")
    talk.say("Remember that the relay listens on port 8080.")
    talk.mine(requested_memories.list_requests)
    assert talk.bullets() == ["- the relay listens on port 8080. #knowledge"]


def test_a_correction_wins_over_whoever_says_otherwise(talk: Talk) -> None:
    said, true = "The relay listens on port 8080.", "The relay listens on port 9090."
    talk.write("CORRECTIONS.md", f"# Corrections\n\n## kkkkkkkkkk\n\n- Said: {said}\n- True: {true}\n")
    for text in (PORT, "fact: The relay listens on port 9090."):
        talk.say(text)
    talk.mine()
    assert talk.bullets() == ["- The relay listens on port 9090. #knowledge"]


def test_what_was_deleted_by_hand_is_learnt_again_only_when_it_is_said_again(talk: Talk) -> None:
    talk.say(PORT)
    talk.say(REST)
    talk.mine()
    talk.write("MEMORY.md", talk.text().replace(f"{LINE}\n", ""))
    talk.mine(start=0.0)
    assert len(talk.bullets()) == 1
    talk.say(PORT, at=NOON + DAY)
    talk.mine()
    assert len(talk.bullets()) == 2


def test_where_identity_is_locked_a_lesson_is_a_memory(talk: Talk) -> None:
    talk.write("CONFIG.md", "```yaml\nlessons_file: TOOLS.md\nsoul_policy: locked\n```\n")
    talk.workspace = talk.opened()
    talk.say(f"lesson: Migrations on Fridays go wrong.\n{PORT}")
    talk.mine()
    assert len(talk.bullets()) == 2


@pytest.mark.parametrize("event", ["a\rb", 'a"b'])
def test_an_event_of_any_name_ends_no_run(talk: Talk, event: str) -> None:
    talk.say(PORT, event=event)
    talk.mine()
    assert len(talk.bullets()) == 1
    assert talk.mine().read == 0


def test_what_the_operator_says_in_a_group_is_learnt_and_what_others_say_there_is_not(talk: Talk) -> None:
    with chat_store.open_chat_store(talk.workspace.store, {}) as store:
        group = store.meet(Session("g1", "main", "agent:main:discord:channel:1", "group", "", NOON))
        turns = (("e1", "operator", PORT), ("e2", "untrusted", REST))
        said = [Event(e, "", 1, NOON, "user", o, t, NOON, digest=words_digest("user", t)) for e, o, t in turns]
        store.take(group, "file", said, "g1", {})
    talk.mine()
    assert "port 8080" in talk.text()
    assert "REST" not in talk.text()


def test_the_python_api_finds_what_was_said_as_evidence(talk: Talk) -> None:
    event = talk.say("The kettle is blue.")
    with clawgit.open(talk.root) as mind:
        mind.add("The kettle is blue.", evidence=(f"session:s1#{event}",))
    assert event in talk.git("log", "-1", "--format=%(trailers:key=Evidence)")


def test_what_an_earlier_version_has_read_stays_read(talk: Talk) -> None:
    event = talk.say(REST)
    sessions = {"main/s1": [event, round(NOON * 1000), 1]}
    saved = {"head": talk.workspace.head, "answered": "", "sessions": sessions}
    talk.workspace.store.save_document("memory-miner", saved)
    assert talk.mine().read == 0
    talk.say(PORT)
    assert talk.mine().read == 1
