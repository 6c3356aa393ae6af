"""Patterns of many languages, kept by script.

Of a table only what the letters of a text ask for is compiled.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from clawgit.language import pattern_tables

DATA = Path(__file__).parent / "data"
LATIN = "latin"
WIDE = "[\u2e80-\u9fff\uf900-\ufaff]"  # scripts without spaces
_LETTERS = {
    "cyrillic": "[\u0370-\u052f]",
    "arabic": "[\u0600-\u06ff]",
    "indic": "[\u0900-\u097f]",
    "hangul": "[\u1100-\u11ff\uac00-\ud7af]",
    "wide": "[\u2e80-\u9fff\uf900-\uffef]",
}
SCRIPTS = (LATIN, *_LETTERS)
_OTHERS = "[\u0370-\uffef]"  # no letter before them is other than Latin
_REMEMBERED = 4096  # texts
# A byte a letter: what Latin-1 does not hold is read without its marks, and typed quotes and dashes as plain ones.
_PLAIN = str.maketrans(
    "ąćęłńśźżčďěňřšťůžğışőűășțĄĆĘŁŃŚŹŻŞĞİ“”„‟\u2013\u2014",
    'acelnszzcdenrstuzgisouastACELNSZZSGI""""--',
)


@lru_cache(maxsize=_REMEMBERED)
def of(text: str) -> tuple[str, ...]:
    """Return the scripts of `text`, Latin first and always: it is what numbers, names and addresses are written in."""
    if text.isascii() or not re.search(_OTHERS, text):
        return (LATIN,)
    return (LATIN, *(name for name, letters in _LETTERS.items() if re.search(letters, text)))


def encoded(text: str) -> bytes:
    """Return `text` with a byte a letter; what Latin-1 has no letter for is a question mark."""
    return text.encode() if text.isascii() else text.translate(_PLAIN).encode("latin-1", "replace")


def table(file: str, name: str) -> Mapping[str, str]:
    """Return a table of a file of the data: the pattern of each name, its alternatives joined; {} for none."""
    return pattern_tables.alternatives(DATA / file, name)


def search(file: str, name: str, text: str) -> re.Match[str] | None:
    """Search as `re.search` does for a name of a file, in the scripts of `text`."""
    return next(filter(None, (re.search(part, text) for part in _parts(file, name, text))), None)


def match(file: str, name: str, text: str) -> re.Match[str] | None:
    """Match as `re.match` does a name of a file, in the scripts of `text`."""
    return next(filter(None, (re.match(part, text) for part in _parts(file, name, text))), None)


def every(file: str, name: str, text: str) -> set[str]:
    """Return whatever a name of a file stands for in `text`."""
    return {found[0] for part in _parts(file, name, text) for found in re.finditer(part, text)}


def without(file: str, name: str, text: str) -> str:
    """Return `text` with a blank for whatever a name of a file stands for."""
    for one in _parts(file, name, text):
        text = re.sub(one, " ", text)
    return text


def _parts(file: str, name: str, text: str) -> Iterator[str]:
    return (pattern for script in of(text) if (pattern := table(file, script).get(name)))
