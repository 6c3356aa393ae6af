"""Findings that the operator has dismissed."""

import hashlib
from collections.abc import Iterable, Iterator

from clawgit.findings.checks import loss_checks
from clawgit.findings.registry import Check, Finding, Ground, list_findings
from clawgit.store.database import DISMISSED
from clawgit.workspace.trust import arrived_programs, history_cut
from clawgit.workspace.trust_review import Changes
from clawgit.workspace.workspace import Workspace

MAX_DISMISSED = 500
LOSSES = ("alarm-shrank", "alarm-file-gone", "alarm-files-gone")
"""What the operator dismisses by `clawgit trust`: a loss that is meant."""


def name_finding(finding: Finding) -> str:
    """Return what a finding is known by: another one where its facts are others."""
    return hashlib.sha256(f"{finding.key}\0{finding.message}".encode("utf-8", "replace")).hexdigest()[:16]


def list_open(workspace: Workspace, checks: Iterable[Check], ground: Ground) -> Iterator[Finding]:
    """Yield what checks find and the operator has not dismissed."""
    dismissed = read_dismissed(workspace)
    yield from (one for one in list_findings(checks, ground) if name_finding(one) not in dismissed)


def read_dismissed(workspace: Workspace) -> frozenset[str]:
    """Return the names of the findings that were dismissed."""
    return frozenset(workspace.store.read_document(DISMISSED, list[str]) or ())


def _list_losses(workspace: Workspace) -> list[Finding]:
    return list(list_open(workspace, loss_checks.CHECKS, Ground(workspace)))


def list_changes(workspace: Workspace) -> Changes:
    """Return what others changed besides the identity, and nobody has answered."""
    return Changes(
        arrived_programs.come(workspace.repo, workspace.trusted),
        history_cut.find(workspace.repo, workspace.trusted, workspace.tip),
        tuple(one.message for one in _list_losses(workspace) if one.key in LOSSES),
    )


def answer_changes(workspace: Workspace, seen: Changes) -> None:
    """Let the operator have said yes to what was shown; what came meanwhile is still to be told."""
    losses = (name_finding(one) for one in _list_losses(workspace) if one.message in seen.losses)
    names = dict.fromkeys((*read_dismissed(workspace), *losses))
    workspace.store.save_document(DISMISSED, list(names)[-MAX_DISMISSED:])
    arrived_programs.note(workspace.trusted, seen.programs)
    if seen.cut:
        history_cut.answer(workspace.trusted, seen.cut)
