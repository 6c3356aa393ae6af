"""Checks of lost lines, and the dismissal of losses."""

import os
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta

from msgspec import Struct

from clawgit import file_roles
from clawgit.errors import Command
from clawgit.findings.registry import Check, Finding, Ground, Level, list_findings, name_finding, read_dismissed
from clawgit.git import history, repository
from clawgit.git.history import Commit
from clawgit.git.paths import is_text
from clawgit.git.repository import Oid
from clawgit.openclaw import blank_forms
from clawgit.store.database import DISMISSED
from clawgit.store.entry_table import Moment
from clawgit.workspace import records
from clawgit.workspace.commit_message import list_names
from clawgit.workspace.file_contents import lines_of, loosely
from clawgit.workspace.line_writers import LineWriters
from clawgit.workspace.trust import arrived_programs
from clawgit.workspace.trust_review import HISTORY, Changes, find_cut
from clawgit.workspace.workspace import Workspace

REPORTED = timedelta(days=14)
WINDOW = timedelta(hours=24)
MIN_LOST_LINES, MIN_LOST_SHARE = 30, 0.4
MANY_FILES = 5
"""So many files deleted at once, or of the memory in a day, are no tidying up."""


class Version(Struct, frozen=True):
    """A file as it was from a moment on; `commit` is None for the file on disk."""

    moment: datetime
    lines: set[str]
    commit: Oid | None
    is_foreign: bool


class _History:
    """The commits of the last days, and the files in them."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace, self.now = workspace, workspace.now()
        since = f"@{int((self.now - REPORTED - WINDOW).timestamp())} +0000"
        self.commits = list(history.log(workspace.repo, since=since, renames=False)) if workspace.head else []
        self.watched = {
            file_roles.MEMORY,
            file_roles.LOWER_MEMORY,
            *workspace.memory_files,
            *filter(is_watched, file_roles.identity_files(workspace.root)),
            *filter(is_watched, workspace.trust.files),
        }

    def is_owners(self, path: str, version: Version) -> bool:
        """Return whether the owner made a version of a file, or asked the agent for it."""
        moment = Moment(version.commit, version.moment.isoformat(), "") if version.commit else None
        return LineWriters(self.workspace).is_owners_change(path, moment)

    def find_largest(self, path: str, last: Oid | None, moment: datetime) -> Oid | None:
        """Return the commit with the largest version of a file in the 24 hours up to its `last` one, at `moment`."""
        recent = (commit for commit in self.commits if timedelta(0) <= moment - commit.date <= WINDOW)
        parents = (oid for commit in recent if path in commit.paths for oid in commit.parents[:1])
        return max((last, *parents), key=lambda oid: len(lines_of(self.read(oid, path))))

    def read(self, commit: Oid | None, path: str) -> str:
        """Return the text of a file in a commit, "" if there is none."""
        return loosely(repository.read(self.workspace.repo, commit, path))


def is_watched(path: str) -> bool:
    """Return whether a file is identity or instructions: the agent's character and way of working."""
    name = file_roles.role_name(path)
    return name in (file_roles.AGENTS, file_roles.USER) or file_roles.self_description(name)


def _is_foreign(commit: Commit) -> bool:
    """Return whether somebody else wrote the content of a commit; a capture commits the words of others."""
    return not commit.ours or records.record(commit).agent == "capture"


def check_losses(ground: Ground) -> Iterator[Finding]:
    """Yield the files that are gone, on disk or by a commit of others, and those that lost much of their text."""
    past = _History(ground.workspace)
    reported: set[str] = set()
    few: list[tuple[Commit | None, str]] = []
    for commit, paths in _list_gone(ground, past):
        new = [path for path in paths if path not in reported]
        for finding in _describe_gone(past, commit, new):
            reported.update(finding.paths)
            yield finding
        is_late = commit is None or past.now - commit.date <= WINDOW
        few += [(commit, path) for path in new if is_late and path not in reported and file_roles.memory(path)]
    if len({path for _, path in few}) >= MANY_FILES:
        commits = [commit for commit, _ in few if commit]
        yield from _describe_gone(past, commits[-1] if commits else None, list(dict.fromkeys(path for _, path in few)))
    for path in sorted(past.watched - reported - set(file_roles.MAY_GO)):
        yield from _find_shrunk(past, path)


