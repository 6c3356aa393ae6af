"""Conversations that end, or shrink: nothing said is lost."""


def kept(openclaw) -> str:
    """The conversation of the web chat as clawgit keeps it; nobody has it import one."""
    (name,) = [
        line.split()[0] for line in openclaw.clawgit("session", "list").splitlines() if "agent:main:main" in line
    ]
    return openclaw.clawgit("session", "show", name)


def test_what_was_said_before_new_and_reset_is_kept(connected):
    for command, word in (("/new", "walnut"), ("/reset", "hazelnut")):
        connected.say(f"The word of the day is {word}.")
        assert connected.say(command).requests == []
        assert f"The word of the day is {word}." in kept(connected)
        request = connected.say("What was the word of the day?").request
        assert command not in kept(connected)
        assert "Session Key" not in request.text("user")


def test_what_is_compacted_is_kept_whole_and_the_next_turn_has_its_context(connected):
    connected.say("/new")
    connected.say("The harbour master is called Ines.")
    for number in range(3):
        connected.say(f"Message {number} about the weather.")
    assert "Compaction finished" in connected.say("/compact").text
    assert "The harbour master is called Ines." in kept(connected)
    request = connected.say("What is the staging server called?").request
    assert "was compacted" in request.text("user")
    assert "The staging server is called heron." in request.text("user")
