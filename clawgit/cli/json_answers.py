"""Turns values into what JSON prints."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from clawgit.integrations.json_documents import Document, each, fields

if TYPE_CHECKING:
    from clawgit.findings.adoption_report import AdoptionReport
    from clawgit.findings.registry import Finding
    from clawgit.findings.status import Status
    from clawgit.git.foreign_programs import Program
    from clawgit.workspace.adopt import Adopted
    from clawgit.workspace.bootstrap import Born
    from clawgit.workspace.capture_and_enforce import Outcome
    from clawgit.workspace.eject import Farewell
    from clawgit.workspace.memory_lines import MemoryLine
    from clawgit.workspace.quarantine import Item


def born(made: "Born") -> Document:
    """Return what `init` did."""
    reason = {} if made.commit else {"reason": "it is managed already"}
    root, branch = str(made.workspace.root), made.workspace.branch
    told = fields(made, "created kept warnings report commit", report={}, **reason)
    return {"workspace": root, "branch": branch, **told}


def adopted(found: "Adopted", report: "AdoptionReport", off: "Iterable[Program]" = ()) -> Document:
    """Return what `adopt` did, or would do; `off` are the commands of filters that do not run."""
    from clawgit.cli import trust_commands  # noqa: PLC0415 - loads what it shows
    from clawgit.workspace.adopt import describe_additions  # noqa: PLC0415 - loads libgit2

    known = found.prospect
    reason = {"reason": "it is managed already"} if found.managed and found.commit is None else {}
    return {
        "workspace": str(found.root),
        "branch": found.branch,
        "created": sorted(known.additions),
        "purposes": dict(describe_additions(known)),
        "captured": list(known.captured),
        "kept": list(known.kept),
        "held": [{"path": path, "reason": why.message, "fix": str(why.fix)} for path, why in known.held.items()],
        "imported": list(known.snapshots),
        "stays_out": {"files": known.left.files},
        "warnings": [*known.warnings, *found.notes],
        "programs": [trust_commands.program(one) for one in off],
        "report": fields(
            report,
            "workspace files journals lines commits",
            identity=each(report.identity, "path tokens commits first last growth"),
            findings=[finding(one) for one in report.findings],
        ),
        "commit": found.commit,
        **reason,
    }


def ejected(found: "Farewell", workspace: str, branch: str | None, commit: str | None) -> Document:
    """Return what `eject` took away, and what it left; the fields of `init` and `adopt` among them."""
    gone = [path for path, data in found.files.items() if data is None]
    return {
        "workspace": workspace,
        "branch": branch,
        "created": [],
        "warnings": [],
        "report": {},
        "removed": gone,
        "edited": [path for path in found.files if path not in gone],
        "views": [place.name for place in found.views],
        **fields(found, "references kept", commit=commit),
    }


def status(found: "Status") -> Document:
    """Return how the workspace stands."""
    return fields(
        found,
        "workspace managed branch head dirty alarms corrections open_conflicts inbox proposals=inbox untrusted "
        "grown not_kept",
        alarms=[finding(one) for one in found.alarms],
        corrections={"total": found.corrections},
        untrusted=[finding(one) for one in found.untrusted],
        grown=each(found.grown, "path added removed"),
        not_kept=fields(found.not_kept, "files ignored changed unknown"),
        unread_commits=found.unread,
    )


def finding(found: "Finding") -> Document:
    """Return a finding; `path` is the first of its files."""
    return fields(found, "key level path paths line message fix", paths=list(found.paths), fix=str(found.fix))


def captured(outcome: "Outcome", taken: "Iterable[Item]" = (), findings: "Iterable[Finding]" = ()) -> Document:
    """Return what became of what others wrote; `taken` are the edits that were put back and are in quarantine.

    `findings` are those about the files that were captured.
    """
    done = outcome.captured
    waiting = [(name, "identity") for one in done for name in one.waiting]
    waiting += [(name, "restore") for one in done for name in one.items]
    waiting += [(item.id, "quarantine") for item in taken]
    return {
        "commits": [one.commit for one in done if one.commit],
        "files": [path for one in done for path in one.files],
        "held": each(outcome.held, "path reason fix"),
        "healed": [{"path": path, "back": list(stale.lines)} for one in done for path, stale in one.stale.items()],
        "alarms": [finding(one) for one in findings],
        "proposals": [name for one in done for name in one.waiting],
        "items": [name for one in done for name in one.items],
        "waiting": [{"id": name, "kind": kind} for name, kind in waiting],
        "undo": [f"clawgit undo {one.commit}" for one in done if one.commit],
    }


def memory(found: "MemoryLine") -> Document:
    """Return one memory; of many thousands each costs little."""
    first, last = (day.isoformat() if day else None for day in (found.first, found.last))
    named = {"id": found.id, "text": found.text, "tag": found.tag, "origin": found.origin}
    place = {"path": found.path, "line": found.line, "class": found.role, "copies": found.copies}
    known = {"confidence": found.confidence, "first": first, "last": last, "mentions": found.mentions}
    return {
        **named,
        **known,
        "status": found.status,
        **place,
        "commit": found.birth and found.birth.commit,
        "probable": found.probable,
    }
