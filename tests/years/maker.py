"""Two years of a workspace, from a number."""

import datetime as dt
import random
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from . import longterm, oddities, pages
from .phrases import LANGUAGES, Note, Pen, identity, tongue

UNTIL = dt.date(2026, 6, 30)
RECENT = 90
KINDS = {"same": 30.0, "counted": 8.0, "keep": 12.0, "alike": 16.0, "plain": 33.0, "correction": 1.0}
BOM = b"\xef\xbb\xbf"
MONTH = 30


@dataclass
class Made:
    """A workspace, and its true facts."""

    root: Path
    until: dt.date
    lines: list[tuple[str, str]] = field(default_factory=list)
    """Every non-empty line of every Markdown file, as path and line without its end and BOM; links are not followed."""
    notes: list[Note] = field(default_factory=list)
    """Every note of the journals, in the order of the days."""
    days: dict[str, dt.date] = field(default_factory=dict)
    """The day on which a file was written, links too."""
    entries: list[longterm.Entry] = field(default_factory=list)
    """What MEMORY.md holds, and since when."""


class Maker:
    """Writes the files of one workspace."""

    def __init__(self, folder: Path, seed: int, until: dt.date) -> None:
        self.chance = random.Random(seed)
        self.pen = Pen(self.chance)
        self.made = Made(folder, until)
        self.told: dict[str, dt.date] = {}

    def write(self, path: str, lines: Sequence[str], day: dt.date, *shapes: str) -> None:
        """Write a file; some shapes are its bytes."""
        place = self.made.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        end = "\r\n" if "crlf" in shapes else "\n"
        text = end.join(lines)
        text = text.rstrip("\r\n") if "unended" in shapes or not lines else text + end
        place.write_bytes((BOM if "bom" in shapes else b"") + text.encode())
        self.made.days[path] = day
        if path.endswith(".md"):
            self.made.lines += [(path, line) for line in lines if line.strip()]

    def link(self, path: str, target: str, day: dt.date) -> None:
        place = self.made.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(target)
        self.made.days[path] = day

    def page(self, path: str, day: dt.date, notes: Sequence[Note], shape: str, *extra: str) -> None:
        """Write a journal of these notes."""
        language = Counter(note.language for note in notes).most_common(1)[0][0]
        sheet = pages.Day(day, notes, tongue(language)["sections"], self.chance)
        self.write(path, pages.SHAPES[shape](sheet), day, *extra)
        self.made.notes += notes
        self.told |= {note.text: day for note in notes}

    def notes(self, count: int, day: dt.date) -> list[Note]:
        """Return the notes of a day: most in one language, some in others."""
        main = self.chance.choice(LANGUAGES) if self.chance.random() < 0.25 else "en"
        kinds = self.chance.choices(tuple(KINDS), tuple(KINDS.values()), k=count)
        tongues = [self.chance.choice(LANGUAGES) if self.chance.random() < 0.08 else main for _ in kinds]
        return [self.pen.note(kind, language, day) for kind, language in zip(kinds, tongues, strict=True)]


def make(folder: Path, seed: int, days: int = 730, notes: int = 10_000, until: dt.date = UNTIL) -> Made:
    """Make the workspace of `days` days up to `until` in `folder`, with about `notes` notes in its journals."""
    maker = Maker(folder, seed, until)
    first = until - dt.timedelta(days - 1)
    for name, text in identity().items():
        maker.write(name, text.strip().split("\n"), first)
    written_days, silent = _calendar(maker.chance, first, days)
    shares = [maker.chance.lognormvariate(0, 0.6) for _ in written_days]
    counts = [max(2, round(share * notes / sum(shares))) for share in shares]
    shapes = _dealt(maker.chance, len(written_days))
    linked = len(written_days) // 4
    for number, (day, count, shape) in enumerate(zip(written_days, counts, shapes, strict=True)):
        today, extra = maker.notes(count, day), _bytes(number)
        if number == linked:
            oddities.elsewhere(maker, day, today)
        elif count > 5 and number % 9 == 4:
            slug = f"{day}-{_slug(today[0])}"
            maker.page(f"memory/{slug}.md", day, today[: count // 3], maker.chance.choice(list(pages.SHAPES)))
            maker.page(f"memory/{day}.md", day, today[count // 3 :], shape, *extra)
        else:
            maker.page(f"memory/{day}.md", day, today, shape, *extra)
        if number % 16 == 7:
            oddities.dump(maker, day)
    oddities.silent(maker, silent)
    oddities.enormous(maker, written_days[len(written_days) // 3])
    oddities.future(maker, until + dt.timedelta(45))
    oddities.undated(maker, written_days)
    longterm.write(maker, written_days)
    return maker.made


def _calendar(chance: random.Random, first: dt.date, days: int) -> tuple[list[dt.date], list[dt.date]]:
    """Return the days with a journal, and some days without; no day of two whole months has one, if there are years."""
    all_days = [first + dt.timedelta(number) for number in range(days)]
    old = sorted({(day.year, day.month) for day in all_days[MONTH : -RECENT - MONTH]})
    absent_months = chance.sample(old, 2) if len(old) > 8 else []
    present_days = [day for day in all_days if (day.year, day.month) not in absent_months]
    silent = present_days[4:14:3]
    written_days = [
        day for day in present_days if day not in silent and chance.random() > (0.25 if day.weekday() > 4 else 0.05)
    ]
    return written_days, silent


def _dealt(chance: random.Random, count: int) -> list[str]:
    """Deal the shapes like cards, so that each comes up as often as any other."""
    dealt: list[str] = []
    while len(dealt) < count:
        dealt += chance.sample(list(pages.SHAPES), len(pages.SHAPES))
    return dealt[:count]


def _bytes(number: int) -> list[str]:
    """Return how the file of the day with this number is stored."""
    rules = (("crlf", 25, 6), ("bom", 29, 11), ("unended", 12, 5))
    return [name for name, step, rest in rules if number % step == rest]


def _slug(note: Note) -> str:
    return "-".join(re.findall(r"[a-z]{4,}", note.text.lower())[:2]) or "notes"
