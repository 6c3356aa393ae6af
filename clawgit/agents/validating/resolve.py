"""Resolves what a message corrects."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Literal

from msgspec import Struct

from clawgit.agents.validating import unclaimed
from clawgit.language import pattern_tables, sentences, values
from clawgit.language.own_words import own_words, straight
from clawgit.language.values import alike, content_words, equal, gloss_end, places
from clawgit.messages import sides
from clawgit.messages.patterns import VALIDATOR
from clawgit.messages.sides import Sides
from clawgit.messages.triage import Triage, names_value
from clawgit.text import spelling
from clawgit.text.entry import normalise

_pattern = partial(pattern_tables.pattern, Path(__file__).parent / "data/corrections.toml", "claims")
LONGEST = 2_000
"""Characters from which on a message is a text, and no answer."""
_PLAIN = 300
"""Characters of a message that may be the plain restatement of one value."""
_QUOTED = 24
"""Characters in quotation marks that are more than a value."""
_WORDS = 6
"""Words of a side that is no value."""


class Turn(Struct, frozen=True):
    """What somebody said."""

    who: Literal["operator", "agent"]
    text: str


class Stored(Struct, frozen=True):
    """A memory: its id, and what it says."""

    id: str
    text: str


class Correction(Struct, frozen=True):
    """What was said or stored, what is true, the entry that is corrected (None: none), and what it says then.

    `subject` is the whole sentence that was wrong where no entry says it. `copies` are entries that say the same, each
    with what it says then.
    """

    said: str
    true: str
    entry: Stored | None
    statement: str
    subject: str = ""
    tag: str = "knowledge"
    copies: tuple["Correction", ...] = ()


class Candidate(Struct, frozen=True):
    """Something that corrects, perhaps: why nothing is done, what is known of the two sides, which memories fit."""

    reason: str
    said: str = ""
    true: str = ""
    choices: tuple[Stored, ...] = ()


class _Scene(Struct, frozen=True):
    """A message's own words, the sentences that it claims, and what was said before: by the agent, and by both."""

    text: str
    claimed: tuple[str, ...]
    agent: str
    before: str


ONE_SIDE, NO_MEMORY, SEVERAL = "it tells one side only", "no memory says so", "several memories fit"


def is_called_for(text: str, found: Triage) -> bool:
    """Tell whether a message of the operator's may correct something: by a trigger, or by two sides."""
    return contradicts(text, found) or next(sides.find(own_words(text)), None) is not None


def contradicts(text: str, found: Triage) -> bool:
    """Tell whether a message has a trigger of triage's, or opens with a translation of one."""
    return any(one.route == VALIDATOR for one in found.matches) or bool(_pattern("opens").search(own_words(text)))


def resolve(
    message: str, found: Triage, before: Sequence[Turn], stored: Sequence[Stored]
) -> Correction | Candidate | None:
    """Return the correction that a message makes, a candidate where it is not sure, None where it corrects nothing.

    `found` is what triage says of it, `before` the turns until then, the newest last. The words are taken for the
    operator's own: whoever calls has made sure of that. Nothing is guessed: one memory has the wrong value, or the one
    value of its type, and shares its subject with what was said.
    """
    text = _spoken(message)
    if unclaimed.is_unclaimed(text) or not is_called_for(message, found):
        return None
    claimed = tuple(one for one in sentences.texts(text) if unclaimed.is_claimed(one))
    said = " ".join(claimed)
    blames = bool(_pattern("opens").search(said)) or any(
        one.strip() in said and not re.match(r"(?:actually,? )?(?:i|we)\b", one.strip(), re.IGNORECASE)
        for one in (match.text for match in found.matches if match.route == VALIDATOR)
    )
    if not claimed:
        doubted = contradicts(text, found) and unclaimed.doubts(text) and not unclaimed.asks(text)
        return Candidate("it is not said for certain") if doubted else None
    agent = next((turn.text for turn in reversed(before) if turn.who == "agent"), "")
    own = next((turn.text for turn in reversed(before) if turn.who == "operator"), "")
    if len(text) > LONGEST:
        return Candidate("it is a long text") if blames else None
    outcome = _outcome(_Scene(text, claimed, agent, f"{agent}\n{own}"), stored)
    if isinstance(outcome, Correction):
        return outcome
    if agent.rstrip().endswith(("?", "\uff1f")):  # a no to a question only answers it
        return None
    concerns = outcome.said and outcome.true and outcome.choices
    valued = values.find(outcome.said) or values.names(outcome.said, opening=True)
    heard = valued and places(f"{agent}\n{own}", outcome.said)
    return outcome if concerns or ((blames or heard) and not unclaimed.observes(text)) else None


