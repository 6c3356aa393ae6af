"""Operations that take memories away, and errands that are over."""

from collections.abc import Iterator, Sequence
from datetime import date
from itertools import pairwise

from msgspec.structs import replace

from clawgit.agents.messages_to_read import is_mention
from clawgit.agents.protocol import nothing_invented, requested_memories
from clawgit.agents.protocol.check_result import Fault, Ground, Held
from clawgit.agents.protocol.nothing_invented import Source
from clawgit.agents.protocol.operations import Operation
from clawgit.agents.running import View
from clawgit.errors import ClawgitError
from clawgit.language import logic
from clawgit.messages.patterns import MINER, Pattern
from clawgit.text import document, line_edits
from clawgit.text.edit import append_under
from clawgit.text.entry import entries, entry_id
from clawgit.workspace import commit_message, due_entries
from clawgit.workspace.change import Applied, Change, Edit
from clawgit.workspace.due_entries import Due
from clawgit.workspace.entries import Row
from clawgit.workspace.memory import SECTIONS, topic_places
from clawgit.workspace.planning import MovedError
from clawgit.workspace.unkept_requests import message_of_mention
from clawgit.workspace.workspace import Workspace

ACTS = frozenset(("retire", "replace", "merge"))
_LEAST, _SHARE = 5, 0.05
_PAIR = 2


def limit(total: int) -> int:
    """Return how many entries one run may take away: 5, or 5 % of all where that is more."""
    return max(_LEAST, int(total * _SHARE))


def taken(operation: Operation) -> int:
    """Return how many entries an operation takes away."""
    return len(set(operation.entries)) if operation.act in ACTS else 0


def named(operation: Operation, ground: Ground) -> tuple[Held, ...] | Fault:
    """Return the entries that an operation names, if it may touch them."""
    if operation.act not in ACTS | {"correct"}:
        return ()
    found = []
    for one in dict.fromkeys(operation.entries):
        held = ground.held.get(one)
        if held is None:
            return Fault(f"there is no entry {one}")
        found.append(held)
    if operation.act in ACTS:
        if not found:
            return Fault(f"name the entries to {operation.act}")
        if operation.act == "merge" and len(found) < _PAIR:
            return Fault("a merge needs two entries")
        for held in found:
            if why := kept(held):
                return Fault(f"entry {held.id} {why}: it is not for a reader to {operation.act}")
    return tuple(found)


def kept(held: Held) -> str:
    """Return why an entry stays as it is, "" where it need not."""
    if held.explicit:
        return "is what the operator asked for in so many words"
    return "states a boundary" if held.boundary else ""


def lossy(text: str, sources: Sequence[Held], isos: tuple[str, ...]) -> str:
    """Return what a merged text has lost of its sources, or says that none of them does; "" for nothing."""
    if gone := lost(text, sources, isos, spare=0):
        return gone
    if logic.denials(text, isos) and not any(logic.denials(source.text, isos) for source in sources):
        return "it denies what no source denies"
    known = frozenset(stem for source in sources for stem in logic.content(source.text, isos))
    fresh = logic.content(text, isos) - known
    return f"'{min(fresh)}' stands in no source" if fresh else ""


def lost(
    text: str, sources: Sequence[Held], isos: tuple[str, ...], day: date | None = None, *, spare: int | None = None
) -> str:
    """Return which value or denial of its sources a text of a day has lost, "" for none.

    With `spare` also which word, if more than so many of a source are lost.
    """
    for held in sources:
        if gone := nothing_invented.missing(held.text, (Source(text, day),), isos, days=True):
            return f"'{gone}' of entry {held.id} is lost"
        if logic.denials(held.text, isos) and not logic.denials(text, isos):
            return f"what entry {held.id} denies is lost"
        words = logic.content(held.text, isos) - logic.content(text, isos)
        if spare is not None and len(words) > spare:
            return f"'{min(words)}' of entry {held.id} is lost"
    return ""


_ATTEMPTS = 3
_SHORT = 60


def apply(workspace: Workspace, patterns: Sequence[Pattern]) -> list[tuple[Change, Applied]]:
    """Move what is over, and return the change, if there is one; where the file keeps moving, the next run does."""
    for _ in range(_ATTEMPTS):
        found = change(View(workspace), patterns)
        if found is None:
            return []
        try:
            return [(found, workspace.apply(found))]
        except MovedError:
            continue
    return []


def change(view: View, patterns: Sequence[Pattern]) -> Change | None:
    """Return the change that moves errands whose day is over to the file of their section, None where there are none.

    Only what the operator asked for in so many words; what else was planned stays, and is left out of the prompt. What
    the operator brought back stays, too.
    """
    path, place = view.workspace.memory_file, topic_places(view.workspace.root)(SECTIONS[due_entries.LEAVES])
    if view.workspace.theirs(path):
        return None
    try:
        before, there = view.read(path) or "", view.read(place)
    except ClawgitError:
        return None  # it cannot be read just now, which is told elsewhere
    asked = requested_memories.messages(view.workspace.store, patterns)
    gone = [one for one in _over(view, path, before) if one.row and _was_asked(one, one.row, asked, patterns)]
    gone = [one for one in gone if entry_id(place, one.entry.text) not in view.rows()]
    if not gone:
        return None
    text = there if there is not None and there.strip() else "# Memory\n"
    written = document.split(before)
    for one in gone:
        block = "".join(written[one.entry.start - 1 : one.entry.end]).replace("\r\n", "\n").rstrip("\n")
        text = append_under(text, SECTIONS[due_entries.LEAVES], block + "\n", create=True)
    rows = tuple(_moved(one.row, place, one.entry.text) for one in gone if one.row)
    many = (
        f"{len(gone)} errands"
        if len(gone) > 1
        else commit_message.shorten(commit_message.one_line(gone[0].entry.text), _SHORT)
    )
    why = "\n".join(f"- {commit_message.one_line(one.entry.text)} (was due {one.days[-1]})" for one in gone)
    return Change(
        f"memory: moved to {place}: {many}",
        f"Their day is over:\n{why}",
        (Edit(path, before, line_edits.without(before, [one.entry for one in gone])), Edit(place, there, text)),
        origin="agent",
        agent=MINER,
        rows=rows,
        drops=tuple(one.row.id for one in gone if one.row),
    )


def _over(view: View, path: str, text: str) -> Iterator[Due]:
    """Yield the plans that are over and stand by themselves: with nothing nested below them."""
    today, every = view.workspace.now().date(), entries(text)
    below = {one.start for one, after in pairwise(every) if after.depth > one.depth}
    for one in due_entries.due(path, text, view.rows().values(), today):
        if one.over(today) and one.entry.depth <= 1 and one.entry.start not in below:
            yield one


def _was_asked(one: Due, row: Row, asked: frozenset[str], patterns: Sequence[Pattern]) -> bool:
    """Return whether the operator asked for an entry in so many words, or wrote it down himself."""
    said = {message_of_mention(name) for name in row.mentions if is_mention(name)}
    typed = row.origin == "operator" and any(not is_mention(name) for name in row.mentions)
    return typed or bool(said & asked) or requested_memories.asks(one.entry.text, patterns)


def _moved(row: Row, place: str, text: str) -> Row:
    return replace(row, id=entry_id(place, text), file=place, sources=frozenset({row.id}))
