"""The run ledger."""

from clawgit.workspace.run_ledger import FILE, Ran, ledger, note

RAN = Ran("memory-miner", "2026-02-14T06:00:00", "2026-02-14T06:00:02", 12, 3, ("1f3c",), (), {"question": 4})


def test_what_was_noted_is_read_in_its_order(tmp_path):
    other = Ran("memory-miner", "", "", error="disk full", notes=("a note",))
    note(tmp_path / "state", RAN)
    note(tmp_path / "state", other)
    assert list(ledger(tmp_path / "state")) == [RAN, other]


def test_there_may_be_none(tmp_path):
    assert list(ledger(tmp_path)) == []


def test_a_torn_line_costs_that_line_alone(tmp_path):
    note(tmp_path, RAN)
    with (tmp_path / FILE).open("a") as file:
        file.write('{"agent": "memory-mi')
    note(tmp_path, RAN)
    assert list(ledger(tmp_path)) == [RAN, RAN]
