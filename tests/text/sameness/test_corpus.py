"""On pairs that were written apart from the rules, nothing is merged that must not be."""

import tomllib
from pathlib import Path

from clawgit.text.sameness.relation import compare

PAIRS = tomllib.loads((Path(__file__).parents[3] / "corpora/sameness.toml").read_text("utf-8"))["pair"]
FOUND = 0.28
"""The share of pairs of one meaning that words alone must find; they found 0.08 before anyone had read the pairs."""


def test_no_contradiction_is_merged():
    wrong = [
        pair["id"] for pair in PAIRS if pair["kind"] != "same" and compare(pair["a"], pair["b"]).relation == "same"
    ]
    assert wrong == []


def test_contradictions_are_candidate_conflicts():
    found = [compare(pair["a"], pair["b"]).relation for pair in PAIRS if pair["kind"] == "contradiction"]
    assert found.count("conflict") / len(found) > 0.97


def test_what_says_the_same_is_found_as_far_as_words_go():
    found = [compare(pair["a"], pair["b"]).relation for pair in PAIRS if pair["kind"] == "same"]
    assert found.count("same") / len(found) > FOUND
