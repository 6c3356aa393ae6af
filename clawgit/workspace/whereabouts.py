"""Finds the files that ever held an entry."""

import re
from collections.abc import Iterable, Iterator, Sequence

from clawgit.git import churn
from clawgit.git.churn import Touch
from clawgit.git.repository import Repository
from clawgit.text.entry import without_comments
from clawgit.text.escape import unescape
from clawgit.text.identity import entry_id

_BULLET = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(.*)", re.DOTALL)
_MOST_ALIKE = 4
"""Entries of one file that say the same are told apart by their number; it is looked for up to this one."""


def holders(repo: Repository, name: str) -> tuple[str, ...]:
    """Return the Markdown files in which, at some time, an entry stood whose id begins with `name`, newest first.

    One pass over all of history, which is what it takes when nothing else knows the id.
    """
    found: dict[str, None] = {}
    for _, touch in churn.churn(repo, churn.reachable(repo, "HEAD"), "memory/*.md", "MEMORY.md", "memory.md"):
        if isinstance(touch, Touch) and touch.path not in found and _has(touch, name):
            found[touch.path] = None
    return tuple(found)


def _has(touch: Touch, name: str) -> bool:
    rows = (rows for hunk in touch.hunks for rows in (hunk.taken, hunk.given))
    return any(_is_called(touch.path, words, name) for part in rows for words in _bullets(part))


def _is_called(path: str, words: str, name: str) -> bool:
    return any(entry_id(path, words, number).startswith(name) for number in range(1, _MOST_ALIKE + 1))


def _bullets(rows: Sequence[bytes]) -> Iterator[str]:
    """Yield the words of each bullet, with the lines that go on with it."""
    for block in _blocks(row.decode("utf-8", "replace") for row in rows):
        match = _BULLET.match(block)
        if match:
            yield without_comments(unescape(match[1]))


def _blocks(rows: Iterable[str]) -> Iterator[str]:
    block: list[str] = []
    for row in rows:
        goes_on = row.startswith((" ", "\t")) and row.strip() and not _BULLET.match(row)
        if block and not goes_on:
            yield "\n".join(block)
            block = []
        if goes_on or row.strip():
            block.append(row.rstrip("\r") if not block else row.strip())
    if block:
        yield "\n".join(block)
