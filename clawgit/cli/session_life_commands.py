"""`clawgit session plan`, `prune`, `compact`, `due`, `handoff` and `flush`."""

import os
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

import click

from clawgit.agents import session_flush
from clawgit.agents.reading_by_rules import ByRules
from clawgit.agents.running import Result
from clawgit.cli import change_output, run_output
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import Command
from clawgit.cli.options import Words, answering
from clawgit.cli.output import Line, counted, labelled, line
from clawgit.errors import ClawgitError, UsageError
from clawgit.integrations.json_documents import Document, fields
from clawgit.language.iso_dates import parse_date
from clawgit.llm import voices
from clawgit.llm.model import ModelError
from clawgit.sessions import chat_store_choice, session_import, transcript_files, turn_lookup
from clawgit.sessions.envelope import MACHINES
from clawgit.sessions.life import (
    compaction_plan,
    conversation_handoff,
    model_context,
    reset_times,
    result_pruning,
    session_lookup,
    token_limits,
)
from clawgit.sessions.life.compaction_plan import Compaction
from clawgit.sessions.life.conversation_handoff import Handoff, Kept
from clawgit.sessions.life.conversation_outline import outline
from clawgit.sessions.life.model_context import Conversation, Item
from clawgit.sessions.life.reset_times import Due
from clawgit.sessions.life.result_pruning import Pruned
from clawgit.sessions.life.token_limits import Limits
from clawgit.sessions.session_messages import Event
from clawgit.sessions.transcript_files import Found
from clawgit.workspace.workspace import Workspace

Function = TypeVar("Function", bound=Callable[..., Any])
_WIDTH = 11
_OVER = ("new", "reset", "idle", "daily")
"""Why OpenClaw begins another conversation in the place of one."""
_AT = "clawgit session due FILE --at 2026-05-04T10:00+02:00"


def _wanted(function: Function) -> Function:
    return click.argument("wanted", type=Words(), metavar="FILE|SESSION")(function)


def _window(function: Function) -> Function:
    words = "Tokens that the model takes in all.  [default: context_window_tokens of CONFIG.md]"
    return click.option("--window", type=click.IntRange(1), metavar="N", help=words)(function)


def _at(function: Function) -> Function:
    words = "As of this moment, such as 2026-05-04T10:00+02:00.  [default: now]"
    return click.option("--at", "moment", type=Words(), metavar="MOMENT", help=words)(function)


@click.command(
    "plan", cls=Command, examples=("clawgit session plan 5b0f3c1e", "clawgit session plan talk.jsonl --json")
)
@_wanted
@_window
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
        found, now = _read(workspace, wanted), _now(workspace, moment)
        limits, value = token_limits.of_config(workspace.config.value, window), workspace.config.value
        used, reported = model_context.used(found.context)
        pruned = result_pruning.prune(
            found.context, result_pruning.of_config(workspace.config.value), limits.window, now.timestamp()
        )
        compaction = _compaction(workspace, found, limits)
        due, mode = _due(workspace, found, now)
        flushes = value("memory_flush") == "on" and used >= limits.flush_at
        prompts = token_limits.flush_prompts(value, workspace.journal_path(now.date()))
    document = {
        **_session(found),
        "tokens": used,
        "reported": reported,
        "limits": fields(limits, "window reserve soft flush_at compact_at"),
        "flush": {"due": flushes, **prompts},
        "compact": {"due": used >= limits.compact_at, **_sides(compaction)},
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
    "prune", cls=Command, examples=("clawgit session prune talk.jsonl", "clawgit session prune main/5b0f --json")
)
@_wanted
@_window
@_at
@answering
def prune(call: Call, wanted: str, window: int | None, moment: str | None) -> None:
    """Show a conversation with old results of tools shortened.

    With --json the messages stand there as the model would read them, and what was done to which. Results behind the
    last keep_last_assistants answers stay whole, and all do until prune_ttl seconds have passed since the last one.
    The transcript stays as it is.
    """
    with call.workspace() as workspace:
        found, now = _read(workspace, wanted), _now(workspace, moment)
        limits, rules = (
            token_limits.of_config(workspace.config.value, window),
            result_pruning.of_config(workspace.config.value),
        )
    done = result_pruning.prune(found.context, rules, limits.window, now.timestamp())
    call.out.answer(
        lambda: {**_session(found), **_pruned(done), "items": [one.raw for one in done.items]},
        [line(_prune_words(done))],
    )


