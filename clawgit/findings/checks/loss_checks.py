"""Checks of lost lines and of the identity."""

import os
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta

from msgspec import Struct

from clawgit import file_roles
from clawgit.errors import ClawgitError, Command
from clawgit.findings.registry import Check, CheckInput, Finding, Level, list_findings, name_finding, read_dismissed
from clawgit.git import foreign_programs, history, repository
from clawgit.git.history import Commit
from clawgit.git.paths import is_text
from clawgit.git.repository import Oid
from clawgit.openclaw import blank_forms
from clawgit.safety.redaction import redact
from clawgit.store.database import DISMISSED
from clawgit.store.entry_table import Moment
from clawgit.workspace import approvals, identity_policy, inbox, records, trust_review
from clawgit.workspace.commit_message import fold_spaces, list_names, shorten
from clawgit.workspace.config import Config
from clawgit.workspace.file_contents import lines_of, to_text
from clawgit.workspace.identity_enforcement import deviations
from clawgit.workspace.line_writers import LineWriters
from clawgit.workspace.trust_review import Changes
from clawgit.workspace.workspace import Workspace

REPORTED = timedelta(days=14)
WINDOW = timedelta(hours=24)
MIN_LOST_LINES, MIN_LOST_SHARE = 30, 0.4
MIN_LOST_CHARS, MIN_LOST_HALF = 200, 0.5
"""So much of the text of an identity file is a warning, though it is few lines."""
MANY_FILES = 5
"""So many files deleted at once, or of the memory in a day, are no tidying up."""


class DatedFile(Struct, frozen=True):
    """A file as it was from a moment on; `commit` is None for the file on disk."""

    moment: datetime
    lines: set[str]
    commit: Oid | None
    is_foreign: bool

    @property
    def size(self) -> int:
        """The characters of its lines."""
        return sum(map(len, self.lines))


class _History:
    """The commits of the last days, and the files in them."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace, self.now = workspace, workspace.now()
        since = f"@{int((self.now - REPORTED - WINDOW).timestamp())} +0000"
        self.commits = list(history.walk_log(workspace.repo, since=since, renames=False)) if workspace.head else []
        self.watched = {
            file_roles.MEMORY,
            file_roles.LOWER_MEMORY,
            *workspace.memory_files,
            *filter(is_watched, file_roles.identity_files(workspace.root)),
            *filter(is_watched, workspace.trust.files),
        }

    def is_owners(self, path: str, version: DatedFile) -> bool:
        """Return whether the owner made a version of a file, or asked the agent for it."""
        moment = Moment(version.commit, version.moment.isoformat(), "") if version.commit else None
        return LineWriters(self.workspace).is_owners_change(path, moment)

    def find_largest(self, path: str, last: Oid | None, moment: datetime) -> Oid | None:
        """Return the commit with the largest version of a file in the 24 hours up to its `last` one, at `moment`."""
        recent = (commit for commit in self.commits if timedelta(0) <= moment - commit.date <= WINDOW)
        parents = (oid for commit in recent if path in commit.paths for oid in commit.parents[:1])
        return max((last, *parents), key=lambda oid: len(list_content(path, self.read(oid, path))))

    def read(self, commit: Oid | None, path: str) -> str:
        """Return the text of a file in a commit, "" if there is none."""
        return to_text(repository.read(self.workspace.repo, commit, path))


def list_content(path: str, text: str) -> set[str]:
    """Return the lines of a file, without those of a blank form."""
    return lines_of(text) - blank_forms.form_lines(path, text)


def is_watched(path: str) -> bool:
    """Return whether a file is identity or instructions: the agent's character and way of working."""
    name = file_roles.role_name(path)
    return name in (file_roles.AGENTS, file_roles.USER) or file_roles.self_description(name)


def _is_foreign(commit: Commit) -> bool:
    """Return whether somebody else wrote the content of a commit; a capture commits the words of others."""
    return not commit.ours or records.record(commit).agent == "capture"


