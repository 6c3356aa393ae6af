"""MEMORY.md, as it grows."""

import datetime as dt
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .phrases import CATEGORIES, LANGUAGES

if TYPE_CHECKING:
    from .maker import Maker

COUNT = 300
TITLES = ("Decisions", "Construction", "Money", "Legal", "People", "Milestones", "Strategy", "Standing requests")
HEADINGS = dict(zip(CATEGORIES, TITLES, strict=True))
RECENT = 90
"""A note of the last so many days is not in MEMORY.md yet."""
TAILS = (" #decision", " #knowledge", " <!-- trigger: {} -->", " <!-- importance: 7 -->", " (see the journal)")


@dataclass(frozen=True)
class Entry:
    """One bullet, the heading it stands under, and the day it came."""

    heading: str
    line: str
    day: dt.date


def render(entries: Sequence[Entry], until: dt.date) -> list[str]:
    """Return the lines of the file as it was on a day."""
    lines = ["# MEMORY.md - Long-Term Memory", ""]
    for heading in HEADINGS.values():
        lines_found = [entry.line for entry in entries if entry.heading == heading and entry.day <= until]
        lines += [f"## {heading}", "", *lines_found, ""] if lines_found else []
    return lines[:-1]


def write(maker: "Maker", days: Sequence[dt.date]) -> None:
    """Fill the file: old lines of journals, lines of none, and some of it twice or nearly so."""
    chance, until = maker.chance, maker.made.until
    notes = [note for note in maker.made.notes if note.category and (until - maker.told[note.text]).days >= RECENT]
    texts = [(note.text, note.category) for note in chance.sample(notes, min(len(notes), COUNT // 2))]
    while len(texts) < COUNT * 9 // 10:
        language = chance.choice(LANGUAGES) if chance.random() < 0.2 else "en"
        note = maker.pen.note("keep", language, days[0])
        texts.append((note.text, note.category))
    bullets = [(text, sort, _bullet(text, chance)) for text, sort in texts]
    for number, (text, sort, line) in enumerate(chance.sample(bullets, COUNT - len(texts))):
        bullets.append((text, sort, line if number % 2 else f"- {_nearly(text, chance)}"))
    since = [max(chance.choice(days), maker.told.get(text, days[0])) for text, _, _ in bullets]
    entries = [Entry(HEADINGS[sort], line, day) for (_, sort, line), day in zip(bullets, since, strict=True)]
    maker.made.entries = entries
    maker.write("MEMORY.md", render(entries, until), until)


def _nearly(text: str, chance: random.Random) -> str:
    """Say the same in nearly the same words."""
    ways = (text.rstrip(".。"), f"Again: {text}", text.replace(", ", " - ", 1) + " ", text.upper(), f"**{text}**")
    return chance.choice(ways)


def _bullet(text: str, chance: random.Random) -> str:
    tail = chance.choice(TAILS).format(text.split(maxsplit=1)[0].strip(",.:")) if chance.random() < 0.25 else ""
    return chance.choices(("- ", "  - ", "- [x] "), (20, 1, 1))[0] + text + tail
