"""Checks of the identity against the operator's approvals."""

from collections.abc import Iterator

from msgspec import Struct

from clawgit import file_roles
from clawgit.errors import Command
from clawgit.findings.checks.loss_checks import is_watched
from clawgit.findings.registry import Check, Finding, Ground, Level
from clawgit.git import foreign_programs
from clawgit.openclaw import blank_forms
from clawgit.safety.redaction import redacted
from clawgit.workspace import commit_message, identity_policy, inbox, trust_review
from clawgit.workspace.file_contents import tally_lines
from clawgit.workspace.trust import arrived_programs
from clawgit.workspace.workspace import Workspace

_TRUST = Command("clawgit trust")
_PUT_BACK = Command("clawgit capture", note="or, to approve it: clawgit trust")
MAX_QUOTE_CHARS = 60


def check_identity(ground: Ground) -> Iterator[Finding]:
    """Yield differences of the identity from its approval: an alarm if the policy forbids them."""
    workspace = ground.workspace
    if identity_policy.enforces(workspace):
        yield from _list_deviations(workspace)
    elif workspace.managed and workspace.trust.known:
        yield from _list_lost_lines(workspace)
        for edit in count_edits(workspace):
            words = f"{edit.path} was edited since you approved it (+{edit.added} -{edit.removed})"
            yield Finding("identity-edited", words, _TRUST, "notice", (edit.path,))


def _list_deviations(workspace: Workspace) -> Iterator[Finding]:
    for deviation in identity_policy.deviations(workspace):
        words = f"{deviation.reason}; what you approved is served instead"
        level: Level = "warning" if deviation.kind == "earlier" else "alarm"
        yield Finding("identity-unapproved", words, _PUT_BACK, level, (deviation.path,))
    paths: set[str] = set()
    for item in inbox.list_items(workspace, "identity", "quarantine"):
        path = next(iter(item.paths), item.source)
        if path not in paths and file_roles.guarded(path) and (item.kind == "quarantine" or item.agent == "capture"):
            paths.add(path)
            words = f"{path} was edited against soul_policy; the edit was taken out and waits"
            yield Finding("identity-changed", words, Command("clawgit show {}", item.id), "alarm", (path,))


def _list_lost_lines(workspace: Workspace) -> Iterator[Finding]:
    for path in filter(is_watched, trust_review.paths(workspace)):
        text = trust_review.read_standing_text(workspace, path)
        if workspace.trust.said(path) is None and text and not blank_forms.is_blank(path, text):
            words = f"{path} is new, and goes into every prompt"
            fix = Command("rm {} && clawgit capture", path, note="or, if it is yours: clawgit trust")
            yield Finding("identity-unapproved", words, fix, paths=(path,))
        lines = identity_policy.find_lost_lines(workspace.trust, path, text)
        if lines:
            words = redacted(commit_message.shorten(commit_message.fold_spaces(lines[0]), MAX_QUOTE_CHARS))
            suffix = f" and {len(lines) - 1} more" if lines[1:] else ""
            message = f"{path} lacks a line that you approved: “{words}”{suffix}"
            fix = Command("clawgit restore {} --approved", path, note="or, if it is meant: clawgit trust")
            yield Finding("identity-lines-lost", message, fix, paths=(path,))


class Grown(Struct, frozen=True):
    """An identity file that changed since it was approved, with the lines that came and went."""

    path: str
    added: int
    removed: int


def count_edits(workspace: Workspace) -> Iterator[Grown]:
    """Yield the identity files that changed since the operator approved them."""
    for file in trust_review.list_grown(workspace):
        old_lines, now = tally_lines(file.approved or ""), tally_lines(file.text or "")
        yield Grown(file.path, (now - old_lines).total(), (old_lines - now).total())


def check_approvals(ground: Ground) -> Iterator[Finding]:
    """Yield the operator's pending decisions, or that nothing was approved yet."""
    workspace = ground.workspace
    if not workspace.managed or workspace.repo.of:  # a bare one has no approvals
        return
    for name in sorted(foreign_programs.filters_off(workspace.root)):
        words = f"filter.{name} is a program of this repository's own, and off"
        fix = foreign_programs.accept_filter(workspace.root, name)
        yield Finding("git-filter", words, fix, paths=(f"filter.{name}",))
    if came := arrived_programs.list_arrived(workspace.repo, workspace.trusted):
        paths = arrived_programs.list_paths(came)
        yield Finding("alarm-extension", arrived_programs.describe_programs(came), _TRUST, paths=paths)
    if not workspace.trust.known:
        words = f"nothing here is approved yet: {workspace.trusted.not_inherited()}"
        yield Finding("identity-unapproved", words, _TRUST, "notice")
    for path in trust_review.list_waiting(workspace):
        yield Finding("identity-unapproved", f"{path} is not as you approved it", _TRUST, paths=(path,))
    for key in trust_review.list_keys(workspace):
        place = f"{file_roles.CONFIG}:{key.line}" if key.line else file_roles.CONFIG
        words = f"{place}: {key.key.name} says {key.untrusted}; {key.value or 'nothing'} is used"
        if key.changed:
            are, pronoun = ("is", "it") if len(key.changed) == 1 else ("are", "them")
            files = f"{commit_message.list_names(key.changed)}, which {are} not as you approved {pronoun}"
            words = f"{place}: {key.key.name} names {files}; nothing is run"
        summary = f"{place}: {key.key.name} is not as you approved it"
        yield Finding("setting-unapproved", words, _TRUST, paths=(file_roles.CONFIG,), line=key.line or 0, told=summary)


def check_config(ground: Ground) -> Iterator[Finding]:
    """Yield the values of CONFIG.md that cannot be used."""
    config = ground.workspace.config
    problems = {str(problem): problem for problem in config.problems()}
    if not problems and config.value("heartbeat_custom_patterns"):
        from clawgit.messages.triage import read_patterns  # noqa: PLC0415 - few have patterns of their own

        problems = {str(problem): problem for problem in read_patterns(config).problems}
    for problem in problems.values():
        paths = problem.paths or (file_roles.CONFIG,)
        summary = f"{paths[0]}: a value or key that cannot be used"
        yield Finding("setting-invalid", problem.message, problem.fix, paths=paths, told=summary)


APPROVALS = Check("approvals", check_approvals, "nothing came that you have not approved", "repository", quick=True)
CONFIG = Check("CONFIG.md", check_config, "every value can be used", quick=True)
CHECKS = (
    Check("approved identity", check_identity, "nothing differs from what you approved", "repository", quick=True),
    APPROVALS,
)
