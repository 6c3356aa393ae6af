"""There is one detector of languages."""

import tomllib
from pathlib import Path

from clawgit.language import lexicon

CORPORA = Path(__file__).parents[2] / "corpora"
SENTENCES = tomllib.loads((CORPORA / "languages.toml").read_text("utf-8"))


def test_short_sentences_that_were_written_apart_are_told() -> None:
    wrong = {sentence for iso, row in SENTENCES.items() for sentence in row if lexicon.detect(sentence) != iso}
    assert len(wrong) <= 10
