"""The important findings of a workspace, with its inbox."""

from collections.abc import Collection, Iterable, Iterator

from msgspec import Struct, field

from clawgit import file_roles
from clawgit.errors import Command
from clawgit.findings.checks import (
    file_checks,
    loss_checks,
    openclaw_checks,
    repository_checks,
)
from clawgit.findings.registry import Check, CheckInput, Finding, list_findings
from clawgit.text.conflict import conflicts, unreadable
from clawgit.workspace import inbox, trust_review
from clawgit.workspace.uncommitted import NotKept
from clawgit.workspace.workspace import Workspace

CHECKS: tuple[Check, ...] = (
    repository_checks.GIT,
    repository_checks.REPOSITORY,
    loss_checks.CONFIG,  # most others read it, and end where it cannot be read
    *repository_checks.WRITING,
    *repository_checks.CHECKS,
    *loss_checks.IDENTITY,
    *loss_checks.CHECKS,
    *file_checks.SECRETS,
    *file_checks.CHECKS,
    *file_checks.MEMORY,
    *openclaw_checks.CHECKS,
)
"""All checks, in the order in which `clawgit doctor` makes them."""
MAX_OF_A_KEY = 3
"""So many findings of one key are told one by one."""


class Status(Struct, frozen=True):
    """The state of a workspace: `alarms` and `warnings`, uncommitted files in scope, waiting items.

    `inbox` is the number of waiting items, without expired ones; `not_kept` counts the files that no capture takes;
    `unread` commits are not yet scanned for secrets. `untrusted` has no approval.
    """

    workspace: str
    managed: bool
    branch: str
    head: str | None
    dirty: tuple[str, ...]
    alarms: tuple[Finding, ...]
    corrections: int
    open_conflicts: int
    inbox: int = 0
    untrusted: tuple[Finding, ...] = ()
    grown: tuple[trust_review.Grown, ...] = ()
    not_kept: NotKept = field(default_factory=NotKept)
    unread: int = 0


def read_status(workspace: Workspace) -> Status:
    """Return the important findings of a workspace; reads, and touches nothing. Damage becomes a finding."""
    checks = [check for check in CHECKS if check.quick and check is not loss_checks.APPROVALS]
    if workspace.head is None:
        checks = [check for check in checks if check.name != "managed"]
    invalid = list(list_findings([loss_checks.CONFIG], CheckInput(workspace)))
    with workspace.lenient():
        ground = CheckInput(workspace)
        others = [check for check in checks if check is not loss_checks.CONFIG]
        findings = [*invalid, *list_findings(others, ground)]
        important = fold_findings(finding for finding in findings if not finding.ok)
        different, left = ground.different
        managed, now = workspace.managed, workspace.now()
        records = workspace.read_loosely(file_roles.CONFLICTS)
        return Status(
            str(workspace.root),
            managed,
            workspace.branch,
            workspace.head,
            tuple(file.path for file in different),
            tuple(sorted(important, key=lambda finding: finding.level != "alarm")),
            sum(line.startswith("## ") for line in workspace.read_loosely(file_roles.CORRECTIONS).split("\n")),
            sum(conflict.open for conflict in conflicts(records)) + len(unreadable(records)),
            sum(not item.is_expired(now) for item in inbox.list_items(workspace)),
            tuple(fold_findings(list_findings([loss_checks.APPROVALS], ground))),
            tuple(trust_review.count_edits(workspace)) if managed else (),
            left,
            file_checks.count_unread(ground) if managed else 0,
        )


def fold_findings(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield findings, those of one key as one if there are more than MAX_OF_A_KEY; `clawgit doctor` lists each."""
    by_key: dict[str, list[Finding]] = {}
    for finding in findings:
        by_key.setdefault(finding.key, []).append(finding)
    for key, group in by_key.items():
        if len(group) <= MAX_OF_A_KEY:
            yield from group
            continue
        first = min(group, key=lambda item: item.level != "alarm")
        words = f"{first.message}; and {len(group) - 1:,} more of this kind"
        paths = tuple(dict.fromkeys(path for item in (first, *group) for path in item.paths))
        yield Finding(key, words, Command("clawgit doctor"), first.level, paths, first.line, told=first.told)


def list_news(workspace: Workspace, paths: Collection[str]) -> tuple[Finding, ...]:
    """Return the important findings, and deleted memory, of files just captured, or from another machine."""
    if not paths:
        return ()
    checks = (*loss_checks.CHECKS, loss_checks.CONFIG, *loss_checks.IDENTITY, file_checks.TWINS)
    findings = list_findings(checks, CheckInput(workspace))
    news = (finding for finding in findings if not finding.ok or finding.key == "memory-gone")
    return tuple(fold_findings(finding for finding in news if not {*finding.paths}.isdisjoint(paths)))
