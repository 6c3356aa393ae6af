"""Which entries of a version were in the one before."""

import math
import re
from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import TypeVar

from msgspec import Struct

from clawgit.text.entry_versions import PlacedStatement

MIN_WORDS = 4
"""Words of an entry that is recognised in another file, or below another heading."""
MIN_SIMILARITY = 85.0
"""Letter by letter, from 0 to 100: below it, a link is only probable."""
MIN_LIKENESS = 55.0
"""Letter by letter, or by common words: entries below it are two statements, perhaps with the same label."""
MIN_SCORE = 56.0
MIN_LEAD = 24.0
"""Points of a rewording, and points that every rival is behind."""
POINTS_OF_LABEL, POINTS_OF_OTHER_LABEL, POINTS_OF_PLACE = 25.0, -35.0, 18.0
"""For the same words before a colon, for others, and for entries between the same neighbours."""
SHARE_OF_PART, MIN_SIZE_OF_PART = 0.9, 0.25
"""The share of common words in an entry that is a part of the other one, and the least size of such a part."""
MIN_WORDS_OF_PART = 3
_MAX_PAIRS, _MAX_CELLS = 4_000_000, 64_000_000
_MAX_PAIRS_OF_WORD = 2_000
"""A word that more pairs have in common tells nothing."""

_WORD = re.compile(r"[\u2e80-\U0003ffff]|\d+|[^\W_\u2e80-\U0003ffff]{2,}")
"""A word; in scripts without spaces every letter is one."""
_DAY = re.compile(r"\W*(\d{4}-\d{2}-\d{2})")
_LABEL = re.compile(r"(.{1,60}?)(?:\s*[：|=→]|:(?:\s|$)|\s[—–-]\s)")  # noqa: RUF001 - the marks are meant

Old = TypeVar("Old")
New = TypeVar("New")
Links = dict[int, int]
"""Places in a version, from 0, and those that the same entries had in the version before."""


def align_version(old: Sequence[PlacedStatement], new: Sequence[PlacedStatement]) -> Links:
    """Return the entries that stayed in a file, or moved within it: a short one only below the same heading."""
    old_forms, new_forms = ([row.statement.form for row in rows] for rows in (old, new))
    shortest = min(len(old), len(new))
    first = next((place for place in range(shortest) if old_forms[place] != new_forms[place]), shortest)
    after = 0
    while after < shortest - first and old_forms[-1 - after] == new_forms[-1 - after]:
        after += 1
    links = {place: place for place in range(first)}
    links |= {len(new) - 1 - place: len(old) - 1 - place for place in range(after)}
    old_rest, new_rest = old_forms[first : len(old) - after], new_forms[first : len(new) - after]
    if old_rest and new_rest and len(old_rest) * len(new_rest) <= _MAX_CELLS:
        from rapidfuzz.distance import LCSseq  # noqa: PLC0415 - most versions only add

        for step in LCSseq.opcodes(old_rest, new_rest):
            if step.tag == "equal":
                shift = step.src_start - step.dest_start
                links |= {first + place: first + place + shift for place in range(step.dest_start, step.dest_end)}
    leftovers = set(range(first, len(old) - after)).difference(links.values())
    by_key = defaultdict(list)
    for place in sorted(leftovers, reverse=True):
        by_key[_key_in_file(old[place])].append(place)
    for place in range(first, len(new) - after):
        if place not in links and (places := by_key.get(_key_in_file(new[place]))):
            links[place] = places.pop()
    return links


def _key_in_file(row: PlacedStatement) -> tuple[str, tuple[str, ...]]:
    return row.statement.form, () if row.statement.words >= MIN_WORDS else row.section


def find_moves(old: Mapping[Old, PlacedStatement], new: Mapping[New, PlacedStatement]) -> dict[New, Old]:
    """Return which new entry is which old one of another file: those of some words that are there once on each side."""
    counts = [Counter(row.statement.form for row in side.values()) for side in (old, new)]
    places = {
        row.statement.form: place
        for place, row in old.items()
        if counts[0][row.statement.form] == counts[1][row.statement.form] == 1 and row.statement.words >= MIN_WORDS
    }
    return {place: places[row.statement.form] for place, row in new.items() if row.statement.form in places}


