"""Judges whether a message needs memory, and which lines."""

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from operator import itemgetter

from msgspec import Struct

from clawgit import file_roles
from clawgit.language import lexicon
from clawgit.language.own_words import own_talk
from clawgit.search import question_words
from clawgit.search.answer import Answer, Hit
from clawgit.search.question_words import Term
from clawgit.search.store import stems

MESSAGE_WEIGHTS = {"idle": -2.14, "own": 1.09, "asks": 1.47, "named": 0.77}
MESSAGE_BIAS = -1.56
LINE_WEIGHTS = {"best": 0.49, "gap": 2.13, "shared": 1.55, "subject": 1.37, "lasting": 1.19, "similar": 4.0}
LINE_BIAS = -5.46
"""Weights of a logistic regression, fitted by `benchmarks/search/fit_turn.py` to the open sets of `corpora/turns`, but
`similar`, which was chosen with the others as they are, on the same sets with vectors of the default embedder."""
MESSAGE_PASSES, LINE_PASSES = 0.52, 0.24
"""Scores from which on a message concerns the owner's world, and from which on a line fits it."""
MAX_NAMES, MAX_SHARED = 3, 3
RARE_TIMES, MIN_TEXTS = 3, 400
"""A word in so many texts is rare; in a smaller memory words are as rare as in one of so many texts."""
_FIFTH = 5
_GUESSED = 0.5
_LIKE = 0.38
_BEFORE, MAX_BEFORE = 0.5, 2
"""What a word of the turns before adds to the log-odds of a line, and how many count."""
_SHORTEST = 4
_TABLE = "turn"
_COMMON = ("search", "numbers", "dates")
"""Tables with words that are no evidence of anything, but for what recurs, such as birthdays."""
_PATHS = {"times": ((_TABLE, "times"), ("dates", "past"), ("dates", "future"))}
"""Tables of words; others are among the small words of a language."""
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*|[+*/%=\u00d7]")
_NAME = re.compile(r"(?<=[^\s.!?:\u2013-] )[^\W\d_a-z][\w'\u2019-]+")
_BEGINNING = re.compile(r"[ \t]*(?:[-*+][ \t]+)?((?:\S+[ \t]+){1,2}\S+)")
_SUBJECT = re.compile(r"[ \t]*(?:[-*+][ \t]+)?([^:.\n]{2,40}):")


class Decision(Struct, frozen=True):
    """A decision with the features that it rests on; `score` is between 0 and 1."""

    name: str
    features: Mapping[str, float]
    score: float
    passes: bool


@cache
def _list_words(iso: str, key: str) -> frozenset[str]:
    """Return the words of a key of a language's tables."""
    paths = _PATHS.get(key, (("search", key),))
    return frozenset(word for path in paths for word in lexicon.words(iso, *path))


@cache
def _list_common(iso: str) -> frozenset[str]:
    return lexicon.table_words(iso, _COMMON).difference(lexicon.phrases(iso, "dates", "recurring"))


def judge_message(text: str, answer: Answer) -> Decision:
    """Return whether a message concerns the owner's world; `answer` is the memory's answer to it."""
    features = extract_message_features(text, answer)
    score = _apply_weights(MESSAGE_BIAS, MESSAGE_WEIGHTS, features)
    return Decision("concerns the owner", features, score, score >= MESSAGE_PASSES)


@cache
def _list_tasks() -> frozenset[str]:
    """Return the phrases of all languages: a text to be translated may be in another one."""
    return frozenset(
        phrase for iso in lexicon.list_languages_with(_TABLE) for phrase in lexicon.phrases(iso, _TABLE, "tasks")
    )


def extract_message_features(text: str, answer: Answer) -> dict[str, float]:
    """Return the features of a message by name.

    `idle` is 1 for work on a text, general knowledge and the like, else the share of numbers. `own` is 1 for the first
    person. `asks` is the share of question words, of words for the past and future, and of a question mark that are
    there. `named` counts names, and things with an article, that the memory knows. Quoted or pasted text is left out.
    """
    # A pasted mail is full of names and questions that are not the owner's.
    plain = own_talk(text).replace("\0", " ").lower()
    iso, words = _detect_language(plain), _WORD.findall(plain)
    numbers = _NUMBER.findall(plain)[1:]  # one alone is no sum
    asks = (
        _has_word(plain, words, _list_words(iso, "asks")),
        _has_word(plain, words, _list_words(iso, "times")),
        "?" in plain or "\uff1f" in plain,
    )
    is_task = any(_holds(plain, phrase) for phrase in _list_tasks())
    return {
        "idle": 1.0 if is_task else min(len(numbers) / max(len(words), 1), 1.0),
        "own": float(_has_word(plain, words, _list_words(iso, "own"))),
        "asks": sum(asks) / len(asks),
        "named": float(min(len(_find_names(text, words, iso, answer)), MAX_NAMES)),
    }


def judge_lines(
    text: str, answer: Answer, hits: Sequence[Hit], before: Iterable[str] = ()
) -> tuple[Decision, list[tuple[Hit, float]]]:
    """Return whether a line fits a message, and the fitting hits with their scores, the best first.

    The turns `before` the message order the lines, and bring more of them if one fits without their help.
    """
    rows = extract_line_features(text, answer, hits)
    scored = [(_apply_weights(LINE_BIAS, LINE_WEIGHTS, features), features) for _, features in rows]
    score, features = max(scored, key=itemgetter(0), default=(0.0, dict.fromkeys(LINE_WEIGHTS, 0.0)))
    decision = Decision("a line fits", features, score, score >= LINE_PASSES)
    common = _list_common(_detect_language(text))
    context = {word for turn in before for word in question_words.list_words(turn) if len(word) >= _SHORTEST} - common
    helped = []
    for hit, features in rows if decision.passes else ():
        line_text = question_words.plain(f"{hit.heading} {hit.text}")
        help_ = _BEFORE * min(sum(f" {word} " in line_text for word in context), MAX_BEFORE)
        helped.append((hit, _apply_weights(LINE_BIAS + help_, LINE_WEIGHTS, features)))
    helped.sort(key=lambda pair: -pair[1])
    return decision, [(hit, score) for hit, score in helped if score >= LINE_PASSES]


