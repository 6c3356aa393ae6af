"""Compares the meaning of two notes."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from functools import lru_cache
from itertools import accumulate, chain
from typing import Generic, TypeVar

from clawgit.language import own_words, values
from clawgit.language.own_words import straighten_quotes
from clawgit.language.values import CLOSE, LANGUAGES, MONEY, OPEN, unit_words

Key = TypeVar("Key", bound=Hashable)


def make_word_bag(text: str) -> frozenset[str]:
    """Return the words of a table."""
    return frozenset(text.split())


NEGATIONS = own_words.denial_words(LANGUAGES) | make_word_bag("❌ 🚫 ⛔")
_ARTICLES = make_word_bag(
    "a an the der die das den dem des ein eine einen einem einer eines el la los las un una unos unas le les"
)
_COPULAS = make_word_bag("is are am ist sind bin es son está están est sont")
_COMMAS = frozenset(",;.:!、。")
_MAX_CHARS = 2_000
"""Of a longer text, which is no note, the words are taken as they stand."""
_LEAD = re.compile(r"^(?:[-*+•·>]|#{1,6})[ \t]+(?=[^\s\d])", re.MULTILINE)
_EMPHASIS = re.compile(r"(?<!\w)_+(?=\w)|(?<=\w)_+(?!\w)")
# Vowel signs and other marks, as of Hindi or Thai, are no letters to `\w`.
_MARKS = (
    r"\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u0900-\u0963\u0966-\u0e4e\u0eb0-\u0ecd\u1000-\u1049\u1780-\u17d3"
)
_WORD = rf"[\w{_MARKS}]+"
_TOKEN = re.compile(
    "|".join(
        (
            rf"{OPEN}[^{CLOSE}]*{CLOSE}",
            r"https?://\S*[^\s.,;:!?)\]}'\"]",
            r"(?<!\S)--?[A-Za-z][\w-]*",
            r"(?<!\w)[@#]\w+",
            r"(?<![\w)])[-−]\d+(?:\.\d+)*(?!\w)",  # noqa: RUF001 - minus
            r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w,])|\d+,\d+(?!\w)",
            rf"(?:(?<!\w)[.~]{{0,2}}/)?{_WORD}(?:[./_@:\\'+-]+{_WORD})*(?:\+\+|\#(?!\w))?(?:/(?!\S))?",
            r"[!=<>]=|[-=]>|&&|\[ \]|[\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]",
            r"[<>≤≥=≠≈~%+×^&|?$€£¥°/@,;.:–!¬、。]",  # noqa: RUF001 - the marks are meant
        )
    )
)
_LETTER = re.compile("[\u3005-\u3007\u3041-\u309f\u30a1-\u30fa\u30fd-\u30ff\u3400-\u4dbf\u4e00-\u9fff]ー?")
_ATOM = re.compile(r"[DTM][\d-]|W\d$|#-?[\d.]+$")
_SHORT_NOT = re.compile(r"(?:(ca|wo|sha)|(\w+))n't|(can)not")
_SHORT_VERB = re.compile(r"(\w+)'(?:re|m)")


@lru_cache(maxsize=16_384)
def read_note_words(text: str) -> tuple[str, ...]:
    """Return the words of a note in one form."""
    if len(text) > _MAX_CHARS:
        return tuple(text.casefold().split())
    plain = _EMPHASIS.sub("", _LEAD.sub("", straighten_quotes(text).strip()))
    plain = values.mark_values(" ".join(unicodedata.normalize("NFKC", plain).split()))
    raw = [word.strip(f"{OPEN}{CLOSE}") for word in _TOKEN.findall(_LETTER.sub(r" \g<0> ", plain))]
    words: list[str] = []
    for index, word in enumerate(raw):
        _add_meaning(words, word, after_digit=index > 0 and raw[index - 1][-1].isdigit())
    return tuple(word for word in words if word != "=")


def _add_meaning(row: list[str], word: str, *, after_digit: bool) -> None:
    """Add the meaning of a word; `no,` answers, and `is called` is not the meaning of `called`."""
    lower = word if _ATOM.match(word) else word.casefold()
    denied, short = _SHORT_NOT.fullmatch(lower), _SHORT_VERB.fullmatch(lower)
    if lower in _COMMAS:
        row[-1:] = [f"{token}!" if token in NEGATIONS else token for token in row[-1:]]
    elif denied:
        row += [{"ca": "can", "wo": "will", "sha": "shall"}.get(denied[1], "") or denied[2] or "can", "not"]
    elif lower in _COPULAS:
        row.append("=")
    elif row[-1:] == ["="] and lower.endswith("ed"):
        row[-1:] = ["is", lower]
    elif row and row[-1] in MONEY and lower[0] == "#":
        row[-1:] = [lower, unit_words()[row[-1]]]
    elif lower not in _ARTICLES:
        unit = (unit_words().get(word) or unit_words().get(lower)) if after_digit else None
        row.append(unit or (short[1] if short else lower))


# ---- two notes


def is_same_note(note: str, other: str) -> bool:
    """Return whether two notes have the same words, numbers, days and denials in one order. Like is not same."""
    return normalise_note(note) == normalise_note(other)


def find_leftovers(words: Sequence[str], other: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the words that each has and the other has not."""
    mine, theirs = Counter(words), Counter(other)
    return list((mine - theirs).elements()), list((theirs - mine).elements())


def normalise_note(text: str) -> tuple[str, ...]:
    """Return what notes that say the same have in common, and no others."""
    return read_note_words(text) or tuple(text.split())


# ---- many notes

_MAX_VISITS = 1_500
"""Places of words that a search looks at, beyond those of the rarest word."""


class NoteIndex(Generic[Key]):
    """Notes by their words. `near` finds each note that may say the same, and others that are alike."""

    def __init__(self) -> None:
        self._notes: list[tuple[Key, int]] = []
        self._places: defaultdict[str, list[int]] = defaultdict(list)

    def add(self, key: Key, text: str) -> None:
        """Take in a note under a key of its own."""
        words = frozenset(normalise_note(text))
        for word in words:
            self._places[word].append(len(self._notes))
        self._notes.append((key, len(words)))

    def near(self, text: str, most: int = 20) -> list[Key]:
        """Return the keys of similar notes, best first: `most` of them, and all that may be the same.

        Of two equally similar ones the first added comes first.
        """
        place_lists = sorted((self._places.get(word, []) for word in frozenset(normalise_note(text))), key=len)
        visits = zip(place_lists, accumulate(map(len, place_lists)), strict=True)
        # Rare words come first: common ones cost most and distinguish least.
        searched = [places for places, total in visits if total <= _MAX_VISITS] or place_lists[:1]
        hits = Counter(chain.from_iterable(searched))

        def rank(place: int) -> tuple[float, int]:
            sizes = len(place_lists), self._notes[place][1]
            return -hits[place] * min(sizes) / max(sizes), place

        ranking = sorted(hits, key=rank)
        nearest = (place for number, place in enumerate(ranking) if number < most or hits[place] == len(searched))
        return [self._notes[place][0] for place in nearest]
