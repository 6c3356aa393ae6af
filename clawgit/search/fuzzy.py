"""Finds texts by likeness alone, where SQLite cannot find words."""

from clawgit.search import words
from clawgit.search.keyword import MOST, Found, Term
from clawgit.search.store import Store

_CUTOFF = 45.0


def find(store: Store, question: str) -> Found:
    """Return the texts that share most words with a question, however they are spelt."""
    from rapidfuzz import fuzz, process  # noqa: PLC0415 - rarely the only way

    asked = words.content(question)
    if not asked and not question:
        return Found({}, ())
    texts = {
        row[0]: words.fold(f"{row[2]} {row[1]}").lower()
        for row in store.raw.execute("SELECT id, text, trail FROM docs ORDER BY key")
    }
    said = " ".join(asked) or question
    found = process.extract(said, texts, scorer=fuzz.token_set_ratio, limit=MOST, score_cutoff=_CUTOFF)
    scores = {doc: score / 100 for _, score, doc in found}
    terms = tuple(_term(word, texts.values()) for word in asked)
    return Found(scores, terms)


def _term(word: str, texts: object) -> Term:
    times = sum(word in text for text in texts)  # type: ignore[attr-defined]
    return Term(word, word, word, times, 1.0)
