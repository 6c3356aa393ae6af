"""Options that commands share, the pager, and signals."""

import os
import re
import shlex
import signal
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from functools import wraps
from pathlib import Path
from threading import Event, current_thread, main_thread
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

import click

from clawgit.cli import operator_input
from clawgit.cli.call import Call
from clawgit.errors import Command, UsageError, date_invalid
from clawgit.git import repository
from clawgit.language.dates import parse_date

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from clawgit.workspace.workspace import Workspace

Function = TypeVar("Function", bound=Callable[..., Any])

_DAY = 86_400
_SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": _DAY, "week": 7 * _DAY, "month": 30 * _DAY}
_SECONDS["year"] = 365 * _DAY
_AGO = re.compile(r"(\d{1,9}|an?|[a-z]+) (second|minute|hour|day|week|month|year)s? ago")


class Words(click.ParamType[str]):
    """Text; with `stdin`, `-` reads it from there."""

    name = "text"

    def __init__(self, *, stdin: bool = False) -> None:
        self.stdin = stdin

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Refuse words that are not UTF-8: they could be neither stored nor shown."""
        try:
            if self.stdin and value == "-":
                return operator_input.read_stdin().decode("utf-8")
            value.encode("utf-8")
        except UnicodeError:
            self.fail("it is not valid UTF-8", param, ctx)
        return value

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> "list[CompletionItem]":  # noqa: ARG002 - click's signature
        """Return a mark that has a shell offer the files of the current folder."""
        from click.shell_completion import CompletionItem  # noqa: PLC0415 - only a shell asks

        return [CompletionItem(incomplete, type="file")]


def locate(workspace: "Workspace", text: str) -> str:
    """Return a path that is given from the current folder, or absolute, from the workspace's; other text as it is.

    What is behind `#` or `:` stays.
    """
    path, rest = re.fullmatch(r"(.*?)((?:[#:].*)?)", text, re.DOTALL).groups()  # type: ignore[union-attr]
    place = os.path.relpath(os.path.abspath(path), workspace.root)  # noqa: PTH100 - links are not followed
    # A path from the workspace's root is also accepted, and comes first; `Path.exists` refuses a long sentence.
    is_here = bool(path) and not Path(path).is_absolute() and os.path.exists(workspace.root / path)  # noqa: PTH110
    if is_here or not path or place.startswith(".."):
        return text
    is_on_disk = os.path.exists(workspace.root / place)  # noqa: PTH110
    is_known = is_on_disk or repository.blob_id(workspace.repo, workspace.head or "HEAD", place)
    return f"{place}{rest}" if is_known else text


def sentence_argument(
    name: str, *, required: bool = True, stdin: bool = False, metavar: str | None = None
) -> Callable[[Function], Function]:
    """Return an argument of several words, which need no quotes: they are one text."""

    def join(_ctx: click.Context, _param: click.Parameter, words: tuple[str, ...]) -> str | None:
        return " ".join(words) if words else None

    kind = Words(stdin=stdin)
    return click.argument(name, nargs=-1, required=required, type=kind, metavar=metavar or name.upper(), callback=join)


def _read_count(word: str) -> int | None:
    """Return the value of a number word, None for another word."""
    from clawgit.language import numbers  # noqa: PLC0415 - 5 ms

    return int(word) if word.isdecimal() else 1 if word in ("a", "an") else numbers.table("en").get(word)


class Since(click.ParamType["date | datetime"]):
    """A day or moment as people type it, such as `last friday`, or how long ago.

    Of a longer time, such as `last week`, it is the first day, or with `last` the last.
    """

    name = "when"

    def __init__(self, *, last: bool = False) -> None:
        self.last = last

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> "date | datetime":
        """Return the day or moment. Raises UsageError for other words: git would read them as now."""
        text, now = " ".join(str(value).split()), datetime.now(UTC).astimezone()
        ago = _AGO.fullmatch(text.casefold())
        number = _read_count(ago[1]) if ago else None
        if ago and number is not None:
            try:
                # A month counts as 30 days, a year as 365.
                moment = now - timedelta(seconds=number * _SECONDS[ago[2]])
            except OverflowError:
                return date.min
            # From a day on, the whole day is meant.
            return moment if _SECONDS[ago[2]] < _SECONDS["day"] else moment.date()
        if day := parse_date(text):
            return day
        from clawgit.language import date_mentions, dates  # noqa: PLC0415 - 5 ms

        mentions = [mention for mention in date_mentions.find_dates(text) if mention.sure]
        spans = dates.spans(mentions, now.date(), past=date_mentions.is_about_past(text))
        for mention in reversed(mentions):
            text = f"{text[: mention.start]} {text[mention.end :]}"
        if len(spans) == 1 and not re.search(r"\d|-", text):  # else a number has no meaning, as in 31 February
            return spans[0].last if self.last else spans[0].first
        command, option = (ctx.command_path, param.opts[0]) if ctx and param else ("clawgit", "--since")
        raise date_invalid(f"{value!r} is no date", fix=Command(f"{command} {option} {{}}", "last week"))


class VersionType(Words):
    """A change, a revision or a date; a day or moment as people type it, such as `4 days ago`, becomes its date."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the text, a date in ISO 8601 if it is one."""
        text = super().convert(value, param, ctx)
        if text.isdigit() or not _PHRASE.fullmatch(text):  # a revision, such as `backup-2026-01-20`, or an ISO date
            return text
        try:
            return Since(last=True).convert(text, param, ctx).isoformat()
        except UsageError:
            return text


