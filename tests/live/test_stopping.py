"""A gateway that is told to end at the wrong moment."""

import signal

import pytest
from openclaw import until

HERON = "The staging server is called heron."
QUESTION = "What is the staging server called?"


@pytest.fixture(scope="module")
def connected(anew):
    """An OpenClaw of this story's own: those that share one take as long as all others."""
    anew.connect()
    anew.be_patient()
    anew.keeps("memory/servers.md", f"# Servers\n\n- {HERON}\n")
    anew.start()
    anew.say("Hello.")
    return anew


def test_a_gateway_that_is_told_to_end_in_the_middle_of_a_turn_waits_for_it_and_loses_nothing(connected):
    connected.stop_in_a_turn("Remember that the key of the shed lies under the sixth pot.", signal.SIGTERM, 6)
    # A turn without a gateway: OpenClaw runs it in the process of the command.
    assert HERON in connected.agent(QUESTION, "--local").request.text("user")
    until(lambda: not connected.processes())
    connected.start()
    connected.say("Are you back?")
    connected.clawgit("run", "memory-miner", "--apply")
    assert "under the sixth pot" in connected.clawgit("search", "key of the shed")
