"""Gathers a digest."""

from collections.abc import Iterator
from datetime import datetime

from msgspec.structs import replace

from clawgit.digest import adoption, cost, happened, identity, memories, promotable, records, waiting
from clawgit.digest.digest import Digest, Item
from clawgit.digest.quoting import quote
from clawgit.workspace.workspace import Workspace


def digest(workspace: Workspace, since: datetime, now: datetime, after: str | None = None) -> Digest:
    """Return what the operator should hear of what happened since a moment, or beyond the commit `after` (spec P16).

    No secret and no untrusted text is in it. Reads, and touches nothing.
    """
    found = happened.happened(workspace, since, after)
    waits = waiting.part(workspace)
    waits = replace(
        waits,
        items=(
            *waits.items,
            *_unattended(workspace, since),
            *adoption.items(workspace, since, now),
            *promotable.items(workspace, since, now),
            *waiting.said(workspace, since, now),
            *cost.failed(workspace, since, now),
        ),
    )
    parts = (
        waits,
        memories.due(workspace, now),
        identity.part(found),
        memories.came(found),
        records.corrected(found),
        records.contradicted(found),
        memories.gone(found),
        cost.part(workspace, since, now),
    )
    return Digest(quote(workspace.root.name), since, now, workspace.head, parts)


def _unattended(workspace: Workspace, since: datetime) -> Iterator[Item]:
    """Yield what was approved without a terminal: the operator allowed that once, and hears of each."""
    for act, when in workspace.trusted.unattended(since):
        yield Item(f"without a terminal, {when:%Y-%m-%d %H:%M}: {quote(act)}", command="clawgit trust")


def with_waiting(found: Digest, item: Item) -> Digest:
    """Return a digest in which one thing more waits for the operator."""
    first, *others = found.parts
    return replace(found, parts=(replace(first, items=(item, *first.items)), *others))
