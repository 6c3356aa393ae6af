"""Says in words what two notes differ in."""

import re
from collections.abc import Callable

from clawgit.text.sameness.measured import is_unit
from clawgit.text.sameness.note import temporal
from clawgit.text.sameness.partners import opposite
from clawgit.text.sameness.synonyms import CONDITIONS, MODALS, NEGATIONS, QUANTIFIERS, RELATIONS

_SIGN = re.compile(r"^(?:u:|[#·§]|[DTM]-*(?=\d))")
_KINDS: tuple[tuple[str, Callable[[str], bool]], ...] = (
    ("number", lambda word: word[0] == "#" and len(word) > 1),
    ("date", lambda word: word[0] in "DMY" and temporal(word)),
    ("time", lambda word: temporal(word) and word[0] == "T"),
    ("day", temporal),
    ("unit", is_unit),
    ("rank", lambda word: word[0] == "o" and word[1:].isdigit()),
    ("quantity", QUANTIFIERS.__contains__),
    ("duty", MODALS.__contains__),
    ("condition", CONDITIONS.__contains__),
    ("relation", RELATIONS.__contains__),
)


def differences(left: list[str], right: list[str]) -> tuple[str, ...]:
    """Return in words what is left over on each side."""
    left, right = list(left), list(right)
    found: list[str] = []
    if bool(NEGATIONS & set(left)) != bool(NEGATIONS & set(right)):
        found.append("one says not")
    for word in list(left):
        if other := next((said for said in right if opposite(word, said)), ""):
            found.append(f"opposite: {word} and {other}")
            left.remove(word)
            right.remove(other)
    for kind, is_one in _KINDS:
        mine, theirs = [word for word in left if is_one(word)], [word for word in right if is_one(word)]
        left, right = [word for word in left if word not in mine], [word for word in right if word not in theirs]
        if mine and theirs:
            found.append(f"other {kind}: {_shown(mine)} and {_shown(theirs)}")
        elif mine or theirs:
            found.append(f"only one says a {kind}: {_shown(mine or theirs)}")
    if left and right:
        found.append(f"other words: {_shown(left)} and {_shown(right)}")
    elif left or right:
        found.append(f"only one says: {_shown(left or right)}")
    return tuple(found)


def _shown(words: list[str]) -> str:
    return ", ".join(_SIGN.sub("", word) for word in words)
