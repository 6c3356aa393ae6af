"""A clawgit that is broken holds up no turn."""

import pytest
from openclaw import until

HERON = "The staging server is called heron."
QUESTION = "What is the staging server called?"


@pytest.mark.parametrize("how", ["hangs", "dies", "floods"])
def test_a_clawgit_that_is_broken_holds_up_no_turn_and_is_well_again(connected, how, request):
    if how != "hangs":
        request.getfixturevalue("at_length")
    connected.breaks(how)
    reply = connected.say(QUESTION)
    assert reply.text == "Noted."
    assert HERON not in reply.request.text("user")
    assert connected.say("/clawgit undo --help").text.startswith("/clawgit status")
    connected.breaks("well")
    until(lambda: HERON in connected.say(QUESTION).request.text("user"))
