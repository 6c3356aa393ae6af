"""Turns what the workspace says into JSON for other programs."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clawgit.text.diff import Hunk, Line
    from clawgit.workspace.change import Applied
    from clawgit.workspace.identity_edits import Difference
    from clawgit.workspace.origins import Line as Origin
    from clawgit.workspace.origins import Said
    from clawgit.workspace.records import Record
    from clawgit.workspace.seen_versions import Listed
    from clawgit.workspace.served import Excerpt


Document = Mapping[str, object]

NOTHING = "the files say so already"
WAITS = "it waits for the operator"


def changed(applied: "Applied", **more: object) -> Document:
    """Return what a change did, or why there was nothing to do."""
    risk = applied.risk
    graded = {"risk": risk.level, "reasons": list(risk.reasons)} if risk else {}
    if applied.proposal:
        name = applied.proposal.id
        waits = {"id": name, **graded, "review": f"clawgit soul review {name}"}
        return {"commit": None, "reason": WAITS, "proposal": waits, "captured": applied.captured, **more}
    if applied.commit is None:
        return {"commit": None, "reason": NOTHING, "captured": applied.captured, **more}
    return {
        "commit": applied.commit,
        "change": applied.change,
        "files": list(applied.files),
        "undo": f"clawgit undo {applied.change}",
        "captured": applied.captured,
        **graded,
        **more,
    }


def record(found: "Record") -> Document:
    """Return one commit of the log."""
    level, reasons = risk_of(found)
    return {
        "commit": found.commit,
        "change": found.change,
        "date": found.date.isoformat(),
        "agent": found.agent,
        "author": found.author,
        "origin": found.origin,
        "risk": level,
        "reasons": reasons,
        "subject": found.subject,
        "why": found.why,
        "evidence": _evidence(found),
        "files": list(found.files),
        "undoes": found.undoes,
        "squashed": [record(one) for one in found.squashed],
    }


def _evidence(found: "Record | None") -> list[Document]:
    return [{"pointer": one.pointer, "quote": one.quote} for one in found.evidence] if found else []


def origin(found: "Origin") -> Document:
    """Return one line and where it came from."""
    known = found.record
    return {
        "line": found.line,
        "text": found.text,
        "commit": known.commit if known else None,
        "change": known.change if known else None,
        "date": known.date.isoformat() if known else None,
        "agent": known.agent if known else None,
        "author": known.author if known else None,
        "origin": known.origin if known else None,
        "evidence": _evidence(known),
        "cut_off": found.cut_off,
    }


def reason(path: str, found: "Origin", said: "Iterable[Said]", undo: str | None) -> Document:
    """Return one line, why it came, and the words that its evidence points at."""
    known, words = found.record, list(said)
    return {
        "path": path,
        **origin(found),
        "subject": known.subject if known else None,
        "why": known.why if known else None,
        "undo": undo,
        "evidence": [_said(one) for one in words],
        "conversation": [
            {
                "session": one.session,
                "event": one.event,
                "role": one.who,
                "text": one.text,
                "date": one.date,
                "available": one.available,
            }
            for one in words
            if one.session is not None
        ],
    }


def _said(one: "Said") -> Document:
    return {
        "pointer": one.cited.pointer,
        "quote": one.cited.quote,
        "available": one.available,
        "missing": one.missing or None,
        "commit": one.commit,
        "date": one.date,
        "text": one.text,
        "from": one.first or None,
    }


def risk_of(found: "Record") -> tuple[str | None, list[str]]:
    """Return the level of a recorded risk, and its reasons."""
    level, _, reasons = (found.risk or "").partition(" (")
    return level or None, [reason for reason in reasons.removesuffix(")").split("; ") if reason]


def difference(found: "Difference") -> Document:
    """Return what changed from one commit to another."""
    return {"from": found.start, "to": found.end, "hunks": [hunk(one) for one in found.hunks]}


def hunk(found: "Hunk") -> Document:
    """Return changed lines with the section that they stand in."""
    return {
        "section": found.section,
        "old_start": found.old_start,
        "new_start": found.new_start,
        "lines": [_line(row) for row in found.lines],
    }


def _line(row: "Line") -> Document:
    return {"op": row.op, "text": row.text, "words": [{"op": word.op, "text": word.text} for word in row.words]}


def excerpt(found: "Excerpt") -> Document:
    """Return lines of a file."""
    return {
        "path": found.path,
        "text": found.text,
        "from": found.first,
        "lines": found.count,
        "truncated": found.truncated,
        **({"note": found.note} if found.note else {}),
    }


def seen(found: "Listed") -> Document:
    """Return a version that was seen and is in no commit; a secret in its lines is named instead of shown."""
    from clawgit.safety.redaction import redacted  # noqa: PLC0415 - few ask

    one = found.version
    return {
        "path": one.path,
        "id": one.id,
        "date": one.at.astimezone().isoformat(),
        "bytes": len(one.data),
        "added": found.added,
        "removed": found.removed,
        "alone": [redacted(line) for line in found.alone],
        "restore": found.restore,
    }
