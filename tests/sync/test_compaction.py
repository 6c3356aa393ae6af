"""Journals that one machine compacted, and another one wrote to or compacted as well."""

import re
from datetime import UTC, datetime

import pytest

from clawgit import clock
from clawgit.agents import running
from clawgit.agents.memory_compactor import MemoryCompactor
from clawgit.memory.compact import Plan

from .machines import Machines

DAY = "memory/2026-01-05.md"
CHRONICLE = "memory/archive/chronicles/2026-January.md"
JOURNAL = (
    "# 2026-01-05\n\n## 09:00\n\n- Ann wants the report on Monday.\n\n## 10:00\n\n- The relay was moved to Porto.\n"
)
SOURCE = re.compile(r"<!-- from (\S+) \w{10} -->")


def compact(machine, tell=None):
    with machine.open() as workspace:
        clock.confirm(workspace.repo, workspace.clock())
        plan = Plan("chronicle", 30, remove=True, tend=False)
        return running.apply(MemoryCompactor(plan, tell), workspace)


def journal(machine, day, text):
    machine.commit(f"memory/{day}.md", f"# {day}\n\n{text}")


@pytest.fixture
def pair(mould, tmp_path):
    """Two machines with a journal that is old enough."""
    machines = Machines(mould, tmp_path, ("a", "b"))
    for machine in machines.values():
        machine.now = datetime(2026, 3, 1, 9, tzinfo=UTC)
    machines["a"].commit(DAY, JOURNAL)
    machines.settle(2)
    return machines


def same(machines):
    one, *others = machines.values()
    for machine in (one, *others):
        machine.agrees()
    assert {machine.tree for machine in others} == {one.tree}


def test_what_was_written_meanwhile_stays_and_is_compacted_again_under_the_same_name(pair):
    a, b = pair["a"], pair["b"]
    compact(a)
    b.commit(DAY, b.text(DAY) + "\n## 11:00\n\n- Bob asked for the keys.\n")
    pair.settle(3)
    same(pair)
    left = b.text(DAY)
    assert "Bob asked" in left
    assert "Ann wants" not in left
    assert "Ann wants" in b.text(CHRONICLE)
    compact(a)
    pair.settle(3)
    same(pair)
    text = b.text(CHRONICLE)
    assert not (b.root / DAY).exists()
    assert [text.count(words) for words in ("Ann wants", "moved to Porto", "Bob asked")] == [1, 1, 1]
    assert SOURCE.findall(text) == [DAY, DAY]


def test_what_both_compacted_stands_once(pair):
    a, b = pair["a"], pair["b"]
    compact(a)
    compact(b)
    pair.settle(3)
    same(pair)
    text = a.text(CHRONICLE)
    assert SOURCE.findall(text) == [DAY]
    assert text.count("Chronicle of January") == 1
    assert [text.count(words) for words in ("Ann wants", "moved to Porto", "# 2026-01-05")] == [1, 1, 1]
    assert not (a.root / DAY).exists()
    assert compact(a).applied == []


def test_both_compacted_other_versions_of_a_journal_and_no_line_is_lost(pair):
    a, b = pair["a"], pair["b"]
    a.commit(DAY, a.text(DAY) + "\n## 11:00\n\n- Ann called back.\n")
    b.commit(DAY, b.text(DAY) + "\n## 12:00\n\n- Bob asked for the keys.\n")
    compact(a)
    compact(b)
    pair.settle(3)
    same(pair)
    text = a.text(CHRONICLE)
    assert [text.count(words) for words in ("Ann wants", "Ann called", "Bob asked")] == [1, 1, 1]
    assert SOURCE.findall(text) == [DAY, DAY]