def _list_gone(ground: Ground, past: _History) -> Iterator[tuple[Commit | None, list[str]]]:
    """Yield the files that went and have not come back, by the commit that took them; None: on disk alone."""
    workspace = ground.workspace
    now = {file.path: workspace.read_loosely(file.path) for file in ground.different[0] if is_text(file.path)}
    empty_paths = [path for path, text in now.items() if not text.strip()]
    yield None, _omit_moved(past, workspace.head, empty_paths, now)
    latest: set[str] = set(empty_paths)
    for commit in past.commits:
        paths = [path for path in commit.paths if path in past.watched or path not in latest]
        latest.update(paths)
        lost_paths = [
            path for path in paths if file_roles.is_captured(path, tracked=True) and _is_gone(past, commit, path)
        ]
        if lost_paths and past.now - commit.date <= REPORTED and _is_foreign(commit):
            after = {path: past.read(commit.id, path) for path in commit.paths}
            yield commit, _omit_moved(past, commit.parents[0], lost_paths, after)


def _is_gone(past: _History, commit: Commit, path: str) -> bool:
    """Return whether a commit took a file away, or emptied it, and less than half of its lines are there now."""
    if len(commit.parents) != 1 or past.read(commit.id, path).strip():
        return False
    before = lines_of(past.read(commit.parents[0], path))
    return bool(before) and 2 * len(before & lines_of(past.workspace.read_loosely(path))) < len(before)


def _omit_moved(past: _History, before: Oid | None, gone: Iterable[str], after: Mapping[str, str]) -> list[str]:
    """Return the files that are gone, without moved ones, and those that OpenClaw removes."""
    new_texts = {text for path, text in after.items() if text and not past.read(before, path)}
    agents = past.workspace.read_loosely(file_roles.AGENTS)
    texts = {path: past.read(before, path) for path in gone}
    return [
        path
        for path, text in texts.items()
        if text.strip() and text not in new_texts and not blank_forms.may_go(path, text, None, agents)
    ]


def _describe_gone(past: _History, commit: Commit | None, paths: list[str]) -> Iterator[Finding]:
    as_of = commit.parents[0] if commit else past.workspace.head
    others = [path for path in paths if not path.startswith(file_roles.OURS)]
    many = tuple(others) if len(others) >= MANY_FILES else ()
    if many:
        kind = "journals" if all(map(file_roles.journal_day, many)) else "files"
        words = f"{len(many)} {kind} were deleted or emptied: {list_names(many)}"
        level: Level = "alarm" if past.watched & set(many) else "warning"
        yield Finding("alarm-files-gone", words, _way_back(past, as_of, many, commit), level, many)
    for path in paths:
        if path not in many and path not in file_roles.MAY_GO and (path in past.watched or file_roles.guarded(path)):
            largest = past.find_largest(path, as_of, commit.date if commit else past.now)
            size = len(lines_of(past.read(largest, path)))
            level = "alarm" if path in past.watched and size >= MIN_LOST_LINES else "warning"
            state = "was emptied" if os.path.lexists(past.workspace.root / path) else "is gone"
            state = "was deleted, and begun anew" if past.workspace.read_loosely(path).strip() else state
            words = f"{path} {state}{f', since {commit.id[:10]}' if commit else ''}"
            yield Finding("alarm-file-gone", words, _way_back(past, largest, (path,), commit), level, (path,))


def _way_back(past: _History, as_of: Oid | None, paths: tuple[str, ...], commit: Commit | None) -> Command:
    """Return the command that brings files back; of several, the folder that they lay in."""
    place = os.path.commonpath(paths) or "."
    back = f"clawgit restore {{}} --as-of {(as_of or '')[:10]}"
    if len(paths) == 1 and past.workspace.trust.said(place) is not None:
        back = "clawgit restore {} --approved"
    is_staged = commit is None and any(not repository.tracked(past.workspace.repo, path) for path in paths)
    return Command(f"git restore --staged . && {back}" if is_staged else back, place)