def check_losses(ground: CheckInput) -> Iterator[Finding]:
    """Yield the files that are gone, on disk or by a commit of others, and those that lost much of their text."""
    past = _History(ground.workspace)
    reported: set[str] = set()
    rows: list[tuple[Commit | None, str]] = []
    for commit, paths in _list_gone(ground, past):
        new = [path for path in paths if path not in reported]
        for finding in _describe_gone(past, commit, new):
            reported.update(finding.paths)
            yield finding
        rows += [(commit, path) for path in new if path not in reported and file_roles.is_memory_or_settings(path)]
    late = [(commit, path) for commit, path in rows if commit is None or past.now - commit.date <= WINDOW]
    if len({path for _, path in late}) >= MANY_FILES:
        commits = [commit for commit, _ in late if commit]
        paths = list(dict.fromkeys(path for _, path in late))
        for finding in _describe_gone(past, commits[-1] if commits else None, paths):
            reported.update(finding.paths)
            yield finding
    for commit, path in rows:
        if path not in reported:
            reported.add(path)
            fix = _make_restore_fix(past, commit.parents[0] if commit else past.workspace.head, (path,), commit)
            words = f"{path} was deleted or emptied{f', in {commit.id[:10]}' if commit else ''}"
            yield Finding("memory-gone", words, fix, "notice", (path,))
    for path in sorted(past.watched - reported - set(file_roles.MAY_GO)):
        yield from _find_shrunk(past, path)


def _list_gone(ground: CheckInput, past: _History) -> Iterator[tuple[Commit | None, list[str]]]:
    """Yield the files that went and have not come back, by the commit that took them; None: on disk alone."""
    workspace = ground.workspace
    now = {file.path: workspace.read_loosely(file.path) for file in ground.different[0] if is_text(file.path)}
    empty_paths = [path for path, text in now.items() if not list_content(path, text)]
    yield None, _omit_moved(past, workspace.head, empty_paths, now)
    latest: set[str] = set(empty_paths)
    for commit in past.commits:
        paths = [path for path in commit.paths if path in past.watched or path not in latest]
        latest.update(paths)
        lost_paths = [
            path for path in paths if file_roles.is_captured(path, tracked=True) and _deletes_file(past, commit, path)
        ]
        if lost_paths and past.now - commit.date <= REPORTED and _is_foreign(commit):
            after = {path: past.read(commit.id, path) for path in commit.paths}
            yield commit, _omit_moved(past, commit.parents[0], lost_paths, after)


def _deletes_file(past: _History, commit: Commit, path: str) -> bool:
    """Return whether a commit took a file away, or left no content, and less than half of its lines are there now.

    Nor is half of its largest version of the day there, which would be restored.
    """
    if len(commit.parents) != 1 or list_content(path, past.read(commit.id, path)):
        return False
    parent, now = commit.parents[0], lines_of(past.workspace.read_loosely(path))
    versions = (
        list_content(path, past.read(oid, path)) for oid in (parent, past.find_largest(path, parent, commit.date))
    )
    return all(before and 2 * len(before & now) < len(before) for before in versions)


def _omit_moved(past: _History, before: Oid | None, lost_paths: Iterable[str], after: Mapping[str, str]) -> list[str]:
    """Return the lost files: neither removed by OpenClaw, nor moved or archived; memory may move to captured files."""
    new_texts = {
        (text, file_roles.is_captured(path)) for path, text in after.items() if text and not past.read(before, path)
    }
    agents = past.workspace.read_loosely(file_roles.AGENTS)
    texts = {path: past.read(before, path) for path in lost_paths}
    return [
        path
        for path, text in texts.items()
        if list_content(path, text)
        and not new_texts & {(text, True), (text, file_roles.is_memory_or_settings(path))}
        and not blank_forms.may_go(path, text, None, agents)
        and not _reached_archive(past, path, text)
    ]


def _reached_archive(past: _History, path: str, text: str) -> bool:
    """Return whether an archive has most lines of a journal, as after a compaction on another machine."""
    from clawgit.memory import compact  # noqa: PLC0415 - few files are lost

    if (day := file_roles.journal_day(path)) is None:
        return False
    journal = compact.Journal(path, day, text)
    places = compact.place_archive(day), compact.place_archive(day, "quarterly")
    lines = lines_of(journal.words)
    archives = (archive for archive in map(past.workspace.read_loosely, places) if journal.source in archive)
    return any(2 * len(lines & lines_of(archive)) > len(lines) for archive in archives)


