"""`clawgit session compact`."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, tzinfo
from typing import Any

import click
from msgspec import Struct
from msgspec.structs import replace

from clawgit.agents.protocol import line_claims
from clawgit.agents.protocol.line_claims import LineClaim, Say
from clawgit.agents.protocol.unbacked_values import Source
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import DocumentedCommand
from clawgit.cli.options import answering
from clawgit.cli.output import Line, counted, labelled, line
from clawgit.cli.session_life_commands import (
    about,
    compaction_of,
    read_session,
    sentences_to_keep,
    sides,
    wanted_session,
    window_option,
)
from clawgit.integrations.json_documents import fields
from clawgit.llm import json_answer
from clawgit.llm.model import ModelError
from clawgit.sessions.life import compaction_plan, model_context, token_limits
from clawgit.sessions.life.compaction_plan import Compaction
from clawgit.sessions.life.conversation_outline import LEFT_OUT, Outline, Quote, outline, plain, quote
from clawgit.sessions.life.model_context import Item
from clawgit.sessions.session_messages import Event
from clawgit.text.tokens import count
from clawgit.workspace.workspace import Workspace

_WIDTH = 11


@click.command(
    "compact",
    cls=DocumentedCommand,
    examples=("clawgit session compact 5b0f3c1e", "clawgit session compact 5b0f --json"),
)
@wanted_session
@window_option
@click.option(
    "--budget", type=click.IntRange(1), metavar="N", help="Tokens to fit into.  [default: where a flush is due]"
)
@answering
def compact(call: Call, wanted: str, window: int | None, budget: int | None) -> None:
    """Show what a compaction would summarise, and what stays whole.

    The last keep_last_turns turns stay as they are, fewer where they do not fit; a call of a tool and its result stay
    together. The summary has the last request, what was decided, what is open, which files were touched, each with its
    pointer; where a model is set up (see clawgit model status), it tells what else has to be known, and each of its
    sentences is checked against the messages that it names. With --json the messages stand there as the model would
    read them. The transcript stays as it is.
    """
    with call.workspace() as workspace:
        found, limits = read_session(workspace, wanted), token_limits.of_config(workspace.config.value, window)
        done = compaction_of(workspace, found, limits, budget)
        told = outline(done.summarised, found.session.id, sentences_to_keep(workspace))
        if done.summarised:
            told = _summed_up(call, workspace, done, found.session.id, told)
    text = compaction_plan.summary(done, told) if done.summarised else ""
    before = model_context.total(found.context)
    head = [compaction_plan.entry(done, text, before)] if text else []
    after = model_context.total([*head, *done.kept])
    if not done.fits:
        call.out.warn(f"the last turn alone takes {after:,} tokens, and {done.budget:,} is what there is")
    document = {
        **about(found),
        **fields(done, "budget fits turns"),
        "before": before,
        "after": after,
        **sides(done),
        "summary": text,
        "items": [one.raw for one in (*head, *done.kept)],
    }
    call.out.answer(lambda: document, _compact_lines(done, text, before, after), indent=_WIDTH)


def _summed_up(call: Call, workspace: Workspace, done: Compaction, session: str, told: Outline) -> Outline:
    """Return the outline with what a voice says beside it, where there is one."""
    try:
        say = line_claims.asked_once(workspace)
        if say is None:
            return told
        tokens = int(workspace.config.value("batch_tokens"))
        summed = summed_up(done.summarised, session, say, tokens, workspace.now().tzinfo)
    except ModelError as exc:
        call.out.warn(f"the summary is made by rules: {exc.message}", exc.fix)
        return told
    if summed.refused:
        call.out.warn(f"{counted(summed.refused, 'sentence')} of the model did not pass, and went")
    return replace(told, told=summed.told)


def _compact_lines(done: Compaction, text: str, before: int, after: int) -> Iterator[Line]:
    yield labelled(
        "summarise", _WIDTH, f"{len(done.summarised):,} messages, {model_context.total(done.summarised):,} tokens"
    )
    yield labelled("keep", _WIDTH, f"{counted(done.turns, 'turn')}, {model_context.total(done.kept):,} tokens")
    yield labelled("tokens", _WIDTH, f"{before:,} to {after:,}")
    yield from (line(row) for row in text.splitlines())


ANSWER = 2_000
"""Tokens of an answer, at the most."""
_MOST, _LONGEST, _MARGIN = 40, 400, 12
_SPEAKERS = {"operator": "the operator", "agent": "the agent"}
RULES = f"""\
You read the part of a conversation that its agent will no longer see: a number, the day, who speaks, the words. Tell
what the agent has to know to go on: what was decided and why, what was found out, what is done, what is still to do.
Answer with one JSON object and nothing else:
{{"operations": [{{"act": "summary", "lines": [3, 4], "text": "…"}}]}}
Each "text" is one sentence of at most {_LONGEST} characters that is understood alone, in the language of its lines;
"lines" are those that say it. Keep every number, name, date, denial and condition. What only the agent offered, or
somebody else wants, is told as that. Leave out greetings, moods, and what was over as soon as it was said. What matters
most comes first."""


class Summed(Struct, frozen=True):
    """What a voice told, each sentence with pointers to its messages; `refused` did not pass."""

    told: tuple[Quote, ...]
    refused: int


def summed_up(items: Sequence[Item], session: str, say: Say, tokens: int, zone: tzinfo | None) -> Summed:
    """Return what a voice tells of messages, of the newest that `tokens` hold.

    A sentence stands where the messages that it names hold each number, name, denial and condition of it, and a second
    call bears it out. Raises ModelError where the voice fails.
    """
    said = _spoken(items, tokens - count(RULES))
    if not said:
        return Summed((), 0)
    rows = "\n".join(_row(number, one, zone) for number, one in enumerate(said, 1))
    found = list(_parsed(say(RULES, rows, ANSWER), said))
    claims = [
        LineClaim(text, tuple(Source(plain(one.text), _day(one, zone)) for one in of), longest=_LONGEST)
        for text, of in found
    ]
    fit = [at for at, one in enumerate(claims) if not line_claims.fault(one)]
    doubted = line_claims.unsupported([claims[at] for at in fit], say, session)
    stands = [found[at] for number, at in enumerate(fit) if number not in doubted]
    told = tuple(Quote(text, ", ".join(quote(one, session).pointer for one in of)) for text, of in stands)
    return Summed(told, len(found) - len(told))


def _spoken(items: Sequence[Item], left: int) -> list[Event]:
    """Return what people and the agent said, and nothing that reads like an attack, oldest first."""
    found: list[Event] = []
    for one in reversed(items):
        event = one.event
        if not event.is_message or event.role == "tool" or quote(event, "").text in ("", LEFT_OUT):
            continue
        left -= count(plain(event.text)) + _MARGIN
        if left < 0:
            break
        found.append(event)
    return found[::-1]


def _row(number: int, one: Event, zone: tzinfo | None) -> str:
    day = _day(one, zone) or "on a day unknown"
    return f"{number} {day} {_SPEAKERS.get(one.origin, 'somebody else')}: {plain(one.text)}"


def _day(one: Event, zone: tzinfo | None) -> date | None:
    try:
        return datetime.fromtimestamp(one.time, zone or UTC).date() if one.time else None
    except (OverflowError, OSError, ValueError):
        return None


def _parsed(said: str, events: Sequence[Event]) -> Iterator[tuple[str, tuple[Event, ...]]]:
    """Yield what an answer says of messages; what is anything else counts as not said."""
    values: list[Mapping[str, Any]] = [one for one in json_answer.values(said) if isinstance(one, dict)]
    some: list[Any] = next((one["operations"] for one in values if isinstance(one.get("operations"), list)), [])
    for one in some[:_MOST]:
        if not isinstance(one, dict) or one.get("act") != "summary" or not isinstance(one.get("text"), str):
            continue
        named = one.get("lines")
        wanted = {n for n in named if isinstance(n, int) and 1 <= n <= len(events)} if isinstance(named, list) else ()
        text = one["text"].strip()
        if wanted and 0 < len(text) <= _LONGEST and "\n" not in text:
            yield text, tuple(events[n - 1] for n in sorted(wanted))
