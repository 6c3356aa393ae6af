"""The columns of the index."""

import re
from collections.abc import Sequence
from datetime import date

from clawgit.language import lexicon
from clawgit.search import chunk, question_words
from clawgit.search.chunk import Chunk
from clawgit.search.question_words import content, fold
from clawgit.search.store import Fields

_RECORD = re.compile(r"(?:.*\u203a )?[k-z]{10} \d{4}-\d\d-\d\d\b")
"""What stands above the fields of a correction or a conflict: its id and its day."""
_NAME = re.compile(r"[ \t]*[-*+][ \t]+\**[^:*]{1,40}?\**[ \t]*:")


def fields(chunks: Sequence[Chunk], day: date | None) -> list[Fields]:
    """Return what is searched of the chunks of one file; `day` is the one that its path names."""
    if not any(one.chat for one in chunks):
        return [_note(one) for one in chunks]
    said = [fold(chunk.unspoken(one.text, one.speaker) if one.speaker else _unnamed(one)) for one in chunks]
    bare = [question_words.without(text) for text in said]
    pairs = [
        " ".join(question_words.grams(f"{text} {fold(one.triggers)}")) for text, one in zip(said, chunks, strict=True)
    ]
    bare = [_with_parts(text) for text in bare]
    about = [" ".join(content(text)) for text in bare]
    return [
        _turn(one, bare[at], about, pairs[at], at, day) if one.chat else _note(one) for at, one in enumerate(chunks)
    ]


def _note(one: Chunk) -> Fields:
    """Return the row of a text that is no turn; most are ASCII, of which nothing need be folded or paired."""
    said = chunk.unspoken(one.text, one.speaker) if one.speaker else _unnamed(one)
    if said.isascii() and one.trail.isascii() and not one.triggers:
        return Fields(_with_parts(said), one.trail)
    said, above, triggers = fold(said), fold(one.trail), fold(one.triggers)
    pairs = [" ".join(question_words.grams(text)) for text in (f"{said} {triggers}", above)]
    return Fields(
        _with_parts(question_words.without(said)),
        question_words.without(above),
        pairs=" ".join(pairs if pairs[1] else pairs[:1]),
        triggers=question_words.without(triggers),
    )


def plain(one: Chunk) -> str:
    """Return what `Place.plain` is: under `Kettle` a line need not name the kettle again, a turn stands by itself."""
    said = one.text if one.chat else f"{one.trail} {_unnamed(one)}"
    return question_words.plain(f"{said} {one.triggers}" if one.triggers else said)


def _unnamed(one: Chunk) -> str:
    """Return a text without the name of its field, which nobody remembered: `True: on Friday`."""
    name = _NAME.match(one.text) if _RECORD.match(one.trail) else None
    return one.text[name.end() :] if name else one.text


def _with_parts(text: str) -> str:
    """Return a text with the parts of its names in camel case behind it: `getUserById` is found by `user`."""
    parts = question_words.camel_parts(text)
    return f"{text} {' '.join(parts)}" if parts else text


def _turn(one: Chunk, said: str, about: Sequence[str], pairs: str, at: int, day: date | None) -> Fields:
    """Return the row of a turn: an answer is found by the words of the question that it follows.

    `about` are the content words of all turns: a neighbour stands in five rows, so without those nobody looks for.
    """
    when = one.day or day
    return Fields(
        said,
        question_words.without(fold(one.trail)),
        _at(about, at - 1),
        _at(about, at + 1),
        f"{_at(about, at - 2)} {_at(about, at + 2)}".strip(),
        _spoken(when) if when else "",
        pairs,
        question_words.without(fold(one.triggers)),
    )


def _spoken(day: date) -> str:
    """Return a day as an English question names it."""
    weekday = lexicon.rows("en", "calendar", "weekdays")[day.weekday()][0]
    month = lexicon.rows("en", "calendar", "months")[day.month - 1][0]
    return f"{weekday} {day.day} {month} {day.year}".title()


def _at(texts: Sequence[str], at: int) -> str:
    return texts[at] if 0 <= at < len(texts) else ""