def _spoken(message: str) -> str:
    """Return a message's own words; a word or two in quotation marks or ticks are a value, and stay."""
    own = own_words(message)
    plain = re.sub(r"\0+", lambda run: message[run.start() : run.end()] if len(run[0]) < _QUOTED else " ", own)
    return straight(plain).strip()


def _outcome(scene: _Scene, stored: Sequence[Stored]) -> Correction | Candidate:
    texts = (*scene.claimed, " ".join(scene.claimed))
    pairs = [one for text in texts for one in sides.find(text) if unclaimed.is_claimed(one.part)]
    doubt: Candidate | None = None
    for one in pairs:
        corrected = [made for entry in stored if (made := _exchanged(entry, one)) is not None]
        held = [entry for entry in stored if places(entry.text, one.said)]
        outcome = _only(corrected, one.positive, (one.said, *(made.true for made in corrected)), scene, held)
        right = _borne_out(one, scene, stored)
        if isinstance(outcome, Correction) and right and not _subject(one.positive, (outcome.true,)):
            outcome = Candidate(SEVERAL, outcome.said, outcome.true, (outcome.entry,) if outcome.entry else ())
        elif isinstance(outcome, Correction):
            return outcome
        elif right:
            return right
        doubt = doubt or (outcome if outcome.choices else None)
    return doubt or (Candidate(NO_MEMORY, pairs[0].said) if pairs else _restated(scene, stored))


# ---- both sides


def _exchanged(entry: Stored, both: Sides) -> Correction | None:
    """Return a memory with what is true in the place of its one `said`; None where that would have to be guessed."""
    span, clause = _place(entry.text, both.said), both.clause
    if span is None:
        return None
    start, end = span
    old = values.read(entry.text[start:end])
    if old and old.kind != "name":
        new = sides.others(clause, old) or sides.others(both.positive, old)
        if len(new) != 1:
            return None
        start, end = start + old.start, start + old.end
        (true,) = new
    else:
        anchor = next(reversed(re.findall(r"\w+", entry.text[:start])), "")
        true = sides.behind(clause, anchor)
        longest = _WORDS if places(clause, anchor) else len(entry.text[start:end].split()) + (true != clause)
        true = true if len(true.split()) <= longest else _name(entry.text, clause, old)
        if not true or _kinds(true) != _kinds(entry.text[start:end]):
            return None
    statement = replaced(entry.text, start, end, true)
    told = normalise(statement) != normalise(entry.text) and names_value(true)
    if not told or _is_mixed(statement, true, both):
        return None
    return Correction(*_apart(entry.text, entry.text[start:end], true), entry, statement)


def _apart(text: str, said: str, true: str) -> tuple[str, str]:
    """Return both sides without the words that they share at their end, if a text has what is left just once."""
    one, two = said.split(" "), true.split(" ")
    while min(len(one), len(two)) > 1 and one[-1] == two[-1]:
        one, two = one[:-1], two[:-1]
    return (" ".join(one), " ".join(two)) if text.count(" ".join(one)) == 1 else (said, true)


def _is_mixed(statement: str, true: str, both: Sides) -> bool:
    """Tell whether more was said than a statement has: in the clause, or of the type of another of its values."""
    known = values.find(statement)
    more = [one for one in values.find(both.positive) if not any(equal(one, other) for other in known)]
    rest = [one for one in known if one.text not in true]
    return any(one.text in both.clause or any(alike(one, other) for other in rest) for one in more)


def _place(text: str, said: str) -> tuple[int, int] | None:
    """Return where a memory says what is wrong, once, without the small words that lead to it."""
    spans = places(text, sides.without_lead(said))
    return spans[0] if len(spans) == 1 else None


def _kinds(text: str) -> list[str]:
    return sorted(one.kind.split()[0] for one in values.find(text))


def _name(text: str, clause: str, old: values.Value | None) -> str:
    """Return the one name of a clause that a memory does not have, where a name is wrong."""
    new = [one for one in values.names(clause, opening=True) if not places(text, one.text)] if old else []
    return new[0].text if len(new) == 1 else ""


