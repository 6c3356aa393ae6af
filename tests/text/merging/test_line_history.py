"""Lines of several machines come to one text, in whatever order these hear of each other."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.text.merging.event_graph import EventGraph
from clawgit.text.merging.line_history import LineHistory, Version


class Fleet:
    """Machines that edit one file; each commit is an event, and a merge is one too."""

    def __init__(self, base: str, count: int, *, journal: bool = False) -> None:
        self.graph = EventGraph()
        self.history = LineHistory(self.graph, base, journal=journal)
        self.heads = [(0, self.history.start)] * count
        self.edits = 0
        self.written: dict[int, list[str]] = {}
        self.taken: list[tuple[int, Counter[str]]] = []

    def text(self, machine: int) -> str:
        return self.history.text(self.heads[machine][1]) or ""

    def edit(self, machine: int, text: str) -> None:
        event, version = self.heads[machine]
        before = self.text(machine)
        self.edits += 1
        number = self.graph.add(f"edit {self.edits}", [event])
        self.heads[machine] = number, self.history.edited(version, number, text)
        assert self.text(machine) == text
        old, new = (Counter(line for line in one.splitlines() if line) for one in (before, text))
        self.written[number] = list((new - old).elements())
        self.taken.append((number, old - new))

    def merge(self, machine: int, other: int) -> None:
        (mine, version), (theirs, another) = self.heads[machine], self.heads[other]
        seen = self.graph.seen
        if seen[mine] >> theirs & 1:
            return
        if seen[theirs] >> mine & 1:
            self.heads[machine] = self.heads[other]
            return
        joined = self.history.joined([(version, mine), (another, theirs)])
        number = self.graph.add(f"merge {sorted((self.graph.names[mine], self.graph.names[theirs]))}", [mine, theirs])
        self.heads[machine] = number, joined

    def settle(self, random: Random) -> None:
        count = len(self.heads)
        pairs = [(one, other) for one in range(count) for other in range(count) if one != other]
        for _ in range(count + 1):
            random.shuffle(pairs)
            for one, other in pairs:
                self.merge(one, other)


def changed(text: str, random: Random, name: str) -> str:
    """Somebody's edit: a line added, reworded, taken out, moved, or a section added."""
    lines = text.splitlines()
    at = random.randrange(len(lines) + 1)
    kind = random.choice(["add", "add", "add", "reword", "remove", "move", "section", "end"])
    if kind == "add" or not lines:
        lines.insert(at, f"- {name}")
    elif kind == "end":
        lines += ["", f"## {name}", "", f"- said {name}"]
    elif kind == "section":
        lines[at:at] = ["", f"## Part {name[-1]}", "", f"- below {name}"]
    else:
        at = min(at, len(lines) - 1)
        line = lines.pop(at)
        if kind == "reword":
            lines.insert(at, f"{line} {name}" if line else f"- {name}")
        elif kind == "move":
            lines.insert(random.randrange(len(lines) + 1), line)
    return "".join(f"{line}\n" for line in lines)


BASE = "# Memory\n\n## Decisions\n\n- one\n- two\n- three\n\n## Events\n\n- four\n  - five\n- six\n"


@pytest.mark.parametrize("seed", range(150))
def test_machines_end_with_one_text(seed: int) -> None:
    random = Random(seed)
    fleet = Fleet(BASE, random.randint(2, 5))
    for step in range(random.randint(2, 14)):
        machine = random.randrange(len(fleet.heads))
        if random.random() < 0.6:
            fleet.edit(machine, changed(fleet.text(machine), random, f"{machine}{step}"))
        else:
            fleet.merge(machine, random.choice([one for one in range(len(fleet.heads)) if one != machine]))
    fleet.settle(random)
    texts = {fleet.text(machine) for machine in range(len(fleet.heads))}
    assert len(texts) == 1


@pytest.mark.parametrize("seed", range(100))
def test_the_order_of_gossip_does_not_matter(seed: int) -> None:
    """The same edits, each machine's alone; then everybody hears of everybody in another order."""
    texts = set()
    for order in range(4):
        random = Random(seed)
        fleet = Fleet(BASE, 4)
        for machine in range(4):
            for step in range(random.randint(0, 3)):
                fleet.edit(machine, changed(fleet.text(machine), random, f"{machine}{step}"))
        fleet.settle(Random(seed * 100 + order))
        texts |= {fleet.text(machine) for machine in range(4)}
    assert len(texts) == 1


@pytest.mark.parametrize("seed", range(150))
def test_no_line_is_lost_that_nobody_took_out(seed: int) -> None:
    random = Random(seed)
    fleet = Fleet(BASE, 3)
    for step in range(12):
        machine = random.randrange(3)
        fleet.edit(machine, changed(fleet.text(machine), random, f"{machine}{step}"))
        if random.random() < 0.3:
            fleet.merge(machine, (machine + 1) % 3)
    fleet.settle(random)
    there = Counter(fleet.text(0).splitlines())
    gone = sum((lines for _, lines in fleet.taken), Counter[str]())
    wanted = Counter(line for line in BASE.splitlines() if line) + Counter(
        line for lines in fleet.written.values() for line in lines
    )
    assert set(wanted - gone) <= set(there)  # a heading that two wrote alike stands once


