"""Standing orders, and what only looks like them."""

import tomllib
from pathlib import Path

import pytest

from clawgit.language.standing_rules import rules


@pytest.mark.parametrize(
    "text",
    [
        "Never mind.",
        "I will never answer that mail.",
        "Can you always answer in German?",
        "我以后会回答的。",
        "> Never use emojis.",
        "```\nNever use emojis.\n```",
    ],
)
def test_what_orders_nothing_is_no_rule(text: str) -> None:
    assert list(rules(text)) == []


@pytest.mark.parametrize(
    "text", ["No me propongas nunca quesos con cuajo animal.", "No compartas nunca datos bancarios."]
)
def test_a_word_of_another_language_does_not_hide_an_order(text: str) -> None:
    assert list(rules(text)) == [(0, len(text))]


def test_half_of_the_orders_of_the_corpus_are_found() -> None:
    corpus = tomllib.loads((Path(__file__).parents[2] / "corpora/conduct.toml").read_text("utf-8"))["held-out"]
    hits = [bool(place) for text, place in corpus if list(rules(text))]
    assert sum(hits) >= 15
    assert hits.count(False) <= 4
