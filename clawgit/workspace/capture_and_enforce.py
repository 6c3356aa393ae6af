"""Captures edits of others; puts back unapproved ones."""

import contextlib
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit import file_roles
from clawgit.errors import BusyError, ClawgitError, DiskError
from clawgit.git import git_state, recovery
from clawgit.git.paths import check
from clawgit.git.repository import Oid
from clawgit.workspace import approvals, capture, entries, line_writers, outgoing_secrets, records, workspace_base
from clawgit.workspace.change import Captured
from clawgit.workspace.file_contents import read_quietly
from clawgit.workspace.identity_enforcement import Enforced, enforce
from clawgit.workspace.merge_rules import merge_forward
from clawgit.workspace.uncommitted import list_held_back, list_uncommitted_files
from clawgit.workspace.workspace import Workspace

Wanted = Callable[[str], bool]
Refused = dict[str, ClawgitError]

_PATIENCE = 10.0
QUIET_SECONDS = 5.0
"""A file that was written later may be half done."""
GROUP_SECONDS = 15.0
"""So long files that rest wait for others that changed with them and that somebody still writes."""


def _is_portable(path: str) -> bool:
    """Return whether a file can have this name everywhere; doctor names those that cannot."""
    with contextlib.suppress(ClawgitError):
        return check(path) == path
    return False


class Outcome(Struct, frozen=True):
    """The outcome for edits of others: one capture as a rule, more if one file would have stopped the others.

    `held` are the files that stay uncommitted, with their errors, and `enforced` those put back. `refusal` is the
    reason that nothing could be captured, None if it could, and `secrets` are sentences on secrets that entered
    history, each reported once.
    """

    captured: tuple[Captured, ...] = ()
    held: Mapping[str, ClawgitError] = field(default_factory=dict)
    enforced: Enforced = field(default_factory=Enforced)
    refusal: ClawgitError | None = None
    secrets: tuple[str, ...] = ()


def list_rested(workspace: Workspace) -> tuple[frozenset[str], frozenset[str]]:
    """Return the changed files that may be captured, and those that are left alone for now.

    These were just written, or changed together with such files: they do not wait for each other for ever. Raises
    ClawgitError of CONFIG.md.
    """
    now = workspace.clock().timestamp()
    differences = list_uncommitted_files(workspace.repo, workspace.config.captured_globs)
    ages = {change.path: _measure_age(workspace.root / change.path, now) for change in differences}
    restless = frozenset(path for path, age in ages.items() if age < QUIET_SECONDS)
    if restless and max(ages.values()) < QUIET_SECONDS + GROUP_SECONDS:
        restless = frozenset(ages)
    return frozenset(ages) - restless, restless


def _measure_age(file: Path, now: float) -> float:
    """Return how many seconds ago a file was last written, also by a clock that was set back since."""
    try:
        return abs(now - file.lstat().st_mtime)
    except OSError:  # it is gone
        return QUIET_SECONDS


def capture_and_enforce(workspace: Workspace, includes: Wanted = lambda _: True, *, puts_back: bool = True) -> Outcome:
    """Put back unapproved edits of the identity, then capture edits of others in the files that `includes` accepts.

    Then history is read on for a moment.
    """
    workspace.use_last_readable_config()
    approvals.record_first_programs(workspace.repo, workspace.trusted)
    enforced = enforce(workspace) if puts_back else Enforced()
    try:
        outcome = capture_all(workspace, includes)
    except ClawgitError as exc:
        outcome = Outcome(refusal=exc)
    return replace(outcome, enforced=enforced, secrets=outgoing_secrets.report_secrets(workspace.repo, workspace.store))


