"""Reads both sides of a correction."""

import re
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path

from msgspec import Struct

from clawgit.language import detect, pattern_tables, values
from clawgit.language.sentences import sentences
from clawgit.language.values import content_words, equal, is_alike

_DATA = Path(__file__).parent / "data/sides.toml"
_pattern = partial(pattern_tables.pattern, _DATA, "sides")
_LONGEST = 2_000
"""Characters of a message in which sides are looked for."""


_MORE_WORDS = 2
_ARTICLES = frozenset(
    """a an the der die das den dem des ein eine einen einem einer le la les un une el los las una il lo gli o os as um
    uma het een""".split()  # noqa: SIM905 - a list of words would take a page
)
_POINT = "\u2024"
_EASTERN = f"[{detect.DENSE}\uff0c\uff1a\uff1b\u3001]"
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


def find(text: str) -> Iterator[Sides]:
    """Yield the wrong and the true sides in a text, if it has both."""
    text = _GAP.sub("", text[:_LONGEST])
    masked = _mask_points(text)
    for form in (*_forms("spaced"), *(_forms("dense") if detect.eastern(text) else ())):
        for match in form.finditer(masked):
            wrong, clause = (_bare(match[side].replace(_POINT, ".")) for side in ("said", "true"))
            loose = not match.groupdict().get("mark", ",").strip() and not content_words(clause.rpartition(" ")[2])
            if clause and not loose and _says_something(wrong) and wrong.casefold() != clause.casefold():
                start, end = match.span("said")
                part = masked[: match.end()].rpartition(". ")[2].replace(_POINT, ".")
                yield Sides(wrong, clause, f"{text[:start]}\0{text[end:]}", part)


def _mask_points(text: str) -> str:
    """Return a text with another mark for each point that ends no sentence: `Prof. Chen`, `11.5`, `relay.local`."""
    ends = {sentence.end - 1 for sentence in sentences(text)}
    return _SINGLE_POINT.sub(lambda point: point[0] if point.start() in ends else _POINT, text)


@cache
def _forms(key: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in pattern_tables.read(_DATA, "sides")[key])


def _says_something(side: str) -> bool:
    return bool(content_words(side) or values.find(side) or re.search(r"\d|\b[A-HJ-Z]\b|[^\x00-\x7f]", side))


def _bare(side: str) -> str:
    return _pattern("joint").sub("", side.strip(" \t\"'`*_()[]“”„«»"))


def strip_lead(phrase: str) -> str:
    """Return a side without the small words that lead to it."""
    first, _, rest = phrase.partition(" ")
    while rest and not (content_words(first) or values.find(first) or first[:1].isupper()):
        phrase = rest
        first, _, rest = phrase.partition(" ")
    return phrase


def list_other_values(text: str, old: values.Value) -> list[str]:
    """Return the values of a text that are another one of a type."""
    return list(
        {
            value.canon: value.text for value in values.find(text) if is_alike(value, old) and not equal(value, old)
        }.values()
    )


def read_pair(sides: Sides) -> tuple[str, str]:
    """Return the wrong value and the true one, "" if unclear, with the small words in front of both."""
    phrase, clause = map(_remove_time, (sides.said, sides.clause))
    return _add_leads(phrase, clause, *_read_values(phrase, clause))


def _add_leads(phrase: str, clause: str, wrong: str, true: str) -> tuple[str, str]:
    """Return both values with the small words in front of them, if these fit: `im Keller` and `in der Garage`."""
    before = clause.rpartition(true)[0].split() if true else []
    count = next((number for number, word in enumerate(reversed(before)) if content_words(word)), len(before))
    old, new = phrase.removesuffix(wrong).split(), before[len(before) - count :]
    if not (old and new) or old[-1] == new[-1]:
        return wrong, true
    for number in range(len(new), 0, -1):
        are_articles = number == 1 and {old[-1].casefold(), new[-1].casefold()} <= _ARTICLES
        lead = old[-1:] if are_articles else old
        if are_articles or old[0][0].casefold() == new[-number][0].casefold():
            return " ".join((*lead, wrong)), " ".join((*new[-number:], true))
    return wrong, true


def _remove_time(side: str) -> str:
    return _pattern("timely").sub("", side).strip() or side


def _read_values(phrase: str, clause: str) -> tuple[str, str]:
    wrong = strip_lead(phrase)
    old = values.read(wrong)
    typed = list_other_values(clause, old) if old and old.kind != "name" else []
    return wrong, typed[0] if len(typed) == 1 else strip_lead(find_words_like(wrong, clause))


def find_words_like(phrase: str, clause: str) -> str:
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
            fits = start >= 0 and 0 < end - start <= len(old) + _MORE_WORDS
            return " ".join(words[start:end]) if fits else ""
    shapes, old_shapes = [_shape(word) for word in words], [_shape(word) for word in old]
    rest = _pattern("copula").split(clause)[-1]
    if rest != clause and len(rest.split()) <= len(old) + _MORE_WORDS:
        return _find_last_words(rest, are_names={*old_shapes} == {"A"}) or rest
    if {*old_shapes} == {"A"}:  # names may have more or fewer words
        end = next((number + 1 for number in reversed(range(len(words))) if shapes[number] == "A"), 0)
        start = next((number + 1 for number in reversed(range(end)) if shapes[number] != "A"), 0)
        start += start == 0 and end > len(old)  # the first word has its capital from its place
        return " ".join(words[start:end]) if end - start <= len(old) + _MORE_WORDS else ""
    ends = range(len(words), len(old) - 1, -1) if "a" not in old_shapes else (len(words),)
    end = next((number for number in ends if shapes[max(number - len(old), 0) : number] == old_shapes), 0)
    return " ".join(words[end - len(old) : end]) if end else ""


def _find_last_words(text: str, *, are_names: bool) -> str:
    """Return the last words of a text that have content, names only if they are to be."""
    words = text.split()
    ends = (
        n
        for n in range(len(words), 0, -1)
        if not content_words(words[n - 1]) or (are_names and _shape(words[n - 1]) == "a")
    )
    return " ".join(words[next(ends, 0) :])


def _shape(word: str) -> str:
    """Return whether a word has digits, else whether it has a capital: 0, A or a."""
    bare = word.lstrip("\"'`*_([\u201e\u201c\u00ab")
    return "0" if any(map(str.isdigit, word)) else "A" if bare[:1].isupper() else "a"
