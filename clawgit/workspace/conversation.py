"""Turns of conversations, which somebody above keeps."""

from collections.abc import Callable
from datetime import datetime

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


class Sessions(Struct, frozen=True):
    """What somebody above knows of sessions, as a capture needs it.

    `follow` brings in what was said and done since the last time; `asks` tells whether a turn of the operator after a
    moment has the words of a line, and `question` returns what somebody said last in a session before a moment.
    """

    follow: Callable[[], object] = lambda: None
    asks: Callable[[str, datetime], bool] = lambda _line, _since: False
    question: Callable[[str, float], Turn | None] = lambda _session, _time: None
