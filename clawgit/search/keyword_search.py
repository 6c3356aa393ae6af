"""Finds texts by their words."""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec import Struct, field

from clawgit.language import lexicon
from clawgit.search import question_words
from clawgit.search.question_words import Term
from clawgit.search.store import HASH, WEIGHTS, Store, query_many, stems

MOST, WIDE = 100, 200
"""Texts that are looked at more closely, and where many are wanted or few of them count."""

_POSTINGS = 12_000
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_TYPED_UMLAUT = re.compile("([aou])e")
_BM25 = f"bm25(words, {', '.join(WEIGHTS)})"
_MATCHING = f"""
SELECT c.id, m.s, substr(c.key, 1, {HASH}) FROM
  (SELECT rowid AS w, {_BM25} AS s FROM words WHERE words MATCH ? ORDER BY s LIMIT ?) m
  JOIN chunks c ON c.id = m.w JOIN files f ON f.id = c.file
ORDER BY m.s, ifnull(c.day, f.day) DESC, f.path, c.nth
"""  # noqa: S608 - ours
_MOST_COPIES, _COPIES = 20, 3
"""Places of one text that are looked at, and how many times more rows are read for the copies."""


class WordMatches(Struct, frozen=True):
    """Texts by document with their scores, the best of them first; the searched terms, and the number of texts."""

    scores: Mapping[int, float]
    terms: tuple[Term, ...]
    repaired: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    texts: int = 0


def find_by_words(
    store: Store, question: str, dropped: Collection[str] = (), limit: int = MOST, exact_words: Collection[str] = ()
) -> WordMatches:
    """Return the best matches of a question by any of its content words; words in `dropped` are not searched.

    A word without a match is taken for a slip of others, except those in `exact_words`.
    """
    words = [word for word in question_words.content(question) if word not in dropped]
    parts = [part.lower() for part in question_words.camel_parts(question) if len(part) > 1]
    by_word = _terms(store, [*words, *parts])
    terms, repaired = _repaired(store, question, [by_word[word] for word in words if word in by_word], exact_words)
    terms += [by_word[word] for word in parts if word in by_word and by_word[word].times]
    by_stem = {term.stem: term for term in reversed(terms)}  # each stem once
    pairs = question_words.list_asked_pairs(question_words.fold(question))
    terms = [*reversed(by_stem.values()), *_drop_straddling([_pair(store, pair) for pair in pairs])]
    query = " OR ".join(dict.fromkeys(term.query for term in _affordable([term for term in terms if term.times])))
    # Without the last digits: these depend on the order in which texts came.
    rows = store.raw.execute(_MATCHING, (query, _COPIES * limit)) if query else ()
    scores, copies = dict[int, float](), Counter[bytes]()
    for doc, score, text_hash in rows:
        copies[text_hash] += 1
        if len(copies) > limit:
            break
        if copies[text_hash] <= _MOST_COPIES:
            scores[doc] = float(f"{-score:.12g}")
    return WordMatches(scores, tuple(terms), repaired, _total(store))


_PART, _LINKS = 4, ("", "es", "en", "er", "s", "n")
"""Letters of the shortest part of a compound, and those between two parts."""
_SHORTEST = {**dict.fromkeys(("da", "de", "fi", "nb", "nl", "no", "sv"), _PART), "": 6}
"""Letters of the shortest word that may be part of a compound, by language; that of a few words alone is unknown."""
_COMPOUNDS = """
SELECT word FROM spelling WHERE length(word) >= ?2 AND (substr(word, 1, ?3) = ?1 OR substr(word, -?3) = ?1)
ORDER BY length(word), word LIMIT 12
"""


def _list_compounds(store: Store, word: str) -> list[Term]:
    """Return the terms for the parts of a compound word, and for compounds that begin or end with it."""
    splits = [(word[:place], word[place:]) for place in range(_PART, len(word) - _PART + 1)]
    pairs = [(head.removesuffix(link), tail) for head, tail in splits for link in _LINKS if head.endswith(link)]
    compounds = store.raw.execute(_COMPOUNDS, (word, len(word) + _PART, len(word)))
    names = [*(row[0] for row in compounds), *(part for pair in pairs for part in pair if len(part) >= _PART)]
    live = {name: term for name, term in _terms(store, names).items() if term.times}
    parts = {part for pair in pairs if live.keys() >= set(pair) for part in pair}
    return [term for name, term in live.items() if name in parts or word in name]


