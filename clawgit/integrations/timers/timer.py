"""What sets a timer up, and what takes it away."""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, Protocol

from msgspec import Struct

from clawgit.errors import ClawgitError, quoted
from clawgit.schedule.runner_state import Place

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
            raise ClawgitError(f"no timer can name {text!r}", fix=f"mv {quoted(text)} NEW   # then install again")
    name = f"clawgit-{place.state.name.rpartition('-')[2]}"
    return Called(words, variables, str(place.root), name, min(minutes, _MOST_MINUTES))
