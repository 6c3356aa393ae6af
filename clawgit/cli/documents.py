"""Turns values into what JSON prints."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clawgit.cli.excerpt import Excerpt
    from clawgit.text.diff import Hunk, Line
    from clawgit.workspace.adopt import Adopted
    from clawgit.workspace.applied import Applied
    from clawgit.workspace.bootstrap import Born
    from clawgit.workspace.capturing import Outcome
    from clawgit.workspace.eject import Farewell
    from clawgit.workspace.memory import Memory
    from clawgit.workspace.origins import Line as Origin
    from clawgit.workspace.origins import Said
    from clawgit.workspace.records import Record
    from clawgit.workspace.soul import Difference
    from clawgit.workspace.status import Status
    from clawgit.workspace.versions import Version

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


def born(made: "Born") -> Document:
    """Return what `init` did."""
    reason = {} if made.commit else {"reason": "it is managed already"}
    return {
        "workspace": str(made.workspace.root),
        "branch": made.workspace.branch,
        "created": list(made.created),
        "kept": list(made.kept),
        "warnings": list(made.warnings),
        "report": {},
        "commit": made.commit,
        **reason,
    }


def adopted(found: "Adopted", report: Document) -> Document:
    """Return what `adopt` did, or would do."""
    from clawgit.workspace.prospect import described  # noqa: PLC0415 - loads libgit2

    known = found.prospect
    reason = {"reason": "it is managed already"} if found.managed and found.commit is None else {}
    return {
        "workspace": str(found.root),
        "branch": found.branch,
        "created": sorted(known.additions),
        "purposes": dict(described(known)),
        "captured": list(known.captured),
        "kept": list(known.kept),
        "held": [{"path": path, "reason": why.message, "fix": why.fix} for path, why in known.held.items()],
        "imported": list(known.snapshots),
        "warnings": [*known.warnings, *found.notes],
        "report": report,
        "commit": found.commit,
        **reason,
    }


def ejected(found: "Farewell", workspace: str, branch: str | None, commit: str | None) -> Document:
    """Return what `eject` took away, and what it left; the fields of `init` and `adopt` among them."""
    return {
        "workspace": workspace,
        "branch": branch,
        "created": [],
        "warnings": [],
        "report": {},
        "removed": [path for path, data in found.files.items() if data is None],
        "edited": [path for path, data in found.files.items() if data is not None],
        "views": [place.name for place in found.views],
        "references": list(found.references),
        "kept": list(found.kept),
        "commit": commit,
    }


def status(found: "Status") -> Document:
    """Return how the workspace stands."""
    return {
        "workspace": found.workspace,
        "managed": found.managed,
        "branch": found.branch,
        "head": found.head,
        "dirty": list(found.dirty),
        "alarms": [{"message": one.message, "fix": one.fix} for one in found.alarms],
        "corrections": {"total": found.corrections},
        "open_conflicts": found.open_conflicts,
        "proposals": found.proposals,
        "untrusted": [{"path": one.path, "message": one.message, "fix": one.fix} for one in found.untrusted],
    }


def captured(outcome: "Outcome") -> Document:
    """Return what became of what others wrote."""
    done = outcome.captured
    return {
        "commits": [one.commit for one in done if one.commit],
        "files": [path for one in done for path in one.files],
        "held": [{"path": one.path, "reason": one.reason, "fix": one.fix} for one in outcome.held],
        "healed": [
            {"path": path, "back": list(found.back), "missing": list(found.missing), "went_back": found.went_back}
            for one in done
            for path, found in one.stale.items()
        ],
        "alarms": [
            {"message": alarm.words, "paths": list(alarm.paths), "fix": alarm.fix}
            for one in done
            for alarm in one.alarms
        ],
        "proposals": [name for one in done for name in one.waiting],
        "undo": [f"clawgit undo {one.commit}" for one in done if one.commit],
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


def version(found: "Version") -> Document:
    """Return one version of a file."""
    return {"date": found.date.isoformat(), "commit": found.commit, "tokens": found.tokens}


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


def memory(found: "Memory") -> Document:
    """Return one memory; a secret in it is named instead of shown."""
    from clawgit.safety.redaction import redacted  # noqa: PLC0415 - cli is light until a command runs

    return {
        "id": found.id,
        "text": redacted(found.text),
        "tag": found.tag,
        "origin": found.origin,
        "confidence": found.confidence,
        "first": found.first.isoformat() if found.first else None,
        "last": found.last.isoformat() if found.last else None,
        "mentions": found.mentions,
        "status": found.status,
        "path": found.path,
        "line": found.line,
    }


def excerpt(found: "Excerpt") -> Document:
    """Return lines of a file."""
    return {
        "path": found.path,
        "text": found.text,
        "from": found.first,
        "lines": found.count,
        "truncated": found.truncated,
    }
