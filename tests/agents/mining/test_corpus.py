"""What is said outright is kept, word for word; `benchmarks/memory/mining.py` prints the table."""

import json
import tomllib
from datetime import UTC, datetime
from pathlib import Path

import pytest

from clawgit.agents.mining.extract import extract
from clawgit.agents.mining.finding import LONGEST, LONGEST_QUOTE, TAGS
from clawgit.safety import secrets

PLACE = Path(__file__).resolve().parents[3] / "corpora/requests.toml"
SAID = datetime(2026, 5, 4, 10, tzinfo=UTC)
KEY = "sk-proj-" + "Zk3vQ9mT2xLr8WbN5cYh" * 2
ROWS = [row for group in tomllib.loads(PLACE.read_text("utf-8")).values() for row in group]
EVERY = [(by, text.replace("{key}", KEY)) for by, text, *_ in ROWS]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[1][:40])
def test_what_is_said_outright_is_kept_and_nothing_else(row: list[str]) -> None:
    """Covers P1 and A3."""
    by, text, kind, *must = row
    found = extract(text.replace("{key}", KEY), SAID, by=by).findings  # type: ignore[arg-type]
    assert {one.kind for one in found} == ({kind} if kind else set())
    assert all(any(word in one.text for one in found) for word in must)


def test_of_writers_whom_no_weights_saw_most_is_heard_and_hardly_anything_else() -> None:
    """The floor is the goal of the rules alone (.95 and .6), and for recall what it was when it was set."""
    places = sorted((PLACE.parent / "messages.held-out").glob("*.jsonl"))
    rows = [json.loads(line) for place in places for line in place.read_text("utf-8").splitlines()]
    kept = [one["kind"] for one in rows if extract(one["text"], SAID).findings]
    asked = sum(one["kind"] not in ("none", "fact") for one in rows)
    assert kept.count("none") <= 0.05 * len(kept)
    assert sum(kind not in ("none", "fact") for kind in kept) >= 0.8 * asked


def test_a_quote_is_letter_for_letter_and_an_entry_short() -> None:
    for by, text in EVERY:
        for one in extract(text, SAID, by=by).findings:  # type: ignore[arg-type]
            assert one.quote in text
            assert 0 < len(one.quote) <= LONGEST_QUOTE
            assert 0 < len(one.text) <= LONGEST
            assert "\n" not in one.text
            assert one.tag == TAGS[one.kind]


def test_no_entry_and_no_reason_shows_a_secret() -> None:
    for by, text in EVERY:
        said = extract(f"{text} My api key is {KEY}.", SAID, by=by)  # type: ignore[arg-type]
        assert not any(secrets.scan(one.text) or KEY in one.text for one in said.findings)
        assert not any(KEY in sentence for _, sentence in said.refused)


def test_a_finding_is_the_same_alone_and_among_others() -> None:
    """A message between two that say nothing gives what it gives by itself."""
    for by, text in EVERY:
        alone = extract(text, SAID, by=by).findings  # type: ignore[arg-type]
        among = extract(f"Thanks a lot!\n\n{text}\n\nGood night!", SAID, by=by).findings  # type: ignore[arg-type]
        assert {one.text for one in alone} <= {one.text for one in among}, text
