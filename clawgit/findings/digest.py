"""Gathers the news of a period for the operator."""

import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import takewhile

from msgspec import Struct
from msgspec.structs import replace

from clawgit import file_roles
from clawgit.agents import inbox_items
from clawgit.context.addition import TrustedLines
from clawgit.context.prompt_pieces import Piece
from clawgit.errors import Command, quote_shell
from clawgit.findings import audit, digest_delivery
from clawgit.findings.digest_delivery import COST, Digest, DigestItem, Part, count_of, is_known, name_file, quote
from clawgit.findings.registry import Finding
from clawgit.findings.status import read_status
from clawgit.git import history, repository
from clawgit.memory import expiry, promote
from clawgit.openclaw import blank_forms
from clawgit.store.entry_table import EntryRow, Moment
from clawgit.store.item import Item as InboxItem
from clawgit.text import document
from clawgit.text.conflict import conflicts, corrections
from clawgit.text.diff import list_gone_sections
from clawgit.text.entry import hash_entry as hash_words
from clawgit.workspace import entries, file_contents, inbox, manifest, records, run_ledger
from clawgit.workspace.commit_message import list_names
from clawgit.workspace.line_writers import LineWriters
from clawgit.workspace.memory_lines import list_bullets, list_lines
from clawgit.workspace.migration import list_format_commits
from clawgit.workspace.records import Record
from clawgit.workspace.workspace import Workspace

_BEGINNING = datetime(1970, 1, 2, tzinfo=UTC)  # git knows nothing older
MAX_QUOTES, MAX_NAMED_FILES = 3, 12
_REPEATS = re.compile(r"\w+: (?:undo|restore)\b")
_RECORDS = (file_roles.CORRECTIONS, file_roles.CONFLICTS)


def may_quote(record: Record) -> bool:
    """Return whether the words of a commit may leave the machine.

    Only if we wrote it for the operator or an agent, and no untrusted text is in it; a change that reverts or restores
    something repeats words of anybody.
    """
    return is_known(record.origin) and not (record.undoes or _REPEATS.match(record.subject))


class Happened(Struct, frozen=True):
    """The commits of a period, newest first, without merges and without those that were reverted within it.

    `before` is the commit at its beginning, None if there was none, `parents` the commit before each.
    """

    workspace: Workspace
    records: tuple[Record, ...]
    before: str | None
    parents: Mapping[str, str | None]

    def text(self, commit: str | None, path: str) -> str:
        """Return a file in a commit, "" for none."""
        return file_contents.text_of(repository.read(self.workspace.repo, commit, path)) or ""

    def compare(self, before: str | None, after: str | None, path: str) -> tuple[Counter[str], Counter[str]]:
        """Return the lines of a file that came and went between two commits; one that was indented is another."""
        texts = (self.text(commit, path) for commit in (before, after))
        old, new = (Counter(document.content(row) for row in document.split(text) if row.strip()) for text in texts)
        return new - old, old - new

    def is_there(self, commit: str | None, path: str) -> bool:
        """Return whether a commit has a file."""
        return repository.blob_id(self.workspace.repo, commit, path) is not None


def read_period(workspace: Workspace, since: datetime, after: str | None = None) -> Happened:
    """Return the commits since a moment, or those of HEAD beyond the commit `after`.

    The first commit of clawgit is left out.
    """
    repo, since = workspace.repo, max(since, _BEGINNING)
    if after and workspace.head and repository.reaches(repo, workspace.head, after):
        before, commits = after, history.walk_log(repo, start=f"{after}..HEAD")
    else:
        before = history.find_commit_at(repo, since - timedelta(seconds=1)) or ""
        dated = history.walk_log(repo, since=f"@{int(since.timestamp())} +0000")
        commits = (commit for commit in dated if commit.date >= since)  # one written anew keeps its author's day
    began = {birth.id: birth for birth in list_format_commits(repo)}
    # The files that a new workspace began with are no news.
    before = before or next((name for name, birth in began.items() if not birth.parents), "")
    managed = (commit for commit in commits if commit.id not in began)
    single = [commit for commit in managed if not commit.parents[1:]]
    parents = {commit.id: next(iter(commit.parents), None) for commit in single}
    return Happened(workspace, tuple(_omit_undone(list(map(records.record, single)))), before or None, parents)


