"""Reads stdin: a text, or a decision at a terminal."""

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from clawgit.cli.output import Output
from clawgit.cli.render import Line
from clawgit.errors import Advice, Command, file_unreadable, not_confirmed, preview_outdated, terminal_needed

if TYPE_CHECKING:
    from clawgit.errors import Fix
    from clawgit.workspace.workspace import Workspace


def is_interactive() -> bool:
    """Return whether somebody sits there to answer."""
    return sys.stdin is not None and sys.stdin.isatty()


def read_stdin() -> bytes:
    """Return all that stdin gives."""
    try:
        return sys.stdin.buffer.read()
    except OSError as exc:
        raise file_unreadable(f"cannot read stdin: {exc.strerror}", fix=Command("ls -l /dev/stdin")) from exc


def require_operator(workspace: "Workspace", act: str) -> None:
    """Raise ClawgitError unless the operator is there: any program of his can call clawgit.

    `act` describes the request, as in "trust approves".
    """
    if not workspace.attended:
        words = f"{act}, and that is done at a terminal only: there is none"
        raise terminal_needed(words, fix=Advice("run it at a terminal, or decide on the page: clawgit ui"))


def confirm_shown(
    output: Output, digest: str | None, current: str, rows: Iterable[Line], question: str, act: str, fix: "Fix"
) -> None:
    """Ask the operator to agree, or take `digest` for it if it is that of the shown text. Raises ClawgitError."""
    if digest is None:
        confirm(output, rows, question, act, fix)
    elif digest != current:
        raise preview_outdated(f"it is no longer what was shown: its hash is {current}", fix=fix)


def confirm(output: Output, rows: Iterable[Line], question: str, act: str, fix: "Fix") -> None:
    """Show something, and have the operator agree: as the answer, or where that is a document as talk.

    Raises ClawgitError where there is no terminal, where it could not be shown, or he declines.
    """
    if not is_interactive():
        raise terminal_needed(f"{act} asks, and there is no terminal", fix=fix)
    if output.as_json:
        for row in rows:
            output.talk(*row)
    else:
        output.lines(rows)
        output.flush()
    if not output.lost:
        output.talk(f"{question} [y/N] ")
    # The operator cannot agree to a text that was never printed.
    if output.lost or sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise not_confirmed("nothing was done", fix=fix)
