"""Commits what others wrote on disk."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime

from clawgit.errors import ClawgitError
from clawgit.git import history, repository
from clawgit.git.chain import NewCommit
from clawgit.git.repository import Repository
from clawgit.git.transaction import Snapshot
from clawgit.safety import secrets
from clawgit.text import lines
from clawgit.workspace import message, scope, stale
from clawgit.workspace.contents import decoded

AUTHOR = ("unknown", "unknown@localhost")
_REMEMBERED = 50

Taken = Mapping[str, bytes | None]


def take(repo: Repository, snapshot: Snapshot, paths: Iterable[str]) -> Taken:
    """Return what stands on disk in `paths`; a journal with the committed lines that its writer never saw.

    Raises ClawgitError for what is no text, and for a file that git was told to ignore: it is to stay out of history.
    """
    taken = {path: _taken(repo, snapshot, path) for path in paths}
    for path, data in taken.items():
        if data != snapshot.committed[path]:
            decoded(path, data)
    return taken


def _taken(repo: Repository, snapshot: Snapshot, path: str) -> bytes | None:
    file, committed = snapshot.disk[path], snapshot.committed[path]
    if file is not None and committed is None:
        refuse_ignored(repo, path)
    if file is None or committed is None or file.data == committed or scope.journal_day(path) is None:
        return file.data if file else None
    now = _loosely(file.data)
    if b"\0" in committed or now.encode() != file.data or _loosely(committed).encode() != committed:
        return file.data  # what is no text is not guessed at
    older = (_loosely(data) for data in history.versions(repo, path, _REMEMBERED))
    return stale.united(_loosely(committed), now, older).encode()


def commit(snapshot: Snapshot, taken: Taken, when: datetime) -> NewCommit | None:
    """Return the commit of what was taken, None when all of it is committed already.

    Raises ClawgitError when the difference holds a secret: then it may not enter history, and we may not write over it.
    """
    found = {path: data for path, data in taken.items() if data != snapshot.committed[path]}
    if not found:
        return None
    healed = united(snapshot, taken)
    for path, data in found.items():
        refuse_secrets(path, snapshot.committed[path], data)
    return NewCommit(_message(snapshot.committed, found, healed), AUTHOR, when, found)


def united(snapshot: Snapshot, taken: Taken) -> tuple[str, ...]:
    """Return the journals that got back lines which their writer never saw."""
    return tuple(path for path, data in taken.items() if (file := snapshot.disk[path]) and file.data != data)


def refuse_ignored(repo: Repository, path: str) -> None:
    """Raise ClawgitError if an ignore rule covers `path`."""
    if repository.ignored(repo, path):
        raise ClawgitError(
            f"{path} is ignored by git: it would not be kept",
            fix=f"git check-ignore -v '{path}'   # and drop that rule",
        )


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


def _message(committed: Taken, found: Taken, healed: Collection[str]) -> str:
    parts = [_summary(path, committed[path], data) for path, data in sorted(found.items())]
    parts += [f"{path} got back lines that its writer had not seen" for path in healed]
    subject = f"capture: {parts[0]}" if len(found) == 1 else f"capture: {message.list_names(sorted(found))}"
    why = "\n".join(f"- {part}" for part in parts) if len(parts) > 1 else ""
    return message.render(message.Message(subject, why, (("Clawgit-Agent", "capture"), ("Origin", "unknown"))))


def _summary(path: str, before: bytes | None, after: bytes | None) -> str:
    if after is None:
        return f"{path} was deleted"
    old, new = (Counter(lines.content(row) for row in lines.split(_loosely(data))) for data in (before, after))
    gone, come = (old - new).total(), (new - old).total()
    return f"{path} (+{come} -{gone})" if before is not None else f"{path} is new ({come} lines)"
