"""Leaves withheld lines out of what is indexed."""

from collections import Counter
from collections.abc import Mapping

from clawgit.search import corpus
from clawgit.search.corpus import Source, Stamp
from clawgit.store.calls import hash_line
from clawgit.text import document
from clawgit.workspace.untrusted_sessions import Copy


def without(source: Source, withheld: Mapping[str, frozenset[Copy]]) -> Source:
    """Return a source that reads nothing of the withheld lines of its file."""
    copies = withheld.get(source.path)
    if not copies:
        return source

    def read() -> "tuple[bytes, Stamp | None] | None":
        found = source.read()
        return found and (blank(found[0], copies, withheld=False), None)

    return source._replace(read=read, stamp=None, blob="")


def blank(data: bytes, copies: frozenset[Copy], *, withheld: bool) -> bytes:
    """Return a text in which only its withheld lines are left, or only the others, each in its place."""
    counts, rows = Counter[str](), list[str]()
    for row in document.split(corpus.plain(data)):
        name = hash_line(row) if row.strip() else ""
        counts[name] += 1
        rows.append(row if ((name, counts[name]) in copies) == withheld else "\n")
    return "".join(rows).encode()
