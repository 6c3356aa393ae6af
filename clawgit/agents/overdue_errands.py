"""Moves errands that are over, and says which entries stay."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec.structs import replace

from clawgit.agents import requested_memories
from clawgit.agents.messages_to_read import is_mention
from clawgit.agents.running import View
from clawgit.errors import ClawgitError
from clawgit.messages.patterns import MINER, Pattern
from clawgit.safety import binding
from clawgit.text import document, line_edits
from clawgit.text.edit import append_under
from clawgit.text.entry import entries, entry_id
from clawgit.workspace import commit_message, due_entries
from clawgit.workspace.change import Applied, Change, Edit
from clawgit.workspace.due_entries import Due
from clawgit.workspace.entries import Row
from clawgit.workspace.memory import SECTIONS, memories, topic_places
from clawgit.workspace.planning import MovedError
from clawgit.workspace.unkept_requests import message_of_mention
from clawgit.workspace.workspace import Workspace

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


def find_kept(workspace: Workspace, patterns: Sequence[Pattern]) -> frozenset[str]:
    """Return the ids of entries that stay: the operator asked for them outright, or they state a boundary."""
    asked, rows = requested_memories.messages(workspace.store, patterns), workspace.rows()
    found: set[str] = set()
    for memory in memories(workspace):
        row = rows.get(memory.id)
        is_asked = row and asked & {message_of_mention(mention) for mention in row.mentions}
        is_boundary = any(binding.binds(line, notes=True) for line in binding.said(f"- {memory.text}"))
        found |= {memory.id} if is_asked or is_boundary else set()
    return frozenset(found)
