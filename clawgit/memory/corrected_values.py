"""Reads the values of a correction, and finds their entries."""

import re
from collections.abc import Iterable, Sequence
from functools import cache, partial
from itertools import combinations, pairwise
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from clawgit.language import lexicon, logic, pattern_tables, sentences, values
from clawgit.language.own_words import own_words, straight
from clawgit.language.values import content_words, equal, is_alike, places
from clawgit.memory.value_exchange import Exchange, Stored, exchange_value, replace_value
from clawgit.messages import sides
from clawgit.messages.sides import Sides
from clawgit.messages.triage import VALIDATOR, Triage
from clawgit.sessions.chat_store import Message
from clawgit.text.entry import make_name, normalise

find_claims = partial(pattern_tables.pattern, Path(__file__).parent / "data/corrections.toml", "claims")
MAX_MESSAGE_CHARS = 2_000
_MAX_PLAIN_CHARS = 300  # of a message that may be the plain restatement of one value
_MAX_QUOTED_VALUE_CHARS = 24
NOT_ALL = "it may be about something else"
ONE_SIDE, NO_MEMORY, SEVERAL = "it tells one side only", "no memory says so", "several memories fit"


@cache
def _own_words() -> frozenset[str]:
    """Return the words of the first person."""
    return frozenset(word for iso in values.LANGUAGES for word in lexicon.words(iso, "turn", "own"))


class Turn(Struct, frozen=True):
    """The words of a speaker."""

    who: Literal["operator", "agent"]
    text: str


class Told(Struct, frozen=True):
    """A message that may correct something, with what triage says of it and the turns before it."""

    heard: Message
    found: Triage
    before: tuple[Turn, ...] = ()

    @property
    def name(self) -> str:
        """The id of the candidate that it may be."""
        return make_name("\0".join(("candidate", str(self.heard.day), normalise(self.heard.text))))

    @property
    def trigger(self) -> tuple[str, str]:
        """The words that called the validator, and how sure they are."""
        matches = [match for match in self.found.matches if match.route == VALIDATOR]
        best = next((match for match in matches if match.trigger_confidence == "high"), matches[0] if matches else None)
        return (best.text, best.trigger_confidence or "medium") if best else ("", "medium")


class Correction(Struct, frozen=True):
    """The wrong and the true value, and the entries to correct: one, and its copies.

    Without an entry `subject` is the whole sentence that was wrong, and `statement` the true one if the operator gave
    it whole.
    """

    said: str
    true: str
    exchanges: tuple[Exchange, ...] = ()
    statement: str = ""
    subject: str = ""
    tag: str = "knowledge"

    @property
    def choices(self) -> tuple[str, ...]:
        """The ids of the entries."""
        return _ids(self.exchanges)


class Doubt(Struct, frozen=True):
    """The reason for no correction, with the known sides, and the ids of the possible entries."""

    reason: str
    said: str = ""
    true: str = ""
    choices: tuple[str, ...] = ()


def is_called_for(text: str, triaged: Triage) -> bool:
    """Return whether a message of the operator's may correct something: by a trigger, or by two sides."""
    return has_trigger(text, triaged) or next(sides.find(own_words(text)), None) is not None


def has_trigger(text: str, triaged: Triage) -> bool:
    """Return whether a message has a trigger of triage's, or opens with a translation of one."""
    is_triggered = any(match.route == VALIDATOR for match in triaged.matches)
    return is_triggered or has_claim("opens", own_words(text))


def read_own_words(message: str) -> str:
    """Return a message's own words; a word or two in quotation marks or ticks are a value, and stay."""
    own = own_words(message)

    def keep_value(run: re.Match[str]) -> str:
        return message[run.start() : run.end()] if len(run[0]) < _MAX_QUOTED_VALUE_CHARS else " "

    return straight(re.sub(r"\0+", keep_value, own)).strip()


def has_claim(kind: str, text: str) -> bool:
    """Return whether a text has words of a kind: as `question`, `unsure` or `passing`."""
    return find_claims(kind).search(text) is not None


