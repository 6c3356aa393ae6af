"""The memory miner without a model, on conversations that mark what is asked for."""

import pytest

from clawgit.agents import requested_memories
from clawgit.sessions import chat_store_choice
from clawgit.sessions.envelope import Session
from clawgit.sessions.session_messages import Event
from clawgit.sessions.session_messages import digest as words_digest
from clawgit.text.entry import digest
from clawgit.workspace import memory, run_ledger, undo

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


def test_a_preview_writes_nothing_and_shows_what_would_be_written(talk: Talk) -> None:
    talk.say(PORT)
    before = talk.git("rev-parse", "HEAD")
    (verdict,) = talk.preview().verdicts
    assert (verdict.state, verdict.operation.text) == ("landed", "The relay listens on port 8080.")
    assert talk.git("rev-parse", "HEAD") == before
    assert talk.git("status", "--porcelain") == ""
    assert talk.mine().read == 1


def test_every_memory_cites_the_words_that_it_comes_from(talk: Talk) -> None:
    event = talk.say(f"By the way.\n{PORT}", session="5b0f")
    talk.mine()
    said = talk.git("log", "-1", "--format=%B")
    assert f"Evidence: session:5b0f#{event}" in said
    assert "The relay listens on port 8080." in said
    assert "Clawgit-Agent: memory-miner" in said
    assert "Origin: operator" in said


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
    (found,) = [one for one in memory.memories(talk.workspace) if one.id == row.id]
    assert found.mentions == 2


@pytest.mark.parametrize("origin", ["agent", "untrusted"])
def test_what_others_say_is_not_learnt(talk: Talk, origin: str) -> None:
    talk.say(PORT, origin=origin)  # type: ignore[arg-type]
    talk.mine()
    assert talk.bullets() == []


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


def test_a_correction_that_is_asked_for_is_left_to_the_validator(talk: Talk) -> None:
    talk.say("Remember: no, it's the blue kettle, not the red one.")
    talk.mine(requested_memories.list_requests)
    assert talk.bullets() == []


def test_what_was_taken_back_is_not_learnt_again_unless_that_is_wanted(talk: Talk) -> None:
    talk.say(PORT)
    talk.mine()
    talk.workspace.apply(undo.undo(talk.workspace))
    assert talk.bullets() == []
    talk.mine(start=0.0)
    assert talk.bullets() == []


def test_what_was_taken_back_for_once_is_learnt_again(talk: Talk) -> None:
    talk.say(PORT)
    talk.mine()
    talk.workspace.apply(undo.undo(talk.workspace, again=True))
    talk.mine(start=0.0)
    assert talk.bullets() == [LINE]


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


def test_lessons_have_a_file_of_their_own_where_the_operator_names_one(talk: Talk) -> None:
    talk.write("CONFIG.md", "```yaml\nlessons_file: TOOLS.md\n```\n")
    talk.workspace = talk.opened()
    talk.say("lesson: Migrations on Fridays go wrong.")
    talk.mine()
    assert talk.text("TOOLS.md").endswith("## Lessons\n\n- Migrations on Fridays go wrong.\n")
    assert talk.bullets() == []
    talk.mine(start=0.0)
    assert talk.text("TOOLS.md").count("Fridays") == 1


def test_where_identity_is_locked_a_lesson_is_a_memory(talk: Talk) -> None:
    talk.write("CONFIG.md", "```yaml\nlessons_file: TOOLS.md\nsoul_policy: locked\n```\n")
    talk.workspace = talk.opened()
    talk.say(f"lesson: Migrations on Fridays go wrong.\n{PORT}")
    talk.mine()
    assert len(talk.bullets()) == 2


def test_a_lesson_that_waits_is_an_item(talk: Talk) -> None:
    talk.write("CONFIG.md", "```yaml\nlessons_file: TOOLS.md\nsoul_policy: review\n```\n")
    talk.workspace = talk.opened()
    talk.say("lesson: Migrations on Fridays go wrong.")
    waiting = [one.proposal for _, one in talk.mine().applied if one.proposal]
    (item,) = talk.workspace.store.read_items("open")
    assert [one.id for one in waiting] == [item.id]
    assert "TOOLS.md" in item.paths


def test_a_detached_head_leaves_everything_as_it_was(talk: Talk) -> None:
    talk.say(PORT)
    talk.git("checkout", "-q", "--detach")
    talk.mine()
    assert talk.git("status", "--porcelain") == ""
    assert talk.bullets() == []


