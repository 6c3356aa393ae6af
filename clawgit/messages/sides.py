"""Reads both sides of a correction."""

import re
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path

from msgspec import Struct

from clawgit.language import lexicon, values
from clawgit.language.sentences import sentences
from clawgit.language.values import content_words, equal, is_alike

_DATA = Path(__file__).parent / "data/sides.toml"
_pattern = partial(lexicon.pattern, _DATA, "sides")
_MAX_CHARS = 2_000
_MORE_WORDS = 2
_ARTICLES = frozenset(
    """a an the der die das den dem des ein eine einen einem einer le la les un une el los las una il lo gli o os as um
    uma het een""".split()  # noqa: SIM905 - a list of words would take a page
)
_POINT = "\u2024"
_EASTERN = f"[{lexicon.DENSE}\uff0c\uff1a\uff1b\u3001]"
_GAP = re.compile(rf"(?<={_EASTERN})[ \t]+(?=[0-9A-Za-z])|(?<=[0-9A-Za-z])[ \t]+(?={_EASTERN})")
"""A blank between letters of East Asia and others, which says nothing."""
_SINGLE_POINT = re.compile(r"(?<=\w)\.(?!\.)")


class Sides(Struct, frozen=True):
    """The wrong side in a text, the clause with the true one, and all of the text without the wrong one.

    `part` is its last sentence up to the end of both.
    """

    said: str
    clause: str
    positive: str
    part: str


def find_sides(text: str) -> Iterator[Sides]:
    """Yield the wrong and the true sides in a text, if it has both."""
    text = _GAP.sub("", text[:_MAX_CHARS])
    # Another mark for each point that ends no sentence: `Prof. Chen`, `11.5`, `relay.local`.
    ends = {sentence.end - 1 for sentence in sentences(text)}
    masked = _SINGLE_POINT.sub(lambda point: point[0] if point.start() in ends else _POINT, text)
    for form in (*_forms("spaced"), *(_forms("dense") if lexicon.eastern(text) else ())):
        for match in form.finditer(masked):
            wrong, clause = (_trim(match[side].replace(_POINT, ".")) for side in ("said", "true"))
            is_loose = not match.groupdict().get("mark", ",").strip() and not content_words(clause.rpartition(" ")[2])
            if clause and not is_loose and _has_content(wrong) and wrong.casefold() != clause.casefold():
                start, end = match.span("said")
                part = masked[: match.end()].rpartition(". ")[2].replace(_POINT, ".")
                yield Sides(wrong, clause, f"{text[:start]}\0{text[end:]}", part)


@cache
def _forms(key: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in lexicon.read_patterns_of(_DATA, "sides")[key])


def _has_content(side: str) -> bool:
    return bool(content_words(side) or values.find_values(side) or re.search(r"\d|\b[A-HJ-Z]\b|[^\x00-\x7f]", side))


def _trim(side: str) -> str:
    return _pattern("joint").sub("", side.strip(" \t\"'`*_()[]“”„«»"))


def strip_lead(phrase: str) -> str:
    """Return a side without the small words that lead to it."""
    first, _, rest = phrase.partition(" ")
    while rest and not (content_words(first) or values.find_values(first) or first[:1].isupper()):
        phrase = rest
        first, _, rest = phrase.partition(" ")
    return phrase


def read_pair(sides: Sides) -> tuple[str, str]:
    """Return the wrong value and the true one, "" if unclear, with fitting leads: `im Keller`, `in der Garage`."""
    phrase, clause = (_pattern("timely").sub("", side).strip() or side for side in (sides.said, sides.clause))
    wrong = strip_lead(phrase)
    old = values.read_value(wrong)
    others = [item for item in values.find_values(clause) if old and is_alike(item, old) and not equal(item, old)]
    texts = {value.canon: value.text for value in others}
    true = next(iter(texts.values())) if len(texts) == 1 else strip_lead(_find_words_like(wrong, clause))
    before = clause.rpartition(true)[0].split() if true else []
    count = next((number for number, word in enumerate(reversed(before)) if content_words(word)), len(before))
    lead, new = phrase.removesuffix(wrong).split(), before[len(before) - count :]
    if lead and new and lead[-1] != new[-1]:
        for number in range(len(new), 0, -1):
            are_articles = number == 1 and {lead[-1].casefold(), new[-1].casefold()} <= _ARTICLES
            if are_articles or lead[0][0].casefold() == new[-number][0].casefold():
                return " ".join((*(lead[-1:] if are_articles else lead), wrong)), " ".join((*new[-number:], true))
    return wrong, true


def _find_words_like(phrase: str, clause: str) -> str:
    """Return the words of a clause that are to take the place of the wrong ones, "" if that is unclear.

    They begin where the clause has a word of these; else they are those behind `is`, or the last ones of their shape.
    """
    old, words = phrase.split(), clause.split()
    lower = [word.casefold() for word in words]
    for number, word in enumerate(old):
        if word.casefold() in lower:
            start = len(words) - 1 - lower[::-1].index(word.casefold()) - number
            last = old[-1].casefold()
            end = len(words) - lower[::-1].index(last) if number < len(old) - 1 and last in lower else len(words)
            return " ".join(words[start:end]) if start >= 0 and 0 < end - start <= len(old) + _MORE_WORDS else ""
    shapes, old_shapes = [_shape(word) for word in words], [_shape(word) for word in old]
    rest = _pattern("copula").split(clause)[-1].split()
    if len(rest) < len(words) and len(rest) <= len(old) + _MORE_WORDS:
        kinds = {"a"} if {*old_shapes} == {"A"} else set()
        small = (n for n in range(len(rest), 0, -1) if not content_words(rest[n - 1]) or _shape(rest[n - 1]) in kinds)
        return " ".join(rest[next(small, 0) :] or rest)
    if {*old_shapes} == {"A"}:  # names may have more or fewer words
        end = next((number + 1 for number in reversed(range(len(words))) if shapes[number] == "A"), 0)
        start = next((number + 1 for number in reversed(range(end)) if shapes[number] != "A"), 0)
        start += start == 0 and end > len(old)  # the first word has its capital from its place
        return " ".join(words[start:end]) if end - start <= len(old) + _MORE_WORDS else ""
    ends = range(len(words), len(old) - 1, -1) if "a" not in old_shapes else (len(words),)
    end = next((number for number in ends if shapes[max(number - len(old), 0) : number] == old_shapes), 0)
    return " ".join(words[end - len(old) : end]) if end else ""


def _shape(word: str) -> str:
    """Return whether a word has digits, else whether it has a capital: 0, A or a."""
    plain = word.lstrip("\"'`*_([\u201e\u201c\u00ab")
    return "0" if any(map(str.isdigit, word)) else "A" if plain[:1].isupper() else "a"