_PHRASE = re.compile(r"[\w ]+")
evidence_option = click.option(
    "--evidence",
    type=Words(),
    multiple=True,
    metavar="POINTER",
    help='Its source, such as memory/2026-01-20.md#L4-L6; a "quote" may follow. May be repeated.',
)

file_option = click.option(
    "--file", "path", type=Words(), default="SOUL.md", show_default=True, metavar="PATH", help="Which identity file."
)

origin_option = click.option(
    "--origin",
    type=click.Choice(("operator", "agent", "untrusted")),
    default="operator",
    show_default=True,
    help="Whose words they are.",
)


def as_of_option(words: str) -> Callable[[Function], Function]:
    """Return `--as-of`, explained by `words`."""
    return click.option("--as-of", "name", type=VersionType(), metavar="REV|DATE", help=words)


def hash_option(shown_by: str) -> Callable[[Function], Function]:
    """Return `--hash`, which replaces an answer at a terminal."""
    words = f"Approve exactly what {shown_by} showed with this hash."
    return click.option("--hash", "digest", type=Words(), metavar="H", help=words)


def agent_options(function: Function) -> Function:
    """Add `--agent` and `--all-agents`."""
    for option in (
        click.option(
            "--all-agents", is_flag=True, help="In the workspaces of all agents of OpenClaw, and of the fleet."
        ),
        click.option("--agent", type=Words(), metavar="ID", help="In the workspace of this agent of OpenClaw."),
    ):
        function = option(function)
    return function


def stop_on_signals() -> Event:
    """Return an event that ^C and SIGTERM set, if this thread may take signals."""
    stop = Event()
    # Python sets signal handlers in the main thread only, and the page runs commands in others.
    if current_thread() is main_thread():
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stop.set())
    return stop


P = ParamSpec("P")
R = TypeVar("R")


def page_output(function: Callable[Concatenate[Call, P], R]) -> Callable[Concatenate[Call, P], R]:
    """Make a command print through a pager at a terminal; `less` leaves by itself if the text fits the screen."""

    @wraps(function)
    def printed(call: Call, /, *args: P.args, **kwargs: P.kwargs) -> R:
        output, screen = call.out, call.out.stdout
        # The order is that of git, without core.pager.
        program = os.environ.get("GIT_PAGER", os.environ.get("PAGER", "less")).strip()
        try:
            is_command = bool(shlex.split(program))
        except ValueError:  # quotes that do not match
            is_command = False
        is_wanted = call.pager and is_command and not output.as_json and os.environ.get("TERM", "dumb") != "dumb"
        if not (is_wanted and output.is_on_screen):
            return function(call, *args, **kwargs)
        # click reads the pager from this variable.
        os.environ["PAGER"] = program
        # git sets these flags, too: quit on one screen, colours, no clearing.
        os.environ.setdefault("LESS", "FRX")
        try:
            with click.get_pager_file(color=True) as pager:
                output.stdout, output.is_paged = pager, True
                return function(call, *args, **kwargs)
        finally:
            output.stdout, output.is_paged = screen, False

    return printed
