"""The shapes that a day's journal has."""

import datetime as dt
import random
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .phrases import Note

Line = tuple[str, Note | None]
FENCES = (
    ("sh", "# not a heading", "- not a bullet", "git push origin main"),
    ("markdown", "## Also not a heading", "", "* [ ] not a task", "---"),
    ("", "Traceback (most recent call last):", "  - KeyError: 'total'", "1. not a list"),
)


@dataclass(frozen=True)
class Day:
    """What a page is made of."""

    date: dt.date
    notes: Sequence[Note]
    sections: Sequence[str]
    chance: random.Random

    def parts(self) -> list[tuple[str, Sequence[Note]]]:
        """Share the notes out among a few headings."""
        count = min(len(self.notes), self.chance.randint(1, 4))
        heads = self.chance.sample(self.sections, count)
        return [(head, self.notes[number::count]) for number, head in enumerate(heads)]

    def times(self) -> list[str]:
        """Return a time for each note, the earliest first."""
        minutes = sorted(self.chance.sample(range(360, 1430), len(self.notes)))
        return [f"{at // 60:02}:{at % 60:02}" for at in minutes]


SHAPES: dict[str, Callable[[Day], list[Line]]] = {}


def shape(page: Callable[[Day], list[Line]]) -> Callable[[Day], list[Line]]:
    SHAPES[page.__name__] = page
    return page


def plain(*lines: str) -> list[Line]:
    """Return lines that are no note."""
    return [(line, None) for line in lines]


def _listed(notes: Sequence[Note], mark: str = "- ") -> list[Line]:
    return [(mark + note.text, note) for note in notes]


def _headed(day: Day, level: str, mark: str = "- ", title: bool = True) -> list[Line]:
    made = plain(f"# {day.date}", "") if title else []
    for head, notes in day.parts():
        made += [*plain(f"{level} {head}", ""), *_listed(notes, mark), ("", None)]
    return made[:-1]


@shape
def bullets(day: Day) -> list[Line]:
    return _headed(day, "##")


@shape
def nested(day: Day) -> list[Line]:
    made = plain(f"# {day.date}", "", "## Log", "")
    for number, note in enumerate(day.notes):
        made.append(("  " * (0, 1, 1, 2)[number % 4] + "- " + note.text, note))
    return made


@shape
def prose(day: Day) -> list[Line]:
    made = plain(f"# {day.date:%A, %d %B %Y}")
    for note in day.notes:
        made += [("", None), (note.text, note)]
    return made


@shape
def wrapped(day: Day) -> list[Line]:
    """Paragraphs of several lines; nobody marks them, since no line is the whole note."""
    made = plain(f"# {day.date}")
    for note in day.notes:
        made += plain("", *textwrap.wrap(note.text, 48))
    return made


@shape
def timed(day: Day) -> list[Line]:
    made = plain(f"# {day.date}", "")
    return made + [(f"- {at} {note.text}", note) for at, note in zip(day.times(), day.notes, strict=True)]


@shape
def newest_first(day: Day) -> list[Line]:
    head, rest = plain(f"# {day.date}", ""), timed(day)[2:]
    return head + rest[::-1]


@shape
def timed_sections(day: Day) -> list[Line]:
    made = plain(f"# {day.date}", "")
    for at, note in zip(day.times(), day.notes, strict=True):
        made += [*plain(f"## {at} - {day.chance.choice(day.sections)}", ""), (note.text, note), ("", None)]
    return made[:-1]


@shape
def repeated_headings(day: Day) -> list[Line]:
    made = plain(f"# {day.date}", "")
    for number, note in enumerate(day.notes):
        made += [*plain(f"## {day.sections[number % 2]}", ""), ("- " + note.text, note), ("", None)]
    return made[:-1]


@shape
def other_levels(day: Day) -> list[Line]:
    made = plain(str(day.date), "==========", "")
    for number, (head, notes) in enumerate(day.parts()):
        opened = plain(head, "-" * 8) if number % 2 else plain("#" * day.chance.choice((1, 3, 4, 6)) + f" {head} ##")
        made += [*opened, ("", None), *_listed(notes), ("", None)]
    return made[:-1]


@shape
def front_matter(day: Day) -> list[Line]:
    return plain("---", f"date: {day.date}", "tags: [log, daily]", "mood: ok", "---", "") + _headed(day, "##")


@shape
def tables(day: Day) -> list[Line]:
    made, rows = _headed(day, "##"), [f"| {at} | {day.chance.randrange(900)} |" for at in day.times()[:4]]
    return made + plain("", "| time | load |", "|---|---|", *rows)


@shape
def fenced(day: Day) -> list[Line]:
    made = plain(f"# {day.date}", "", "## Log", "")
    for number, note in enumerate(day.notes):
        made.append(("- " + note.text, note))
        if number % 4 == 1:
            language, *code = day.chance.choice(FENCES)
            made += plain("", f"```{language}", *code, "```", "")
    return made


@shape
def tasks(day: Day) -> list[Line]:
    made = plain(f"# {day.date}", "", "## Tasks", "")
    return made + [(f"- [{day.chance.choice(' xxX')}] {note.text}", note) for note in day.notes]


@shape
def stars_and_numbers(day: Day) -> list[Line]:
    made = plain(f"# {day.date}", "")
    for number, (head, notes) in enumerate(day.parts()):
        mark = ("* ", "+ ", "1. ", "-   ")[number]
        made += [*plain(f"## {head}", ""), *_listed(notes, mark), ("", None)]
    return made[:-1]


@shape
def bare(day: Day) -> list[Line]:
    """No heading at all."""
    return _listed(day.notes)


@shape
def continued(day: Day) -> list[Line]:
    """Bullets that go on below, indented."""
    made = plain(f"# {day.date}", "")
    for number, note in enumerate(day.notes):
        made.append(("- " + note.text, note))
        if number % 3 == 1:
            made += plain(f"  seen at {day.times()[0]}, see also the thread", "")
    return made


@shape
def quoted(day: Day) -> list[Line]:
    """A quotation and a rule between the sections, and a comment."""
    opened = plain(f"# {day.date}", "", "> Slow is smooth, smooth is fast.", "", "***", "")
    return opened + _headed(day, "###", title=False) + plain("", "<!-- end of day -->")


@shape
def signed(day: Day) -> list[Line]:
    """Labels in bold before each note, as agents write them."""
    made = plain(f"# Daily log — {day.date} 📓", "", f"## {day.sections[0]}", "")
    return made + [(f"- **{day.chance.choice(day.sections)}:** {note.text}", note) for note in day.notes]
