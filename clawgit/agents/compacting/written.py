"""The changes that a compaction is made of."""

from collections.abc import Sequence
from datetime import date
from itertools import islice

from clawgit.agents.compacting import hygiene, moving
from clawgit.agents.compacting import shortening as shorter
from clawgit.agents.compacting.before import NAME
from clawgit.agents.compacting.hygiene import Faded, Twins
from clawgit.agents.compacting.journals import Journal
from clawgit.agents.compacting.moving import Record
from clawgit.agents.compacting.shortening import Topic
from clawgit.agents.view import View
from clawgit.errors import quoted
from clawgit.text import evidence
from clawgit.text.evidence import Pointer
from clawgit.text.identity import new_id
from clawgit.workspace import records, scope
from clawgit.workspace.change import Change, Edit, Origin

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
    memory, place = view.read(path) or "", hygiene.place(today)
    rows = [
        f"- entry {one.held.id} of {path}: confidence {one.sure:g}, silent for {one.silent} days, now in {place};"
        f" back: clawgit restore {one.held.id}"
        for one in some
    ]
    after = hygiene.without(memory, [one.held for one in some])
    edits = (
        Edit(path, memory, after),
        Edit(place, view.read(place), hygiene.archived(view.read(place), memory, some, today), memory),
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
    after = hygiene.without(memory, [one.goes for one in some])
    told = {row.id: row for pair in some for row in hygiene.joined(pair)}
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
    edits = [Edit(path, memory, shorter.shortened(memory, some))]
    edits += (Edit(one.path, view.read(one.path), shorter.filed(view.read(one.path), memory, one)) for one in some)
    rows = [
        f"- entry {held.id} of {path}: now in {one.path}; back: clawgit restore {held.id}"
        for one in some
        for held in one.some
    ]
    every = [held for one in some for held in one.some]
    files = f"{len(some)} file{'' if len(some) == 1 else 's'}"
    count = f"{len(every)} {'entry' if len(every) == 1 else 'entries'}"
    told = tuple(row for one in some for row in shorter.moved(one))
    subject = f"memory: {count} moved to {files} by topic"
    return Change(subject, "\n".join(rows), tuple(edits), _lines(path, every), "agent", NAME, told)


def _lines(path: str, some: Sequence[Faded | hygiene.Held]) -> tuple[str, ...]:
    entries = [(one.held if isinstance(one, Faded) else one).entry for one in islice(some, _CITED)]
    return tuple(evidence.format(Pointer("lines", path, one.start, one.end)) for one in entries)


def archiving(view: View, some: list[Record]) -> Change:
    """Return the change that moves records of corrections to the archive of their month."""
    text = view.read(scope.CORRECTIONS) or ""
    rows = [
        f"- correction {one.id} of {scope.CORRECTIONS}: of {one.day}, now in {one.path};"
        f" back: clawgit restore {quoted(f'{scope.CORRECTIONS}#{one.title}')}"
        for one in some
    ]
    edits = [Edit(scope.CORRECTIONS, text, moving.without(text, some))]
    for path in dict.fromkeys(one.path for one in some):
        here = [one for one in some if one.path == path]
        edits.append(Edit(path, view.read(path), moving.archived(view.read(path), here), text))
    cited = tuple(
        evidence.format(Pointer("correction", path=scope.CORRECTIONS, id=one.id)) for one in islice(some, _CITED)
    )
    count = f"{len(some)} {'correction' if len(some) == 1 else 'corrections'}"
    return Change(f"memory: {count} to the archive", "\n".join(rows), tuple(edits), cited, "agent", NAME)
