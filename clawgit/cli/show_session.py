"""Shows conversations, to people and as JSON."""

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from clawgit.cli.layout import Line, Span, line

if TYPE_CHECKING:
    from clawgit.sessions.chat_store import Message, Summary
    from clawgit.sessions.importing import Imported

_SEVERAL = 10


def import_document(done: "Imported", messages: int) -> dict[str, object]:
    """Return what an import came to; `messages` are those that are kept of the sessions it read."""
    return {
        "sessions": len(done.sessions),
        "messages": messages,
        "new": done.new,
        "skipped": dict(sorted(done.skipped.items())),
        "bad_lines": [{"path": bad.path, "line": bad.line, "reason": bad.reason} for bad in done.bad_lines],
        "rewritten": done.rewritten,
        "forgotten": [
            {"agent": agent, "session": name, "messages": count} for (agent, name), count in done.forgotten.items()
        ],
        "problems": [{"message": one.message, "fix": one.fix} for one in done.problems],
    }


def import_lines(done: "Imported", messages: int) -> Iterator[Line]:
    """Yield the same for people."""
    sessions = len(done.sessions)
    counted = "1 message" if messages == 1 else f"{messages:,} messages"
    where = "1 session" if sessions == 1 else f"{sessions:,} sessions"
    yield line(Span(f"{done.new:,} new", "bold"), f" · {counted} in {where}")
    if done.skipped:
        yield line("skipped    ", ", ".join(f"{count:,} {reason}" for reason, count in done.skipped.most_common()))
    for bad in done.bad_lines[:_SEVERAL]:
        yield line("unreadable ", f"{bad.path}:{bad.line}: {bad.reason}")
    if len(done.bad_lines) > _SEVERAL:
        yield line("           ", f"and {len(done.bad_lines) - _SEVERAL:,} more")
    for source in done.rewritten:
        yield line("rewritten  ", source)
    for (agent, name), count in done.forgotten.items():
        yield line("forgotten  ", f"{agent}/{name}, as OpenClaw did: {count:,} messages are gone from here")


def summary(one: "Summary") -> dict[str, object]:
    """Return a session as JSON has it."""
    return {
        "session": one.session.id,
        "agent": one.session.agent,
        "key": one.session.key,
        "kind": one.session.kind,
        "channel": one.session.channel,
        "messages": one.messages,
        "first": _iso(one.first),
        "last": _iso(one.last),
    }


def summary_line(one: "Summary") -> Line:
    """Return a session as people see it."""
    where = " · ".join(part for part in (one.session.kind, one.session.channel, one.session.key) if part)
    return line(
        Span(one.session.id, "bold"),
        f"  {_short(one.first)} to {_short(one.last)}  {one.messages:,} messages  ",
        Span(f"{one.session.agent} · {where}", "dim"),
    )


def message(one: "Message") -> dict[str, object]:
    """Return a message as JSON has it."""
    more: dict[str, object] = {"tool": one.tool, "failed": one.failed} if one.role == "tool" else {}
    if one.calls:
        more["calls"] = [{"name": call.name, "arguments": call.arguments} for call in one.calls]
    return {
        "event": one.event,
        "evidence": f"session:{one.session}#{one.event}",
        "role": one.role,
        "origin": one.origin,
        "time": _iso(one.time),
        "text": one.text,
        **more,
    }


def message_lines(one: "Message") -> Iterator[Line]:
    """Yield a message as people see it."""
    who = {"user": one.origin, "assistant": "agent", "tool": one.tool or "tool"}[one.role]
    failed = " failed" if one.failed else ""
    yield line(Span(f"{_short(one.time)}  ", "dim"), Span(f"{who}{failed}", "bold"), Span(f"  #{one.event}", "dim"))
    for call in one.calls:
        yield line(f"    calls {call.name} {call.arguments}")
    for row in one.text.splitlines():
        yield line(f"    {row}")


def _iso(time: float | None) -> str | None:
    return None if time is None else datetime.fromtimestamp(time).astimezone().isoformat(timespec="milliseconds")


def _short(time: float | None) -> str:
    return "no time" if time is None else datetime.fromtimestamp(time).astimezone().strftime("%Y-%m-%d %H:%M")
