"""The forms in which a phrase may stand in bytes."""

import base64
import codecs
import html
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from unicodedata import normalize
from urllib.parse import quote, quote_plus

GONE = b"[purged]"
"""What stands where a phrase was."""
LEAST = 6
"""Bytes of a phrase: what is shorter stands by chance in many places."""
_ENDS = re.compile(rb"[ \t]*\r?\n(?:[ \t>]*\r?\n)*[ \t>]*")
_AROUND = b" \t\r\n>"  # what may stand around the end of a line
_MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_WORD = re.compile(rb" +|[^ ]+")
_LINE_END = b"\r\n"
_TEXT = 8000  # bytes in which a NUL tells that a file is none of lines


def forms(phrase: bytes) -> tuple[bytes, ...]:
    """Return a phrase as it is, and as UTF-16, URLs, JSON, HTML, hex and base64 have it; the longest first.

    Letters with accents in both ways that Unicode has, and line ends in both ways that there are.
    """
    try:
        text = phrase.decode("utf-8")
    except UnicodeDecodeError:
        text = ""
    plain = text.replace("\r\n", "\n")
    spelled = dict.fromkeys((text, *(normalize(form, plain) for form in ("NFC", "NFD")))) if text else {}
    every = dict.fromkeys(one for way in spelled for one in (way, way.replace("\r\n", "\n").replace("\n", "\r\n")))
    found = [one for way in every for one in _written(way)]
    found += [one for data in (phrase, *(way.encode() for way in every)) for one in _coded(data)]
    return tuple(sorted(dict.fromkeys(found), key=len, reverse=True))


def _written(text: str) -> list[bytes]:
    """Return letters as UTF-16, URLs, JSON and HTML have them."""
    urls = [quote(text), quote(text, safe=""), quote_plus(text)]
    told = [json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]]
    return [
        text.encode("utf-16-le"),
        text.encode("utf-16-be"),
        *(one.encode() for url in urls for one in (url, re.sub("%[0-9A-F]{2}", lambda match: match[0].lower(), url))),
        *(one.encode() for plain in told for one in (plain, plain.replace("/", r"\/"))),
        html.escape(text).encode(),
        html.escape(text, quote=False).encode(),
    ]


def _coded(phrase: bytes) -> list[bytes]:
    """Return bytes as they are, in hex and in base64."""
    base = [one for at in range(3) if len(one := _base64(phrase, at)) > LEAST]
    return [
        *(phrase, phrase.hex().encode(), phrase.hex().upper().encode()),
        *(*base, *(one.translate(bytes.maketrans(b"+/", b"-_")) for one in base)),
    ]


def read(data: bytes) -> bytes:
    """Return a phrase in UTF-8 as a file has it that some editor or shell wrote; no blanks and line ends around it."""
    for mark, coding in _MARKS.items():
        if data.startswith(mark):
            data = data[len(mark) :]
            data = data if coding == "utf-8" else data.decode(coding, "replace").encode()
            break
    else:
        if data and len(data) % 2 == 0 and not data[1::2].strip(b"\0"):
            data = data.decode("utf-16-le", "replace").encode()
    return data.strip()


def _base64(phrase: bytes, at: int) -> bytes:
    """Return the letters of a phrase in base64 that do not depend on what stands around, `at` bytes into a group."""
    whole = base64.b64encode(b"\0" * at + phrase + b"\0" * (-(at + len(phrase)) % 3))
    start = -(-at * 8 // 6)
    return whole[start : (at + len(phrase)) * 8 // 6]


def holds(data: bytes, some: Sequence[bytes]) -> bool:
    """Return whether bytes hold one of these, also where it goes on in the next line."""
    return any(one in data for one in some) or bool(_wrapped(data, some))


def without(data: bytes, some: Sequence[bytes], gone: bytes = GONE) -> bytes:
    """Return bytes with each of these gone; a line end within stays, and so does the length of what is no text."""
    if b"\0" in data:
        whole = bytearray(data)
        for at, new in overwritten(data, some):
            whole[at : at + len(new)] = new
        return bytes(whole)
    for one in some:
        data = data.replace(one, gone)
    for one in _wrapped(data, some):
        data = _over_lines(one).sub(gone if b"\n" in one else partial(_with_end, gone), data)
    return data


def _with_end(gone: bytes, match: "re.Match[bytes]") -> bytes:
    return gone + b"".join(_ENDS.findall(match[0])[:1])


def overwritten(data: bytes, some: Sequence[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield where each of these stands, with as many bytes to stand there."""
    for one in some:
        at = data.find(one)
        while at >= 0:
            yield at, _filler(one)
            at = data.find(one, at + len(one))
    for one in _wrapped(data, some):
        for match in _over_lines(one).finditer(data):
            whole, filler = match[0], _filler(match[0])
            yield match.start(), bytes(old if old in _LINE_END else new for old, new in zip(whole, filler, strict=True))


def _filler(one: bytes) -> bytes:
    """Return as many bytes as a phrase has, in UTF-16 where it is."""
    for coding, zeros in (("utf-16-le", one[1::2]), ("utf-16-be", one[::2])):
        if len(one) % 2 == 0 and zeros and not zeros.strip(b"\0"):
            return GONE.decode().ljust(len(one), "*").encode(coding)[: len(one)]
    return GONE.ljust(len(one), b"*")[: len(one)]


def _wrapped(data: bytes, some: Iterable[bytes]) -> list[bytes]:
    """Return what goes on from one line to the next: letters anywhere, words at a blank, lines at their ends."""
    if b"\n" not in data or b"\0" in data[:_TEXT]:
        return []
    squeezed = data.translate(None, _AROUND)
    return [one for one in some if one.translate(None, _AROUND) in squeezed and _over_lines(one).search(data)]


@cache
def _over_lines(one: bytes) -> "re.Pattern[bytes]":
    ends = b"(?:%s)" % _ENDS.pattern
    lines = [b"".join(_word(word, ends) for word in _WORD.findall(line)) for line in _ENDS.split(one)]
    return re.compile((b"(?: |%s)?" % ends).join(line for line in lines if line))


def _word(word: bytes, ends: bytes) -> bytes:
    if word.isspace():
        return b"(?:%s|%s)" % (re.escape(word), ends)
    return (b"%s?" % ends).join(re.escape(word[at : at + 1]) for at in range(len(word)))
