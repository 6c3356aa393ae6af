"""Synonyms, opposites and the ways in which people repeat themselves."""

from collections.abc import Iterator

from clawgit.language import logic
from clawgit.text.sameness.note import bag, temporal, word_table
from clawgit.text.sameness.note_values import LANGUAGES, length

_FILLERS = {
    "en": "a an the are am be please currently presently now actually basically also too there really very own"
    " per simply we our",
    "de": "der die das den dem des ein eine einen einem einer eines ist sind bitte auch derzeit aktuell momentan"
    " gerade"
    " jetzt eigentlich",
    "es": "el la los las lo un una unos unas es son está están también actualmente ahora yo nosotros",
    "fr": "le la les l un une est sont aussi actuellement maintenant c'est s'il plaît ne n",
}
FILLERS = {lang: frozenset(row.split()) for lang, row in _FILLERS.items()}
"""Words that carry nothing by themselves, by language."""

_SAME = word_table("same")
SAME: dict[str, str] = {}
"""Words that stand for one another, with the one that is taken for all."""

for _row in _SAME.replace("\n", "|").split("|"):
    _said, _, _meant = _row.rpartition("=")
    if _said:
        SAME |= dict.fromkeys(_said.split(), _meant)
        SAME.setdefault(_meant, _meant)

_NEAR = word_table("near")
NEAR: dict[str, frozenset[int]] = {}
"""Words that may stand for one another where a model finds the sentences alike, by the groups that they are in."""

for _at, _line in enumerate(_NEAR.replace("\n", "|").split("|")):
    for _word in _line.split():
        NEAR[_word] = NEAR.get(_word, frozenset()) | {_at}

_OPPOSITES = word_table("opposites")
OPPOSITES: dict[str, frozenset[str]] = {}
for _row in _OPPOSITES.replace("\n", "|").split("|"):
    if _row:
        _one, _other = _row.split()
        OPPOSITES[_one] = OPPOSITES.get(_one, frozenset()) | {_other}
        OPPOSITES[_other] = OPPOSITES.get(_other, frozenset()) | {_one}

NEGATIONS = logic.denial_words(LANGUAGES) | bag("nolonger nichtmehr yano neplus ¬ \ue000 \ue001 \ue002")
QUANTIFIERS = bag(word_table("quantifiers"))
MODALS = bag("must may can should might could would will need shall muss darf kann soll debe puede doit peut")
CONDITIONS = logic.condition_words(LANGUAGES)
RELATIONS = bag(
    "over than before after from to ratherthan against under above below by for vor nach von zu anstatt über"
    " unter antes"
    " después envezde avant après"
)


LIGHT = bag("'s of for at in on was have")
"""Words that a turn brings in or leaves out."""
_LINKS = bag("of for at in on")
_MARKS = bag(", and")
_LONGEST = 3
_DONE = bag(
    "moved migrated changed renewed started stopped merged deployed updated switched closed opened finished ended"
    " cancelled canceled postponed shut scheduled rescheduled upgraded restored rotated"
)
"""What happens to a thing whether or not it is said who did it: it moved, it was moved."""
_CONVERSE = {
    ("lent", "to"): ("borrowed", "from"),
    ("sold", "to"): ("bought", "from"),
    ("lends", "to"): ("borrows", "from"),
    ("sells", "to"): ("buys", "from"),
}
_PASSING = frozenset(word for pair in _CONVERSE.items() for words in pair for word in words) | {"every"}
_FRONTED_GERMAN = bag("für in bis seit mit bei auf nach ab während")
_CLAUSES = bag("if unless because while after before")
_FRONTED = bag("in on at for during since with")


def converse(left: list[str], right: list[str]) -> bool:
    """Tell whether what two notes differ in is one act seen from both ends."""
    pairs = {(tuple(sorted(one)), tuple(sorted(other))) for one, other in _CONVERSE.items()}
    here, there = tuple(sorted(left)), tuple(sorted(right))
    return (here, there) in pairs or (there, here) in pairs


def passing(word: str) -> bool:
    """Tell whether a note that says the same may be without a word, or say it wholly otherwise."""
    return word in LIGHT or word in _PASSING or word[0] == "D" or length(word) is not None


