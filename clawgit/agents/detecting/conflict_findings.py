"""Makes a change of a contradiction that was found."""

from collections.abc import Iterator
from datetime import datetime

from msgspec.structs import replace

from clawgit.agents.detecting import conflict_decisions
from clawgit.agents.detecting.conflict_decisions import Dated, Decision
from clawgit.agents.detecting.contradiction import Held
from clawgit.agents.running import View
from clawgit.text import conflict
from clawgit.text.conflict import Conflict, Side, Winner
from clawgit.text.entry import named
from clawgit.workspace import file_roles, manifest
from clawgit.workspace.change import ORIGINS, Append, Change, Edit, Origin
from clawgit.workspace.commit_message import one_line, shorten
from clawgit.workspace.entries import Row

_SUBJECT = 45
_BY = {"the operator's words": "as the operator said"}
_RANK: tuple[Origin, ...] = ("operator", "agent", "unknown", "untrusted")


def pair(one: str, other: str) -> str:
    """Return the id of a conflict by the hashes of its sides: the same on every machine, another for other words."""
    return named("\0".join(("conflict", *sorted((one, other)))))


def record(older: Dated, newer: Dated, why: tuple[str, ...], decision: Decision, now: datetime, by: str) -> Conflict:
    """Return the record of a finding: A is the older side."""
    winner: Winner = "none" if decision.winner is None else "a" if decision.winner == older else "b"
    decided = decision.winner is not None
    when = f"{now:%Y-%m-%d %H:%M}"
    return Conflict(
        pair(older.held.key, newer.held.key),
        when,
        _side(older),
        _side(newer),
        "; ".join(why) or "a model found that both cannot hold",
        decision.rule,
        "resolved" if decided else "open",
        (winner,) if decided else (),
        (f"{when} by {by}: {winner} holds, {_BY.get(decision.rule, 'by rule')}",) if decided else (),
    )


def change(view: View, found: Conflict, older: Dated, newer: Dated, decision: Decision, agent: str) -> Change:
    """Return the change that records a finding and marks the side that gives way."""
    pointers = [one.held.pointer(view.read(one.held.path) or "") for one in (older, newer)]
    loser = next((one.held for one in (older, newer) if decision.winner and one != decision.winner), None)
    edits, rows = superseded(view, [loser] if loser else [], found.id, agent)
    origin = max((_origin(one.held.row.origin) for one in (older, newer)), key=_RANK.index)
    block = conflict.rendered(found)
    return Change(
        _subject(found, origin, decided=loser is not None),
        _why(found, origin),
        (Append(file_roles.CONFLICTS, block, conflict.BIRTH), *edits),
        (*pointers, *([decision.evidence] if decision.evidence else [])),
        origin,
        agent,
        rows=rows,
    )


def superseded(view: View, losers: list[Held], by: str, agent: str | None) -> tuple[tuple[Edit, ...], tuple[Row, ...]]:
    """Return what puts memories out of force: the tag where `agent` may write, and the row everywhere."""
    edits = tuple(_marked(view, losers, agent))
    return edits, tuple(replace(loser.row, status="superseded", by=by) for loser in losers)


def _marked(view: View, losers: list[Held], agent: str | None) -> Iterator[Edit]:
    for path in dict.fromkeys(loser.path for loser in losers):
        if manifest.right(agent, path, view.workspace.memory_file) != "edit":
            continue
        before = text = view.read(path) or ""
        for one in losers:
            if one.path == path:
                text = conflict_decisions.marked(text, one.entry)
        if text != before:
            yield Edit(path, before, text)


def _side(one: Dated) -> Side:
    return Side(one.held.text, one.held.path, one.held.row.id, one.day.isoformat(), one.held.row.origin)


def _origin(name: str) -> Origin:
    return next((known for known in ORIGINS if known == name), "unknown")


def _subject(found: Conflict, origin: Origin, *, decided: bool) -> str:
    """Return the subject of the commit; untrusted words do not get there."""
    what = "decided" if decided else "open"
    if origin == "untrusted":
        return f"memory: conflict {found.id}, {what}"
    return f"memory: conflict, {what}: {shorten(one_line(found.b.text), _SUBJECT)}"


def _why(found: Conflict, origin: Origin) -> str:
    reason = f"Both cannot hold: {found.why}." if origin != "untrusted" else "Both cannot hold."
    if found.rule == "correction":
        return f"{reason} The operator's correction wins."
    if found.rule == "the operator's words":
        return f"{reason} The operator said later which of them holds."
    if found.rule != "open":
        return f"{reason} {found.b.date} is younger than {found.a.date} by 30 days or more: the newer wins."
    decide = f"clawgit accept {found.id} --only 1   # or 2, or 1,2 for both"
    return f"{reason} No rule decides, so both stay in force: {decide}"
