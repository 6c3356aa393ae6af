"""Which journals went into an archive."""

import re
from collections.abc import Iterable
from urllib.parse import quote, unquote

from clawgit.agents.compacting.journals import Journal

_LINE = re.compile(r"<!-- from (\S+) ([0-9a-f]{10}) -->")
_PLAIN = "/:@!$&'()*+,;=~#?[]"


def named(text: str) -> set[tuple[str, str]]:
    """Return path and version of each journal that an archive says it was made from."""
    return {(unquote(match[1]), match[2]) for match in _LINE.finditer(text)}


def line(one: Journal) -> str:
    """Return the line that names a journal: a comment, so that no search finds it."""
    shown = "".join(letter if letter.isalnum() else quote(letter, safe=_PLAIN) for letter in one.path)
    return f"<!-- from {shown} {one.blob} -->"


def missing(text: str, some: Iterable[Journal]) -> list[Journal]:
    """Return the journals that an archive does not hold as they are."""
    known = named(text)
    return [one for one in some if (one.path, one.blob) not in known]
