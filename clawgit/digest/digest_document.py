"""Gathers a digest, and renders it as Markdown."""

import math
import re
from collections.abc import Iterator
from datetime import datetime
from itertools import chain

from msgspec.structs import replace

from clawgit.agents import audit
from clawgit.digest import (
    adoption,
    digest_others,
    digest_removals,
    digest_sections,
    digest_waiting,
)
from clawgit.digest.digest_text import COST, TITLES, Digest, Item, Part, counted, quote, wrapped
from clawgit.workspace import run_ledger
from clawgit.workspace.run_ledger import Ran
from clawgit.workspace.status import status
from clawgit.workspace.workspace import Workspace


def digest(workspace: Workspace, since: datetime, now: datetime, after: str | None = None) -> Digest:
    """Return what the operator should hear of what happened since a moment, or beyond the commit `after` (spec P16).

    No secret and no untrusted text is in it. Reads, and touches nothing.
    """
    found = digest_sections.happened(workspace, since, after)
    days = digest_others.journal_days(found)
    stands = status(workspace)
    waits = digest_waiting.part(workspace, stands)
    waits = replace(
        waits,
        items=(
            *waits.items,
            *_unattended(workspace, since),
            *digest_others.stopped(days, now.date()),
            *adoption.items(workspace, since, now),
            *digest_waiting.items(workspace, since, now),
            *_failed(workspace, since, now),
        ),
    )
    new = digest_sections.added(found)
    memories = (one for some in new.values() for one in some if isinstance(one, Item))
    lost = digest_removals.lost(found, digest_waiting.shrunk(stands))
    others = digest_others.others(found, new, lost.lines, lost.aside)
    cost = _cost_part(workspace, since, now)
    parts = (
        waits,
        digest_sections.due(workspace, now),
        digest_sections.part(found),
        Part("memories", tuple(memories), look="clawgit memory list"),
        replace(others, items=(*others.items, *digest_others.silent(days, since.date(), now.date()))),
        digest_sections.corrected(found),
        digest_sections.contradicted(found),
        digest_removals.gone(found, since, lost.items),
        replace(cost, items=(*cost.items, *_audited(workspace, since, now), *digest_sections.notes(found))),
    )
    return Digest(quote(workspace.root.name), since, now, workspace.head, parts)


_NAME = re.compile(r"[a-z][a-z-]{0,30}")


def _unattended(workspace: Workspace, since: datetime) -> Iterator[Item]:
    """Yield what was approved without a terminal: the operator allowed that once, and hears of each."""
    for act, when in workspace.trusted.unattended(since):
        yield Item(f"without a terminal, {when:%Y-%m-%d %H:%M}: {quote(act)}", command="clawgit trust")


MOST = 12
"""So many items of a part are told; the others are counted."""


def render(found: Digest) -> str:
    """Return a digest as Markdown of 80 columns; only a command may be longer, for it is there to be pasted."""
    return "\n".join(_lines(found)) + "\n"


def _lines(found: Digest) -> Iterator[str]:
    period = f"{found.since:%Y-%m-%d %H:%M} to {found.until:%Y-%m-%d %H:%M}"
    yield from wrapped(f"{found.workspace}: {period}", "# ", "# ")
    yield ""
    if found.empty:
        yield "Nothing happened that you should know of."
    else:
        yield from wrapped(f"{_summary(found)}.")
    for part in found.parts:
        if part.items or part.unquoted:
            yield ""
            yield f"## {TITLES[part.name]}"
            yield ""
            yield from _part(part)
        if part is found.parts[0] and found.settled:
            yield from ("", "## No longer waiting", "")
            yield from chain.from_iterable(wrapped(words, "- ", "  ") for words in found.settled)
    if found.last:
        yield ""
        yield from wrapped(f"{found.last.text[:1].upper()}{found.last.text[1:]}:")
        yield f"`{found.last.command}`"


def _summary(found: Digest) -> str:
    told = [f"{TITLES[part.name].lower()}: {_many(part)}" for part in found.parts if _count(part) and part.name != COST]
    return ", ".join(told).capitalize()


def _count(part: Part) -> int:
    return len(part.items) + part.unquoted + max(part.before - 1, 0)


def _many(part: Part) -> str:
    """Return how many things a part tells, and how many of them earlier digests told already."""
    return f"{_count(part)} ({_count(part) - part.before} new)" if part.before else str(_count(part))


