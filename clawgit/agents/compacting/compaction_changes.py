"""The changes that a compaction is made of."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from itertools import islice, takewhile
from typing import NamedTuple

from msgspec.structs import replace

from clawgit.agents.compacting import memory_hygiene
from clawgit.agents.compacting.archive import NAME, Before, Journal
from clawgit.agents.compacting.memory_hygiene import Faded, Held, Record, Twins
from clawgit.agents.promoting.core_length import MOST_LINES as MOST
from clawgit.agents.running import View
from clawgit.errors import quoted
from clawgit.safety import binding
from clawgit.text import confidence, document, evidence_pointer
from clawgit.text.edit import append_under
from clawgit.text.entry import Entry, digest, entries, new_id
from clawgit.text.evidence_pointer import Pointer
from clawgit.workspace import file_roles, manifest, openclaw_limits, records
from clawgit.workspace.change import Change, Edit, Origin
from clawgit.workspace.entries import Row

Read = Callable[[str], str | None]

FEWEST = 4
"""Entries of a section below which a file of their own is not worth a link."""
_SHARE = 0.8  # of what is allowed: the next entries have room, so that not every night moves one
_UNFIT = re.compile(r"[^\w]+")
_LINK = re.compile(r"\[memory/[^]]*\]\(memory/[^)]*\)$")


class Topic(NamedTuple):
    """Entries of one section, in their order, and the file that they go to."""

    title: str
    path: str
    some: list[Held]


def topics(
    text: str, some: Iterable[Held], cap: int, today: date, rules: confidence.Rules, before: Before, read: Read
) -> list[Topic]:
    """Return what has to go, so that a memory file has fewer than MOST lines and `cap` characters; [] for a short one.

    The entries that are least sure go, then those that nobody mentioned for the longest, then what stands first; of
    those of which nothing is known the last section first, for whoever wrote it began with what matters. What binds the
    agent stays. A section to which somebody brought an entry back from its topic, which `read` reads,
    stays as it is.
    """
    long = len(document.split(text)) >= MOST or openclaw_limits.length(text) > cap
    if not long:
        return []
    more = before.brought_back(text)
    back = [one for one in entries(text) if digest(one.text) in more]
    sections = {title: every for title, every in _sections(some).items() if not _brought_back(title, back, read)}
    rows = document.split(text)
    spare_lines, spare_size = len(rows) - int(MOST * _SHARE), openclaw_limits.length(text) - int(cap * _SHARE)
    rules_of = {one.line for one in binding.said(text) if binding.binds(one, notes=True)}
    sections = {title: [one for one in every if not _bound(one, rules_of)] for title, every in sections.items()}
    gone: dict[str, list[Held]] = {title: [] for title in sections if place(title)}

    heads = {title: one.entry.start for title in gone for one in sections[title][:1]}

    def life(one: Held) -> tuple[float, date, int, int]:
        sure, last = _life(one, today, rules)
        return sure, last, 0 if one.row else -heads[_title(one.entry)], one.entry.start

    for one in sorted((one for title in gone for one in sections[title]), key=life):
        if spare_lines <= 0 and spare_size <= 0:
            break
        some = gone[_title(one.entry)]
        some.append(one)
        if len(some) < FEWEST:
            continue
        leave = some if len(some) == FEWEST else [one]  # with fewer, nothing of the section goes
        spare_lines += (len(some) == FEWEST) - sum(each.entry.end - each.entry.start + 1 for each in leave)
        spare_size -= sum(
            openclaw_limits.length("".join(rows[each.entry.start - 1 : each.entry.end])) for each in leave
        )
        spare_size += (len(some) == FEWEST) * len(f"- More: [{place(_title(one.entry))}]({place(_title(one.entry))})\n")
    chosen = ((title, sorted(some, key=lambda one: one.entry.start)) for title, some in gone.items())
    return [Topic(title, place(title), some) for title, some in chosen if len(some) >= FEWEST]


def _brought_back(title: str, some: Iterable[Entry], read: Read) -> bool:
    """Tell whether an entry left a section and was put back; one that its topic still holds was only said again."""
    here = [digest(one.text) for one in some if _title(one) == title]
    path = place(title)
    there = {digest(one.text) for one in entries(read(path) or "")} if here and path else set()
    return any(one not in there for one in here)


def _sections(some: Iterable[Held]) -> dict[str, list[Held]]:
    """Return the entries by the title that they stand below, without lists that are too short and links."""
    found: defaultdict[str, list[Held]] = defaultdict(list)
    for one in some:
        if one.entry.depth == 1 and not _LINK.search(one.entry.text):
            found[_title(one.entry)].append(one)
    return {title: every for title, every in found.items() if len(every) >= FEWEST}


def _bound(one: Held, rules_of: set[int]) -> bool:
    return not rules_of.isdisjoint(range(one.entry.start, one.entry.end + 1))


def _title(entry: Entry) -> str:
    return entry.section[-1] if entry.section else "Notes"


def _life(one: Held, today: date, rules: confidence.Rules) -> tuple[float, date]:
    row = one.row
    if row is None:
        return confidence.INFERRED, date.min
    sure = confidence.current(row.confidence, len(row.mentions), row.last, today, rules)
    return sure, row.last or date.min


def place(title: str) -> str:
    """Return the file of a topic, "" where its title makes none that is core memory."""
    name = _UNFIT.sub("-", title.casefold()).strip("-_")
    path = f"memory/{name}.md"
    return path if name and manifest.kind(path) == "memory" else ""


def shortened(text: str, wanted: Iterable[Topic]) -> str:
    """Return a memory file without the entries that leave; a link to each topic ends the list that they stood in."""
    away, links = set[int](), dict[int, str]()
    for topic in wanted:
        away |= {line for one in topic.some for line in range(one.entry.start, one.entry.end + 1)}
        if f"]({topic.path})" not in text:
            links[_end(text, topic)] = f"- More: [{topic.path}]({topic.path})"
    return "".join(_rows(document.split(text), away, links, document.eol(text)))


def _end(text: str, topic: Topic) -> int:
    """Return the last line of the list that the last entry of a topic stands in."""
    last = topic.some[-1].entry
    below = (one for one in entries(text) if one.start >= last.start)
    own = takewhile(lambda one: one.kind == "bullet" and one.section == last.section, below)
    return max((one.end for one in own), default=last.end)


def _rows(rows: list[str], away: set[int], links: dict[int, str], eol: str) -> Iterator[str]:
    for number, row in enumerate(rows, 1):
        if number not in away:
            yield row if number not in links or document.ends_with_newline(row) else row + eol
        if number in links:
            yield links[number] + eol


def filed(there: str | None, memory: str, topic: Topic) -> str:
    """Return the file of a topic with the lines of the entries at its end."""
    rows = document.split(memory)
    found = f"# {topic.title}\n" if there is None else there
    for one in topic.some:
        block = "".join(rows[one.entry.start - 1 : one.entry.end]).replace("\r\n", "\n")
        found = append_under(found, topic.title, block if block.endswith("\n") else block + "\n", create=True)
    return found


def moved(topic: Topic) -> Iterator[Row]:
    """Yield the rows of the entries in their new place."""
    yield from (replace(one.row, file=topic.path) for one in topic.some if one.row)


_CITED = 100


def archive(view: View, path: str, text: str, some: Sequence[Journal], title: str) -> Change:
    """Return the change that puts journals into an archive; they stay for now."""
    days = len({one.day for one in some})
    subject = f"memory: {title}, {days} {'day' if days == 1 else 'days'}"
    why = f"Moves {len(some)} journals into it; they are committed as they were, and each is cited."
    cited = tuple(one.pointer for one in islice(some, _CITED))
    return Change(subject, why, (Edit(path, view.read(path), text),), cited, _origin(view, some), NAME)


def _origin(view: View, some: Sequence[Journal]) -> Origin:
    """Return the least trusted origin among those that wrote to these journals: in an archive they are no surer."""
    found = {one.origin for one in records.log(view.workspace, *(one.path for one in some))}
    if "untrusted" in found:
        return "untrusted"
    return "agent" if found and found <= {"operator", "agent"} else "unknown"


def removal(some: Sequence[Journal], archive: str, title: str, today: date) -> Change:
    """Return the change that removes journals which stand in an archive by now, exactly as they went into it."""
    count = f"{len(some)} {'journal' if len(some) == 1 else 'journals'}"
    rows = [
        f"- {one.path}: {(today - one.day).days} days old, told in {archive}; back: clawgit restore {quoted(one.path)}"
        for one in some
    ]
    edits = tuple(Edit(one.path, one.text, None, exact=True) for one in some)
    cited = tuple(one.pointer for one in islice(some, _CITED))
    return Change(f"memory: {count} of {title} removed", "\n".join(rows), edits, cited, "agent", NAME)


def forgetting(view: View, path: str, some: list[Faded], today: date) -> Change:
    """Return the change that moves faded entries to the archive."""
    memory, place = view.read(path) or "", memory_hygiene.place(today)
    rows = [
        f"- entry {one.held.id} of {path}: confidence {one.sure:g}, silent for {one.silent} days, now in {place};"
        f" back: clawgit restore {one.held.id}"
        for one in some
    ]
    after = memory_hygiene.without(memory, [one.held for one in some])
    edits = (
        Edit(path, memory, after),
        Edit(place, view.read(place), memory_hygiene.archived(view.read(place), memory, some, today), memory),
    )
    count = f"{len(some)} {'entry' if len(some) == 1 else 'entries'}"
    return Change(f"memory: {count} faded, to the archive", "\n".join(rows), edits, _lines(path, some), "agent", NAME)


def merging(view: View, path: str, some: list[Twins]) -> Change:
    """Return the change that makes one entry of two that say the same."""
    memory, name = view.read(path) or "", new_id()
    rows = [
        f"- entry {one.goes.id} of {path}: says what entry {one.stays.id} says; back: clawgit undo {name}"
        for one in some
    ]
    after = memory_hygiene.without(memory, [one.goes for one in some])
    told = {row.id: row for pair in some for row in memory_hygiene.joined(pair)}
    count = f"{len(some)} {'entry' if len(some) == 1 else 'entries'}"
    return Change(
        f"memory: {count} said twice, merged",
        "\n".join(rows),
        (Edit(path, memory, after),),
        _lines(path, [one.goes for one in some]),
        "agent",
        NAME,
        tuple(told.values()),
        id=name,
    )


def shortening(view: View, path: str, some: Sequence[Topic]) -> Change:
    """Return the change that moves entries of the memory file to files by topic, and leaves a link to each."""
    memory = view.read(path) or ""
    edits = [Edit(path, memory, shortened(memory, some))]
    edits += (Edit(one.path, view.read(one.path), filed(view.read(one.path), memory, one)) for one in some)
    rows = [
        f"- entry {held.id} of {path}: now in {one.path}; back: clawgit restore {held.id}"
        for one in some
        for held in one.some
    ]
    every = [held for one in some for held in one.some]
    files = f"{len(some)} file{'' if len(some) == 1 else 's'}"
    count = f"{len(every)} {'entry' if len(every) == 1 else 'entries'}"
    told = tuple(row for one in some for row in moved(one))
    subject = f"memory: {count} moved to {files} by topic"
    return Change(subject, "\n".join(rows), tuple(edits), _lines(path, every), "agent", NAME, told)


def _lines(path: str, some: Sequence[Faded | memory_hygiene.Held]) -> tuple[str, ...]:
    entries = [(one.held if isinstance(one, Faded) else one).entry for one in islice(some, _CITED)]
    return tuple(evidence_pointer.format(Pointer("lines", path, one.start, one.end)) for one in entries)


def archiving(view: View, some: list[Record]) -> Change:
    """Return the change that moves records of corrections to the archive of their month."""
    text = view.read(file_roles.CORRECTIONS) or ""
    rows = [
        f"- correction {one.id} of {file_roles.CORRECTIONS}: of {one.day}, now in {one.path};"
        f" back: clawgit restore {quoted(f'{file_roles.CORRECTIONS}#{one.title}')}"
        for one in some
    ]
    edits = [Edit(file_roles.CORRECTIONS, text, memory_hygiene.without_corrections(text, some))]
    for path in dict.fromkeys(one.path for one in some):
        here = [one for one in some if one.path == path]
        edits.append(Edit(path, view.read(path), memory_hygiene.archived_corrections(view.read(path), here), text))
    cited = tuple(
        evidence_pointer.format(Pointer("correction", path=file_roles.CORRECTIONS, id=one.id))
        for one in islice(some, _CITED)
    )
    count = f"{len(some)} {'correction' if len(some) == 1 else 'corrections'}"
    return Change(f"memory: {count} to the archive", "\n".join(rows), tuple(edits), cited, "agent", NAME)
