"""What is said and corrected on one day ends right, whichever job runs first (agents.md, corrections)."""

import json
import re
from datetime import datetime
from itertools import permutations

import pytest

from clawgit.llm import speaker
from clawgit.llm.asking import Asked, Said
from clawgit.messages import message_flags
from clawgit.messages.patterns import BUILT_IN
from clawgit.messages.triage import triage
from clawgit.workspace import memory
from tests.amounts import amount

from .reading import scripted
from .talk import Talk

JOBS = ("memory-miner", "recall-validator", "conflict-detector")
KNOWN = "The kickoff with Acme is on Monday."
SAID = (  # what is said in the morning, or known, what corrects it in the evening, the words that differ
    ("The dentist is on Monday at 15:00.", "No, the dentist is on Tuesday at 15:00.", "Monday", "Tuesday"),
    ("The gate code of the depot is 4471.", "Sorry, the gate code of the depot is 4417, not 4471.", "4471", "4417"),
    ("Our landlord is called Pavel Novak.", "I mean Paul Novak, not Pavel Novak.", "Pavel", "Paul"),
    ("Die Sitzung des Vereins ist in Raum 214.", "Nein, die Sitzung des Vereins ist in Raum 241.", "214", "241"),
    ("The fence has a budget of 4,000 euros.", "Correction: the fence has a budget of 4,600 euros.", "4,000", "4,600"),
    (KNOWN, "No, the kickoff with Acme is on Wednesday.", "Monday", "Wednesday"),
    ("La reunión con Lucía es el jueves.", "No, la reunión con Lucía es el viernes.", "jueves", "viernes"),
    ("We decided to host the shop in Helsinki.", "Wrong: we host the shop in Falkenstein.", "Helsinki", "Falkenstein"),
)
DAY = [(first, second, first.replace(wrong, right), wrong, right) for first, second, wrong, right in SAID]


def have(talk: Talk, *, first: bool = True, second: bool = True) -> None:
    """Say everything on one day, the corrections in the evening; each is looked at as it comes."""
    said = [(f"09:{at:02}", one[0]) for at, one in enumerate(DAY) if one[0] != KNOWN and first]
    said += [(f"18:{at:02}", one[1]) for at, one in enumerate(DAY) if second]
    for clock, text in said:
        at = datetime.fromisoformat(f"2026-05-31T{clock}:00+00:00")
        talk.say(text, session=f"s{clock[:2]}", at=at.timestamp())
        if (found := triage(text, BUILT_IN)).matches:
            message_flags.file(talk.workspace.store, text, found, at, f"s{clock[:2]}")


class Naive:
    """Keeps what was said first as if nothing followed, and corrects what it is shown a correction of.

    Where it is not `naming`, it names no entry that it corrects.
    """

    name = "naive"

    def __init__(self, *, naming: bool = True) -> None:
        self.naming = naming

    def say(self, asked: Asked) -> Said:
        asked.admit()
        text = asked.material
        if text == speaker._PROBED:
            return Said("ready", 10, 1)
        if "Judge each claim" in asked.rules:
            sources = dict(re.findall(r"^(S\d+): (.*)$", text, re.MULTILINE))
            pairs = re.findall(r"^(\d+) \[(S\d+)\] (.*)$", text, re.MULTILINE)
            return Said(
                "\n".join(f"{n} {'wholly' if _true(claim, sources[one]) else 'not'}" for n, one, claim in pairs)
            )
        turns = {line: int(n) for n, line in re.findall(r"^(\d+) O\*? (.*)$", text, re.MULTILINE)}
        found = []
        for first, second, line, wrong, right in DAY:
            if first in turns:
                found.append({"act": "add", "turns": [turns[first]], "text": first, "tag": "knowledge"})
            if second in turns:
                entry = re.search(rf"^(\w{{10}}) .*{re.escape(first)}", text, re.MULTILINE)
                about = {"entries": [entry[1]]} if entry and self.naming else {}
                found.append(
                    {"act": "correct", "turns": [turns[second]], "wrong": wrong, "right": right, "text": line, **about}
                )
        return Said(json.dumps({"operations": found}))


def _true(claim: str, source: str) -> bool:
    """Tell whether somebody who reads the source would bear the claim out."""
    if claim.startswith('Not "'):
        return any(claim.endswith(f'but "{right}": {line}') and said in source for _, said, line, _, right in DAY)
    true = any(claim == line and said in source for _, said, line, _, _ in DAY)
    return true or claim.casefold() in source.casefold()


def run(talk: Talk, agent: str, voice: Naive) -> None:
    scripted.run(talk, agent, voice)


def wrong(talk: Talk) -> list[str]:
    """Return what does not end right: the right line is missing, or the wrong one stands as if it held."""
    said = [line for line in talk.bullets() if "#superseded" not in line]
    missing = [line for _, _, line, _, _ in DAY if not any(line.casefold() in one.casefold() for one in said)]
    return missing + [one for one in said if any(first.casefold() in one.casefold() for first, *_ in DAY)]


@pytest.mark.parametrize("jobs", list(permutations(JOBS))[amount(0, 3) : amount(6, 4)], ids="-".join)
def test_with_a_voice_the_right_side_stands_in_any_order(talk: Talk, jobs: tuple[str, ...]) -> None:
    talk.workspace.apply(memory.add(talk.workspace, KNOWN).change)
    have(talk)
    for job in (*jobs, *jobs):
        run(talk, job, Naive())
    assert wrong(talk) == []


@pytest.mark.parametrize(("jobs", "naming"), [(JOBS[::-1], False), (JOBS, True)][: amount(2, 1)])
def test_what_was_read_before_it_was_corrected_is_put_right(talk: Talk, jobs: tuple[str, ...], *, naming: bool) -> None:
    talk.workspace.apply(memory.add(talk.workspace, KNOWN).change)
    have(talk, second=False)
    for job in JOBS:
        run(talk, job, Naive())
    have(talk, first=False)
    for job in jobs:
        run(talk, job, Naive(naming=naming))
    assert wrong(talk) == []