def _describe_gone(past: _History, commit: Commit | None, paths: list[str]) -> Iterator[Finding]:
    as_of = commit.parents[0] if commit else past.workspace.head
    others = [path for path in paths if not path.startswith(file_roles.OURS)]
    many = tuple(others) if len(others) >= MANY_FILES else ()
    if many:
        kind = "journals" if all(map(file_roles.journal_day, many)) else "files"
        words = f"{len(many)} {kind} were deleted or emptied: {list_names(many)}"
        level: Level = "alarm" if past.watched & set(many) else "warning"
        yield Finding("alarm-files-gone", words, _make_restore_fix(past, as_of, many, commit), level, many)
    for path in paths:
        if (
            path not in many
            and path not in file_roles.MAY_GO
            and (path in past.watched or file_roles.is_identity(path))
        ):
            largest = past.find_largest(path, as_of, commit.date if commit else past.now)
            size = len(lines_of(past.read(largest, path)))
            level = "alarm" if path in past.watched and size >= MIN_LOST_LINES else "warning"
            state = "was emptied" if os.path.lexists(past.workspace.root / path) else "is gone"
            is_anew = list_content(path, past.workspace.read_loosely(path))
            state = "was deleted, and begun anew" if is_anew else state
            words = f"{path} {state}{f', since {commit.id[:10]}' if commit else ''}"
            yield Finding("alarm-file-gone", words, _make_restore_fix(past, largest, (path,), commit), level, (path,))


def _make_restore_fix(past: _History, as_of: Oid | None, paths: tuple[str, ...], commit: Commit | None) -> Command:
    """Return the command that brings files back; of several, the folder that they lay in."""
    place = os.path.commonpath(paths) or "."
    back = f"clawgit restore {{}} --as-of {(as_of or '')[:10]}"
    approved = past.workspace.trust.said(place) if len(paths) == 1 else None
    if approved is not None and list_content(place, approved):
        back = "clawgit restore {} --approved"
    # A staged deletion counts as open work in git, and would hold the file back.
    is_staged = commit is None and any(not repository.tracked(past.workspace.repo, path) for path in paths)
    return Command(f"git restore --staged . && {back}" if is_staged else back, place)


def _list_recent_versions(past: _History, path: str) -> list[DatedFile]:
    """Return the versions of a file that are known: on disk if it differs, of the last days, and the one before."""
    workspace = past.workspace
    form = blank_forms.form_lines(path, workspace.trust.said(path))
    touching = [commit for commit in past.commits if path in commit.paths and len(commit.parents) == 1]
    versions = [
        DatedFile(commit.date, lines_of(past.read(commit.id, path)) - form, commit.id, _is_foreign(commit))
        for commit in touching
    ]
    oldest = touching[-1].parents[0] if touching else workspace.head
    first = versions[-1].moment if versions else past.now
    versions.append(DatedFile(first - REPORTED, lines_of(past.read(oldest, path)) - form, oldest, is_foreign=False))
    disk = lines_of(workspace.read_loosely(path)) - form
    if disk != versions[0].lines:
        versions.insert(0, DatedFile(past.now, disk, None, is_foreign=True))
    approved = workspace.trust.said(path)
    # A loss before the approved version was approved with it.
    settled = (number for number, version in enumerate(versions) if version.lines == lines_of(approved or "") - form)
    return versions[: next(settled, len(versions)) + 1] if approved is not None else versions


