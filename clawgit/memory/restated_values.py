"""Finds entries that a message may have made untrue."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
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


class Restatements:
    """Compares messages with entries.

    An entry may be untrue if a sentence of the operator's on the same subject has another value of the type of one of
    its values, or denies a word of it that the agent just used; or if it calls a word of it wrong.
    """

    def __init__(self, entries: Iterable[Stored]) -> None:
        self._entries = [entry for entry in entries if not is_past(entry.text)]
        self._words = [content_words(entry.text) for entry in self._entries]
        self._read_values = cache(lambda number: values.find(self._entries[number].text))
        self._holders: defaultdict[str, set[int]] = defaultdict(set)
        self._titled: defaultdict[str, set[int]] = defaultdict(set)
        for number, words in enumerate(self._words):
            for word in words:
                self._holders[word].add(number)
            for word in content_words(self._entries[number].title):
                self._titled[word].add(number)

    def find(self, message: str, before: Sequence[Turn]) -> Doubt | None:
        """Return the entries that a message may have made untrue, the likeliest first; None for none.

        `before` are the turns until then, the newest last. For one value of one entry both sides are given.
        """
        text = read_own_words(message)
        claims = [sentence for sentence in sentences.texts(text) if is_claimed(sentence)]
        if not claims or len(text) > MAX_MESSAGE_CHARS:
            return None
        answer = _find_answer(before)
        said = content_words(" ".join(claims))
        pairs: dict[int, tuple[str, str]] = {}
        for sentence in claims:
            pairs |= dict.fromkeys(self._deny(sentence, said, answer), ("", ""))
            pairs |= self._compare(sentence, said, answer)
        if not pairs:
            return None
        scores = self._score(f"{text}\n{answer}")
        numbers = sorted(pairs, key=lambda number: (-scores[number], number))[:_MAX_CHOICES]
        is_one = len({pairs[number][1] for number in numbers}) == 1
        return Doubt(REASON, *(pairs[numbers[0]] if is_one else ("", "")), tuple(self._entries[n].id for n in numbers))

    def add_nearest(self, doubt: Doubt, message: str, before: Sequence[Turn], limit: int = _MAX_NEAREST) -> Doubt:
        """Return a doubt with the entries behind its own, at most `limit`, that are nearest to a message.

        The agent's answer counts with it. Entries with the wrong value come first.
        """
        text, answer = read_own_words(message), _find_answer(before)
        wrong = re.compile(rf"(?<!\w){re.escape(sides.strip_lead(doubt.said))}(?!\w)", re.IGNORECASE)
        holders = {number for number, entry in enumerate(self._entries) if doubt.said and wrong.search(entry.text)}
        nearest: list[str] = []
        for words in (text, f"{text}\n{answer}") if answer else (text,):
            scores = self._score(words)
            threshold = _NEAR * max(scores.values(), default=0.0)
            related = {number for number in holders if scores.get(number)}
            near = (number for number in scores if scores[number] >= threshold)
            candidates = (related or holders).union(near)
            best = sorted(candidates, key=lambda number: (number not in holders, -scores[number], number))
            nearest += (self._entries[number].id for number in best[:limit])
        reason = doubt.reason if doubt.choices or not nearest else NEAREST
        return replace(doubt, reason=reason, choices=tuple(dict.fromkeys((*doubt.choices, *nearest))))

    def _score(self, text: str) -> Mapping[int, float]:
        """Return how near entries are to a text: by the words, and then values, that they share, rare ones the most."""
        new = values.find(text)
        words = content_words(text, [value.text for value in new])
        shares = [(self._holders.get(word, set()), self._titled.get(word, set())) for word in words]
        about = set[int]().union(*(numbers for pair in shares for numbers in pair))
        shares += [({number for number in about if _has(self._read_values(number), value)}, set()) for value in new]
        scores = defaultdict[int, float](float)
        for own, titled in shares:
            numbers = own | titled
            weight = log(1 + len(self._entries) / max(1, len(numbers)))
            for number in numbers:
                scores[number] += weight if number in own else _SHARE_OF_TITLE * weight
        return scores

    def _compare(self, sentence: str, said: frozenset[str], answer: str) -> dict[int, tuple[str, str]]:
        """Return entries with another value of a type, each with that value and the new one.

        A value that an entry of the same subject has already is no news.
        """
        new = values.find(sentence)
        words = content_words(sentence, [value.text for value in new])
        claims = [(values.find(text), content_words(text)) for text in sentences.texts(answer)] if new else []
        vocabulary = said.union(*(about for _, about in claims)) if new else ()
        candidates = {number for word in vocabulary for number in self._holders.get(word, ())}
        confirming = [number for number in candidates if len(self._words[number] & words) >= _MIN_SHARED]
        news = [value for value in new if not any(_has(self._read_values(number), value) for number in confirming)]
        pairs: dict[int, tuple[str, str]] = {}
        for number in candidates:
            old = self._read_values(number)
            for value, other in ((value, other) for value in news for other in old if is_alike(value, other)):
                mentions = [about for answer_values, about in claims if _has(answer_values, other)]
                shared = self._words[number] & said.union(*mentions)
                if not mentions and not _has(new, other):
                    shared = self._words[number] & words
                    shared = shared if len(shared) >= _MIN_SHARED or shared == words else frozenset()
                if shared and not _has(old, value):
                    pairs[number] = other.text, value.text
        return pairs

    def _deny(self, sentence: str, said: frozenset[str], answer: str) -> Iterator[int]:
        """Yield entries with a word that a sentence denies, after the agent just used it, or calls wrong."""
        answer_words = content_words(answer) if logic.denials(sentence) else frozenset[str]()
        wrong = frozenset(word for pair in sides.find(sentence) for word in content_words(pair.said))
        for word in wrong | (content_words(sentence) & answer_words):
            holders = self._holders.get(word, set())
            for number in holders if len(holders) <= _MAX_HOLDERS else ():
                if word in wrong or self._words[number] & (said | answer_words) - {word}:
                    yield number


def _find_answer(before: Sequence[Turn]) -> str:
    """Return the last turn of the agent's, "" for none."""
    return next((turn.text for turn in reversed(before) if turn.who == "agent"), "")


def _has(known: Iterable[Value], value: Value) -> bool:
    return any(is_alike(item, value) and equal(item, value) for item in known)
