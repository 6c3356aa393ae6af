"""Captures what others wrote; puts back what nobody approved."""

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit.errors import BusyError, ClawgitError, DiskError
from clawgit.git import git_state, recovery, repository
from clawgit.git.repository import Oid
from clawgit.workspace import (
    capture,
    entries,
    file_roles,
    foreign_commits,
    history_secrets,
    identity_policy,
    line_writers,
    sync_copies,
)
from clawgit.workspace.change import Captured
from clawgit.workspace.enforcement import Enforced, enforce
from clawgit.workspace.file_contents import read_quietly
from clawgit.workspace.file_merges import merge_forward
from clawgit.workspace.trust import arrived_programs, history_cut
from clawgit.workspace.uncommitted import held_back, uncommitted
from clawgit.workspace.workspace import Workspace

Wanted = Callable[[str], bool]
Refused = dict[str, ClawgitError]

_PATIENCE = 10.0
GROUP_SECONDS = 15.0
"""So long files that rest wait for others that changed with them and that somebody still writes."""


class Held(Struct, frozen=True):
    """A file that stays uncommitted: why, and what to do about it."""

    path: str
    reason: str
    fix: str


class Outcome(Struct, frozen=True):
    """What became of what others wrote: one capture as a rule, more where one file would have stopped the others."""

    captured: tuple[Captured, ...] = ()
    held: tuple[Held, ...] = ()


class CapturedAndEnforced(Struct, frozen=True):
    """What was captured, what was put back, and why nothing could be captured, None where it was.

    `secrets` are sentences about those that history was given, each told once.
    """

    outcome: Outcome = field(default_factory=Outcome)
    enforced: Enforced = field(default_factory=Enforced)
    refusal: ClawgitError | None = None
    secrets: tuple[str, ...] = ()


def list_rested(workspace: Workspace) -> tuple[frozenset[str], frozenset[str]]:
    """Return the changed files that may be captured, and those that are left alone for now.

    These were just written, or changed together with such files: they do not wait for each other for ever. Raises
    ClawgitError of CONFIG.md.
    """
    now, seconds = workspace.clock().timestamp(), workspace.config.value("capture_quiet_seconds")
    found = uncommitted(workspace.repo, workspace.config.captured_globs)
    ages = {one.path: _measure_age(workspace.root / one.path, now, seconds) for one in found}
    restless = frozenset(path for path, age in ages.items() if age < seconds)
    is_group = bool(restless) and max(ages.values()) < seconds + GROUP_SECONDS
    restless = frozenset(ages) if is_group else restless
    return frozenset(ages) - restless, restless


def _measure_age(file: Path, now: float, gone: float) -> float:
    """Return how many seconds ago a file was last written, also by a clock that was set back since."""
    try:
        return abs(now - file.lstat().st_mtime)
    except OSError:
        return gone


def capture_and_enforce(
    workspace: Workspace, wanted: Wanted = lambda _: True, *, puts_back: bool = True
) -> CapturedAndEnforced:
    """Capture what others wrote in the files that are `wanted`, then put back what nobody approved.

    In this order, since a capture keeps an edit as a proposal where it can; but whatever keeps it from capturing does
    not keep unapproved text in the identity. Then history is read on for a moment.
    """
    workspace.use_last_readable_config()
    arrived_programs.begin(workspace.repo, workspace.trusted)
    outcome, refusal = Outcome(), None
    try:
        outcome = capture_all(workspace, wanted)
    except ClawgitError as exc:
        refusal = exc
    enforced = enforce(workspace) if puts_back else Enforced()
    sync_copies.offer_copies(workspace)
    with contextlib.suppress(ClawgitError):  # of CONFIG.md, which names the branch: that is an alarm of its own
        history_cut.follow(workspace.repo, workspace.trusted, workspace.tip)
    return CapturedAndEnforced(outcome, enforced, refusal, history_secrets.look(workspace.repo, workspace.store))


def capture_all(workspace: Workspace, wanted: Wanted = lambda _: True) -> Outcome:
    """Commit what differs from HEAD in our scope, among the files that are `wanted`; follow what others committed.

    Before that, commits of ours land again that git took back unawares: nobody else wrote their lines. What others
    wrote from an old reading, on disk or in commits of their own, gets back what they had not seen. A file that may not
    enter history, or that somebody is in the middle of writing, is held back; the others carry on.
    Raises ClawgitError where nothing may be written at all: git is in the middle of something, or on another branch.
    """
    workspace.require_managed()
    landed = landed_again(workspace)
    outcome = _captured(workspace, wanted)
    return replace(outcome, captured=(Captured(notes=landed), *outcome.captured)) if landed else outcome


