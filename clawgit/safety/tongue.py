"""Words of a text."""
# ruff: noqa: RUF001 -- words in their own scripts

from __future__ import annotations

import re
from functools import cache, lru_cache

REMEMBERED = 4096  # sentences
WIDE = "[\u2e80-\u9fff\uf900-\ufaff]"  # scripts without spaces
_STEM = 5  # letters that a word keeps when it is bent
_BARE = (  # words that carry nothing, and those that only stress
    "the a an of to and or your you it is are in on at for that this with any period always never ever not do"
    " der die das ein eine und oder zu du dein ist im in el la los las un una de y o tu en le les des du et ou ton ta"
    " e um uma os as punkt punto point ponto и или в на с по точка"
)


def key(text: str) -> str:
    """Return the bare words of plain text."""
    return " ".join(re.sub(r"[\W_]+", " ", text).split())


@lru_cache(maxsize=REMEMBERED)
def tokens(text: str) -> frozenset[str]:
    """Return the beginnings of the words of `text`, pairs of letters where a script has no spaces."""
    found: set[str] = set()
    for word in key(text).split():
        if re.search(WIDE, word):
            found.update(word[at : at + 2] for at in range(max(1, len(word) - 1)))
        elif word not in _small(_BARE):
            found.add(word[:_STEM])
    return frozenset(found)


@cache
def _small(words: str) -> frozenset[str]:
    return frozenset(words.split())
