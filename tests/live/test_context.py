"""The part of the memory that the model is shown."""

from openclaw import until

HERON = "The staging server is called heron."
PRINTER = "Room 186 holds the invoice printer of floor 37."
QUESTION = "Which room holds the invoice printer of floor 37?"


def test_the_context_reaches_a_turn_of_the_web_chat_once_and_answers_its_message(connected):
    request = connected.say(QUESTION).request
    assert request.text().count(PRINTER) == 1
    assert PRINTER in connected.recalled(request)


def test_a_message_from_the_command_line_is_answered_by_the_context_and_heard(connected):
    connected.say("How are you?")
    message = "Which room holds the laminator of floor 21? Remember that the spare key lies under the third pot."
    assert "Room 107 holds the laminator of floor 21." in connected.agent(message).request.text()
    until(lambda: any("third pot" in flag for flag in connected.flags()))


def test_the_context_stands_behind_the_conversation(connected):
    connected.say("The first word is walnut.")
    request = connected.say("Which room holds the espresso machine of floor 30?").request
    prompt, line = request.text(), "Room 153 holds the espresso machine of floor 30."
    assert prompt.rindex(line) > prompt.index("The first word is walnut.")
    assert line not in request.text("system")


def test_what_is_said_before_stays_as_it_was(connected):
    """A provider can cache all that is older than the last message: a context is never part of the conversation."""
    before = connected.say("Which room holds the plotter of floor 12?").request
    after = connected.say("Thank you.").request
    assert after.text("system") == before.text("system")
    assert "Room 64 holds the plotter of floor 12." in before.text("user")
    assert "Room 64 holds the plotter of floor 12." not in after.text("user")


def test_the_context_reaches_a_turn_of_a_timer(connected):
    request = connected.timer("By the timer: what is the staging server called?")
    assert HERON in request.text()


def test_a_command_of_openclaws_is_no_question(connected):
    connected.say(QUESTION)
    assert connected.say("/new").requests == []
    prompt = connected.say("Good morning.").request.text()
    assert PRINTER not in prompt
