"""Secrets that history holds, told once."""

import contextlib
import time
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from msgspec import Struct

from clawgit.errors import ClawgitError
from clawgit.git import churn, own_commits, repository, repository_health
from clawgit.git.churn import Gap, Touch
from clawgit.git.file_changes import list_commits
from clawgit.git.git_command import without_fetching
from clawgit.git.repository import Oid, Repository
from clawgit.store.database import StateStore
from clawgit.workspace import outgoing_secrets, write_guard
from clawgit.workspace.outgoing_secrets import additions

SECONDS, ALL_SECONDS = 1.0, 3600.0
_SLICE = 100  # commits that are read by one git
_MAX_LISTED = 5  # secrets that are told one by one
_LARGEST = 1 << 20  # bytes that a commit gives a file; what is larger is data, and its secrets are unknown


class Past(Struct, frozen=True):
    """A secret that a commit brought in: never what it is."""

    rule: str
    fingerprint: str
    path: str
    line: int
    commit: Oid
    date: str

    @property
    def words(self) -> str:
        """Where it came in, by which rule, and its fingerprint."""
        return f"{self.path}:{self.line} of {self.commit[:10]} brought a secret ({self.rule}, {self.fingerprint})"

    @property
    def fix(self) -> str:
        """What to do: history cannot be taken back, a secret can be made worthless."""
        return f"clawgit hooks allow {self.fingerprint}   # once it is replaced where it is used, or if it is none"


class Reading(Struct, frozen=True):
    """What is known of history: the commits that were read with all before them, what they brought, and gaps."""

    read: tuple[Oid, ...] = ()
    found: tuple[Past, ...] = ()
    gaps: int = 0


_PAST, _TOLD = "past-secrets", "told-secrets"


def read_on(
    repo: Repository,
    known: Reading,
    seconds: float = ALL_SECONDS,
    progress: Callable[[int, int], object] = lambda _done, _of: None,
) -> Reading:
    """Return what is known once history was read on for some seconds; `progress` hears how many commits were read."""
    if repository_health.promisors(repo):
        return known  # old contents would have to be fetched one by one
    end, gaps = time.monotonic() + seconds, known.gaps
    read, found = dict.fromkeys(_here(repo, known.read)), {one.fingerprint: one for one in known.found}
    waiting = _waiting(repo, tuple(read))
    for start in range(0, len(waiting), _SLICE):
        progress(start, len(waiting))
        rows = waiting[start : start + _SLICE]
        try:
            with without_fetching():
                touches = [touch for _, touch in churn.churn(repo, [oid for oid, _ in rows])]
        except ClawgitError:  # too much is missing: the rest waits
            break
        gaps += sum(isinstance(touch, Gap) for touch in touches)
        for touch in (one for one in touches if isinstance(one, Touch)):
            added = additions(touch)
            for line, one in added.secrets() if len(added.data) <= _LARGEST else ():
                found[one.fingerprint] = Past(one.rule, one.fingerprint, touch.path, line, touch.commit, touch.date)
        for oid, parents in rows:
            for parent in parents:
                read.pop(parent, None)
            read[oid] = None
        if time.monotonic() > end:
            break
    return Reading(tuple(read), tuple(found.values()), gaps)


def scan(repo: Repository, store: StateStore, seconds: float = SECONDS) -> Reading:
    """Read on for some seconds, and return all that is known. Where nothing can be written, it is read again."""
    known = reading(store)
    new = read_on(repo, known, seconds)
    if new != known:
        with contextlib.suppress(ClawgitError):
            store.save_document(_PAST, new)
    return new


class Leaked(Struct, frozen=True, dict=True):
    """The fingerprints of all secrets in the history of HEAD; read only when somebody asks for one.

    To keep such a secret out of the next commit would protect nothing, and stop everyday work. What was read is kept
    in `store` (None: nowhere).
    """

    repo: Repository
    store: StateStore | None

    def __contains__(self, fingerprint: object) -> bool:
        past = self._found.get(str(fingerprint))
        head = repository.head(self.repo)
        return past is not None and head is not None and repository.reaches(self.repo, head, past.commit)

    @cached_property
    def _found(self) -> dict[str, Past]:
        known = scan(self.repo, self.store, ALL_SECONDS) if self.store else read_on(self.repo, Reading())
        return {one.fingerprint: one for one in known.found}


def unread(repo: Repository, store: StateStore) -> int:
    """Return how many commits of others no scan has read yet; what clawgit writes is scanned before."""
    own = own_commits.known(repo)
    return sum(oid not in own for oid, _ in _waiting(repo, _here(repo, reading(store).read)))


def standing(repo: Repository, store: StateStore) -> tuple[Past, ...]:
    """Return what was found and nobody answered: `clawgit hooks allow` does; the newest last."""
    answered = outgoing_secrets.fingerprints(repo)
    return tuple(one for one in reading(store).found if one.fingerprint not in answered)


def look(repo: Repository, store: StateStore, seconds: float = SECONDS) -> tuple[str, ...]:
    """Read on for some seconds; return a sentence for each secret that stands and nobody was told of.

    Of very many the newest are named. What stands in the way of git is told by whoever needs it, and nothing is said
    where it cannot be noted that they are told now.
    """
    with contextlib.suppress(ClawgitError):
        scan(repo, store, seconds)
    told_before = set(store.read_rows(_TOLD, str))
    found = {one.fingerprint: one for one in standing(repo, store) if one.fingerprint not in told_before}
    try:
        store.append_rows(_TOLD, found)
    except ClawgitError:
        return ()
    new = list(found)
    told = [f"{found[name].words}: replace it where it is used, for every clone has it" for name in new[-_MAX_LISTED:]]
    if len(new) > _MAX_LISTED:
        told.append(f"{len(new) - _MAX_LISTED:,} more secrets stand in history: clawgit status lists them")
    return tuple(told)


def forget(store: StateStore) -> None:
    """Forget what was read: history was written anew, without some of its secrets."""
    store.drop_document(_PAST)


def reading(store: StateStore) -> Reading:
    """Return what is known; of a file that cannot be read, or that named secrets which do not count, nothing."""
    known = store.read_document(_PAST, Reading) or Reading()
    return known if all(write_guard.is_scanned(one.path) for one in known.found) else Reading()


def _here(repo: Repository, commits: Iterable[Oid]) -> tuple[Oid, ...]:
    """Return those that are still in the repository."""
    return tuple(commit for commit in commits if repository.resolve(repo, commit) == commit)


def _waiting(repo: Repository, read: Sequence[Oid]) -> list[tuple[Oid, tuple[Oid, ...]]]:
    """Return the commits of every branch and tag that were not read, with their parents, the oldest first."""
    if repository.head(repo) is None:
        return []
    refs = ("--branches", "--tags", "--remotes", "HEAD")
    return list(list_commits(repo, *refs, *(f"^{one}" for one in read)).items())
