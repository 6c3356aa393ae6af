"""The patterns of secrets, most specific first."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from clawgit.language import pattern_tables

Shape = Literal["token", "mixed", "marked", "named", "block", "url", "password", "brief", "key"]

_DATA = Path(__file__).parent / "data" / "secrets"
OURS = _DATA / "clawgit.toml"
"""What gitleaks' rules leave out, above all passwords and keys in sentences."""
VENDORED = _DATA / "gitleaks.json"
"""gitleaks' rules, as docs/gitleaks_rules.py takes them over; their licence lies beside them."""


class Rule(Struct, frozen=True):
    """One kind of secret, in re2's syntax.

    `hint` is cheap and decides whether `pattern` runs at all; the secret is the first group that matched, or the whole;
    `shape` says which test of `safety.shape` it must pass. It has at least `entropy` bits a character, and does not
    match `allow`.
    """

    name: str
    hint: str
    pattern: str
    shape: Shape = "token"
    entropy: float = 0
    allow: str = ""


@cache
def data() -> Mapping[str, Any]:
    """Return our own tables: `formats` and `prose` of rules, `values` of what is no secret."""
    return pattern_tables.read(OURS)


def own(table: str) -> tuple[Rule, ...]:
    """Return the rules of one of our own tables."""
    return tuple(map(_rule, data()[table]))


def _rule(row: Sequence[str]) -> Rule:
    name, hint, pattern, *more = row
    shape, entropy = (*more, *("token", "0")[len(more) :])
    return Rule(name, hint, pattern, shape, int(entropy))  # type: ignore[arg-type] # as the file's head says


@cache
def rules() -> tuple[Rule, ...]:
    """Return every rule: ours that know a format, gitleaks', then those for prose."""
    kept = json.loads(VENDORED.read_bytes())
    return (*own("formats"), *(_vendored(one, kept["allow"]) for one in kept["rules"]), *own("prose"))


def _vendored(row: dict[str, str | float], allow: str) -> Rule:
    also = row.pop("allow", "")
    return Rule(**row, allow=f"{allow}|{also}" if also else allow)  # type: ignore[arg-type] # as the script writes it
