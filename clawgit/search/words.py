"""The words that a question is about."""

import re
import unicodedata
from collections.abc import Collection, Mapping
from itertools import pairwise

from clawgit.search import cjk, spelling, stop
from clawgit.search.framing import framing, vocabulary

_WORD = re.compile(r"[^\W_]+")
_MOST = 60
"""Words of a question that are looked at; who pastes a page means its beginning."""
_MARKS = re.compile(r"[\u0300-\u036f]")
_PLAIN = str.maketrans(dict.fromkeys("\u2018\u2019\u02bc`", "'"))


def fold(text: str) -> str:
    """Return a text in one way of writing: full width as half, typographic apostrophes as plain."""
    return text if text.isascii() else unicodedata.normalize("NFKC", text).translate(_PLAIN)


def words(text: str) -> list[str]:
    """Return all words in lower case, in order; those of scripts without spaces are left out."""
    return _WORD.findall(cjk.without(fold(text)).lower())


def plain(text: str) -> str:
    """Return the words of a text in lower case between spaces, without punctuation and diacritics."""
    said = fold(text).lower()
    if not said.isascii():
        said = unicodedata.normalize("NFC", _MARKS.sub("", unicodedata.normalize("NFD", said)))
    return f" {' '.join(_WORD.findall(said))} "


def content(question: str) -> list[str]:
    """Return the words that say something, each once; all of them where none does but the one that asks."""
    found = list(dict.fromkeys(words(question)))
    passed = stop.words(found) | framing(fold(question))
    return ([word for word in found if word not in passed] or found)[:_MOST]


def small(question: str) -> list[str]:
    """Return the words that `content` leaves out, and that may still tell one text from another."""
    found = list(dict.fromkeys(words(question)))
    telling = stop.telling(found) | framing(fold(question))
    return [word for word in found if word in telling and word not in content(question)][:_MOST]


def spelt(question: str, unknown: Collection[str]) -> str:
    """Return a question with the words that only ask put right, where they stand among those that are `unknown`.

    What begins with a capital inside of a question is a name. A question that has nothing else is left as it is.
    """
    if not unknown:
        return question
    others = stop.words(words(question)) | vocabulary()
    right = {word: good for word in unknown if word not in others and (good := spelling.meant(word, others))}
    if not right:
        return question
    said = _exchanged(question, right)
    asking = stop.words(words(said)) | framing(fold(said))
    said = _exchanged(question, {word: good for word, good in right.items() if good in asking})
    return said if set(words(said)) - asking else question


def _exchanged(question: str, right: Mapping[str, str]) -> str:
    def put(one: "re.Match[str]") -> str:
        word = one[0]
        return word if one.start() and word[0].isupper() else right.get(word.lower(), word)

    return _WORD.sub(put, question)


def joined(question: str) -> list[str]:
    """Return neighbouring content words as one, as in `icecream`: people write it either way."""
    found = words(question)[: 2 * _MOST]
    stops = stop.words(found)
    good = (one + two for one, two in pairwise(found) if not {one, two} & stops and (one + two).isalpha())
    return list(dict.fromkeys(good))[:_MOST]


def keyword(word: str) -> bool:
    """Tell whether a word looks like a name for one thing: an error code, a version, an address."""
    return any(letter.isdigit() for letter in word) and len(word) > 2  # noqa: PLR2004 - not a day or an hour