def _find_shrunk(past: _History, path: str) -> Iterator[Finding]:
    """Yield that a file lost much against its largest version of 24 hours, however many edits that took."""
    versions = _list_recent_versions(past, path)
    for number, version in enumerate(versions[:-1]):
        if not version.is_foreign or not version.lines or past.now - version.moment > REPORTED:
            continue
        earlier = [candidate for candidate in versions[number + 1 :] if version.moment - candidate.moment <= WINDOW]
        earlier += versions[number + 1 + len(earlier) :][:1]  # what was in force when the window began
        most_lines = max(earlier, key=lambda candidate: len(candidate.lines))
        for before in (most_lines, max(earlier, key=lambda candidate: candidate.size)):
            levels = [_rate_loss(path, before, later) for later in (version, versions[0])]
            if all(levels):
                break
        if not all(levels) or not before.commit or past.is_owners(path, version):
            continue
        later_versions = versions[: versions.index(before)]
        now, after = versions[0].lines, later_versions[-1]
        fix = Command(f"clawgit restore {{}} --as-of {before.commit[:10]}", path)
        if now and after.commit and _rate_loss(path, before, after) and not file_roles.is_identity(path):
            fix = Command("clawgit undo {}", after.commit[:10])
        words = f"{path} lost {len(before.lines) - len(now):,} of {len(before.lines):,} lines"
        if "warning" in levels:
            words = f"{path} lost at least half of its text"
        level: Level = "warning" if "warning" in levels else "alarm"
        # The file may grow again: the same loss keeps its name.
        facts = f"{path} {before.commit} {min(len(later.lines) for later in later_versions)}"
        yield Finding("alarm-shrank", f"{words} since {before.commit[:10]}", fix, level, (path,), facts=facts)
        return


def _rate_loss(path: str, before: DatedFile, after: DatedFile) -> Level | None:
    """Return an alarm for the loss of many lines, a warning for half the text of identity, None for less."""
    loss = len(before.lines) - len(after.lines)
    if loss >= MIN_LOST_LINES and loss >= MIN_LOST_SHARE * len(before.lines):
        return "alarm"
    is_half = before.size >= MIN_LOST_CHARS and after.size <= MIN_LOST_HALF * before.size
    return "warning" if is_half and is_watched(path) else None


CHECKS = (Check("losses", check_losses, "no file lost much of its text in two weeks", "repository", quick=True),)
MAX_DISMISSED = 500
LOSSES = ("alarm-shrank", "alarm-file-gone", "alarm-files-gone")
"""What the operator dismisses by `clawgit trust`: a loss that is meant."""


def list_changes(workspace: Workspace) -> Changes:
    """Return the changes by others, besides the identity, that nobody has answered."""
    losses = (finding.message for finding in list_findings(CHECKS, CheckInput(workspace)) if finding.key in LOSSES)
    return Changes(approvals.list_arrived(workspace.repo, workspace.trusted), tuple(losses))


def answer_changes(workspace: Workspace, changes: Changes) -> None:
    """Record the operator's yes to the shown changes; later ones are still to be reported."""
    findings = list_findings(CHECKS, CheckInput(workspace))
    losses = (name_finding(finding) for finding in findings if finding.message in changes.losses)
    names = dict.fromkeys((*read_dismissed(workspace), *losses))
    workspace.store.save_document(DISMISSED, list(names)[-MAX_DISMISSED:])
    approvals.record_programs(workspace.trusted, changes.programs)


_TRUST = Command("clawgit trust")
_PUT_BACK = Command("clawgit capture", note="or, to approve it: clawgit trust")
MAX_QUOTE_CHARS = 60


def check_identity(ground: CheckInput) -> Iterator[Finding]:
    """Yield differences of the identity from its approval: an alarm if the policy forbids them."""
    workspace = ground.workspace
    if identity_policy.is_enforced(workspace):
        yield from _list_deviations(workspace)
    elif workspace.managed and workspace.trust.known:
        yield from _find_lost_identity_lines(workspace)
        for edit in trust_review.count_edits(workspace):
            words = f"{edit.path} was edited since you approved it (+{edit.added} -{edit.removed})"
            yield Finding("identity-edited", words, _TRUST, "notice", (edit.path,))


def _list_deviations(workspace: Workspace) -> Iterator[Finding]:
    for deviation in deviations(workspace):
        words = f"{deviation.reason}; what you approved is served instead"
        level: Level = "warning" if deviation.kind == "earlier" else "alarm"
        yield Finding("identity-unapproved", words, _PUT_BACK, level, (deviation.path,))
    paths: set[str] = set()
    for item in inbox.list_items(workspace, "identity", "quarantine"):
        path = next(iter(item.paths), item.source)
        if (
            path not in paths
            and file_roles.is_identity(path)
            and (item.kind == "quarantine" or item.agent == "capture")
        ):
            paths.add(path)
            words = f"{path} was edited against soul_policy; the edit was taken out and waits"
            yield Finding("identity-changed", words, Command("clawgit show {}", item.id), "alarm", (path,))