def is_past(sentence: str) -> bool:
    """Return whether a sentence speaks of an earlier time alone."""
    return has_claim("then", sentence) and not has_claim("now", sentence)


def is_claimed(sentence: str) -> bool:
    """Return whether a sentence states a present fact for certain."""
    return not (is_past(sentence) or has_claim("unsure", sentence) or has_claim("question", sentence))


class _Scene(Struct, frozen=True):
    """The sentences that a message claims; the last turn of the agent before it, and that with the operator's.

    `operator_names` are those of the operator; `is_asked`: it is known to correct.
    """

    claimed: tuple[str, ...]
    agent: str
    before: str
    operator_names: tuple[str, ...] = ()
    is_asked: bool = False

    def claims(self, sentence: str) -> bool:
        """Return whether a sentence states a fact for certain, of the present unless the message is to correct."""
        is_certain = not (has_claim("unsure", sentence) or has_claim("question", sentence))
        return is_certain and (self.is_asked or not is_past(sentence))


def read_correction(
    message: str,
    triaged: Triage,
    before: Sequence[Turn],
    entries: Sequence[Stored],
    *,
    operator_names: Sequence[str] = (),
    is_asked: bool = False,
) -> Correction | Doubt | None:
    """Return the correction in a message, a doubt if it is not certain, None for none.

    `before` are the turns until then, the newest last. `is_asked`: it is known to correct. The words are taken for the
    operator's own, with these `operator_names`: the caller has checked that. One entry, or copies of it, has the wrong
    value, or the one value of its type, and shares its subject with the message; anything else is a doubt.
    """
    text = read_own_words(message)
    if not (is_asked or is_called_for(message, triaged)):
        return None
    agent, own = (
        next((turn.text for turn in reversed(before) if turn.who == speaker), "") for speaker in ("agent", "operator")
    )
    scene = _Scene((), agent, f"{agent}\n{own}", tuple(operator_names), is_asked)
    claims = tuple(filter(scene.claims, sentences.texts(text)))
    is_triggered = is_asked or has_trigger(message, triaged)
    if not claims:
        is_doubted = is_triggered and has_claim("unsure", text) and not has_claim("question", text)
        return Doubt("it is not said for certain") if is_doubted else None
    if len(text) > MAX_MESSAGE_CHARS:
        return Doubt("it is a long text") if is_triggered else None
    outcome = _read_sides(replace(scene, claimed=claims), entries)
    if isinstance(outcome, Correction):
        return outcome
    if agent.rstrip().endswith(("?", "\uff1f")):  # a no to a question only answers it
        return None
    is_heard = bool(outcome.said and (values.find(outcome.said) or values.names(outcome.said)))
    blames = is_triggered or (is_heard and bool(places(scene.before, outcome.said)))
    return outcome if blames or (outcome.true and outcome.choices) else None


def _read_sides(scene: _Scene, entries: Sequence[Stored]) -> Correction | Doubt:
    texts = (*scene.claimed, " ".join(scene.claimed))
    found_sides = (pair for text in texts for pair in sides.find(text))
    pairs = [pair for pair in found_sides if scene.claims(pair.part)]
    doubt: Doubt | None = None
    for pair in pairs:
        wrong, true = sides.read_pair(pair)
        exchanges = [exchange for entry in entries if (exchange := exchange_sides(entry, pair))]
        true_values = (exchange.true for exchange in exchanges)
        about = _About.of(pair.positive, pair.clause, (pair.said, true, *true_values), scene)
        outcome = _choose(exchanges, about)
        if isinstance(outcome, Correction):
            return outcome
        if true and not exchanges and (correction := _find_right(entries, wrong, true, about)):
            return correction
        value = sides.strip_lead(wrong)
        holders = (entry.id for entry in entries if places(entry.text, value) and about.fits(entry.whole, value))
        choices = tuple(dict.fromkeys((*outcome.choices, *holders)))
        reason = NOT_ALL if outcome.reason == NO_MEMORY else outcome.reason
        doubt = doubt or (Doubt(reason, wrong, true, choices) if choices else None)
    if not pairs:
        return _read_restatement(scene, entries)
    unknown = (pair for pair in pairs if not any(_has_value(entry, pair) for entry in entries))
    sentence = None if doubt else next(filter(None, (_find_sentence(scene, pair) for pair in unknown)), None)
    return doubt or sentence or Doubt(NO_MEMORY, *sides.read_pair(pairs[0]))


