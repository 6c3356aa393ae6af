"""Reads units of measure and money."""

from collections.abc import Mapping
from functools import cache

from clawgit.language import lexicon

MONEY = frozenset("$€£¥")


@cache
def symbols() -> Mapping[str, str]:
    """Return the unit that each symbol stands for; the case of letters counts: a megabit is no megabyte."""
    return {word: unit for unit, row in lexicon.shared("units")["symbols"].items() for word in row.split()}


@cache
def words(iso: str) -> Mapping[str, str]:
    """Return the unit that each word of a language names."""
    rows = lexicon.section(iso, "units")
    return {word: unit for unit, row in rows.items() for word in row.split()}


@cache
def names(languages: tuple[str, ...]) -> Mapping[str, str]:
    """Return the unit of each symbol, and of each word of some languages."""
    return {word: unit for iso in languages for word, unit in words(iso).items()} | dict(symbols())


@cache
def kinds() -> Mapping[str, str]:
    """Return what kind of thing each unit measures: `mass`, `length`, `temperature`, `currency`, `volume`."""
    return {unit: kind for kind, row in lexicon.shared("units")["kinds"].items() for unit in row.split()}


@cache
def alone(word: str) -> bool:
    """Tell whether a unit is one without a number before it: `kg` is, `m` is not."""
    return word.casefold() not in lexicon.shared("units")["words"]["only_behind_numbers"].split()