def capture_all(workspace: Workspace, includes: Wanted = lambda _: True) -> Outcome:
    """Commit what differs from HEAD in our scope, in the files that `includes` accepts; follow what others committed.

    Before that, commits of ours land again that git took back unawares: nobody else wrote their lines. What others
    wrote from an old reading, on disk or in commits of their own, gets back what they had not seen. A file that may not
    enter history, or that somebody is in the middle of writing, is held back; the others carry on.
    Raises ClawgitError where nothing may be written at all: git is in the middle of something, or on another branch.
    """
    workspace.require_managed()
    purged_ids = records.read_new_ids(workspace.store)
    workspace_base.note_cut(workspace.repo, workspace.store, workspace.head, purged_ids, workspace.clock().timestamp())
    relanded = land_again(workspace)
    captures: tuple[Captured, ...] = (Captured(notes=relanded),) if relanded else ()
    repo, head, now = workspace.repo, workspace.head, workspace.clock().timestamp()
    since = workspace_base.find_last_look(repo, workspace.store, head)
    differences = list_uncommitted_files(repo, workspace.config.captured_globs)
    changes = [difference for difference in differences if includes(difference.path)]
    late = {difference.path for difference in differences if not includes(difference.path)}
    if not changes and since == head:
        workspace_base.start_following(workspace.store, head)
        line_writers.note_look(workspace.store, now, late, is_idle=True)
        return Outcome(captures)
    if obstacle := git_state.find_write_obstacle(repo, workspace.branch):
        raise ClawgitError(obstacle.key, obstacle.message, fix=obstacle.fix)
    bases = {
        path: oid
        for path, oid in workspace_base.find_bases(repo, since, head).items()
        if (file_roles.is_captured(path) and _is_portable(path)) or path == entries.PATH
    }
    refusals = {change.path: error for change, error in list_held_back(workspace, changes)}
    paths = dict.fromkeys((*(change.path for change in changes), *bases))
    for group in _group_by_author(workspace, [path for path in paths if path not in late | refusals.keys()]):
        new_captures, failures = _capture_group(workspace, group, bases)
        captures, refusals = captures + new_captures, refusals | failures
    late |= refusals.keys()
    # Commits of others with a late file are compared once more at the next look.
    if head and not bases.keys() & late:
        workspace_base.record_foreign_head(workspace.store, head)
    line_writers.note_look(workspace.store, now, late)
    return Outcome(captures, refusals)


def land_again(workspace: Workspace) -> tuple[str, ...]:
    """Finish a write that was killed, and land changes of ours again that git took back unawares.

    Return a sentence for each thing put right. Raises BusyError when somebody keeps the workspace.
    """
    return recovery.reconcile_now(workspace.repo, workspace.branch, merge_forward, time.monotonic() + _PATIENCE)


def _group_by_author(workspace: Workspace, paths: Sequence[str]) -> Iterable[Sequence[str]]:
    """Return the files of each writer: files that OpenClaw itself wrote are a commit of their own."""
    files = {path: read_quietly(workspace.repo, path) for path in paths}
    groups: dict[tuple[str, str], list[str]] = {}
    for path, writer in capture.find_authors(workspace, workspace.head, files).items():
        groups.setdefault(writer, []).append(path)
    return groups.values()


def _capture_group(
    workspace: Workspace, paths: Sequence[str], bases: Mapping[str, Oid]
) -> tuple[tuple[Captured, ...], Refused]:
    """Commit `paths` as one; if one of them refuses, in halves, until it is alone."""
    try:
        result = workspace.capture(paths, {path: bases[path] for path in (*paths, entries.PATH) if path in bases})
    except (BusyError, DiskError):
        # These are about no single file: the halves would fail, too.
        raise
    except ClawgitError as exc:
        if git_state.find_obstacle(workspace.repo, workspace.branch, (entries.PATH,)) is not None:
            return (), {entries.PATH: exc}  # every capture writes there
        if len(paths) == 1:
            return (), {paths[0]: exc}
    else:
        return ((result,) if result.commit or result.notes or result.changed or result.returned else ()), {}
    half = len(paths) // 2
    halves = [_capture_group(workspace, part, bases) for part in (paths[:half], paths[half:])]
    return halves[0][0] + halves[1][0], halves[0][1] | halves[1][1]
