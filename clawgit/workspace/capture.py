"""Commits what others wrote on disk."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from clawgit.errors import ClawgitError
from clawgit.git.chain import NewCommit
from clawgit.git.transaction import Snapshot
from clawgit.safety import secrets
from clawgit.workspace import message

AUTHOR = ("unknown", "unknown@localhost")


def of(snapshot: Snapshot, paths: Iterable[str], when: datetime) -> NewCommit | None:
    """Return the commit of what differs on disk from what is committed in `paths`, None when nothing does.

    Raises ClawgitError when the difference holds a secret: then it may not enter history, and we may not write over it.
    """
    found = {path: _bytes(snapshot, path) for path in paths if _bytes(snapshot, path) != snapshot.committed[path]}
    if not found:
        return None
    for path, data in found.items():
        refuse_secrets(path, snapshot.committed[path], data)
    return NewCommit(_message(snapshot.committed, found), AUTHOR, when, found)


def refuse_secrets(path: str, before: bytes | None, after: bytes | None) -> None:
    """Raise ClawgitError if `after` has a secret that `before` did not have."""
    known = {finding.fingerprint for finding in secrets.scan(_loosely(before))}
    for finding in secrets.scan(_loosely(after)):
        if finding.fingerprint not in known:
            raise ClawgitError(
                f"{path}:{finding.line} holds a secret ({finding.rule})",
                fix="move it to a password store or the environment, and leave its name here",
            )


def _loosely(data: bytes | None) -> str:
    return (data or b"").decode("utf-8", "replace")


def _bytes(snapshot: Snapshot, path: str) -> bytes | None:
    file = snapshot.disk[path]
    return file.data if file else None


def _message(committed: Mapping[str, bytes | None], found: Mapping[str, bytes | None]) -> str:
    parts = [_summary(path, committed[path], data) for path, data in sorted(found.items())]
    subject = f"capture: {parts[0]}" if len(parts) == 1 else f"capture: {message.list_names(sorted(found))}"
    why = "\n".join(f"- {part}" for part in parts) if len(parts) > 1 else ""
    return message.render(message.Message(subject, why, (("Clawgit-Agent", "capture"), ("Origin", "unknown"))))


def _summary(path: str, before: bytes | None, after: bytes | None) -> str:
    if after is None:
        return f"{path} was deleted"
    old, new = (_loosely(data).split("\n") for data in (before, after))
    gone, come = set(old) - set(new), set(new) - set(old)
    return f"{path} (+{len(come)} -{len(gone)})" if before is not None else f"{path} is new ({len(come)} lines)"