@click.command(
    "compact", cls=Command, examples=("clawgit session compact 5b0f3c1e", "clawgit session compact 5b0f --json")
)
@_wanted
@_window
@click.option(
    "--budget", type=click.IntRange(1), metavar="N", help="Tokens to fit into.  [default: where a flush is due]"
)
@answering
def compact(call: Call, wanted: str, window: int | None, budget: int | None) -> None:
    """Show what a compaction would summarise, and what stays whole.

    The last keep_last_turns turns stay as they are, fewer where they do not fit; a call of a tool and its result stay
    together. The summary is made by rules: the last request, what was decided, what is open, which files were touched,
    each with its pointer. With --json the messages stand there as the model would read them. The transcript stays as it
    is.
    """
    with call.workspace() as workspace:
        found, limits = _read(workspace, wanted), token_limits.of_config(workspace.config.value, window)
        done = _compaction(workspace, found, limits, budget)
        find = _find(workspace)
    told = outline(done.summarised, found.session.id, find)
    text = compaction_plan.summary(done, told) if done.summarised else ""
    before = model_context.total(found.context)
    head = [compaction_plan.entry(done, text, before)] if text else []
    after = model_context.total([*head, *done.kept])
    if not done.fits:
        call.out.warn(f"the last turn alone takes {after:,} tokens, and {done.budget:,} is what there is")
    document = {
        **_session(found),
        **fields(done, "budget fits turns"),
        "before": before,
        "after": after,
        **_sides(done),
        "summary": text,
        "items": [one.raw for one in (*head, *done.kept)],
    }
    call.out.answer(lambda: document, _compact_lines(done, text, before, after), indent=_WIDTH)


@click.command(
    "due", cls=Command, examples=("clawgit session due 5b0f3c1e", "clawgit session due agent:main:main --json")
)
@_wanted
@_at
@answering
def due(call: Call, wanted: str, moment: str | None) -> None:
    """Tell whether a conversation is over by its age.

    By reset_mode a day ends at reset_at on the operator's clock, and a conversation after idle_minutes in which nobody
    spoke; a day also ends while the machine sleeps. Cron, heartbeats and other machines' turns keep nothing alive.
    """
    with call.workspace() as workspace:
        found, now = _read(workspace, wanted), _now(workspace, moment)
        when, mode = _due(workspace, found, now)
    call.out.answer(lambda: {**_session(found), **_reset(found, when, mode)}, [line(_due_words(when))])


@click.command(
    "handoff", cls=Command, examples=("clawgit session handoff 5b0f3c1e", "clawgit session handoff 5b0f --dry-run")
)
@_wanted
@click.option("--dry-run", is_flag=True, help="Print the file, and write nothing; no model is asked.")
@answering
def handoff(call: Call, wanted: str, *, dry_run: bool) -> None:
    """Keep what a conversation came to in a file for the next one.

    memory/DATE-SLUG.md holds what was decided, what is open, the last request, the files that tools touched and the
    last new_session_messages messages, quoted, each with its pointer, marked as past. A model names the file where one
    is set up (see clawgit model status), else the time of day does. A search finds it. A conversation has one such file
    a day: called again, it is brought up to date.
    """
    with call.workspace() as workspace:
        place = _found(workspace, wanted)
        if not dry_run:
            workspace.require_managed()
            _bring(call, workspace, place)
        found = model_context.read(place, workspace.host.operators)
        made = _gathered(workspace, found)
        if made is None:
            reason = "nobody said anything in it that could be handed over"
            call.out.answer(lambda: {"commit": None, "reason": reason, **_session(found)}, [line(reason)])
        elif dry_run:
            text = conversation_handoff.text(made)
            call.out.answer(lambda: {**_session(found), "text": text}, map(line, text.splitlines()), indent=0)
        else:
            _hand_over(call, workspace, found, made)


def _gathered(workspace: Workspace, found: Conversation) -> Handoff | None:
    """Return what to hand over of a conversation, None where no people said anything in it."""
    if found.session.kind in MACHINES:
        return None
    now, most = workspace.now(), int(workspace.config.value("new_session_messages"))
    return conversation_handoff.gather(found, _find(workspace), most, now.tzinfo, now)


def _keep(call: Call, workspace: Workspace, made: Handoff) -> Kept:
    try:
        voice = voices.find(workspace.config.value, os.environ, workspace.state)
    except ModelError as exc:
        call.out.warn(exc.message, exc.fix)
        voice = None
    kept = conversation_handoff.keep(workspace, made, voice)
    if kept.wrong:
        call.out.warn(f"the time of day names the file: {kept.wrong}")
    return kept


def _hand_over(call: Call, workspace: Workspace, found: Conversation, made: Handoff) -> None:
    kept = _keep(call, workspace, made)
    if kept.change and kept.applied:
        change_output.tell(call, kept.applied, kept.change.subject, **_session(found), path=kept.path)
        return
    document = {"commit": None, "reason": f"{kept.path} has all of it already", **_session(found), "path": kept.path}
    call.out.answer(lambda: document, [line(f"{kept.path} has all of it already")])


