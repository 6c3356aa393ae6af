"""The forms of a phrase in bytes."""

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
_LINE_END_BYTES = b" \t\r\n>"  # what may stand around the end of a line
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
    spellings = dict.fromkeys((text, *(normalize(form, plain) for form in ("NFC", "NFD")))) if text else {}
    variants = dict.fromkeys(
        variant for way in spellings for variant in (way, way.replace("\r\n", "\n").replace("\n", "\r\n"))
    )
    encodings = [encoding for way in variants for encoding in _list_encodings(way)]
    encodings += [encoding for data in (phrase, *(way.encode() for way in variants)) for encoding in _coded(data)]
    # A shorter form may be part of a longer one, which must go first.
    return tuple(sorted(dict.fromkeys(encodings), key=len, reverse=True))


def _list_encodings(text: str) -> list[bytes]:
    """Return letters as UTF-16, URLs, JSON and HTML have them."""
    urls = [quote(text), quote(text, safe=""), quote_plus(text)]
    literals = [json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]]
    return [
        text.encode("utf-16-le"),
        text.encode("utf-16-be"),
        *(
            variant.encode()
            for url in urls
            for variant in (url, re.sub("%[0-9A-F]{2}", lambda match: match[0].lower(), url))
        ),
        *(variant.encode() for plain in literals for variant in (plain, plain.replace("/", r"\/"))),
        html.escape(text).encode(),
        html.escape(text, quote=False).encode(),
    ]


def _coded(phrase: bytes) -> list[bytes]:
    """Return bytes as they are, in hex and in base64."""
    base = [code for offset in range(3) if len(code := _base64(phrase, offset)) > LEAST]
    return [
        *(phrase, phrase.hex().encode(), phrase.hex().upper().encode()),
        *(*base, *(code.translate(bytes.maketrans(b"+/", b"-_")) for code in base)),
    ]


def read(data: bytes) -> bytes:
    """Return a phrase in UTF-8 as a file has it that some editor or shell wrote; no blanks and line ends around it."""
    for mark, coding in _MARKS.items():
        if data.startswith(mark):
            data = data[len(mark) :]
            data = data if coding == "utf-8" else data.decode(coding, "replace").encode()
            break
    else:
        # In UTF-16 text of plain letters every second byte is zero.
        if data and len(data) % 2 == 0 and not data[1::2].strip(b"\0"):
            data = data.decode("utf-16-le", "replace").encode()
    return data.strip()


def _base64(phrase: bytes, offset: int) -> bytes:
    """Return the letters of a phrase in base64 that do not depend on its surroundings, `offset` bytes into a group."""
    whole = base64.b64encode(b"\0" * offset + phrase + b"\0" * (-(offset + len(phrase)) % 3))
    start = -(-offset * 8 // 6)
    return whole[start : (offset + len(phrase)) * 8 // 6]


def holds(data: bytes, phrases: Sequence[bytes]) -> bool:
    """Return whether bytes contain one of these phrases, even across line ends."""
    return any(phrase in data for phrase in phrases) or bool(_list_wrapped(data, phrases))


def remove_phrases(data: bytes, phrases: Sequence[bytes], mark: bytes = GONE) -> bytes:
    """Return bytes without these phrases; line ends within stay, and binary data keeps its length."""
    if b"\0" in data:
        whole = bytearray(data)
        for offset, new in overwritten(data, phrases):
            whole[offset : offset + len(new)] = new
        return bytes(whole)
    for phrase in phrases:
        data = data.replace(phrase, mark)
    for phrase in _list_wrapped(data, phrases):
        data = _match_over_lines(phrase).sub(mark if b"\n" in phrase else partial(_with_end, mark), data)
    return data


def _with_end(mark: bytes, match: "re.Match[bytes]") -> bytes:
    return mark + b"".join(_ENDS.findall(match[0])[:1])


def overwritten(data: bytes, phrases: Sequence[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield the offset of each phrase, with a replacement of the same length."""
    for phrase in phrases:
        offset = data.find(phrase)
        while offset >= 0:
            yield offset, _filler(phrase)
            offset = data.find(phrase, offset + len(phrase))
    for phrase in _list_wrapped(data, phrases):
        for match in _match_over_lines(phrase).finditer(data):
            whole, filler = match[0], _filler(match[0])
            yield match.start(), bytes(old if old in _LINE_END else new for old, new in zip(whole, filler, strict=True))


def _filler(phrase: bytes) -> bytes:
    """Return a filler as long as a phrase, in UTF-16 if the phrase is."""
    for coding, zeros in (("utf-16-le", phrase[1::2]), ("utf-16-be", phrase[::2])):
        if len(phrase) % 2 == 0 and zeros and not zeros.strip(b"\0"):
            return GONE.decode().ljust(len(phrase), "*").encode(coding)[: len(phrase)]
    return GONE.ljust(len(phrase), b"*")[: len(phrase)]


def _list_wrapped(data: bytes, phrases: Iterable[bytes]) -> list[bytes]:
    """Return the phrases that continue across lines: letters anywhere, words at a blank, lines at their ends."""
    if b"\n" not in data or b"\0" in data[:_TEXT]:
        return []
    squeezed = data.translate(None, _LINE_END_BYTES)
    return [
        phrase
        for phrase in phrases
        if phrase.translate(None, _LINE_END_BYTES) in squeezed and _match_over_lines(phrase).search(data)
    ]


@cache
def _match_over_lines(phrase: bytes) -> "re.Pattern[bytes]":
    ends = b"(?:%s)" % _ENDS.pattern
    lines = [b"".join(_word(word, ends) for word in _WORD.findall(line)) for line in _ENDS.split(phrase)]
    return re.compile((b"(?: |%s)?" % ends).join(line for line in lines if line))


def _word(word: bytes, ends: bytes) -> bytes:
    if word.isspace():
        return b"(?:%s|%s)" % (re.escape(word), ends)
    return (b"%s?" % ends).join(re.escape(word[index : index + 1]) for index in range(len(word)))
