"""Tells whether moved words still say the same."""

from clawgit.text.sameness.note import Reading, bag, temporal
from clawgit.text.sameness.synonyms import CONDITIONS, NEGATIONS

_HEADS = bag(
    "if when after before because since for in on at during while until unless with without to wenn nach vor für"
    " in bei"
    " si cuando para en después antes pour dans quand avant après default by"
)
_SEQUENCE = bag(
    "then first next finally last order step steps priority priorities respectively followed afterwards later earlier"
    " o1 o2 o3 dann zuerst luego primero puis d'abord over than ratherthan > < >= <="
)
_REFERENCES = bag("it they them he she this that these those him her his its their es sie er ihn ello él ella")
_ACTS = bag(
    "build test deploy lint format push pull commit merge backup restore stop start restart install run migrate fetch"
    " rebase review approve wash dry rinse cook eat sleep read write save load encrypt compress sign verify check"
)
_DENIED = bag("不 要 能")
_LIST_LEFT = bag(
    "= , to with for of in on from by between use uses like likes prefer prefers have speak speaks eat eats need"
    " needs"
    " want wants own owns allergy drink drinks play plays support supports include includes dislike avoid avoids"
    " both either via against und y et"
)
_LIST_RIGHT = bag(", for in on at with to by from over ratherthan during because if when")
_JOINTS = frozenset(("and", "or", "und", "oder", "y", "o", "et", "ou"))
_TIME_HEADS = bag(
    "before after until since by from every next last this about starting seit bis ab vor nach jeden desde hasta"
    " depuis cada chaque ·every"
)
_TIME_JOINTS = bag("to until every ·every and")
_FIXED = bag("from to before after until since by between and")
_LEFT = bag(", and =")
_STARTERS = bag("§user we he she they you it the")


def agree(one: Reading, other: Reading, mine: list[str], theirs: list[str]) -> bool:
    """Tell whether two rows of the same words say the same: moved are only times, clauses, items of a list."""
    names = one.names | other.names
    mine, theirs = _listed(rotated(mine), names), _listed(rotated(theirs), names)
    if _flat(mine) == _flat(theirs):
        return True
    if "respectively" in mine or "respectively" in theirs:
        return False
    return (
        _times_moved(mine, theirs, one.lang)
        or _clauses_moved(mine, theirs, names | one.single | other.single)
        or _turned(mine, theirs, bool(one.single and other.single))
    )


def _flat(words: list[str]) -> list[str]:
    return [word for word in words if word not in _LEFT]


def rotated(words: list[str]) -> list[str]:
    """Put a clause or circumstance that comes first, up to its comma, behind the rest."""
    if words and words[0] in _HEADS and "," in words[1:]:
        at = words.index(",", 1)
        rest = words[at + 1 :]
        rest = rest[1:] if rest[:1] == ["then"] else rest
        rest = rest[:-1] if rest[-1:] == [","] else rest
        return rest + words[:at] if rest else words
    return words[:-1] if words[-1:] == [","] else words


def _listed(words: list[str], names: frozenset[str]) -> list[str]:
    """Sort the items of lists in which the order says nothing."""
    joints = [at for at, word in enumerate(words) if word in _JOINTS]
    if not joints or _SEQUENCE & set(words) - {"over", "ratherthan", "than"}:
        return words
    words = list(words)
    for joint in joints:
        places = _places(words, joint)
        items = [words[at] for at in places]
        left = words[places[0] - 1] if places[0] else "="
        right = words[places[-1] + 1] if places[-1] + 1 < len(words) else ","
        named = all(item in names for item in items)
        bounded = right in _LIST_RIGHT or temporal(right) or (named and not places[0])
        if bounded and (left in _LIST_LEFT) and not _ACTS & set(items) and len(items) > 1:
            for at, item in zip(places, sorted(items), strict=True):
                words[at] = item
    return words


def _places(words: list[str], joint: int) -> list[int]:
    """Return where the items of a list stand that `joint` closes: single words with commas between them."""
    before = joint - 2 if joint and words[joint - 1] == "," else joint - 1
    places = [before, joint + 1] if before >= 0 and joint + 1 < len(words) else [joint]
    while places[0] >= 2 and words[places[0] - 1] == "," and words[places[0] - 2] not in _JOINTS:  # noqa: PLR2004
        places.insert(0, places[0] - 2)
    return places if not any(words[at] in _LEFT | _JOINTS for at in places) else [joint]


