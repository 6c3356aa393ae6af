"""Gathers what the operator should hear of a period."""

from collections.abc import Iterator
from datetime import datetime

from clawgit.agents import candidate_items
from clawgit.errors import Command
from clawgit.findings import audit, digest_changes, digest_text
from clawgit.findings.digest_text import COST, Digest, Item, Part, counted, named, quote
from clawgit.findings.registry import Finding
from clawgit.findings.status import status
from clawgit.memory import promote
from clawgit.store.item import Item as InboxItem
from clawgit.workspace import commit_message, due_entries, entries, inbox_list, run_ledger
from clawgit.workspace.run_ledger import Ran
from clawgit.workspace.workspace import Workspace

_FEW = 3
"""So many findings or items of one kind are told one by one."""
_STATUS = "clawgit status"


def digest(workspace: Workspace, since: datetime, now: datetime, after: str | None = None) -> Digest:
    """Return what the operator should hear of what happened since a moment, or beyond the commit `after` (spec P16).

    No secret is in it, and of untrusted text only what changed in the identity. Reads, and touches nothing.
    """
    happened = digest_changes.read_period(workspace, since, after)
    findings = status(workspace)
    waiting = (
        *_list_waiting_items(workspace),
        *(map(_describe_finding, (*findings.alarms, *findings.untrusted)) if workspace.managed else ()),
        *_list_news(workspace, since, now),
    )
    parts = (
        Part("waiting", tuple(dict.fromkeys(waiting)), look=_STATUS),
        _describe_due(workspace, now),
        digest_changes.describe_identity(happened),
        digest_changes.describe_memories(happened),
        digest_changes.describe_others(happened),
        digest_changes.describe_corrections(happened),
        digest_changes.describe_conflicts(happened),
        Part("removals", tuple(digest_changes.list_gone(happened)), look="clawgit log"),
        _describe_runs(workspace, since, now),
    )
    return Digest(quote(workspace.root.name), since, now, workspace.head, parts)


def _describe_finding(finding: Finding) -> Item:
    """Return a finding as it may leave the machine: no odd names, and a command only where it shows nothing."""
    if not all(map(digest_text.plain, finding.paths)):
        names = commit_message.list_names(map(named, finding.paths))
        return Item(f"{finding.key}: a finding about {names}", command=_STATUS, keys=(finding.message,), lasting=True)
    fix = str(finding.fix)
    command = fix if isinstance(finding.fix, Command) and digest_text.may_leave(fix) else _STATUS
    details = (quote(f"{fix[:1].upper()}{fix[1:]}."),) if fix and not isinstance(finding.fix, Command) else ()
    text = quote(finding.told or finding.message)
    return Item(text, details, command, keys=(finding.message,), lasting=True, path=finding.path)


def _list_waiting_items(workspace: Workspace) -> Iterator[Item]:
    """Yield the items of the inbox, those of one kind together where they are many; expired ones are counted."""
    candidate_items.refresh(workspace)
    now = workspace.now()
    items = [item for item in inbox_list.list_items(workspace) if item.kind != "settings"]  # `part` tells of these
    by_kind: dict[str, list[InboxItem]] = {}
    for item in items:
        by_kind.setdefault("expired" if item.is_expired(now) else item.kind, []).append(item)
    for kind, some in by_kind.items():
        if kind == "expired" or len(some) > _FEW:
            command = "clawgit inbox" if kind == "expired" else f"clawgit inbox --kind {kind}"
            names = tuple(_describe_item(item) for item in some[:_FEW]) if kind != "expired" else ()
            yield Item(
                f"{counted(len(some), 'item')} of the inbox: {kind}",
                names,
                command,
                keys=tuple(item.id for item in some),
            )
        else:
            yield from (Item(_describe_item(item), command=f"clawgit show {item.id}", keys=(item.id,)) for item in some)


