"""On pairs that were written apart from the rules, nothing is merged that must not be."""

import tomllib
from pathlib import Path

from clawgit.text.similarity import is_same_note

PAIRS = tomllib.loads((Path(__file__).parents[3] / "corpora/sameness.toml").read_text("utf-8"))["pair"]


def test_no_contradiction_is_merged():
    wrong = [pair["id"] for pair in PAIRS if pair["kind"] != "same" and is_same_note(pair["a"], pair["b"])]
    assert wrong == []


def test_a_paraphrase_is_left_to_a_reader():
    assert sum(is_same_note(pair["a"], pair["b"]) for pair in PAIRS if pair["kind"] == "same") == 4
