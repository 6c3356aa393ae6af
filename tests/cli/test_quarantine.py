"""`clawgit quarantine list`: what belongs together is one row, and what went is told."""

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from clawgit.git.repository import find
from clawgit.workspace import quarantine

NOON = datetime.fromisoformat("2026-02-14T12:00:00+00:00")


def test_an_hour_of_versions_is_one_row(call: Callable, space: Path) -> None:
    for number in range(20):
        quarantine.keep(find(space), "SOUL.md", f"{number}\n".encode(), NOON + timedelta(minutes=3 * number))
    quarantine.keep(find(space), "SOUL.md", b"later\n", NOON + timedelta(days=1))
    rows = call("quarantine", "list").out.splitlines()
    assert len(rows) == 2
    assert "and 19 earlier since 2026-02-14 12:00" in rows[0]
    found = call("quarantine", "list", "--json").json
    assert [len({one["group"] for one in found}), len(found)] == [2, 21]


def test_what_there_was_no_room_for_is_told(call: Callable, space: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quarantine, "MOST_ITEMS", 4)
    for number in range(6):
        quarantine.keep(find(space), "SOUL.md", f"{number}\n".encode(), NOON + timedelta(minutes=number))
    told = call("quarantine", "list").err
    first = quarantine.dropped(find(space))[0]
    assert f"was dropped on 2026-02-14 for want of room: it was {first.blob}" in told
    messages = [one["message"] for one in call("status", "--json").json["alarms"]]
    assert not any("dropped" in one for one in messages)  # under evolve nothing of it is the operator's concern
