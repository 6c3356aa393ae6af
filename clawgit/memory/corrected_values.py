"""Reads the values of a correction, and finds their entries."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from itertools import combinations
from pathlib import Path
from typing import Literal

from msgspec import Struct

from clawgit.language import lexicon, sentences, values
from clawgit.language.own_words import denials, own_words, straighten_quotes
from clawgit.language.values import content_words, equal, find_value_places, is_alike
from clawgit.memory.value_exchange import Exchange, Stored, exchange_value, replace_value
from clawgit.messages import sides
from clawgit.messages.sides import Sides
from clawgit.messages.triage import VALIDATOR, Triage
from clawgit.sessions.chat_store import Message
from clawgit.text.entry import make_name, normalise

find_claims = partial(lexicon.pattern, Path(__file__).parent / "data/corrections.toml", "claims")
MAX_MESSAGE_CHARS = 2_000
_MAX_PLAIN_CHARS = 300  # of a message that may be the plain restatement of one value
_MAX_QUOTED_VALUE_CHARS = 24
NOT_ALL = "it may be about something else"
ONE_SIDE, NO_MEMORY, SEVERAL = "it tells one side only", "no memory says so", "several memories fit"


class SpokenTurn(Struct, frozen=True):
    """The words of a speaker."""

    who: Literal["operator", "agent"]
    text: str


class Told(Struct, frozen=True):
    """A message that may correct something, with what triage says of it and the turns before it."""

    heard: Message
    found: Triage
    before: tuple[SpokenTurn, ...] = ()

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
        return _list_ids(self.exchanges)


class Doubt(Struct, frozen=True):
    """The reason for no correction, with the known sides, and the ids of the possible entries."""

    reason: str
    said: str = ""
    true: str = ""
    choices: tuple[str, ...] = ()


# ---- messages


def is_called_for(text: str, triaged: Triage) -> bool:
    """Return whether a message of the operator's may correct something: by a trigger, or by two sides."""
    return _has_trigger(text, triaged) or next(sides.find_sides(own_words(text)), None) is not None


def _has_trigger(text: str, triaged: Triage) -> bool:
    """Return whether a message has a trigger of triage's, or opens with a translation of one."""
    return any(match.route == VALIDATOR for match in triaged.matches) or has_claim("opens", own_words(text))


def list_parts(message: str) -> list[str]:
    """Return the sentences of a message that correct something each; if there are not several, all of it."""
    plain = own_words(message)
    spans = [(part.start, part.end) for part in sentences.sentences(plain)]
    parts = [message[start:end] for start, end in spans if any(sides.find_sides(plain[start:end]))]
    return parts if len(parts) > 1 else [message]


def read_own_words(message: str) -> str:
    """Return a message's own words; a word or two in quotation marks or ticks are a value, and stay."""

    def keep_value(run: re.Match[str]) -> str:
        return message[run.start() : run.end()] if len(run[0]) < _MAX_QUOTED_VALUE_CHARS else " "

    return straighten_quotes(re.sub(r"\0+", keep_value, own_words(message))).strip()


def _remove_openings(text: str) -> str:
    return find_claims("empty").sub(" ", find_claims("opens").sub(" ", text))


def has_claim(kind: str, text: str) -> bool:
    """Return whether a text has words of a kind: as `question`, `unsure` or `passing`."""
    return find_claims(kind).search(text) is not None


def is_past(sentence: str) -> bool:
    """Return whether a sentence speaks of an earlier time alone."""
    return has_claim("then", sentence) and not has_claim("now", sentence)


def is_plain_statement(sentence: str) -> bool:
    """Return whether a sentence states a fact for certain."""
    return not (has_claim("unsure", sentence) or has_claim("question", sentence))


# ---- what a message corrects