def _has_value(entry: Stored, pair: Sides) -> bool:
    """Return whether an entry has the wrong value, and a word of the clause with the true one."""
    wrong = sides.strip_lead(pair.said)
    return bool(places(entry.text, wrong) and content_words(entry.whole, (wrong,)) & content_words(pair.clause))


def _find_sentence(scene: _Scene, pair: Sides) -> Correction | None:
    """Return the correction of a sentence of the agent alone, if the operator says all of it with another value."""
    wrong, true = sides.read_pair(pair)
    statement = find_claims("opens").sub("", pair.clause).strip(" ,;:.!")
    subject = next((sentence for sentence in sentences.texts(scene.agent) if len(places(sentence, wrong)) == 1), "")
    if not subject:
        return None
    corrected = replace_value(subject, *places(subject, wrong)[0], true)
    expected, found = (
        (content_words(text), [value.canon for value in values.find(text)]) for text in (corrected, statement)
    )
    if expected != found or not content_words(statement, (true,)):
        return None
    return Correction(wrong, true, (), f"{statement[:1].upper()}{statement[1:]}.", subject)


def read_typed_sides(wrong: str, true: str, entries: Sequence[Stored]) -> Correction | Doubt | None:
    """Return the correction of which two texts are the sides, word for word; None if no entry has the wrong one."""
    exchanges = [exchange for entry in entries if (exchange := exchange_value(entry, wrong, true))]
    groups = _group_copies(exchanges, (wrong, true))
    reason = next((exchange.doubt for exchange in exchanges if exchange.doubt), "")
    if len(groups) == 1 and not reason:
        return Correction(wrong, true, tuple(groups[0]))
    return Doubt(reason or SEVERAL, wrong, true, _ids(exchanges)) if exchanges else None


def exchange_sides(entry: Stored, pair: Sides) -> Exchange | None:
    """Return an entry with the true value in the place of its wrong one; None if that is ambiguous.

    The new statement has every value of the message but the wrong one.
    """
    exchange = exchange_value(entry, *sides.read_pair(pair))
    known = values.find(values.remove_glosses(exchange.statement)) if exchange else ()
    is_clear = all(any(equal(value, other) for other in known) for value in values.find(pair.positive))
    return exchange if is_clear else None


def _read_restatement(scene: _Scene, entries: Sequence[Stored]) -> Correction | Doubt:
    """Return the correction by a message with only the true value: one entry has another value of each type."""
    plain = " ".join(scene.claimed)
    all_values = values.find(plain)
    ends = {end + len(plain[end:]) - len(plain[end:].lstrip()) for _, end in logic.denials(plain)}
    denied = [value for value in all_values if value.start in ends]
    new = [value for value in all_values if value not in denied]
    if denied and not new:
        holders = (item.id for item in entries if places(item.text, denied[0].text))
        return Doubt(ONE_SIDE, denied[0].text, "", tuple(holders))
    is_ambiguous = any(is_alike(value, other) and not equal(value, other) for value, other in combinations(new, 2))
    if not new or is_ambiguous or len(plain) > _MAX_PLAIN_CHARS:
        return Doubt(ONE_SIDE)
    pairs = ((value, other) for value in values.find(scene.agent) for other in new)
    old_values = denied or [value for value, other in pairs if is_alike(value, other) and not equal(value, other)]
    texts = {value.canon: value.text for value in old_values}
    exchanges = [exchange for entry in entries if (exchange := _exchange_values(entry, new, texts))]
    clause = next((part for part in re.split(r"[,;.!?]\s", plain) if new[0].text in part), plain)
    about = _About.of(plain, clause, [value.text for value in (*new, *old_values)], scene)
    outcome = _choose(exchanges, about)
    if isinstance(outcome, Correction) and not (texts or about.subject):
        return Doubt(NOT_ALL, outcome.said, outcome.true, _ids(exchanges))
    is_heard = len(new) == len(texts) == 1 and not exchanges
    return (_find_right(entries, next(iter(texts.values())), new[0].text, about) if is_heard else None) or outcome