def _omit_undone(changes: Sequence[Record]) -> Iterator[Record]:
    """Yield the changes that were not reverted, newest first; an undo of something older stays."""
    names = {name for record in changes for name in record.names}
    undone: set[str | None] = set()
    for record in changes:
        if record.names & undone:
            continue
        if record.undoes:
            undone.add(record.undoes)
        if not record.undoes or record.undoes not in names:
            yield record


def _find_undo(record: Record) -> str:
    """Return the command that takes a change back."""
    return f"clawgit undo {record.change or record.commit[:10]}"


def describe_identity(happened: Happened) -> Part:
    """Return the changes of identity files: each of clawgit's with its reason, those of others with their words."""
    items: list[DigestItem] = []
    others: dict[str, list[Record]] = defaultdict(list)
    for record in happened.records:
        paths = [path for path in record.files if file_roles.is_identity(path)]
        if paths and may_quote(record):
            items.append(_describe_own_change(record, paths))
        for path in paths if not may_quote(record) else ():
            others[path].append(record)
    items += [_describe_foreign_changes(happened, path, changes) for path, changes in others.items()]
    return Part("identity", tuple(items), look="clawgit log --identity")


def _describe_own_change(record: Record, paths: Sequence[str]) -> DigestItem:
    files = list_names(map(name_file, paths))
    subject = record.subject.partition(": ")[2] or record.subject
    details = [quote(record.why)] if record.why else []
    places = (citation.pointer.partition(' "')[0] for citation in record.evidence)  # without the words
    details += [f"evidence: {quote(place)}" for place in places]
    undo = f"clawgit soul revert {record.change}" if paths == [file_roles.SOUL] else _find_undo(record)
    return DigestItem(f"{quote(subject)} ({files}, {record.date:%Y-%m-%d %H:%M})", tuple(details), undo)


def _describe_foreign_changes(happened: Happened, path: str, changes: Sequence[Record]) -> DigestItem:
    """Return the changes of a file by others as a whole, with the words that came or went first."""
    newest = changes[0]
    came, went = happened.compare(happened.parents[changes[-1].commit], newest.commit, path)
    change = f"changed: +{came.total()} -{went.total()}"
    if not happened.is_there(newest.commit, path):
        change = "was deleted"
    elif happened.text(happened.parents[changes[-1].commit], path) == happened.text(newest.commit, path):
        change = "was changed and changed back"
    manner = f"in {len(changes)} commits" if changes[1:] else f"by {quote(newest.who)}"
    words = (*(f"+ “{quote(line)}”" for line in came), *(f"- “{quote(line)}”" for line in went))
    # The first commit of a repository stays.
    is_listed = (changes[1:] or not happened.parents[newest.commit]) and digest_delivery.is_plain_path(path)
    command = f"clawgit log {quote_shell(path)}" if is_listed else _find_undo(newest)
    text = f"{name_file(path)} {change}, {manner}, {newest.date:%Y-%m-%d %H:%M}"
    return DigestItem(text, words, command, shown=MAX_QUOTES)


def describe_memories(happened: Happened) -> Part:
    """Return the memories that came and are still there; those of others, or from outside, are counted.

    A memory that existed before is not new when it is moved or mentioned.
    """
    items: list[DigestItem] = []
    unquoted = 0
    changes = {record.commit: record for record in happened.records}
    for line in list_bullets(happened.workspace):
        is_new = line.birth and line.birth.commit in changes and line.path in happened.workspace.memory_files
        if not is_new or line.status != "live":
            continue
        commits = [moment.commit for moment in (line.birth, line.changed) if moment]
        if is_known(line.origin) and all(oid in changes and may_quote(changes[oid]) for oid in commits):
            items.append(DigestItem(f"{quote(line.text)} ({line.tag or 'memory'}, {line.id})"))
        else:
            unquoted += 1
    return Part("memories", tuple(items), unquoted, "clawgit memory list")


_MAX_LOSSES, _LOSS_LINES = 3, 10
"""Files that are named apart for the lines that they lost."""