def _times_moved(mine: list[str], theirs: list[str], lang: str) -> bool:
    """Tell whether the only time of each stands at another place, and no clause could claim it."""
    here, there = _flat(mine), _flat(theirs)
    if _without_times(mine) == _without_times(theirs) is not None:
        return True
    one, other = _time(here), _time(there)
    if not one or not other or _block(here[one[0] : one[1]]) != _block(there[other[0] : other[1]]):
        return False
    rest, rested = here[: one[0]] + here[one[1] :], there[: other[0]] + there[other[1] :]
    inverted = lang == "de" and (one[0] == 0) != (other[0] == 0)
    if rest != rested and not (inverted and [*rest[1::-1], *rest[2:]] == rested):
        return False
    outer = all(at == 0 or end == len(words) for (at, end), words in ((one, here), (other, there)))
    divided = {",", "and", "or", "if", "when", *NEGATIONS, *CONDITIONS} & (set(mine[:-1]) | set(theirs[:-1]))
    follows = all(
        not at or end == len(words) or words[at - 1] in _DENIED for (at, end), words in ((one, here), (other, there))
    )
    return outer or not divided or (follows and not {",", "and"} & divided)


def _without_times(words: list[str]) -> tuple[list[str], list[str]] | None:
    """Return the words of one clause and its times, None where a time could belong to something else."""
    times = [word for word in words if temporal(word)]
    kinds = {word[0] for word in times}
    joined = {"and", "or", *NEGATIONS, *CONDITIONS} & set(words) or sum(
        any(not temporal(word) for word in part) for part in _clauses(words)
    ) > 1
    if joined or not times or len(kinds) < len(times) or (_TIME_HEADS | _FIXED) - {"every", "·every"} & set(words):
        return None
    return _flat([word for word in words if not temporal(word)]), sorted(times)


def _time(words: list[str]) -> tuple[int, int] | None:
    """Return where the only time of a note begins and ends; None for none or several."""
    found: list[tuple[int, int]] = []
    at = 0
    while at < len(words):
        if not temporal(words[at]):
            at += 1
            continue
        begun = at
        while begun and words[begun - 1] in _TIME_HEADS:
            begun -= 1
        at += 1
        while at < len(words) and (
            temporal(words[at]) or (words[at] in _TIME_JOINTS and at + 1 < len(words) and temporal(words[at + 1]))
        ):
            at += 1
        found.append((begun, at))
    return found[0] if len(found) == 1 else None


def _block(words: list[str]) -> list[str]:
    """Return the parts of a time, sorted unless one leads to the other."""
    if _FIXED & set(words):
        return words
    parts: list[str] = []
    held = ""
    for word in words:
        held += word
        if temporal(word):
            parts.append(held)
            held = ""
    return sorted(parts)


def _clauses_moved(mine: list[str], theirs: list[str], subjects: frozenset[str]) -> bool:
    """Tell whether the same clauses stand in another order, each with its own subject."""
    if (_SEQUENCE | _REFERENCES | CONDITIONS) & set(mine):
        return False
    one, other = _clauses(mine), _clauses(theirs)
    if len(one) < 2 or sorted(one) != sorted(other):  # noqa: PLR2004
        return False
    return all(len(clause) > 1 and (clause[0] in subjects | _STARTERS or temporal(clause[0])) for clause in one)


def _clauses(words: list[str]) -> list[list[str]]:
    clauses: list[list[str]] = [[]]
    for word in words:
        if word in {",", "and"}:
            clauses.append([])
        elif word != "=":
            clauses[-1].append(word)
    return [clause for clause in clauses if clause]


def _turned(mine: list[str], theirs: list[str], definite: bool) -> bool:  # noqa: FBT001 - of both
    """Tell whether one says `A is the B` and the other `the B is A`."""
    if not definite or mine.count("=") != 1 or theirs.count("=") != 1 or (NEGATIONS | {",", "and", "to"}) & set(mine):
        return False
    at = mine.index("=")
    return [*mine[at + 1 :], "=", *mine[:at]] == theirs
