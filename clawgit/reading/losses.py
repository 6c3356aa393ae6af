"""Finds losses of a text that is made of others."""

from collections.abc import Iterable, Sequence
from datetime import date

from clawgit.language import logic
from clawgit.reading import nothing_invented
from clawgit.reading.citation import Source

Named = tuple[str, str]
"""An id and a text."""


def find_loss(text: str, sources: Iterable[Named], isos: tuple[str, ...], day: date | None = None) -> str:
    """Return which value or denial of its sources a text of a day has lost, "" for none."""
    for name, source in sources:
        if gone := nothing_invented.missing(source, (Source(text, day),), isos, days=True):
            return f"'{gone}' of {name} is lost"
        if logic.denials(source, isos) and not logic.denials(text, isos):
            return f"what {name} denies is lost"
    return ""


def find_difference(text: str, sources: Sequence[Named], isos: tuple[str, ...]) -> str:
    """Return what a text has lost of its sources, a word as well, or says that none of them does; "" for nothing."""
    if gone := find_loss(text, sources, isos):
        return gone
    words = logic.content(text, isos)
    for name, source in sources:
        if gone_words := logic.content(source, isos) - words:
            return f"'{min(gone_words)}' of {name} is lost"
    if logic.denials(text, isos) and not any(logic.denials(source, isos) for _, source in sources):
        return "it denies what no entry denies"
    fresh = words - frozenset(stem for _, source in sources for stem in logic.content(source, isos))
    return f"'{min(fresh)}' is in no entry" if fresh else ""
