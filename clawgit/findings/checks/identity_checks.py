"""Checks of the identity against what the operator approved."""

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct

from clawgit.errors import Command
from clawgit.findings.checks.loss_checks import is_watched
from clawgit.findings.registry import Check, Finding, Ground, Level
from clawgit.git import foreign_programs
from clawgit.safety.redaction import redacted
from clawgit.workspace import (
    blank_forms,
    commit_message,
    enforcement,
    file_roles,
    identity_policy,
    inbox,
    trust_review,
)
from clawgit.workspace.trust import arrived_programs
from clawgit.workspace.workspace import Workspace

_TRUST = Command("clawgit trust")
_PUT_BACK = Command("clawgit capture", note="or, to approve it: clawgit trust")
MAX_QUOTE_CHARS = 60


def check_identity(ground: Ground) -> Iterator[Finding]:
    """Yield where the identity is not as the operator approved it: an alarm where the policy forbids that."""
    workspace = ground.workspace
    if enforcement.enforces(workspace):
        yield from _list_deviations(workspace)
    elif workspace.managed and workspace.trust.known:
        yield from _list_lost_lines(workspace)
        for one in count_edits(workspace):
            words = f"{one.path} was edited since you approved it (+{one.added} -{one.removed})"
            yield Finding("identity-edited", words, _TRUST, "notice", (one.path,))


def _list_deviations(workspace: Workspace) -> Iterator[Finding]:
    for one in enforcement.deviations(workspace):
        words = f"{one.reason}; what you approved is served instead"
        level: Level = "warning" if one.kind == "earlier" else "alarm"
        yield Finding("identity-unapproved", words, _PUT_BACK, level, (one.path,))
    paths: set[str] = set()
    for item in inbox.list_items(workspace, "identity", "quarantine"):
        path = next(iter(item.paths), item.source)
        if path not in paths and file_roles.guarded(path) and item.agent in (None, "", "capture"):
            paths.add(path)
            words = f"{path} was edited against soul_policy; the edit was taken out and waits"
            yield Finding("identity-changed", words, Command("clawgit show {}", item.id), "alarm", (path,))


def _list_lost_lines(workspace: Workspace) -> Iterator[Finding]:
    for path in filter(is_watched, trust_review.paths(workspace)):
        text = trust_review.standing(workspace, path)
        if workspace.trust.said(path) is None and text and not blank_forms.is_blank(path, text):
            words = f"{path} is new, and goes into every prompt"
            fix = Command("rm {} && clawgit capture", path, note="or, if it is yours: clawgit trust")
            yield Finding("identity-unapproved", words, fix, paths=(path,))
        lost = identity_policy.find_lost_lines(workspace.trust, path, text)
        if lost:
            words = redacted(commit_message.shorten(commit_message.one_line(lost[0][1]), MAX_QUOTE_CHARS))
            more = f" and {len(lost) - 1} more" if lost[1:] else ""
            message = f"{path} lacks a line that you approved: “{words}”{more}"
            fix = Command("clawgit restore {} --approved", path, note="or, if it is meant: clawgit trust")
            yield Finding("identity-lines-lost", message, fix, paths=(path,))


class Grown(Struct, frozen=True):
    """An identity file that changed since it was approved, with the lines that came and went."""

    path: str
    added: int
    removed: int


def count_edits(workspace: Workspace) -> Iterator[Grown]:
    """Yield the identity files that changed since the operator approved them."""
    for path, said, text in trust_review.grown(workspace):
        then, now = (Counter(line for line in one.split("\n") if line.strip()) for one in (said, text))
        yield Grown(path, (now - then).total(), (then - now).total())


def check_approvals(ground: Ground) -> Iterator[Finding]:
    """Yield what the operator has to decide, or that nothing was approved yet."""
    workspace = ground.workspace
    if not workspace.managed:
        return
    for name in sorted(foreign_programs.filters_off(workspace.root)):
        words = f"filter.{name} is a program of this repository's own, and off"
        fix = foreign_programs.accept_filter(workspace.root, name)
        yield Finding("git-filter", words, fix, paths=(f"filter.{name}",))
    if came := arrived_programs.come(workspace.repo, workspace.trusted):
        paths = arrived_programs.list_paths(came)
        yield Finding("alarm-extension", arrived_programs.told(came), _TRUST, paths=paths)
    if not workspace.trust.known:
        words = f"nothing here is approved yet: {workspace.trusted.not_inherited()}"
        yield Finding("identity-unapproved", words, _TRUST, "notice")
    for path in trust_review.list_waiting(workspace):
        yield Finding("identity-unapproved", f"{path} is not as you approved it", _TRUST, paths=(path,))
    for key in trust_review.list_keys(workspace):
        place = f"{file_roles.CONFIG}:{key.line}" if key.line else file_roles.CONFIG
        words = f"{place}: {key.key.name} says {key.untrusted}; {key.value or 'nothing'} is used"
        if key.changed:
            are, them = ("is", "it") if len(key.changed) == 1 else ("are", "them")
            files = f"{commit_message.list_names(key.changed)}, which {are} not as you approved {them}"
            words = f"{place}: {key.key.name} names {files}; nothing is run"
        told = f"{place}: {key.key.name} is not as you approved it"
        yield Finding("setting-unapproved", words, _TRUST, paths=(file_roles.CONFIG,), line=key.line or 0, told=told)


def check_config(ground: Ground) -> Iterator[Finding]:
    """Yield the values of CONFIG.md that cannot be used."""
    for problem in ground.workspace.config.problems():
        paths = problem.paths or (file_roles.CONFIG,)
        told = f"{paths[0]}: a value or key that cannot be used"
        yield Finding("setting-invalid", problem.message, problem.fix, paths=paths, told=told)


APPROVALS = Check("approvals", check_approvals, "nothing came that you have not approved", "repository", quick=True)
CHECKS = (
    Check("CONFIG.md", check_config, "every value can be used", quick=True),
    Check("approved identity", check_identity, "nothing differs from what you approved", "repository", quick=True),
    APPROVALS,
)
