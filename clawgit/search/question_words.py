"""The words, days and speakers of a question."""

import re
import sqlite3
import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING

from msgspec import Struct

from clawgit.language import lexicon

if TYPE_CHECKING:
    from clawgit.language.dates import Span

_LETTERS = (
    r"\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    r"\U00020000-\U0003ffff\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3"
)
_RUN = f"[{_LETTERS}]+"  # compiled where it is wanted: that takes 2 ms


class Term(Struct, frozen=True):
    """A searched term: `query` as FTS5 takes it, `weight` by its rarity.

    `times` counts the texts that have it; `exact` is False for a corrected spelling. `root` is the begin of the words
    with its stem, in a plain text; letters of scripts without spaces match anywhere.
    """

    word: str
    stem: str
    query: str
    times: int
    weight: float
    root: str
    exact: bool = True


def has_script(text: str) -> bool:
    """Return whether any of a text is in such a script."""
    return not text.isascii() and bool(re.search(_RUN, text))


def strip_question_words(text: str) -> str:
    """Return the rest of a text."""
    return text if text.isascii() else re.sub(_RUN, " ", text)


def emoji(text: str) -> list[str]:
    """Return a word for each emoji, as FTS5 takes it: its tokenizer skips characters that are no letters."""
    if text.isascii():
        return []
    return [f"emoji{ord(letter):x}" for letter in text if letter > "\u2100" and unicodedata.category(letter) == "So"]


_CAMEL = re.compile(r"(?<![^\W_])[A-Za-z]*[a-z][A-Z]\w*")
_JOINT = re.compile(r"[A-Z](?<=[a-z][A-Z])")  # capitals are few: they are looked for first
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def camel_parts(text: str) -> list[str]:
    """Return the parts of names in camel case: `get`, `User`, `By`, `Id`."""
    if not _JOINT.search(text):
        return []
    return [part for name in _CAMEL.findall(text) for part in _HUMP.findall(name)]


def grams(text: str) -> list[str]:
    """Return every pair of neighbouring letters, and the last letter of each run, so that one letter finds all.

    Emoji are found beside them.
    """
    if text.isascii():
        return []
    pairs = emoji(text)
    for run in re.findall(_RUN, text):
        pairs += [run[index : index + 2] for index in range(len(run))]
    return pairs


def list_asked_pairs(text: str) -> list[str]:
    """Return the pairs to look for; a run of one letter stands for every pair that begins with it."""
    if text.isascii():
        return []
    faces = list(dict.fromkeys(emoji(text)))
    if faces and not has_script(text):
        return faces
    runs = re.findall(_RUN, _cut_small_words(text)) or re.findall(_RUN, text)
    long = [run for run in runs if len(run) > 1]
    pairs = [run[index : index + 2] for run in long for index in range(len(run) - 1)]
    return faces + (list(dict.fromkeys(pairs)) if pairs else [f"{run}*" for run in dict.fromkeys(runs)])


def _cut_small_words(text: str) -> str:
    """Return a Chinese text without its small words. Japanese ones are part of others, and one letter may be, too."""
    if lexicon.detect(text) != "zh":
        return text
    return re.sub("|".join(sorted((word for word in _list_small("zh") if len(word) > 1), key=len)[::-1]), " ", text)


_FEWEST = 2


def stop_words(text_words: Collection[str]) -> frozenset[str]:
    """Return the stop words in a text of these words: those of English, and of its own language.

    Another language counts only with two of its small words: `die` and `war` mean something.
    """
    iso = lexicon.detect(" ".join(text_words))
    english = _list_small("en").union(lexicon.words("en", "search", "framing"))
    small_words = _list_small(iso) if iso not in {"", "en"} else frozenset[str]()
    return english | small_words if sum(word in small_words for word in text_words) >= _FEWEST else english


def _list_small(iso: str) -> frozenset[str]:
    """Return the small words of a language but for those of thanks and greetings: a card may be a thank you card."""
    return lexicon.small_words(iso).difference(lexicon.words(iso, "search", "chatter"))


_CUTOFF = 0.74
_SURE = 0.85
_MOST_REPAIRS = 2
_NARROW = 0.1
_LOOKED_AT = 8
_SHORTEST = 3


def find_near_terms(
    connection: sqlite3.Connection, word: str, look_up: Callable[[Sequence[str]], Mapping[str, Term]]
) -> list[Term]:
    """Return up to two words of the index that `word` may be a slip for.

    `look_up` tells which stand anywhere. They differ by letters left out, added, exchanged or swapped, and are of about
    the same length. People hit the first letter right: another one is taken only where the rest fits well. Of three
    letters one was left out, else too much is near.
    """
    if len(word) < _SHORTEST or not word.isalpha():
        return []
    from rapidfuzz import process  # noqa: PLC0415 - most words are spelt as they stand
    from rapidfuzz.distance import DamerauLevenshtein  # noqa: PLC0415

    shortest = len(word) + 1 if len(word) == _SHORTEST else len(word) - 2
    query = "SELECT word FROM spelling WHERE length(word) BETWEEN ? AND ? ORDER BY word"
    others = [row[0] for row in connection.execute(query, (shortest, len(word) + 2))]
    scorer = DamerauLevenshtein.normalized_similarity
    near = process.extract(word, others, scorer=scorer, score_cutoff=_CUTOFF, limit=_LOOKED_AT)
    near = [row for row in near if row[1] >= _SURE or row[0][0] == word[0] or row[0][:2] == word[1::-1]]
    terms = look_up([name for name, _, _ in near])
    live = [(score, terms[name]) for name, score, _ in near if name in terms and terms[name].times]
    live.sort(key=lambda pair: (-pair[0], -pair[1].times, pair[1].word))
    return [term for score, term in live[:_MOST_REPAIRS] if score >= live[0][0] - _NARROW]


