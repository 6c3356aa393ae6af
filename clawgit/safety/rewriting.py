"""Approved lines in whose place something else stands."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from clawgit.language.detect import detect
from clawgit.safety import force, scripts
from clawgit.safety.binding import TAG, topics
from clawgit.safety.plain import plain
from clawgit.safety.tongue import tokens

KEPT = 0.4  # of the words of a line: it was not merely reworded
CONDENSED = 0.6  # of the words of the new line: it says less of the same
SHORTEST = 9  # words that tell a line from others


def lines(old: str, new: str, approved: Collection[int]) -> Iterator[int]:
    """Yield the 1-based numbers of `approved` lines of `old` whose place lines with other words have taken.

    Left aside are translations, headings, how the agent talks, and what only became shorter.
    """
    was, now = old.split("\n"), new.split("\n")
    gone, came = _places(was, frozenset(now)), _places(now, frozenset(was))
    for place in gone.keys() & came.keys():
        text, before = (_read(" ".join(one)) for one in (came[place].values(), gone[place].values()))
        if _shared(text, before) < CONDENSED * len(tokens(text)):
            yield from (n for n, line in gone[place].items() if n in approved and _other(_read(line), text))


def _places(lines: list[str], others: frozenset[str]) -> dict[str, dict[int, str]]:
    """Return the lines that `others` do not hold, by number, under the line that stands before them and is in both."""
    found: dict[str, dict[int, str]] = {}
    above = ""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        if line in others:
            above = line
        else:
            found.setdefault(above, {})[number] = line
    return found


def _read(text: str) -> str:
    return plain(re.sub(TAG, "", text)).casefold().strip()


def _shared(one: str, other: str) -> int:
    return len(tokens(one) & tokens(other))


def _other(gone: str, came: str) -> bool:
    words = len(tokens(gone))
    if words < SHORTEST or len(tokens(came)) < SHORTEST or gone.startswith("#") or detect(gone) != detect(came):
        return False
    return _shared(gone, came) < KEPT * words and (bool(topics(gone)) or not scripts.search(force.STYLE, gone))
