"""What was found in a message, or refused."""

from collections.abc import Mapping
from datetime import date
from typing import Literal

from msgspec import Struct

Kind = Literal["decision", "event", "fact", "preference", "lesson", "note"]

LONGEST = 300
"""Letters of an entry."""
LONGEST_QUOTE = 160

TAGS: Mapping[Kind, str] = {
    "decision": "decision",
    "event": "event",
    "fact": "knowledge",
    "preference": "knowledge",
    "lesson": "skill",
    "note": "knowledge",
}
"""The primary tag of each kind."""


class Finding(Struct, frozen=True):
    """One entry to be: `text` is understood alone, `quote` stands letter for letter in the message.

    `kind` "note" was asked for in so many words; `day` is that of an event or a plan, seen from when it was said.
    """

    text: str
    quote: str
    tag: str
    kind: Kind
    day: date | None


class Extracted(Struct, frozen=True):
    """What a message gives: its findings, and for every other sentence the reason why not."""

    findings: tuple[Finding, ...]
    refused: tuple[tuple[str, str], ...]


def quote(message: str, start: int, end: int) -> str:
    """Return what stands there letter for letter, the longest line of it and as much as a quote may hold."""
    return max(message[start:end].splitlines(), key=len)[:LONGEST_QUOTE].strip()
