"""Resolves what a message corrects."""

import re
from collections.abc import Collection, Iterable, Sequence
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Literal

from msgspec import Struct

from clawgit.agents.validating import unclaimed
from clawgit.language import detect, pattern_tables, sentences, values
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
    """The sentences that a message claims, and what was said before: by the agent, and by both."""

    claimed: tuple[str, ...]
    agent: str
    before: str


_OWN_CHANGE = re.compile(r"(?:actually,? )?(?:i|we)\b", re.IGNORECASE)
"""Begins what blames nobody: `I switched`."""
ONE_SIDE, NO_MEMORY, SEVERAL = "it tells one side only", "no memory says so", "several memories fit"


def is_called_for(text: str, found: Triage) -> bool:
    """Return whether a message of the operator's may correct something: by a trigger, or by two sides."""
    return has_trigger(text, found) or next(sides.find(own_words(text)), None) is not None


def has_trigger(text: str, found: Triage) -> bool:
    """Return whether a message has a trigger of triage's, or opens with a translation of one."""
    return any(match.route == VALIDATOR for match in found.matches) or bool(_pattern("opens").search(own_words(text)))


def resolve(
    message: str, found: Triage, before: Sequence[Turn], stored: Sequence[Stored]
) -> Correction | Candidate | None:
    """Return the correction that a message makes, a candidate where it is not sure, None where it corrects nothing.

    `found` is what triage says of it, `before` the turns until then, the newest last. The words are taken for the
    operator's own: whoever calls has made sure of that. Nothing is guessed: one memory has the wrong value, or the one
    value of its type, and shares its subject with what was said.
    """
    text = _read_own_words(message)
    if unclaimed.is_unclaimed(text) or not is_called_for(message, found):
        return None
    claimed = tuple(one for one in sentences.texts(text) if unclaimed.is_claimed(one))
    if not claimed:
        doubted = has_trigger(text, found) and unclaimed.is_doubtful(text) and not unclaimed.is_question(text)
        return Candidate("it is not said for certain") if doubted else None
    said = " ".join(claimed)
    triggers = [
        match.text.strip() for match in found.matches if match.route == VALIDATOR and match.text.strip() in said
    ]
    blames = bool(_pattern("opens").search(said)) or any(not _OWN_CHANGE.match(trigger) for trigger in triggers)
    if len(text) > LONGEST:
        return Candidate("it is a long text") if blames else None
    agent, own = (next((one.text for one in reversed(before) if one.who == who), "") for who in ("agent", "operator"))
    outcome = _outcome(_Scene(claimed, agent, f"{agent}\n{own}"), stored)
    if isinstance(outcome, Correction):
        return outcome
    if agent.rstrip().endswith(("?", "\uff1f")):  # a no to a question only answers it
        return None
    valued = values.find(outcome.said) or values.names(outcome.said, opening=True)
    blames = blames or bool(valued and places(f"{agent}\n{own}", outcome.said))
    concerns = outcome.said and outcome.true and outcome.choices
    return outcome if concerns or (blames and not unclaimed.is_observation(text)) else None


def _read_own_words(message: str) -> str:
    """Return a message's own words; a word or two in quotation marks or ticks are a value, and stay."""
    own = own_words(message)
    plain = re.sub(r"\0+", lambda run: message[run.start() : run.end()] if len(run[0]) < _QUOTED else " ", own)
    return straight(plain).strip()


