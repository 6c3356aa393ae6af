"""Holds a text against the corrections that stand."""
# ruff: noqa: RUF001 -- punctuation of several scripts

import re
from collections.abc import Iterable
from functools import lru_cache

from msgspec import Struct

from clawgit.agents.validating.resolve import replace_value
from clawgit.errors import Command, correction_contradicted
from clawgit.language import logic, values
from clawgit.language.values import alike, equal, names, places, read, without_glosses
from clawgit.language.values import content_words as words
from clawgit.text.correction import Correction
from clawgit.text.entry import normalise
from clawgit.text.sameness.note_comparison import compare
from clawgit.workspace.correction_records import Standing, standing
from clawgit.workspace.workspace import Workspace

_COVERED, _OWN = 2 / 3, 1 / 2
"""How much of a rule's subject a clause names, and how much of what it names is that subject."""
_LONGEST = 2_000
_WORD = re.compile(r"[^\W_]+")
_EDGE = re.compile(
    r"[,;:，、；：—–(](?!\d)\s*|\s-\s|\s(?:and|but|so|because|since we|und|aber|weil|denn|y|pero|porque|et|mais|car)\s",
    re.IGNORECASE,
)


class Rule(Struct, frozen=True):
    """A correction that stands: of its `subject`, a whole sentence with `wrong` in it, `right` is so.

    `true` is the whole sentence that holds instead, "" where nobody wrote one.
    """

    id: str
    subject: str
    wrong: str
    right: str
    true: str = ""


class Ruling(Struct, frozen=True):
    """The rule that a text goes against, and the text put right; "" where it cannot be."""

    rule: Rule
    text: str


def rule_of(record: Correction) -> Rule | None:
    """Return the rule that a record makes, None where it does not tell both sides."""
    wrong, right = record.values
    subject = record.subject or (wrong if len(words(wrong)) > 1 else "")
    if wrong and right and not places(subject, wrong):  # nobody said the whole of what is wrong
        subject = refuted(record.true, wrong, right) or subject
    if not right or not subject:
        return None
    if not wrong or normalise(wrong) == normalise(subject):  # the whole sentence is wrong
        wrong = subject
    return Rule(record.id, subject, wrong, right, record.true if record.true != right or wrong == subject else "")


def rules(records: Iterable[Correction]) -> tuple[Rule, ...]:
    """Return the rules of records, the oldest first.

    Of one that is corrected twice to different values the last one holds: the first one's is wrong then, too.
    """
    found: list[Rule] = []
    for record in records:
        if rule := rule_of(record):
            earlier = [one for one in found if _same_side(one.wrong, rule.wrong) and _one_subject(one, rule)]
            found.append(rule)
            found += [
                Rule(rule.id, _exchanged(one), one.right, rule.right, rule.true)
                for one in earlier
                if not _same_side(one.right, rule.right)
            ]
    return tuple(found)


def refuted(true: str, wrong: str, right: str) -> str:
    """Return the sentence that a true one takes the place of, "" where what is right does not stand in it just once."""
    spots = places(true, right) if true != right else []
    return replace_value(true, *spots[0], wrong) if len(spots) == 1 else ""


def ruling(text: str, known: Iterable[Rule]) -> Ruling | None:
    """Return the newest rule that a text goes against, None where none speaks of it or one bears it out."""
    every, bare = tuple(known), without_glosses(text)
    return _ruling(text, every) or (_ruling(bare, every) if bare != text else None)


def _ruling(text: str, known: Iterable[Rule]) -> Ruling | None:
    left, now, first = list(known), text, None
    while now and len(now) <= _LONGEST and (against := _first(now, left)):
        first = first or against
        now = _put_right(now, against)
        left = left[left.index(against) + 1 :]  # what came before is overruled by it
    return Ruling(first, now) if first else None


def of_workspace(workspace: Workspace) -> tuple[Standing, ...]:
    """Return the corrections that stand in a workspace, the oldest first."""
    return standing(workspace.root, workspace.read)


def require_none(text: str, known: Iterable[Standing]) -> None:
    """Raise ClawgitError that names the correction where a text goes against one."""
    if found := ruling(text, rules(one.record for one in known)):
        rule = found.rule
        raise correction_contradicted(
            f"the operator corrected that: not {rule.wrong!r} but {rule.right!r}",
            fix=Command("clawgit corrections show {}", rule.id) if rule.id else Command("clawgit corrections list"),
        )


