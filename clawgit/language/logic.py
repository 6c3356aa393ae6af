"""Words that limit a statement to a case."""

import re
from collections.abc import Iterable
from functools import cache, lru_cache

from clawgit.language import detect, lexicon
from clawgit.language.own_words import straight


@cache
def denial_words(languages: tuple[str, ...]) -> frozenset[str]:
    """Return the words, and letters of East Asia, that deny in some languages."""
    return frozenset(word for iso in languages for word in lexicon.words(iso, "logic", "negations"))


Span = tuple[int, int]
_WORD = re.compile(r"[^\W\d_]+")
_RUN = re.compile(f"[{detect.DENSE}{detect.HANGUL}]+")
_SHORT_STEM = 4
_KANA = re.compile("[\u3041-\u3096]+")


def languages(*texts: str) -> tuple[str, ...]:
    """Return the languages in which texts that belong together are read."""
    return detect.candidates("\n".join(texts))


def phrases(isos: Iterable[str], key: str) -> tuple[str, ...]:
    """Return what the languages' tables of claims list under a key, between commas."""
    return _phrases(tuple(isos), key)


@cache
def _phrases(isos: tuple[str, ...], key: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(phrase for iso in isos for phrase in lexicon.phrases(iso, "claims", key)))


def words(isos: Iterable[str], key: str) -> frozenset[str]:
    """Return what the languages' tables of claims list under a key, between blanks."""
    return _words(tuple(isos), key)


@cache
def _words(isos: tuple[str, ...], key: str) -> frozenset[str]:
    return frozenset(word for iso in isos for word in lexicon.words(iso, "claims", key))


@cache
def finder(said: tuple[str, ...]) -> "re.Pattern[str]":
    """Return what finds phrases; those of languages with spaces stand between the edges of words."""
    found = sorted(set(said), key=lambda one: (-len(one), one))
    edged = [re.escape(one) if detect.eastern(one) else _edged(one) for one in found]
    return re.compile("|".join(edged) or "(?!)", re.IGNORECASE)


def _edged(one: str) -> str:
    before, behind = (r"(?<!\w)" if one[0].isalnum() else ""), (r"(?!\w)" if one[-1].isalnum() else "")
    return before + re.escape(one) + behind


@cache
def _denying(isos: tuple[str, ...]) -> "re.Pattern[str]":
    return finder(tuple(denial_words(isos) | words(isos, "negations")))


@cache
def _not_denying(isos: tuple[str, ...]) -> "re.Pattern[str]":
    return finder(tuple(words(isos, "no_negations")))


def denials(text: str, isos: tuple[str, ...]) -> tuple[Span, ...]:
    """Return where words deny, forbid or refuse something."""
    plain = _not_denying(isos).sub(lambda found: "\0" * len(found[0]), straight(text))
    return tuple(one.span() for one in _denying(isos).finditer(plain))


@lru_cache(maxsize=4096)
def content(text: str, isos: tuple[str, ...]) -> frozenset[str]:
    """Return the stems of the words that say something; of East Asian letters pairs of neighbours."""
    said = straight(text).lower()
    known = small(isos)
    found = set()
    if not said.isascii() and detect.eastern(said):
        subjects = [one for one in words(isos, "subjects") if detect.eastern(one)]
        said = finder_of(tuple(subjects)).sub(" ", said) if subjects else said
        for run in _RUN.findall(said):
            found |= {run[at : at + 2] for at in range(len(run) - 1) if not _KANA.fullmatch(run[at : at + 2])}
        said = _RUN.sub(" ", said)
    for word in _WORD.findall(said):
        if len(word) > 1 and word not in known:
            found.add(_stem(word, isos))
    return frozenset(found)


def _stem(word: str, isos: tuple[str, ...]) -> str:
    """Return a stem; of a short word its beginning, for verbs as `use`, `uses`, `bois`, `boit`."""
    found = lexicon.stem(word, isos)
    if len(found) > _SHORT_STEM:
        return found
    found = found.rstrip("st") if len(found) == _SHORT_STEM else found
    return found[:-1] if len(found) > 2 and found[-1] in "aeo" else found  # noqa: PLR2004 - letters that tell


@cache
def finder_of(said: tuple[str, ...]) -> "re.Pattern[str]":
    """Return what finds any of these letters, wherever they stand."""
    return re.compile("|".join(re.escape(one) for one in sorted(said, key=lambda one: (-len(one), one))) or "(?!)")


@cache
def small(isos: tuple[str, ...]) -> frozenset[str]:
    """Return words that say nothing by themselves in some languages."""
    found = frozenset(word for iso in isos for word in lexicon.words(iso, "search", "small"))
    cases = frozenset(phrase for key in ("conditions", "occasions") for phrase in phrases(isos, key))
    return found | words(isos, "subjects") | words(isos, "joins") | denial_words(isos) | cases


def leans(text: str, isos: tuple[str, ...]) -> bool:
    """Return whether a sentence begins with what ties it to the one before: `But`, `Unless`."""
    begin = straight(text).lstrip(" \t\"'*_-")
    said = phrases(isos, "leaning") + phrases(isos, "conditions")
    return finder(said).match(begin) is not None
