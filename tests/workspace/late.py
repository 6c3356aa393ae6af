"""Writers who write a whole file back, from an old version or from the newest."""

import copy
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from .pasts import Author, Line, Past, Style, Text, everything, render


@dataclass
class Written:
    """What somebody wrote, and what is theirs in it: new words, and names of entries that they edited or left out."""

    disk: str
    base: int
    new: list[str] = field(default_factory=list)
    edited: set[int] = field(default_factory=set)
    left_out: set[int] = field(default_factory=set)
    text: Text = field(default_factory=list)


class Writer:
    """Works on a copy of one version."""

    def __init__(self, past: Past, base: int, random: Random) -> None:
        self.past, self.base, self.random = past, base, random
        self.author = Author(random, past.said, first=100_000)
        self.text: Text = copy.deepcopy(past.texts[base])
        self.style: Style | None = None
        self.found = Written("", base)

    def adds(self) -> None:
        for _ in range(self.random.randrange(1, 5)):
            self.found.new.append(self.author.add(self.random.choice(self.text)).words)

    def edits(self) -> None:
        lines = [line for line in everything(self.text) if line.kind == "bullet"]
        if not lines:
            return
        line = self.random.choice(lines)
        line.words = self.author.correction(line.words + self.random.choice(["", " (new)", " as agreed"]))
        self.found.edited.add(line.name)
        self.found.new.append(line.words)

    def keeps_some(self) -> None:
        if len(self.text) > 1:
            for part in self.random.sample(self.text, self.random.randrange(1, len(self.text))):
                self.found.left_out |= {line.name for line in everything([part])}
                self.text.remove(part)
        self.edits()

    def reorders(self) -> None:
        self.random.shuffle(self.text)
        for part in self.text:
            bullets = [line for line in part.lines if line.kind == "bullet"]
            self.random.shuffle(bullets)
            rest = iter(bullets)
            part.lines = [next(rest) if line.kind == "bullet" else line for line in part.lines]

    def restyles(self) -> None:
        self.style = self.author.style()

    def one_habit(self) -> None:
        self.style = self.author.habits()

    def deletes(self) -> None:
        for part in self.text:
            for line in [line for line in part.lines if self.random.random() < 0.1]:
                self._delete(part.lines, line)

    def deletes_one(self) -> None:
        part = self.random.choice(self.text)
        if part.lines:
            self._delete(part.lines, self.random.choice(part.lines))

    def _delete(self, lines: list[Line], line: Line) -> None:
        lines.remove(line)
        self.found.left_out |= {line.name, *(one.name for one in line.under)}

    def ticks(self) -> None:
        for line in [line for line in everything(self.text) if line.box is False][:1]:
            line.box = True

    def done(self) -> Written:
        self.found.text = self.text
        self.found.disk = render(self.text, self.style or self.past.styles[self.base])
        return self.found


Act = Callable[[Writer], None]

STALE: dict[str, list[Act]] = {
    "adds": [Writer.adds],
    "partial": [Writer.keeps_some],
    "edits and adds": [Writer.edits, Writer.adds],
    "reordered": [Writer.reorders, Writer.adds],
    "reformatted": [Writer.restyles],
    "reformatted and added": [Writer.restyles, Writer.adds],
    "one habit": [Writer.one_habit, Writer.adds],
    "reordered and reformatted": [Writer.reorders, Writer.restyles, Writer.adds],
    "partial and reformatted": [Writer.keeps_some, Writer.restyles],
    "deletes and adds": [Writer.deletes_one, Writer.adds],
    "all at once": [Writer.keeps_some, Writer.reorders, Writer.restyles, Writer.adds],
}
HONEST: dict[str, list[Act]] = {
    "edits": [Writer.edits],
    "edits twice and adds": [Writer.edits, Writer.edits, Writer.adds],
    "deletes": [Writer.deletes],
    "deletes one": [Writer.deletes_one],
    "deletes and edits": [Writer.deletes, Writer.edits],
    "deletes one and adds": [Writer.deletes_one, Writer.adds],
    "reformats": [Writer.restyles],
    "one habit": [Writer.one_habit],
    "reorders": [Writer.reorders],
    "drops sections and edits": [Writer.keeps_some],
    "ticks and edits": [Writer.ticks, Writer.edits],
    "reformats and adds": [Writer.restyles, Writer.adds],
    "reformats and edits": [Writer.restyles, Writer.edits],
}


def stale(past: Past, name: str) -> Written:
    """Return what somebody made of one of the last dozen versions but the newest."""
    random = Random(f"{past.seed} {name}")
    newest = len(past.texts) - 1
    return _written(Writer(past, random.randrange(max(0, newest - 11), newest), random), STALE[name])


def honest(past: Past, name: str) -> Written:
    """Return what somebody made of the newest version."""
    return _written(Writer(past, len(past.texts) - 1, Random(f"{past.seed} {name}")), HONEST[name])


def _written(writer: Writer, acts: list[Act]) -> Written:
    for act in acts:
        act(writer)
    return writer.done()
