"""Writes the manual page from the commands, as docs/cli.md is written."""

import re
from collections.abc import Iterator

import click

from clawgit import __version__
from clawgit.cli.lazy_commands import CODES, COMMANDS_BY_HEADING, EXAMPLES

ENVIRONMENT = {
    "CLAWGIT_WORKSPACE": "The workspace, where -C does not say it.",
    "GIT_PAGER, PAGER": "What shows a long answer at a terminal; else less. Empty, or cat: nothing does.",
    "NO_COLOR": "Anything in it takes the colours away.",
    "XDG_STATE_HOME": "Where approvals and reports of mistakes lie, below clawgit/.",
}


def page(root: click.Group) -> str:
    """Return the page of the program and all its commands, as roff."""
    context = click.Context(root, info_name="clawgit")
    return "\n".join((*_head(root, context), *_commands(root, context), *_foot())) + "\n"


def _head(root: click.Group, context: click.Context) -> Iterator[str]:
    yield f'.TH CLAWGIT 1 "" "clawgit {__version__}" "User Commands"'
    yield ".SH NAME\nclawgit \\- git-backed memory and identity for OpenClaw agents"
    yield ".SH SYNOPSIS\n.B clawgit\n[OPTIONS] COMMAND [ARGS]..."
    yield f".SH DESCRIPTION\n{_text(root.help or '')}"
    yield ".SH OPTIONS"
    yield from _options(root, context)


def _commands(root: click.Group, context: click.Context) -> Iterator[str]:
    for title, names in COMMANDS_BY_HEADING.items():
        yield f".SH {_line(title.upper())}"
        for name in names:
            yield from _command(root, context, name)


def _command(group: click.Group, context: click.Context, name: str) -> Iterator[str]:
    command = group.get_command(context, name)
    assert command is not None
    path = f"{context.info_name} {name}"
    below = click.Context(command, info_name=path)
    if isinstance(command, click.Group):
        for one in command.list_commands(below):
            yield from _command(command, below, one)
        return
    yield f".SS {_line(' '.join((path, *command.collect_usage_pieces(below))))}"
    yield _text(command.help or "")
    yield from _options(command, below)
    examples = getattr(command, "examples", ())
    if examples:
        yield ".PP\n.EX"
        yield from (_line(example) for example in examples)
        yield ".EE"


def _options(command: click.Command, context: click.Context) -> Iterator[str]:
    for param in command.params:
        record = param.get_help_record(context) if isinstance(param, click.Option) else None
        if record:
            yield f".TP\n.B {_line(record[0])}\n{_line(' '.join(record[1].split()))}"


def _foot() -> Iterator[str]:
    yield f".SH EXIT STATUS\n{_line(CODES.partition(': ')[2])}"
    yield ".SH ENVIRONMENT"
    yield from (f".TP\n.B {_line(name)}\n{_line(words)}" for name, words in ENVIRONMENT.items())
    yield ".SH EXAMPLES\n.EX"
    yield from (_line(example) for example in EXAMPLES)
    yield ".EE\n.SH SEE ALSO\n.BR git (1)"


def _text(words: str) -> str:
    """Return help with a paragraph on each line."""
    return "\n.PP\n".join(_line(" ".join(part.split())) for part in re.split(r"\n\s*\n", words.strip()))


def _line(words: str) -> str:
    """Return one line of text in which nothing is taken for a request or an escape."""
    safe = (
        words.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga").replace("~", "\\(ti")
    )
    safe = safe.replace("^", "\\(ha").replace('"', "\\(dq")
    return f"\\&{safe}" if safe[:1] in (".", "'") else safe
