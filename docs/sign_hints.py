"""Writes clawgit/safety/data/hints.toml: for each pattern of a sign the words of which its every match holds one.

    python docs/sign_hints.py           after a change in clawgit/safety/data/signs.toml; a test tells when it is due

What holds none of them need not be searched for, so that the pattern need not be compiled.
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from re import _parser
from typing import Any

from clawgit.safety import rules

PLACE = Path(rules.__file__).parent / "data" / "hints.toml"
HEAD = "# Written by docs/sign_hints.py: every match of a pattern in signs.toml holds one of its words, case-folded.\n"
SEPARATOR = rules.SEPARATOR
LONG = 6
"""Letters of a word that are kept: what holds a word holds its beginning."""
MOST = 600
"""Words of a pattern; of more none is told, and the pattern is always searched for."""
_SMALL = 4
"""Letters of a class that are spelled out."""
_FLAGS = r"\(\?[a-z]+\)"


def hints(pattern: str) -> tuple[str, ...]:
    """Return words of which each match holds one, () where nothing is certain."""
    found = _best(_parser.parse(re.sub(_FLAGS, "", pattern)))
    found = frozenset(one[:LONG] for one in found)
    short = {one for one in found if not any(other != one and other in one for other in found)}
    return tuple(sorted(short)) if found and len(short) <= MOST and all(short) else ()


def _best(tree: Iterable[Any]) -> frozenset[str]:
    """Return the most telling set of words of a sequence: the one whose shortest word is longest, then the smallest."""
    sets: list[frozenset[str]] = []
    run = frozenset({""})
    for node in tree:
        exact = _exact(node)
        if exact is not None and len(run) * len(exact) <= MOST:
            run = frozenset(a + b for a in run for b in exact)
            continue
        sets.append(run)
        run = exact if exact is not None else frozenset({""})
        if exact is None:
            sets.append(_within(node))
    sets.append(run)
    return max((one for one in sets if one and all(one)), key=_worth, default=frozenset())


def _worth(words: frozenset[str]) -> tuple[int, int]:
    return min(4, *map(len, words)), -len(words)


def _exact(node: Any) -> frozenset[str] | None:  # noqa: PLR0911 - a case a kind of node
    """Return all that a node can match, where that is little."""
    op, arg = str(node[0]), node[1]
    match op:
        case "LITERAL":
            return frozenset({chr(arg).casefold()})
        case "AT" | "ASSERT" | "ASSERT_NOT":
            return frozenset({""})
        case "IN":
            letters = [chr(one) for kind, one in arg if str(kind) == "LITERAL"]
            return frozenset(one.casefold() for one in letters) if len(letters) == len(arg) <= _SMALL else None
        case "SUBPATTERN":
            return _sequence(arg[3])
        case "BRANCH":
            return _union([_sequence(one) for one in arg[1]])
        case "MAX_REPEAT" | "MIN_REPEAT" if arg[1] == 1:
            inner = _sequence(arg[2])
            return inner if arg[0] or inner is None else inner | {""}
    return None


def _sequence(tree: Iterable[Any]) -> frozenset[str] | None:
    run = frozenset({""})
    for node in tree:
        exact = _exact(node)
        if exact is None or len(run) * len(exact) > MOST:
            return None
        run = frozenset(a + b for a in run for b in exact)
    return run


def _union(sets: Sequence[frozenset[str] | None]) -> frozenset[str] | None:
    known = [one for one in sets if one is not None]
    joined = frozenset().union(*known)
    return joined if len(known) == len(sets) and len(joined) <= MOST else None


def _within(node: Any) -> frozenset[str]:
    """Return a set of words of which each match of the node holds one, {} where nothing is certain."""
    op, arg = str(node[0]), node[1]
    match op:
        case "SUBPATTERN":
            return _best(arg[3])
        case "BRANCH":
            sets = [_best(one) for one in arg[1]]
            return frozenset().union(*sets) if all(sets) else frozenset()
        case "MAX_REPEAT" | "MIN_REPEAT" if arg[0]:
            return _best(arg[2])
    return frozenset()


def document() -> str:
    """Return the file."""
    parts = [HEAD]
    for table, rows in rules.patterns().items():
        parts.append(f"\n[{table}]\n")
        for name, pattern in rows.items():
            words = SEPARATOR.join(hints(pattern))
            quotes = "'''" if "'" in words else "'"
            parts.append(f"{name} = {quotes}{words}{quotes}\n" if words else "")
    return "".join(parts)


if __name__ == "__main__":
    PLACE.write_text(document(), encoding="utf-8")
