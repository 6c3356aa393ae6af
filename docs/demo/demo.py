"""Plays a morning with an agent; with a WORKSPACE, looks at a copy of that one.

    python docs/demo/demo.py [WORKSPACE]

Every command is the real one. All of it happens in a temporary folder with a home of its own, which is gone at the
end. The exit code is 1 when anything went other than what is said.
"""

import io
import os
import sys
import tempfile
import time
from pathlib import Path

import borrowed
import morning
from stage import Stage, WrongError


def main() -> int:
    """Play, and return the exit code."""
    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    started = time.monotonic()
    try:
        with tempfile.TemporaryDirectory(prefix="clawgit-demo-") as folder:
            stage = Stage(Path(folder).resolve(), colour=colour)
            play(stage, sys.argv[1:])
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (WrongError, OSError) as error:
        sys.stdout.flush()
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    print()
    stage.say(
        f"{stage.commands} commands in {time.monotonic() - started:.1f} s. The folder they worked in is gone again."
    )
    return 0


def play(stage: Stage, given: list[str]) -> None:
    """Play what was asked for."""
    if given:
        borrowed.play(stage, Path(given[0]))
    else:
        morning.play(stage)


if __name__ == "__main__":
    sys.exit(main())
