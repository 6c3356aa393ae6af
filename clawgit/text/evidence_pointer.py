"""Checkable pointers to the source of a statement."""

import re
import unicodedata
from typing import Literal

from msgspec import Struct

from clawgit.errors import Advice, evidence_invalid, line_range
from clawgit.text.entry import hash_normal

_QUOTE = r'(?:[ \t]+"(?P<quote>(?:[^"\\]|\\.)*)")?'
_LINES = re.compile(
    r"(?P<path>.+)#L(?P<start>\d{1,9})(?:-L?(?P<end>\d{1,9}))?(?:@(?P<rev>[^\s\"]+))?" + _QUOTE, re.DOTALL
)
_CORRECTION = re.compile(
    r"(?P<path>(?:[^#]+/)?CORRECTIONS\.md|Archive/Corrections/[^#/]+\.md)#(?P<id>[k-z]{10})" + _QUOTE, re.DOTALL
)
_SESSION = re.compile(r"session:(?P<id>.+)#(?P<event>[^#\s\"]+)" + _QUOTE, re.DOTALL)
_PREFIX = "session:"
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"}
_UNESCAPES = {escape: plain for plain, escape in _ESCAPES.items()}
_EXAMPLE = Advice('write it as memory/2026-01-20.md#L45-L52@1f3c9ab "the words"')


class Pointer(Struct, frozen=True):
    """The place to check a claim: lines of a file, a correction, or an event of a session.

    `start` and `end` count from 1, both inside; `rev` None means HEAD; `quote` None means read it there.
    """

    kind: Literal["lines", "correction", "session"]
    path: str = ""
    start: int = 0
    end: int = 0
    rev: str | None = None
    quote: str | None = None
    id: str = ""
    event: str = ""


def parse_pointer(text: str) -> Pointer:
    """Read one pointer; raises ClawgitError with an example."""
    plain = text.strip(" \t\r\n")
    if match := _SESSION.fullmatch(plain):
        return Pointer("session", id=match["id"], event=match["event"], quote=_unescape_quote(match["quote"]))
    if match := _CORRECTION.fullmatch(plain):
        return Pointer("correction", path=match["path"], id=match["id"], quote=_unescape_quote(match["quote"]))
    match = _LINES.fullmatch(plain)
    if not match:
        raise evidence_invalid(f"not a pointer to evidence: {plain[:80]!r}", fix=_EXAMPLE)
    start = int(match["start"])
    end = int(match["end"] or start)
    if not 1 <= start <= end:
        raise line_range(f"lines {start} to {end} are no range: {plain[:80]!r}", fix=_EXAMPLE)
    # `./` before a path that begins with `session:` distinguishes it from a session.
    path = match["path"][2:] if match["path"].startswith("./" + _PREFIX) else match["path"]
    return Pointer("lines", path, start, end, match["rev"], _unescape_quote(match["quote"]))


def format(pointer: Pointer) -> str:  # noqa: A001 - the other half of parse
    """Write a pointer so that `parse` reads the same one."""
    match pointer.kind:
        case "session":
            place = f"{_PREFIX}{pointer.id}#{pointer.event}"
        case "correction":
            place = f"{pointer.path or 'CORRECTIONS.md'}#{pointer.id}"
        case "lines":
            span = f"L{pointer.start}" + (f"-L{pointer.end}" if pointer.end > pointer.start else "")
            path = "./" + pointer.path if pointer.path.startswith(_PREFIX) else pointer.path
            place = f"{path}#{span}" + (f"@{pointer.rev}" if pointer.rev else "")
    if pointer.quote is None:
        return place
    return place + ' "' + "".join(_ESCAPES.get(letter, letter) for letter in pointer.quote) + '"'


def quote_hash(text: str) -> str:
    """Return 12 hex digits of sha256 over the words, however they were composed, spaced and broken."""
    return hash_normal(" ".join(unicodedata.normalize("NFC", text).split()))[:12]


def _unescape_quote(quote: str | None) -> str | None:
    if quote is None:
        return None
    return re.sub(r"\\.", lambda match: _UNESCAPES.get(match[0], match[0]), quote)


_TRAILER = re.compile(
    rb'^(Evidence: .*?"((?:[^"\\\n]|\\.)*\[purged\](?:[^"\\\n]|\\.)*)") sha256:[0-9a-f]{12}$', re.MULTILINE
)


def rehash_quotes(message: bytes) -> bytes:
    """Return a commit message with the hashes of shortened quotes in place of the old ones."""

    def anew(match: "re.Match[bytes]") -> bytes:
        words = _unescape_quote(match[2].decode("utf-8", "replace")) or ""
        return match[1] + b" sha256:" + quote_hash(words).encode()

    return _TRAILER.sub(anew, message)
