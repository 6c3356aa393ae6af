"""What adopting a workspace found, kept for its first digest."""

import contextlib
from collections.abc import Iterator, Sequence
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from clawgit.agents import promotion
from clawgit.agents.promotion import Wanted, gather
from clawgit.digest import digest_text, digest_waiting
from clawgit.digest.digest_text import Item, counted
from clawgit.store.database import StateStore
from clawgit.workspace.report.lost_lines import Loss
from clawgit.workspace.report.report import Report, report
from clawgit.workspace.workspace import Workspace

__all__ = ["ADOPTION", "Adoption", "Finding", "Report", "items", "last", "report", "save"]

ADOPTION = "adoption"
_DAYS = 30
_REPORT = "clawgit adopt --dry-run"


class Finding(Struct, frozen=True):
    """One thing that was found: a sentence without words of any file, the command for it, and its key."""

    text: str
    command: str
    key: str = ""  # none in a report of an older version


class Adoption(Struct, frozen=True):
    """When a workspace was adopted, and what was found."""

    at: datetime
    findings: tuple[Finding, ...] = ()


def save(store: StateStore, at: datetime, report: Report) -> None:
    """Note what a report found. Raises OSError."""
    store.save_document(ADOPTION, Adoption(at, tuple(_findings(report))))


def last(store: StateStore) -> Adoption | None:
    """Return what adopting found; None where nothing that can be read was noted."""
    known = store.read_document(ADOPTION, Adoption)
    with contextlib.suppress(ValueError, OverflowError):
        return known and replace(known, at=known.at.astimezone())
    return None


def items(workspace: Workspace, since: datetime, until: datetime) -> Iterator[Item]:
    """Yield what adopting found in a period, and what the journals of its last days hold that could be kept for good.

    What a weekly review found takes the place of the latter (designs: the digest after adoption).
    """
    found = last(workspace.store)
    if found is None or not since <= found.at <= until:
        return
    for one in found.findings:
        yield Item(one.text, command=one.command)
    if promotion.read_review(workspace.store) is None:
        ready = gather(workspace, Wanted(_DAYS), until).ready
        yield from digest_waiting.told(workspace, map(promotion.summarise, ready), f"the last {_DAYS} days", _DAYS)


def _findings(report: Report) -> Iterator[Finding]:
    yield from _lost(report.journals, "journals")
    yield from _lost(report.notes, "MEMORY.md and other notes")
    for one in report.caps:
        words = f"OpenClaw shows the agent only a part of {digest_text.named(one.path)}: {one.hidden:,} of {one.size:,}"
        yield Finding(f"{words} characters are left out", _REPORT, "prompt-cut")
    if many := len(report.dumps.paths):
        yield Finding(f"raw conversations in {counted(many, 'file')} of memory", _REPORT, "memory-raw-talk")
    if many := len(report.secrets.gone):
        yield Finding(f"{counted(many, 'secret')} only in history", _REPORT, "secret-in-history")


def _lost(found: Sequence[Loss], where: str) -> Iterator[Finding]:
    total = sum(one.lines for one in found)
    if total:
        words = f"{counted(total, 'line')} of {where} stand{'s' if total == 1 else ''} nowhere any more, taken by"
        yield Finding(f"{words} {counted(len(found), 'commit')}", _REPORT, "adopt-commits")