def describe_others(happened: Happened) -> Part:
    """Return the edits outside clawgit: their authors and number, and the changes of each folder in all.

    Files that lost the most lines are named apart.
    """
    changes = [record for record in happened.records if record.claimed or not record.change]
    counts: dict[str, tuple[int, int]] = {}
    for path in sorted({path for record in changes for path in record.files}):
        if not file_roles.is_identity(path) and file_roles.is_captured(path, tracked=True):
            added, removed = Counter[str](), Counter[str]()
            for record in (record for record in changes if path in record.files):
                new_lines, old_lines = happened.compare(happened.parents[record.commit], record.commit, path)
                added, removed = added + new_lines, removed + old_lines
            counts[path] = (added - removed).total(), (removed - added).total()
    losses = sorted(counts, key=lambda path: -counts[path][1])[:_MAX_LOSSES]
    kinds: dict[str, list[str]] = defaultdict(list)
    for path in counts:
        is_apart = path in losses and counts[path][1] >= _LOSS_LINES
        kinds[path if is_apart else _name_kind(happened.workspace, path)].append(path)
    items = []
    for kind, paths in kinds.items():
        came, went = (sum(counts[path][side] for path in paths) for side in (0, 1))
        name, command = f"{len(paths):,} {kind}", ""
        if len(paths) == 1:
            name = name_file(paths[0])
            command = f"clawgit log {quote_shell(paths[0])}" if digest_delivery.is_plain_path(paths[0]) else ""
        if came or went:
            items.append(DigestItem(f"{name}: +{came:,} -{went:,} lines", command=command))
    authors = Counter(record.who for record in changes)
    if len(changes) > 1 and items:
        names = list_names((f"{quote(name)} ({count:,})" for name, count in authors.most_common()), limit=5)
        items.insert(0, DigestItem(f"{count_of(len(changes), 'commit')}: {names}", command="clawgit log"))
    return Part("others", tuple(items), look="clawgit log", total=count_of(len(changes), "commit") if items else "")


def _name_kind(workspace: Workspace, path: str) -> str:
    """Return the name of files that are counted together; memory files and those of clawgit are counted alone."""
    if path in (*workspace.memory_files, *_RECORDS) or path.startswith(file_roles.OURS):
        return path
    if file_roles.journal_day(path):
        return "journals"
    folder = path.rpartition("/")[0]
    name = name_file(folder)
    return (
        f"files in {digest_delivery.ODD_FOLDER if name == digest_delivery.ODD else name}"
        if folder
        else "files at the top"
    )


def describe_corrections(happened: Happened) -> Part:
    """Return the corrections; a record by others, or with words of others, is counted."""
    path = file_roles.CORRECTIONS
    new: dict[str, tuple[str, str] | None] = {}
    for record in reversed(happened.records):
        if path in record.files:
            past_ids = {item.id for item in corrections(happened.text(happened.parents[record.commit], path))}
            fresh = [item for item in corrections(happened.text(record.commit, path)) if item.id not in past_ids]
            new |= {item.id: item.values if may_quote(record) else None for item in fresh}
    present = [item for item in corrections(happened.text(happened.workspace.head, path)) if item.id in new]
    items: list[DigestItem] = []
    for correction in present:
        if correction.id and new[correction.id] == correction.values:
            wrong, true = (quote(side) for side in correction.values)
            words = f"not “{wrong}” but “{true}”" if wrong else f"“{true}” is so"
            items.append(DigestItem(words, command=f"clawgit show {correction.id}"))
    return Part("corrections", tuple(items), len(present) - len(items), "clawgit corrections")


def describe_conflicts(happened: Happened) -> Part:
    """Return the conflicts that were found or decided, without their words: anybody can write one."""
    path = file_roles.CONFLICTS
    before = {conflict.id: conflict.open for conflict in conflicts(happened.text(happened.before, path))}
    is_touched = any(path in record.files for record in happened.records)
    now = conflicts(happened.text(happened.workspace.head, path)) if is_touched else ()
    changes = ((item.id, "open" if item.open else "resolved") for item in now if before.get(item.id) != item.open)
    items = tuple(DigestItem(f"conflict {name} is {state}", command=f"clawgit show {name}") for name, state in changes)
    return Part("conflicts", items, look="clawgit log CONFLICTS.md")


def list_gone(happened: Happened) -> Iterator[DigestItem]:
    """Yield removed and still missing files, each with the command that brings it back: files by the last change."""
    reported_paths = set[str]()
    agents = happened.text(happened.workspace.head, file_roles.AGENTS)
    for record in happened.records:
        parent = happened.parents[record.commit]
        # Of a file that was renamed, the commit names the new path alone.
        gone = (path for path in record.files if not happened.is_there(record.commit, path))
        fresh = (path for path in gone if path not in reported_paths)
        paths = [path for path in fresh if _was_removed(happened, parent, path, agents)]
        reported_paths.update(paths)
        if paths:
            place = os.path.commonpath(paths) or "."
            back = f"clawgit restore {quote_shell(place)} --as-of {(parent or '')[:10]}"
            words = "was removed" if len(paths) == 1 else "were removed in one change"
            command = back if digest_delivery.is_plain_path(place) else _find_undo(record)
            yield DigestItem(f"{list_names(map(name_file, paths))} {words}", command=command)
    yield from _list_gone_sections(happened)
    yield from _list_gone_memories(happened)


