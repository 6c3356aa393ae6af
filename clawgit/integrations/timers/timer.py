"""Runs the programs that keep timers."""

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, Protocol

from msgspec import Struct

from clawgit import errors
from clawgit.errors import NO_FIX, Advice, Command, Fix, quoted
from clawgit.schedule.runner_state import Place

_SECONDS = 60


def run(words: Sequence[str], text: bytes | None = None) -> tuple[int, bytes, str]:
    """Run a program with `text` on stdin; return its exit code, its output and what it complained of.

    Raises ClawgitError when it cannot be run.
    """
    try:
        done = subprocess.run(
            [*words],
            input=text,
            stdin=None if text is not None else subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except FileNotFoundError as exc:
        raise errors.program_missing(f"{words[0]} is missing", fix=Command("clawgit schedule install --help")) from exc
    except subprocess.TimeoutExpired as exc:
        raise errors.program_slow(f"{words[0]} took longer than {_SECONDS} seconds") from exc
    return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace").strip()


def must(words: Sequence[str], text: bytes | None = None, *, fix: Fix = NO_FIX) -> bytes:
    """Run a program that has to succeed, and return its output. Raises ClawgitError with its own words."""
    code, output, said = run(words, text)
    if code:
        raise errors.program_failed(f"{' '.join(words[:3])}: {said or f'exit code {code}'}", fix=fix)
    return output


_PASSED = ("PATH", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "TZ")
_OPENCLAWS = ("OPENCLAW_STATE_DIR", "OPENCLAW_CONFIG_PATH", "OPENCLAW_PROFILE", "OPENCLAW_WORKSPACE_DIR")
_MOST_MINUTES = 5


class Step(Struct, frozen=True):
    """One thing that is done: `what` becomes the content of the file at `path`, or it goes, or `what` is run."""

    act: Literal["write", "remove", "run"]
    what: str
    path: str = ""


class Timer(Protocol):
    """Something that calls clawgit every few minutes. Whatever fails raises ClawgitError."""

    @property
    def means(self) -> str:
        """By which means."""

    def plan(self) -> tuple[Step, ...]:
        """Return what `install` would do; nothing where it is done already."""

    def install(self) -> tuple[Step, ...]:
        """Set it up, and return what was done."""

    def farewell(self) -> tuple[Step, ...]:
        """Return what `uninstall` would do; nothing where there is nothing of ours."""

    def uninstall(self) -> tuple[Step, ...]:
        """Take it away, and return what was done."""


class Called(Struct, frozen=True):
    """The command that a timer calls: for which workspace, with which variables, every how many minutes.

    No variable that can hold a password is among them.
    """

    words: tuple[str, ...]
    variables: Mapping[str, str]
    root: str
    name: str
    minutes: int = _MOST_MINUTES


def called(place: Place, program: Path, environ: Mapping[str, str], minutes: int) -> Called:
    """Return the command. Raises ClawgitError for a path that no timer can hold."""
    variables = {name: environ[name] for name in (*_PASSED, *_OPENCLAWS) if environ.get(name)}
    words = (str(program), "-C", str(place.root), "schedule", "once")
    for text in (*words, *variables.values()):
        if not text.isprintable():
            raise errors.path_invalid(
                f"no timer can name {text!r}", fix=Advice(f"mv {quoted(text)} NEW   # then install again")
            )
    name = f"clawgit-{place.state.name.rpartition('-')[2]}"
    return Called(words, variables, str(place.root), name, min(minutes, _MOST_MINUTES))
