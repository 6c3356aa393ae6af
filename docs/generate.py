"""Write docs/cli.md and docs/share/ from the commands; with --check, tell whether they still say what they do."""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import click
import man_page

from clawgit.cli import help_command
from clawgit.cli.lazy_commands import COMMANDS_BY_HEADING, cli

HERE = Path(__file__).resolve().parent
SHARE = HERE / "share"

PREFACE = """\
# The command line

Written by `make docs` from the commands themselves; do not edit.

The answer goes to stdout, everything else to stderr. `--json` prints one document, also when the command fails: \
then it holds `error` and `fix`, and for a conflict both sides in `conflict`. Fields are only ever added. Commits are \
full ids in JSON and ten letters elsewhere, lines count from 1, paths are relative to the workspace, times carry \
their offset.

A command that changes something prints one line with the commit and the way back; in JSON `commit`, `change`, \
`files` and `undo`. With nothing to do `commit` is null and `reason` says why; the exit code is 0.

| exit code | meaning |
|---|---|
| 0 | done; an empty answer is an answer |
| 1 | failed: stderr has the reason and a fix |
| 2 | mistyped: stderr names the nearest that exists |
| 3 | a check found something |
| 70 | a mistake in clawgit: stderr names the file that describes it |
| 75 | somebody else is writing; try again |
| 130 | interrupted |
"""

OVERVIEW = "The commands by purpose; a group is listed by its commands.\n"


def files() -> Mapping[Path, str]:
    """Return what is written from the commands: the reference, the manual page, what completes them in each shell."""
    return {
        HERE / "cli.md": "\n".join((PREFACE, *overview(cli), *sections(cli, "clawgit"))),
        SHARE / "man/man1/clawgit.1": man_page.page(cli),
        SHARE / "bash-completion/completions/clawgit": help_command.script("bash"),
        SHARE / "zsh/site-functions/_clawgit": help_command.script("zsh"),
        SHARE / "fish/vendor_completions.d/clawgit.fish": help_command.script("fish"),
    }


def main() -> int:
    """Write what is written from the commands, or compare it."""
    wrong = [place for place, text in files().items() if not place.exists() or place.read_text("utf-8") != text]
    if "--check" not in sys.argv[1:]:
        for place in wrong:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(files()[place], "utf-8")
        return 0
    for place in wrong:
        print(f"error: {place} does not say what the commands do", file=sys.stderr)
    return 1 if wrong else 0


def overview(root: click.Group) -> Iterator[str]:
    """Yield every command with what it says of itself, under the headings of the help."""
    context = click.Context(root, info_name="clawgit")
    yield OVERVIEW
    for title, names in COMMANDS_BY_HEADING.items():
        yield f"**{title}**\n\n| command | |\n|---|---|"
        yield "\n".join(row for name in names for row in rows(root, context, name)) + "\n"


def rows(group: click.Group, context: click.Context, name: str) -> Iterator[str]:
    """Yield a row for a command, or for each of a group."""
    command = group.get_command(context, name)
    path = f"{context.info_name} {name}"
    if isinstance(command, click.Group) and command.list_commands(below := click.Context(command, info_name=path)):
        for one in command.list_commands(below):
            yield from rows(command, below, one)
    elif command is not None:
        yield f"| `{path}` | {cell(paragraphs(command.help or '').split(chr(10))[0])} |"


def sections(command: click.Command, path: str) -> Iterator[str]:
    """Yield the section of a command, then those below it."""
    context = click.Context(command, info_name=path)
    yield f"{'##' if isinstance(command, click.Group) else '###'} {path}\n"
    pieces = " ".join(command.collect_usage_pieces(context))
    yield f"```\n{path} {pieces}\n```\n"
    yield f"{paragraphs(command.help or '')}\n"
    options = [param for param in command.params if isinstance(param, click.Option)]
    records = [record for option in options if (record := option.get_help_record(context))]
    if records:
        yield "| option | |\n|---|---|"
        yield "\n".join(f"| `{cell(name)}` | {cell(' '.join(words.split()))} |" for name, words in records) + "\n"
    if examples := getattr(command, "examples", ()):
        yield "\n".join(("```sh", *examples, "```")) + "\n"
    if isinstance(command, click.Group):
        found = [(name, command.get_command(context, name)) for name in command.list_commands(context)]
        # What stands alone comes before the groups, or it would read as part of one.
        for name, below in sorted(found, key=lambda pair: isinstance(pair[1], click.Group)):
            if below is not None:
                yield from sections(below, f"{path} {name}")


def paragraphs(text: str) -> str:
    """Return help with each paragraph on one line."""
    return "\n\n".join(" ".join(part.split()) for part in text.strip().split("\n\n"))


def cell(text: str) -> str:
    """Return text that stays inside its cell of a table."""
    return text.replace("|", "\\|")


if __name__ == "__main__":
    sys.exit(main())
