"""A clawgit that is broken holds up no turn."""

import pytest
from openclaw import until

HERON = "The staging server is called heron."
QUESTION = "What is the staging server called?"


@pytest.mark.parametrize("fault", ["hangs", "dies", "floods"])
def test_a_clawgit_that_is_broken_holds_up_no_turn_and_is_well_again(connected, fault, request):
    if fault != "hangs":
        request.getfixturevalue("older_version")
    connected.breaks(fault)
    reply = connected.say(QUESTION)
    assert reply.text == "Noted."
    assert HERON not in reply.request.text("user")
    assert connected.say("/clawgit undo --help").text.startswith("/clawgit status")
    connected.breaks("well")
    until(lambda: HERON in connected.say(QUESTION).request.text("user"))
