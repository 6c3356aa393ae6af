"""Tells whether two values answer the same question."""

import re
from collections.abc import Iterable, Sequence

from clawgit.agents.validating.matter import words
from clawgit.agents.validating.values import Value, names, values

_HALF = 0.5
_SHORT = 3
_PAIR = 2
_BESIDE, _MARGIN = 20, 6
_WORD = re.compile(r"[^\W\d_]{2,}")


def fits(about: frozenset[str], theme: frozenset[str]) -> bool:
    """Tell whether a sentence and a memory speak of the same, by what each is about."""
    about = about | {stem for stem in theme if len(stem) > _SHORT and any(stem[:-1] in word for word in about)}
    return len(about & theme) >= max(1, _HALF * min(len(about), len(theme)))


def differs(part: str, mine: Value, text: str, theirs: Value, about: frozenset[str], theme: frozenset[str]) -> bool:
    """Tell whether more than these two values sets a clause apart from a memory: what is counted, who, or when."""
    if "number" in (mine.kind.partition(" ")[0], theirs.kind.partition(" ")[0]) and not (
        _counts_alike(part, mine, text, theirs) or _dense(about & theme) or about <= theme or theme <= about
    ):
        return True
    told, known = values(part), values(text)
    ours = {(one.kind, one.canon) for one in told if one.canon != mine.canon}
    others = {(one.kind, one.canon) for one in known if one != theirs}
    for kind in {kind for kind, _ in ours} & {kind for kind, _ in others}:
        if not {one for one in ours if one[0] == kind} & others:
            return True
    named, names_there = ({one.canon for one in names(*pair)} for pair in ((part, told), (text, known)))
    return bool(named and names_there and not named & names_there)


def _dense(shared: frozenset[str]) -> bool:
    """Tell whether much is shared in a script without spaces."""
    return sum(not one.isascii() and len(one) == _PAIR for one in shared) >= _PAIR


def _counts_alike(part: str, mine: Value, text: str, theirs: Value) -> bool:
    one, other = (value.kind.removeprefix("number").strip() for value in (mine, theirs))
    if one and one == other:
        return True
    at = part.find(mine.text)
    return bool(head := _head(part[: max(at, 0)])) and head == _head(text[: theirs.start])


def _head(before: str) -> str:
    """Return the last word before a value that names something."""
    for word in reversed(_WORD.findall(before)):
        if found := words(word):
            return next(iter(found))
    return ""


def of_matter(one: Value, plain: str, heard: Sequence[Value], text: str) -> list[Value]:
    """Return those of several values beside which a text speaks of the same, all where none stands out."""
    if len({other.canon for other in heard}) < 2:  # noqa: PLR2004 - one thing is no choice
        return list(heard)
    about = words(plain)
    unit = one.kind.partition(" ")[2]
    for close in (
        [other for other in heard if unit and other.kind.partition(" ")[2] == unit],
        nearest(about, heard, text),
    ):
        if len({other.canon for other in close}) == 1:
            return list(close)
    return list(heard)


def nearest(about: Iterable[str], heard: Iterable[Value], text: str) -> list[Value]:
    """Return those values to which a text speaks of the same by far most closely."""
    low = text.casefold()
    spots = [match.span() for stem in about for match in re.finditer(re.escape(stem), low)]
    apart = [(min((max(a - one.end, one.start - b) for a, b in spots), default=_BESIDE), one) for one in heard]
    least = min((much for much, _ in apart), default=_BESIDE)
    close = [one for much, one in apart if much == least or (least > 1 and much < least + _MARGIN)]
    return close if least < _BESIDE else []
