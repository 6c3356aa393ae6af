"""Corrections as people type them: those that land are right, and the lines of all others are offered."""

import json
from collections.abc import Collection, Mapping
from pathlib import Path

from clawgit.memory.corrected_values import Correction, Doubt, read_correction
from clawgit.memory.restated_values import Restatements
from clawgit.memory.value_exchange import Exchange, Stored
from clawgit.messages.triage import BUILT_IN, triage
from clawgit.text.entry import entries

TYPED = Path(__file__).parents[2] / "corpora/corrections.typed.jsonl"
MIN_RIGHT, MAX_WRONG, MIN_OFFERED = 63, 2, 0.92
HEAD = "| a | b | c |\n|---|---|---|\n"


def words(line: str) -> str:
    found_entries = entries(HEAD + line if line.startswith("|") else line)
    return found_entries[-1].text if found_entries else line


def changes_rightly(exchange: Exchange, expected: Mapping[str, Collection[str]]) -> bool:
    """Return whether each row that an exchange changes is one that changes, and as it should."""
    rows = zip(exchange.entry.text.split("\n"), exchange.statement.split("\n"), strict=True)
    return all(new in expected.get(old, ()) for old, new in rows if old != new)


def test_what_lands_is_right_and_what_does_not_is_offered():
    right, wrong, offer_count, missed = 0, [], 0, []
    for row in map(json.loads, TYPED.read_text("utf-8").splitlines()):
        expected = {
            words(old): {words(line) for line in (new if isinstance(new, list) else [new])}
            for _, old, new in row["change"]
            if new != "+"
        }
        journals = {words(old) for _, old, new in row["change"] if new == "+"}
        lines = [entry for text in row["files"].values() for entry in entries(text)]
        memories = [Stored(str(n), line.text, " ".join(line.section[-1:])) for n, line in enumerate(lines)]
        outcome = read_correction(row["text"], triage(row["text"], BUILT_IN), (), memories, is_asked=True)
        if isinstance(outcome, Correction):
            for exchange in outcome.exchanges:
                is_right = exchange.entry.text in journals or changes_rightly(exchange, expected)
                right += is_right
                wrong += [] if is_right else [(row["n"], exchange.statement)]
            continue
        doubt = Restatements(memories).add_nearest(outcome or Doubt(""), row["text"], ())
        offers = "\n".join(memories[int(choice)].text for choice in doubt.choices).split("\n")
        for line in (*expected, *journals):
            offer_count += line in offers
            missed += [] if line in offers else [(row["n"], line)]
    assert len(wrong) <= MAX_WRONG, wrong
    assert right >= MIN_RIGHT
    assert offer_count >= MIN_OFFERED * (offer_count + len(missed)), missed
