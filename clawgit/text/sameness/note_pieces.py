"""Takes written words apart: numbers, units, contractions, compounds."""

import re
from collections.abc import Callable

from clawgit.language import numbers
from clawgit.text.sameness import western_phrases
from clawgit.text.sameness.note import bag
from clawgit.text.sameness.note_values import ATTACHED, measured, month, table, weekday
from clawgit.text.sameness.rephrasing import SAME

ATOM = re.compile(r"[DTMY][\d-]|W\d$")
_NUMBER = re.compile(r"[-−]?\d+(?:\.\d+)?")  # noqa: RUF001 - minus
_VERSION = re.compile(r"[vV](\d+(?:\.\d+)?)")
_RANGE = re.compile(r"(\d{1,4})-(\d{1,4})")
_ELISION = re.compile(r"(l|d|j|n|qu|c|s|m|t|jusqu|lorsqu)'(\w.*)")
_ELIDED = {"d": "de", "qu": "que", "j": "je", "n": "ne", "s": "se"}
_MONTH_AFTER = bag("in since until by last next im en")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")


def apart(raw: list[str], low: list[str], lang: str) -> list[str]:
    """Return single words, numbers and units of words as they are written and in lower case."""
    out: list[str] = []
    for at, (word, said) in enumerate(zip(raw, low, strict=True)):
        if said.isalpha() and (len(word) > 1 or not word.isascii() or said != word):
            out += _lettered(word, said, raw[at - 1] if at else " ", lang)
        elif ATOM.match(word) or len(word) == 1:
            out += [f"#{word}"] if word.isdigit() else [said]
        else:
            out += _compound(word, said, lang)
    return out


def _lettered(word: str, said: str, before: str, lang: str) -> list[str]:
    if word in table() and before[-1].isdigit():
        return [table()[word]]
    joined = western_phrases.CONTRACTED if lang == "en" else western_phrases.ELIDED
    if said in joined:
        return joined[said]
    if found := weekday(word):
        return ["·every", found] if lang == "en" and said.endswith("days") else [found]
    found = month(word, sure=word[0].isupper() and before.casefold() in _MONTH_AFTER)
    return [found or western_phrases.SPELLED.get(said, said)]


def _compound(word: str, said: str, lang: str) -> list[str]:
    for kind in _KINDS:
        if (found := kind(word, said, lang)) is not None:
            return found
    return [said]


def _contraction(_word: str, said: str, _lang: str) -> list[str] | None:
    return western_phrases.CONTRACTED.get(said) or ([said] if said in SAME else None)


def _number(word: str, _said: str, lang: str) -> list[str] | None:
    """Read numbers; 1.000 is a thousand where that is how it is written, and 2,5 is two and a half."""
    if _NUMBER.fullmatch(word):
        thousand = lang in {"de", "es", "fr"} and re.fullmatch(r"\d{1,3}\.\d{3}", word)
        return ["#" + (word.replace(".", "") if thousand else word.replace("−", "-"))]  # noqa: RUF001 - minus
    if "," not in word:
        return None
    if _THOUSANDS.fullmatch(word) and lang == "en":
        return ["#" + word.replace(",", "")]
    return ["#" + (word.replace(",", ".") if lang != "en" or re.search(r",\d\d?$", word) else word)]


def _rank(word: str, said: str, lang: str) -> list[str] | None:
    """Read v2, #2 and 2nd."""
    if found := _VERSION.fullmatch(word):
        return ["version", f"#{found[1]}"]
    if word[0] == "#" and word[1:].isdigit():
        return [word]
    ordinal = nth(said, lang)
    return [ordinal] if ordinal else None


def nth(word: str, lang: str) -> str | None:
    """Return an ordinal as `o3`."""
    rank = numbers.ordinal(word, lang)
    return f"o{rank}" if rank is not None else None


def _amount(word: str, _said: str, lang: str) -> list[str] | None:
    found = ATTACHED.fullmatch(word)
    split = measured(found[1], found[2]) if found else None
    return [*_compound(split[0], split[0], lang), *split[1:]] if split else None


def _apostrophe(_word: str, said: str, lang: str) -> list[str] | None:
    if "'" not in said:
        return None
    if said.endswith("'s") and not _ELISION.match(said):
        return [said[:-2], "'s"] if said[:-2] != "user" else ["§users"]
    if lang in {"fr", "en"} and (found := _ELISION.fullmatch(said)):
        return [_ELIDED.get(found[1], found[1]), found[2]]
    return [said.replace("'", "")]


def _hyphen(_word: str, said: str, _lang: str) -> list[str] | None:
    pieces = said.split("-")
    if len(pieces) == 1 or not all(piece.isalpha() or piece.isdigit() for piece in pieces):
        return None
    if all(piece.isdigit() for piece in pieces):
        found = _RANGE.fullmatch(said)
        return [f"#{found[1]}", "to", f"#{found[2]}"] if found else [said]
    return None if pieces[-1].isdigit() else [f"#{piece}" if piece.isdigit() else piece for piece in pieces]


def _dots(_word: str, said: str, _lang: str) -> list[str] | None:
    """Read e.g. and U.S. as one word, and client/server as two."""
    if said.replace(".", "").isalpha() and all(len(piece) == 1 for piece in said.split(".")):
        return [said.replace(".", "")]
    if said == "and/or" or said.count("/") != 1 or not said.replace("/", "").isalpha():
        return None
    return said.replace("/", " / ").split()


_KINDS: tuple[Callable[[str, str, str], list[str] | None], ...] = (
    _contraction,
    _number,
    _rank,
    _amount,
    _apostrophe,
    _hyphen,
    _dots,
)