def _list_versions(past: _History, path: str) -> list[Version]:
    """Return the versions of a file that are known: on disk if it differs, of the last days, and the one before."""
    workspace = past.workspace
    form = blank_forms.form_lines(path, workspace.trust.said(path))
    touching = [commit for commit in past.commits if path in commit.paths and len(commit.parents) == 1]
    versions = [
        Version(commit.date, lines_of(past.read(commit.id, path)) - form, commit.id, _is_foreign(commit))
        for commit in touching
    ]
    oldest = touching[-1].parents[0] if touching else workspace.head
    first = versions[-1].moment if versions else past.now
    versions.append(Version(first - REPORTED, lines_of(past.read(oldest, path)) - form, oldest, is_foreign=False))
    disk = lines_of(workspace.read_loosely(path)) - form
    if disk != versions[0].lines:
        versions.insert(0, Version(past.now, disk, None, is_foreign=True))
    return versions


def _find_shrunk(past: _History, path: str) -> Iterator[Finding]:
    """Yield that a file lost many lines against its largest version of 24 hours, however many edits that took."""
    versions = _list_versions(past, path)
    for number, version in enumerate(versions[:-1]):
        if not version.is_foreign or not version.lines or past.now - version.moment > REPORTED:
            continue
        earlier = [candidate for candidate in versions[number + 1 :] if version.moment - candidate.moment <= WINDOW]
        earlier += versions[number + 1 + len(earlier) :][:1]  # what was in force when the window began
        before = max(earlier, key=lambda candidate: len(candidate.lines))
        is_loss = _lost_much(before, version) and _lost_much(before, versions[0])
        if not is_loss or not before.commit or past.is_owners(path, version):
            continue
        if past.workspace.trust.said(path) == past.workspace.read_loosely(path):
            return
        now, after = versions[0].lines, versions[versions.index(before) - 1]
        fix = Command(f"clawgit restore {{}} --as-of {before.commit[:10]}", path)
        if now and after.commit and _lost_much(before, after) and not file_roles.guarded(path):
            fix = Command("clawgit undo {}", after.commit[:10])
        words = f"{path} lost {len(before.lines) - len(now):,} of {len(before.lines):,} lines"
        yield Finding("alarm-shrank", f"{words} since {before.commit[:10]}", fix, "alarm", (path,))
        return


def _lost_much(before: Version, after: Version) -> bool:
    loss = len(before.lines) - len(after.lines)
    return loss >= MIN_LOST_LINES and loss >= MIN_LOST_SHARE * len(before.lines)


CHECKS = (Check("losses", check_losses, "no file lost much of its text in two weeks", "repository", quick=True),)
MAX_DISMISSED = 500
LOSSES = ("alarm-shrank", "alarm-file-gone", "alarm-files-gone")
"""What the operator dismisses by `clawgit trust`: a loss that is meant."""


def list_changes(workspace: Workspace) -> Changes:
    """Return the changes by others, besides the identity, that nobody has answered."""
    losses = (finding.message for finding in list_findings(CHECKS, Ground(workspace)) if finding.key in LOSSES)
    return Changes(
        arrived_programs.list_arrived(workspace.repo, workspace.trusted),
        find_cut(workspace),
        tuple(losses),
    )


def answer_changes(workspace: Workspace, seen: Changes) -> None:
    """Record the operator's yes to the shown changes; later ones are still to be reported."""
    findings = list_findings(CHECKS, Ground(workspace))
    losses = (name_finding(finding) for finding in findings if finding.message in seen.losses)
    names = dict.fromkeys((*read_dismissed(workspace), *losses))
    workspace.store.save_document(DISMISSED, list(names)[-MAX_DISMISSED:])
    arrived_programs.note(workspace.trusted, seen.programs)
    if seen.cut:
        workspace.trusted.keep_note(HISTORY, seen.cut.now)