def _exchange_values(entry: Stored, new: Sequence[values.Value], said: Iterable[str]) -> Exchange | None:
    """Return an entry with each of some values in the place of its one value of that type, if `said` has that one."""
    text, pairs, canon_set = entry.text, list[tuple[str, str]](), set(said)
    for value in new:
        old = [other for other in values.find(text) if is_alike(other, value)]
        if len(old) != 1 or (canon_set and old[0].canon not in canon_set and not equal(old[0], value)):
            return None
        if not equal(old[0], value):
            pairs.append((old[0].text, value.text))
            text = replace_value(text, old[0].start, old[0].end, value.text)
    if not pairs:
        return None
    return Exchange(entry, *(pairs[0] if len(pairs) == 1 else (entry.text, text)), text)


class _About(Struct, frozen=True):
    """The subject of a message without its `values`, and that of the clause with the true one, in its scene.

    The `words` are those of the `sentence`, which is without the wrong value.
    """

    scene: _Scene
    sentence: str
    values: tuple[str, ...]
    words: frozenset[str]
    subject: frozenset[str]
    clause: frozenset[str]

    @classmethod
    def of(cls, sentence: str, clause: str, without: Iterable[str], scene: _Scene) -> "_About":
        ignored_words = tuple(without)
        own, part = (find_claims("empty").sub(" ", find_claims("opens").sub(" ", text)) for text in (sentence, clause))
        subject, about_clause = (content_words(text, ignored_words) for text in (own, part))
        return cls(scene, sentence, ignored_words, content_words(own), subject, about_clause)

    @property
    def context(self) -> frozenset[str]:
        """The subject of the turns before."""
        return content_words(self.scene.before, self.values)

    def fits(self, text: str, said: str) -> bool:
        """Return whether an entry shares a word with the message, or, if that names nothing, with the turns before.

        A name, and words that are no value, are a subject by themselves if the agent just used them.
        """
        words = content_words(text)
        if self.subject:
            return bool(self.subject & words) and not self.clause - words - self.context
        value = values.read(said)
        is_named = (value is None or value.kind in ("name", "path", "phone")) and bool(places(self.scene.agent, said))
        return not self.context or bool(self.context & words) or is_named

    def is_of_others(self, exchange: Exchange) -> bool:
        """Return whether a message in the first person would change an entry on somebody else."""
        text, sentence = exchange.entry.text, self.sentence.casefold()
        if not self.subject or _own_words().isdisjoint(re.findall(r"\w+", sentence)):
            return False
        before = text[: next((start for start, _ in places(text, exchange.said)), 0)]
        expected = self.words | content_words(" ".join(self.scene.operator_names))
        strangers = (name for name in values.names(before) if not (name.start or content_words(name.text) & expected))
        return any(strangers) or any(person not in sentence for person in _list_people(before))


def _choose(exchanges: Sequence[Exchange], about: _About) -> Correction | Doubt:
    """Return the correction of the one entry on the subject, and its copies; else the open question.

    An entry without other words than the message goes before those that narrow it.
    """
    is_present = not is_past(about.sentence)
    present = (item for item in exchanges if not (is_present and all(is_past(row) for row, _ in item.rows)))
    fitting = [exchange for exchange in present if about.fits(exchange.entry.whole, exchange.said)]
    exact = [exchange for exchange in fitting if content_words(exchange.entry.text, about.values) <= about.subject]
    groups = _group_copies(exact or fitting, about.values)
    if len(groups) != 1:
        # A message that names its subject is about no entry without a word of it.
        candidates = fitting or ([] if about.subject else exchanges)
        pairs = {(exchange.said, exchange.true) for exchange in candidates}
        pair = pairs.pop() if len(pairs) == 1 else ("", "")
        return Doubt(SEVERAL if groups else NO_MEMORY, *pair, _ids(fitting))
    head = groups[0][0]
    if has_claim("passing", about.sentence) and not has_claim("passing", head.entry.text):
        return Doubt("it may hold this once only", head.said, head.true, _ids(groups[0]))
    is_about_people = any(person not in head.entry.text.casefold() for person in _list_people(about.sentence))
    lines = (content_words(f"{head.entry.title}: {new}") for _, new in head.rows)
    is_told_whole = any(about.words <= words for words in lines)
    if is_about_people or about.is_of_others(head) or (about.subject and not is_told_whole):
        return Doubt(NOT_ALL, head.said, head.true, _ids(fitting))
    if reason := next((exchange.doubt for exchange in groups[0] if exchange.doubt), ""):
        return Doubt(reason, head.said, head.true, _ids(groups[0]))
    return Correction(head.said, head.true, tuple(groups[0]))


