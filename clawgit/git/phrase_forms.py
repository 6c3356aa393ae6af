"""The forms of a phrase in bytes."""

import base64
import json
import re
from collections.abc import Sequence
from functools import cache, partial
from unicodedata import normalize
from urllib.parse import quote, quote_plus

GONE = b"[purged]"
"""What stands where a phrase was."""
LEAST = 6
"""Bytes of a phrase: what is shorter stands by chance in many places."""
_END = re.compile(rb"[ \t]*\r?\n[\s>]*")
_SPACE_BYTES = b" \t\r\n\v\f>"  # what may stand between the words of a quoted or wrapped phrase
_BLANK = re.compile(rb"[ \t]*\r?\n[\s>]*|\s+")


def read_phrase(data: bytes) -> bytes:
    """Return a phrase in UTF-8 as a file has it that some editor or shell wrote; no blanks and line ends around it."""
    coding = json.detect_encoding(data)
    return (data if coding == "utf-8" else data.decode(coding, "replace").encode()).strip()


def forms(phrase: bytes) -> tuple[bytes, ...]:
    """Return a phrase as it is, and as UTF-16, URLs, JSON, hex and base64 have it; the longest first.

    Letters with accents in both ways that Unicode has, and line ends in both ways that there are.
    """
    encodings, text = {phrase}, phrase.decode("utf-8", "replace")
    plain = [normalize(form, text).replace("\r\n", "\n") for form in ("NFC", "NFD") if text.encode() == phrase]
    for spelling in {way.replace("\n", end) for way in plain for end in ("\n", "\r\n")}:
        encodings |= _encode(spelling)
    # A shorter form may be part of a longer one, which must go first.
    return tuple(sorted(encodings, key=lambda form: (-len(form), form)))


def _encode(text: str) -> set[bytes]:
    data = text.encode()
    whole = ((base64.b64encode(bytes(skip) + data + bytes(2)), skip) for skip in range(3))
    # Only the letters that do not depend on the bytes around it.
    codes = (code[-(-skip * 8 // 6) : (skip + len(data)) * 8 // 6] for code, skip in whole)
    encodings = {code for code in codes if len(code) > LEAST}
    encodings |= {code.translate(bytes.maketrans(b"+/", b"-_")) for code in encodings}
    encodings |= {data, text.encode("utf-16-le"), text.encode("utf-16-be")}
    encodings |= {data.hex().encode(), data.hex().upper().encode()}
    encodings |= {url.encode() for url in (quote(text), quote(text, safe=""), quote_plus(text))}
    return encodings | {json.dumps(text, ensure_ascii=is_ascii)[1:-1].encode() for is_ascii in (True, False)}


def has_phrase(data: bytes, phrases: Sequence[bytes]) -> bool:
    """Return whether bytes contain one of these phrases, even across line ends."""
    return bool(_find_patterns(data, phrases))


def remove_phrases(data: bytes, phrases: Sequence[bytes], mark: bytes = GONE) -> bytes:
    """Return bytes without these phrases; line ends within stay, and binary data keeps its length."""
    for phrase, pattern in _find_patterns(data, phrases):
        data = pattern.sub(_fill if b"\0" in data else partial(_replace, mark, b"\n" in phrase), data)
    return data


def _replace(mark: bytes, has_lines: bool, match: "re.Match[bytes]") -> bytes:  # noqa: FBT001 - of a partial
    return mark if has_lines else mark + b"".join(_END.findall(match[0])[:1])


def _fill(match: "re.Match[bytes]") -> bytes:
    """Return a filler as long as a phrase, in UTF-16 if the phrase is."""
    size = len(match[0])
    coding = "utf-8" if b"\0" not in match[0] else "utf-16-be" if match[0].startswith(b"\0") else "utf-16-le"
    return GONE.decode().ljust(size, "*").encode(coding)[:size]


def _find_patterns(data: bytes, phrases: Sequence[bytes]) -> list[tuple[bytes, "re.Pattern[bytes]"]]:
    """Return the phrases in some bytes, wrapped or not, with their patterns."""
    squeezed = data.translate(None, _SPACE_BYTES)
    likely = (phrase for phrase in phrases if phrase.translate(None, _SPACE_BYTES) in squeezed)
    return [(phrase, pattern) for phrase in likely if (pattern := _compile(phrase)).search(data)]


@cache
def _compile(phrase: bytes) -> "re.Pattern[bytes]":
    """Return a pattern of a phrase that goes on over line ends: letters anywhere, words at a blank."""
    end = b"(?:%s)?" % _END.pattern
    words = (
        end.join(re.escape(word[index : index + 1]) for index in range(len(word)))
        for word in _BLANK.split(phrase)
        if word
    )
    return re.compile((b"(?:%s)" % _BLANK.pattern).join(words))
