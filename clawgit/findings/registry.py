"""Checks of a workspace, none of which ends another."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cached_property
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from clawgit.errors import NO_FIX, ClawgitError, Command, Fix, explain_partial_failure
from clawgit.git import repository_health
from clawgit.git.difference import Different
from clawgit.store.database import DISMISSED
from clawgit.workspace.file_contents import read_quietly
from clawgit.workspace.uncommitted import NotKept, list_different, list_held_back, list_scope
from clawgit.workspace.workspace import Workspace

Level = Literal["alarm", "warning", "notice"]
"""Act today; look at it; only worth knowing."""
Repair = Callable[[], object]
Progress = Callable[[int, int], None]
MAX_HELD_FILES = 200
"""So many uncommitted files are looked at."""


class Finding(Struct, frozen=True):
    """A fact for the operator, and the fix that decides it.

    `paths` are its files, `line` the line in the first of them. `repair` corrects it if that is safe, and `repaired`:
    it did. `told` is sent from the machine instead of a message with words of a file; `check` is the name of the check,
    if shown. `facts` name it instead of a message with figures that change without them.
    """

    key: str
    message: str
    fix: Fix = NO_FIX
    level: Level = "warning"
    paths: tuple[str, ...] = ()
    line: int = 0
    repair: Repair | None = None
    told: str = ""
    check: str = ""
    repaired: bool = False
    facts: str = ""

    @property
    def ok(self) -> bool:
        """Whether there is nothing to do."""
        return self.level == "notice"

    @property
    def path(self) -> str:
        """The first of its paths, "" for none."""
        return next(iter(self.paths), "")


class CheckInput:
    """The input of checks: the workspace, with shared parts read once."""

    def __init__(self, workspace: Workspace, progress: Progress = lambda _count, _total: None) -> None:
        self.workspace = workspace
        self.progress = progress

    @cached_property
    def different(self) -> tuple[list[Different], NotKept]:
        """The files that differ from HEAD, and how many no capture takes."""
        return list_different(self.workspace.repo, self.workspace.config.lenient.captured_globs)

    @cached_property
    def held_back(self) -> dict[str, ClawgitError]:
        """The reasons that files cannot be committed as they are, by path; the first of very many are looked at."""
        refusals = list_held_back(self.workspace, self.different[0][:MAX_HELD_FILES])
        return {file.path: error for file, error in refusals}

    @cached_property
    def paths(self) -> list[str]:
        """The files of the scope, sorted; hidden ones and links as well."""
        try:
            tracked = frozenset(repository_health.index(self.workspace.repo))
        except ClawgitError:  # a damaged repository, which another check tells
            tracked = frozenset()
        return sorted(list_scope(self.workspace.root, tracked))

    @cached_property
    def data(self) -> dict[str, bytes]:
        """The bytes of those that can be read."""
        pairs = ((path, read_quietly(self.workspace.repo, path)) for path in self.paths)
        return {path: data for path, data in pairs if data is not None}

    @cached_property
    def texts(self) -> dict[str, str]:
        """Their text, also of binary files."""
        return {path: data.decode("utf-8", "replace") for path, data in self.data.items()}

    def forget(self) -> None:
        """Read anew from now on: something was repaired."""
        for name in ("different", "held_back", "paths", "data", "texts"):
            self.__dict__.pop(name, None)


Look = Callable[[CheckInput], Iterable[Finding]]


class Check(Struct, frozen=True):
    """One check: its name, its function, and its message without findings.

    `look` may raise ClawgitError, which is a finding like any other. `needs` names the check that it depends on. A
    `quick` one is part of every status.
    """

    name: str
    look: Look
    fine: str = ""
    needs: str = ""
    quick: bool = False


REPAIR = Command("clawgit doctor --fix")


def examine(checks: Iterable[Check], ground: CheckInput, *, fix: bool = False) -> Iterator[Finding]:
    """Yield the result of each check, as it comes, under its name; with `fix`, safe repairs are made.

    A finding of several checks is yielded once, and none that the operator has dismissed.
    """
    dismissed = frozenset[str]()
    with suppress(ClawgitError):  # of a damaged store, which is a finding of its own
        dismissed = read_dismissed(ground.workspace)
    reported: set[str] = set()
    ended: dict[str, str] = {}
    for check in checks:
        if check.needs in ended:
            ended[check.name] = ended[check.needs]
            yield Finding("", f"not looked at: see “{ended[check.name]}”", check=check.name)
            continue
        findings, error = _run_check(check, ground)
        repaired: list[Finding] = []
        if fix and any(finding.repair for finding in findings):
            findings, error, repaired = _repair(check, ground, findings)
        for finding in repaired:
            yield Finding("", finding.message, level="notice", check=check.name, repaired=True)
        if error:
            ended[check.name] = check.name
            findings.append(error)
        fresh = [finding for finding in dict.fromkeys(findings) if finding.message not in reported]
        remainder = [finding for finding in fresh if name_finding(finding) not in dismissed]
        reported.update(finding.message for finding in fresh)
        for finding in remainder:
            yield replace(finding, check=check.name, fix=REPAIR if finding.repair else finding.fix)
        if not remainder and not repaired:
            words = f"{len(findings)} dismissed by you, or named above" if findings else check.fine
            words = "not looked at: the reason is named above" if error else words
            yield Finding("", words, level="warning" if error else "notice", check=check.name)


def _repair(
    check: Check, ground: CheckInput, findings: Iterable[Finding]
) -> tuple[list[Finding], Finding | None, list[Finding]]:
    """Make the repairs of findings; return the findings and the error of another look, and the repaired findings."""
    failures = [_catch_failure(finding.repair) for finding in findings if finding.repair]
    # A repair changes files, and the second look has to see them.
    ground.forget()
    left, error = _run_check(check, ground)
    messages = {finding.message for finding in left}
    repaired = [finding for finding in dict.fromkeys(findings) if finding.message not in messages]
    return [*filter(None, failures), *left], error, repaired


def list_findings(checks: Iterable[Check], ground: CheckInput) -> Iterator[Finding]:
    """Yield the findings of checks, each once; a check that fails is a finding of its own."""
    independent = (replace(check, needs="") for check in checks)
    yield from (finding for finding in examine(independent, ground) if finding.key)


def name_finding(finding: Finding) -> str:
    """Return the name of a finding: another one if its facts change."""
    return hashlib.sha256(f"{finding.key}\0{finding.facts or finding.message}".encode("utf-8", "replace")).hexdigest()[
        :16
    ]


def read_dismissed(workspace: Workspace) -> frozenset[str]:
    """Return the names of the findings that the operator has dismissed."""
    return frozenset(workspace.store.read_document(DISMISSED, list[str]) or ())


def _run_check(check: Check, ground: CheckInput) -> tuple[list[Finding], Finding | None]:
    """Return the findings of a check, and the error that ended it early."""
    findings: list[Finding] = []
    return findings, _catch_failure(lambda: findings.extend(check.look(ground)))


def _catch_failure(act: Callable[[], object]) -> Finding | None:
    """Return the failure of a look or a repair, None for success."""
    try:
        act()
    except Exception as exc:  # noqa: BLE001 - the other checks come next, whatever is broken here
        error = explain_partial_failure(exc)
        return Finding(error.key, error.message, error.fix or Command("git status"), paths=error.paths)
    return None
