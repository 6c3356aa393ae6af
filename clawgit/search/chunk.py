"""Cuts a Markdown text into chunks."""

from collections.abc import Iterator
from datetime import date

from msgspec import Struct
from msgspec.structs import replace

from clawgit.language.iso_dates import parse_date
from clawgit.search import blocks, pieces, turns
from clawgit.search.blocks import Block


class Chunk(Struct, frozen=True):
    """What a search can find: lines `start` to `end` (from 1, both inside) and what they say.

    `text` has no comments; `trail` are the headings above, the parents of a nested bullet, the head of a table.
    `speaker` said it where the file is a conversation; `chat` tells that its turns are short lines.
    `day` is the one that the nearest heading names.
    """

    start: int
    end: int
    text: str
    trail: str = ""
    speaker: str = ""
    chat: bool = False
    day: date | None = None


def chunks(text: str) -> tuple[Chunk, ...]:
    """Return the chunks of a file in order.

    Where one begins depends on the structure around it alone, so that lines added above move nothing else.
    """
    rows = blocks.rows(text)
    talk = turns.talk(rows)
    return tuple(_chunks(turns.blocks(rows, talk) if talk else blocks.blocks(rows), talk))


def _chunks(found: Iterator[Block], talk: turns.Talk | None) -> Iterator[Chunk]:
    heads: dict[int, str] = {}
    days: dict[int, date] = {}
    for block in found:
        if block.kind == "heading":
            _enter(block, heads, days)
            continue
        trail = (*(heads[level] for level in sorted(heads)), *block.above)
        day = days[max(days)] if days else None
        whole = Chunk(block.start, block.end, "", " \u203a ".join(trail), day=day)
        if talk:
            whole = replace(whole, speaker=block.speaker, chat=talk.short and block.kind == "turn")
        for piece in pieces.pieces(block):
            yield replace(whole, start=piece.start, end=piece.end, text=piece.text)


def _enter(block: Block, heads: dict[int, str], days: dict[int, date]) -> None:
    """Note a heading, and forget those that it ends."""
    for level in [one for one in heads if one >= block.level]:
        del heads[level]
        days.pop(level, None)
    title = block.text
    heads[block.level] = title
    found = blocks.DAY.search(title)
    day = parse_date(found[0]) if found else None
    if day:
        days[block.level] = date(day.year, day.month, day.day)
