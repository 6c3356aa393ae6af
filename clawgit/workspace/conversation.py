"""Turns of conversations, which somebody above keeps."""

from collections.abc import Callable

from msgspec import Struct


class Turn(Struct, frozen=True):
    """What was said in one event of a session; `who` is `user`, `assistant` or `tool`, `date` in ISO 8601.

    `origin` tells whose words they are: operator, agent, untrusted or unknown.
    """

    text: str
    who: str
    date: str | None = None
    origin: str = "unknown"


Conversations = Callable[[str, str], Turn | None]
"""Returns what was said in an event of a session, both given by id; None where that is not kept here."""


def none_kept(session: str, event: str) -> Turn | None:  # noqa: ARG001 - it keeps to a signature
    """Return nothing: no conversations are at hand."""
    return None