def extract_line_features(text: str, answer: Answer, hits: Sequence[Hit]) -> list[tuple[Hit, dict[str, float]]]:
    """Return the features of each hit by name.

    `best` is the bm25 of FTS5, `gap` its distance to that of the fifth hit, `shared` how rare the words are that the
    line shares with the message, all in units of a rare word.
    `subject` is 1 if one of these is before the colon of the line or among its first three words, `lasting` if it is
    in no journal; `similar` is twice the distance of the cosine to .38 in Enhanced search, and 0 in Core.
    """
    words = list_evidence(text, answer)
    rows = []
    for hit in hits:
        shared = _sum_rarity(words, f"{hit.heading} {hit.text}", answer.texts)
        rows.append((hit, max(hit.bm25 / _measure_rarest_word(answer.texts), shared), shared))
    strengths = sorted((strength for _, strength, _ in rows), reverse=True)
    fifth = strengths[_FIFTH - 1] if len(strengths) >= _FIFTH else 0.0
    result = []
    for hit, strength, shared in rows:
        subject = _SUBJECT.match(hit.text) or _BEGINNING.match(hit.text)
        topic = subject[1] if subject else ""
        cosine = hit.explain.get("vector")
        features = {
            "best": strength / 2,
            "gap": (strength - fifth) / 2,
            "shared": min(shared, MAX_SHARED) / 2,
            "subject": float(_sum_rarity(words, topic, answer.texts) > 0),
            "lasting": float(not file_roles.journal_day(hit.path)),
            "similar": (cosine - _LIKE) * 2 if isinstance(cosine, float) else 0.0,
        }
        result.append((hit, features))
    return result


def measure_strength(answer: Answer, hits: Iterable[Hit]) -> float:
    """Return the bm25 of the best of some hits, in units of a rare word."""
    return max((hit.bm25 for hit in hits), default=0.0) / _measure_rarest_word(answer.texts)


def measure_overlap(text: str, answer: Answer, line: str) -> float:
    """Return how rare the words are that a line shares with a message, in units of a rare word."""
    return _sum_rarity(list_evidence(text, answer), line, answer.texts)


def list_evidence(text: str, answer: Answer) -> list[Term]:
    """Return the words of a message that are in the memory, without those that every text has, and digits."""
    common = _list_common(_detect_language(text))
    terms = (term for term in answer.looked if term.times and term.word not in common)
    return [term for term in terms if not term.word.isdigit() or len(term.word) > 1]


def _find_names(text: str, text_words: Sequence[str], iso: str, answer: Answer) -> set[str]:
    texts = [hit.text for hit in answer.results]
    names = [name for text_line in (text, *texts) for name in _NAME.findall(text_line) if name[0].isupper()]
    names += [subject[1] for text_line in texts if (subject := _SUBJECT.match(text_line))]
    roots = {stem for stem_list in stems([" ".join(names).lower()]) for stem in stem_list}
    things = {
        word
        for index, article in enumerate(text_words)
        if article in _list_words(iso, "the")
        for word in text_words[index + 1 : index + 3]
    }
    words = {*text_words, *(word.partition("'")[0] for word in text_words)}  # "Carla's"
    exact = [term for term in list_evidence(text, answer) if term.exact and term.word in words and len(term.word) > 2]  # noqa: PLR2004 - no initials
    return {term.word for term in exact if term.word in things or not roots.isdisjoint(*stems([term.word]))}


def _detect_language(text: str) -> str:
    iso = lexicon.detect(text)
    return iso if iso in lexicon.list_languages_with(_TABLE) else "en"


def _has_word(plain: str, text_words: Collection[str], words: Collection[str]) -> bool:
    return any(word in plain if lexicon.eastern(word) else word in text_words for word in words)


def _holds(plain: str, phrase: str) -> bool:
    if phrase not in plain:
        return False
    return lexicon.eastern(phrase) or bool(re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", plain))


def _list_shared(words: Iterable[Term], line: str) -> list[Term]:
    """Return the words that are in a line, whatever their endings."""
    plain, roots = question_words.plain(line), {stem for stem_list in stems([line]) for stem in stem_list}
    return [word for word in words if word.root in plain or roots.issuperset(*stems([word.word]))]


def _sum_rarity(words: Iterable[Term], line: str, texts: int) -> float:
    """Return how rare the words in a line are: 1 for one in few texts, little above 0 for one that is everywhere."""
    rare, shared = _idf(RARE_TIMES, texts), _list_shared(words, line)
    return sum(min(_idf(word.times, texts) / rare, 1.0) * (1 if word.exact else _GUESSED) for word in shared)


def _idf(times: int, texts: int) -> float:
    rest = max(texts, MIN_TEXTS, times) - times
    return math.log((rest + 0.5) / (times + 0.5) + 1)


def _measure_rarest_word(texts: int) -> float:
    """Return the weight by FTS5's bm25 of a unique word; it is zero in a memory of a few lines."""
    return max(math.log((texts - 0.5) / 1.5), 1.0) if texts > 1 else 1.0


def _apply_weights(bias: float, weights: Mapping[str, float], features: Mapping[str, float]) -> float:
    total = bias + sum(weights[name] * value for name, value in features.items())
    return 1 / (1 + math.exp(-total))
