"""What is broken or ends at the wrong moment holds up no turn, and nothing is lost."""

import contextlib
import signal
import subprocess
import threading

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


@pytest.mark.parametrize(("how", "pause"), [(signal.SIGTERM, 10), (signal.SIGKILL, 60)], ids=["ended", "killed"])
def test_a_gateway_that_stops_in_the_middle_of_a_turn_loses_nothing(connected, how, pause):
    """Told to end, OpenClaw waits for the turn; killed, it does not, and the turn has no answer."""

    def turn() -> None:
        with contextlib.suppress(AssertionError):
            connected.say(said)

    said = f"Remember that the key of the shed lies under pot {pause}."
    connected.model.answers({"when": said, "pause": pause, "text": "Too late."})
    client = threading.Thread(target=turn, daemon=True)
    client.start()
    until(lambda: any(said in request.text("user") for request in connected.requests()))
    before = {place: place.read_bytes() for place in connected.workspace.glob("*.md")}
    connected.stop(how)
    client.join()

    until(lambda: said in connected.flags())  # what was being looked at is finished
    assert {place: place.read_bytes() for place in connected.workspace.glob("*.md")} == before
    subprocess.run(["git", "fsck", "--strict"], cwd=connected.workspace, capture_output=True, check=True)
    connected.model.answers()
    if how == signal.SIGTERM:  # a turn without a gateway: OpenClaw runs it in the process of the command
        assert HERON in connected.agent(QUESTION, "--local").request.text("user")
        until(lambda: not connected.processes())
    connected.start()
    connected.say("Are you back?")
    connected.clawgit("run", "memory-miner", "--apply")
    assert f"under pot {pause}" in connected.clawgit("search", "key of the shed")