def reached(one: list[str], other: list[str], things: frozenset[str]) -> bool:
    """Tell whether one turn, or two, make one row of words the other; `things` are words that are no verbs."""
    one, other = (_owning([word for word in words if word not in _MARKS]) for words in (one, other))
    if one.count("=") != 1 or other.count("=") != 1:
        one, other = (_said_of(words, here) for words, here in ((one, "=" in other), (other, "=" in one)))
    return _reached(one, other, things) or _reached(other, one, things)


def _reached(one: list[str], other: list[str], things: frozenset[str]) -> bool:
    goals = _bare(other)
    first = [turn for words in _bare(one) for turn in (words, *_turns(words, things))]
    if any(turn in goals for turn in first):
        return True
    return len(one) < 2 * _LONGEST + 6 and any(turn in goals for words in first[1:] for turn in _turns(words, things))


def _owning(words: list[str]) -> list[str]:
    """Return `there are 3 nodes in the cluster` as `the cluster has 3 nodes`."""
    if words[:1] != ["="] or words.count("in") != 1 or words.count("=") != 1:
        return words
    at = words.index("in")
    return [*words[at + 1 :], "have", *words[1:at]]


def _said_of(words: list[str], copula: bool) -> list[str]:  # noqa: FBT001 - in the other note
    """Return words without a copula, and where only they have one without the `in` behind it."""
    return [
        word
        for at, word in enumerate(words)
        if word != "=" and (copula or not at or words[at - 1] != "=" or word not in {"in", "on", "at"})
    ]


def _bare(words: list[str]) -> list[list[str]]:
    """Return the words as they are, and without `'s` between a thing and what it belongs to."""
    return [words] + ([[word for word in words if word != "'s"]] if "'s" in words else [])


def _turns(words: list[str], things: frozenset[str]) -> Iterator[list[str]]:
    yield from _compounds(words, things)
    yield from _passives(words, things)
    yield from _converses(words)
    if words.count("=") == 1 and things and not {*NEGATIONS, *RELATIONS} & set(words):
        at = words.index("=")
        yield [*words[at + 1 :], "=", *words[:at]]
    if words and words[0] in _FRONTED:
        behind = next((at for at, word in enumerate(words) if word in _CLAUSES and at > _LONGEST), len(words))
        for end in (2, 3):
            yield words[end:behind] + words[:end] + words[behind:]
    if words and words[0] in _FRONTED_GERMAN:
        for end in (2, 3):
            yield [*words[end + 1 : end + 2], *words[end : end + 1], *words[end + 2 :], *words[:end]]


def _compounds(words: list[str], things: frozenset[str]) -> Iterator[list[str]]:
    """Turn `contact at the bank` into `bank contact`."""
    for at, word in enumerate(words):
        if word not in _LINKS:
            continue
        for before in range(1, min(_LONGEST, at) + 1):
            for behind in range(1, min(_LONGEST, len(words) - at - 1) + 1):
                thing, owner = words[at - before : at], words[at + 1 : at + 1 + behind]
                if thing[0] in things and not any(_bound(part) for part in (*thing, *owner)):
                    yield words[: at - before] + owner + thing + words[at + 1 + behind :]


def _bound(word: str) -> bool:
    return word in NEGATIONS or word in RELATIONS or word in _LINKS or temporal(word) or word[0] == "#"


def _passives(words: list[str], things: frozenset[str]) -> Iterator[list[str]]:
    """Turn `the wiki was moved to B` into `moved the wiki to B`."""
    for at, word in enumerate(words[:-1]):
        if word == "was" and at and words[at + 1].endswith(("ed", "t", "n")):
            yield [words[at + 1], *words[:at], *words[at + 2 :]]
            if words[at + 2 : at + 3] and words[at + 2] in {"down", "up", "off", "out"}:
                yield [*words[at + 1 : at + 3], *words[:at], *words[at + 3 :]]
            if words[at + 1] in _DONE and things & set(words[:at]):
                yield words[:at] + words[at + 1 :]


def _converses(words: list[str]) -> Iterator[list[str]]:
    """Turn `A lent B to C` into `C borrowed B from A`."""
    for (verb, link), (turned, back) in _CONVERSE.items():
        if words.count(verb) == words.count(link) == 1 and 0 < words.index(verb) < words.index(link):
            at, to = words.index(verb), words.index(link)
            yield [*words[to + 1 :], turned, *words[at + 1 : to], back, *words[:at]]
