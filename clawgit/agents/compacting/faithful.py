"""Whether a summary says nothing that its source does not."""
# ruff: noqa: RUF001 -- the marks of many scripts

import re
import unicodedata

from clawgit.agents.mining.listed import listed
from clawgit.text.sameness.reading import denies

_DIGITS = re.compile(r"\d+(?:[.,:/-]\d+)*")
_NAME = re.compile(r"(?<![\w'’-])[^\W\d_a-z][\w'’-]*")
_NAMED = re.compile(r"[^\W\d_][\w'’-]*")
_WORD = re.compile(r"[^\W\d_]{2,}")
_ASIAN = re.compile("[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_OPENING = listed(
    "a an the this that these those it its he she they we i you on in at by for from with after before during"
    " when while then there as to of and but so also later both one two all some no not nobody nothing most each"
    " every der die das ein eine es er sie wir ich am im nach vor le la les un une il elle on nous el los las una"
    " en al o os as um uma"
)
NUMERALS = listed(
    "two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty sixty hundred thousand"
    " million dozen twice half zwei drei vier fünf sechs sieben acht neun zehn elf zwölf hundert tausend deux"
    " trois quatre cinq sept huit neuf dix cent mille dos tres cuatro cinco seis siete ocho nueve diez cien mil"
)
"""Numbers in words that a model must not make up."""
_LETTERS, _STEM, _BORNE_OUT = 3, 5, 0.7


def faithful(said: str, source: str) -> bool:
    """Tell whether the numbers, dates and names of a sentence stand in the source.

    Most of its other words must be the source's too, and no "not" was added to it or lost.
    """
    plain, told = _plain(said), _plain(source)
    return _figures(plain, told) and _names(plain, told) and _words(plain, told) and _negation(plain, told)


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text)


def _figures(said: str, source: str) -> bool:
    """Tell whether the numbers, in figures or in words, are those of the source."""
    figures = set(_DIGITS.findall(said))
    if not figures <= set(_DIGITS.findall(source)):
        return False
    spelled = set(_WORD.findall(said.casefold())) & NUMERALS
    return spelled <= set(_WORD.findall(source.casefold()))


def _names(said: str, source: str) -> bool:
    known = {match[0].removesuffix("'s") for match in _NAMED.finditer(source.casefold())}
    for match in _NAME.finditer(said):
        name = match[0].casefold().removesuffix("'s")
        opens = not said[: match.start()].strip(" \"'(*_-") or said[: match.start()].rstrip()[-1:] in ".!?:;"
        if name not in known and not (opens and name in _OPENING):
            return False
    return True


def _words(said: str, source: str) -> bool:
    folded = source.casefold()
    if _ASIAN.search(said):
        letters = [one for one in said if _ASIAN.match(one)]
        pairs = {said[at : at + 2] for at in range(len(said) - 1) if _ASIAN.match(said[at])}
        return sum(pair in source for pair in pairs) >= len(pairs) * _BORNE_OUT and bool(letters)
    words = [word for word in _WORD.findall(said.casefold()) if len(word) > _LETTERS]
    return sum(word[:_STEM] in folded for word in words) >= len(words) * _BORNE_OUT


def _negation(said: str, source: str) -> bool:
    """Tell whether a sentence denies just where the one of the source that is most like it denies."""
    words = set(_WORD.findall(said.casefold()))
    parts = [part for part in re.split(r"(?<=[.!?。！？])\s+|\n", source) if part.strip()]
    near = max(parts, key=lambda part: len(words & set(_WORD.findall(part.casefold()))), default="")
    return denies(said) == denies(near)
