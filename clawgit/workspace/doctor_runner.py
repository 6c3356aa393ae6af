"""Checks of a workspace, none of which ends another."""

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from clawgit.errors import NO_FIX, Command, Fix, explained

Repair = Callable[[], object]


class Finding(Struct, frozen=True):
    """What a check found; `ok` when it is only worth knowing. `repair` puts it right where that is safe."""

    key: str
    message: str
    fix: Fix = NO_FIX
    ok: bool = False
    repair: Repair | None = None


class Check(Struct, frozen=True):
    """One thing to look at: its name, how to look, and what to say when nothing is found.

    `look` may raise ClawgitError, which is a finding like any other. `needs` names the check without which there is
    nothing to look at.
    """

    name: str
    look: Callable[[], Iterable[Finding]]
    fine: str
    needs: str = ""


class Result(Struct, frozen=True):
    """One line of the answer; `repaired` tells that it was broken and is not any more."""

    check: str
    ok: bool
    message: str
    fix: str = ""
    repaired: bool = False
    key: str = ""


REPAIR = Command("clawgit doctor --fix")


def examine(checks: Iterable[Check], *, fix: bool = False) -> Iterator[Result]:
    """Yield what each check comes to, as it comes; with `fix`, what can be put right safely is.

    What several checks find is told once.
    """
    told: dict[str, str] = {}
    ended: dict[str, str] = {}
    for check in checks:
        if check.needs in ended:
            ended[check.name] = ended[check.needs]
            yield _skipped(check, ended[check.needs])
            continue
        found, error, repaired = _look_and_repair(check) if fix else (*_look(check), ())
        yield from repaired
        if error:
            ended[check.name] = check.name
            if told.setdefault(error.message, check.name) != check.name:
                yield _skipped(check, told[error.message])
                continue
            found = [*found, error]
        fresh = [one for one in dict.fromkeys(found) if told.setdefault(one.message, check.name) == check.name]
        for finding in fresh:
            way_out = str(REPAIR if finding.repair else finding.fix)
            yield Result(check.name, finding.ok, finding.message, way_out, key=finding.key)
        if found and not fresh:
            yield _skipped(check, told[found[0].message])
        elif not found and not repaired:
            yield Result(check.name, ok=True, message=check.fine)


def _skipped(check: Check, instead: str) -> Result:
    return Result(check.name, ok=False, message=f"not looked at: see “{instead}”")


def _look_and_repair(check: Check) -> tuple[list[Finding], Finding | None, tuple[Result, ...]]:
    """Return what a check still finds after its repairs, and what these put right."""
    before, error = _look(check)
    repairs = [finding.repair for finding in before if finding.repair]
    if not repairs:
        return before, error, ()
    failed = [failure for repair in repairs if (failure := _failure(repair))]
    after, error = _look(check)
    left = {finding.message for finding in after}
    repaired = [message for message in dict.fromkeys(one.message for one in before) if message not in left]
    results = tuple(Result(check.name, ok=True, message=message, repaired=True) for message in repaired)
    return [*failed, *after], error, results


def _look(check: Check) -> tuple[list[Finding], Finding | None]:
    """Return what a check found, and what ended it before its time."""
    found: list[Finding] = []
    try:
        found.extend(check.look())
    except Exception as exc:  # noqa: BLE001 - the other checks come next, whatever is broken here
        return found, _said(exc)
    return found, None


def _failure(repair: Repair) -> Finding | None:
    try:
        repair()
    except Exception as exc:  # noqa: BLE001
        return _said(exc)
    return None


def _said(exc: Exception) -> Finding:
    error = explained(exc)
    return Finding(error.key, error.message, error.fix or Command("git status"))