def _ids(exchanges: Iterable[Exchange]) -> tuple[str, ...]:
    return tuple(exchange.entry.id for exchange in exchanges)


def _list_people(text: str) -> frozenset[str]:
    """Return the words for people, such as `brother`, of a text."""
    return frozenset((match[1] or match[2]).casefold() for match in find_claims("people").finditer(text))


def _group_copies(exchanges: Iterable[Exchange], without: tuple[str, ...]) -> list[list[Exchange]]:
    groups: list[list[Exchange]] = []
    for exchange in sorted(exchanges, key=lambda item: -len(content_words(item.entry.text, without))):
        entry = exchange.entry
        copies = (group for group in groups if is_copy(entry.text, group[0].entry.text, without))
        group = next((group for group in copies if not are_apart(entry, group[0].entry, without)), None)
        if group is None:
            groups.append([exchange])
        else:
            group.append(exchange)
    return groups


def are_apart(entry: Stored, other: Stored, without: Iterable[str]) -> bool:
    """Return whether two equal labels are about the titles above them, as `Commission: 15 %` below two names."""
    is_label = len(content_words(entry.text, without)) <= 1
    return is_label and entry.text == other.text and entry.title != other.title


def is_copy(text: str, other: str, without: Iterable[str]) -> bool:
    """Return whether two entries agree in their key, or the first has all content words of the other but at most one.

    An extra word may name something else, as in `the backup relay`.
    """
    keys = [text_part.partition(": ") for text_part in (text, other)]
    if all(key[1] for key in keys) and normalise(keys[0][0]) == normalise(keys[1][0]):
        return True
    without = tuple(without)
    words, others = content_words(text, without), content_words(other, without)
    is_less = bool(words) and words <= others and len(others - words) <= 1
    is_like = has_claim("narrows", text) == has_claim("narrows", other)
    return is_less and is_like and not is_narrowed(other, others - words, words)


def is_narrowed(text: str, extra: frozenset[str], shared: frozenset[str]) -> bool:
    """Return whether one of the extra words of a text is a person, or right in front of a word that it shares."""
    if extra & content_words(" ".join(_list_people(text))):
        return True
    # A word in front of a colon or comma is no part of the next words: `Reminder: Lea swims`.
    parts = (re.findall(r"\w{2,}", part) for part in re.split(r"[:;,.!?()]+(?=\s|$)", text))
    pairs = (map(content_words, pair) for part in parts for pair in pairwise(part))
    return any(word & extra and after & shared for word, after in pairs)


def _find_right(entries: Sequence[Stored], said: str, true: str, about: _About) -> Correction | None:
    """Return the record of a correction without an entry, as one has the true value already: it applies to others.

    The agent alone gave the wrong value, or there were no turns before.
    """
    true_entries = (entry for entry in entries if places(entry.text, true) and about.fits(entry.text, said))
    right = [entry for entry in true_entries if not (said and places(entry.text, said))]
    if (old := values.read(said)) and old.kind != "name" and not values.find(true):
        return None
    is_heard = not about.context or (said and places(about.scene.agent, said) and not places(about.scene.agent, true))
    return Correction(said, true, subject=right[0].text.replace(true, said)) if len(right) == 1 and is_heard else None
