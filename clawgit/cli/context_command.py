"""`clawgit context`."""

import os
from collections.abc import Iterator, Sequence
from typing import Any

import click
from msgspec import to_builtins

from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import DocumentedCommand
from clawgit.cli.options import Words, answering
from clawgit.cli.output import Line, Output, Span, line, width
from clawgit.context import conversation_search
from clawgit.context.addition import Addition, add_to_turn
from clawgit.context.assemble import assemble, project_context
from clawgit.context.receipt import Asked, Assembled, Slot
from clawgit.errors import Exit, options_conflict
from clawgit.workspace import openclaw_limits
from clawgit.workspace.workspace import Workspace

_WIDE = 80
_SHOWN = 3


def tell(out: Output, found: Assembled, *, receipt: bool) -> int | None:
    """Print a context; loudly say what is wrong with it. Return the exit code."""
    if out.as_json:
        out.document(to_builtins(found))
    else:
        out.verbatim(found.text)
        if receipt:
            out.lines([line(""), *_receipt(found)])
    for words in found.warnings:
        out.warn(words)
    if found.cut_identity and not out.as_json and not receipt:
        for row in _receipt(found):
            out.talk(*row)
    return Exit.FOUND if found.cut_identity else None


def _receipt(found: Assembled) -> Iterator[Line]:
    """Yield the receipt as a table of at most 80 columns; what was left out stands below."""
    yield line(Span(f"{'slot':<12}{'asked':>9}{'given':>8}{'stolen':>8}{'kept':>8}  from", "bold"))
    for slot in found.slots:
        numbers = f"{slot.name:<12}{slot.asked:>9,}{slot.given:>8,}{slot.stolen:>8,}{slot.kept:>8,}"
        yield line(f"{numbers}  {_fitted(_sources(slot.sources), _WIDE - len(numbers) - 2)}".rstrip())
    yield line(Span(f"{'together':<12}{'':>9}{found.budget:>8,}{'':>8}{found.tokens:>8,}", "bold"))
    for slot in found.slots:
        yield from _cuts(slot)


def _cuts(slot: Slot) -> Iterator[Line]:
    whys: dict[str, list[str]] = {}
    for cut in slot.cut:
        whys.setdefault(cut.why, []).append(cut.what)
    for why, what in whys.items():
        named = what[-1:] if what[-1].endswith(" more") else []
        shown = [*what[:_SHOWN], *([f"{len(what) - _SHOWN} others"] if len(what) > _SHOWN else []), *named]
        words = f"{slot.name}, left out, {why}: {', '.join(dict.fromkeys(shown))}"
        yield line(Span(_fitted(words, _WIDE), "dim"))


def _sources(sources: Sequence[str]) -> str:
    files = list(dict.fromkeys(source.partition("#")[0] for source in sources))
    return files[0] + (f" and {len(files) - 1} more" if len(files) > 1 else "") if files else ""


def _fitted(words: str, room: int) -> str:
    """Return words in at most so many columns."""
    if width(words) <= room:
        return words
    while words and width(words) > room - 1:
        words = words[:-1]
    return words + "\u2026"


def tell_addition(out: Output, addition: Addition, *, receipt: bool) -> None:
    """Print what is added to a turn."""
    if out.as_json:
        out.document(to_builtins(addition))
        return
    if addition.text:
        out.verbatim(f"{addition.text}\n")
    if receipt:
        out.lines([*([line("")] if addition.text else []), *_decisions(addition)])


def _decisions(addition: Addition) -> Iterator[Line]:
    for decision in addition.decisions:
        yield line(Span(f"{decision.name}: {'yes' if decision.passes else 'no'}, {decision.score:.2f}", "bold"))
        yield line(Span(", ".join(f"{name} {value:.2f}" for name, value in decision.features.items()), "dim"))
    for entry in addition.entries:
        yield line(f"{entry.path}#L{entry.line}: {entry.score:.2f}")
    yield line(f"added: {len(addition.entries)} lines{', a hint' if addition.hint else ''}")


_KINDS = ("main", "group", "subagent", "cron", "heartbeat")
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


@click.command(cls=DocumentedCommand, examples=EXAMPLES)
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
@click.option("--turn", is_flag=True, help=_TURN)
@click.option("--receipt", is_flag=True, help="Say below it what each slot got and left out, or why lines were added.")
@answering
def context(call: Call, /, **given: Any) -> int | None:
    """Print what an agent should know for a conversation.

    Eight slots share a budget of tokens: identity, operator profile, corrections, recent memory, relevant memory,
    people, long-term memory, external context. TEXT is the conversation so far, or its last turn; `-` reads it from
    stdin. What does not fit whole is left out, and the receipt says so. Outside of a main session neither USER.md nor
    the memory file is given. Exits with 3 when not even the identity fits.

    With --turn nothing is printed unless the message concerns the owner's world and a line of memory fits it. Files
    that OpenClaw shows by itself are left out, or those of --shown. A session that is named gets no line twice in ten
    turns.
    """
    layout, receipt = given.pop("layout"), given.pop("receipt")
    call.out.as_json |= layout == "json"
    if given.pop("turn"):
        _add_to_turn(call, layout, given, receipt=receipt)
        return None
    with call.workspace() as workspace:
        found = _assembled(workspace, Asked(given.pop("text") or "", **given), layout)
    return tell(call.out, found, receipt=receipt)


def _add_to_turn(call: Call, layout: str, given: dict[str, Any], *, receipt: bool) -> None:
    if given["budget"] is not None or given["as_of"] or layout == "openclaw":
        raise options_conflict("--turn has a size and a layout of its own, and knows the present alone")
    shown = given["shown"] or openclaw_limits.ORDER
    asked = Asked(
        given["text"] or "", given["query"], given["session"], session_kind=given["session_kind"], shown=shown
    )
    with call.workspace() as workspace, conversation_search.followed(workspace) as sessions:
        addition = add_to_turn(workspace, asked, sessions)
    tell_addition(call.out, addition, receipt=receipt)


def _assembled(workspace: Workspace, asked: Asked, layout: str) -> Assembled:
    made = project_context if layout == "openclaw" else assemble
    with conversation_search.followed(workspace) as sessions:
        if not asked.session:
            return made(workspace, asked, None, sessions)
        from clawgit.sessions import untainted_chats  # noqa: PLC0415 - as above

        with untainted_chats.opened(workspace, os.environ, reading=True) as store:
            return made(workspace, asked, store, sessions)
