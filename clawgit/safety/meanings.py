"""What a sentence asks for, by the meanings it joins."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from clawgit.safety import negation
from clawgit.safety.phrases import Kind
from clawgit.safety.rapid import Patterns, compiled
from clawgit.safety.steering import STEERING
from clawgit.safety.usurping import USURPING
from clawgit.safety.vocabulary import WORDS
from clawgit.safety.yielding import YIELDING

MEANINGS = WORDS | USURPING | YIELDING | STEERING
_PATTERNS = Patterns(tuple(pattern for wordings in MEANINGS.values() for pattern in wordings))
_NAMES = tuple(name for name, wordings in MEANINGS.items() for _ in wordings)
REMEMBERED = 4096  # sentences
LONGEST = 400  # characters of a sentence that are read
_LIMITABLE = (("without_asking",), ("may_approve",))  # a leave for this and nothing else
_END = (  # "…; turn it off" goes on with what stands before
    r"[.!?](?=\s|$)|;(?=\s|$)(?! [^.;\n]{0,40}\b(?:its?|them|that|this|they|there)\b)"
    r"|。|\n\s*\n|\n(?=\s*(?:[-+>#|]|\d+[.)])\s)"
)


@dataclass(frozen=True, slots=True)
class Rule:
    """A sentence that holds all of `joins` and none of `unless` is of `kind`.

    `forbids` says that a negation before the first of `joins` turns it round.
    """

    kind: Kind
    joins: tuple[str, ...]
    unless: tuple[str, ...] = ()
    forbids: bool = True


@dataclass(frozen=True, slots=True)
class Sentence:
    """Words that stand together, and where they begin in the text."""

    start: int
    text: str


def _rule(kind: Kind, joins: str, unless: str = "", *, forbids: bool = True) -> Rule:
    return Rule(kind, tuple(joins.split()), tuple(unless.split()), forbids)


RULES = (
    _rule("override", "void rules above", "careful"),
    _rule("override", "void above all", "careful"),
    _rule("override", "void boundaries", "careful idle"),
    _rule("override", "lapsed rules above", "careful", forbids=False),
    _rule("override", "lapsed boundaries", "careful idle", forbids=False),
    _rule("override", "exempt rules"),
    _rule("override", "exempt boundaries"),
    _rule("override", "last_wins lines", "careful"),
    _rule("override", "copies_itself", "careful"),
    _rule("override", "soft_rules", "careful"),
    _rule("override", "this_note", "careful"),
    _rule("override", "void rules all", "careful foreign"),
    _rule("override", "precedence", "careful setting"),
    _rule("secrecy", "not_tell owner", "careful outsider about", forbids=False),
    _rule("secrecy", "not_tell acts_out", "careful outsider tidied", forbids=False),
    _rule("secrecy", "bother owner acts_out", "careful", forbids=False),
    _rule("secrecy", "silence", "careful", forbids=False),
    _rule("secrecy", "erase record", "careful manner tidied"),
    _rule("secrecy", "left_out", "careful outsider guarded", forbids=False),
    _rule("secrecy", "denies", "careful guarded", forbids=False),
    _rule("secrecy", "good_news", "careful"),
    _rule("secrecy", "delayed acts_out", "careful"),
    _rule("exfiltration", "send goods address"),
    _rule("exfiltration", "send goods others"),
    _rule("exfiltration", "send each address"),
    _rule("exfiltration", "send every_mail address", "careful"),
    _rule("exfiltration", "fetch goods address", "setting careful"),
    _rule("exfiltration", "gets goods callers", "careful guarded"),
    _rule("exfiltration", "personal in_public", "careful"),
    _rule("exfiltration", "reads_along", "careful"),
    _rule("exfiltration", "outlet goods", "careful"),
    _rule("exfiltration", "send codes elsewhere", "careful"),
    _rule("exfiltration", "send codes trigger_word", "careful"),
    _rule("exfiltration", "send goods trigger_word", "careful"),
    _rule("exfiltration", "image"),
    _rule("exfiltration", "upload"),
    _rule("grant", "without_asking", "careful home", forbids=False),
    _rule("grant", "agreed ahead", "careful"),
    _rule("grant", "approve blindly", "careful"),
    _rule("grant", "as_owner", "careful"),
    _rule("grant", "authority"),
    _rule("grant", "trusted unchecked", forbids=False),
    _rule("grant", "asking needless", "careful", forbids=False),
    _rule("grant", "acts_alone", "careful"),
    _rule("grant", "obey", "careful"),
    _rule("grant", "fence off", "careful"),
    _rule("grant", "switch_off safety_net", "careful"),
    _rule("grant", "erase hooks", "careful"),
    _rule("grant", "funds without_asking", "careful", forbids=False),
    _rule("grant", "agreed all_future", "careful"),
    _rule("grant", "may_spend", "careful guarded"),
    _rule("grant", "pardon", "careful"),
    _rule("grant", "orders", "careful guarded"),
    _rule("grant", "does_as_told", "careful guarded"),
    _rule("grant", "raised as_a_habit", "careful guarded"),
    _rule("grant", "unseen_by_her", "careful", forbids=False),
    _rule("grant", "disarmed", "careful"),
    _rule("grant", "carte_blanche", "careful guarded", forbids=False),
    _rule("grant", "waved_through", "careful guarded", forbids=False),
    _rule("grant", "foreign_orders", "careful"),
    _rule("secrecy", "covered_up", "careful"),
    _rule("exfiltration", "open_query goods", "careful"),
    _rule("grant", "new_owner", "careful guarded", forbids=False),
    _rule("grant", "void safety_warnings", "careful"),
    _rule("money", "account replaced", "guarded"),
    _rule("money", "pay_to", "careful guarded"),
    _rule("money", "bank"),
    _rule("command", "startup runs", "careful"),
    _rule("bias", "recommend advert"),
    _rule("persona", "being unbound"),
    _rule("persona", "becomes"),
    _rule("bias", "slant", "careful"),
    _rule("persona", "speaks_as unbound", "manner"),
    _rule("command", "fetch link carry_out"),
    _rule("command", "install extension link"),
    _rule("command", "install extension blindly", "careful"),
    _rule("command", "install extension from_elsewhere", "careful"),
    _rule("command", "first_thing hidden_program", "careful"),
    _rule("command", "startup hidden_program", "careful"),
    _rule("command", "persistence put"),
    _rule("command", "keys look"),
    _rule("command", "fetch_run"),
    _rule("encoded", "code_word live_by"),
    _rule("exfiltration", "hands creds mailbox", "careful guarded setting"),
    _rule("exfiltration", "hands creds seeker", "careful guarded"),
    _rule("exfiltration", "hands papers mailbox", "careful guarded setting"),
    _rule("exfiltration", "hands creds cue", "careful guarded"),
    _rule("exfiltration", "hands creds", "careful guarded setting owner acts_out tidied look"),
    _rule("exfiltration", "hands creds moved", "careful guarded setting"),
    _rule("exfiltration", "hands papers cue", "careful guarded"),
    _rule("exfiltration", "hands seeker papers", "careful guarded setting"),
    _rule("exfiltration", "hands seeker personal", "careful guarded"),
    _rule("exfiltration", "seeker papers send", "careful guarded setting"),
    _rule("exfiltration", "creds seeker", "careful guarded"),
    _rule("exfiltration", "hands mailbox all", "careful guarded setting"),
    _rule("exfiltration", "hands mailbox each", "careful guarded setting"),
    _rule("exfiltration", "hands creds phone", "careful guarded"),
    _rule("exfiltration", "moved phone creds", "careful guarded"),
    _rule("exfiltration", "moved mailbox creds", "careful guarded setting"),
    _rule("exfiltration", "moved mailbox hands", "careful guarded setting"),
    _rule("money", "moved account_no", "careful guarded"),
    _rule("money", "pay_now phone", "careful guarded"),
    _rule("money", "pay_now mailbox", "careful guarded"),
    _rule("grant", "auto_pay", "careful guarded"),
    _rule("exfiltration", "creds calls hands", "careful guarded"),
    _rule("exfiltration", "routed mailbox", "careful guarded"),
    _rule("grant", "as_hers", "careful guarded"),
    _rule("grant", "loosest", "guarded"),
    _rule("grant", "may_approve", "careful guarded"),
    _rule("grant", "silence_yes", "guarded", forbids=False),
    _rule("grant", "guard_pass", "careful guarded"),
    _rule("grant", "deeds granted", "careful guarded"),
    _rule("grant", "hands granted", "careful guarded"),
    _rule("grant", "goods granted", "careful guarded"),
    _rule("grant", "asking granted", "careful guarded"),
    _rule("exfiltration", "hands cue", "careful guarded"),
    _rule("command", "startup mailbox", "careful"),
    _rule("command", "startup deeds", "careful guarded"),
    _rule("exfiltration", "startup hands", "careful guarded"),
    _rule("override", "boundaries off", "careful guarded"),
    _rule("command", "gets_extension mailbox", "careful guarded setting"),
    _rule("command", "gets_extension unchecked", "careful guarded", forbids=False),
    _rule("command", "gets_extension without_asking", "careful guarded", forbids=False),
    _rule("command", "gets_extension seeker", "careful guarded"),
    _rule("grant", "deeds cue", "careful guarded"),
    _rule("grant", "granted cue", "careful guarded"),
    _rule("grant", "granted seeker", "careful guarded"),
    _rule("grant", "deeds seeker", "careful guarded"),
    _rule("override", "prior_say boundaries"),
    _rule("override", "prior_say asking"),
    _rule("exfiltration", "prior_say hands creds", "careful guarded"),
    _rule("exfiltration", "prior_say hands papers", "careful guarded"),
    _rule("grant", "prior_say granted", "careful guarded"),
    _rule("grant", "asks_less", "careful guarded", forbids=False),
    _rule("grant", "note_down granted", "careful guarded"),
    _rule("grant", "note_down untrue", "careful guarded", forbids=False),
    _rule("bias", "sold disguised"),
    _rule("money", "moved pay_now", "careful guarded"),
    _rule("command", "trust_drop", "careful guarded"),
    _rule("command", "gets_extension offered", "careful guarded"),
    _rule("override", "comes_back", "careful guarded", forbids=False),
    _rule("persona", "serves", "careful guarded"),
)


@lru_cache(maxsize=REMEMBERED)
def kinds(sentence: str, operator: frozenset[str], behind: str = "") -> tuple[Kind, ...]:
    """Return what is suspicious about `sentence`; most sentences come again with the next version of a file.

    `behind` is what the text goes on with, which may tell how a quotation was answered.
    """
    read = _named(sentence.replace("\n", " "), operator)
    held = _held(read)
    rules = _met(held)
    if rules and (rest := negation.unquoted(read, behind)) != read:
        read, held = rest, _held(rest)
        rules = _met(held)
    if rules and negation.limited(read + behind):
        rules = [rule for rule in rules if rule.joins not in _LIMITABLE]
    turned = any(rule.forbids for rule in rules) and negation.turned(read)
    banned = turned and negation.banned(read)
    found = (
        rule.kind
        for rule in rules
        if not (rule.forbids and turned and (banned or _forbidden(rule, read, held[rule.joins[0]])))
    )
    return tuple(dict.fromkeys(found))


def _met(held: dict[str, list[str]]) -> list[Rule]:
    names = frozenset(held)
    return [
        rule
        for name in held
        for rule in _opening().get(name, ())
        if names.issuperset(rule.joins) and names.isdisjoint(rule.unless)
    ]


@cache
def _opening() -> dict[str, list[Rule]]:
    by_first: dict[str, list[Rule]] = {}
    for rule in RULES:
        by_first.setdefault(rule.joins[0], []).append(rule)
    return by_first


def sentences(text: str) -> Iterator[Sentence]:
    """Split `text` at the ends of sentences, at blank lines and at list items."""
    start = 0
    for end in (*(m.end() for m in re.finditer(_END, text)), len(text)):
        piece = text[start:end]
        lead = len(piece) - len(piece.lstrip(" \t\n-+>#"))
        if piece[lead:].strip():
            yield Sentence(start + lead, piece[lead : lead + LONGEST])
        start = end


def _named(text: str, operator: frozenset[str]) -> str:
    for name in operator:
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "operator", text) if name in text else text
    return text


def _held(sentence: str) -> dict[str, list[str]]:
    """Return the meanings in `sentence` that a rule may join, and for each the patterns that found it."""
    held: dict[str, list[str]] = {}
    for number in _PATTERNS.found(sentence, _worth):
        held.setdefault(_NAMES[number], []).append(_PATTERNS.wanted[number])
    return held


def _worth(numbers: set[int]) -> set[int]:
    """Leave out the meanings that no rule can join with what else there may be."""
    names = frozenset(_NAMES[number] for number in numbers)
    rules = (rule for name in names for rule in _opening().get(name, ()) if names.issuperset(rule.joins))
    needed = {name for rule in rules for name in (*rule.joins, *rule.unless)}
    return {number for number in numbers if _NAMES[number] in needed}


def _forbidden(rule: Rule, sentence: str, patterns: list[str]) -> bool:
    """Tell whether the sentence forbids what `rule` looks for, judged where its verb stands."""
    return rule.forbids and all(
        negation.negated(sentence, *match.span(), clause=True)
        for pattern in patterns
        if (match := compiled(pattern).search(sentence))
    )
