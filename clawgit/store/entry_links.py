"""Which entries of a version were in the one before."""

import re
from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from clawgit.text.entry_versions import PlacedStatement, Statement

MIN_WORDS = 4
"""Words of an entry that is recognised elsewhere, or when it is reworded."""
MIN_WORDS_OF_SET = 6
MIN_WORDS_OF_FIELD = 8
"""Fewer words are no sentence, but a field, such as `**Date:** …`, of which every section may have one."""
MIN_SIMILARITY = 85.0
MIN_SIMILARITY_OF_SET = 33.0
"""Less, and an entry with the same words has only become a part of a longer one."""
MIN_LEAD = 8.0
"""Points that the second best candidate is behind."""
MIN_SIMILARITY_IN_PLACE = 60.0
MIN_LEAD_IN_PLACE = 15.0
"""For an entry that is where the other one was: between the same neighbours."""
_MAX_PAIRS = 4_000_000
_MAX_PAIRS_OF_SETS = 250_000
_MAX_PAIRS_IN_PLACE = 10_000
_MAX_CELLS = 64_000_000

_FIELD = re.compile(r"(\*\*|__)[^*\n]{1,40}(?::\1|\1:)")

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


def find_moves(old: Mapping[Old, Statement], new: Mapping[New, Statement]) -> dict[New, Old]:
    """Return which new entry is which old one of another file: those of some words that are there once on each side."""
    counts = [Counter(statement.form for statement in side.values()) for side in (old, new)]
    places = {
        statement.form: place
        for place, statement in old.items()
        if counts[0][statement.form] == counts[1][statement.form] == 1 and statement.words >= MIN_WORDS
    }
    return {place: places[statement.form] for place, statement in new.items() if statement.form in places}


def find_rewordings(old: Mapping[int, Statement], new: Mapping[int, Statement]) -> dict[int, tuple[int, float]]:
    """Return which new entry of a file is which old one in other words, and how similar they are, from 0 to 100.

    Numbers and names may differ. One to one, the best first, and none that has a rival.
    """
    olds, news = ([pair for pair in side.items() if _may_be_reworded(pair[1])] for side in (old, new))
    scores = _score_pairs([statement for _, statement in olds], [statement for _, statement in news])
    rows, columns = defaultdict(list), defaultdict(list)
    for (row, column), score in scores.items():
        rows[row].append(score)
        columns[column].append(score)
    links: dict[int, tuple[int, float]] = {}
    olds_linked: set[int] = set()
    for (row, column), score in sorted(scores.items(), key=lambda item: (-item[1], item[0])):
        rivals = sum(rival > score - MIN_LEAD for rival in (*rows[row], *columns[column])) - 2  # it is in both
        (older, old_statement), (place, statement) = olds[row], news[column]
        if score >= MIN_SIMILARITY and not rivals and older not in olds_linked and place not in links:
            similarity = measure_similarity(old_statement, statement)
            if similarity >= MIN_SIMILARITY_OF_SET:
                olds_linked.add(older)
                links[place] = older, similarity
    return links


def find_replacements(
    old: Mapping[int, Statement], new: Mapping[int, Statement], anchors: Links
) -> dict[int, tuple[int, float]]:
    """Return which new entry replaced which old one between the same neighbours, and how similar they are.

    `anchors` are the entries that stayed. One to one, and none that has a rival in its gap.
    """
    gaps: dict[tuple[int, int], tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    places, positions = sorted(anchors), sorted(anchors.values())
    for older in (place for place, statement in old.items() if _may_be_reworded(statement)):
        index = bisect(positions, older)
        gaps[_at(positions, index - 1), _at(positions, index)][0].append(older)
    for place in (place for place, statement in new.items() if _may_be_reworded(statement)):
        index = bisect(places, place)
        before, after = _at(places, index - 1), _at(places, index)
        gaps[anchors.get(before, before), anchors.get(after, after)][1].append(place)
    return {
        place: link
        for olds, news in gaps.values()
        if 0 < len(olds) * len(news) <= _MAX_PAIRS_IN_PLACE
        for place, link in _pair_within_gap({row: old[row] for row in olds}, {row: new[row] for row in news}).items()
    }


def _at(places: Sequence[int], index: int) -> int:
    return places[index] if 0 <= index < len(places) else -1


def _pair_within_gap(old: Mapping[int, Statement], new: Mapping[int, Statement]) -> dict[int, tuple[int, float]]:
    scores = {
        (older, place): measure_similarity(before, after)
        for older, before in old.items()
        for place, after in new.items()
        if before.kind == after.kind
    }
    links: dict[int, tuple[int, float]] = {}
    for (older, place), score in scores.items():
        rivals = (rival for pair, rival in scores.items() if (pair[0] == older) != (pair[1] == place))
        if score >= MIN_SIMILARITY_IN_PLACE and score - max(rivals, default=0.0) >= MIN_LEAD_IN_PLACE:
            links[place] = older, score
    return links


def _may_be_reworded(statement: Statement) -> bool:
    field = statement.kind == "paragraph" and statement.words < MIN_WORDS_OF_FIELD and _FIELD.match(statement.text)
    return statement.words >= MIN_WORDS and not field


def measure_similarity(old: Statement, new: Statement) -> float:
    """Return how similar two entries are, letter by letter, from 0 to 100."""
    from rapidfuzz import fuzz  # noqa: PLC0415

    return fuzz.ratio(old.plain, new.plain)


def _score_pairs(old: Sequence[Statement], new: Sequence[Statement]) -> dict[tuple[int, int], float]:
    """Return the scores of pairs that are good enough, or good enough to be a rival of such a one."""
    scores: dict[tuple[int, int], float] = {}
    if not old or not new or len(old) * len(new) > _MAX_PAIRS:
        return scores
    from rapidfuzz import fuzz, process  # noqa: PLC0415

    cutoff = MIN_SIMILARITY - MIN_LEAD
    texts = {column: statement.plain for column, statement in enumerate(new)}
    long_texts = {column: texts[column] for column, statement in enumerate(new) if statement.words >= MIN_WORDS_OF_SET}
    for row, statement in enumerate(old):
        matches = process.extract(statement.plain, texts, scorer=fuzz.ratio, score_cutoff=cutoff, limit=None)
        if statement.words >= MIN_WORDS_OF_SET and len(old) * len(new) <= _MAX_PAIRS_OF_SETS:
            matches += process.extract(
                statement.plain, long_texts, scorer=fuzz.token_set_ratio, score_cutoff=cutoff, limit=None
            )
        for _, score, column in matches:
            scores[row, column] = max(score, scores.get((row, column), 0.0))
    return scores
