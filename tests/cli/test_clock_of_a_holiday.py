"""After days without the machine its clock is doubted, and believed a day later: nothing is removed by age before."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import time_machine

from clawgit import clock


def test_a_machine_that_was_off_for_days_is_believed_a_day_later(
    call: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    boot, now = tmp_path / "boot", datetime.now(UTC)
    monkeypatch.setattr(clock, "_BOOT", boot)
    boot.write_text("one")
    call("config", "compaction", "chronicle")
    boot.write_text("two")
    codes = []
    for hours in (96, 106, 116, 126):
        with time_machine.travel(now + timedelta(hours=hours), tick=True):
            call("memory", "add", f"It is hour {hours}.")
            answer = call("run", "memory-compactor", "--apply")
            codes.append(answer.code)
            assert ("nothing is removed by its age" in answer.err) == bool(answer.code)
    assert codes == [1, 1, 1, 0]
