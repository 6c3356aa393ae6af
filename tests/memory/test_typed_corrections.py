"""Corrections as people type them: what lands is right, and what is offered is what would land."""

import json
from collections.abc import Collection, Mapping
from pathlib import Path

from clawgit.agents.recall_validator import read_statement
from clawgit.memory.corrected_values import Correction, Exchange, Stored, exchange_value
from clawgit.messages.triage import BUILT_IN, triage
from clawgit.text.entry import entries

TYPED = Path(__file__).parents[2] / "corpora/corrections.typed.jsonl"
MIN_LANDED, MAX_BAD_OFFERS = 60, 6
HEAD = "| a | b | c |\n|---|---|---|\n"


def words(line: str) -> str:
    found = entries(HEAD + line if line.startswith("|") else line)
    return found[-1].text if found else line


def changes_rightly(exchange: Exchange, wanted: Mapping[str, Collection[str]]) -> bool:
    """Return whether each row that an exchange changes is one that changes, and as it should."""
    rows = zip(exchange.entry.text.split("\n"), exchange.statement.split("\n"), strict=True)
    return all(new in wanted.get(old, ()) for old, new in rows if old != new)


def test_what_lands_is_right_and_what_is_offered_too():
    landed, wrong, bad_offers = 0, [], 0
    for row in map(json.loads, TYPED.read_text("utf-8").splitlines()):
        wanted = {
            words(old): {words(line) for line in (new if isinstance(new, list) else [new])}
            for _, old, new in row["change"]
            if new != "+"
        }
        journals = {words(old) for _, old, new in row["change"] if new == "+"}
        lines = [entry for text in row["files"].values() for entry in entries(text)]
        stored = [Stored(str(n), line.text, " ".join(line.section[-1:])) for n, line in enumerate(lines)]
        outcome = read_statement(row["text"], triage(row["text"], BUILT_IN), stored)
        if isinstance(outcome, Correction):
            for exchange in outcome.exchanges:
                is_right = exchange.entry.text in journals or changes_rightly(exchange, wanted)
                landed += is_right
                wrong += [] if is_right else [(row["n"], exchange.statement)]
            continue
        offers = [stored[int(choice)] for choice in outcome.choices] if outcome else []
        for entry in (entry for entry in offers if entry.text in wanted):
            exchange = exchange_value(entry, outcome.said, outcome.true)
            bad_offers += exchange is None or not changes_rightly(exchange, wanted)
    assert wrong == []
    assert landed >= MIN_LANDED
    assert bad_offers <= MAX_BAD_OFFERS