def _describe_item(item: InboxItem) -> str:
    """Return an item in a line; the words of an edit that was found on disk, or came from outside, are not repeated."""
    if item.kind in ("conflict", "correction"):  # whoever writes to the workspace can make one
        return f"{item.kind} {item.id}"
    is_claimed = item.agent != "capture" and item.get("Origin") in (
        "agent",
        "operator",
    )  # by an agent of clawgit, or the operator
    if item.kind != "candidate" and not is_claimed:
        files = commit_message.list_names(map(named, item.paths or (item.source,)))
        return f"{item.kind}: a change of {files}, found on disk or from outside"
    return f"{item.kind}: \u201c{quote(item.title)}\u201d"


def _list_news(workspace: Workspace, since: datetime, until: datetime) -> Iterator[Item]:
    """Yield what was approved without a terminal, what the review of journals found, and the agents that failed.

    Why one failed is not repeated, for it may be words of a model.
    """
    for act, when in workspace.trusted.unattended(since):
        yield Item(f"without a terminal, {when:%Y-%m-%d %H:%M}: {quote(act)}", command="clawgit trust")
    review = workspace.store.read_document(promote.REVIEW, promote.Reviewed)
    if review and since < review.at <= until and review.notes:
        words = f"{counted(review.notes, 'note')} of this week could be kept for good"
        yield Item(words, command="clawgit memory promote")
    for name, runs in _list_runs(workspace, since, until).items():
        if runs[-1].error:
            words = f"{name} failed at its last run, {runs[-1].ended[:16].replace('T', ' ')}"
            yield Item(words, command="clawgit run --list")


def _describe_due(workspace: Workspace, now: datetime) -> Part:
    """Return what is due on the day of `now` and in the week that begins with it, with its day."""
    today, rows = now.astimezone(workspace.now().tzinfo).date(), workspace.rows()
    texts = {path: workspace.read_loosely(path) for path in entries.files_of_plans(workspace.memory_files, rows)}
    plans = (plan for path, text in texts.items() for plan in due_entries.due(path, text, rows.values(), today))
    due = due_entries.coming(plans, today)
    known = [(day, one) for day, one in due if one.row and digest_text.is_known(one.row.origin)]
    names = {day: "today" if day == today else f"{day:%A} {day}" for day, _ in known}
    items = tuple(Item(f"{names[day]}: {quote(one.entry.text)}") for day, one in known)
    return Part("due", items, len(due) - len(known), "clawgit memory list --tag event")


def _describe_runs(workspace: Workspace, since: datetime, until: datetime) -> Part:
    """Return the runs that ended in a period, one line for each agent that committed or asked something."""
    lines = (_describe_run(name, runs) for name, runs in _list_runs(workspace, since, until).items())
    items = [Item(words) for words in lines if words]
    past = audit.history(workspace)
    if past and since.date().isoformat() <= past[-1].day <= until.date().isoformat():
        last = past[-1]
        before = f", {past[-2].score} on {past[-2].day}" if past[1:] else ""
        words = f"audit of memory on {last.day}: {last.score} of 100{before}; {counted(last.found, 'line')} to look at"
        items.append(Item(words, command="clawgit audit"))
    return Part(COST, tuple(items), look="clawgit run --list")


def _list_runs(workspace: Workspace, since: datetime, until: datetime) -> dict[str, list[Ran]]:
    found: dict[str, list[Ran]] = {}
    for ran in run_ledger.ledger(workspace.store):
        if since < datetime.fromisoformat(ran.ended).astimezone() <= until:
            found.setdefault(ran.agent, []).append(ran)
    return found


def _describe_run(name: str, some: list[Ran]) -> str:
    commits, read = (sum(counts) for counts in zip(*((len(ran.committed), ran.read) for ran in some), strict=True))
    names = ("calls", "read", "written", "seconds", "estimated")
    usage = {name: round(sum(ran.usage.get(name, 0) for ran in some)) for name in names}
    parts = [*([f"{read:,} read"] if read else ()), *([counted(commits, "commit")] if commits else ())]
    if usage["calls"]:
        tokens = f"{'about ' if usage['estimated'] else ''}{counted(usage['read'] + usage['written'], 'token')}"
        parts += [counted(usage["calls"], "request"), tokens, f"{usage['seconds']:,} s"]
    return f"{name}: {', '.join((counted(len(some), 'run'), *parts))}" if commits or usage["calls"] else ""
