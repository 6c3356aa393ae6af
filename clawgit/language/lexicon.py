"""Loads the words of languages."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from clawgit.language import pattern_tables

DATA = Path(__file__).parent / "data"
"""One file a language, named by its ISO 639-1 code; a new one needs no other change."""

NONE = "_"
"""Stands in a row of twelve months or seven days for one without a name."""


@cache
def languages() -> tuple[str, ...]:
    """Return the languages that there is a file for, by ISO code."""
    return tuple(sorted(file.stem for file in DATA.glob("??.toml")))


@cache
def list_languages_with(name: str) -> frozenset[str]:
    """Return the languages with an entry of a table, as `triage`; the files are not parsed."""
    texts = ((iso, (DATA / f"{iso}.toml").read_text(encoding="utf-8")) for iso in languages())
    return frozenset(iso for iso, text in texts if f"\n[{name}]" in text)


def read_shared_file(name: str) -> Mapping[str, Any]:
    """Return a file of the data, also one for all languages."""
    return pattern_tables.load_table(DATA / f"{name}.toml")


def section(iso: str, *path: str) -> Any:
    """Return a table or a text of a language, {} for none."""
    value: Any = read_shared_file(iso) if iso in languages() else {}
    for name in path:
        value = value.get(name, {}) if isinstance(value, Mapping) else {}
    return value


@cache
def patterns(iso: str) -> Mapping[str, Any]:
    """Return the table `triage` of a language, {} for one without."""
    return pattern_tables.read_patterns_of(DATA / f"{iso}.toml", "triage") if iso in languages() else {}


def texts(iso: str, *path: str) -> Iterator[str]:
    """Yield the texts of a table of a language, and of the tables in it."""
    value = section(iso, *path)
    for name in value if isinstance(value, Mapping) else ():
        yield from texts(iso, *path, name)
    if isinstance(value, str):
        yield value


def words(iso: str, *path: str) -> tuple[str, ...]:
    """Return the words of a text."""
    text = section(iso, *path)
    return tuple(text.split()) if isinstance(text, str) else ()


@cache
def small_words(iso: str) -> frozenset[str]:
    """Return the words of a language that say nothing by themselves."""
    return frozenset(word for key in ("own", "asks", "the", "small", "chatter") for word in words(iso, "search", key))


def phrases(iso: str, *path: str) -> tuple[str, ...]:
    """Return the phrases of a text, between commas."""
    return split_list(section(iso, *path))


def split_list(text: Any) -> tuple[str, ...]:
    """Return the parts between the commas of a text."""
    return tuple(part.strip() for part in text.split(",") if part.strip()) if isinstance(text, str) else ()


@cache
def rows(iso: str, *path: str) -> tuple[tuple[str, ...], ...]:
    """Return the words of a text, those for one thing together, as in `mon/monday tue/tuesday`; () for none."""
    return tuple(() if word == NONE else tuple(word.split("/")) for word in words(iso, *path))


def number_rows(iso: str, *path: str, start: int = 0) -> dict[str, int]:
    """Return each word of some rows with the number of its row."""
    return {word: number for number, row in enumerate(rows(iso, *path), start) for word in row}


def longest_first(words: Iterable[str]) -> list[str]:
    """Return words, each once, in an order in which none hides a longer one that begins with it."""
    return sorted(set(words), key=lambda word: (-len(word), word))


_SHORTEST = 4
"""Letters that a word keeps."""
_MAX_STEM = 6
"""Letters of a stem: what is behind them is an ending that no table knows."""


def stem(word: str, languages: tuple[str, ...]) -> str:
    """Return the beginning of a word that its forms share, in whichever of some languages it is."""
    for end in _endings(languages):
        if word.endswith(end) and len(word) - len(end) >= _SHORTEST:
            return word[: -len(end)][:_MAX_STEM]
    return word[:_MAX_STEM]


@cache
def _endings(languages: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(longest_first(word for iso in languages for word in words(iso, "stemming", "endings")))