def find_rewordings(
    old: Mapping[int, PlacedStatement], new: Mapping[int, PlacedStatement], anchors: Links
) -> dict[int, tuple[int, float]]:
    """Return which new entry of a file is which old one in other words, and how similar they are, from 0 to 100.

    `anchors` are the entries that stayed. Numbers and names may differ. One to one, the best first, and none that has
    a rival.
    """
    from rapidfuzz import fuzz  # noqa: PLC0415

    if not 0 < len(old) * len(new) <= _MAX_PAIRS:
        return {}
    scores = _score_pairs(old, new, anchors)
    links: dict[int, tuple[int, float]] = {}
    while True:  # each pair that is taken may free another one of its rivals
        tops = [defaultdict[int, list[float]](list), defaultdict[int, list[float]](list)]
        for pair, score in scores.items():
            for side, place in zip(tops, pair, strict=True):
                side[place] = sorted((score, *side[place]), reverse=True)[:2]
        pairs = [
            pair
            for pair, score in scores.items()
            if score >= MIN_SCORE
            and all(score - (*side[place], 0.0, 0.0)[1] >= MIN_LEAD for side, place in zip(tops, pair, strict=True))
        ]
        if not pairs:
            return links
        for older, place in pairs:
            texts = old[older].statement.plain, new[place].statement.plain
            if max(similarity := fuzz.ratio(*texts), fuzz.token_set_ratio(*texts)) >= MIN_LIKENESS:
                links[place] = older, similarity
        olds, news = ({pair[side] for pair in pairs} for side in (0, 1))
        scores = {pair: score for pair, score in scores.items() if pair[0] not in olds and pair[1] not in news}


def _score_pairs(
    old: Mapping[int, PlacedStatement], new: Mapping[int, PlacedStatement], anchors: Links
) -> dict[tuple[int, int], float]:
    """Return the points of pairs with a significant word in common; a rare word counts more."""
    olds, news = _read_entry_words(old, {older: older for older in anchors.values()}), _read_entry_words(new, anchors)
    counts = [Counter(word for entry in side.values() for word in entry.words) for side in (olds, news)]
    weights = {
        word: math.log(1 + (len(old) + len(new)) / count)
        for word, count in (counts[0] + counts[1]).items()
        if counts[0][word] * counts[1][word] <= _MAX_PAIRS_OF_WORD
    }
    holders = defaultdict[str, list[int]](list)
    for place, entry in news.items():
        for word in entry.words.keys() & weights:
            holders[word].append(place)
    common = defaultdict[tuple[int, int], float](float)
    for older, entry in olds.items():
        for word in entry.words.keys() & weights:
            for place in holders[word]:
                common[older, place] += weights[word] * min(entry.words[word], news[place].words[word])
    sizes = [
        {place: sum(weights.get(word, 0.0) * n for word, n in entry.words.items()) for place, entry in side.items()}
        for side in (olds, news)
    ]
    scores: dict[tuple[int, int], float] = {}
    for (older, place), weight in common.items():
        first, second = olds[older], news[place]
        if any(day and later and day != later for day, later in zip(first.days, second.days, strict=True)):
            continue  # dated entries are about two events
        part, whole = sorted((sizes[0][older], sizes[1][place]))
        overlap = 2 * weight / (part + whole)
        if part >= MIN_SIZE_OF_PART * whole and min(first.words.total(), second.words.total()) >= MIN_WORDS_OF_PART:
            overlap = max(overlap, SHARE_OF_PART * weight / part)
        is_beside = first.gap == second.gap != (-1, -1)
        points = POINTS_OF_PLACE * is_beside + POINTS_OF_LABEL * bool(first.label)
        if first.label != second.label:
            share = len(first.label & second.label) / len(first.label | second.label)
            is_other = bool(first.label and second.label)
            points = POINTS_OF_OTHER_LABEL * (1 - share) if is_other else POINTS_OF_PLACE * is_beside
        scores[older, place] = 100 * overlap + points
    return scores


class _EntryWords(Struct, frozen=True):
    """The words of an entry and of its label; `gap` are its neighbours that stayed, by their old places.

    `days` are the dates that the heading and the entry begin with, or "".
    """

    words: Counter[str]
    label: frozenset[str]
    gap: tuple[int, int]
    days: tuple[str, str]


def _read_entry_words(rows: Mapping[int, PlacedStatement], anchors: Links) -> dict[int, _EntryWords]:
    stayed = sorted(anchors)
    names = [-1, *(anchors[place] for place in stayed), -1]
    entries: dict[int, _EntryWords] = {}
    for place, row in rows.items():
        text, index = row.statement.plain, bisect(stayed, place)
        label = _LABEL.match(text)
        heading, day = (match[1] if (match := _DAY.match(line)) else "" for line in ("".join(row.section[-1:]), text))
        label_words = frozenset(_WORD.findall(label[1])) if label else frozenset[str]()
        words = Counter(_WORD.findall(text))
        entries[place] = _EntryWords(words, label_words, (names[index], names[index + 1]), (heading, day))
    return entries
