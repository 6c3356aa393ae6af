"""Finds entries that a message may have made untrue."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from math import log

from msgspec.structs import replace

from clawgit.language import logic, sentences, values
from clawgit.language.values import Value, content_words, equal, is_alike
from clawgit.memory.corrected_values import MAX_MESSAGE_CHARS, Doubt, Turn, is_claimed, is_past, read_own_words
from clawgit.memory.value_exchange import Stored
from clawgit.messages import sides

REASON, NEAREST = "it may not be as these memories say", "these lines may be meant"
_MAX_CHOICES = 6
_MAX_NEAREST, _NEAR, _SHARE_OF_TITLE = 8, 0.3, 0.5
_MIN_SHARED = 2
"""Words that a sentence shares with an entry of another value, where nobody named that before."""
_MAX_HOLDERS = 8
"""Entries that have a denied word; of one that more have nobody can tell which is meant."""
_POINTS_OF_ANSWER = 1.0
"""For an entry whose value, or denied word, the agent just said."""


class Restatements:
    """Compares messages with entries.

    An entry may be untrue if a sentence of the operator's on the same subject has another value of the type of one of
    its values, or denies a word of it that the agent just used; or if it calls a word of it wrong.
    """

    def __init__(self, entries: Iterable[Stored]) -> None:
        self._entries = [entry for entry in entries if not is_past(entry.text)]
        self._words = [content_words(entry.text) for entry in self._entries]
        self._read_values = cache(lambda number: values.find(self._entries[number].text))
        self._holders: defaultdict[str, list[int]] = defaultdict(list)
        for number, words in enumerate(self._words):
            for word in words:
                self._holders[word].append(number)

    def find(self, message: str, before: Sequence[Turn]) -> Doubt | None:
        """Return the entries that a message may have made untrue, the likeliest first; None for none.

        `before` are the turns until then, the newest last. For one value of one entry both sides are given.
        """
        text = read_own_words(message)
        claims = [sentence for sentence in sentences.texts(text) if is_claimed(sentence)]
        if not claims or len(text) > MAX_MESSAGE_CHARS:
            return None
        agent = next((turn.text for turn in reversed(before) if turn.who == "agent"), "")
        message_words = content_words(" ".join(claims))
        points: dict[int, float] = {}
        pairs: dict[int, tuple[str, str]] = {}
        for sentence in claims:
            for number, score, pair in (
                *self._compare(sentence, message_words, agent),
                *self._deny(sentence, message_words, agent),
            ):
                if score > points.get(number, 0.0):
                    points[number], pairs[number] = score, pair
        numbers = sorted(points, key=lambda number: (-points[number], number))[:_MAX_CHOICES]
        if not numbers:
            return None
        value_pairs = {pairs[number] for number in numbers}
        common_pair = pairs[numbers[0]] if len({true for _, true in value_pairs}) == 1 else ("", "")
        return Doubt(REASON, *common_pair, tuple(self._entries[number].id for number in numbers))

    def add_nearest(self, doubt: Doubt, message: str, before: Sequence[Turn], limit: int = _MAX_NEAREST) -> Doubt:
        """Return a doubt with the entries behind its own, at most `limit`, that are nearest to a message.

        The agent's answer counts with it. Entries with the wrong value come first.
        """
        text = read_own_words(message)
        answer = next((turn.text for turn in reversed(before) if turn.who == "agent"), "")
        texts = [text, f"{text}\n{answer}"] if answer else [text]
        wrong = sides.strip_lead(doubt.said)
        nearest = [name for words in texts for name in self._list_nearest(words, limit, wrong)]
        reason = doubt.reason if doubt.choices or not nearest else NEAREST
        return replace(doubt, reason=reason, choices=tuple(dict.fromkeys((*doubt.choices, *nearest))))

    def _list_nearest(self, text: str, limit: int, wrong: str) -> tuple[str, ...]:
        """Return the entries that share the most telling words, and then values, with a text, the nearest first.

        Those with the words of a `wrong` value, "" for none, go before all others.
        """
        pattern = re.compile(rf"(?<!\w){re.escape(wrong)}(?!\w)", re.IGNORECASE)
        holders = {number for number, entry in enumerate(self._entries) if wrong and pattern.search(entry.text)}
        new = values.find(text)
        known = [(number, self._read_values(number)) for number in range(len(self._entries))] if new else []
        words = content_words(text, [value.text for value in new])
        titles = {title: content_words(title) for title in {entry.title for entry in self._entries}}
        whole = [own | titles[entry.title] for own, entry in zip(self._words, self._entries, strict=True)]
        by_word = {word: [number for number, own in enumerate(whole) if word in own] for word in words}
        by_value = [[number for number, old in known if _has(old, value)] for value in new]
        about = {number for numbers in by_word.values() for number in numbers}
        scores: defaultdict[int, float] = defaultdict(float)
        for word, numbers in (*by_word.items(), *(("", numbers) for numbers in by_value)):
            for number in about.intersection(numbers):
                share = _SHARE_OF_TITLE if word and word not in self._words[number] else 1
                scores[number] += share * log(1 + len(self._entries) / len(numbers))
        threshold = _NEAR * max(scores.values(), default=0.0)
        candidates = holders.union(number for number in scores if scores[number] >= threshold)
        best = sorted(candidates, key=lambda number: (number not in holders, -scores[number], number))
        return tuple(self._entries[number].id for number in best[:limit])

    def _compare(self, sentence: str, said: frozenset[str], agent: str) -> Iterator[tuple[int, float, tuple[str, str]]]:
        """Yield entries with another value of a type, each with its points, that value and the new one.

        A value that an entry of the same subject has already is no news.
        """
        new = values.find(sentence)
        words = content_words(sentence, [value.text for value in new])
        agent_claims = [(values.find(text), content_words(text)) for text in sentences.texts(agent)] if new else []
        vocabulary = said.union(*(about for _, about in agent_claims)) if new else ()
        candidates = {number for word in vocabulary for number in self._holders.get(word, ())}
        values_by_entry = {number: self._read_values(number) for number in sorted(candidates)}
        confirming = [old for number, old in values_by_entry.items() if len(self._words[number] & words) >= _MIN_SHARED]
        news = [value for value in new if not any(_has(old, value) for old in confirming)]
        for number, old in values_by_entry.items():
            pairs = (
                (value, other) for value in news if not _has(old, value) for other in old if is_alike(value, other)
            )
            for value, other in pairs:
                mentions = [about for answer_values, about in agent_claims if _has(answer_values, other)]
                shared = self._words[number] & words
                if mentions or _has(new, other):
                    shared = self._words[number] & said.union(*mentions)
                    points = _POINTS_OF_ANSWER * bool(shared)
                else:
                    points = 0.0
                    shared = shared if len(shared) >= _MIN_SHARED or shared == words else frozenset()
                if shared:
                    yield number, points + self._weigh(shared), (other.text, value.text)

    def _deny(self, sentence: str, said: frozenset[str], agent: str) -> Iterator[tuple[int, float, tuple[str, str]]]:
        """Yield entries with a word that a sentence denies, after the agent just used it, or calls wrong."""
        agent_words = content_words(agent) if logic.denials(sentence) else frozenset[str]()
        wrong = frozenset(word for pair in sides.find(sentence) for word in content_words(pair.said))
        for word in wrong | (content_words(sentence) & agent_words):
            holders = self._holders.get(word, [])
            for number in holders if len(holders) <= _MAX_HOLDERS else ():
                shared = self._words[number] & (said | agent_words) - {word}
                if shared or word in wrong:
                    yield number, _POINTS_OF_ANSWER / 2 + self._weigh(shared), ("", "")

    def _weigh(self, words: Iterable[str]) -> float:
        """Return how telling words are: the fewer entries have one, the more."""
        return sum(1 / len(self._holders[word]) for word in words)


def _has(known: Iterable[Value], value: Value) -> bool:
    return any(is_alike(item, value) and equal(item, value) for item in known)
