"""Tells whether moved and exchanged words still say the same."""

from collections import Counter
from collections.abc import Sequence

from clawgit.text.sameness.note import Reading, bag, temporal
from clawgit.text.sameness.note_values import length
from clawgit.text.sameness.rephrasing import CONDITIONS, NEAR, NEGATIONS, OPPOSITES

_LEAST = 7
"""Letters of a word that a slip may be in: in shorter ones it makes another word."""
_HEAD, _TAIL = 3, 2
_CONFUSED = bag(
    "marital martial compliant complaint compliants complaints retried retired retries retires planning planing"
    " planned"
    " planed staring starring desert dessert deserts desserts moral morale hopping hoping tapping taping scraping"
    " scrapping stripped striped stripping striping filling filing barring baring dinning dining caning canning"
)
WEAK = frozenset(("·every", "·topic", "·object", "·of", "が", "を", "把", "version"))
"""Words that one note may have and the other leave out."""
_PICTURES = frozenset(map(chr, (*range(0x2600, 0x27C0), *range(0x2B00, 0x2C00), *range(0x1F000, 0x1FB00))))


def _as_long(left: list[str], right: list[str]) -> dict[str, str]:
    """Pair a length of time with the same in another unit: 1 year and 12 months."""
    here, there = _length(left), _length(right)
    if not here or not there or here[0] != there[0]:
        return {}
    for words, (_, used) in ((left, here), (right, there)):
        for word in used:
            words.remove(word)
    return dict(zip(there[1], here[1], strict=True))


def _length(words: list[str]) -> tuple[tuple[float, str], list[str]] | None:
    """Return the only length of time among words, in seconds or months, and the words that say it."""
    numbers = [word for word in words if word[0] == "#" and word[1:].replace(".", "", 1).isdigit()]
    units = [(word, found) for word in words if (found := length(word))]
    if len(numbers) != 1 or len(units) != 1:
        return None
    unit, (worth, base) = units[0]
    return (float(numbers[0][1:]) * worth, base), [numbers[0], unit]


def weak(word: str) -> bool:
    """Tell whether a word may be left out; so may a picture."""
    return word in WEAK or word[0] in _PICTURES


def left_out(left: list[str], right: list[str]) -> set[str]:
    """Return the words of two rows that may be left out: particles or pictures that only one of them has."""
    kinds = [{word[0] in _PICTURES for word in words if weak(word)} for words in (left, right)]
    return set() if kinds[0] & kinds[1] else {word for word in (*left, *right) if weak(word)}


def leftovers(one: Sequence[str], other: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the words that each has and the other has not, sorted."""
    mine, theirs = Counter(one), Counter(other)
    return sorted((mine - theirs).elements()), sorted((theirs - mine).elements())


def paired(one: Reading, other: Reading, left: list[str], right: list[str], *, near: bool) -> dict[str, str]:
    """Return what stands for what among words left over: for those of `right` the ones of `left`; both lose them.

    `near` takes words of like meaning too.
    """
    found = _as_long(left, right)
    slips = 0
    for word in list(left):
        for said in right:
            slip = _slip(word, said, one.names | other.names)
            alike = (
                {word, said} == {"every", "·every"}
                or {word + "하", said + "하"} & {word, said}
                or _inflected(word, said, one, other)
                or (near and _near(word, said))
                or (slip and not slips)
            )
            if alike and said not in found:
                slips += slip
                found[said] = word
                left.remove(word)
                right.remove(said)
                break
    return found


def traits(word: str) -> set[str]:
    """Return what a word is found by: words that may stand for one another have a trait in common."""
    found = {word}
    if word.isascii() and word.isalpha():
        if word[-1] == "s":
            found |= {word[:-1], word.removesuffix("es"), word.removesuffix("ies") + "y"}
        if len(word) >= _LEAST:
            found.add(f"~{word[:_HEAD]}~{word[-_TAIL:]}")
    if word[-1] == "하" and len(word) > 1:
        found.add(word[:-1])
    return found | {f"≈{group}" for group in _groups(word)}


def opposite(one: str, other: str) -> bool:
    """Tell whether two words are each other's opposite."""
    mine = OPPOSITES.get(one) or OPPOSITES.get(one.removesuffix("s"), frozenset())
    return other in mine or other.removesuffix("s") in mine


def _near(one: str, other: str) -> bool:
    return bool(_groups(one) & _groups(other)) and one.endswith("ed") == other.endswith("ed")


def _groups(word: str) -> frozenset[int]:
    return NEAR.get(word) or NEAR.get(word.removesuffix("s")) or NEAR.get(word.removesuffix("es")) or frozenset()


def _inflected(one: str, other: str, here: Reading, there: Reading) -> bool:
    """Tell whether words differ by an `s` that does not tell one thing from many."""
    if len(one) > len(other):
        one, other, here, there = other, one, there, here
    if here.lang not in {"en", ""} or not one.isalpha() or not other.isascii() or one in NEGATIONS:
        return False
    if other not in (one + "s", one + "es", one.removesuffix("y") + "ies") or len(one) < 3:  # noqa: PLR2004
        return False
    return (
        one not in here.single and not (here.verb and there.verb and here.verb != there.verb) and one not in here.names
    )


def _slip(one: str, other: str, names: frozenset[str]) -> bool:
    """Tell whether a long word is a misspelt other: two letters swapped, or one doubled."""
    if abs(len(one) - len(other)) > 1 or min(len(one), len(other)) < _LEAST or {one, other} & (names | _CONFUSED):
        return False
    if one[:_HEAD] != other[:_HEAD] or one[-_TAIL:] != other[-_TAIL:] or not (one.isalpha() and other.isalpha()):
        return False
    if not (one.isascii() and other.isascii()):
        return False
    start = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
    if len(one) == len(other):
        swapped = one[:start] + one[start + 1 : start + 2] + one[start] + one[start + 2 :]
        return swapped == other
    short, long = sorted((one, other), key=len)
    if long[:start] + long[start + 1 :] != short:
        return False
    return long[start] in {long[start - 1], long[start + 1]}


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
