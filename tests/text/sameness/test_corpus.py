"""On pairs that were written apart from the rules, nothing is merged that must not be."""

import tomllib
from pathlib import Path

from clawgit.text.similarity import compare

PAIRS = tomllib.loads((Path(__file__).parents[3] / "corpora/sameness.toml").read_text("utf-8"))["pair"]


def test_no_contradiction_is_merged():
    wrong = [
        pair["id"] for pair in PAIRS if pair["kind"] != "same" and compare(pair["a"], pair["b"]).relation == "same"
    ]
    assert wrong == []


def test_contradictions_are_candidate_conflicts():
    found = [compare(pair["a"], pair["b"]).relation for pair in PAIRS if pair["kind"] == "contradiction"]
    assert found.count("conflict") / len(found) > 0.97


def test_a_paraphrase_is_left_to_a_reader():
    found = [compare(pair["a"], pair["b"]).relation for pair in PAIRS if pair["kind"] == "same"]
    assert found.count("same") == 4
