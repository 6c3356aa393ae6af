"""Reads stdin: a text, or a decision at a terminal."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from clawgit.cli.output import Output
from clawgit.cli.text_lines import Line
from clawgit.errors import Advice, Command, file_unreadable, not_confirmed, preview_outdated, terminal_needed

if TYPE_CHECKING:
    from clawgit.errors import Fix
    from clawgit.workspace.workspace import Workspace


def possible() -> bool:
    """Return whether somebody sits there to answer."""
    return sys.stdin is not None and sys.stdin.isatty()


_VOUCHED: ContextVar[bool] = ContextVar("vouched", default=False)


@contextmanager
def vouched(*, is_so: bool) -> Iterator[None]:
    """Tell the commands within that the operator has just shown, by a code of his terminal, that he is there."""
    before = _VOUCHED.set(is_so)
    try:
        yield
    finally:
        _VOUCHED.reset(before)


def present() -> bool:
    """Return whether the operator is there: at the terminal of this process, or vouched for."""
    return _VOUCHED.get() or possible()


def piped() -> bytes:
    """Return all that stdin gives."""
    try:
        return sys.stdin.buffer.read()
    except OSError as exc:
        raise file_unreadable(
            f"cannot read stdin: {exc.strerror}", fix=Command("ls -l /dev/stdin", note="where it was to be read from")
        ) from exc


def require_operator(workspace: "Workspace", act: str) -> None:
    """Raise ClawgitError unless the operator sits at a terminal, or allowed there once that this is done without.

    Whatever runs as his user can call clawgit; at a terminal it is at least seen. What is allowed is noted, and told in
    the digest. `act` says what was asked for, as in "trust approves".
    """
    if present():
        return
    if not workspace.config.approves_without_terminal:
        raise terminal_needed(
            f"{act}, and that is done at a terminal only: there is none",
            fix=Advice("run it at a terminal   # or allow it there: clawgit config approve_without_terminal on"),
        )
    workspace.trusted.note_unattended(act, workspace.now())


def confirm_shown(
    out: Output, digest: str | None, current: str, rows: Iterable[Line], question: str, act: str, fix: "Fix"
) -> None:
    """Have the operator agree, or take `digest` for it where it is that of what is shown now. Raises ClawgitError."""
    if digest is None:
        confirm(out, rows, question, act, fix)
    elif digest != current:
        raise preview_outdated(f"it is no longer what was shown: its hash is {current}", fix=fix)


def confirm(out: Output, rows: Iterable[Line], question: str, act: str, fix: "Fix") -> None:
    """Show something, and have the operator agree: as the answer, or where that is a document as talk.

    Raises ClawgitError where there is no terminal, where it could not be shown, or he declines.
    """
    if not possible():
        raise terminal_needed(f"{act} asks, and there is no terminal", fix=fix)
    if out.as_json:
        for row in rows:
            out.talk(*row)
    else:
        out.lines(rows)
        out.flush()
    if not out.lost:
        out.talk(f"{question} [y/N] ")
    if out.lost or sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise not_confirmed("nothing was done", fix=fix)