_WORD = re.compile(r"[^\W_]+")
_MAX_QUESTION_WORDS = 60
"""Words of a question that are looked at; who pastes a page means its beginning."""
_MARKS = re.compile(r"[\u0300-\u036f]")
_SPACED = bytes(code if chr(code).isalnum() else ord(" ") for code in range(128)).ljust(256)
"""A space for what is no part of a word in ASCII: each text that is indexed is cut so, and a table is twice as fast."""
_PLAIN = str.maketrans(
    dict.fromkeys("\u2018\u2019\u02bc`", "'")
    | {"ß": "ss", "ẞ": "SS", "ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ħ": "h", "\u0131": "i"}
    | {"æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "þ": "th", "ð": "d"}
)
"""Typographic apostrophes, and letters that a keyboard of another country lacks."""


def fold(text: str) -> str:
    """Return a text in one way of writing: full width as half, apostrophes and letters such as ß as typed anywhere."""
    return text if text.isascii() else unicodedata.normalize("NFKC", text).translate(_PLAIN)


def list_words(text: str) -> list[str]:
    """Return all words in lower case, in order; those of scripts without spaces are left out."""
    return _WORD.findall(strip_question_words(fold(text)).lower())


def plain(text: str) -> str:
    """Return the words of a text in lower case between spaces, without punctuation and diacritics."""
    if text.isascii():
        return f" {b' '.join(text.lower().encode().translate(_SPACED).split()).decode()} "
    text_folded = fold(text).lower()
    text_folded = unicodedata.normalize("NFC", _MARKS.sub("", unicodedata.normalize("NFD", text_folded)))
    return f" {' '.join(_WORD.findall(text_folded))} "


def content(question: str) -> list[str]:
    """Return the content words, each once; all of them if there is none but the question word."""
    unique_words = list(dict.fromkeys(list_words(question)))
    ignored = stop_words(unique_words)
    return ([word for word in unique_words if word not in ignored] or unique_words)[:_MAX_QUESTION_WORDS]


_MOST_LETTERS = 2_000
"""Letters of a question in which dates are looked for."""


_DATE_FORMS = frozenset(("day", "month", "year", "slashed", "weekday"))
"""Forms of a date that a text may have in the same words: they are searched for, too."""


def find_dates(question: str, today: date) -> "tuple[tuple[Span, ...], str, frozenset[str]]":
    """Return the days, weeks, months and years in a question, relative to `today`, in order.

    A question asks about the past: a weekday alone is the last one, and so is a month. The second part is the question
    without relative words, as in `3 days ago`; the third are the words of a day that stay.
    """
    from clawgit.language import date_mentions, dates  # noqa: PLC0415 - 5 ms, for those who search alone

    text = question[:_MOST_LETTERS]
    mentions = [mention for mention in date_mentions.find_dates(text) if mention.sure]
    spans = dates.spans(mentions, today, past=date_mentions.is_about_past(text)) if mentions else ()
    rest, stay = question, set[str]()
    for mention in reversed(mentions if spans else ()):
        if mention.form in _DATE_FORMS:
            stay.update(list_words(question[mention.start : mention.end]))
        elif mention.form != "habit":
            rest = f"{rest[: mention.start]} {rest[mention.end :]}"
    return spans, rest, frozenset(stay)


class Cues(Struct, frozen=True):
    """Days in a question; `voice` is the intended speaker, "" for none or several of those `named`.

    `rest` is the question without relative days, `days` are words of a day in it.
    """

    spans: "tuple[Span, ...]" = ()
    voice: str = ""
    named: frozenset[str] = frozenset()
    rest: str = ""
    days: frozenset[str] = frozenset()


def find_cues(question: str, today: date, find_voices: Callable[[Collection[str]], frozenset[str]]) -> Cues:
    """Return the cues of a question; `find_voices` returns those of some names that are speakers."""
    text = fold(question)
    names = find_voices({word for word in list_words(text)[:60] if len(word) > 1})
    spans, rest, days = find_dates(text, today)
    return Cues(spans, min(names) if len(names) == 1 else "", names, rest, days)


_NAME = re.compile(r"([^\W\d_]+)(?:['\u2019]s)?\b")


def drop_speakers(question: str, find_voices: Callable[[Collection[str]], frozenset[str]]) -> str:
    """Return a question without the names of speakers in conversations, if anything is left of it.

    Half of the lines have the name, and its vector is near to all of them: on conversations without it vectors alone
    found .78 of the evidence, with it .71.
    """
    left = _NAME.sub(lambda word: "" if find_voices([word[1].lower()]) else word[0], question)
    return " ".join(left.split()) if _NAME.search(left) else question
