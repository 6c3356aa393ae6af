"""The one place where errors become words and exit codes."""

import errno
import sys
from collections.abc import Callable, Sequence

from clawgit.cli.call import Call
from clawgit.cli.layout import Span
from clawgit.errors import ClawgitError, Exit

_ENVIRONMENT = {
    errno.EACCES: "ls -l",
    errno.EPERM: "ls -l",
    errno.EROFS: "mount | grep ro,",
    errno.ENOSPC: "df -h",
    errno.EDQUOT: "quota",
    errno.EIO: "dmesg | tail",
    errno.EMFILE: "ulimit -n 4096",
}


def guarded(act: Callable[[], object], call: Call, arguments: Sequence[str]) -> int:
    """Run `act` and return the exit code, whatever happens; what failed is told in words."""
    try:
        code = act()
        call.out.flush()
    except BrokenPipeError:
        call.out.abandon()
        return Exit.DONE
    except KeyboardInterrupt:
        return _interrupted(call)
    except Exception as exc:  # noqa: BLE001 - there is nobody above
        return _failed(exc, call, arguments)
    return code if isinstance(code, int) else Exit.DONE


def _interrupted(call: Call) -> int:
    call.out.talk("interrupted")
    return Exit.INTERRUPTED


def _failed(exc: Exception, call: Call, arguments: Sequence[str]) -> int:
    import click  # noqa: PLC0415 - what does not fail may do without

    if isinstance(exc, click.Abort):
        return _interrupted(call)
    if isinstance(exc, click.exceptions.NoArgsIsHelpError):
        exc.show(call.out.stderr)
        return Exit.USAGE
    if call.debug:
        import traceback  # noqa: PLC0415

        call.out.talk("".join(traceback.format_exception(exc)).rstrip())
    if isinstance(exc, click.UsageError):
        call.out.as_json |= "--json" in arguments
    error = _expected(exc) or _mistake(exc, arguments)
    try:
        _tell(error, call)
    except OSError:
        call.out.abandon()
    return error.code


def _expected(exc: Exception) -> ClawgitError | None:
    import click  # noqa: PLC0415 - what does not fail may do without

    match exc:
        case ClawgitError():
            return exc
        case click.UsageError():
            from clawgit.cli import usage  # noqa: PLC0415 - as rare as a mistake

            return usage.explained(exc)
        case click.ClickException():
            return ClawgitError(exc.format_message())
        case OSError() if exc.errno in _ENVIRONMENT:
            place = f"{exc.filename}: " if exc.filename else ""
            return ClawgitError(f"{place}{exc.strerror}", fix=_ENVIRONMENT[exc.errno])
        case _:
            return None


def _mistake(exc: Exception, arguments: Sequence[str]) -> ClawgitError:
    from clawgit.cli import bug  # noqa: PLC0415 - the rarest way

    return bug.report(exc, arguments)


def _tell(error: ClawgitError, call: Call) -> None:
    conflicts = _conflicts(error)
    if call.out.as_json:
        document: dict[str, object] = {"error": error.message, "fix": error.fix}
        if conflicts:
            document["conflict"] = conflicts
        call.out.document(document)
        call.out.flush()
    call.out.fail(error.message)
    if conflicts and not call.out.as_json:
        from clawgit.cli import show  # noqa: PLC0415

        for row in show.conflicts(conflicts, getattr(error, "sides", show.SIDES)):
            call.out.talk(*row)
    if error.fix:
        call.out.talk(Span("  fix: ", "cyan"), error.fix)


def _conflicts(error: ClawgitError) -> list[dict[str, str]]:
    """Return the sides of a conflict; only who imported `undo` can have met one."""
    undo = sys.modules.get("clawgit.workspace.undo")
    if undo is None or not isinstance(error, undo.ConflictError):
        return []
    return [{"ours": one.ours, "theirs": one.theirs, "base": one.base} for one in error.conflicts]