def _was_removed(happened: Happened, parent: str | None, path: str, agents: str) -> bool:
    if not file_roles.is_captured(path, tracked=True) or happened.is_there(happened.workspace.head, path):
        return False
    was_there = happened.is_there(parent, path)
    # OpenClaw itself removes a ritual that is over, and moves TOOLS.md into AGENTS.md.
    return was_there and not blank_forms.may_go(path, happened.text(parent, path), None, agents)


def _list_gone_sections(happened: Happened) -> Iterator[DigestItem]:
    """Yield the sections that others took out of files; a title of an untrusted writer is not quoted."""
    repo, before, head = happened.workspace.repo, happened.before, happened.workspace.head
    changes = (record for record in happened.records if record.claimed or not record.change)
    paths = {path for record in changes for path in record.files if happened.is_there(head, path)}
    paths = {path for path in paths if file_roles.is_memory_or_settings(path) and not file_roles.is_identity(path)}
    present = {hash_words(line.text) for line in list_lines(happened.workspace)} if paths else set()
    writers = LineWriters(happened.workspace)
    for path in sorted(paths):
        old, new = (happened.text(commit, path) for commit in (before, head))
        for section, count in list_gone_sections(old, new, present):
            (heading,) = history.blame(repo, path, before, (section.line, section.line))
            birth = history.commit(repo, heading.commit or before or "")
            moment = Moment(birth.id, birth.date.isoformat(), birth.author)
            is_safe = digest_delivery.is_plain_path(path) and digest_delivery.may_leave(section.title)
            name, command = "a section", "clawgit log"
            if is_safe and writers.is_trusted(path, heading.text, moment):
                name = f"the section “{quote(section.title)}”"
                command = f"clawgit restore {quote_shell(f'{path}#{section.title}')}"
            yield DigestItem(f"{name} of {name_file(path)} is gone: {count_of(count, 'line')}", command=command)


def _list_gone_memories(happened: Happened) -> Iterator[DigestItem]:
    """Yield the memories that clawgit knew and that no file has any more; those of one file together."""
    rows, commits = happened.workspace.rows(), {record.commit for record in happened.records}
    present = {hash_words(line.text) for line in list_bullets(happened.workspace)}
    changes = {item.id for item in corrections(happened.text(happened.workspace.head, file_roles.CORRECTIONS))}
    corrected_ids = {
        key for key, row in rows.items() if (row.hash in present if row.status == "live" else row.by in changes)
    }
    losses: dict[str, list[EntryRow]] = defaultdict(list)
    with happened.workspace.open_table() as table:
        for entry in table.find(removed=True):
            # Lines of the identity are news of the identity, and not for anybody to restore.
            is_memory = entry.id in rows.keys() - corrected_ids and not file_roles.is_identity(entry.path)
            has_row = is_memory and rows[entry.id].status in ("live", "tombstone")
            is_gone = entry.by and entry.by.commit in commits and not table.find(key=entry.key)
            if has_row and is_gone and happened.is_there(happened.workspace.head, entry.path):
                losses[entry.path].append(entry)
    for path, group in losses.items():
        quotes = tuple(f"“{quote(entry.text)}”" for entry in group if is_known(rows[entry.id].origin))
        words = f"{count_of(len(group), 'line')} of memory gone from {name_file(path)}"
        command = f"clawgit restore {' '.join(entry.id for entry in group[:MAX_NAMED_FILES])}"
        yield DigestItem(words, quotes, command, shown=MAX_QUOTES)


_MAX_DETAILS = 3  # findings or items of one kind that are listed one by one
_STATUS = "clawgit status"
_FIRST, _LONGEST_FIRST = timedelta(days=1), timedelta(days=30)