def test_messages_that_are_imported_late_are_read(talk: Talk) -> None:
    talk.say(PORT, at=NOON + 10)
    talk.mine()
    talk.say(REST, at=NOON - DAY)
    talk.mine()
    assert len(talk.bullets()) == 2
    assert talk.mine().read == 0


def test_hidden_characters_of_a_message_stay_out_and_end_no_run(talk: Talk) -> None:
    talk.say(f"fact: The relay\u200b listens on port 8080.\n{REST}")
    talk.mine()
    assert len(talk.bullets()) in (1, 2)
    assert "\u200b" not in talk.text()


def test_a_session_that_two_agents_have_is_learnt_from_and_not_cited(talk: Talk) -> None:
    talk.say(PORT, session="s7")
    with chat_store_choice.opened(talk.workspace.store, {}) as store:
        store.meet(Session("s7", "work", "agent:work:s7", "direct", "", NOON))
        said = Event("e1", "", 1, NOON, "user", "operator", REST, NOON, digest=words_digest("user", REST))
        store.take(Session("s7", "work", "agent:work:s7", "direct", "", NOON), "file", [said], "work", {})
    talk.mine()
    assert len(talk.bullets()) == 2
    assert "Evidence" not in talk.git("log", "-1", "--format=%B")


@pytest.mark.parametrize("event", ["a\rb", "a b", 'a"b', "a#b", "a\u2028b", "日記-1", "~ff"])
def test_an_event_of_any_name_ends_no_run(talk: Talk, event: str) -> None:
    talk.say(PORT, event=event)
    talk.mine()
    assert len(talk.bullets()) == 1
    assert talk.mine().read == 0


def test_what_the_operator_says_in_a_group_is_learnt_and_what_others_say_there_is_not(talk: Talk) -> None:
    with chat_store_choice.opened(talk.workspace.store, {}) as store:
        group = store.meet(Session("g1", "main", "agent:main:discord:channel:1", "group", "", NOON))
        turns = (("e1", "operator", PORT), ("e2", "untrusted", REST))
        said = [Event(e, "", 1, NOON, "user", o, t, NOON, digest=words_digest("user", t)) for e, o, t in turns]
        store.take(group, "file", said, "g1", {})
    talk.mine()
    assert "port 8080" in talk.text()
    assert "REST" not in talk.text()


def test_a_note_is_one_line_whatever_the_clock_says(talk: Talk) -> None:
    talk.say("note: Ana has the key.", at=NOON)
    talk.mine()
    talk.say("note: Ana has the key.", session="s2", at=NOON + 90)
    talk.mine(start=0.0)
    assert talk.text(JOURNAL).count("Ana has the key.") == 1


def test_what_was_moved_to_another_file_is_known_there(talk: Talk) -> None:
    talk.say(PORT)
    talk.mine()
    talk.write("MEMORY.md", talk.text().replace(f"{LINE}\n", ""))
    talk.write("memory/relay.md", f"# Relay\n\n{LINE}\n")
    talk.say(PORT, at=NOON + DAY)
    talk.mine()
    assert talk.bullets() == []
    assert talk.bullets("memory/relay.md") == [LINE]


def test_what_was_reset_away_is_learnt_again(talk: Talk) -> None:
    talk.say(PORT)
    before = talk.git("rev-parse", "HEAD").strip()
    talk.mine()
    talk.workspace.close()
    talk.git("reset", "--hard", "-q", before)
    talk.mine()
    assert len(talk.bullets()) == 1


def test_an_open_code_block_swallows_nothing(talk: Talk) -> None:
    talk.write("MEMORY.md", "# Memory\n\n```\nleft open\n")
    talk.say(PORT)
    (verdict,) = talk.mine().verdicts
    assert verdict.state == "refused"
    (item,) = talk.workspace.store.read_items("open")
    assert item.details["asked"]


def test_a_mention_that_is_taken_back_counts_no_longer(talk: Talk) -> None:
    talk.say(PORT)
    talk.mine()
    talk.say(PORT, at=NOON + DAY)
    ((change, _),) = talk.mine().applied
    talk.workspace.apply(undo.undo(talk.workspace, change.id))
    (row,) = [row for row in talk.workspace.rows().values() if row.file == "MEMORY.md"]
    assert (len(row.mentions), str(row.last)) == (1, "2026-05-04")
