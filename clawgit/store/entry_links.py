"""Which entries of a version were in the one before."""

import math
import re
from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from heapq import nlargest
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
"""Points of a rewording: the share of common words in percent, with what label, place and heading add."""
MIN_LEAD = 24.0
"""Points that every rival is behind."""
POINTS_OF_LABEL = 25.0
"""For the same words before a colon or in the first cell."""
POINTS_OF_OTHER_LABEL = -35.0
POINTS_OF_FIELD = 50.0
"""For the only entry of that label below a heading, where one of the two has no more than a short value."""
MAX_WORDS_OF_VALUE, MAX_WORDS_OF_STATE = 5, 3
"""Up to so many words a field may be filled in; up to so many it belongs to its heading alone, as `priority: P1`."""
POINTS_OF_PLACE = 18.0
"""For entries between the same neighbours."""
POINTS_OF_SECTION = 8.0
"""For the same words in the headings right above."""
POINTS_OF_OTHER_SECTION = -10.0
MIN_SHARE_OF_HEADING = 0.4
"""Headings that have so many words in common are one heading that was changed."""
SHARE_OF_PART = 0.9
"""What common words count of an entry that is a part of the other one: as good as whole where they are far apart."""
MIN_SIZE_OF_PART = 0.25
"""A smaller part of an entry is not a shorter form of it."""
MIN_WORDS_OF_PART = 3
_MAX_PAIRS = 4_000_000
_MAX_PAIRS_OF_WORD = 2_000
"""A word that more pairs have in common tells nothing."""
_MAX_CELLS = 64_000_000

_WORD = re.compile(r"[\u2e80-\U0003ffff]|\d+|[^\W_\u2e80-\U0003ffff]{2,}")
"""A word; in scripts without spaces every letter is one."""
_HEADING_WORD = re.compile(r"\w(?:[\w.:-]*\w)?")
"""A word, a day or a time: two days have nothing in common."""
_DAY = re.compile(r"\W*(\d{4}-\d{2}-\d{2})")
_LABEL = re.compile(r"(.{1,60}?)(?:\s*[：|=→]|:(?:\s|$)|\s[—–-]\s)")  # noqa: RUF001 - the marks are meant

Old = TypeVar("Old")
New = TypeVar("New")
_Pair = tuple[int, int]
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
        links |= {first + place: first + older for older, place in _find_common(old_rest, new_rest)}
    leftovers = set(range(first, len(old) - after)).difference(links.values())
    by_key = defaultdict(list)
    for place in sorted(leftovers, reverse=True):
        by_key[_key_in_file(old[place])].append(place)
    for place in range(first, len(new) - after):
        if place not in links and (places := by_key.get(_key_in_file(new[place]))):
            links[place] = places.pop()
    return links


def _find_common(old: Sequence[str], new: Sequence[str]) -> Iterable[tuple[int, int]]:
    """Yield the places of a longest common subsequence."""
    from rapidfuzz.distance import LCSseq  # noqa: PLC0415 - most versions only add

    for step in LCSseq.opcodes(old, new):
        if step.tag == "equal":
            yield from zip(range(step.src_start, step.src_end), range(step.dest_start, step.dest_end), strict=True)


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

    scores = _score_pairs(old, new, anchors)
    links: dict[int, tuple[int, float]] = {}
    # Each pair that is taken may free another one of its rivals.
    while pairs := _choose_pairs(scores):
        olds, news = ({pair[side] for pair in pairs} for side in (0, 1))
        scores = {pair: score for pair, score in scores.items() if pair[0] not in olds and pair[1] not in news}
        for older, place in pairs:
            texts = old[older].statement.plain, new[place].statement.plain
            if max(similarity := fuzz.ratio(*texts), fuzz.token_set_ratio(*texts)) >= MIN_LIKENESS:
                links[place] = older, similarity
    return links


def _choose_pairs(scores: Mapping[_Pair, float]) -> list[_Pair]:
    """Return the pairs that are good enough, and ahead of all others with one of their entries."""
    rivals = defaultdict[int, list[float]](list), defaultdict[int, list[float]](list)
    for pair, score in scores.items():
        for side, place in zip(rivals, pair, strict=True):
            side[place].append(score)
    seconds = [{place: [*nlargest(2, points), 0.0][1] for place, points in side.items()} for side in rivals]
    return [
        pair
        for pair, score in scores.items()
        if score >= MIN_SCORE
        and all(score - side[place] >= MIN_LEAD for side, place in zip(seconds, pair, strict=True))
    ]


class _Paraphrase(Struct, frozen=True):
    """An entry that may be another one in other words; `gap` are its neighbours that stayed, by their old places.

    `days` are the dates that the heading and the entry begin with, or "".
    """

    words: Counter[str]
    label: frozenset[str]
    gap: tuple[int, int]
    section: tuple[str, ...]
    heading: frozenset[str]
    days: tuple[str, str]

    @property
    def field(self) -> tuple[frozenset[str], tuple[str, ...]]:
        """The name of a field: its label and the headings above it."""
        return self.label, self.section

    def is_beside(self, other: "_Paraphrase") -> bool:
        """Return whether the two are between the same neighbours."""
        return self.gap == other.gap != (-1, -1)

    def is_of_another_day(self, other: "_Paraphrase") -> bool:
        """Return whether the two are dated, and not alike: such entries are about two events."""
        return any(day and later and day != later for day, later in zip(self.days, other.days, strict=True))

    def compare_headings(self, other: "_Paraphrase") -> float:
        """Return the share of common words in the headings right above, from 0 to 1."""
        words = len(self.heading) + len(other.heading)
        return 2 * len(self.heading & other.heading) / words if words else 1.0


