"""Has a voice sum up what a compaction drops."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, tzinfo
from typing import Any

from msgspec import Struct

from clawgit.agents import line_claims
from clawgit.agents.line_claims import LineClaim, Say
from clawgit.llm import json_answer
from clawgit.reading.citation import Source
from clawgit.sessions.life.conversation_outline import LEFT_OUT, Quote, plain, quote
from clawgit.sessions.life.model_context import Item
from clawgit.sessions.session_messages import Event
from clawgit.text.tokens import count

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
    some: list[Any] = next((value["operations"] for value in values if isinstance(value.get("operations"), list)), [])
    for one in some[:_MOST]:
        if not isinstance(one, dict) or one.get("act") != "summary" or not isinstance(one.get("text"), str):
            continue
        named = one.get("lines")
        wanted = {n for n in named if isinstance(n, int) and 1 <= n <= len(events)} if isinstance(named, list) else ()
        text = one["text"].strip()
        if wanted and 0 < len(text) <= _LONGEST and "\n" not in text:
            yield text, tuple(events[n - 1] for n in sorted(wanted))
