"""Lines of text in styles, as a terminal shows them."""

from typing import NamedTuple

from clawgit.errors import Fix


class Span(NamedTuple):
    """Text in one style: the name of a colour, "bold", "dim" or "" for plain."""

    text: str
    style: str = ""


Line = tuple[Span, ...]


def line(*parts: str | Span) -> Line:
    """Return a line from spans and plain text."""
    return tuple(part if isinstance(part, Span) else Span(part) for part in parts)


def width(text: str) -> int:
    """Return how many columns a terminal gives to `text`."""
    return len(text) if text.isascii() else sum(map(_count_columns, text))


def _count_columns(letter: str) -> int:
    import unicodedata  # noqa: PLC0415 - the help does without

    if unicodedata.combining(letter) or unicodedata.category(letter) in ("Cf", "Me", "Mn"):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def fixed(indent: int, fix: Fix | str, label: str = "fix: ") -> Line:
    """Return the line with the fix for the message above, in a form to paste."""
    return line(" " * indent, Span(label, "cyan"), str(fix))


def count_noun(number: int, word: str) -> str:
    """Return "1 file", "2 files"."""
    return f"{number:,} {word if number == 1 else f'{word}s'}"


def minute(moment: str) -> str:
    """Return a moment in ISO 8601 as people read it, to the minute."""
    return moment[:16].replace("T", " ")
