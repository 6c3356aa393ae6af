"""What leaves the memory file for the archive."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from datetime import date
from typing import NamedTuple

from msgspec.structs import replace

from clawgit.agents.compacting.journal_archive import MONTHS, Before, Left
from clawgit.agents.running import View
from clawgit.language.iso_dates import parse_date
from clawgit.safety import secrets
from clawgit.text import confidence, document
from clawgit.text.correction import Correction, corrections
from clawgit.text.edit import append_block, append_under
from clawgit.text.entry import Entry, digest, entries, entry_id
from clawgit.text.sameness.note_comparison import compare, sense
from clawgit.workspace.entries import Row

FADED = 0.3
"""Below this confidence an entry may leave (spec §5.5, 2)."""
SILENT = 60
"""Days without a mention after which it may (spec §5.5, 2)."""
FOLDER = "memory/archive/memories"
MOST = 200
"""Entries of one run."""
_LONG = 8
"""Words from which on a line says the same wherever it stands."""


class Held(NamedTuple):
    """A bullet of the memory file that stands by itself, and its row of the sidecar, None where it has none."""

    entry: Entry
    row: Row | None
    id: str


class Faded(NamedTuple):
    """An entry that leaves: how sure it is by now, and for how many days nobody mentioned it."""

    held: Held
    sure: float
    silent: int


class Twins(NamedTuple):
    """Two entries that say the same; the older one stays."""

    stays: Held
    goes: Held


def held(view: View, path: str, before: Before, left: Left) -> list[Held]:
    """Return the bullets of a memory file that may leave it at all.

    Not those that are a correction or open conflict, that carry a comment or others below them, or were brought back.
    """
    text = view.read(path) or ""
    rows, known = document.split(text), _rows(view.rows(), path)
    every, back = entries(text), before.brought_back(text)
    found: list[Held] = []
    for at, one in enumerate(every):
        after = every[at + 1] if at + 1 < len(every) else None
        if one.kind != "bullet" or (after and after.depth > one.depth):
            continue
        if one.status or one.checked is not None or "<!--" in "".join(rows[one.start - 1 : one.end]):
            continue
        if secrets.scan(one.text):
            left.out("holds a secret")
            continue
        if (said := digest(one.text)) in back:
            left.out("brought back")
            continue
        row = known.get(said)
        found.append(Held(one, row, row.id if row else entry_id(path, one.text, one.ordinal)))
    return found


def _rows(rows: Mapping[str, Row], path: str) -> dict[str, Row]:
    here = (row for row in sorted(rows.values(), reverse=True) if row.file == path and row.status != "tombstone")
    return {row.hash: row for row in here}


def faded(some: list[Held], today: date, rules: confidence.Rules) -> Iterator[Faded]:
    """Yield the entries that nobody is sure of any more, nor has mentioned for long; both, not one."""
    for one in some:
        row = one.row
        if row is None or row.last is None or row.status == "corrected":
            continue
        sure = confidence.current(row.confidence, len(row.mentions), row.last, today, rules)
        silent = (today - row.last).days
        if sure < FADED and silent >= SILENT:
            yield Faded(one, sure, silent)


def twins(some: list[Held]) -> Iterator[Twins]:
    """Yield entries that say the same, each once at most: in one section by their sense, elsewhere word for word.

    What is short may mean something else under another title.
    """
    flat = [one for one in some if one.entry.depth == 1]
    senses = [sense(one.entry.text) for one in flat]
    alike: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    gone: set[int] = set()
    for at, said in enumerate(senses):
        alike[said].append(at)
    for at, one in enumerate(flat):
        for other in alike[senses[at]]:
            if at in gone:
                break
            if other <= at or other in gone or not _alike(one.entry, flat[other].entry):
                continue
            stays, goes = sorted((at, other), key=lambda number: (older(flat[number]) or date.max, number))
            gone.add(goes)
            yield Twins(flat[stays], flat[goes])


def listed_alike(one: Entry, other: Entry) -> bool:
    """Return whether two entries stand in one section and carry no different tags."""
    return one.section == other.section and len({one.tag, other.tag} - {None}) <= 1


def _alike(one: Entry, other: Entry) -> bool:
    if one.section != other.section:
        return one.text == other.text and one.tag == other.tag and len(one.text.split()) >= _LONG
    if not listed_alike(one, other):
        return False
    return one.text == other.text or compare(one.text, other.text).relation == "same"


def older(one: Held) -> date | None:
    """Return the day on which an entry was first said, None where nobody knows."""
    return one.row.first if one.row else None


def without(text: str, some: list[Held]) -> str:
    """Return a text without the lines of these entries; every other byte stays."""
    away = {line for one in some for line in range(one.entry.start, one.entry.end + 1)}
    return "".join(row for number, row in enumerate(document.split(text), 1) if number not in away)


def place(today: date) -> str:
    """Return the file that takes what leaves in a month."""
    return f"{FOLDER}/{today.year:04}-{MONTHS[today.month - 1]}.md"


def archived(text: str | None, memory: str, some: list[Faded], today: date) -> str:
    """Return the archive with the lines of entries that leave, each below the title that it had."""
    rows = document.split(memory)
    month = f"{MONTHS[today.month - 1]} {today.year}"
    found = f"# Memories that faded until {month}\n" if text is None else text
    for one in some:
        entry = one.held.entry
        block = "".join(rows[entry.start - 1 : entry.end]).replace("\r\n", "\n")
        inner = entry.section[-1] if entry.section else "Memories"
        flat = block.lstrip(" \t") if entry.depth > 1 else block
        found = append_under(found, f"{inner}", flat if flat.endswith("\n") else flat + "\n", create=True)
    return found


def joined(pair: Twins) -> Iterator[Row]:
    """Yield the rows of two entries that became one: the mentions add up, and the other is superseded."""
    stays, goes = pair.stays.row, pair.goes.row
    if goes is None:
        return
    base = stays or Row(pair.stays.id, goes.file, digest(pair.stays.entry.text), pair.stays.entry.tag or "")
    days = [day for day in (base.first, goes.first) if day]
    last = [day for day in (base.last, goes.last) if day]
    yield replace(
        base,
        confidence=max(base.confidence, goes.confidence),
        first=min(days, default=None),
        last=max(last, default=None),
        mentions=base.mentions | goes.mentions,
        sources=(base.sources | goes.sources | {goes.id}) - {base.id},
    )
    if goes.id != base.id:
        yield replace(goes, status="superseded", by=base.id)


CORRECTIONS_FOLDER = "Archive/Corrections"


class Record(NamedTuple):
    """A record that moves: its id, its day, its lines as they stand, from `start` to `end` of the file."""

    id: str
    title: str
    day: date
    start: int
    end: int
    text: str

    @property
    def path(self) -> str:
        """The file that it moves to."""
        return f"{CORRECTIONS_FOLDER}/{self.day.year:04}-{MONTHS[self.day.month - 1]}.md"


def old(text: str, today: date, days: int, before: Before, left: Left) -> Iterator[Record]:
    """Yield the records that are more than `days` days old, and that search serves: the others are not done with."""
    rows, found = document.split(text), corrections(text)
    if len(rows) != len(text.splitlines()):
        return  # lines that end otherwise: the places would not be those of git
    often = Counter(one.id for one in found)
    for at, one in enumerate(found):
        day = _day(one)
        if not one.id or day is None or (today - day).days <= days:
            continue
        if not one.embedded or often[one.id] > 1:
            left.out("not verified yet" if not one.embedded else "two records of one id")
        elif one.id in before.records:
            left.out("brought back")
        else:
            end = found[at + 1].line - 1 if at + 1 < len(found) else len(rows)
            words, title = "".join(rows[one.line - 1 : end]), rows[one.line - 1].removeprefix("## ").strip()
            if secrets.scan(words):
                left.out("holds a secret")
            else:
                yield Record(one.id, title, day, one.line, end, words)


def _day(one: Correction) -> date | None:
    found = parse_date(one.at[:10])
    return found if found is None else date(found.year, found.month, found.day)


def without_corrections(text: str, some: list[Record]) -> str:
    """Return the file without these records; every other byte stays."""
    away = {line for one in some for line in range(one.start, one.end + 1)}
    return "".join(row for number, row in enumerate(document.split(text), 1) if number not in away)


def archived_corrections(text: str | None, some: list[Record]) -> str:
    """Return the archive of a month with more records at its end, whole and unchanged."""
    found = text or f"# Corrections of {MONTHS[some[0].day.month - 1]} {some[0].day.year}\n"
    for one in some:
        found = append_block(found, one.text.strip("\r\n") + "\n")
    return found
