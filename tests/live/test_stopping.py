"""A gateway that ends in the middle of a turn, and the state until it is back."""

import signal

import pytest
from openclaw import PASSES, until

HERON = "The staging server is called heron."
QUESTION = "What is the staging server called?"


@pytest.fixture(scope="module")
def connected(fresh_openclaw):
    """An OpenClaw of these stories' own, told one after the other: those that share one take as long as all others."""
    fresh_openclaw.connect()
    fresh_openclaw.be_patient()
    fresh_openclaw.keeps("memory/servers.md", f"# Servers\n\n- {HERON}\n")
    fresh_openclaw.start()
    fresh_openclaw.say("Hello.")
    return fresh_openclaw


def try_model(openclaw):
    openclaw.lent()
    openclaw.model.answers({"when": "Before I forget", "text": PASSES, "keep": True})
    assert openclaw.answered("model", "--test")["good"]


def nobody_is_asked(openclaw, fix):
    failed = openclaw.answered("model", "--test", code=1)
    assert failed["fix"] == fix
    assert openclaw.answered("model")["kind"] == "rules"


def test_one_that_is_killed_loses_nothing_and_once_it_is_back_its_model_is_there_again(connected):
    """The turn has no answer."""
    try_model(connected)
    connected.stop_in_a_turn("Remember that the key of the barn lies under the third stone.", signal.SIGKILL, 60)
    nobody_is_asked(connected, "openclaw gateway restart")
    connected.clawgit("run", "memory-miner", "--apply")
    assert "under the third stone" in connected.clawgit("search", "key of the barn")
    connected.start()
    connected.say("Are you back?")
    try_model(connected)


@pytest.mark.usefixtures("older_version")
def test_one_that_is_told_to_end_waits_for_the_turn_and_loses_nothing(connected):
    connected.stop_in_a_turn("Remember that the key of the shed lies under the sixth pot.", signal.SIGTERM, 6)
    assert not connected.lends.exists()
    nobody_is_asked(connected, "clawgit connect && openclaw gateway restart")
    # A turn without a gateway: OpenClaw runs it in the process of the command.
    assert HERON in connected.agent(QUESTION, "--local").request.text("user")
    until(lambda: not connected.processes())
    connected.clawgit("run", "memory-miner", "--apply")
    assert "under the sixth pot" in connected.clawgit("search", "key of the shed")
