"""Words and names, fit to leave the machine."""

import re

from clawgit.git.history import Commit
from clawgit.safety.redaction import redacted
from clawgit.workspace.message import shorten
from clawgit.workspace.records import Record

LONGEST = 200  # characters of a quote
ODD = "a file with an odd name"

_SEEN = 4000
_ADDRESS = re.compile(r"(?i)\b([a-z][a-z0-9+.-]*)://(?:[^\s/@]*@)?([^\s/?#\"'<>()\[\]]*)[^\s\"'<>()\[\]]*")
_BARE = re.compile(r"(?i)(?<![\w/.@-])(?://)?((?:[a-z0-9-]+\.)+[a-z]{2,24})(?::\d+)?[/?#][^\s\"'<>()\[\]]*")
"""An address without `https:`, which chats make a link of all the same."""
_MARKS = str.maketrans({"<": "\u2039", ">": "\u203a", "`": "'"})
_CALLS = re.compile(r"(?i)@(?=everyone\b|here\b|channel\b|all\b)")
_PLAIN = re.compile(r"[\w.+-]+(?:/[\w.+-]+)*", re.ASCII)
_LONGEST_NAME = 80
_KNOWN = ("operator", "agent")
_REPEATS = re.compile(r"\w+: (?:undo|restore)\b")


def quotable(commit: Commit, record: Record) -> bool:
    """Tell whether the words that came with a commit may be quoted.

    Only where we wrote it for the operator or an agent, and no untrusted text is in it; what takes a change back, or
    brings something back, repeats words of anybody.
    """
    again = record.undoes or _REPEATS.match(record.subject)
    return commit.ours and record.origin in _KNOWN and not again and "untrusted" not in (record.risk or "")


def known(origin: str) -> bool:
    """Tell whether words of this origin may be quoted."""
    return origin in _KNOWN


def quote(text: str) -> str:
    """Return words on one line: no secrets, nothing that is not printed, of an address its host alone.

    Marks that a chat takes for a tag, for code or for a call of everybody are replaced.
    """
    seen = text if len(text) <= _SEEN else " ".join(text[:_SEEN].split()[:-1])  # what is cut could be half a secret
    shown = _BARE.sub(r"\1", _ADDRESS.sub(r"\2", redacted(seen)))
    shown = "".join(letter if letter.isprintable() else " " for letter in shown)
    return shorten(" ".join(_CALLS.sub("@ ", shown).translate(_MARKS).split()), LONGEST)


def plain(path: str) -> bool:
    """Tell whether a path is made of nothing but letters, digits and a few marks: it can hold no sentence."""
    return len(path) <= _LONGEST_NAME and bool(_PLAIN.fullmatch(path))


def named(path: str) -> str:
    """Return the name of a file, which anybody may have given to it."""
    return path if plain(path) else ODD
