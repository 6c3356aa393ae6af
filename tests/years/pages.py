"""The shapes that a day's journal has."""

import datetime as dt
import random
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .phrases import Note

FENCES = (
    ("sh", "# not a heading", "- not a bullet", "git push origin main"),
    ("markdown", "## Also not a heading", "", "* [ ] not a task", "---"),
    ("", "Traceback (most recent call last):", "  - KeyError: 'total'", "1. not a list"),
)


@dataclass(frozen=True)
class Day:
    """The parts of a page."""

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
        return [f"{minute // 60:02}:{minute % 60:02}" for minute in minutes]


SHAPES: dict[str, Callable[[Day], list[str]]] = {}


def shape(page: Callable[[Day], list[str]]) -> Callable[[Day], list[str]]:
    SHAPES[page.__name__] = page
    return page


def _list_notes(notes: Sequence[Note], mark: str = "- ") -> list[str]:
    return [mark + note.text for note in notes]


def _headed(day: Day, level: str, mark: str = "- ", title: bool = True) -> list[str]:
    lines = [f"# {day.date}", ""] if title else []
    for head, notes in day.parts():
        lines += [f"{level} {head}", "", *_list_notes(notes, mark), ""]
    return lines[:-1]


@shape
def bullets(day: Day) -> list[str]:
    return _headed(day, "##")


@shape
def nested(day: Day) -> list[str]:
    lines = [f"# {day.date}", "", "## Log", ""]
    for number, note in enumerate(day.notes):
        lines.append("  " * (0, 1, 1, 2)[number % 4] + "- " + note.text)
    return lines


@shape
def prose(day: Day) -> list[str]:
    lines = [f"# {day.date:%A, %d %B %Y}"]
    for note in day.notes:
        lines += ["", note.text]
    return lines


@shape
def wrapped(day: Day) -> list[str]:
    """Paragraphs of several lines."""
    lines = [f"# {day.date}"]
    for note in day.notes:
        lines += ["", *textwrap.wrap(note.text, 48)]
    return lines


@shape
def timed(day: Day) -> list[str]:
    lines = [f"# {day.date}", ""]
    return lines + [f"- {time} {note.text}" for time, note in zip(day.times(), day.notes, strict=True)]


@shape
def newest_first(day: Day) -> list[str]:
    head, rest = [f"# {day.date}", ""], timed(day)[2:]
    return head + rest[::-1]


@shape
def timed_sections(day: Day) -> list[str]:
    lines = [f"# {day.date}", ""]
    for time, note in zip(day.times(), day.notes, strict=True):
        lines += [f"## {time} - {day.chance.choice(day.sections)}", "", note.text, ""]
    return lines[:-1]


@shape
def repeated_headings(day: Day) -> list[str]:
    lines = [f"# {day.date}", ""]
    for number, note in enumerate(day.notes):
        lines += [f"## {day.sections[number % 2]}", "", "- " + note.text, ""]
    return lines[:-1]


@shape
def other_levels(day: Day) -> list[str]:
    lines = [str(day.date), "==========", ""]
    for number, (head, notes) in enumerate(day.parts()):
        heading = [head, "-" * 8] if number % 2 else ["#" * day.chance.choice((1, 3, 4, 6)) + f" {head} ##"]
        lines += [*heading, "", *_list_notes(notes), ""]
    return lines[:-1]


@shape
def front_matter(day: Day) -> list[str]:
    return ["---", f"date: {day.date}", "tags: [log, daily]", "mood: ok", "---", "", *_headed(day, "##")]


@shape
def tables(day: Day) -> list[str]:
    lines, rows = _headed(day, "##"), [f"| {time} | {day.chance.randrange(900)} |" for time in day.times()[:4]]
    return [*lines, "", "| time | load |", "|---|---|", *rows]


@shape
def fenced(day: Day) -> list[str]:
    lines = [f"# {day.date}", "", "## Log", ""]
    for number, note in enumerate(day.notes):
        lines.append("- " + note.text)
        if number % 4 == 1:
            language, *code = day.chance.choice(FENCES)
            lines += ["", f"```{language}", *code, "```", ""]
    return lines


@shape
def tasks(day: Day) -> list[str]:
    lines = [f"# {day.date}", "", "## Tasks", ""]
    return lines + [f"- [{day.chance.choice(' xxX')}] {note.text}" for note in day.notes]


@shape
def stars_and_numbers(day: Day) -> list[str]:
    lines = [f"# {day.date}", ""]
    for number, (head, notes) in enumerate(day.parts()):
        mark = ("* ", "+ ", "1. ", "-   ")[number]
        lines += [f"## {head}", "", *_list_notes(notes, mark), ""]
    return lines[:-1]


@shape
def bare(day: Day) -> list[str]:
    """No heading at all."""
    return _list_notes(day.notes)


@shape
def continued(day: Day) -> list[str]:
    """Bullets that go on below, indented."""
    lines = [f"# {day.date}", ""]
    for number, note in enumerate(day.notes):
        lines.append("- " + note.text)
        if number % 3 == 1:
            lines += [f"  seen at {day.times()[0]}, see also the thread", ""]
    return lines


@shape
def quoted(day: Day) -> list[str]:
    """A quotation and a rule between the sections, and a comment."""
    beginning = [f"# {day.date}", "", "> Slow is smooth, smooth is fast.", "", "***", ""]
    return beginning + _headed(day, "###", title=False) + ["", "<!-- end of day -->"]


@shape
def signed(day: Day) -> list[str]:
    """Labels in bold before each note, as agents write them."""
    lines = [f"# Daily log — {day.date} 📓", "", f"## {day.sections[0]}", ""]
    return lines + [f"- **{day.chance.choice(day.sections)}:** {note.text}" for note in day.notes]