def replaced(text: str, start: int, end: int, true: str) -> str:
    """Return a statement with its wrong value exchanged, with the date that glosses it, and nothing else."""
    if start == 0 and text[:1].isupper():
        true = true[:1].upper() + true[1:]
    return f"{text[:start]}{true}{text[gloss_end(text, end) :]}"


# ---- one side


def _restated(scene: _Scene, stored: Sequence[Stored]) -> Correction | Candidate:
    """Return what comes of a message that only says what is true: one memory has another value of each type."""
    plain = " ".join(scene.claimed)
    new = values.find(_pattern("since").sub(" ", plain))
    several = any(alike(one, other) and not equal(one, other) for one, other in combinations(new, 2))
    if not new or several or len(plain) > _PLAIN:
        return Candidate(ONE_SIDE)
    heard = values.find(scene.agent)
    said = {one.canon for value in new for one in heard if alike(one, value) and not equal(one, value)}
    corrected = [made for entry in stored if (made := _revalued(entry, new, said)) is not None]
    outcome = _only(corrected, plain, [one.text for one in new], scene, heard=bool(said))
    subject = _subject(plain, tuple(one.text for one in new)) or content_words(
        scene.before, [one.text for one in heard]
    )
    right = [entry for entry in stored if _has(entry, new) and subject & content_words(entry.text)]
    if right and isinstance(outcome, Correction):
        return Candidate(SEVERAL, outcome.said, outcome.true, tuple(filter(None, (outcome.entry, *right))))
    if len(right) == len(new) == len(said) == 1 and not corrected:
        (wrong,) = (one.text for one in heard if one.canon in said)
        return _kept(right[0], wrong, new[0].text, scene) or outcome
    if isinstance(outcome, Candidate) and not outcome.true:
        return Candidate(outcome.reason, outcome.said, new[0].text if len(new) == 1 else "", outcome.choices)
    return outcome


def _has(entry: Stored, wanted: Sequence[values.Value]) -> bool:
    return all(any(alike(one, other) and equal(one, other) for one in values.find(entry.text)) for other in wanted)


def _revalued(entry: Stored, new: Sequence[values.Value], said: set[str]) -> Correction | None:
    """Return a memory with each of some values in the place of its one value of that type, if `said` has that one."""
    text, pairs = entry.text, list[tuple[str, str]]()
    for value in new:
        old = [one for one in values.find(text) if alike(one, value)]
        if len(old) != 1 or (said and old[0].canon not in said and not equal(old[0], value)):
            return None
        if not equal(old[0], value):
            pairs.append((old[0].text, value.text))
            text = replaced(text, old[0].start, old[0].end, value.text)
    if not pairs:
        return None
    return Correction(*(pairs[0] if len(pairs) == 1 else (entry.text, text)), entry, text)


# ---- which memory


def _only(
    corrected: Sequence[Correction],
    sentence: str,
    without: Iterable[str],
    scene: _Scene,
    held: Sequence[Stored] = (),
    *,
    heard: bool = True,
) -> Correction | Candidate:
    """Return the correction of the one memory, and its copies, that is about what was said; else what is open.

    `held` are the memories that say what is wrong, whether it can be exchanged there or not.
    """
    sides = tuple(without)
    subject = _subject(sentence, sides)
    context = content_words(scene.before, sides)

    def shares(entry: Stored, wanted: Callable[[frozenset[str]], bool]) -> bool:
        return wanted(content_words(entry.text, sides))

    fits = [one for one in corrected if one.entry and _is_about(one.entry, subject, context, one.said, scene.agent)]
    if len(_groups(fits, sides)) > 1 and subject:
        fits = [one for one in fits if one.entry and shares(one.entry, subject.__le__)]
    groups = _groups(fits, sides)
    choices = tuple(one.entry for one in (fits or corrected) if one.entry) or tuple(held)
    first = next(iter(fits or corrected), None)
    known = (first.said, first.true) if first and len({(one.said, one.true) for one in corrected}) == 1 else ("", "")
    if len(groups) != 1:
        return Candidate(SEVERAL if groups else NO_MEMORY, *known, choices)
    head, *copies = groups[0]
    assert head.entry is not None
    if not heard and not (subject and shares(head.entry, subject.__le__)):
        return Candidate("it may be about something else", *known, choices)
    if unclaimed.is_once(sentence, head.entry.text):
        return Candidate("it may hold this once only", *known, choices)
    if unclaimed.is_elsewhere(sentence, head.entry.text):
        return Candidate("it may be about somebody else", *known, choices)
    return Correction(head.said, head.true, head.entry, head.statement, copies=tuple(copies))


