"""Every command, imported when it is called."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from types import MappingProxyType
from typing import Any, NamedTuple

import click
from click.core import ParameterSource

from clawgit import __version__
from clawgit.cli.call import Call
from clawgit.cli.output import Colour
from clawgit.errors import Command, options_conflict

pass_call = click.make_pass_decorator(Call)
"""Hands a command the call that it belongs to."""


class Listed(NamedTuple):
    """The module in this package and the name of a command, and its line in the help of the group, "" for none."""

    place: str
    help: str


def _answer_as_json(ctx: click.Context, _: click.Parameter, value: bool) -> None:  # noqa: FBT001 - click's signature
    call = ctx.find_object(Call)
    assert call is not None
    call.out.as_json |= value


class DocumentedCommand(click.Command):
    """A command, or with Group several, whose help ends in examples.

    One that does something gets the call that it belongs to, and with `has_json` the option `--json`. `apart` names
    the parameters that do not go with one.
    """

    def __init__(
        self,
        *,
        examples: Sequence[str] = (),
        has_json: bool = True,
        apart: Mapping[str, str] = MappingProxyType({}),
        callback: Callable[..., Any] | None = None,
        params: Sequence[click.Parameter] | None = None,
        **kwargs: Any,
    ) -> None:
        param_list = list(params or ())
        if callback and (kwargs.get("invoke_without_command") or not isinstance(self, click.Group)):
            callback = pass_call(callback)
            param_list += [_JSON] if has_json else []
        super().__init__(callback=callback, params=param_list, **kwargs)
        self.examples = tuple(examples)
        self.apart = apart

    def invoke(self, ctx: click.Context) -> Any:
        """Run it. Raises UsageError for two options that do not go together."""
        # Defaults and environment variables conflict with no option.
        from_words = ParameterSource.COMMANDLINE
        options = {item.name: item for item in self.params if ctx.get_parameter_source(str(item.name)) is from_words}
        for first, other in ((first, other) for first, others in self.apart.items() for other in others.split()):
            if first in options and other in options:
                words = " and ".join(options[name].get_error_hint(ctx).replace("'", "") for name in (first, other))
                raise options_conflict(f"{words} do not go together", fix=Command(f"{ctx.command_path} --help"))
        return super().invoke(ctx)

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Return the option --help, which prints as every command does: click's own passes our printer by."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.callback = _print_and_exit
        return option

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples, each on a line of its own."""
        if self.examples:
            with formatter.section("Examples"):
                for example in self.examples:
                    words = example.replace(f"clawgit {TWINS.get(ctx.info_name or '', '-')}", ctx.command_path)
                    formatter.write(f"{'':>{formatter.current_indent}}{words}\n")
        super().format_epilog(ctx, formatter)


_JSON = click.Option(
    ["--json"],
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_answer_as_json,
    help="Print one JSON document.",
)


def command(
    *examples: str, name: str | None = None, **attributes: Any
) -> Callable[[Callable[..., Any]], click.Command]:
    """Return a decorator that makes a command of a function."""
    return click.command(name, cls=DocumentedCommand, examples=examples, **attributes)


def _print_and_exit(ctx: click.Context, option: click.Parameter, value: bool) -> None:  # noqa: FBT001 - click's signature
    """Print the help, or the version, instead of running the command."""
    if value and not ctx.resilient_parsing:
        call = ctx.find_object(Call)
        assert call is not None
        call.out.help(f"clawgit {__version__}\n" if option.name == "version" else f"{ctx.get_help()}\n")
        ctx.exit()


