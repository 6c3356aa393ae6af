"""Conversations that end, or shrink: nothing said is lost."""

import json

from openclaw import until


def read_conversation(openclaw) -> str:
    """The conversation of the web chat as clawgit keeps it; nobody has it import one."""
    rows = openclaw.clawgit("session", "list").splitlines()
    names = [row.split()[0] for row in rows if "agent:main:main" in row]
    assert len(names) == 1
    return "".join(openclaw.clawgit("session", "show", name) for name in names)


def test_what_was_said_before_new_and_reset_is_kept(connected):
    for command, word in (("/new", "walnut"), ("/reset", "hazelnut")):
        connected.say(f"The word of the day is {word}.")
        assert connected.say(command).requests == []
        assert f"The word of the day is {word}." in read_conversation(connected)
        request = connected.say("What was the word of the day?").request
        assert command not in read_conversation(connected)
        assert "Session Key" not in request.text("user")


def test_what_is_compacted_is_kept_whole_and_what_was_decided_is_in_the_journal_and_handed_over(connected):
    """OpenClaw's own flush did not run, and no model was asked (spec A6, A9)."""
    decided = "We decided to use PostgreSQL for the new billing project."
    memory = connected.workspace / "memory"
    connected.say("/new")
    connected.say("The harbour master is called Ines.")
    connected.say(decided)
    for number in range(3):
        connected.say(f"Message {number} about the weather.")
    assert "Compaction finished" in connected.say("/compact").text
    assert "The harbour master is called Ines." in read_conversation(connected)
    (journal,) = until(lambda: [path for path in memory.rglob("????-??-??.md") if decided in path.read_text()])
    request = connected.say("What is the staging server called?").request
    assert "was compacted" in request.text("user")
    assert "The staging server is called heron." in request.text("user")
    connected.say("/new")
    (left,) = until(lambda: [path for path in memory.rglob("????-??-??-*.md") if _is_handoff(path, decided)])
    assert journal.read_text().count(decided) == 1
    request = connected.say("Which database does the new billing project use?").request
    assert decided in request.text("user")
    assert connected.clawgit("why", f"{left.relative_to(connected.workspace)}:1")


def test_a_handoff_is_given_once_in_the_first_turn_after_new(connected):
    """OpenClaw keeps the session's id: each of its conversations has one dump and one handoff, of its own words."""
    memory = connected.workspace / "memory"
    decisions = []
    for number, decided in enumerate(("We decided to paint the shed blue.", "We decided to keep two goats.")):
        connected.say("/new")
        connected.say(decided)
        connected.say("/new")
        (place,) = until(
            lambda decision=decided: [path for path in memory.rglob("*.md") if _is_handoff(path, decision)]
        )
        path = place.relative_to(connected.workspace)
        until(lambda path=path: connected.answered("log", path, "--agent", "session-handoff"))
        (_,) = until(
            lambda decision=decided: [path for path in memory.glob("????-??-??-*.md") if decision in path.read_text()]
        )
        assert not any(decision in place.read_text() for decision in decisions)
        decisions.append(decided)
        first, *later = (connected.say(message).request for message in ("Good morning.", "And how are you?", "Good."))
        additions = [connected.recalled(request) for request in (first, *later)]
        assert [decided in text for text in additions] == [True, False, False], number
        assert not any(decision in first.text() for decision in decisions[:-1])
        assert first.text().count(decided) == 1


def _is_handoff(place, decision):
    text = place.read_text()
    return text.startswith("# Conversation of ") and decision in text


def test_what_openclaw_forgets_is_forgotten(connected):
    """The words are gone from kept conversations; memories of them are named, and taint removes them."""
    session, message = "agent:main:direct:forgotten", "Remember that the vault opens at four."
    connected.say(message, session=session)
    until(lambda: message in connected.flags())
    connected.clawgit("session", "import")
    (row,) = [row for row in connected.clawgit("session", "list").splitlines() if session in row]
    name = row.split()[0]
    connected.clawgit("run", "memory-miner", "--apply")
    connected.openclaw("memory", "forget", "--session", name)
    assert name in connected.clawgit("session", "import")
    assert name not in connected.clawgit("session", "list")
    assert message not in connected.flags()
    status = connected.clawgit("status")
    assert f"OpenClaw forgot the session {name}; " in status
    assert f"clawgit taint session:{name}" in status
    document = json.loads(connected.clawgit("taint", f"session:{name}", "--json"))
    assert "vault" in json.dumps(document["leaves"])
    connected.clawgit("taint", f"session:{name}", "--apply", "--hash", document["hash"])
    assert name not in connected.clawgit("status")
    assert "vault" not in connected.clawgit("search", "When does the vault open?")
    assert not [path for path in connected.workspace.rglob("*.md") if "vault" in path.read_text()]