def _outcome(scene: _Scene, stored: Sequence[Stored]) -> Correction | Candidate:
    texts = (*scene.claimed, " ".join(scene.claimed))
    pairs = [one for text in texts for one in sides.find(text) if unclaimed.is_claimed(one.part)]
    doubt: Candidate | None = None
    for both in pairs:
        corrected = [made for entry in stored if (made := _exchange(entry, both))]
        held = [entry for entry in stored if places(entry.text, both.said)]
        said, true = sides.read_pair(both)
        about = _About.of(both.positive, both.clause, (both.said, true, *(one.true for one in corrected)), scene)
        outcome = _choose_memory(corrected, about, held)
        right = _find_known(stored, said, true, about)
        if isinstance(outcome, Correction) and not (right and not about.subject):
            return outcome
        if right and not corrected:
            return right
        unsure = outcome if isinstance(outcome, Candidate) else _doubt(SEVERAL, corrected)
        doubt = doubt or (unsure if unsure.choices else None)
    return doubt or (Candidate(NO_MEMORY, pairs[0].said) if pairs else _read_restatement(scene, stored))


# ---- both sides


def _exchange(entry: Stored, both: Sides) -> Correction | None:
    """Return a memory with what is true in the place of its one wrong value; None where one would have to guess."""
    said, clause = sides.without_lead(both.said), both.clause
    spans = places(entry.text, said)
    if len(spans) != 1:
        return None
    start, end = spans[0]
    old = values.read(entry.text[start:end])
    if old and old.kind != "name":
        new = sides.other_values(clause, old) or sides.other_values(both.positive, old)
        start, end = start + old.start, start + old.end
        true = new[0] if len(new) == 1 else ""
    else:
        anchor = next(reversed(re.findall(r"\w+", entry.text[:start])), "")
        true = sides.words_behind(clause, anchor)
        longest = _WORDS if places(clause, anchor) else len(entry.text[start:end].split()) + (true != clause)
        true = true if len(true.split()) <= longest else _name(entry.text, clause, old)
        true = true if _kinds(true) == _kinds(entry.text[start:end]) else ""
    statement = replace_value(entry.text, start, end, true)
    told = true and names_value(true) and normalise(statement) != normalise(entry.text)
    if not told or _is_mixed(statement, true, both):
        return None
    return Correction(*_trim_sides(entry.text, entry.text[start:end], true), entry, statement)


def _name(text: str, clause: str, old: values.Value | None) -> str:
    """Return the one name of a clause that a memory does not have, where a name is wrong; German has no signs of it."""
    known = old and detect.language(text, values.WESTERN) != "de"
    new = [name for name in values.names(clause, opening=True) if not places(text, name.text)] if known else []
    return new[0].text if len(new) == 1 else ""


def _kinds(text: str) -> list[str]:
    return sorted(one.kind.split()[0] for one in values.find(text))


def _is_mixed(statement: str, true: str, both: Sides) -> bool:
    """Return whether more was said than a statement has: in the clause, or of the type of another of its values."""
    known = values.find(statement)
    more = [one for one in values.find(both.positive) if not any(equal(one, other) for other in known)]
    rest = [one for one in known if one.text not in true]
    return any(one.text in both.clause or any(alike(one, other) for other in rest) for one in more)


def _trim_sides(text: str, said: str, true: str) -> tuple[str, str]:
    """Return both sides without the words that they share at their end, if a text has what is left just once."""
    one, two = said.split(" "), true.split(" ")
    while min(len(one), len(two)) > 1 and one[-1] == two[-1]:
        one, two = one[:-1], two[:-1]
    return (" ".join(one), " ".join(two)) if text.count(" ".join(one)) == 1 else (said, true)


def replace_value(text: str, start: int, end: int, true: str) -> str:
    """Return a statement with its wrong value exchanged, with the date that glosses it, and nothing else."""
    if start == 0 and text[:1].isupper():
        true = true[:1].upper() + true[1:]
    return f"{text[:start]}{true}{text[gloss_end(text, end) :]}"


# ---- one side


