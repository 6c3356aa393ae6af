"""The command `clawgit`, its exit codes, and git hooks."""

import errno
import gc
import io
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from clawgit import errors
from clawgit.cli.call import Call
from clawgit.cli.operator_input import read_stdin
from clawgit.cli.output import Output
from clawgit.cli.render import Span, draw_conflicts
from clawgit.errors import ClawgitError, DiskError, Exit

if TYPE_CHECKING:
    from clawgit.git.repository import Repository


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `clawgit ARGUMENTS` (None: those of the process) and return its exit code."""
    argv = list(sys.argv[1:] if arguments is None else arguments)
    if arguments is None:
        gc.disable()  # the process ends sooner than garbage matters; collecting costs 7 ms of start-up
        _have_streams()
    call = Call(Output(_usable(sys.stdout), _usable(sys.stderr)))
    call.debug = "--debug" in argv  # also for what goes wrong before the options are read
    code = run_guarded(lambda: _run_arguments(argv, call), call, argv)
    if arguments is None:
        gc.freeze()  # the interpreter would look for garbage once more
    return code


def _have_streams() -> None:
    """Point stdin, stdout and stderr nowhere if the caller closed them, and make them blocking again.

    The next file that is opened would else take their place, and get the output of libraries.
    """
    for number in range(3):
        try:
            hasty = not os.get_blocking(number)
        except OSError:
            lowest_free = os.open(os.devnull, os.O_RDWR)
            os.set_inheritable(lowest_free, True)  # noqa: FBT003 - it takes no keyword
        else:
            # On a pipe that the caller left non-blocking, a large write fails.
            if hasty:
                os.set_blocking(number, True)
    sys.stdin = sys.stdin or os.fdopen(0, "r", closefd=False)
    sys.stdout = sys.stdout or os.fdopen(1, "w", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(2, "w", closefd=False)


def _usable(stream: TextIO | None) -> TextIO:
    """Return a stream that takes any text: one that its owner closed leads nowhere."""
    if stream is None:
        return io.StringIO()
    if isinstance(stream, io.TextIOWrapper):
        # Names of files may be any bytes, and the encoding of the stream may be ASCII.
        stream.reconfigure(errors="backslashreplace")
    return stream


def _run_arguments(arguments: list[str], call: Call) -> object:
    """Run a command; a hook without click, which takes longer to load than most hooks take."""
    if hook := parse_hook_call(arguments):
        return run_hook(call.out, *hook)
    if instruction := os.environ.get("_CLAWGIT_COMPLETE"):
        from clawgit.cli import help_command  # noqa: PLC0415 - loads click

        return help_command.complete_words(call.out, instruction)
    from clawgit.cli import lazy_commands  # noqa: PLC0415 - loads click

    return lazy_commands.run(arguments, call)


_SIDES = ("as the change wrote it", "as it stands now", "as it was before the change")
_FIXES = {
    errno.EROFS: errors.Advice("mount | grep ro,"),
    errno.EIO: errors.Advice("dmesg | tail"),
    errno.EMFILE: errors.Command("ulimit -n 4096"),
}


def run_guarded(act: Callable[[], object], call: Call, arguments: Sequence[str]) -> int:
    """Run `act` and return the exit code, whatever happens; a failure is reported in words.

    The answer is out when this returns: nothing is left for the interpreter to write at its end.
    """
    try:
        try:
            answer = act()
            code = answer if isinstance(answer, int) else errors.Exit.DONE
        except Exception as exc:  # noqa: BLE001 - there is nobody above
            code = _report_exception(exc, call, arguments)
        call.out.flush()
    except KeyboardInterrupt:
        return _interrupted(call)
    unwritten = call.out.lost is not None and not call.out.unread
    return code or (errors.Exit.FAILED if unwritten else errors.Exit.DONE)


def _interrupted(call: Call) -> int:
    call.out.abandon()  # a reader that takes nothing would hold up the end
    call.out.talk("interrupted")
    return errors.Exit.INTERRUPTED


def _report_exception(exc: Exception, call: Call, arguments: Sequence[str]) -> int:
    import click  # noqa: PLC0415 - what does not fail may do without

    if isinstance(exc, click.Abort):
        return _interrupted(call)
    if isinstance(exc, click.exceptions.NoArgsIsHelpError):
        call.out.talk(exc.format_message())
        return errors.Exit.USAGE
    if call.debug:
        import traceback  # noqa: PLC0415

        call.out.talk("".join(traceback.format_exception(exc)).rstrip())
    # A mistyped command may fail before click reads --json.
    call.out.as_json |= isinstance(exc, click.UsageError) and "--json" in arguments
    if error := _find_expected(exc):
        _print_error(error, call, arguments)
        return error.code
    fix = errors.Advice("run it again with --debug, and report what it shows")
    _print_error(errors.bug(f"this is a mistake in clawgit: {type(exc).__name__}", fix=fix), call, arguments)
    return errors.Exit.BUG


def _find_expected(exc: Exception) -> errors.ClawgitError | None:
    """Return the error that people can act on, None for a mistake of ours."""
    import click  # noqa: PLC0415 - what does not fail may do without

    match exc:
        case errors.ClawgitError():
            # A full disk causes other errors, and its own fix is the useful one.
            full = None if isinstance(exc, errors.DiskError) else errors.find_disk_error(exc.__cause__)
            return errors.disk_full(exc.message, fix=full.fix) if full else exc
        case click.UsageError():
            from clawgit.cli import help_command  # noqa: PLC0415 - as rare as a mistake

            return help_command.explain_usage_error(exc)
        case click.ClickException():
            return errors.usage(exc.format_message())
        case _:
            return errors.find_disk_error(exc) or _find_system_error(exc) or errors.explain_damage(exc)


def _find_system_error(exc: Exception) -> errors.ClawgitError | None:
    """Return an error of the files, the devices or the clock of this machine, None for others."""
    if isinstance(exc, OSError) and exc.errno in (errno.EACCES, errno.EPERM, *_FIXES):
        place = f"{exc.filename}: " if exc.filename else ""
        return errors.system_error(f"{place}{exc.strerror}", fix=_FIXES.get(exc.errno, errors.Command("ls -l")))
    if isinstance(exc, OverflowError) and "timestamp" in str(exc):
        fix = errors.Command("timedatectl set-ntp true", note="or: date -s …")
        return errors.clock_invalid("this machine's clock says a time that programs cannot count to", fix=fix)
    return None


def _print_error(error: errors.ClawgitError, call: Call, arguments: Sequence[str]) -> None:
    conflicts: Sequence[Mapping[str, object]] = ()
    if sides := getattr(error, "conflicts", ()):
        from clawgit.json_documents import map_documents  # noqa: PLC0415 - conflicts are few

        conflicts = map_documents(sides, "ours theirs base")
    if call.out.as_json:
        document: dict[str, object] = {"error": error.message, "key": error.key, "fix": str(error.fix)}
        call.out.document({**document, "conflict": conflicts} if conflicts else document)
    call.out.fail(error.message)
    if conflicts and not call.out.as_json:
        words = (word if word.replace("-", "").isalnum() else errors.shell_word(word) for word in arguments)
        whole = " ".join(["clawgit", *words, "--json"])
        for row in draw_conflicts(conflicts, getattr(error, "sides", _SIDES), whole):
            call.out.talk(*row)
    if error.fix:
        call.out.talk(Span("  fix: ", "cyan"), str(error.fix))


_MAX_REFUSALS = 20


def parse_hook_call(words: Sequence[str]) -> tuple[str, tuple[str, ...]] | None:
    """Return the hook and its arguments for `clawgit hook run NAME`, as our scripts call it; None otherwise."""
    match words:
        case ["hook", "run", name, *arguments] if name in HOOKS:
            return name, tuple(arguments[1:] if arguments[:1] == ["--"] else arguments)
        case _:
            return None


def run_hook(output: Output, name: str, arguments: Sequence[str]) -> int:
    """Run one hook in the current folder and return its exit code; of those that guard a push an error goes on."""
    from clawgit.git.repository import find, find_bare  # noqa: PLC0415

    try:
        repo = (find_bare if name in SERVERS else find)(Path.cwd())
        return HOOKS[name](output, repo, *arguments[:1])
    except ClawgitError as exc:
        # An error of ours lets a commit pass, but stops a push, since a pushed secret is public.
        if name in ("pre-push", "pre-receive") or isinstance(exc, DiskError):
            raise
        output.warn(f"{name}: {exc.message}")
        return Exit.DONE


def _pre_commit(output: Output, repo: "Repository", *_: str) -> int:
    """Repair stale entries, and refuse secrets and changes against soul_policy.

    git names the index in a variable.
    """
    from clawgit.connect import hook_checks  # noqa: PLC0415

    # For `git commit FILE` git builds a temporary index.
    index = Path.cwd() / os.environ.get("GIT_INDEX_FILE", repo.gitdir / "index")
    for path in hook_checks.put_right(repo, index):
        output.note(f"{path}: git's index held an older version; it was put right, so that nothing is taken back")
    problems = tuple(hook_checks.problems(repo, index))
    for problem in problems:
        (output.fail if problem.refused else output.warn)(problem.message, problem.fix)
    return Exit.FAILED if any(problem.refused for problem in problems) else Exit.DONE


def _post_commit(output: Output, repo: "Repository", *_: str) -> int:
    """Render the changelog anew."""
    from clawgit.workspace import changelog  # noqa: PLC0415
    from clawgit.workspace.workspace import Workspace  # noqa: PLC0415

    try:
        changelog.refresh_views(Workspace(repo))
    except OSError as exc:
        output.warn(f"the changelog was not rendered: {exc.filename}: {exc.strerror}")
        return Exit.FAILED
    return Exit.DONE


def _pre_push(output: Output, repo: "Repository", remote: str = "origin", *_: str) -> int:
    """Refuse to push a secret, or a purged object."""
    from clawgit.workspace import outgoing_secrets  # noqa: PLC0415

    lines = read_stdin().decode("utf-8", "surrogateescape")
    obstacles = outgoing_secrets.list_obstacles(
        repo,
        remote,
        lines,
        lambda gap: output.warn(f"{gap.commit[:10]} could not be looked at: an object of it is missing"),
    )
    return _refuse_push(output, list(obstacles))


def _refuse_push(output: Output, errors: Sequence[ClawgitError]) -> int:
    """Report the first obstacles to a push; return the exit code of its hook."""
    for error in errors[:_MAX_REFUSALS]:
        output.fail(error.message, error.fix)
    if len(errors) > _MAX_REFUSALS:
        output.talk(f"… and {len(errors) - _MAX_REFUSALS:,} more")
    return Exit.FAILED if errors else Exit.DONE


def _pre_receive(output: Output, repo: "Repository", *_: str) -> int:
    """Refuse a push to this server with a secret, or a purged object."""
    from clawgit.git.git_command import read_quarantine, use_quarantine  # noqa: PLC0415
    from clawgit.workspace import outgoing_secrets  # noqa: PLC0415 - a commit does without

    lines = read_stdin().decode("utf-8", "surrogateescape")
    with use_quarantine(read_quarantine()):
        return _refuse_push(output, list(outgoing_secrets.check_received(repo, lines)))


def _post_receive(*_: object) -> int:
    """Do nothing: clawgit 0.2 merged the heads of machines here, and its hook may still be installed."""
    read_stdin()
    return Exit.DONE


HOOKS: dict[str, Callable[..., int]] = {
    "pre-commit": _pre_commit,
    "post-commit": _post_commit,
    "pre-push": _pre_push,
    "pre-receive": _pre_receive,
    "post-receive": _post_receive,
}
SERVERS = ("pre-receive", "post-receive")
"""The hooks of a repository that others push to."""
