"""A voice may say what a memory file says twice; what goes is checked."""

import json
from datetime import UTC, datetime

import pytest

from clawgit.agents import running
from clawgit.agents.memory_compactor import MemoryCompactor, Plan
from clawgit.agents.running import Result
from clawgit.llm.model import ModelError
from clawgit.workspace import clock, memory, undo

from ..talk import Talk  # noqa: TID252 - the tests' own workspace

LONG = "The quarterly report for the board of Acme is written by Ana in the office in Bonn."
SHORT = "Ana writes the quarterly report for the board."


class Voice:
    """Says of the pairs with some words which line stays, and judges support by hand."""

    def __init__(self, *merges: tuple[str, str], believed: bool = True) -> None:
        self.merges, self.believed, self.asked = merges, believed, list[str]()

    def __call__(self, rules: str, material: str, tokens: int) -> str:
        self.asked.append(material)
        if "Judge each claim" in rules:
            goes = [gone for _, gone in self.merges]
            rows = [row.split(" ", 2) for row in material.splitlines() if row[:1].isdigit()]
            return "\n".join(f"{n} {'wholly' if self.believed and text in goes else 'not'}" for n, _, text in rows)
        acts = []
        for row in material.splitlines():
            number, _, pair = row.partition(" ")
            for stays, goes in self.merges:
                if stays in pair and goes in pair:
                    acts.append(
                        {"act": "merge", "pair": int(number), "stays": 1 if pair.index(stays) < pair.index(goes) else 2}
                    )
        return json.dumps({"operations": acts})


def add(talk: Talk, text: str) -> str:
    talk.workspace.clock = lambda: datetime(2026, 5, 20, tzinfo=UTC)
    added = memory.add(talk.workspace, text, origin="operator", tag="knowledge")
    talk.workspace.apply(added.change)
    return added.id


def compact(talk: Talk, voice: Voice) -> Result:
    talk.workspace.clock = lambda: datetime(2026, 6, 1, 6, tzinfo=UTC)
    clock.confirm(talk.workspace)
    return running.apply(MemoryCompactor(Plan("chronicle", 30, remove=True), say=voice), talk.workspace)


def test_what_another_line_says_as_well_becomes_it_and_comes_back(talk: Talk) -> None:
    for text in (LONG, SHORT):
        add(talk, text)
    before = talk.text()
    voice = Voice((LONG, SHORT))
    ((change, _),) = compact(talk, voice).applied
    assert talk.bullets() == [f"- {LONG} #knowledge"]
    assert compact(talk, voice).applied == []
    talk.workspace.apply(undo.undo(talk.workspace, change.id))
    assert talk.text() == before
    assert compact(talk, voice).applied == []


@pytest.mark.parametrize(
    ("stays", "goes"),
    [
        (SHORT, LONG),
        ("Ana writes the quarterly report for the board.", "Ana writes the quarterly report for the board by 3 May."),
        ("Ana writes the quarterly report for the board.", "Ana does not write the quarterly report for the board."),
        ("Ana writes the report for the board.", "Ana writes the report for the board unless Bo is back."),
        ("Reports for the board are sent by Ana.", "Never send reports for the board without Ana."),
    ],
)
def test_what_would_be_lost_stays(talk: Talk, stays: str, goes: str) -> None:
    for text in (stays, goes):
        add(talk, text)
    before = talk.text()
    assert compact(talk, Voice((stays, goes))).applied == []
    assert talk.text() == before


def test_what_the_second_call_does_not_bear_out_stays(talk: Talk) -> None:
    for text in (LONG, SHORT):
        add(talk, text)
    assert compact(talk, Voice((LONG, SHORT), believed=False)).applied == []


def test_no_more_goes_than_one_run_may_take_away(talk: Talk) -> None:
    places = ["Bonn", "Graz", "Lyon", "Oslo", "Riga", "Turin", "Vigo", "Ghent"]
    pairs = [
        (LONG.replace("Bonn", one).replace("Ana", f"{one}a"), f"{one}a writes the quarterly report for the board.")
        for one in places
    ]
    for pair in pairs:
        for text in pair:
            add(talk, text)
    compact(talk, Voice(*pairs))
    assert 2 * len(places) - 5 <= len(talk.bullets()) < 2 * len(places)


def test_a_voice_that_fails_takes_nothing_away_and_is_told_of(talk: Talk) -> None:
    class Down(Voice):
        def __call__(self, rules: str, material: str, tokens: int) -> str:
            raise ModelError("test", "it is down")

    for text in (LONG, SHORT):
        add(talk, text)
    result = compact(talk, Down())
    assert result.applied == []
    assert "the voice gave no answer on what is said twice: it is down" in result.notes
