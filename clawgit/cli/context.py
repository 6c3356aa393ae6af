"""`clawgit context`."""

import os
from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.call import Call, pass_call
from clawgit.cli.lazy import Command
from clawgit.cli.options import Words, json_option
from clawgit.errors import Exit, UsageError

if TYPE_CHECKING:
    from clawgit.context.asked import Asked
    from clawgit.context.assembled import Assembled
    from clawgit.workspace.workspace import Workspace

_KINDS = ("main", "group", "subagent", "cron", "heartbeat")
_BUDGET = "Tokens; every slot is scaled.  [default: context_budget_tokens of CONFIG.md]"
_SESSION = "Go by the last turns of this conversation, as clawgit session import kept it."

EXAMPLES = (
    'clawgit context "when is the deploy?" --receipt',
    "clawgit context - --budget 2000 < conversation.txt",
    "clawgit context --session 5b0f3c1e --json",
    'clawgit context "what did we decide on the API" --as-of 2026-01-20',
    "clawgit context --check",
)


@click.command(cls=Command, examples=EXAMPLES)
@click.argument("text", type=Words(stdin=True), required=False, metavar="[TEXT|-]")
@click.option(
    "--query", type=Words(), default="", metavar="Q", help="What to ask the memory, instead of the last turn."
)
@click.option("--session", type=Words(), default="", metavar="ID", help=_SESSION)
@click.option("--budget", type=click.IntRange(0), metavar="N", help=_BUDGET)
@click.option("--session-kind", type=click.Choice(_KINDS), default="main", show_default=True, help="Who listens.")
@click.option("--as-of", "as_of", type=Words(), metavar="REV|DATE", help="From the files as they were then.")
@click.option(
    "--format",
    "layout",
    type=click.Choice(("markdown", "json", "openclaw")),
    default="markdown",
    show_default=True,
    help="How it is laid out.",
)
@click.option(
    "--shown", multiple=True, type=Words(), metavar="PATH", help="A file that the prompt has already. May be repeated."
)
@click.option("--receipt", is_flag=True, help="Say below it what each slot asked for, got, kept and left out.")
@click.option("--check", is_flag=True, help="Only say what OpenClaw's own prompt shows of its files; exits with 3.")
@json_option
@pass_call
def context(call: Call, /, **given: Any) -> int | None:
    """Print what an agent should know for a conversation.

    Eight slots share a budget of tokens: identity, operator profile, corrections, recent memory, relevant memory,
    people, long-term memory, external context. TEXT is the conversation so far, or its last turn; `-` reads it from
    stdin. What does not fit whole is left out, and the receipt says so. Outside of a main session neither USER.md nor
    the memory file is given. Exits with 3 when not even the identity fits.
    """
    layout, receipt = given.pop("layout"), given.pop("receipt")
    call.out.as_json |= layout == "json"
    if given.pop("check"):
        return _check(call)
    from clawgit.cli import show_context  # noqa: PLC0415 - the help does without
    from clawgit.context.asked import Asked  # noqa: PLC0415

    with call.workspace() as workspace:
        found = _assembled(workspace, Asked(given.pop("text") or "", **given), layout)
    return show_context.tell(call.out, found, receipt=receipt)


def _assembled(workspace: "Workspace", asked: "Asked", layout: str) -> "Assembled":
    from clawgit.context import conversation_search  # noqa: PLC0415 - as above
    from clawgit.context.assemble import assemble  # noqa: PLC0415
    from clawgit.context.openclaw import project_context  # noqa: PLC0415

    conversation_search.bring(workspace)
    made = project_context if layout == "openclaw" else assemble
    if not asked.session:
        return made(workspace, asked)
    from clawgit.sessions import stores  # noqa: PLC0415 - as above

    with stores.opened(workspace.state, os.environ, reading=True) as store:
        return made(workspace, asked, store)


def _check(call: Call) -> int | None:
    from clawgit.cli import show_context  # noqa: PLC0415 - as above
    from clawgit.context.check import check  # noqa: PLC0415

    with call.workspace() as workspace:
        found = check(workspace)
    if not found:
        raise UsageError("there is no file that OpenClaw puts into its prompts", fix="clawgit status")
    show_context.tell_check(call.out, found)
    return None if all(one.fits for one in found) else Exit.FOUND