def _score_pairs(
    old: Mapping[int, PlacedStatement], new: Mapping[int, PlacedStatement], anchors: Links
) -> dict[_Pair, float]:
    """Return the points of pairs with a significant word in common; a rare word counts more."""
    if not 0 < len(old) * len(new) <= _MAX_PAIRS:
        return {}
    olds = _read_paraphrases(old, {older: older for older in anchors.values()})
    news = _read_paraphrases(new, anchors)
    counts = [Counter(word for candidate in side.values() for word in candidate.words) for side in (olds, news)]
    weights = {
        word: math.log(1 + (len(olds) + len(news)) / count)
        for word, count in (counts[0] + counts[1]).items()
        if counts[0][word] * counts[1][word] <= _MAX_PAIRS_OF_WORD
    }
    holders = defaultdict[str, list[int]](list)
    for place, candidate in news.items():
        for word in candidate.words.keys() & weights:
            holders[word].append(place)
    common = defaultdict[_Pair, float](float)
    for older, candidate in olds.items():
        for word in candidate.words.keys() & weights:
            for place in holders[word]:
                common[older, place] += weights[word] * min(candidate.words[word], news[place].words[word])
    field_counts = [Counter(candidate.field for candidate in side.values() if candidate.label) for side in (olds, news)]
    fields = {field for field, count in field_counts[0].items() if count == field_counts[1][field] == 1}
    sizes = [
        {
            place: sum(weights.get(word, 0.0) * count for word, count in item.words.items())
            for place, item in side.items()
        }
        for side in (olds, news)
    ]
    scores: dict[_Pair, float] = {}
    for (older, place), weight in common.items():
        pair = olds[older], news[place]
        if pair[0].is_of_another_day(pair[1]) or _is_another_field(*pair):
            continue
        points = _compare_labels(*pair)
        if pair[0].field == pair[1].field in fields:  # nothing else has the same label
            points = POINTS_OF_FIELD if _count_value(*pair) <= MAX_WORDS_OF_VALUE else POINTS_OF_LABEL
        overlap = _measure_overlap(*pair, weight, sizes[0][older], sizes[1][place])
        scores[older, place] = 100 * overlap + points + _compare_surroundings(*pair)
    return scores


def _read_paraphrases(rows: Mapping[int, PlacedStatement], anchors: Links) -> dict[int, _Paraphrase]:
    stayed = sorted(anchors)
    names = [-1, *(anchors[place] for place in stayed), -1]
    candidates: dict[int, _Paraphrase] = {}
    for place, row in rows.items():
        words = Counter(_WORD.findall(row.statement.plain))
        label, index = _LABEL.match(row.statement.plain), bisect(stayed, place)
        heading = frozenset(_HEADING_WORD.findall(" ".join(row.section[-1:]).casefold()))
        label_words = frozenset(_WORD.findall(label[1])) if label else frozenset[str]()
        gap = names[index], names[index + 1]
        days = _read_day(row.section[-1] if row.section else ""), _read_day(row.statement.plain)
        candidates[place] = _Paraphrase(words, label_words, gap, row.section, heading, days)
    return candidates


def _read_day(text: str) -> str:
    match = _DAY.match(text)
    return match[1] if match else ""


def _measure_overlap(old: _Paraphrase, new: _Paraphrase, common: float, old_size: float, new_size: float) -> float:
    """Return the share of common words in two entries, or in one that is a part of the other, from 0 to 1."""
    share = 2 * common / (old_size + new_size)
    part, whole = sorted((old_size, new_size))
    words = min(old.words.total(), new.words.total())
    is_near = old.is_beside(new) or old.compare_headings(new) >= MIN_SHARE_OF_HEADING
    is_part = words >= MIN_WORDS_OF_PART and (is_near or common >= SHARE_OF_PART * part)
    return max(share, SHARE_OF_PART * common / part) if is_part and part >= MIN_SIZE_OF_PART * whole else share


def _is_another_field(old: _Paraphrase, new: _Paraphrase) -> bool:
    """Return whether labels separate two entries: one of them has a short value, or only numbers are in common."""
    if not (old.label and new.label):
        return False
    if old.label != new.label:
        common = (old.words.keys() - old.label) & (new.words.keys() - new.label)
        return all(map(str.isdecimal, common))
    return _count_value(old, new) <= MAX_WORDS_OF_STATE and old.compare_headings(new) < MIN_SHARE_OF_HEADING


def _count_value(old: _Paraphrase, new: _Paraphrase) -> int:
    """Return the words of the shorter one behind the label that both have."""
    return min(old.words.total(), new.words.total()) - len(old.label)


def _compare_labels(old: _Paraphrase, new: _Paraphrase) -> float:
    if not (old.label and new.label):
        return 0.0
    share = len(old.label & new.label) / len(old.label | new.label)
    return POINTS_OF_LABEL * share + POINTS_OF_OTHER_LABEL * (1 - share)


def _compare_surroundings(old: _Paraphrase, new: _Paraphrase) -> float:
    """Return the points for place and heading."""
    share = old.compare_headings(new)
    return POINTS_OF_PLACE * old.is_beside(new) + POINTS_OF_SECTION * share + POINTS_OF_OTHER_SECTION * (1 - share)
