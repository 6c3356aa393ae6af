"""The run ledger."""

import pytest

from clawgit.store.database import StateStore
from clawgit.workspace.run_ledger import FILE, Ran, ledger, note

RAN = Ran("memory-miner", "2026-02-14T06:00:00", "2026-02-14T06:00:02", 12, 3, ("1f3c",), (), {"question": 4})


@pytest.fixture
def store(tmp_path):
    return StateStore(tmp_path / "clawgit")


def test_what_was_noted_is_read_in_its_order(store):
    other = Ran("memory-miner", "", "", error="disk full", notes=("a note",))
    note(store, RAN)
    note(store, other)
    assert ledger(store) == [RAN, other]


def test_there_may_be_none(store):
    assert ledger(store) == []


@pytest.mark.parametrize("data", [b'{"agent": "memory-mi', b'{"agent": 1}', b"[]", b"\xff", b""])
def test_a_damaged_row_costs_that_row_alone(store, data):
    insert = "INSERT INTO record (list, data) VALUES (?, CAST(? AS TEXT))"
    note(store, RAN)
    store.write(lambda database: database.execute(insert, (FILE, data)))
    note(store, RAN)
    assert ledger(store) == [RAN, RAN]
