"""What says that a line holds on, or does not."""

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Protocol

from msgspec import Struct

from clawgit.agents.promoting import eastern, english, european
from clawgit.agents.promoting.triggers import Category

_EASTERN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_LATIN = re.compile(r"[A-Za-z]{3}")
_EUROPEAN = re.compile(
    r"\b(?:der|das|und|ist|nicht|für|von|zu|dem|ein|eine|wird|nur|nie|bis|auf|aus|bei|bitte|immer|niemand|künftig"
    r"|las|que|para|del|una|desde|hasta|nunca|siempre|nadie)\b|[äöüßáéíóúñ¿¡].*[äöüßáéíóúñ¿¡]"
    r"|\b(?:el|la|los|de|y|por|con|se|es|en|al|sin|mit|die|den|im|ab)\b.*\b(?:el|la|los|de|y|por|con|se|es|en|al|sin|mit|die|den|im|ab)\b",
    re.IGNORECASE,
)
Kinds = tuple[tuple[str, re.Pattern[str]], ...]


class _Words(Protocol):
    @property
    def FIRM(self) -> Mapping[Category, str]: ...  # noqa: N802 - as the modules have it
    @property
    def HINTS(self) -> Mapping[Category, str]: ...  # noqa: N802
    @property
    def LASTING(self) -> tuple[tuple[str, str], ...]: ...  # noqa: N802
    @property
    def DAY(self) -> tuple[tuple[str, str], ...]: ...  # noqa: N802


class Tongue(Struct, frozen=True):
    """The signs of some languages: by category what says by itself that a line stays, and words that are at home there.

    `lasting` and `day` are signs of any category, by kinds with their names; one of a kind is as good as two.
    """

    firm: Mapping[Category, re.Pattern[str]]
    hints: Mapping[Category, re.Pattern[str]]
    lasting: Kinds
    day: Kinds


def _tongue(words: _Words, *, spaced: bool) -> Tongue:
    """Compile the words; of a script with spaces they begin where a word does, which is quicker to find."""

    def compiled(source: str) -> re.Pattern[str]:
        return re.compile(rf"(?<!\w)(?:{source})" if spaced else source, re.IGNORECASE)

    return Tongue(
        {category: compiled(source) for category, source in words.FIRM.items()},
        {category: compiled(source) for category, source in words.HINTS.items()},
        tuple((name, compiled(source)) for name, source in words.LASTING),
        tuple((name, compiled(source)) for name, source in words.DAY),
    )


@cache
def _tongues() -> tuple[Tongue, Tongue, Tongue]:
    return _tongue(eastern, spaced=False), _tongue(european, spaced=True), _tongue(english, spaced=True)


@lru_cache(maxsize=4)
def _spoken(own: str) -> tuple[Tongue, ...]:
    """Return the languages that a line may be in."""
    east, europe, english_ = _tongues()
    signs = len(_EASTERN.findall(own))
    if signs and len(_LATIN.findall(own)) <= signs:
        return (east,)
    return (*((east,) if signs else ()), *((europe,) if _EUROPEAN.search(own) else ()), english_)


def firm(own: str, category: Category) -> str:
    """Return the words that say by themselves that a line is of a category and stays, "" without any."""
    found = (one.firm[category].search(own) for one in _spoken(own))
    return next((match[0].strip() for match in found if match), "")


@lru_cache(maxsize=64)
def hints(own: str, category: Category) -> list[str]:
    """Return the different words that are at home in a category."""
    patterns = (one.hints[category] for one in _spoken(own) if category in one.hints)
    return list(dict.fromkeys(match[0].casefold() for pattern in patterns for match in pattern.finditer(own)))


@lru_cache(maxsize=4)
def lasting(own: str) -> dict[str, str]:
    """Return the kinds of signs that a line holds on, with the words."""
    return _named(own, [one.lasting for one in _spoken(own)])


def day(own: str) -> dict[str, str]:
    """Return the kinds of signs that a line is of its day, with the words."""
    return _named(own, [one.day for one in _spoken(own)])


def _named(own: str, tongues: list[Kinds]) -> dict[str, str]:
    return dict(_found(own, tongues))


def _found(own: str, tongues: list[Kinds]) -> Iterator[tuple[str, str]]:
    for kinds in tongues:
        yield from ((name, match[0].strip()) for name, words in kinds if (match := words.search(own)))
