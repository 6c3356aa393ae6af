"""Finds entries that a message may have made untrue."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache
from math import log

from msgspec.structs import replace

from clawgit.language import own_words, sentences, values
from clawgit.language.values import Value, content_words, equal, find_value_places, is_alike
from clawgit.memory.corrected_values import (
    MAX_MESSAGE_CHARS,
    Doubt,
    SpokenTurn,
    is_past,
    is_plain_statement,
    read_own_words,
)
from clawgit.memory.value_exchange import Stored
from clawgit.messages import sides

REASON, NEAREST = "it may not be as these memories say", "these lines may be meant"
_MAX_CHOICES, _MAX_NEAREST, _NEAR = 6, 8, 0.3
_MIN_SHARED = 2
"""Words that a sentence shares with an entry of another value, where nobody named that before."""
_MAX_HOLDERS = 12
"""Entries that have a denied word; of one that more have nobody can tell which is meant."""


class Restatements:
    """Compares messages with entries.

    An entry may be untrue if a sentence of the operator's on the same subject has another value of the type of one of
    its values, or denies a word of it that the agent just used.
    """

    def __init__(self, entries: Iterable[Stored]) -> None:
        self._entries = [entry for entry in entries if not is_past(entry.text)]
        self._words = [content_words(entry.whole) for entry in self._entries]
        self._read_values = cache(lambda number: values.find_values(self._entries[number].text))
        self._holders: defaultdict[str, set[int]] = defaultdict(set)
        for number, words in enumerate(self._words):
            for word in words:
                self._holders[word].add(number)

    def find(self, message: str, before: Sequence[SpokenTurn]) -> Doubt | None:
        """Return the entries that a message may have made untrue, the likeliest first; None for none.

        `before` are the turns until then, the newest last. For one new value both sides are given.
        """
        text, answer = read_own_words(message), _find_answer(before)
        claims = [claim for claim in sentences.texts(text) if is_plain_statement(claim) and not is_past(claim)]
        pairs: dict[int, tuple[str, str]] = {}
        for claim in claims if len(text) <= MAX_MESSAGE_CHARS else ():
            pairs |= dict.fromkeys(self._list_denied(claim, answer), ("", ""))
            pairs |= self._compare(claim, " ".join(claims), answer)
        if not pairs:
            return None
        numbers = [number for number in self._rank(f"{text}\n{answer}") if number in pairs][:_MAX_CHOICES]
        is_one = len({pairs[number][1] for number in numbers}) == 1
        return Doubt(REASON, *(pairs[numbers[0]] if is_one else ("", "")), self._list_ids(numbers))

    def add_nearest(self, doubt: Doubt, message: str, before: Sequence[SpokenTurn]) -> Doubt:
        """Return a doubt with further entries: those with the wrong value, then those nearest to a message and answer.

        The true value alone is nothing in common, and an entry that has it instead of the wrong one is left out.
        """
        ranking = self._rank(f"{read_own_words(message)}\n{_find_answer(before)}", _NEAR, doubt.true)
        wrong, right = (sides.strip_lead(value) for value in (doubt.said, doubt.true))
        holders = [n for n, entry in enumerate(self._entries) if wrong and find_value_places(entry.text, wrong)]
        related = [number for number in ranking if number in holders] or holders
        others = [
            n for n in ranking if n not in holders and not (right and find_value_places(self._entries[n].text, right))
        ]
        nearest = self._list_ids((*related, *others))[: max(_MAX_NEAREST, len(related))]
        reason = doubt.reason if doubt.choices or not nearest else NEAREST
        return replace(doubt, reason=reason, choices=tuple(dict.fromkeys((*doubt.choices, *nearest))))

    def _list_ids(self, numbers: Iterable[int]) -> tuple[str, ...]:
        return tuple(self._entries[number].id for number in numbers)

    def _rank(self, text: str, near: float = 0.0, without: str = "") -> list[int]:
        """Return the entries that share words with a text, by how rare these words are, those `near` the best one."""
        scores = defaultdict[int, float](float)
        for numbers in (self._holders.get(word, set()) for word in content_words(text, (without,))):
            for number in numbers:
                scores[number] += log(1 + len(self._entries) / len(numbers))
        best = near * max(scores.values(), default=0.0)
        return sorted((n for n in scores if scores[n] >= best), key=lambda number: (-scores[number], number))

    def _compare(self, claim: str, text: str, answer: str) -> dict[int, tuple[str, str]]:
        """Return entries with another value of a type than a claim, each with that value and the new one.

        The agent or the operator just named that value, or the entry is on the same subject.
        """
        new, named_values = values.find_values(claim), values.find_values(f"{claim}\n{answer}")
        words, vocabulary = content_words(claim, [value.text for value in new]), content_words(f"{text}\n{answer}")
        pairs: dict[int, tuple[str, str]] = {}
        for number in {number for word in vocabulary for number in self._holders.get(word, ())} if new else ():
            old = self._read_values(number)
            shared = len(self._words[number] & words)
            is_same_subject = shared >= _MIN_SHARED or 0 < shared == len(words)
            for value in (value for value in new if not _has(old, value)):
                others = (other for other in old if is_alike(value, other))
                if wrong := next((other for other in others if is_same_subject or _has(named_values, other)), None):
                    pairs[number] = wrong.text, value.text
        return pairs

    def _list_denied(self, claim: str, answer: str) -> set[int]:
        """Return entries with a word that a claim denies, after the agent just used it."""
        words, answer_words = content_words(claim), content_words(answer)
        numbers = set[int]()
        for word in words & answer_words if own_words.denials(claim) else ():
            holders = self._holders.get(word, set())
            if len(holders) <= _MAX_HOLDERS:
                numbers |= {number for number in holders if self._words[number] & (words | answer_words) - {word}}
        return numbers


def _find_answer(before: Sequence[SpokenTurn]) -> str:
    """Return the last turn of the agent's, "" for none."""
    return next((turn.text for turn in reversed(before) if turn.who == "agent"), "")


def _has(known: Iterable[Value], value: Value) -> bool:
    return any(is_alike(item, value) and equal(item, value) for item in known)
