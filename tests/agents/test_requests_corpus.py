"""What is asked for is kept, whole; `benchmarks/memory/requests.py` prints the table."""

import json
import tomllib
from pathlib import Path

from clawgit.reading.explicit_requests import LONGEST, LONGEST_QUOTE, extract
from clawgit.safety import secrets

CORPORA = Path(__file__).resolve().parents[2] / "corpora"
KEY = "sk-proj-" + "Zk3vQ9mT2xLr8WbN5cYh" * 2
ROWS = [row for group in tomllib.loads((CORPORA / "requests.toml").read_text("utf-8")).values() for row in group]
FRESH = tomllib.loads((CORPORA / "requests.fresh.toml").read_text("utf-8"))["second"]
EVERY = [text.replace("{key}", KEY) for by, text, *_ in ROWS if by == "operator"]


def test_a_request_that_is_found_is_whole_and_shows_no_secret() -> None:
    """Covers P1 and A3."""
    for by, text, _, *words in ROWS:
        findings = extract(text.replace("{key}", KEY)) if by == "operator" else ()
        missing = [word for word in words if word in text and not any(word in one.text for one in findings)]
        assert not (findings and missing), text
    for row in (row for rows in FRESH.values() for row in rows):
        entries = " ".join(one.text for one in extract(row[1]))
        assert all(sentence in entries for sentence in row[3:]), row[1]


def test_most_requests_of_other_writers_are_found_and_hardly_anything_else() -> None:
    """The floor is what was reached at first sight: everyday words for it are candidates."""
    places = sorted((CORPORA / "messages.held-out").glob("*.jsonl"))
    rows = [json.loads(line) for place in places for line in place.read_text("utf-8").splitlines()]
    kinds = [one["kind"] for one in rows if extract(one["text"])]
    plain = [one for one in rows if one["kind"] == "request" and not one["hard"]]
    assert kinds.count("none") <= 0.025 * sum(one["kind"] == "none" for one in rows)
    assert sum(bool(extract(one["text"])) for one in plain) >= 0.85 * len(plain)


def test_a_quote_is_letter_for_letter_an_entry_short_and_no_secret_is_shown() -> None:
    for text in EVERY:
        for one in (*extract(text), *extract(f"{text} My api key is {KEY}.")):
            assert one.quote in text
            assert 0 < len(one.quote) <= LONGEST_QUOTE
            assert 0 < len(one.text) <= LONGEST
            assert "\n" not in one.text
            assert not secrets.find_secrets(one.text)
            assert KEY not in one.text
