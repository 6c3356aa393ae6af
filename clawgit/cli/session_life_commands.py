"""`clawgit session plan`, `prune` and `due`."""

from datetime import datetime

import click

from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import DocumentedCommand
from clawgit.cli.options import Words, answering
from clawgit.cli.output import counted, labelled, line
from clawgit.errors import Advice, date_invalid
from clawgit.integrations.json_documents import Document, fields
from clawgit.language.iso_dates import parse_date
from clawgit.sessions import transcript_discovery
from clawgit.sessions.life import (
    compaction_plan,
    model_context,
    reset_times,
    result_pruning,
    session_lookup,
    token_limits,
)
from clawgit.sessions.life.compaction_plan import Compaction
from clawgit.sessions.life.model_context import Conversation, Item
from clawgit.sessions.life.reset_times import Due
from clawgit.sessions.life.result_pruning import Pruned
from clawgit.sessions.life.token_limits import Limits
from clawgit.sessions.transcript_discovery import Found
from clawgit.workspace.workspace import Workspace

_WIDTH = 11
_AT = Advice("clawgit session due FILE --at 2026-05-04T10:00+02:00")


wanted_session = click.argument("wanted", type=Words(), metavar="FILE|SESSION")
window_option = click.option(
    "--window",
    type=click.IntRange(1),
    metavar="N",
    help="Tokens that the model takes in all.  [default: context_window_tokens of CONFIG.md]",
)
_at = click.option(
    "--at",
    "moment",
    type=Words(),
    metavar="MOMENT",
    help="As of this moment, such as 2026-05-04T10:00+02:00.  [default: now]",
)


@click.command(
    "plan", cls=DocumentedCommand, examples=("clawgit session plan 5b0f3c1e", "clawgit session plan talk.jsonl --json")
)
@wanted_session
@window_option
@_at
@answering
def plan(call: Call, wanted: str, window: int | None, moment: str | None) -> None:
    """Tell how full a conversation is, and what is due.

    FILE is a transcript; SESSION is called by its id or the beginning of it, by AGENT/ID, or by its key. Tokens are
    those that the last answer reported, with an estimate of what came after it. Memory is to be flushed when
    soft_threshold_tokens are left before a compaction, and compacted when only reserve_tokens_floor are left of the
    window. Nothing is written.
    """
    with call.workspace() as workspace:
        found, now = read_session(workspace, wanted), _now(workspace, moment)
        limits, value = token_limits.of_config(workspace.config.value, window), workspace.config.value
        used, reported = model_context.used(found.context)
        pruned = result_pruning.prune(
            found.context, result_pruning.of_config(workspace.config.value), limits.window, now.timestamp()
        )
        compaction = compaction_of(workspace, found, limits)
        due, mode = _due(workspace, found, now)
        flushes = value("memory_flush") == "on" and used >= limits.flush_at
        prompts = token_limits.flush_prompts(value, workspace.journal_path(now.date()))
    document = {
        **about(found),
        "tokens": used,
        "reported": reported,
        "limits": fields(limits, "window reserve soft flush_at compact_at"),
        "flush": {"due": flushes, **prompts},
        "compact": {"due": used >= limits.compact_at, **sides(compaction)},
        "prune": _pruned(pruned),
        "reset": _reset(found, due, mode),
    }
    rows = [
        labelled("tokens", _WIDTH, f"{used:,} of {limits.window:,}{'' if reported else ', estimated'}"),
        labelled("flush", _WIDTH, f"{_yes(flushes)} (from {limits.flush_at:,})"),
        labelled("compact", _WIDTH, f"{_yes(used >= limits.compact_at)} (from {limits.compact_at:,})"),
        labelled("prune", _WIDTH, _prune_words(pruned)),
        labelled("reset", _WIDTH, _due_words(due)),
    ]
    call.out.answer(lambda: document, rows, indent=_WIDTH)


@click.command(
    "prune",
    cls=DocumentedCommand,
    examples=("clawgit session prune talk.jsonl", "clawgit session prune main/5b0f --json"),
)
@wanted_session
@window_option
@_at
@answering
def prune(call: Call, wanted: str, window: int | None, moment: str | None) -> None:
    """Show a conversation with old results of tools shortened.

    With --json the messages stand there as the model would read them, and what was done to which. Results behind the
    last keep_last_assistants answers stay whole, and all do until prune_ttl seconds have passed since the last one.
    The transcript stays as it is.
    """
    with call.workspace() as workspace:
        found, now = read_session(workspace, wanted), _now(workspace, moment)
        limits, rules = (
            token_limits.of_config(workspace.config.value, window),
            result_pruning.of_config(workspace.config.value),
        )
    done = result_pruning.prune(found.context, rules, limits.window, now.timestamp())
    call.out.answer(
        lambda: {**about(found), **_pruned(done), "items": [item.raw for item in done.items]},
        [line(_prune_words(done))],
    )