def _first(text: str, known: Iterable[Rule]) -> Rule | None:
    """Return the newest rule that speaks of what a text says, if it speaks against it."""
    about = words(text)
    for rule in reversed(list(known)):
        subject = _subject(rule)
        if subject and (len(subject & about) < _COVERED * len(subject) or _names_another(text, rule)):
            continue
        if _states(text, rule, rule.right):
            return None
        if _refutes(text, rule):
            return rule
    return None


def _names_another(text: str, rule: Rule) -> bool:
    """Return whether a text names somebody or something, and the subject of a rule somebody or something else."""
    mine, theirs = (_named(one, rule.wrong, rule.right) for one in (text, rule.subject))
    return bool(mine and theirs) and mine.isdisjoint(_bare(rule.subject)) and theirs.isdisjoint(_bare(text))


@lru_cache(maxsize=1024)
def _named(text: str, *without: str) -> frozenset[str]:
    some = frozenset(word for name in names(text, opening=True) for word in _bare(name.text))
    return some.difference(*map(_bare, without))


def _bare(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))


def _refutes(text: str, rule: Rule) -> bool:
    if places(text, rule.right) and rule.right != rule.wrong:
        return False
    if compare(text, rule.subject).relation == "same":
        return True
    if rule.wrong != rule.subject and _states(text, rule, rule.wrong):
        return True
    return bool(rule.true) and _third(text, rule)


def _third(text: str, rule: Rule) -> bool:
    """Return whether a text has a third value where a rule says which one holds."""
    value = read(rule.right) or next(iter(values.find(rule.right)), None)
    wrong = {one.canon for one in values.find(rule.wrong)} if rule.wrong != rule.subject else set[str]()
    told = [one for one in values.find(text) if value and alike(one, value) and one.canon not in wrong]
    isos = logic.languages(text)
    if len(told) != 1 or equal(told[0], value) or logic.denials(text, isos):  # type: ignore[arg-type]  # one is told
        return False
    return compare(text, rule.true).relation == "conflict"


def _states(text: str, rule: Rule, value: str) -> bool:
    """Return whether a text says of the subject of a rule that it is this value."""
    subject, isos = _subject(rule), logic.languages(text)
    if not subject or len(logic.denials(text, isos)) > len(logic.denials(rule.subject, isos)):
        return False
    without = (rule.wrong, rule.right)
    for start, end in places(text, value):
        part = words(_clause(text, start, end), without) or words(text, without)
        shared = len(part & subject)
        if shared >= _COVERED * len(subject) and shared >= _OWN * len(part):
            return True
    return False


@lru_cache(maxsize=1024)
def _subject(rule: Rule) -> frozenset[str]:
    return words(rule.subject, (rule.wrong, rule.right)) if rule.wrong != rule.subject else words(rule.subject)


def _put_right(text: str, rule: Rule) -> str:
    """Return a text with what is right in the place of what is wrong, "" where it is not told once and plainly."""
    spots = places(text, rule.wrong) if rule.wrong != rule.subject else []
    if len(spots) == 1:
        return replace_value(text, *spots[0], rule.right)
    return rule.true if compare(text, rule.subject).relation == "same" else ""


def _exchanged(rule: Rule) -> str:
    """Return the subject of a rule with what is right in it."""
    spots = places(rule.subject, rule.wrong)
    return rule.true or (replace_value(rule.subject, *spots[0], rule.right) if spots else rule.right)


def _same_side(one: str, other: str) -> bool:
    return normalise(one) == normalise(other) or bool(places(one, other) and places(other, one))


def _one_subject(one: Rule, other: Rule) -> bool:
    return _subject(one) == _subject(other)


def _clause(sentence: str, start: int, end: int) -> str:
    """Return the clause that characters `start` to `end` stand in."""
    edges = [match.span() for match in _EDGE.finditer(sentence)]
    first = max((stop for _, stop in edges if stop <= start), default=0)
    last = min((begin for begin, _ in edges if begin >= end), default=len(sentence))
    return sentence[first:last]
