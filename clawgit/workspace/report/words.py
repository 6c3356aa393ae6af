"""Words of a workspace that are fit to be shown."""

import re
from collections.abc import Iterable

from clawgit.safety import secrets
from clawgit.workspace import guard, message

_LONGEST = 60
_MARKER = re.compile(r"[ \t>|]*(?:(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t]+)?(?:\[[ xX]\][ \t]+)?")


def masked(text: str, found: Iterable[secrets.Finding] | None = None) -> str:
    """Return `text` with each secret named instead of shown; every line stays the line it was."""
    hits = secrets.scan(text) if found is None else tuple(found)
    for hit in reversed(hits):
        inside = text[hit.start : hit.end].count("\n")
        text = f"{text[: hit.start]}[{hit.rule}]" + "\n" * inside + text[hit.end :]
    return text


def shown(line: str) -> str:
    """Return a line as it can be quoted: short, without marker, secrets or hidden characters.

    Take it from a text that was `masked` as a whole: half of a secret is not known for one.
    """
    return message.shorten(message.one_line(guard.cleaned(_MARKER.sub("", line, count=1))), _LONGEST)
