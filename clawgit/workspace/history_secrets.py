"""Secrets in history, reported once."""

import contextlib
import time
from collections.abc import Callable
from functools import cached_property

from msgspec import Struct

from clawgit.errors import ClawgitError
from clawgit.git import churn, own_commits, repository, repository_health
from clawgit.git.churn import Gap, Touch, list_commits
from clawgit.git.git_command import forbid_fetching
from clawgit.git.repository import Oid, Repository
from clawgit.store.database import StateStore
from clawgit.workspace import outgoing_secrets, write_guard
from clawgit.workspace.outgoing_secrets import Leak, additions

SECONDS, ALL_SECONDS = 1.0, 3600.0
_SLICE = 100  # commits that are read by one git
_MAX_LISTED = 5  # secrets that are told one by one
_LARGEST = 1 << 20  # bytes that a commit gives a file; what is larger is data, and its secrets are unknown


class Reading(Struct, frozen=True):
    """The state of a scan of history: the commits read with all before them, their secrets, and gaps."""

    read: tuple[Oid, ...] = ()
    found: tuple[Leak, ...] = ()
    gaps: int = 0


_PAST, _REPORTS = "past-secrets", "told-secrets"


def read_on(
    repo: Repository,
    state: Reading,
    seconds: float = ALL_SECONDS,
    progress: Callable[[int, int], object] = lambda _count, _total: None,
) -> Reading:
    """Read history for some seconds and return the new state; `progress` gets the number of commits read."""
    if repository_health.promisors(repo):
        return state  # old contents would have to be fetched one by one
    end, gaps = time.monotonic() + seconds, state.gaps
    read, waiting = _list_waiting(repo, state)
    secrets = {secret.fingerprint: secret for secret in state.found}
    for start in range(0, len(waiting), _SLICE):
        progress(start, len(waiting))
        rows = waiting[start : start + _SLICE]
        try:
            with forbid_fetching():
                touches = [touch for _, touch in churn.churn(repo, [oid for oid, _ in rows])]
        except ClawgitError:  # too much is missing: the rest waits
            break
        gaps += sum(isinstance(touch, Gap) for touch in touches)
        for touch in (item for item in touches if isinstance(item, Touch)):
            addition = additions(touch)
            for line, hit in addition.secrets() if len(addition.data) <= _LARGEST else ():
                secrets[hit.fingerprint] = Leak(touch.commit, touch.path, line, hit.rule, hit.fingerprint)
        for oid, parents in rows:
            for parent in parents:
                # A commit stands for all before it: only the ends of what was read are kept.
                read.pop(parent, None)
            read[oid] = None
        if time.monotonic() > end:
            break
    return Reading(tuple(read), tuple(secrets.values()), gaps)


def scan(repo: Repository, store: StateStore, seconds: float = SECONDS) -> Reading:
    """Read on for some seconds, and return the whole state. If nothing can be written, it is read again."""
    previous = reading(store)
    new = read_on(repo, previous, seconds)
    if new != previous:
        with contextlib.suppress(ClawgitError):
            store.save_document(_PAST, new)
    return new


class Leaked(Struct, frozen=True, dict=True):
    """The fingerprints of all secrets in the history of HEAD; read on demand.

    To keep such a secret out of the next commit would protect nothing, and stop everyday work. The state is kept in
    `store` (None: nowhere).
    """

    repo: Repository
    store: StateStore | None

    def __contains__(self, fingerprint: object) -> bool:
        past = self._found.get(str(fingerprint))
        head = repository.head(self.repo)
        return past is not None and head is not None and repository.reaches(self.repo, head, past.commit)

    @cached_property
    def _found(self) -> dict[str, Leak]:
        history_state = scan(self.repo, self.store, ALL_SECONDS) if self.store else read_on(self.repo, Reading())
        return {secret.fingerprint: secret for secret in history_state.found}


def count_unread(repo: Repository, store: StateStore) -> int:
    """Return the number of commits of others that no scan has read yet; clawgit's own are scanned before."""
    own = own_commits.read_own_commits(repo)
    return sum(oid not in own for oid, _ in _list_waiting(repo, reading(store))[1])


def list_open_secrets(repo: Repository, store: StateStore) -> tuple[Leak, ...]:
    """Return the secrets that nobody has allowed with `clawgit hooks allow`; the newest last."""
    answers = outgoing_secrets.fingerprints(repo)
    return tuple(secret for secret in reading(store).found if secret.fingerprint not in answers)


def look(repo: Repository, store: StateStore, seconds: float = SECONDS) -> tuple[str, ...]:
    """Read on for some seconds; return a sentence for each unreported secret.

    Of very many the newest are named. Obstacles of git are reported elsewhere, and nothing is returned if the report
    cannot be recorded.
    """
    with contextlib.suppress(ClawgitError):
        scan(repo, store, seconds)
    told_before = set(store.read_rows(_REPORTS, str))
    new = [secret for secret in list_open_secrets(repo, store) if secret.fingerprint not in told_before]
    try:
        store.append_rows(_REPORTS, [secret.fingerprint for secret in new])
    except ClawgitError:
        return ()
    notes = [f"{past.words}: replace it where it is used, for every clone has it" for past in new[-_MAX_LISTED:]]
    if len(new) > _MAX_LISTED:
        notes.append(f"{len(new) - _MAX_LISTED:,} more secrets stand in history: clawgit doctor lists them")
    return tuple(notes)


def forget(store: StateStore) -> None:
    """Forget the scan after history was rewritten without some of its secrets."""
    store.drop_document(_PAST)


def reading(store: StateStore) -> Reading:
    """Return the state; an empty one for an unreadable file, or one with secrets that do not count."""
    result = store.read_document(_PAST, Reading) or Reading()
    return result if all(write_guard.is_scanned(secret.path) for secret in result.found) else Reading()


def _list_waiting(repo: Repository, state: Reading) -> tuple[dict[Oid, None], list[tuple[Oid, tuple[Oid, ...]]]]:
    """Return the read commits that are still here, and those of all branches and tags that were not read.

    The latter have their parents with them, the oldest first.
    """
    read = dict.fromkeys(commit for commit in state.read if repository.resolve(repo, commit) == commit)
    if repository.head(repo) is None:
        return read, []
    refs = ("--branches", "--tags", "--remotes", "HEAD")
    return read, list(list_commits(repo, *refs, *(f"^{oid}" for oid in read)).items())
