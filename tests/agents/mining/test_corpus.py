"""What the labelled messages hold, found; `benchmarks/mining.py` prints the tables."""

import tomllib
from datetime import UTC, datetime
from pathlib import Path

import pytest

from clawgit.agents.mining.extract import extract
from clawgit.agents.mining.finding import LONGEST, LONGEST_QUOTE, TAGS
from clawgit.safety import secrets

CORPORA = Path(__file__).resolve().parents[2] / "corpora"
SAID = datetime(2026, 5, 4, 10, tzinfo=UTC)
KEY = "sk-proj-" + "Zk3vQ9mT2xLr8WbN5cYh" * 2
FLOORS = {"mining.toml": (0.97, 0.95), "mining.more.toml": (0.95, 0.95), "mining.fresh.toml": (0.9, 0.78)}
"""Precision and recall: a little below what is measured."""

ROWS = {name: tomllib.loads((CORPORA / name).read_text("utf-8")) for name in FLOORS}
EVERY = [
    (by, text.replace("{key}", KEY)) for rows in ROWS.values() for group in rows.values() for by, text, *_ in group
]


@pytest.mark.parametrize("name", FLOORS)
def test_what_is_worth_keeping_is_kept_and_nothing_else(name: str) -> None:
    """Covers P1 and A3."""
    rows = [row for group in ROWS[name].values() for row in group]
    pairs = [(bool(extract(text.replace("{key}", KEY), SAID, by=by).findings), bool(tag)) for by, text, tag, *_ in rows]
    hit = sum(found and wanted for found, wanted in pairs)
    precision, recall = FLOORS[name]
    assert hit >= precision * sum(found for found, _ in pairs)
    assert hit >= recall * sum(wanted for _, wanted in pairs)


@pytest.mark.parametrize("name", FLOORS)
def test_an_entry_has_its_tag_and_says_what_it_must(name: str) -> None:
    kept = good = 0
    for rows in ROWS[name].values():
        for by, text, tag, *must in (row for row in rows if row[2]):
            found = extract(text, SAID, by=by).findings
            says = all(any(word in one.text for one in found) for word in must)
            kept += bool(found)
            good += any(one.tag == tag for one in found) and says
    assert good >= 0.85 * kept


def test_a_quote_is_letter_for_letter_and_an_entry_short() -> None:
    for by, text in EVERY:
        for one in extract(text, SAID, by=by).findings:
            assert one.quote in text
            assert 0 < len(one.quote) <= LONGEST_QUOTE
            assert 0 < len(one.text) <= LONGEST
            assert "\n" not in one.text
            assert one.tag == TAGS[one.kind]


def test_no_entry_and_no_reason_shows_a_secret() -> None:
    for by, text in EVERY:
        said = extract(f"{text} My api key is {KEY}.", SAID, by=by)
        assert not any(secrets.scan(one.text) or KEY in one.text for one in said.findings)
        assert not any(KEY in sentence for _, sentence in said.refused)


@pytest.mark.parametrize("language", ["ja", "ko"])
def test_half_a_message_gives_no_half_sentence(language: str) -> None:
    for rows in (ROWS["mining.toml"], ROWS["mining.more.toml"]):
        for by, text, *_ in rows.get(language, []):
            half = text[: len(text) // 2]
            assert not any(half.endswith(one.quote) for one in extract(half, SAID, by=by).findings), half


def test_a_finding_is_the_same_alone_and_among_others() -> None:
    """A message between two that say nothing gives what it gives by itself."""
    for by, text in EVERY:
        alone = extract(text, SAID, by=by).findings
        among = extract(f"Thanks a lot!\n\n{text}\n\nGood night!", SAID, by=by).findings
        assert {one.text for one in alone} <= {one.text for one in among}, text
