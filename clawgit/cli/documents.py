"""Turns values into what JSON prints."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clawgit.git.foreign_programs import Program
    from clawgit.workspace.adopt import Adopted
    from clawgit.workspace.bootstrap import Born
    from clawgit.workspace.capture_and_enforce import Outcome
    from clawgit.workspace.eject import Farewell
    from clawgit.workspace.identity_versions import Version
    from clawgit.workspace.memory import Memory
    from clawgit.workspace.status import Status

Document = Mapping[str, object]


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


def adopted(found: "Adopted", report: Document, off: "Iterable[Program]" = ()) -> Document:
    """Return what `adopt` did, or would do; `off` are the commands of filters that do not run."""
    from clawgit.cli import trust_commands  # noqa: PLC0415 - loads what it shows
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
        "programs": [trust_commands.program(one) for one in off],
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
        "alarms": [{"level": one.level, "message": one.message, "fix": one.fix} for one in found.alarms],
        "corrections": {"total": found.corrections},
        "open_conflicts": found.open_conflicts,
        "proposals": found.proposals,
        "untrusted": [{"path": one.path, "message": one.message, "fix": one.fix} for one in found.untrusted],
        "grown": [{"path": one.path, "added": one.added, "removed": one.removed} for one in found.grown],
        "not_kept": {
            "files": found.not_kept.files,
            "ignored": found.not_kept.ignored,
            "changed": found.not_kept.changed,
            "unknown": found.not_kept.unknown,
        },
        "unread_commits": found.unread,
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
            {"level": alarm.level, "message": alarm.words, "paths": list(alarm.paths), "fix": alarm.fix}
            for one in done
            for alarm in one.alarms
        ],
        "proposals": [name for one in done for name in one.waiting],
        "asked": [name for one in done for name in one.asked],
        "undo": [f"clawgit undo {one.commit}" for one in done if one.commit],
    }


def version(found: "Version") -> Document:
    """Return one version of a file."""
    return {"date": found.date.isoformat(), "commit": found.commit, "tokens": found.tokens}


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