def _subject(sentence: str, sides: tuple[str, ...]) -> frozenset[str]:
    """Return what a sentence is about, without its sides and the words that only contradict."""
    return content_words(_pattern("empty").sub(" ", _pattern("opens").sub(" ", sentence)), sides)


def _is_about(entry: Stored, subject: frozenset[str], context: frozenset[str], said: str, agent: str) -> bool:
    """Tell whether a memory shares a word with what was said, or, where that names nothing, with what went before.

    A name, and words that are no value, are a subject by themselves where the agent just said them.
    """
    about = content_words(entry.text)
    if subject:
        return bool(subject & about)
    value = values.read(said)
    named = (value is None or value.kind in ("name", "path", "phone")) and bool(places(agent, said))
    return not context or bool(context & about) or named


def _groups(some: Sequence[Correction], sides: tuple[str, ...]) -> list[list[Correction]]:
    """Return corrections of memories that are copies of each other: one key, or one subject but for a word."""
    groups: list[list[Correction]] = []
    for one in some:
        group = next((group for group in groups if _is_copy(one, group[0], sides)), None)
        if group is None:
            groups.append([one])
        else:
            group.append(one)
    return groups


def _is_copy(one: Correction, other: Correction, sides: tuple[str, ...]) -> bool:
    assert one.entry is not None
    assert other.entry is not None
    keys = [entry.text.partition(":")[0].casefold() for entry in (one.entry, other.entry) if ": " in entry.text]
    apart = content_words(one.entry.text, sides) ^ content_words(other.entry.text, sides)
    return (len(keys) > 1 and keys[0] == keys[1]) or len(apart) <= 1


# ---- what holds already


def _borne_out(both: Sides, scene: _Scene, stored: Sequence[Stored]) -> Correction | None:
    """Return what corrects no memory, as one says already what is true: it holds against what others say."""
    pairs = [(one, pair) for one in stored if (pair := _says_so(both, one))]
    context = content_words(scene.before)
    right = [
        _kept(entry, said, true, scene)
        for entry, (said, true) in pairs
        if _is_about(entry, _subject(both.positive, (said, true)), context, said, scene.agent)
    ]
    return right[0] if len(right) == 1 else None


def _kept(entry: Stored, said: str, true: str, scene: _Scene) -> Correction | None:
    """Return the record of what is wrong where the agent alone said so, or nobody before."""
    heard = places(scene.agent, said) and not places(scene.agent, true)
    record = Correction(said, true, None, "", entry.text.replace(true, said))
    return record if heard or not scene.before.strip() else None


def _says_so(both: Sides, entry: Stored) -> tuple[str, str] | None:
    """Return both sides where a memory says the true one and not the wrong one."""
    wrong = values.read(both.said)
    new = (sides.others(both.clause, wrong) if wrong else []) or [both.clause]
    true = next((one for one in new if places(entry.text, one)), "")
    return (both.said, true) if true and not places(entry.text, both.said) else None


# ---- the operator's own command


def nearest(text: str, stored: Sequence[Stored]) -> list[Stored]:
    """Return the memories whose words are most like these, three at most, the nearest first."""
    words = {one.text: one for one in reversed(stored)}
    return [words[one] for one in spelling.nearest(text, words)]


def exchanged(entry: Stored, said: str, true: str) -> Correction | None:
    """Return the correction of a memory in which `said` stands once, None elsewhere."""
    spans = places(entry.text, said) if said else []
    if len(spans) != 1:
        return None
    ((start, end),) = spans
    return Correction(entry.text[start:end], true, entry, replaced(entry.text, start, end, true))


def stated(
    text: str, found: Triage, stored: Sequence[Stored], about: Stored | None = None
) -> Correction | Candidate | None:
    """Return what `text` corrects among `stored`; `about` is the memory where it is named.

    Of that memory `text` may tell both sides, or the whole truth, which then takes the place of its words.
    """
    if about is None:
        return resolve(text, found, (), stored)
    pairs = list(sides.find(own_words(text)))
    made = (_exchanged(about, one) for one in pairs)
    if outcome := next(filter(None, made), None):
        return outcome
    if pair := next(filter(None, (_says_so(one, about) for one in pairs)), None):
        return Candidate(f"{about.id} says already what is true, and nothing that is wrong", *pair)
    if pairs:
        return Candidate("it does not say which words of the memory are wrong", choices=(about,))
    return Correction(about.text, text, about, text)
