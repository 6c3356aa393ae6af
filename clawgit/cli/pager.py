"""Shows a long answer in a pager."""

import os
import shlex
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

import click

from clawgit.cli.call import Call

P = ParamSpec("P")
R = TypeVar("R")


def paged(function: Callable[Concatenate[Call, P], R]) -> Callable[Concatenate[Call, P], R]:
    """Have a command print through a pager at a terminal; `less` leaves by itself what fits the screen."""

    @wraps(function)
    def printed(call: Call, /, *args: P.args, **kwargs: P.kwargs) -> R:
        out, screen = call.out, call.out.stdout
        program = os.environ.get("GIT_PAGER", os.environ.get("PAGER", "less")).strip()
        is_wanted = call.pager and _is_command(program) and not out.as_json
        if not (is_wanted and out.columns) or os.environ.get("TERM", "dumb") == "dumb":
            return function(call, *args, **kwargs)
        os.environ["PAGER"] = program
        os.environ.setdefault("LESS", "FRX")
        try:
            with click.get_pager_file(color=True) as pager:
                out.stdout, out.is_paged = pager, True
                return function(call, *args, **kwargs)
        finally:
            out.stdout, out.is_paged = screen, False

    return printed


def _is_command(program: str) -> bool:
    try:
        return bool(shlex.split(program))
    except ValueError:  # quotes that do not match
        return False
