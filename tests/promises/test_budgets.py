"""Budgets hold: a context never costs more than it may, and no turn gets more than its limit."""

import pytest

from tests.promises.desk import Desk

MUTATION = (
    "context/budget.py",
    "    total = usual if budget is None else budget",
    "    total = usual",
)

MAX_ADDITION_CHARS = 4000
RULE = "Rule {} of the house"


@pytest.fixture
def full(desk: Desk) -> Desk:
    for number in range(40):
        rows = (f"- Pump {number}.{row} in hall {row} is serviced by Marek in March.\n" for row in range(40))
        desk.write(f"memory/pumps-{number}.md", f"# Pumps {number}\n\n{''.join(rows)}")
    desk.append("SOUL.md", "".join(f"- {RULE.format(number)} holds always.\n" for number in range(300)))
    desk.append("USER.md", "".join(f"- Likes tea number {number}.\n" for number in range(300)))
    desk.commit()
    desk.run("capture")
    return desk


@pytest.mark.parametrize("budget", [200, 1000, 6000])
def test_a_context_is_never_over_its_budget(full: Desk, budget: int) -> None:
    document = full.call("context", "Who services the pumps in hall 7?", "--budget", str(budget)).document
    assert document["tokens"] <= document["budget"] == budget
    assert sum(slot["kept"] for slot in document["slots"]) <= budget
    assert len(document["text"].split()) <= budget


def test_the_receipt_says_what_each_slot_kept_and_cut(full: Desk) -> None:
    document = full.run("context", "Who services the pumps in hall 7?")
    assert {"name", "given", "kept", "cut", "stolen", "sources"} <= document["slots"][0].keys()
    assert any(slot["cut"] for slot in document["slots"])


def test_without_a_budget_a_context_is_empty(desk: Desk) -> None:
    desk.run("config", "context_budget_tokens", "0")
    assert desk.run("context", "pumps")["tokens"] == 0


def test_a_budget_that_cannot_be_is_refused(desk: Desk) -> None:
    desk.refuse("context", "pumps", "--budget", "-1", key="usage", code=2)


def test_a_turn_gets_little_and_only_what_is_not_shown_already(full: Desk) -> None:
    text = full.run("context", "--turn", "Who services the pumps in hall 7?")["text"]
    assert 0 < len(text) <= MAX_ADDITION_CHARS
    assert RULE.format(1) not in text
