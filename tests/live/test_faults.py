"""What is broken or killed holds up no turn, and nothing is lost."""

import signal

import pytest
from openclaw import CONTEXT_WAIT, until

HERON = "The staging server is called heron."
QUESTION = "What is the staging server called?"


@pytest.mark.parametrize("how", ["hangs", "dies", "floods"])
def test_a_clawgit_that_is_broken_holds_up_no_turn_and_is_well_again(connected, how):
    connected.breaks(how)
    reply = connected.say(QUESTION)
    assert reply.text == "Noted."
    assert HERON not in reply.request.text("user")
    assert reply.took < CONTEXT_WAIT + 15  # what a busy machine takes without
    assert connected.say("/clawgit undo --help").text.startswith("/clawgit status")
    connected.breaks("well")
    until(lambda: HERON in connected.say(QUESTION).request.text("user"))


def test_a_gateway_that_is_killed_in_the_middle_of_a_turn_loses_nothing(connected):
    """The turn has no answer."""
    connected.stop_in_a_turn("Remember that the key of the barn lies under the third stone.", signal.SIGKILL, 60)
    connected.start()
    connected.say("Are you back?")
    connected.clawgit("run", "memory-miner", "--apply")
    assert "under the third stone" in connected.clawgit("search", "key of the barn")
