"""There is one detector of languages."""

import tomllib
from pathlib import Path

import pytest

from clawgit.language import date_mentions, detect

CORPORA = Path(__file__).parents[2] / "corpora"
SENTENCES = tomllib.loads((CORPORA / "languages.toml").read_text("utf-8"))


def test_short_sentences_that_were_written_apart_are_told() -> None:
    wrong = {said for iso, row in SENTENCES.items() for said in row if detect.detect(said) != iso}
    assert len(wrong) <= 10


@pytest.mark.parametrize(
    "text", ["Der Kaffee hier im Automaten schmeckt nicht.", "Baumann AG|1280", "he left ages ago", "De segunda mano."]
)
def test_a_word_of_another_language_is_no_date(text: str) -> None:
    assert date_mentions.find_dates(text) == ()


def test_what_users_say_in_chats_is_told() -> None:
    """Turns that were written for another purpose: "" counts as wrong here, though English is then taken."""
    said = [
        (one["lang"], turn["text"])
        for file in ("corrections", "corrections.fresh", "corrections.third")
        for one in tomllib.loads((CORPORA / f"{file}.toml").read_text("utf-8"))["dialogue"]
        for turn in one["turns"]
        if turn["who"] == "user"
    ]
    right = sum(detect.detect(text) == iso for iso, text in said)
    assert right >= 740
