"""A request is kept whole; `benchmarks/memory/requests.py` prints the table."""

import json
import tomllib
from pathlib import Path

from clawgit.reading.explicit_requests import LONGEST, LONGEST_QUOTE, extract
from clawgit.safety import secrets

CORPORA = Path(__file__).resolve().parents[2] / "corpora"
KEY = "sk-proj-" + "Zk3vQ9mT2xLr8WbN5cYh" * 2
ROWS = [row for group in tomllib.loads((CORPORA / "requests.toml").read_text("utf-8")).values() for row in group]
FRESH = tomllib.loads((CORPORA / "requests.fresh.toml").read_text("utf-8"))["second"]
EVERY = [text.replace("{key}", KEY) for speaker, text, *_ in ROWS if speaker == "operator"]


def test_a_request_that_is_found_is_whole_and_shows_no_secret() -> None:
    """Covers P1 and A3."""
    for speaker, text, _, *words in ROWS:
        findings = extract(text.replace("{key}", KEY)) if speaker == "operator" else ()
        missing = [word for word in words if word in text and not any(word in finding.text for finding in findings)]
        assert not (findings and missing), text
    for row in (row for rows in FRESH.values() for row in rows):
        entries = " ".join(finding.text for finding in extract(row[1]))
        assert all(sentence in entries for sentence in row[3:]), row[1]


def test_most_requests_of_other_writers_are_found_and_hardly_anything_else() -> None:
    """The floor is the result at first sight: everyday words for a request are candidates."""
    places = sorted((CORPORA / "messages.held-out").glob("*.jsonl"))
    rows = [json.loads(line) for place in places for line in place.read_text("utf-8").splitlines()]
    kinds = [row["kind"] for row in rows if extract(row["text"])]
    plain = [row for row in rows if row["kind"] == "request" and not row["hard"]]
    assert kinds.count("none") <= 0.025 * sum(row["kind"] == "none" for row in rows)
    assert sum(bool(extract(row["text"])) for row in plain) >= 0.85 * len(plain)


def test_a_quote_is_letter_for_letter_an_entry_short_and_no_secret_is_shown() -> None:
    for text in EVERY:
        for finding in (*extract(text), *extract(f"{text} My api key is {KEY}.")):
            assert finding.quote in text
            assert 0 < len(finding.quote) <= LONGEST_QUOTE
            assert 0 < len(finding.text) <= LONGEST
            assert "\n" not in finding.text
            assert not secrets.find_secrets(finding.text)
            assert KEY not in finding.text
