"""The table of the agent's calls."""

import contextlib
from pathlib import Path

import pytest

from clawgit.store.calls import CallTable, KnownCalls, ToolCall
from clawgit.store.database import StateStore

RUNNING = "Command still running (session kind-slug, pid 14824). Use process (list/poll/log) for follow-up."


@pytest.mark.parametrize(("answer", "ended"), [("(no output)", 12.0), (RUNNING, None)])
def test_a_command_that_goes_on_in_the_background_has_not_ended(
    tmp_path: Path, answer: str, ended: float | None
) -> None:
    store = StateStore(tmp_path / "clawgit")
    with contextlib.closing(CallTable(store)) as table:
        table.record_call(ToolCall("s", "call_1", "exec", "command", "", 10.0))
        table.record_answer("s", "call_1", answer, 12.0, failed=False)
    (call,) = KnownCalls(store).list_all()
    assert call.ended == ended
