"""Repairs words that stand nowhere."""

import re
import sqlite3
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clawgit.search.keyword import Term

_CUTOFF = 0.74
_SURE = 0.85
_MOST = 2
_NARROW = 0.1
_LOOKED_AT = 8
_SHORTEST = 3
_LIKELY = 0.04
_ENDINGS = ("s", "ed", "d")
_VOWELS = re.compile(r"[aeiouäöüáéíóúàèìòùâêîôû]+")
_TWICE = re.compile(r"(.)\1+")


def near(
    connection: sqlite3.Connection, word: str, known: "Callable[[Sequence[str]], Mapping[str, Term]]"
) -> "list[Term]":
    """Return up to two words of the index that `word` may be a slip for; `known` tells which stand anywhere.

    An ending that the index has not is left out, where nothing else is near.
    """
    if len(word) < _SHORTEST or not word.isalpha():
        return []
    forms = (word, *(word.removesuffix(end) for end in _ENDINGS if word.endswith(end) and len(word) > _SHORTEST + 1))
    return next((found for form in forms if (found := _near(connection, form, known))), [])


def _near(
    connection: sqlite3.Connection, word: str, known: "Callable[[Sequence[str]], Mapping[str, Term]]"
) -> "list[Term]":
    """Return the words that differ by letters left out, added, exchanged or swapped, of about the same length.

    People hit the first letter right: another one is taken only where the rest fits well. Of three letters one was
    left out, else too much is near.
    """
    from rapidfuzz import process  # noqa: PLC0415 - most words are spelt as they stand
    from rapidfuzz.distance import DamerauLevenshtein  # noqa: PLC0415

    least = len(word) + 1 if len(word) == _SHORTEST else len(word) - 2
    rows = connection.execute("SELECT word FROM spelling WHERE length(word) BETWEEN ? AND ?", (least, len(word) + 2))
    scorer = DamerauLevenshtein.normalized_similarity
    found = process.extract(word, sorted(row[0] for row in rows), scorer=scorer, score_cutoff=_CUTOFF, limit=_LOOKED_AT)
    found = [row for row in found if row[1] >= _SURE or row[0][0] == word[0] or row[0][:2] == word[1::-1]]
    terms = known([one for one, _, _ in found])
    live = [(score + _likely(word, one), terms[one]) for one, score, _ in found if one in terms and terms[one].times]
    live.sort(key=lambda pair: (-pair[0], -pair[1].times, pair[1].word))
    return [term for score, term in live[:_MOST] if score >= live[0][0] - _NARROW]


def _likely(word: str, other: str) -> float:
    """Return a little for slips that are made more often: a letter doubled or not, a vowel for another, two swapped."""
    same = _TWICE.sub(r"\1", word) == _TWICE.sub(r"\1", other) or sorted(word) == sorted(other)
    return _LIKELY if same or _VOWELS.sub("a", word) == _VOWELS.sub("a", other) else 0.0


def meant(word: str, others: Collection[str]) -> str | None:
    """Return the first by letters of the words of four letters and more that `word` is one slip away from, if any."""
    from rapidfuzz.distance import DamerauLevenshtein  # noqa: PLC0415 - as above

    if len(word) < _SHORTEST or not word.isalpha():
        return None
    near = (one for one in others if len(one) > _SHORTEST and abs(len(one) - len(word)) < 2)  # noqa: PLR2004 - one slip
    return min((one for one in near if DamerauLevenshtein.distance(word, one, score_cutoff=1) == 1), default=None)
