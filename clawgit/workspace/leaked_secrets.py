"""Secrets that history holds already."""

import contextlib
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

from msgspec import Struct

from clawgit.errors import ClawgitError
from clawgit.git import churn, regular_file, repository
from clawgit.git.churn import Touch
from clawgit.git.repository import Oid, Repository
from clawgit.safety import secrets
from clawgit.safety.secrets import Finding
from clawgit.store.database import StateStore


class _Kept(Struct, frozen=True):
    head: Oid
    found: frozenset[str]


class Leaked:
    """The fingerprints of all secrets in the history of HEAD; read only when somebody asks for one.

    To keep such a secret out of the next commit would protect nothing, and stop everyday work. What was read is kept
    in `cache` (None: nowhere), and only what came since is read again; where history was written anew, all of it is.
    """

    def __init__(self, repo: Repository, cache: Path | None) -> None:
        self._repo = repo
        self._place = cache / "leaked.json" if cache else None

    def __contains__(self, fingerprint: object) -> bool:
        return fingerprint in self._fingerprints

    @cached_property
    def _fingerprints(self) -> frozenset[str]:
        head = repository.head(self._repo)
        if head is None:
            return frozenset()
        tip, known = self._kept()
        if tip == head:
            return known
        grown = tip is not None and tip in churn.reachable(self._repo, head)
        commits = churn.reachable(self._repo, head, f"^{tip}") if grown else churn.reachable(self._repo, head)
        found = set(known if grown else ())
        try:
            found.update(_found(self._repo, commits))
        except ClawgitError:  # too much is missing: what was read counts, and the rest is tried again next time
            return frozenset(found)
        self._keep(head, found)
        return frozenset(found)

    def _kept(self) -> tuple[Oid | None, frozenset[str]]:
        kept = regular_file.parse_state(self._place, _Kept) if self._place else None
        return (kept.head, kept.found) if kept else (None, frozenset())

    def _keep(self, head: Oid, found: Iterable[str]) -> None:
        if self._place is None:
            return
        with contextlib.suppress(OSError):
            regular_file.save_state(self._place, _Kept(head, frozenset(found)))


_TOLD = "told-secrets"


def leaked_news(store: StateStore, found: Iterable[tuple[str, Finding]]) -> tuple[str, ...]:
    """Return a sentence for each secret, by path, that nobody was told of yet; each is told once."""
    new = {one.fingerprint: (path, one) for path, one in found}
    return tuple(
        f"{path}:{one.line} holds a secret that history has already ({one.rule}): replace it where it is used"
        for path, one in (new[fingerprint] for fingerprint in untold(store, new))
    )


def untold(store: StateStore, fingerprints: Iterable[str]) -> tuple[str, ...]:
    """Return those that nobody was told of yet, and note that they are told now; none where that cannot be noted."""
    known = set(store.read_rows(_TOLD, str))
    new = tuple(fingerprint for fingerprint in dict.fromkeys(fingerprints) if fingerprint not in known)
    with contextlib.suppress(ClawgitError):
        store.append_rows(_TOLD, new)
        return new
    return ()


def _found(repo: Repository, commits: list[Oid]) -> Iterator[str]:
    for _, touch in churn.churn(repo, commits, "*.md"):
        if isinstance(touch, Touch):
            for hunk in touch.hunks:
                text = b"\n".join(hunk.given).decode("utf-8", "replace")
                yield from (found.fingerprint for found in secrets.scan(text))