class _Claim(Struct, frozen=True):
    """The true side of a correction: its words, the values of both sides, the last turns, the operator's names.

    `exchange` puts the true value in the place of the wrong one in an entry; `said` is that, "" unknown. `clause` is
    the part of the text with the true value. Without a `text` the sides are whole.
    """

    text: str
    clause: str
    said: str
    true: str
    values: tuple[str, ...]
    exchange: Callable[[Stored], Exchange | None]
    agent: str = ""
    own: str = ""
    operator_names: tuple[str, ...] = ()

    @property
    def subject(self) -> frozenset[str]:
        """The content words of the true side without its values."""
        return content_words(_remove_openings(self.text), self.values)

    def choose(self, entries: Sequence[Stored]) -> Correction | Doubt:
        """Return the correction of the one entry on the subject, and its copies; else the open question.

        An entry has a content word of the message, or of the operator's turn before, and all those around the true
        value that are new, in the sentence that changes. Lines with further words, or about something narrower, give
        way to others.
        """
        subject = self.subject
        # `Thursday evening, not Tuesday evening` is about evenings.
        shared = frozenset() if values.read_value(self.said) else content_words(self.said) & content_words(self.true)
        topic = subject | shared | content_words(self.own, self.values) or content_words(self.agent, self.values)
        near = [entry for entry in entries if not self.text or topic & content_words(entry.whole)]
        clause = content_words(_remove_openings(self.clause), self.values) - content_words(f"{self.agent}\n{self.own}")
        exchanges = [item for item in map(self.exchange, near) if item and clause <= content_words(item.context)]
        is_over = not is_past(self.text)
        fitting = [item for item in exchanges if not (is_over and all(is_past(row) for row, _ in item.rows))]
        exact = [item for item in fitting if content_words(item.entry.text, self.values) <= subject]
        is_within = bool(exact)
        exact = exact or [
            item
            for item in fitting
            if not (subject and is_narrowed(item.entry.text, subject, (*self.values, item.said)))
        ]
        groups = _group_copies(exact or fitting, self.values, is_within=is_within)
        if len(groups) != 1:
            pairs = {(item.said, item.true) for item in fitting}
            pair = pairs.pop() if len(pairs) == 1 else (self.said, self.true)
            return Doubt(SEVERAL if groups else NO_MEMORY, *pair, _list_ids(fitting))
        head = groups[0][0]
        doubts = (item.doubt for item in groups[0])
        reason = NOT_ALL if self._is_about_other(head.entry.text, head.said) else ""
        if reason := reason or next(filter(None, doubts), ""):
            return Doubt(reason, head.said, head.true, _list_ids(fitting))
        return Correction(head.said, head.true, tuple(groups[0]))

    def _is_about_other(self, text: str, said: str) -> bool:
        """Return whether a line may be about somebody else than the message, or the message about one day alone."""
        sentence = self.text.casefold()
        is_passing = has_claim("passing", sentence) and not has_claim("passing", text)
        if is_passing or not _list_people(sentence) <= _list_people(text):
            return True
        if _list_first_person_words().isdisjoint(re.findall(r"\w+", sentence)):
            return False
        start = text[: next((start for start, _ in find_value_places(text, said)), 0)]
        first_names = content_words(" ".join(name.text for name in values.names(start) if not name.start))
        expected = content_words(" ".join((sentence, self.own, *self.operator_names)))
        return bool(first_names - expected) or not _list_people(start) <= _list_people(sentence)


