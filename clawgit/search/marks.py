"""Finds in a text the words that were looked for."""

import re
from collections.abc import Collection, Iterator

from clawgit.search import cjk
from clawgit.search.stems import stems
from clawgit.search.words import fold

_PARTS = re.compile(r"[^\W_]+|[\W_]+")


def marked(text: str, wanted: Collection[str]) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a text in order, each with whether it was looked for."""
    parts = _PARTS.findall(text)
    known = list({part.lower() for part in parts if part[0].isalnum()})
    good = {
        word for word, found in zip(known, stems([fold(word) for word in known]), strict=True) if set(found) & {*wanted}
    }
    runs = [one for one in wanted if cjk.present(one)]
    for part in parts:
        if part.lower() not in good and runs and cjk.present(part):
            yield from _pairs(part, runs)
        else:
            yield part, part.lower() in good


def _pairs(text: str, wanted: Collection[str]) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a text without spaces: letters that belong to a pair that was looked for, and others."""
    inside = [False] * len(text)
    for pair in wanted:
        for match in re.finditer(re.escape(pair), text):
            inside[match.start() : match.end()] = [True] * len(match[0])
    for at, letter in enumerate(text):
        yield letter, inside[at]
