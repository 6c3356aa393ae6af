"""Asks for a decision at a terminal."""

import sys
from collections.abc import Iterable

from clawgit.cli.call import Call
from clawgit.cli.layout import Line


def possible() -> bool:
    """Tell whether somebody sits there to answer."""
    return sys.stdin is not None and sys.stdin.isatty()


def show(call: Call, rows: Iterable[Line]) -> None:
    """Show what is to be decided: as the answer, or where that is a document as talk."""
    if call.out.as_json:
        for row in rows:
            call.out.talk(*row)
    else:
        call.out.lines(rows)
        call.out.flush()


def agreed(call: Call, question: str) -> bool:
    """Ask, and tell whether the answer was yes."""
    call.out.talk(f"{question} [y/N] ")
    return sys.stdin.readline().strip().lower() in ("y", "yes")
