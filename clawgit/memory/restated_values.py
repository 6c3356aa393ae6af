"""Finds entries that a message may have made untrue."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from math import log

from msgspec.structs import replace

from clawgit.language import logic, sentences, values
from clawgit.language.values import Value, content_words, equal, is_alike, places
from clawgit.memory.corrected_values import MAX_MESSAGE_CHARS, Doubt, SpokenTurn, is_certain, is_past, read_own_words
from clawgit.memory.value_exchange import Stored
from clawgit.messages import sides

REASON, NEAREST = "it may not be as these memories say", "these lines may be meant"
_MAX_CHOICES, _NEAR = 8, 0.3
_MIN_SHARED, _MIN_SHARE = 2, 0.4
"""Words that a sentence shares with an entry on its subject; for a denial also the share of the entry's words."""
_MAX_HOLDERS = 12
"""Entries that have a value, a name or a denied word; of one that more have nobody can tell which is meant."""
_MIN_TELLING_CHARS = 3
"""Of a value that the agent named: an entry that has it need not share a word with the talk."""
_FULL_NAME = 2
"""Words of a name with its title or forename."""


class Restatements:
    """Compares messages with entries.

    A sentence of the operator's may make an entry untrue if it has another value of the type of one of the entry's,
    and the agent just used that one or they are on one subject; if it denies a word of the entry that the agent just
    used, or something on its subject; or if it has a new name where the agent just used a name of the entry.
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
        """Return the entries that a message may have made untrue, and then those nearest to it; None for none.

        `before` are the turns until then, the newest last. For one new value both sides are given.
        """
        text, answer = read_own_words(message), _find_answer(before)
        claims = [claim for claim in sentences.texts(text) if is_certain(claim) and not is_past(claim)]
        pairs: dict[int, tuple[str, str]] = {}
        for claim in claims if len(text) <= MAX_MESSAGE_CHARS else ():
            pairs |= dict.fromkeys(self._list_denied(claim, f"{text}\n{answer}", answer), ("", ""))
            pairs |= dict.fromkeys(self._list_renamed(claim, answer), ("", ""))
            pairs |= self._compare(claim, answer)
        if not pairs:
            return None
        said, true = next(iter(pairs.values())) if len(set(pairs.values())) == 1 else ("", "")
        near = self._omit_true(self._sort({said for said, _ in pairs.values()}, message, before), said, true)
        numbers = dict.fromkeys((*(number for number in near if number in pairs), *pairs, *near))
        return Doubt(REASON, said, true, self._list_ids(numbers)[:_MAX_CHOICES])

    def add_nearest(self, doubt: Doubt, message: str, before: Sequence[SpokenTurn], limit: int = _MAX_CHOICES) -> Doubt:
        """Return a doubt with the entries behind its own, at most `limit`, that are nearest to a message.

        Those with the wrong value come first.
        """
        near = self._omit_true(self._sort({doubt.said}, message, before, doubt.true), doubt.said, doubt.true)
        nearest = self._list_ids(near)[:limit]
        reason = doubt.reason if doubt.choices or not nearest else NEAREST
        return replace(doubt, reason=reason, choices=tuple(dict.fromkeys((*doubt.choices, *nearest))))

    def _omit_true(self, numbers: Iterable[int], said: str, true: str) -> list[int]:
        """Return the entries without those that have the true value already, and not the wrong one."""
        right, wrong = sides.strip_lead(true), sides.strip_lead(said)

        def has(number: int, text: str) -> bool:
            value = values.read_value(text)
            is_equal = value is not None and _has(self._read_values(number), value)
            return bool(text) and (is_equal or bool(places(self._entries[number].text, text)))

        return [number for number in numbers if not has(number, right) or has(number, wrong)]

    def _list_ids(self, numbers: Iterable[int]) -> tuple[str, ...]:
        return tuple(self._entries[number].id for number in numbers)

    def _sort(self, said: Iterable[str], message: str, before: Sequence[SpokenTurn], true: str = "") -> list[int]:
        """Return the entries with a wrong value, then others near a message and the answer, or the turns before them.

        The true value alone is nothing in common.
        """
        own, talk = read_own_words(message), "\n".join(turn.text for turn in before)
        near = dict.fromkeys((*self._rank((own, own, _find_answer(before)), true), *self._rank((talk,), "")))
        wrong = {sides.strip_lead(value) for value in said} - {""}
        holders = {n for n, entry in enumerate(self._entries) if any(places(entry.text, value) for value in wrong)}
        return list(dict.fromkeys((*(number for number in near if number in holders), *sorted(holders), *near)))

    def _rank(self, texts: Sequence[str], without: str) -> list[int]:
        """Return the entries that share words with texts, by how rare these words are, and not far from the best one.

        A word counts in each text that has it.
        """
        scores = defaultdict[int, float](float)
        for word in (word for text in texts for word in content_words(text, (without,))):
            numbers = self._holders.get(word, set())
            for number in numbers:
                scores[number] += log(1 + len(self._entries) / len(numbers))
        best = _NEAR * max(scores.values(), default=0.0)
        return sorted((n for n in scores if scores[n] >= best), key=lambda number: (-scores[number], number))

    def _compare(self, claim: str, answer: str) -> dict[int, tuple[str, str]]:
        """Return entries with another value of a type than a claim, each with that value and the new one.

        The agent or the operator just named that value, or the entry is on the same subject.
        """
        new, named_values = values.find_values(claim), values.find_values(f"{claim}\n{answer}")
        words, vocabulary = content_words(claim, [value.text for value in new]), content_words(f"{claim}\n{answer}")
        telling = [value.text for value in named_values if len(value.canon) >= _MIN_TELLING_CHARS]
        numbers = {number for word in vocabulary for number in self._holders.get(word, ())}
        numbers |= {n for n, entry in enumerate(self._entries) if any(text in entry.text for text in telling)}
        pairs: dict[int, tuple[str, str]] = {}
        for number in numbers if new else ():
            old = self._read_values(number)
            shared = len(self._words[number] & words)
            is_same_subject = shared >= _MIN_SHARED or 0 < shared == len(words)
            for value in (value for value in new if not _has(old, value)):
                others = [other for other in old if is_alike(value, other)]
                named = [other for other in others if _has(named_values, other)]
                if wrong := named or (others if is_same_subject else []):
                    pairs[number] = _choose_pair(wrong, value)
        return pairs if len(pairs) <= _MAX_HOLDERS else {}

    def _list_denied(self, claim: str, talk: str, answer: str) -> Iterator[int]:
        """Yield entries that a claim denies: with a word that the agent just used, or much of their subject."""
        words, vocabulary = content_words(claim), content_words(talk)
        if not logic.denials(claim):
            return
        for word in words & content_words(answer):
            holders = self._holders.get(word, set())
            if len(holders) <= _MAX_HOLDERS:
                yield from (number for number in holders if self._words[number] & vocabulary - {word})
        for number in {number for word in words for number in self._holders.get(word, ())}:
            shared = len(self._words[number] & words)
            if shared >= max(_MIN_SHARED, _MIN_SHARE * len(content_words(self._entries[number].text))):
                yield number

    def _list_renamed(self, claim: str, answer: str) -> Iterator[int]:
        """Yield entries with a last name that the agent just used with another word, if a claim has a new such name."""
        new = _list_last_names(claim)
        if not any(self._holders.keys().isdisjoint(name) and not name & content_words(answer) for name in new):
            return
        for name in _list_last_names(answer):
            holders = set.intersection(*(self._holders.get(word, set()) for word in name))
            yield from holders if len(holders) <= _MAX_HOLDERS else ()


def _find_answer(before: Sequence[SpokenTurn]) -> str:
    """Return the last turn of the agent's, "" for none."""
    return next((turn.text for turn in reversed(before) if turn.who == "agent"), "")


def _choose_pair(wrong: Sequence[Value], value: Value) -> tuple[str, str]:
    """Return the value of an entry that a new one replaces, and that one; "" for both if several may be meant."""
    wrong = [other for other in wrong if other.kind == value.kind] or wrong
    return (wrong[0].text, value.text) if len({other.canon for other in wrong}) == 1 else ("", "")


def _has(known: Iterable[Value], value: Value) -> bool:
    return any(is_alike(item, value) and equal(item, value) for item in known)


def _list_last_names(text: str) -> list[frozenset[str]]:
    """Return the content of the second words of names with two: `Frau Lechner`, `Hannelore Lechner`."""
    names = [value.text.split() for value in values.names(text)]
    return [words for name in names if len(name) == _FULL_NAME and (words := content_words(name[1]))]
