"""Standing orders, and their look-alikes."""

import tomllib
from pathlib import Path

from clawgit.language.own_words import rules


def test_half_of_the_orders_of_the_corpus_are_found() -> None:
    corpus = tomllib.loads((Path(__file__).parents[2] / "corpora/conduct.toml").read_text("utf-8"))["held-out"]
    hits = [bool(place) for text, place in corpus if list(rules(text))]
    assert sum(hits) >= 15
    assert hits.count(False) <= 4