def _part(part: Part) -> Iterator[str]:
    for item in part.items[:MOST]:
        yield from _item(item)
    left = len(part.items) - MOST
    if left > 0:
        yield from _item(Item(f"and {left} more", command=part.look))
    if part.unquoted:
        more = " more" if part.items else ""
        words = "is not quoted: it was" if part.unquoted == 1 else "are not quoted: they were"
        told = f"{part.unquoted}{more} {words} written by others, or came from outside"
        yield from _item(Item(told, command=part.look))


def _item(item: Item) -> Iterator[str]:
    yield from wrapped(item.text, "- ", "  ")
    for detail in item.details[: item.shown]:
        yield from wrapped(detail, "  ", "  ")
    if (more := len(item.details) - item.shown) > 0:
        yield f"  and {more} more"
    if item.command:
        yield f"  `{item.command}`"


def document(found: Digest) -> dict[str, object]:
    """Return a digest as JSON has it."""
    return {
        "id": found.id,
        "workspace": found.workspace,
        "since": found.since.isoformat(),
        "until": found.until.isoformat(),
        "head": found.head,
        "last": _document(found.last) if found.last else None,
        "empty": found.empty,
        **{part.name: [_document(item) for item in part.items] for part in found.parts},
        "settled": list(found.settled),
        "unquoted": {part.name: part.unquoted for part in found.parts if part.unquoted},
        "text": render(found),
    }


def _document(item: Item) -> dict[str, object]:
    return {"text": item.text, "details": list(item.details), "command": item.command or None}


def _cost_part(workspace: Workspace, since: datetime, until: datetime) -> Part:
    """Return the runs that ended in a period, one line for each agent that committed or asked something."""
    told = (_told(name, some) for name, some in _ran(workspace, since, until).items())
    return Part(COST, tuple(Item(words) for words in told if words), look="clawgit run --list")


def _failed(workspace: Workspace, since: datetime, until: datetime) -> Iterator[Item]:
    """Yield the agents whose last run of a period failed; why is not repeated, for it may be words of a model."""
    for name, some in _ran(workspace, since, until).items():
        if some[-1].error:
            words = f"{name} failed at its last run, {some[-1].ended[:16].replace('T', ' ')}"
            yield Item(words, command="clawgit run --list")


def _audited(workspace: Workspace, since: datetime, until: datetime) -> Iterator[Item]:
    """Yield what the last audit of a period came to, beside the one before."""
    past = audit.history(workspace)
    if past and since.date().isoformat() <= past[-1].day <= until.date().isoformat():
        last = past[-1]
        before = f", {past[-2].score} on {past[-2].day}" if past[1:] else ""
        words = f"audit of memory on {last.day}: {last.score} of 100{before}; {counted(last.found, 'line')} to look at"
        yield Item(words, command="clawgit audit")


def _ran(workspace: Workspace, since: datetime, until: datetime) -> dict[str, list[Ran]]:
    found: dict[str, list[Ran]] = {}
    for ran in run_ledger.ledger(workspace.store):
        ended = _moment(ran.ended)
        if ended and since < ended <= until and _NAME.fullmatch(ran.agent):
            found.setdefault(ran.agent, []).append(ran)
    return found


def _moment(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text).astimezone()
    except (ValueError, OverflowError, OSError):
        return None


def _told(name: str, some: list[Ran]) -> str:
    commits = sum(len(ran.committed) for ran in some)
    read = sum(ran.read for ran in some)
    parts = [*([f"{read:,} read"] if read else ()), *([counted(commits, "commit")] if commits else ())]
    calls, tokens = _used(some, "calls"), _used(some, "read", "written")
    if calls:
        about = "about " if any(_number(ran, "estimated") for ran in some) else ""
        parts += [counted(calls, "request"), f"{about}{counted(tokens, 'token')}", f"{_used(some, 'seconds'):,} s"]
    return f"{name}: {', '.join((counted(len(some), 'run'), *parts))}" if commits or calls else ""


def _used(some: list[Ran], *names: str) -> int:
    return round(sum(_number(ran, name) for ran in some for name in names))


def _number(ran: Ran, name: str) -> float:
    """Return a number of the ledger, 0 for what is none."""
    value = ran.usage.get(name, 0.0)
    return value if math.isfinite(value) else 0.0