@click.command(
    "due",
    cls=DocumentedCommand,
    examples=("clawgit session due 5b0f3c1e", "clawgit session due agent:main:main --json"),
)
@wanted_session
@_at
@answering
def due(call: Call, wanted: str, moment: str | None) -> None:
    """Tell whether a conversation is over by its age.

    By reset_mode a day ends at reset_at on the operator's clock, and a conversation after idle_minutes in which nobody
    spoke; a day also ends while the machine sleeps. Cron, heartbeats and other machines' turns keep nothing alive.
    """
    with call.workspace() as workspace:
        found, now = read_session(workspace, wanted), _now(workspace, moment)
        when, mode = _due(workspace, found, now)
    call.out.answer(lambda: {**about(found), **_reset(found, when, mode)}, [line(_due_words(when))])


def found_session(workspace: Workspace, wanted: str, *, files: bool = True) -> Found:
    """Return where a conversation lies. Raises ClawgitError where there is none, or several."""
    owners = [owner.id for owner in workspace.host.owners(workspace.root)]
    agents = owners or transcript_discovery.every_agent(workspace.host)
    return session_lookup.find(workspace.host, agents, wanted, files=files)


def read_session(workspace: Workspace, wanted: str) -> Conversation:
    """Return a conversation as the model would read it. Raises ClawgitError where there is none, or several."""
    return model_context.read(found_session(workspace, wanted), workspace.host.operators)


def _now(workspace: Workspace, moment: str | None) -> datetime:
    now = workspace.now()
    if moment is None:
        return now
    found = parse_date(moment)
    if not isinstance(found, datetime):
        raise date_invalid(f"{moment!r} is no moment", fix=_AT)
    return found if found.tzinfo else found.replace(tzinfo=now.tzinfo)


def compaction_of(workspace: Workspace, found: Conversation, limits: Limits, budget: int | None = None) -> Compaction:
    """Return what a compaction of a conversation would do."""
    return compaction_plan.plan(
        found.context, int(workspace.config.value("keep_last_turns")), budget or limits.flush_at
    )


def _due(workspace: Workspace, found: Conversation, now: datetime) -> tuple[Due, str]:
    rules = reset_times.of_config(workspace.config.value)
    zone = workspace.now().tzinfo
    if found.last is None or zone is None:
        return Due(), rules.mode
    return reset_times.due(datetime.fromtimestamp(found.last, zone), now, zone, rules), rules.mode


def about(found: Conversation) -> Document:
    """Return what a document says of the conversation that it is about."""
    return {**fields(found.session, "session=id agent kind"), "messages": len(found.items), "unread": found.unread}


def _pruned(done: Pruned) -> Document:
    return {"due": bool(done.trimmed or done.cleared), **fields(done, "trimmed cleared before after reason?")}


def _reset(found: Conversation, due: Due, mode: str) -> Document:
    last = None if found.last is None else datetime.fromtimestamp(found.last).astimezone().isoformat()
    return {"mode": mode, "last": last, "due": bool(due.by), **fields(due, "by? since? next?")}


def sides(done: Compaction) -> Document:
    """Return what a document says of both sides of a compaction."""
    return {"summarise": _side(done.summarised), "keep": _side(done.kept)}


def _side(items: tuple[Item, ...]) -> Document:
    ids = [item.event.id for item in items]
    return {
        "first": ids[0] if ids else None,
        "last": ids[-1] if ids else None,
        "items": len(ids),
        "tokens": model_context.total(items),
    }


def _yes(due: bool) -> str:  # noqa: FBT001 - words for it
    return "due" if due else "not yet"


def _prune_words(done: Pruned) -> str:
    if done.reason:
        return f"nothing: {done.reason}"
    told = f"{counted(len(done.trimmed), 'result')} trimmed, {len(done.cleared):,} cleared"
    return f"{told}: {done.before:,} to {done.after:,} tokens"


def _due_words(due: Due) -> str:
    if due.by:
        return f"over ({due.by}) since {due.since:%Y-%m-%d %H:%M}"
    return f"not before {due.next:%Y-%m-%d %H:%M}" if due.next else "never by its age"
