"""Turns values into their JSON form."""

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from clawgit.errors import ClawgitError, quote_shell

if TYPE_CHECKING:
    from clawgit.findings.registry import Finding
    from clawgit.store.item import Item
    from clawgit.text.diff import Hunk
    from clawgit.workspace.change import Applied
    from clawgit.workspace.line_origins import Excerpt, Said
    from clawgit.workspace.line_origins import Line as Origin
    from clawgit.workspace.records import Record
    from clawgit.workspace.seen_versions import Listed


Document = Mapping[str, object]

NOTHING = "the files say so already"
WAITS = "it waits for the operator"


def document_change(applied: "Applied", root: Path | None = None, **more: object) -> Document:
    """Return the result of a change, or the reason for none; the commands for another workspace name its `root`."""
    clawgit = f"clawgit -C {quote_shell(root)}" if root else "clawgit"
    more = {"captured": applied.captured, **({"workspace": str(root)} if root else {}), **more}
    doubts = {"reasons": list(applied.doubts)} if applied.doubts else {}
    if applied.proposal:
        name = applied.proposal.id
        waits = {"id": name, **doubts, "review": f"{clawgit} show {name}"}
        return {"commit": None, "reason": WAITS, "proposal": waits, **more}
    if applied.commit is None:
        return {"commit": None, "reason": NOTHING, **more}
    undo = f"{clawgit} undo {applied.change}"
    return {**fields(applied, "commit change files"), "undo": undo, **doubts, **more}


def fields(value: object, names: str, **more: object) -> dict[str, object]:
    """Return the attributes of a value listed in `names`, in that order, in their JSON form.

    `key=name` gives one another key, and `name?` gives None for an empty one ("", 0, False). Values in `more` replace
    the attributes of their keys; the rest of it follows.
    """
    document = {}
    for word in names.split():
        key, _, name = word.rstrip("?").partition("=")
        member = more.pop(key) if key in more else _plain(getattr(value, name or key))
        document[key] = (member or None) if word.endswith("?") else member
    return {**document, **more}


def map_documents(values: Iterable[object], names: str) -> list[Document]:
    """Return the same of each of some values."""
    return [fields(value, names) for value in values]


def _plain(value: object) -> object:
    if value is None or isinstance(value, str):  # asked first: most values of a long list
        return value
    if isinstance(value, date):
        return value.isoformat()
    return to_builtins(list(value) if isinstance(value, tuple) else value, enc_hook=str)


def document_held_files(held: Mapping[str, ClawgitError]) -> list[Document]:
    """Return the files that stay uncommitted, each with the reason and a fix."""
    return [{"path": path, "reason": error.message, "fix": str(error.fix)} for path, error in held.items()]


def finding_document(found: "Finding") -> Document:
    """Return a finding; `path` is the first of its files."""
    return fields(found, "key level path paths line message fix")


def record(found: "Record") -> Document:
    """Return one commit of the log."""
    names = "commit change date agent author origin subject why evidence files undoes claimed sessions runs"
    return fields(found, names)


def origin(found: "Origin") -> Document:
    """Return one line and its origin."""
    names = "commit change date agent author origin claimed evidence"
    record_fields = fields(found.record, names) if found.record else {**dict.fromkeys(names.split()), "evidence": []}
    return {**fields(found, "line text"), **record_fields, "cut_off": found.cut_off}


def reason(path: str, found: "Origin", said: "Iterable[Said]", undo: str | None) -> Document:
    """Return one line, why it came, and the words that its evidence points at."""
    commit, words = found.record, list(said)
    return {
        "path": path,
        **origin(found),
        "subject": commit.subject if commit else None,
        "why": commit.why if commit else None,
        "was": found.was or None,
        "birth": fields(found.birth, "commit date author") if found.birth else None,
        "probable": found.probable,
        "undo": undo,
        "call": writer(found) if found.writer else None,
        "evidence": [evidence_document(word) for word in words],
        "conversation": [
            fields(word, "session event role=who text date available") for word in words if word.session is not None
        ],
    }


def writer(found: "Origin") -> Document:
    """Return the agent's call that wrote a line, with the message that it answered; `how` is "" if none is known."""
    assert found.writer
    call, question = found.writer.call, found.question
    document: dict[str, object] = {
        "how": found.writer.how,
        "since": _iso(found.writer.since) if found.writer.since else None,
        "until": _iso(found.writer.until),
    }
    if call:
        document |= fields(call, "tool call session place run turn requester outside=is_outside")
        document |= {"commands": len(found.writer.commands)}
        document |= {"time": _iso(call.time), "question": question.text if question else None}
    return document


def _iso(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).astimezone().isoformat()


def evidence_document(quotation: "Said") -> Document:
    """Return a piece of evidence with the words that it points at."""
    citation = fields(quotation.cited, "pointer quote")
    return {**citation, **fields(quotation, "available missing? commit date text from=first?")}


def hunk_documents(hunks: "Iterable[Hunk]") -> list[dict[str, Any]]:
    """Return changed lines, each group with its section."""
    return [to_builtins(hunk) for hunk in hunks]


def excerpt(found: "Excerpt") -> Document:
    """Return lines of a file."""
    note = {"note": found.note} if found.note else {}
    return fields(found, "path text from=first lines=count truncated", **note)


def document_seen_version(found: "Listed") -> Document:
    """Return a version that was seen and is in no commit; a secret in its lines is named instead of shown."""
    from clawgit.safety.redaction import redact  # noqa: PLC0415 - few ask

    version = found.version
    time, alone = version.at.astimezone().isoformat(), [redact(line) for line in found.alone]
    document = fields(version, "path id date bytes", date=time, bytes=len(version.data))
    return {**document, **fields(found, "added removed alone restore", alone=alone)}


def item_document(item: "Item") -> Document:
    """Return an item as the list of them has it."""
    from clawgit.workspace.entries import PATH as SIDECAR  # noqa: PLC0415 - few ask

    document = fields(item, "id kind title=words reason source opened state")
    expires = item.expires
    return {
        **document,
        "expires": expires and expires.isoformat(),
        "files": [path for path in item.paths if path != SIDECAR],
    }


def candidate_document(item: "Item") -> Document:
    """Return an item about a correction as the commands that hear one have it."""
    details = {"said": "", "true": "", "choices": [], "trigger": "", "trigger_confidence": "medium", **item.details}
    document = fields(item, "id at=opened text=title reason source")
    return {"kind": "candidate", **document, **{key: value for key, value in details.items() if key != "record"}}
