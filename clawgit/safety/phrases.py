"""Phrases that bend an identity, in eight languages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from clawgit.language import pattern_tables

Kind = Literal[
    "override", "secrecy", "exfiltration", "persona", "grant", "money", "bias", "command", "marker", "encoded", "unseen"
]

FILE = Path(__file__).parent / "data" / "injections.toml"


class Phrase(Struct, frozen=True):
    """A wording in re2's syntax over normalised, case-folded text.

    `forbids` says that a rule may turn it round ("never …"), so that a negation beside it clears it.
    """

    kind: Kind
    pattern: str
    forbids: bool = True


@cache
def tables() -> Mapping[str, Any]:
    """Return what the file says, with its parts put in."""
    return pattern_tables.read(FILE)


@cache
def phrases() -> tuple[Phrase, ...]:
    """Return all phrases, in the order in which they are told."""
    return tuple(_phrases())


def _phrases() -> Iterator[Phrase]:
    for table in tables()["phrases"]:
        forbids = not table.get("always", False)
        yield from (Phrase(table["kind"], pattern, forbids) for pattern in table["patterns"])
