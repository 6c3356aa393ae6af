"""The changes that a compaction is made of."""

from collections import Counter
from collections.abc import Sequence
from datetime import date
from itertools import islice

from clawgit.agents.compacting import memory_hygiene, topic_files
from clawgit.agents.compacting.journal_archive import NAME, Journal
from clawgit.agents.compacting.memory_hygiene import Faded, Held, Record, Twins
from clawgit.agents.compacting.topic_files import Topic
from clawgit.agents.running import View
from clawgit.errors import quoted
from clawgit.text import evidence_pointer
from clawgit.text.entry import new_id
from clawgit.text.evidence_pointer import Pointer
from clawgit.workspace import file_roles, records
from clawgit.workspace.change import Change, Edit, Origin
from clawgit.workspace.commit_message import one_line

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


def shortening(view: View, path: str, some: Sequence[Topic], standing: Sequence[Held]) -> Change:
    """Return the change that moves sections and entries of the memory file to files by topic, and links to each."""
    memory = view.read(path) or ""
    after: dict[str, str] = {}
    for one in some:
        after[one.path] = topic_files.filed(after.get(one.path, view.read(one.path)), memory, one)
    edits = [Edit(path, memory, topic_files.shortened(memory, some))]
    edits += (Edit(place, view.read(place), text) for place, text in after.items())
    rows = [
        f"- entry {held.id} of {path}: now in {one.path}; back: clawgit restore {held.id}"
        for one in some
        for held in one.some
    ]
    name = new_id()
    titles = [(one_line(piece.title), one.path) for one in some for piece in one.pieces if not piece.label]
    rows += [
        f"- section “{title}” of {path}: now in {place}; back: clawgit restore {quoted(f'{path}#{title}')}"
        for title, place in titles
    ]
    labels = [(one_line(piece.title), one.path) for one in some for piece in one.pieces if piece.label]
    rows += [
        f"- {count} part{'' if count == 1 else 's'} of “{title}” of {path}: now in {place}; back: clawgit undo {name}"
        for (title, place), count in Counter(labels).items()
    ]
    every = [held for one in some for held in topic_files.leaving(one, standing)]
    files = f"{len(after)} file{'' if len(after) == 1 else 's'}"
    many = [f"{len(titles)} section{'' if len(titles) == 1 else 's'}"] if titles else []
    many += [f"{len(labels)} part{'' if len(labels) == 1 else 's'}"] if labels else []
    alone = sum(len(one.some) for one in some)
    many += [f"{alone} {'entry' if alone == 1 else 'entries'}"] if alone else []
    told = tuple(row for one in some for row in topic_files.moved(one))
    subject = f"memory: {' and '.join(many)} moved to {files} by topic"
    return Change(subject, "\n".join(rows), tuple(edits), _lines(path, every), "agent", NAME, told, id=name)


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