def read_correction(
    message: str,
    triaged: Triage,
    before: Sequence[SpokenTurn],
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
    is_triggered = is_asked or _has_trigger(message, triaged)
    if not (is_triggered or is_called_for(message, triaged)):
        return None
    text = read_own_words(message)
    sentence_texts = sentences.texts(text) if len(text) <= MAX_MESSAGE_CHARS else []
    stated = [
        sentence for sentence in sentence_texts if is_plain_statement(sentence) and (is_asked or not is_past(sentence))
    ]
    if not stated:
        return Doubt("it is not said for certain") if is_triggered and not has_claim("question", text) else None
    agent, own = (
        next((turn.text for turn in reversed(before) if turn.who == speaker), "") for speaker in ("agent", "operator")
    )
    make_claim = partial(_Claim, agent=agent, own=own, operator_names=tuple(operator_names))
    pairs = [pair for sentence in (*stated, " ".join(stated)) for pair in sides.find_sides(sentence)]
    claims = [
        make_claim(
            pair.positive,
            pair.clause,
            *sides.read_pair(pair),
            (pair.said, *sides.read_pair(pair)),
            partial(exchange_sides, pair),
        )
        for pair in pairs
        if is_plain_statement(pair.part)
    ] or [claim for claim in [_read_restatement(" ".join(stated), agent, make_claim)] if claim]
    doubts: list[Doubt] = []
    for claim in claims:
        outcome = claim.choose(entries)
        if isinstance(outcome, Correction):
            return outcome
        if not outcome.choices and (correction := _find_sentence(claim)):
            return correction
        doubts.append(outcome)
    doubt = max(doubts, key=lambda item: bool(item.choices), default=Doubt(ONE_SIDE))
    is_answer = doubt.said and find_value_places(f"{agent}\n{own}", doubt.said)
    return doubt if is_triggered or doubt.choices or is_answer else None


def exchange_sides(pair: Sides, entry: Stored) -> Exchange | None:
    """Return an entry with the true value in the place of its wrong one; None if that is ambiguous.

    The new statement has every value of the message but the wrong one.
    """
    exchange = exchange_value(entry, *sides.read_pair(pair))
    known = values.find_values(values.remove_glosses(exchange.statement)) if exchange else ()
    is_clear = all(any(equal(value, other) for other in known) for value in values.find_values(pair.positive))
    return exchange if is_clear else None


def _read_restatement(text: str, agent: str, make_claim: Callable[..., _Claim]) -> _Claim | None:
    """Return the claim of a message with only the true values: an entry has one other value of each type.

    The wrong values are those that it denies, else those of the agent's turn before it.
    """
    all_values = values.find_values(text)
    ends = {end + len(text[end:]) - len(text[end:].lstrip()) for _, end in denials(text)}
    denied = [value for value in all_values if value.start in ends]
    new = [value for value in all_values if value not in denied]
    is_ambiguous = any(is_alike(value, other) and not equal(value, other) for value, other in combinations(new, 2))
    if denied and not new:
        return make_claim(text, "", denied[0].text, "", (), lambda _: None)
    if not new or is_ambiguous or len(text) > _MAX_PLAIN_CHARS:
        return None
    pairs = ((value, other) for value in values.find_values(agent) for other in new)
    old = denied or [value for value, other in pairs if is_alike(value, other) and not equal(value, other)]
    texts = tuple(value.text for value in (*new, *old))
    said, true = (old[0].text, new[0].text) if len(old) == len(new) == 1 else ("", "")
    exchange = partial(_exchange_values, new, {value.canon for value in old})
    clause = next((part for part in re.split(r"[,;.!?]\s", text) if new[0].text in part), text)
    return make_claim(text, clause, said, true, texts, exchange)


def _exchange_values(new: Sequence[values.Value], said: set[str], entry: Stored) -> Exchange | None:
    """Return an entry with each of some values in the place of its one value of that type, if `said` has that one."""
    text, pairs = entry.text, list[tuple[str, str]]()
    for value in new:
        old = [other for other in values.find_values(text) if is_alike(other, value)]
        if len(old) != 1 or (said and old[0].canon not in said and not equal(old[0], value)):
            return None
        if not equal(old[0], value):
            pairs.append((old[0].text, value.text))
            text = replace_value(text, old[0].start, old[0].end, value.text)
    if not pairs:
        return None
    return Exchange(entry, *(pairs[0] if len(pairs) == 1 else (entry.text, text)), text)


def _find_sentence(claim: _Claim) -> Correction | None:
    """Return the correction of a sentence of the agent's alone, if the operator says all of it with another value."""
    statement = find_claims("opens").sub("", claim.clause).strip(" ,;:.!")
    for exchange in filter(None, (claim.exchange(Stored("", sentence)) for sentence in sentences.texts(claim.agent))):
        expected, stated = (
            (content_words(text), [value.canon for value in values.find_values(text)])
            for text in (exchange.statement, statement)
        )
        if expected == stated and content_words(statement, (exchange.true,)):
            sentence = f"{statement[:1].upper()}{statement[1:]}."
            return Correction(exchange.said, exchange.true, (), sentence, exchange.entry.text)
    return None


def read_typed_sides(wrong: str, true: str, entries: Sequence[Stored]) -> Correction | Doubt | None:
    """Return the correction of which two texts are the sides, word for word; None if no entry has the wrong one."""
    claim = _Claim("", "", wrong, true, (wrong, true), lambda entry: exchange_value(entry, wrong, true))
    outcome = claim.choose(entries)
    return outcome if outcome.choices else None


# ---- copies


def _list_ids(exchanges: Iterable[Exchange]) -> tuple[str, ...]:
    return tuple(exchange.entry.id for exchange in exchanges)


@cache
def _list_first_person_words() -> frozenset[str]:
    """Return the words of the first person."""
    return frozenset(word for iso in values.LANGUAGES for word in lexicon.words(iso, "search", "own"))


def _list_people(text: str) -> frozenset[str]:
    """Return the words for people, such as `brother`, of a text."""
    return frozenset((match[1] or match[2]).casefold() for match in find_claims("people").finditer(text))


def _group_copies(exchanges: Iterable[Exchange], without: tuple[str, ...], *, is_within: bool) -> list[list[Exchange]]:
    """Return the groups of copies; the head is the longest if the message has all its words (`is_within`)."""
    groups: list[list[Exchange]] = []
    for exchange in sorted(exchanges, key=lambda item: len(content_words(item.entry.text, without)), reverse=is_within):
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
    """Return whether an entry agrees with another in its key, or in all content words but at most one.

    That word narrows neither, and a further one has the place of a small one: in `the code remains 4471` for `the code
    is 4471`, not in `the kickoff dinner`.
    """
    keys = [text_part.partition(": ") for text_part in (text, other)]
    if all(key[1] for key in keys) and normalise(keys[0][0]) == normalise(keys[1][0]):
        return True
    without = tuple(without)
    words, others = content_words(text, without), content_words(other, without)
    is_like = len(words ^ others) <= 1 and (words <= others or _differs_in_small_word(text, other, without))
    is_like = is_like and has_claim("narrows", text) == has_claim("narrows", other)
    is_narrower = is_narrowed(text, others, without) or is_narrowed(other, words, without)
    return bool(words & others) and is_like and not is_narrower


def _differs_in_small_word(text: str, other: str, without: Iterable[str]) -> bool:
    """Return whether two texts differ in one word alone, which is no content word in one of them."""
    rows = [re.findall(r"\w+", _remove_phrases(item, without).casefold()) for item in (text, other)]
    pairs = [pair for pair in zip(*rows, strict=False) if pair[0] != pair[1]]
    return len(rows[0]) == len(rows[1]) and len(pairs) == 1 and not all(map(content_words, pairs[0]))


def _remove_phrases(text: str, phrases: Iterable[str]) -> str:
    """Return a text with a comma for each phrase."""
    for phrase in filter(None, phrases):
        text = re.sub(re.escape(phrase), ",", text, flags=re.IGNORECASE)
    return text


def is_narrowed(text: str, subject: frozenset[str], without: Iterable[str]) -> bool:
    """Return whether a text is about a person, or about something narrower than a subject.

    One of its own words is in front of one of the subject, or joined to it by a preposition: `the backup relay`,
    `the rent of the garage`, `parking at the office`.
    """
    text = _remove_phrases(text, without)
    if content_words(" ".join(_list_people(text))) - subject:
        return True
    # A word in front of a colon or comma is no part of the next words: `Reminder: Lea swims`.
    for part in re.split(r"[:;,.!?()|]+(?=\s|$)", find_claims("joins").sub(" \0 ", text)):
        words = re.findall(r"\0|\w{2,}", part)
        for word, after, next_word in zip(words, words[1:], [*words[2:], ""], strict=False):
            stems, next_stems = content_words(word), content_words(next_word if after == "\0" else after)
            is_own, is_shared = stems - subject, next_stems & subject
            if (is_own and is_shared) or (after == "\0" and stems & subject and next_stems - subject):
                return True
    return False