def _read_restatement(scene: _Scene, stored: Sequence[Stored]) -> Correction | Candidate:
    """Return what comes of a message that only says what is true: one memory has another value of each type."""
    plain = " ".join(scene.claimed)
    new = values.find(_pattern("since").sub(" ", plain))
    several = any(alike(one, other) and not equal(one, other) for one, other in combinations(new, 2))
    if not new or several or len(plain) > _PLAIN:
        return Candidate(ONE_SIDE)
    heard = [
        one for one in values.find(scene.agent) if any(alike(one, other) and not equal(one, other) for other in new)
    ]
    said = {one.canon: one.text for one in heard}
    corrected = [made for entry in stored if (made := _exchange_values(entry, new, said))]
    clause = next((one for one in re.split(r"[,;.!?]\s", plain) if new[0].text in one), plain)
    about = _About.of(plain, clause, [one.text for one in (*new, *heard)], scene)
    outcome = _choose_memory(corrected, about)
    right = _find_known(stored, next(iter(said.values()), ""), new[0].text, about) if len(new) == 1 else None
    if isinstance(outcome, Correction) and (right or not about.is_sure(outcome, heard=bool(said))):
        return _doubt(SEVERAL if right else "it may be about something else", corrected)
    return right if right and len(said) == 1 and not corrected else outcome


def _exchange_values(entry: Stored, new: Sequence[values.Value], said: Collection[str]) -> Correction | None:
    """Return a memory with each of some values in the place of its one value of that type, if `said` has that one."""
    text, pairs = entry.text, list[tuple[str, str]]()
    for value in new:
        old = [one for one in values.find(text) if alike(one, value)]
        if len(old) != 1 or (said and old[0].canon not in said and not equal(old[0], value)):
            return None
        if not equal(old[0], value):
            pairs.append((old[0].text, value.text))
            text = replace_value(text, old[0].start, old[0].end, value.text)
    if not pairs:
        return None
    return Correction(*(pairs[0] if len(pairs) == 1 else (entry.text, text)), entry, text)


# ---- which memory


class _About(Struct, frozen=True):
    """What a sentence is about without its `values`, and of that the clause with what is true; what was said before."""

    sentence: str
    values: tuple[str, ...]
    subject: frozenset[str]
    said: frozenset[str]
    context: frozenset[str]
    agent: str
    alone: bool

    @classmethod
    def of(cls, sentence: str, clause: str, without: Iterable[str], scene: _Scene) -> "_About":
        known = tuple(without)
        plain, said = (_pattern("empty").sub(" ", _pattern("opens").sub(" ", one)) for one in (sentence, clause))
        subject, clause_words, context = (content_words(one, known) for one in (plain, said, scene.before))
        return cls(sentence, known, subject, clause_words, context, scene.agent, not scene.before.strip())

    def fits(self, entry: Stored, said: str) -> bool:
        """Return whether a memory shares a word with the message, or, if that names nothing, with the turns before.

        A name, and words that are no value, are a subject by themselves where the agent just said them.
        """
        words = content_words(entry.text)
        if self.subject:
            return bool(self.subject & words) and self.said <= words | self.context
        value = values.read(said)
        named = (value is None or value.kind in ("name", "path", "phone")) and bool(places(self.agent, said))
        return not self.context or bool(self.context & words) or named

    def covers(self, entry: Stored) -> bool:
        """Return whether a memory has the whole subject."""
        return bool(self.subject) and self.subject <= content_words(entry.text, self.values)

    def is_sure(self, one: Correction, *, heard: bool) -> bool:
        """Return whether a value that nobody said wrongly before is that of this memory."""
        return heard or (one.entry is not None and self.covers(one.entry))


def _choose_memory(
    corrected: Sequence[Correction], about: _About, held: Sequence[Stored] = ()
) -> Correction | Candidate:
    """Return the correction of the one memory, and its copies, that is about what was said; else what is open.

    `held` are the memories that say what is wrong, whether it can be exchanged there or not.
    """
    fits = [one for one in corrected if one.entry and about.fits(one.entry, one.said)]
    if len(_groups(fits, about.values)) > 1 and about.subject:
        fits = [one for one in fits if one.entry and about.covers(one.entry)]
    groups = _groups(fits, about.values)
    if len(groups) != 1:
        return _doubt(SEVERAL if groups else NO_MEMORY, fits or corrected, held)
    head, *copies = groups[0]
    memory = head.entry.text if head.entry else ""
    if unclaimed.is_once(about.sentence, memory):
        return _doubt("it may hold this once only", corrected)
    if unclaimed.is_elsewhere(about.sentence, memory):
        return _doubt("it may be about somebody else", corrected)
    return Correction(head.said, head.true, head.entry, head.statement, copies=tuple(copies))


