"""Secrets that the operator says are none."""

import re
from collections.abc import Iterable
from pathlib import Path

from clawgit.errors import Command, value_invalid
from clawgit.git import regular_file
from clawgit.git.repository import Repository
from clawgit.safety.secrets import FINGERPRINT


def fingerprints(repo: Repository) -> frozenset[str]:
    """Return the fingerprints that may be pushed from this clone."""
    return frozenset(regular_file.read_words(_place(repo)))


def allow(repo: Repository, wanted: Iterable[str]) -> tuple[str, ...]:
    """Let secrets be pushed; return those that were not allowed yet. Raises UsageError for what is no fingerprint."""
    asked = tuple(dict.fromkeys(wanted))
    for one in asked:
        if not re.fullmatch(rf"[0-9a-f]{{{FINGERPRINT}}}", one):
            raise value_invalid(f"not {FINGERPRINT} hex digits: {one!r}", fix=Command("git push", note="names it"))
    known = fingerprints(repo)
    new = tuple(one for one in asked if one not in known)
    regular_file.append_lines(_place(repo), "".join(f"{one}\n" for one in new).encode())
    return new


def _place(repo: Repository) -> Path:
    return repo.commondir / "clawgit" / "state" / "allowed-secrets"