def _terms(store: Store, words: Sequence[str]) -> dict[str, Term]:
    """Return the terms to search for, by word: all at once, for each question to SQLite costs."""
    unique_words = list(dict.fromkeys(words))
    single = {
        word: word_stems[0]
        for word, word_stems in zip(unique_words, stems(unique_words), strict=True)
        if len(word_stems) == 1
    }
    twins = {word: _list_twins(word, stem) for word, stem in single.items()}
    times = _counts(store, (*single.values(), *(stem for group in twins.values() for stem, _ in group)))
    total = _total(store)
    terms: dict[str, Term] = {}
    for word, stem in single.items():
        indexed = [(times[twin_stem], twin) for twin_stem, twin in twins[word] if times.get(twin_stem)]
        # In quotes a word such as NOT is no operator of FTS5.
        query = " OR ".join(f'"{form}"' for form in (word, *(twin for _, twin in indexed)))
        terms[word] = _make_term(word, stem, query, times.get(stem, 0) + sum(count for count, _ in indexed), total)
    return terms


def _list_twins(word: str, stem: str) -> list[tuple[str, str]]:
    """Return other stems of a word, each with a word that has it: `Mueller` is `Müller`."""
    forms = [form for form in (word.translate(_UMLAUTS), _TYPED_UMLAUT.sub(r"\1", word)) if form != word]
    pairs = zip(stems(forms), forms, strict=True) if forms else ()
    return [(own[0], form) for own, form in pairs if len(own) == 1 and own[0] != stem]


def _total(store: Store) -> int:
    """Return how many texts an index has."""
    return int(store.get("chunks") or 0)


def _counts(store: Store, terms: Iterable[str]) -> dict[str, int]:
    return dict(query_many(store.raw, "SELECT term, doc FROM terms WHERE term IN ({})", list(dict.fromkeys(terms))))


def _repaired(
    store: Store, question: str, terms: Sequence[Term], exact_words: Collection[str]
) -> tuple[list[Term], dict[str, tuple[str, ...]]]:
    """Return the terms, those without a match replaced by compounds or corrected spellings; and the replacements."""
    result, repaired, shortest = list(terms), {}, _SHORTEST.get(lexicon.detect(question), math.inf)
    for number, term in enumerate(terms):
        if term.times or term.word in exact_words:
            continue
        similar = _list_compounds(store, term.word) if len(term.word) >= shortest else []
        similar = similar or question_words.find_near_terms(store.raw, term.word, lambda words: _terms(store, words))
        if not similar:
            continue
        repaired[term.word] = tuple(candidate.word for candidate in similar)
        times = sum(candidate.times for candidate in similar)
        query = " OR ".join(candidate.query for candidate in similar)
        result[number] = _make_term(term.word, similar[0].stem, query, times, _total(store), exact=False)
    return result, repaired


def _pair(store: Store, pair: str) -> Term:
    """Return the term for two letters of a script without spaces; `x*` is any pair that begins so."""
    total = _total(store)
    if not pair.endswith("*"):
        times = _counts(store, [pair]).get(pair, 0)
        return _make_term(pair, pair, f'pairs : "{pair}"', times, total)
    first = pair[:-1]
    row = store.raw.execute(
        "SELECT sum(doc) FROM terms WHERE term >= ? AND term < ?", (first, first + "\U0010ffff")
    ).fetchone()
    times = int(row[0] or 0)
    return _make_term(first, first, f'pairs : "{first}" *', times, total)


def _drop_straddling(pairs: Sequence[Term]) -> list[Term]:
    """Return pairs without those that occur nowhere and share a letter with a neighbour, so lie across two words."""
    result: list[Term] = []
    for index, pair in enumerate(pairs):
        after = pairs[index + 1].word[0] if pairs[index + 1 : index + 2] and pairs[index + 1].times else ""
        before = result[-1].word[-1] if result else ""
        if pair.times or (pair.word[0] != before and pair.word[-1] != after):
            result.append(pair)
    return result


def _make_term(word: str, stem: str, query: str, times: int, total: int, *, exact: bool = True) -> Term:
    """Return a term with matches in so many of `total` texts; its weight is that of FTS5's bm25."""
    weight = max(math.log((max(total, times) - times + 0.5) / (times + 0.5) + 1), 0.05)
    root = question_words.plain(stem.removesuffix("i")).rstrip()  # deploi, deploy
    return Term(word, stem, query, times, weight, root.lstrip() if question_words.has_script(root) else root, exact)


def _affordable(terms: Sequence[Term]) -> list[Term]:
    """Return the terms, the rarest first, as far as reading their matches takes milliseconds."""
    selection: list[Term] = []
    left = _POSTINGS
    for term in sorted(terms, key=lambda item: (item.times, item.query)):
        if selection and term.times > left:
            break
        selection.append(term)
        left -= term.times
    return selection