@given(st.randoms(use_true_random=False), st.integers(2, 5), st.booleans())
def test_any_edits_in_any_topology_come_to_one_text(random: Random, count: int, journal: bool) -> None:
    fleet = Fleet(BASE, count, journal=journal)
    for step in range(random.randint(1, 12)):
        machine = random.randrange(count)
        if random.random() < 0.6:
            fleet.edit(machine, changed(fleet.text(machine), random, f"{machine}{step}"))
        else:
            fleet.merge(machine, random.choice([one for one in range(count) if one != machine]))
    fleet.settle(random)
    assert len({fleet.text(machine) for machine in range(count)}) == 1


@given(st.text("ab#- \n`", max_size=60), st.text("ab#- \n`", max_size=60), st.text("ab#- \n`", max_size=60))
def test_the_sides_are_equal_and_merging_again_changes_nothing(base: str, ours: str, theirs: str) -> None:
    found = joined(base, ours, theirs)
    assert found == joined(base, theirs, ours)
    assert joined(base, ours, ours) == ours or not ours
    assert joined(base, base, theirs) == theirs or not theirs


def joined(base: str | None, ours: str, theirs: str, *, journal: bool = False) -> str | None:
    graph = EventGraph()
    history = LineHistory(graph, base, journal=journal)
    sides: list[tuple[Version, int]] = []
    for text in sorted((ours, theirs)):
        event = graph.add(text, [0])
        sides.append((history.edited(history.start, event, text), event))
    return history.text(history.joined(sides))


def test_both_additions_stand_one_after_the_other() -> None:
    assert joined("- a\n", "- a\n- b\n- c\n", "- a\n- d\n") in ("- a\n- b\n- c\n- d\n", "- a\n- d\n- b\n- c\n")


def test_what_both_wrote_alike_stands_once() -> None:
    assert joined("- a\n", "- a\n- b\n- c\n", "- a\n- c\n") == "- a\n- b\n- c\n"


def test_the_same_words_below_two_bullets_stand_twice() -> None:
    ann, bob = "- Ann\n  - likes tea\n", "- Bob\n  - likes tea\n"
    found = joined("# P\n", f"# P\n{ann}", f"# P\n{bob}")
    assert found in {f"# P\n{bob}{ann}", f"# P\n{ann}{bob}"}


def test_a_line_that_both_reworded_stands_in_both_wordings() -> None:
    monday, tuesday, friday = (f"- meet on {day}" for day in ("Monday", "Tuesday", "Friday"))
    found = joined(*(f"- a\n{line}\n- z\n" for line in (monday, tuesday, friday)))
    assert sorted((found or "").splitlines()) == ["- a", friday, tuesday, "- z"]


def test_a_line_reworded_here_and_taken_out_there_stands_reworded() -> None:
    assert joined("- a\n- b\n", "- a\n- b, changed\n", "- a\n") == "- a\n- b, changed\n"


def test_one_heading_for_what_both_put_below_it() -> None:
    found = joined("# M\n", "# M\n\n## New\n\n- a\n", "# M\n\n## New\n\n- b\n") or ""
    assert found.count("## New") == 1
    assert {"- a", "- b"} <= set(found.splitlines())


def test_two_notes_of_one_minute_keep_their_headings() -> None:
    found = joined("# D\n", "# D\n\n## 14:32\n\n- a\n", "# D\n\n## 14:32\n\n- b\n", journal=True) or ""
    assert found.count("## 14:32") == 2


def test_one_note_that_both_wrote_stands_once() -> None:
    note = "# D\n\n## 14:32\n\n- a\n- b\n"
    found = joined("# D\n", note + "\n## 15:00\n\n- c\n", note, journal=True) or ""
    assert found == note + "\n## 15:00\n\n- c\n"


def test_a_journal_that_both_began_has_one_title() -> None:
    found = joined(None, "# 2026-01-20\n\n## 09:00\n\n- a\n", "# 2026-01-20\n\n## 10:00\n\n- b\n", journal=True) or ""
    assert found.count("# 2026-01-20") == 1
    assert found.count("## ") == 2


def test_a_rule_stands_before_each_part_that_it_divides() -> None:
    found = joined("# D\n\nText.\n", "# D\n\nText.\n\n---\n\nOne.\n", "# D\n\nText.\n\n---\n\nTwo.\n") or ""
    assert found.count("---") == 2
    assert {"One.", "Two."} <= set(found.splitlines())


def test_code_is_not_folded() -> None:
    one, two = "# C\n\n```\na\n}\n```\n", "# C\n\n```\nb\n}\n```\n"
    found = joined("# C\n", one, two) or ""
    assert found.count("```") == 4
    assert found.count("}") == 2


def test_a_side_with_other_line_ends_changes_no_words() -> None:
    found = joined("- a\n- b\n", "- a\r\n- b\r\n", "- a\n- b\n- c\n") or ""
    assert [line.rstrip("\r") for line in found.split("\n")] == ["- a", "- b", "- c", ""]


def test_a_last_line_without_an_end_is_ended_below_which_another_comes() -> None:
    assert joined("- a", "- a\n- b", "- a") == "- a\n- b"
    assert joined("- a\n", "- b\n- a\n- c", "- a\n- d") in ("- b\n- a\n- c\n- d", "- b\n- a\n- d\n- c")
