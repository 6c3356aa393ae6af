"""Messages in OpenClaw, and their effect on memory."""

import pytest
from openclaw import until


def test_what_is_to_be_remembered_becomes_a_memory_and_reaches_the_next_turn(connected):
    """Flagged as it is said; the memory miner makes a memory of it, without a model."""
    message = "Remember that Bob prefers calls on Thursday."
    connected.say(message)
    until(lambda: message in connected.flags())
    connected.clawgit("run", "memory-miner", "--apply")
    assert "Bob prefers calls on Thursday" in connected.clawgit("search", "Bob calls")
    connected.say("/new")
    prompt = connected.say("On which day does Bob prefer calls?").request.text()  # by the prompt's files, or by clawgit
    assert "Bob prefers calls on Thursday" in prompt.replace(message, "")


def test_a_correction_reaches_its_own_turn_or_the_next(connected):
    """Not both: no line is given twice in ten turns."""
    connected.clawgit("memory", "add", "The print server is called otter.", "--tag", "knowledge")
    corrects = connected.say("No, the print server is called marten, not otter.").request
    until(lambda: "marten" in connected.clawgit("log"))
    asks = connected.say("What is the print server called?").request
    text = "\n".join(map(connected.recalled, (corrects, asks)))
    assert "The print server is called marten. (not: otter)" in text
    assert "- The print server is called otter." not in text


def test_a_timers_words_are_not_heard_and_what_its_turn_keeps_waits_for_the_operator(connected):
    text = "Remember that the gate is open."
    call = {"name": "clawgit_remember", "arguments": {"text": "The gate is open.", "tag": "knowledge"}}
    connected.model.answers({"when": text, "calls": [call]}, {"text": "Done."})
    connected.timer(text)
    is_answered = lambda request: "waits for the operator" in request.text("tool")  # noqa: E731
    waits = until(lambda: next(filter(is_answered, connected.requests()), None)).text("tool")
    connected.say("Thank you.")
    assert not any("gate" in flag for flag in connected.flags())
    assert "gate is" not in connected.clawgit("memory", "list")
    name = waits.split("clawgit show ")[1][:10]
    assert "Asked for in a turn of a timer, session " in connected.clawgit("show", name)


@pytest.mark.usefixtures("older_version")
def test_a_correction_of_what_was_just_said_is_kept(connected):
    connected.say("Remember that Carla prefers calls on Monday.")
    until(lambda: any("Carla" in flag for flag in connected.flags()))
    connected.say("No, I said Tuesday, not Monday.")
    connected.clawgit("session", "import")  # as the schedule does every few minutes
    for agent in ("memory-miner", "recall-validator"):
        connected.clawgit("run", agent, "--apply")
    output = connected.clawgit("search", "Carla calls")
    assert "Tuesday" in output
    assert "Carla prefers calls on Monday" not in output