def _find_lost_identity_lines(workspace: Workspace) -> Iterator[Finding]:
    for path in filter(is_watched, trust_review.list_identity_paths(workspace)):
        text = trust_review.read_standing_text(workspace, path)
        if workspace.trust.said(path) is None and text and not blank_forms.is_blank(path, text):
            words = f"{path} is new, and goes into every prompt"
            fix = Command("rm {} && clawgit capture", path, note="or, if it is yours: clawgit trust")
            yield Finding("identity-unapproved", words, fix, paths=(path,))
        lines = identity_policy.find_lost_lines(workspace.trust, path, text)
        if lines:
            words = redact(shorten(fold_spaces(lines[0]), MAX_QUOTE_CHARS))
            suffix = f" and {len(lines) - 1} more" if lines[1:] else ""
            message = f"{path} lacks a line that you approved: “{words}”{suffix}"
            fix = Command("clawgit restore {} --approved", path, note="or, if it is meant: clawgit trust")
            yield Finding("identity-lines-lost", message, fix, paths=(path,))


def check_approvals(ground: CheckInput) -> Iterator[Finding]:
    """Yield the operator's pending decisions, or that nothing was approved yet."""
    workspace = ground.workspace
    if not workspace.managed:
        return
    for name in sorted(foreign_programs.filters_off(workspace.root)):
        words = f"filter.{name} is a program of this repository's own, and off"
        fix = foreign_programs.accept_filter(workspace.root, name)
        yield Finding("git-filter", words, fix, paths=(f"filter.{name}",))
    if came := approvals.list_arrived(workspace.repo, workspace.trusted):
        paths = approvals.list_paths(came)
        yield Finding("alarm-extension", approvals.describe_programs(came), _TRUST, paths=paths)
    if not workspace.trust.known:
        words = "nothing here is approved yet: a clone or a copy inherits no approvals"
        yield Finding("identity-unapproved", words, _TRUST, "notice")
    for path in trust_review.list_waiting(workspace):
        yield Finding("identity-unapproved", f"{path} is not as you approved it", _TRUST, paths=(path,))
    for key in trust_review.list_keys(workspace):
        place = f"{file_roles.CONFIG}:{key.line}" if key.line else file_roles.CONFIG
        words = f"{place}: {key.key.name} says {key.untrusted}; {key.value or 'nothing'} is used"
        if key.changed:
            are, pronoun = ("is", "it") if len(key.changed) == 1 else ("are", "them")
            files = f"{list_names(key.changed)}, which {are} not as you approved {pronoun}"
            words = f"{place}: {key.key.name} names {files}; nothing is run"
        summary = f"{place}: {key.key.name} is not as you approved it"
        yield Finding("setting-unapproved", words, _TRUST, paths=(file_roles.CONFIG,), line=key.line or 0, told=summary)


def check_config(ground: CheckInput) -> Iterator[Finding]:
    """Yield the values of CONFIG.md that cannot be used."""
    for problem in list_setting_problems(ground.workspace.config):
        paths = problem.paths or (file_roles.CONFIG,)
        summary = f"{paths[0]}: a value or key that cannot be used"
        yield Finding("setting-invalid", problem.message, problem.fix, paths=paths, told=summary)


def list_setting_problems(config: Config) -> list[ClawgitError]:
    """Return the problems of CONFIG.md; if there are no others those of patterns."""
    problems = {str(problem): problem for problem in config.problems()}
    if not problems and config.value("heartbeat_custom_patterns"):
        from clawgit.messages.triage import read_patterns  # noqa: PLC0415 - few have patterns of their own

        problems = {str(problem): problem for problem in read_patterns(config).problems}
    return list(problems.values())


APPROVALS = Check("approvals", check_approvals, "nothing came that you have not approved", "repository", quick=True)
CONFIG = Check("CONFIG.md", check_config, "every value can be used", quick=True)
IDENTITY = (
    Check("approved identity", check_identity, "nothing differs from what you approved", "repository", quick=True),
    APPROVALS,
)
