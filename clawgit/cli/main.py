"""The command `clawgit`."""

import gc
import io
import os
import sys
from collections.abc import Sequence
from typing import TextIO

from clawgit.cli import hook_actions
from clawgit.cli.call import Call
from clawgit.cli.error_boundary import guarded
from clawgit.cli.output import Output


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `clawgit ARGUMENTS` (None: those of the process) and return its exit code."""
    argv = list(sys.argv[1:] if arguments is None else arguments)
    if arguments is None:
        gc.disable()  # the process ends sooner than garbage matters; collecting costs 7 ms of start-up
        _have_streams()
    call = Call(Output(_usable(sys.stdout), _usable(sys.stderr)))
    call.debug = "--debug" in argv  # also for what goes wrong before the options are read
    code = guarded(lambda: _run(argv, call), call, argv)
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
        stream.reconfigure(errors="backslashreplace")
    return stream


def _run(given: list[str], call: Call) -> object:
    """Run a command; a hook without click, which takes longer to load than most hooks take."""
    if hook := hook_actions.parse_hook_call(given):
        return hook_actions.run_hook(call.out, *hook)
    if instruction := os.environ.get("_CLAWGIT_COMPLETE"):
        from clawgit.cli import help_command  # noqa: PLC0415 - loads click

        return help_command.answer(call.out, instruction)
    from clawgit.cli import lazy_commands  # noqa: PLC0415 - loads click

    return lazy_commands.run(given, call)
