"""Reads a note of any language."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import Generic, TypeVar

from clawgit.language.detect import eastern, language
from clawgit.text.sameness import note_values, rephrasing, western_notes, word_order
from clawgit.text.sameness.note import Reading, undressed
from clawgit.text.sameness.note_values import CLOSE, OPEN, length

_TOKEN = re.compile(
    "|".join(
        (
            rf"{OPEN}[^{CLOSE}]*{CLOSE}",
            r"https?://\S*[^\s.,;:!?)\]}'\"]",
            r"(?<!\S)--?[A-Za-z][\w-]*",
            r"(?<!\w)[@#]\w+",
            r"(?<![\w)])[-−]\d+(?:\.\d+)*(?!\w)",  # noqa: RUF001 - minus
            r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w,])|\d+,\d+(?!\w)",
            r"(?:(?<!\w)[.~]{0,2}/)?\w+(?:[./_@:\\'+-]+\w+)*(?:\+\+|\#(?!\w))?(?:/(?!\S))?",
            r"[!=<>]=|[-=]>|&&|[\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]",
            r"[<>≤≥=≠≈~%+×^&|?$€£¥°/@,;.:–!\ue000-\ue002¬、。]",  # noqa: RUF001 - the marks are meant
        )
    )
)
_DATE_PREFIX = re.compile(rf"[\s(\[]*{OPEN}(D[^{CLOSE}]*){CLOSE}\s*(?:[:\])–,]|-\s)[\s:–-]*(?=\S)")  # noqa: RUF001
_DATEABLE = re.compile(
    r"\d|o'?clock|noon|midday|midnight|[ap]\.?m\b|half past|quarter|in the (?:morn|aft|even)|medi|minuit|Mitt",
    re.IGNORECASE,
)
_PAGE = 2_000
"""Letters from which on a text is taken as it stands: reading would take long and say little."""


@lru_cache(maxsize=16_384)
def read(text: str) -> Reading:
    """Return what a note says, in one way of writing; of a page, which is no note, the words as they stand."""
    if len(text) > _PAGE:
        words = tuple(text.casefold().split())
        return Reading(words, words, "")
    plain = undressed(text)
    reading: Callable[[list[str], str, str], Reading] = western_notes.reading
    if eastern(plain):
        from clawgit.text.sameness import asian_notes  # noqa: PLC0415 - many have no such note

        lang, plain = asian_notes.plain(plain)
        reading = asian_notes.reading
    else:
        lang = language(plain, western_notes.LANGUAGES)
        plain = note_values.timed(note_values.dated(plain, lang), lang) if _DATEABLE.search(plain) else plain
    day = _DATE_PREFIX.match(plain)
    raw = [
        word.strip(f"{OPEN}{CLOSE}") if word[0] == OPEN else word
        for word in _TOKEN.findall(plain, day.end() if day else 0)
    ]
    return reading(raw, lang, day[1] if day else "")


Key = TypeVar("Key", bound=Hashable)
_VISITS = 1_500
"""Places of words that a search looks at, beyond those of the rarest word."""


class Known(Generic[Key]):
    """Notes by their words. `near` finds each note that `compare` may call the same, and others that are alike."""

    def __init__(self) -> None:
        self._where: defaultdict[str, list[Key]] = defaultdict(list)
        self._sizes: dict[Key, int] = {}
        self._places: dict[Key, int] = {}

    def add(self, key: Key, text: str) -> None:
        """Take in a note under a key of its own."""
        words = _words(text)
        self._sizes[key] = len(words)
        self._places.setdefault(key, len(self._places))
        for trait in {trait for word in words for trait in word_order.traits(word)}:
            self._where[trait].append(key)

    def near(self, text: str, most: int = 20) -> list[Key]:
        """Return the keys of notes like this one, best first: `most` of them, and all that may say the same.

        Of two that are equally like it, that comes first which was taken in first.
        """
        words = sorted((not sure, self._count(word), word) for word, sure in _words(text).items())
        size = len(words)
        hits: Counter[Key] = Counter()
        certain: Counter[Key] = Counter()
        looked = visits = 0
        for unsure, count, word in words:
            visits += count
            if looked and visits > _VISITS:
                break
            found = {key for trait in word_order.traits(word) for key in self._where.get(trait, ())}
            hits.update(found)
            if not unsure:
                certain.update(found)
                looked += 1
        sizes, places = self._sizes, self._places
        likely = sorted(hits, key=lambda key: (-hits[key] * min(size, sizes[key]) / max(size, sizes[key]), places[key]))
        return [key for at, key in enumerate(likely) if at < most or certain[key] == looked]

    def _count(self, word: str) -> int:
        return sum(len(self._where.get(trait, ())) for trait in word_order.traits(word))


def _words(text: str) -> dict[str, bool]:
    """Return the words of a note, and whether every note that says the same has them in some form."""
    note = read(text)
    lasting = any(map(length, note.words))
    found = {word: not (rephrasing.passing(word) or (lasting and word[0] == "#")) for word in note.words}
    found = {word: sure for word, sure in found.items() if not word_order.weak(word)}
    if any(found.values()):
        return found
    return found | {f"∅{' '.join(text.split()) if not note.words else ''}": True}