@click.command(
    "flush", cls=Command, examples=("clawgit session flush 5b0f3c1e", "clawgit session flush talk.jsonl --json")
)
@_wanted
@click.option(
    "--left",
    type=click.Choice([*_OVER, "compaction", "shutdown", "restart"]),
    metavar="WHY",
    help=f"OpenClaw compacts or leaves it: {', '.join(_OVER)}, compaction, shutdown or restart.",
)
@answering
def flush(call: Call, wanted: str, left: str | None) -> None:
    """Note what a conversation asks to be kept, before it is compacted.

    Brings in the conversation, also what a compaction dropped already, and writes what rules find in the operator's
    words (decisions, requests to remember) into the journal of the day when it was said, with the message as evidence,
    in one commit. No model is asked. Called again it adds nothing.

    With --left, as the plugin in OpenClaw calls it, nothing is done where memory_flush is off; and a direct
    conversation that is over leaves a file for the next one, as session handoff does.
    """
    with call.workspace() as workspace:
        workspace.require_managed()
        if left and workspace.config.value("memory_flush") != "on":
            reason = "memory_flush is off"
            call.out.answer(lambda: {"commit": None, "reason": reason}, [line(reason)])
            return
        place = _found(workspace, wanted)
        session = place.session if place.form == "database" else session_import.described(place).id
        new = _bring(call, workspace, place, session)
        with chat_store_choice.opened(workspace.state, os.environ) as store:
            workspace.conversations = partial(turn_lookup.turn, store)
            done = session_flush.flush(workspace, store, session)
            found = _read(workspace, wanted) if left in _OVER else None
            made = _gathered(workspace, found) if found and found.session.kind in ("direct", "unknown") else None
            kept = _keep(call, workspace, made) if made else None
    if call.out.as_json:
        more = {"handoff": kept.path if kept else None} if left else {}
        call.out.document({**run_output.document(done), "session": session, "new": new, **more})
    else:
        run_output.tell_result(call.out, done, _flush_lines, applied=True)


def _flush_lines(found: Result, applied: bool) -> Iterator[Line]:  # noqa: FBT001 - as every summary takes it
    del applied
    for one in found.learnt:
        yield labelled("noted", _WIDTH, one.text, style="")
    if not found.learnt:
        yield line("nothing new to note")


def _found(workspace: Workspace, wanted: str) -> Found:
    owners = [one.id for one in workspace.host.owners(workspace.root)]
    return session_lookup.find(workspace.host, owners or transcript_files.every_agent(workspace.host), wanted)


def _read(workspace: Workspace, wanted: str) -> Conversation:
    return model_context.read(_found(workspace, wanted), workspace.host.operators)


def _bring(call: Call, workspace: Workspace, found: Found, session: str = "") -> int:
    """Bring a conversation into the chat store, and return how many of its messages are new.

    Raises ClawgitError where it cannot be read, or was to be forgotten.
    """
    owner = next((one.id for one in workspace.host.owners(workspace.root)), "main")
    with chat_store_choice.opened(workspace.state, os.environ) as store:
        done = session_import.follow(workspace, store, [found], found.agent or owner)
        gone = {name for _, name in store.forgotten()}
    for problem in done.problems:
        call.out.warn(problem.message, problem.fix)
    if (session or found.session) in gone:
        raise ClawgitError(f"OpenClaw was told to forget {session or found.session}", fix="clawgit session list")
    return done.new


def _find(workspace: Workspace) -> Callable[[Event], list[str]]:
    read = ByRules(workspace)
    return lambda event: session_flush.kept_sentences(event, read)


def _now(workspace: Workspace, moment: str | None) -> datetime:
    now = workspace.now()
    if moment is None:
        return now
    found = parse_date(moment)
    if not isinstance(found, datetime):
        raise UsageError(f"{moment!r} is no moment", fix=_AT)
    return found if found.tzinfo else found.replace(tzinfo=now.tzinfo)


def _compaction(workspace: Workspace, found: Conversation, limits: Limits, budget: int | None = None) -> Compaction:
    return compaction_plan.plan(
        found.context, int(workspace.config.value("keep_last_turns")), budget or limits.flush_at
    )


def _due(workspace: Workspace, found: Conversation, now: datetime) -> tuple[Due, str]:
    rules = reset_times.of_config(workspace.config.value)
    zone = workspace.now().tzinfo
    if found.last is None or zone is None:
        return Due(), rules.mode
    return reset_times.due(datetime.fromtimestamp(found.last, zone), now, zone, rules), rules.mode


def _session(found: Conversation) -> Document:
    return {**fields(found.session, "session=id agent kind"), "messages": len(found.items), "unread": found.unread}


def _pruned(done: Pruned) -> Document:
    return {"due": bool(done.trimmed or done.cleared), **fields(done, "trimmed cleared before after reason?")}


def _reset(found: Conversation, due: Due, mode: str) -> Document:
    last = None if found.last is None else datetime.fromtimestamp(found.last).astimezone().isoformat()
    return {"mode": mode, "last": last, "due": bool(due.by), **fields(due, "by? since? next?")}


def _sides(done: Compaction) -> Document:
    return {"summarise": _side(done.summarised), "keep": _side(done.kept)}


def _side(items: tuple[Item, ...]) -> Document:
    ids = [one.event.id for one in items]
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


def _compact_lines(done: Compaction, text: str, before: int, after: int) -> Iterator[Line]:
    yield labelled(
        "summarise", _WIDTH, f"{len(done.summarised):,} messages, {model_context.total(done.summarised):,} tokens"
    )
    yield labelled("keep", _WIDTH, f"{counted(done.turns, 'turn')}, {model_context.total(done.kept):,} tokens")
    yield labelled("tokens", _WIDTH, f"{before:,} to {after:,}")
    yield from (line(row) for row in text.splitlines())