def make_digest(workspace: Workspace, since: datetime, now: datetime, after: str | None = None) -> Digest:
    """Return the news since a moment, or beyond the commit `after`, for the operator (spec P16).

    No secret is in it, and of untrusted text only changes of the identity. Reads, and touches nothing.
    """
    happened = read_period(workspace, since, after)
    findings = read_status(workspace)
    waiting = (
        *_list_waiting_items(workspace),
        *(map(_describe_finding, (*findings.alarms, *findings.untrusted)) if workspace.managed else ()),
        *_list_review_news(workspace, since, now),
    )
    parts = (
        Part("waiting", tuple(dict.fromkeys(waiting)), look=_STATUS),
        _describe_due(workspace, now),
        describe_identity(happened),
        describe_memories(happened),
        describe_others(happened),
        describe_corrections(happened),
        describe_conflicts(happened),
        Part("removals", tuple(list_gone(happened)), look="clawgit log"),
        _describe_runs(workspace, since, now),
    )
    return Digest(quote(workspace.root.name), since, now, workspace.head, parts)


def since_last(workspace: Workspace, now: datetime) -> Digest:
    """Return the digest since the last one that was sent, at first since the workspace was adopted.

    If that was less than a day ago, or more than 30, the first is of the last day.
    """
    sent = list(digest_delivery.notes(workspace.store).values())
    if not sent:
        birth = next(list_format_commits(workspace.repo), None)
        adopted = birth.date if birth else now
        since = adopted if _FIRST < now - adopted < _LONGEST_FIRST else now - _FIRST
        return make_digest(workspace, since, now, birth.id if birth and adopted >= since else None)
    last = sent[-1]
    report = make_digest(workspace, min(datetime.fromisoformat(last.until), now), now, last.head)
    report = replace(report, waits=last.waits)
    if doubtful := list(takewhile(lambda note: note.state in ("sending", "unsure"), reversed(sent))):
        first, *others = report.parts
        moment = f"{datetime.fromisoformat(doubtful[-1].until):%Y-%m-%d %H:%M}"
        command = f"clawgit digest --since {doubtful[-1].since}"
        warning = DigestItem(f"the digest of {moment} may not have arrived", command=command)
        report = replace(report, parts=(replace(first, items=(warning, *first.items)), *others))
    return report


def _describe_finding(finding: Finding) -> DigestItem:
    """Return a finding as it may leave the machine: no odd names, a fix only if it stays whole and reveals nothing."""
    if not all(map(digest_delivery.is_plain_path, finding.paths)):
        names = list_names(map(name_file, finding.paths))
        return DigestItem(f"{finding.key}: a finding about {names}", command=_STATUS, keys=(finding.message,))
    fix = str(finding.fix)
    command = fix if isinstance(finding.fix, Command) and digest_delivery.may_leave(fix) else _STATUS
    is_sentence = bool(fix) and not isinstance(finding.fix, Command) and quote(fix) == fix
    details = (f"{fix[:1].upper()}{fix[1:]}.",) if is_sentence else ()
    text = quote(finding.told or finding.message)
    return DigestItem(text, details, command, keys=(finding.message,))


def _list_waiting_items(workspace: Workspace) -> Iterator[DigestItem]:
    """Yield the items of the inbox but expired ones, those of one kind together if there are many."""
    inbox_items.refresh_candidates(workspace)
    now = workspace.now()
    by_kind: dict[str, list[InboxItem]] = {}
    for item in inbox.list_items(workspace):
        if item.kind != "settings" and not item.is_expired(now):  # the findings have settings
            by_kind.setdefault(item.kind, []).append(item)
    for kind, group in by_kind.items():
        if len(group) <= _MAX_DETAILS:
            yield from (DigestItem(_describe_item(row), (), f"clawgit show {row.id}", keys=(row.id,)) for row in group)
            continue
        details = tuple(map(_describe_item, group[:_MAX_DETAILS]))
        words, keys = f"{count_of(len(group), 'item')} of the inbox: {kind}", tuple(item.id for item in group)
        yield DigestItem(words, details, f"clawgit inbox --kind {kind}", keys=keys)


def _describe_item(item: InboxItem) -> str:
    """Return an item in a line; the words of an edit that was found on disk, or came from outside, are not repeated."""
    if item.kind in ("conflict", "correction"):  # whoever writes to the workspace can make one
        return f"{item.kind} {item.id}"
    is_claimed = item.agent != "capture" and is_known(item.get("Origin"))
    if item.kind != "candidate" and not is_claimed:
        files = list_names(map(name_file, item.paths or (item.source,)))
        writer = f"proposed by {item.agent}" if item.agent in manifest.WRITERS else "found on disk or from outside"
        return f"{item.kind}: a change of {files}, {writer}"
    return f"{item.kind}: \u201c{quote(item.words)}\u201d"