def landed_again(workspace: Workspace) -> tuple[str, ...]:
    """Finish a write that was killed, and land changes of ours again that git took back unawares.

    Return a sentence for each thing put right.

    Raises BusyError when somebody keeps the workspace.
    """
    return recovery.reconcile_now(workspace.repo, workspace.branch, merge_forward, time.monotonic() + _PATIENCE)


def _captured(workspace: Workspace, wanted: Wanted) -> Outcome:
    repo, head, now = workspace.repo, workspace.head, workspace.clock().timestamp()
    since = foreign_commits.last_look(repo, workspace.store, head)
    every = uncommitted(repo, workspace.config.captured_globs)
    found = [one for one in every if wanted(one.path)]
    committed = tuple(path for path in _unadmitted(workspace) if wanted(path))
    late = {one.path for one in every} - {one.path for one in found}
    if not found and not committed and since == head:
        foreign_commits.begin(workspace.store, head)
        line_writers.note_look(workspace.store, now, late, is_idle=True)
        return Outcome()
    obstacle = git_state.standing_obstacle(repo, workspace.branch)
    if obstacle:
        raise ClawgitError(obstacle.key, obstacle.message, fix=obstacle.fix)
    others = foreign_commits.find_bases(repo, since, head)
    bases = {path: oid for path, oid in others.items() if file_roles.captured(path) or path == entries.PATH}
    held = {one.path: why for one, why in held_back(workspace, found)}
    later = {one.path for one in every if not wanted(one.path)} | held.keys()
    captured: tuple[Captured, ...] = ()
    refused: Refused = {}
    every_path = dict.fromkeys((*(one.path for one in found), *bases, *committed))
    for paths in _by_author(workspace, [path for path in every_path if path not in later]):
        more, why = _together(workspace, paths, bases)
        captured, refused = captured + more, refused | why
    if head and not bases.keys() & (later | refused.keys()):
        foreign_commits.note(workspace.store, head)
    line_writers.note_look(workspace.store, now, later | refused.keys())
    return Outcome(captured, tuple(Held(path, why.message, str(why.fix)) for path, why in {**held, **refused}.items()))


def _unadmitted(workspace: Workspace) -> tuple[str, ...]:
    """Return the identity files that others committed as they may not stand."""
    from clawgit.workspace import trust_review  # noqa: PLC0415 - nobody refuses anything as a rule

    if workspace.config.soul_policy == "evolve" or not workspace.trust.known:
        return ()
    paths = trust_review.paths(workspace)
    committed = {path: repository.read(workspace.repo, workspace.head, path) for path in paths}
    return tuple(identity_policy.refused(workspace, committed, dict.fromkeys(committed)))


def _by_author(workspace: Workspace, paths: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the files that one writer wrote, by writer: what OpenClaw itself wrote is a commit of its own."""
    groups: dict[tuple[str, str], list[str]] = {}
    moved: tuple[str, ...] = ()
    if file_roles.TOOLS in paths:
        now, agents = (read_quietly(workspace.repo, path) for path in (file_roles.TOOLS, file_roles.AGENTS))
        moved = capture.doctored(repository.read(workspace.repo, workspace.head, file_roles.TOOLS), now, agents)
    for path in paths:
        writer = capture.author(path, read_quietly(workspace.repo, path), workspace.flushed, moved)
        groups.setdefault(writer, []).append(path)
    yield from groups.values()


def _together(
    workspace: Workspace, paths: Sequence[str], bases: Mapping[str, Oid]
) -> tuple[tuple[Captured, ...], Refused]:
    """Commit `paths` as one; where one of them refuses, in halves, until it stands alone."""
    if not paths:
        return (), {}
    try:
        captured = workspace.capture(paths, {path: bases[path] for path in (*paths, entries.PATH) if path in bases})
    except (BusyError, DiskError):
        raise
    except ClawgitError as exc:
        if git_state.find_obstacle(workspace.repo, workspace.branch, (entries.PATH,)) is not None:
            return (), {entries.PATH: exc}  # every capture writes there
        if len(paths) == 1:
            return (), {paths[0]: exc}
    else:
        return ((captured,) if captured.commit or captured.notes or captured.changed else ()), {}
    half = len(paths) // 2
    one, two = _together(workspace, paths[:half], bases), _together(workspace, paths[half:], bases)
    return one[0] + two[0], one[1] | two[1]
