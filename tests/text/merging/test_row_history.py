"""Rows are known by a name; what concurrent writers said of one is settled, in any order the same."""

from random import Random

import pytest

from clawgit.text.merging.event_graph import EventGraph
from clawgit.text.merging.row_history import RowHistory, RowVersion

HEADER = "# rows 1"


def history(graph: EventGraph, text: str | None) -> RowHistory:
    return RowHistory(graph, text, lambda line: line.split("\t")[0], lambda _, said: said[-1], HEADER)


def table(**rows: str) -> str:
    return "".join(f"{line}\n" for line in (HEADER, *(f"{name}\t{value}" for name, value in sorted(rows.items()))))


def joined(base: str | None, *texts: str | None) -> str | None:
    graph = EventGraph()
    found = history(graph, base)
    sides: list[tuple[RowVersion, int]] = []
    for number, text in enumerate(texts):
        event = graph.add(f"{number}", [0])
        sides.append((found.edited(found.start, event, text), event))
    return found.text(found.joined(sides))


def test_a_row_that_one_side_changed_is_taken() -> None:
    assert joined(table(a="9"), table(a="1"), table(a="9", b="2")) == table(a="1", b="2")


def test_a_row_that_one_side_took_out_stays_away() -> None:
    assert joined(table(a="1", b="2"), table(b="2"), table(a="1", b="2", c="3")) == table(b="2", c="3")


def test_a_row_taken_out_here_and_changed_there_stands_changed() -> None:
    assert joined(table(a="1"), table(), table(a="2")) == table(a="2")


def test_concurrent_values_are_settled() -> None:
    assert joined(table(a="1"), table(a="3"), table(a="2")) == table(a="3")


@pytest.mark.parametrize("seed", range(60))
def test_any_order_of_gossip_gives_one_table(seed: int) -> None:
    texts = set()
    for order in range(4):
        random = Random(seed)
        graph = EventGraph()
        rows = history(graph, table(a="0", b="0", c="0"))
        heads = [(0, rows.start)] * 3
        for step in range(12):
            at = random.randrange(3)
            event, version = heads[at]
            now = {line.split("\t")[0]: line.split("\t")[1] for line in (rows.text(version) or "").splitlines()[1:]}
            name = random.choice("abcd")
            now[name] = f"{step}"
            if random.random() < 0.3:
                now.pop(name)
            number = graph.add(f"edit {step}", [event])
            heads[at] = number, rows.edited(version, number, table(**now))
        shuffled = Random(order)
        for _ in range(20):
            one, other = shuffled.sample(range(3), 2)
            if not graph.seen[heads[one][0]] >> heads[other][0] & 1:
                number = graph.add("merge", [heads[one][0], heads[other][0]])
                heads[one] = number, rows.joined([(heads[one][1], heads[one][0]), (heads[other][1], heads[other][0])])
        everybody = rows.joined([(version, event) for event, version in heads])
        texts.add(rows.text(everybody))
    assert len(texts) == 1