def _list_review_news(workspace: Workspace, since: datetime, until: datetime) -> Iterator[DigestItem]:
    """Yield approvals without a terminal, findings of the review of journals, and the agents that failed.

    The reason of a failure is not repeated, for it may be words of a model.
    """
    for act, moment in workspace.trusted.unattended(since):
        yield DigestItem(f"without a terminal, {moment:%Y-%m-%d %H:%M}: {quote(act)}", command="clawgit log")
    review = workspace.store.read_document(promote.REVIEW, promote.Reviewed)
    if review and since < review.at <= until and review.notes:
        words = f"{count_of(review.notes, 'note')} of this week could be kept for good"
        yield DigestItem(words, command="clawgit memory promote")
    for name, runs in _list_runs_by_agent(workspace, since, until).items():
        if runs[-1].error:
            words = f"{name} failed at its last run, {runs[-1].ended[:16].replace('T', ' ')}"
            yield DigestItem(words, command="clawgit run --list")


def _describe_due(workspace: Workspace, now: datetime) -> Part:
    """Return the entries due on the day of `now` and in the week that begins with it, with their days."""
    today, rows = now.astimezone(workspace.now().tzinfo).date(), workspace.rows()
    texts = {path: workspace.read_loosely(path) for path in entries.files_of_plans(workspace.memory_files, rows)}
    due = expiry.list_coming(texts, rows, today)
    pieces = [Piece(plan.path, plan.entry.start, plan.entry.end, plan.entry.text) for _, plan in due]
    shown = {(line.path, line.start) for line in TrustedLines(workspace).omit(pieces)} if workspace.managed else set()
    plans = [
        (day, plan)
        for day, plan in due
        if (plan.path, plan.entry.start) in shown or (plan.row and is_known(plan.row.origin))
    ]
    names = {day: "today" if day == today else f"{day:%A} {day}" for day, _ in plans}
    items = tuple(DigestItem(f"{names[day]}: {quote(plan.entry.text)}") for day, plan in plans)
    return Part("due", items, len(due) - len(plans), "clawgit memory list --tag event")


def _describe_runs(workspace: Workspace, since: datetime, until: datetime) -> Part:
    """Return the runs that ended in a period, one line for each agent that committed or asked something."""
    lines = (_describe_run(name, runs) for name, runs in _list_runs_by_agent(workspace, since, until).items())
    items = list(map(DigestItem, filter(None, lines)))
    past = audit.history(workspace)
    if past and since.date().isoformat() <= past[-1].day <= until.date().isoformat():
        last = past[-1]
        before = f", {past[-2].score} on {past[-2].day}" if past[1:] else ""
        words = f"audit of memory on {last.day}: {last.score} of 100{before}; {count_of(last.found, 'line')} to look at"
        items.append(DigestItem(words, command="clawgit doctor --memory"))
    return Part(COST, tuple(items), look="clawgit run --list")


def _list_runs_by_agent(workspace: Workspace, since: datetime, until: datetime) -> dict[str, list[run_ledger.Ran]]:
    runs: dict[str, list[run_ledger.Ran]] = {}
    for ran in run_ledger.ledger(workspace.store):
        if since < datetime.fromisoformat(ran.ended).astimezone() <= until:
            runs.setdefault(ran.agent, []).append(ran)
    return runs


def _describe_run(name: str, runs: list[run_ledger.Ran]) -> str:
    commits, read = (sum(counts) for counts in zip(*((len(ran.committed), ran.read) for ran in runs), strict=True))
    names = ("calls", "read", "written", "seconds", "estimated")
    usage = {name: round(sum(ran.usage.get(name, 0) for ran in runs)) for name in names}
    parts = [*([f"{read:,} read"] if read else ()), *([count_of(commits, "commit")] if commits else ())]
    if usage["calls"]:
        tokens = f"{'about ' if usage['estimated'] else ''}{count_of(usage['read'] + usage['written'], 'token')}"
        parts += [count_of(usage["calls"], "request"), tokens, f"{usage['seconds']:,} s"]
    return f"{name}: {', '.join((count_of(len(runs), 'run'), *parts))}" if commits or usage["calls"] else ""
