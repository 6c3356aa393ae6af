"""What a workspace hides, before its first commit of clawgit's."""

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from clawgit.errors import ClawgitError
from clawgit.findings.checks import file_checks, past_checks, repository_checks, secret_checks
from clawgit.findings.registry import Check, Finding, Ground, Level, Progress, list_findings
from clawgit.git import churn, history, repository
from clawgit.git.repository import Repository
from clawgit.text import tokens
from clawgit.workspace import file_roles
from clawgit.workspace.file_contents import loosely
from clawgit.workspace.workspace import Workspace

_LEVELS: tuple[Level, ...] = ("alarm", "warning", "notice")
_NEVER_SHOWN = ("git-version", "repository-found")
"""What a doctor says, and no report of the files."""
_CHECKS: tuple[Check, ...] = (*secret_checks.CHECKS, *file_checks.CHECKS, *repository_checks.CHECKS, past_checks.PAST)
_ELSEWHERE = ("held files", "uncommitted files")
"""The second half of the report names them: what adopting commits, and does not."""


class IdentityFile(Struct, frozen=True):
    """An identity file: `tokens` as estimated, None where it is gone; its commits, from `first` to `last` (ISO 8601).

    `growth` are the tokens that it has more than in its first version.
    """

    path: str
    tokens: int | None
    commits: int = 0
    first: str = ""
    last: str = ""
    growth: int | None = None


class AdoptionReport(Struct, frozen=True):
    """How much there is, the versions of the identity, and what was found, the gravest first.

    `lines` are those of the memory that say something, `commits` None where there is no history.
    """

    workspace: str
    files: int = 0
    journals: int = 0
    lines: int = 0
    commits: int | None = None
    identity: tuple[IdentityFile, ...] = ()
    findings: tuple[Finding, ...] = ()


def report(root: Path, repo: Repository | None, progress: Progress = lambda _done, _of: None) -> AdoptionReport:
    """Look at all of a folder, and touch nothing in it; `repo` is None where it is not under git.

    Whatever is broken is a finding, never an error. `progress` hears how many commits were read, of how many.
    """
    workspace = Workspace(repo or Repository(root, root / ".git", root / ".git"))
    ground = Ground(workspace, progress)
    needs = ("", "repository") if repo else ("",)
    checks = [check for check in _CHECKS if check.needs in needs and check.name not in _ELSEWHERE]
    checks += [repository_checks.REPOSITORY] if repo else []
    findings = [one for one in list_findings(checks, ground) if one.key not in _NEVER_SHOWN]
    memories = [text for path, text in ground.texts.items() if file_roles.memory(path)]
    return AdoptionReport(
        str(root),
        len(ground.texts),
        sum(file_roles.journal_day(path) is not None for path in ground.texts),
        sum(bool(row.strip()) for text in memories for row in text.split("\n")),
        _count_commits(repo) if repo else None,
        tuple(_list_identity(ground, repo)),
        tuple(sorted(findings, key=lambda one: _LEVELS.index(one.level))),
    )


def _count_commits(repo: Repository) -> int:
    try:
        return len(churn.reachable(repo, "--all"))
    except ClawgitError:  # of a damaged repository, which a check tells
        return 0


def _list_identity(ground: Ground, repo: Repository | None) -> Iterator[IdentityFile]:
    """Yield the identity files on disk, and those that only history has, in the order in which prompts have them."""
    order = {path: number for number, path in enumerate(file_roles.IDENTITY)}
    paths = {path for path in ground.texts if file_roles.guarded(path)}
    for path in sorted(paths | ({file_roles.SOUL} if repo else set()), key=lambda one: (order.get(one, 99), one)):
        text = ground.texts.get(path)
        size = None if text is None else tokens.count(text)
        try:
            commits = list(history.log(repo, path, named=False)) if repo else []
            born = tokens.count(loosely(repository.read(repo, commits[-1].id, path))) if repo and commits else None
        except ClawgitError:  # of a damaged or partial clone, which a check tells
            commits, born = [], None
        if text is None and not commits:
            continue
        dates = [one.date.isoformat() for one in commits] or [""]
        growth = None if size is None or born is None else size - born
        yield IdentityFile(path, size, len(commits), dates[-1], dates[0], growth)