class Group(DocumentedCommand, click.Group):
    """Commands in the order they were written down; those in `listed` follow, and are imported only to be run."""

    command_class = DocumentedCommand

    def __init__(self, *, listed: Mapping[str, Listed] | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.listed = listed or {}

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names, in order; hidden ones are left out."""
        return [*self.commands, *(name for name, entry in self.listed.items() if entry.help)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command, importing its module."""
        entry = self.listed.get(cmd_name)
        if entry is None:
            return super().get_command(ctx, cmd_name)
        module, _, name = entry.place.partition(":")
        result: click.Command = getattr(import_module(f"clawgit.cli.{module}"), name)
        return result


class Top(Group):
    """The commands of the top level, under headings; their help is short unless all of it is asked for."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command, also by a name that it had before."""
        return super().resolve_command(ctx, rename_command(args, ctx.find_object(Call)))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, then the options."""
        self.format_commands(ctx, formatter)
        click.Command.format_options(self, ctx, formatter)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples, and with every command the exit codes."""
        self.epilog = CODES if ALL in ctx.meta else None
        super().format_epilog(ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the everyday commands, or every one, each under its heading."""
        is_all = ALL in ctx.meta
        headings: Mapping[str, Iterable[str]] = COMMANDS_BY_HEADING if is_all else EVERYDAY
        widest = max(len(name) for names in headings.values() for name in names)
        for title, names in headings.items():
            with formatter.section(title):
                formatter.write_dl([(f"{name:<{widest}}", self.listed[name].help) for name in names])
        if not is_all:
            count = len(COMMANDS) - sum(map(len, EVERYDAY.values()))
            with formatter.section("More"):
                formatter.write_dl(
                    [
                        ("clawgit help --all", f"the other {count} commands"),
                        ("clawgit help COMMAND", "one command, with its options and examples"),
                    ]
                )


COMMANDS_BY_HEADING: Mapping[str, Mapping[str, Listed]] = {
    "Start": {
        "init": Listed("adoption_commands:init", "Create a managed workspace, or clone one."),
        "adopt": Listed("adoption_commands:adopt", "Start managing an existing OpenClaw workspace."),
        "eject": Listed("adoption_commands:eject", "Stop managing it; give every byte back."),
        "connect": Listed("connect_commands:connect", "Connect your agent."),
        "disconnect": Listed("connect_commands:disconnect", "Remove the connection."),
    },
    "Look": {
        "status": Listed("findings_commands:status", "Show alarms and waiting items, and whether everything works."),
        "log": Listed("history_commands:log", "List changes, newest first."),
        "show": Listed("inbox_commands:show", "Show a change, memory, conversation or item in full."),
        "diff": Listed("history_commands:diff", "Compare two versions of a file, word by word."),
        "why": Listed("history_commands:why", "Show the author of a line, its time and the message before it."),
        "read": Listed("memory_commands:read", "Print a file, or lines of it."),
        "search": Listed("search_commands:search", "Find present and past memories."),
        "digest": Listed("findings_commands:digest", "Print the news on one page: done, changed, waiting, due."),
        "ui": Listed("ui_command:ui", "Open the same in your browser."),
    },
    "Change": {
        "remember": Listed("memory_commands:add", "Keep a sentence, word for word."),
        "correct": Listed("correction_commands:correct", "Replace a wrong fact everywhere it is stored."),
        "forget": Listed("memory_commands:forget", "Move a memory to the archive; git keeps it."),
        "undo": Listed("capture_commands:undo", "Revert one change; later changes stay."),
        "restore": Listed("capture_commands:restore", "Bring back a file, a folder, a section or an entry."),
        "taint": Listed("correction_commands:taint", "Revert everything that one source taught."),
        "purge": Listed("correction_commands:purge", "Remove a secret, or a file, from all of history."),
    },
    "Inbox": {
        "inbox": Listed("inbox_commands:inbox", "List items that wait for your decision."),
        "accept": Listed("inbox_commands:accept", "Accept items; each becomes one commit."),
        "reject": Listed("inbox_commands:reject", "Reject items, with or without a reason."),
    },
    "Identity": {
        "soul": Listed("history_commands:soul", "Show, compare, edit and revert SOUL.md and its like."),
        "trust": Listed("capture_commands:trust", "Approve the identity as it is now."),
        "changelog": Listed("history_commands:changelog", "Render the changes of the identity."),
    },
    "Memory": {
        "memory": Listed("memory_commands:memory", "Add, list, promote, compact and index memories."),
        "corrections": Listed("correction_commands:corrections", "List corrections."),
        "context": Listed("search_commands:context", "Print the memories that belong to a conversation."),
        "eval": Listed("memory_commands:eval_", "Measure search on your own questions."),
    },
    "Agents and schedule": {
        "run": Listed("run_command:run", "Run an agent now."),
        "schedule": Listed("schedule_commands:schedule", "Run the jobs at their times."),
        "model": Listed("findings_commands:model", "Show which model reads, and whether it can."),
        "triage": Listed("correction_commands:triage", "Tell whether a message should be remembered, or corrects."),
        "session": Listed("session_commands:session", "Import and read the conversations of OpenClaw."),
    },
    "Machines and programs": {
        "sync": Listed("sync_commands:sync", "Exchange memory with your other machines."),
        "server": Listed("connect_commands:server", "Guard a shared repository."),
        "fleet": Listed("schedule_commands:fleet", "Run many workspaces at once."),
        "hooks": Listed("connect_commands:hooks", "Let git check commits and pushes, and merge memory."),
        "mcp": Listed("connect_commands:mcp", "Serve other agents, over the Model Context Protocol."),
    },
    "Upkeep": {
        "doctor": Listed("findings_commands:doctor", "List every finding, and make safe repairs."),
        "capture": Listed("capture_commands:capture", "Commit edits made outside clawgit."),
        "config": Listed("config_commands:config", "Read and set the settings."),
        "state": Listed("sync_commands:state", "Move local state to another machine."),
        "help": Listed("help_command:help_", "Show the help of a command, or list all commands or errors."),
    },
}
"""Every command, under the headings of `clawgit help --all`."""
COMMANDS = {name: entry for words in COMMANDS_BY_HEADING.values() for name, entry in words.items()}
HIDDEN = {
    "completion": Listed("help_command:completion", ""),
    "merge-driver": Listed("sync_commands:merge_one", ""),
}
"""Commands that scripts and git call."""
EVERYDAY: Mapping[str, tuple[str, ...]] = {
    "Start": ("adopt", "init", "connect"),
    "Look": ("status", "inbox", "log", "why", "search", "soul"),
    "Change": ("remember", "correct", "undo", "restore"),
}
"""What `clawgit --help` shows."""
ALL = "clawgit.help.all"
"""Under this key the context of a call notes that every command is wanted."""
_FORMER_NAMES = {
    "accept": "conflicts resolve, corrections confirm, memory keep, quarantine propose, soul approve",
    "config": "config get, config path, config set, config show",
    "connect": "openclaw install",
    "digest --all-agents": "fleet digest",
    "disconnect": "openclaw uninstall",
    "doctor": "hooks status, sync driver",
    "doctor --memory": "audit",
    "hooks install": "sync driver --install",
    "hooks uninstall": "sync driver --uninstall",
    "inbox": "conflicts list, memory candidates, quarantine list, review, soul proposals",
    "init --from": "sync clone",
    "log --about": "memory story",
    "log --sessions": "session list",
    "log --versions": "soul history",
    "memory list": "facts list",
    "model": "model status",
    "model --test": "model test",
    "reject": "corrections dismiss, memory drop, quarantine drop, soul reject",
    "schedule status --log": "schedule log",
    "search --all-agents": "fleet search",
    "session flush --handoff": "session handoff",
    "session plan": "session compact, session due, session prune",
    "show": "conflicts show, corrections show, memory show, quarantine show, session show, soul review",
    "soul diff": "soul drift",
    "status": "openclaw status",
    "why SOUL.md": "soul blame",
}
"""Commands by what is typed now, with their names in the release before."""
RENAMED = {old: new for new, names in _FORMER_NAMES.items() for old in names.split(", ")}
TWINS = {"diff": "soul diff", "remember": "memory add"}
"""Commands that have a second name in the specification."""
SHORTER = {
    "conflicts": "inbox --kind conflict",
    "corrections list": "corrections",
    "journal add": "remember --journal",
    "memory get": "read",
    "memory search": "search",
    "schedule once": "schedule run --once",
    "soul log": "log --file SOUL.md",
}
"""Names of the specification and of installed timers, and the command that each is short for."""

CODES = (
    "Exit codes: 0 done, 1 failed, 2 mistyped, 3 a check found something, 70 a mistake in clawgit, 75 busy, "
    "130 interrupted."
)
EXAMPLES = (
    "clawgit adopt ~/.openclaw/workspace --dry-run",
    'clawgit remember "Chose REST over GraphQL." --tag decision',
    "clawgit log --file SOUL.md -n 5",
    "clawgit undo",
)


@click.group(
    cls=Top,
    listed=COMMANDS | HIDDEN,
    context_settings={"help_option_names": ["-h", "--help"]},
    examples=EXAMPLES,
    apart={"folder": "agent"},
)
@click.option(
    "-C",
    "folder",
    metavar="DIR",
    envvar="CLAWGIT_WORKSPACE",
    show_envvar=True,
    help="The workspace, or a folder inside it.",
)
@click.option("--agent", default="", metavar="ID", help="The workspace of this agent of OpenClaw.")
@click.option(
    "--color",
    type=click.Choice(("auto", "always", "never")),
    default="auto",
    show_default=True,
    help="Auto means on a terminal, unless NO_COLOR is set.",
)
@click.option("--no-pager", is_flag=True, help="Print long answers at once; else GIT_PAGER, PAGER or less shows them.")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_and_exit,
    help="Show the version and exit.",
)
@pass_call
def cli(call: Call, folder: str | None, agent: str, color: Colour, *, debug: bool, no_pager: bool) -> None:
    """Keep an OpenClaw agent's memory and identity in git.

    Every change is one commit with its reason; everything can be looked up and undone. Without -C the workspace is
    the one around the current folder, else the one that OpenClaw itself works in, as its configuration says.
    """
    call.folder, call.agent, call.debug = folder, agent, debug
    call.out.colour, call.pager = color, not no_pager


def run(arguments: list[str], call: Call) -> object:
    """Run the command in `arguments` and return its result."""
    try:
        with cli.make_context("clawgit", arguments, obj=call) as context:
            return cli.invoke(context)
    except click.exceptions.Exit as exc:
        return exc.exit_code


def rename_command(words: list[str], call: Call | None) -> list[str]:
    """Return a command under its present name, and report a name of the release before."""
    # The longest name is tried first, since some names begin with others.
    for size in (3, 2, 1):
        name = " ".join(words[:size])
        successor = RENAMED.get(name) or SHORTER.get(name)
        if name == "soul blame" and any(word.startswith("--file") for word in words):  # an argument now
            successor, words = "why", [word.removeprefix("--file=") for word in words if word != "--file"]
        if name in RENAMED and call:
            call.out.note(f"clawgit {name} is now clawgit {successor}")
        if successor:
            return [*successor.split(), *words[size:]]
    return words
