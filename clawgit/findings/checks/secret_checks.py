"""Checks of secrets in files, names, messages and history."""

from collections.abc import Iterator, Sequence

from clawgit import file_roles
from clawgit.errors import NO_FIX, Advice, ClawgitError, Command, Fix
from clawgit.findings.registry import Check, Finding, Ground, Level
from clawgit.git import history, repository, repository_health
from clawgit.workspace import history_secrets, purged_objects
from clawgit.workspace.file_contents import loosely
from clawgit.workspace.outgoing_secrets import Leak
from clawgit.workspace.write_guard import scan_file

MAX_LISTED, MAX_MESSAGES = 10, 200
_STORE = Advice("move it to a password store or the environment, and leave its name here")
_ALLOW = "once it is replaced where it is used, or if it is none"  # for history cannot be taken back
_REPLACE = Advice("replace the secret where it is used: history keeps it")


def check_disk(ground: Ground) -> Iterator[Finding]:
    """Yield the secrets of the files on disk."""
    for path, text in ground.texts.items():
        yield from _list_found(text, "", _STORE, path)


def _list_found(text: str, place: str, fix: Fix, path: str = "") -> Iterator[Finding]:
    """Yield the secrets of a text under its place; `path` is the file with the text."""
    for secret in scan_file(path, text):
        words = f"{f'{path}:{secret.line}' if path else ''}{place} holds a secret ({secret.rule})"
        location = ((path,), secret.line) if path else ((), 0)
        yield Finding("secret-found", words, fix, "alarm", *location)


def check_head(ground: Ground) -> Iterator[Finding]:
    """Yield the secrets of committed files that differ on disk, of their names, and of the latest messages."""
    repo, head = ground.workspace.repo, ground.workspace.head
    for path in repository.files(repo, head) if head else ():
        if not file_roles.is_captured(path, tracked=True):
            continue
        data = repository.read(repo, head, path) or b""
        is_same = ground.data.get(path) == data  # by the check of the files on disk
        if not is_same:
            yield from _list_found(loosely(data), " in HEAD", _REPLACE, path)
        yield from _list_found(path, "the name of a file in HEAD", _REPLACE)
    for commit in history.log(repo, limit=MAX_MESSAGES, named=False):
        yield from _list_found(commit.message, f"the message of {commit.id[:10]}", _REPLACE)


def check_known_history(ground: Ground) -> Iterator[Finding]:
    """Yield the secrets that history was given, as far as it was read, the newest first."""
    yield from describe_past(history_secrets.list_open_secrets(ground.workspace.repo, ground.workspace.store)[::-1])


def describe_past(past: Sequence[Leak]) -> Iterator[Finding]:
    """Yield the first secrets of history, and how many more there are."""
    for secret in past[:MAX_LISTED]:
        words = f"{secret.words}: replace it where it is used"
        fix = Advice(f"clawgit hooks allow {secret.fingerprint}   # {_ALLOW}")
        yield Finding("secret-in-history", words, fix, paths=(secret.path,), line=secret.line)
    if len(past) > MAX_LISTED:
        yield Finding("secret-in-history", f"{len(past) - MAX_LISTED:,} more secrets are in history")


def check_unread_history(ground: Ground) -> Iterator[Finding]:
    """Read history to its end; yield how much of it could not be read."""
    workspace = ground.workspace
    reading = history_secrets.scan(workspace.repo, workspace.store, history_secrets.ALL_SECONDS)
    gap_count = count_unread(ground)
    if reading.gaps or gap_count:
        is_partial = bool(repository_health.promisors(workspace.repo))  # by the check of the history
        words = f"commits that could not be read for secrets: {reading.gaps + gap_count:,}"
        level: Level = "notice" if is_partial else "warning"
        yield Finding("secret-unknown", words, NO_FIX if is_partial else Command("git fsck"), level)


def check_purged(ground: Ground) -> Iterator[Finding]:
    """Yield that purged objects are in history again, as after a merge with an old clone."""
    repo = ground.workspace.repo
    if count := len(purged_objects.list_reached(repo, ["HEAD"], purged_objects.read_register(repo))):
        words = f"purged objects are in history again: {count:,}, as after a merge with an old copy"
        yield Finding("purge-revived", words, Advice("clawgit purge --text - < FILE   # once more; or --path FILE"))


def count_unread(ground: Ground) -> int:
    """Return of how many commits it is unknown whether they brought a secret."""
    try:
        return history_secrets.count_unread(ground.workspace.repo, ground.workspace.store)
    except ClawgitError:  # of a damaged repository, which another check tells
        return 0


CHECKS = (
    Check("secrets on disk", check_disk, "none found"),
    Check("secrets in HEAD", check_head, "none but those on disk", "repository"),
    Check("unread history", check_unread_history, "all of it was read for secrets", "managed"),
    Check("secrets in history", check_known_history, "none found", "managed", quick=True),
    Check("purged objects", check_purged, "none is back", "managed"),
)
