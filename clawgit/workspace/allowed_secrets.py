"""Secrets that the operator says are none."""

import re
from collections.abc import Iterable

from clawgit.errors import Command, value_invalid
from clawgit.git.repository import Repository
from clawgit.safety.secrets import FINGERPRINT
from clawgit.store.database import StateStore

ALLOWED = "allowed-secrets"


def fingerprints(repo: Repository) -> frozenset[str]:
    """Return the fingerprints that may be pushed from this clone."""
    return frozenset(_store(repo).read_rows(ALLOWED, str))


def allow(repo: Repository, wanted: Iterable[str]) -> tuple[str, ...]:
    """Let secrets be pushed; return those that were not allowed yet. Raises UsageError for what is no fingerprint."""
    asked = tuple(dict.fromkeys(wanted))
    for one in asked:
        if not re.fullmatch(rf"[0-9a-f]{{{FINGERPRINT}}}", one):
            raise value_invalid(f"not {FINGERPRINT} hex digits: {one!r}", fix=Command("git push", note="names it"))
    known = fingerprints(repo)
    new = tuple(one for one in asked if one not in known)
    _store(repo).append_rows(ALLOWED, new)
    return new


def _store(repo: Repository) -> StateStore:
    return StateStore(repo.commondir / "clawgit")