def _doubt(reason: str, some: Sequence[Correction], held: Sequence[Stored] = ()) -> Candidate:
    """Return a candidate with the sides that corrections agree in, and their memories."""
    choices = tuple(one.entry for one in some if one.entry) or tuple(held)
    known = {(one.said, one.true) for one in some}
    return Candidate(reason, *(known.pop() if len(known) == 1 else ("", "")), choices)


def _groups(some: Sequence[Correction], without: tuple[str, ...]) -> list[list[Correction]]:
    """Return corrections of memories that are copies of each other: one key, or one subject but for a word."""
    groups: list[list[Correction]] = []
    for one in some:
        group = next((group for group in groups if _is_copy(one.entry, group[0].entry, without)), None)
        if group is None:
            groups.append([one])
        else:
            group.append(one)
    return groups


def _is_copy(one: Stored | None, other: Stored | None, without: tuple[str, ...]) -> bool:
    texts = [entry.text for entry in (one, other) if entry]
    keys = {text.partition(":")[0].casefold() if ": " in text else text for text in texts}
    return len(keys) == 1 or len(content_words(texts[0], without) ^ content_words(texts[-1], without)) <= 1


def _find_known(stored: Sequence[Stored], said: str, true: str, about: _About) -> Correction | None:
    """Return the record of what corrects no memory, as one says already what is true: it holds against others.

    The agent alone said what is wrong, or nobody said anything before.
    """
    right = [one for one in stored if _says_so(one, said, true) and about.fits(one, said)]
    heard = about.alone or (said and places(about.agent, said) and not places(about.agent, true))
    if len(right) != 1 or not heard:
        return None
    return Correction(said, true, None, "", right[0].text.replace(true, said))


def _says_so(entry: Stored, said: str, true: str) -> bool:
    return bool(places(entry.text, true)) and not (said and places(entry.text, said))


# ---- the operator's own command


def nearest(text: str, stored: Sequence[Stored]) -> list[Stored]:
    """Return the memories whose words are most like these, three at most, the nearest first."""
    words = {one.text: one for one in reversed(stored)}
    return [words[one] for one in spelling.nearest(text, words)]


def exchange_value(entry: Stored, said: str, true: str) -> Correction | None:
    """Return the correction of a memory in which `said` stands once, None elsewhere."""
    spans = places(entry.text, said) if said else []
    if len(spans) != 1:
        return None
    ((start, end),) = spans
    return Correction(entry.text[start:end], true, entry, replace_value(entry.text, start, end, true))


def resolve_statement(
    text: str, found: Triage, stored: Sequence[Stored], about: Stored | None = None
) -> Correction | Candidate | None:
    """Return what `text` corrects among `stored`; `about` is the memory where it is named.

    Of that memory `text` may tell both sides, or the whole truth, which then takes the place of its words.
    """
    if about is None:
        return resolve(text, found, (), stored)
    pairs = list(sides.find(own_words(text)))
    if outcome := next(filter(None, (_exchange(about, one) for one in pairs)), None):
        return outcome
    if pair := next((pair for pair in map(sides.read_pair, pairs) if _says_so(about, *pair)), None):
        return Candidate(f"{about.id} says already what is true, and nothing that is wrong", *pair)
    if pairs:
        return Candidate("it does not say which words of the memory are wrong", choices=(about,))
    return Correction(about.text, text, about, text)
