"""Merges three versions of one file."""

from clawgit.sync import merge_rules
from clawgit.sync.replay import joined_texts
from clawgit.text.merging.event_graph import BASE, EventGraph


def merged(path: str, base: str | None, ours: str, theirs: str) -> str | None:
    """Return what two versions of a file that grew from `base` come to, None where its rule does not merge it.

    It is the same whichever side is which. What takes more than this one file is left for the next sync: a row of its
    own for each wording of an entry, and the record that asks which one holds.
    """
    if merge_rules.rule(path) not in ("rows", "lines"):
        return None
    if theirs in (base, ours):
        return ours
    if ours == base:
        return theirs
    graph = EventGraph()
    history = merge_rules.history(path, graph, base)
    events = [(graph.add(text, [BASE]), text) for text in sorted((ours, theirs))]
    return joined_texts(history, events)
