"""`clawgit context`."""

from typing import Any

import click
from msgspec import to_builtins

from clawgit.cli import render
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import command
from clawgit.cli.options import Words, sentence_argument
from clawgit.cli.text_lines import line
from clawgit.context import conversation_search
from clawgit.context.addition import add_to_turn
from clawgit.context.receipt import KINDS, Asked
from clawgit.errors import Exit
from clawgit.openclaw import openclaw_limits

_SLOTS = "name asked given stolen kept sources cut"


_BUDGET = "Tokens; every slot is scaled.  [default: context_budget_tokens of CONFIG.md]"
_SESSION = "Go by the last turns of this conversation, as clawgit session import kept it; with --turn only its name."
_TURN = "Only what the plugin adds to a turn of OpenClaw's: few lines, or nothing."

EXAMPLES = (
    'clawgit context "when is the deploy?" --receipt',
    "clawgit context - --budget 2000 < conversation.txt",
    "clawgit context --session 5b0f3c1e --json",
    'clawgit context "what did we decide on the API" --as-of 2026-01-20',
    'clawgit context "where is the spare key?" --turn --receipt',
)


@command(*EXAMPLES, apart={"turn": "budget as_of"})
@sentence_argument("text", stdin=True, required=False, metavar="[TEXT|-]")
@click.option(
    "--query", type=Words(), default="", metavar="Q", help="What to ask the memory, instead of the last turn."
)
@click.option("--session", type=Words(), default="", metavar="ID", help=_SESSION)
@click.option("--budget", type=click.IntRange(0), metavar="N", help=_BUDGET)
@click.option("--session-kind", type=click.Choice(KINDS), default="main", show_default=True, help="Who listens.")
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
@click.option("--turn", is_flag=True, help=_TURN)
@click.option("--receipt", is_flag=True, help="Say below it what each slot got and left out, or why lines were added.")
def context(call: Call, /, **given: Any) -> int | None:
    """Print what an agent should know for a conversation.

    Eight slots share a budget of tokens: identity, operator profile, corrections, recent memory, relevant memory,
    people, long-term memory, external context. TEXT is the conversation so far, or its last turn; `-` reads it from
    stdin. Lines that do not fit whole are left out. USER.md and the memory file are for main sessions only. Exits with
    3 when not even the identity fits.

    --turn prints nothing unless the message concerns the owner's world and a line of memory fits it. Files in the
    prompt already are left out. A named session gets no line twice in ten turns.
    """
    layout, receipt = given.pop("layout"), given.pop("receipt")
    call.out.as_json |= layout == "json"
    if given.pop("turn"):
        _add_to_turn(call, given, receipt=receipt)
        return None
    with call.workspace() as workspace:
        request = Asked(given.pop("text") or "", **given)
        assembled = conversation_search.assemble_all(workspace, request, as_openclaw=layout == "openclaw")
    output, document = call.out, to_builtins(assembled)
    slots = list(render.draw_table(document["slots"], _SLOTS))
    output.answer(document, text=assembled.text)
    if receipt and not output.as_json:
        output.lines([line(""), *slots, *render.draw_record(document, "budget tokens")])
    for words in assembled.warnings:
        output.warn(words)
    if assembled.cut_identity and not output.as_json and not receipt:
        for row in slots:
            output.talk(*row)
    return Exit.FOUND if assembled.cut_identity else None


def _add_to_turn(call: Call, given: dict[str, Any], *, receipt: bool) -> None:
    paths = given["shown"] or openclaw_limits.ORDER
    request = Asked(
        given["text"] or "", given["query"], given["session"], session_kind=given["session_kind"], shown=paths
    )
    with call.workspace() as workspace, conversation_search.followed(workspace) as sessions:
        addition = add_to_turn(workspace, request, sessions)
    document = to_builtins(addition)
    call.out.answer(document, text=f"{addition.text}\n" if addition.text else "")
    if receipt and not call.out.as_json:
        empty = [line("")] if addition.text else []
        call.out.lines([*empty, *render.draw_record(document, "decisions entries hint")])
