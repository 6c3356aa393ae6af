"""Checks of a workspace, none of which ends another."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from clawgit.errors import ClawgitError

Repair = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found; `ok` when it is only worth knowing. `repair` puts it right where that is safe."""

    message: str
    fix: str = ""
    ok: bool = False
    repair: Repair | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """One thing to look at: its name, how to look, and what to say when nothing is found.

    `look` may raise ClawgitError, which is a finding like any other.
    """

    name: str
    look: Callable[[], Iterable[Finding]]
    fine: str


@dataclass(frozen=True, slots=True)
class Result:
    """One line of the answer; `repaired` tells that it was broken and is not any more."""

    check: str
    ok: bool
    message: str
    fix: str = ""
    repaired: bool = False


REPAIR = "clawgit doctor --fix"


def examine(checks: Iterable[Check], *, fix: bool = False) -> Iterator[Result]:
    """Yield what each check comes to, as it comes; with `fix`, what can be put right safely is.

    An error that stood in the way of an earlier check is told once.
    """
    told: dict[str, str] = {}
    for check in checks:
        yield from _results(check, told, fix=fix)


def _results(check: Check, told: dict[str, str], *, fix: bool) -> Iterator[Result]:
    found = _look(check)
    repairs = [finding.repair for finding in found if finding.repair] if fix else []
    failed = [error for repair in repairs if (error := _failure(repair))]
    if repairs:
        before, found = found, _look(check)
        gone = {finding.message for finding in before} - {finding.message for finding in found}
        yield from (Result(check.name, ok=True, message=message, repaired=True) for message in sorted(gone))
    for finding in dict.fromkeys((*failed, *found)):
        elsewhere = told.setdefault(finding.message, check.name)
        if elsewhere != check.name:
            yield Result(check.name, ok=finding.ok, message=f"not looked at: see “{elsewhere}”")
            return
        yield Result(check.name, finding.ok, finding.message, REPAIR if finding.repair else finding.fix)
    if not found and not repairs:
        yield Result(check.name, ok=True, message=check.fine)


def _look(check: Check) -> list[Finding]:
    found: list[Finding] = []
    try:
        found.extend(check.look())
    except Exception as exc:  # noqa: BLE001 - the other checks come next, whatever is broken here
        found.append(_said(exc))
    return found


def _failure(repair: Repair) -> Finding | None:
    try:
        repair()
    except Exception as exc:  # noqa: BLE001
        return _said(exc)
    return None


def _said(exc: Exception) -> Finding:
    match exc:
        case ClawgitError():
            return Finding(exc.message, exc.fix)
        case OSError():
            return Finding(f"{exc.filename}: {exc.strerror}" if exc.filename else str(exc), "ls -l")
        case _ if "pygit2" in type(exc).__module__:
            return Finding(str(exc), "git fsck")
        case _:
            return Finding(f"this check failed: {type(exc).__name__}: {exc}", "report this, with the sentence above")
