"""The forms in which a phrase may stand in bytes."""

import base64
from collections.abc import Iterable
from urllib.parse import quote, quote_plus

GONE = b"[purged]"
"""What stands where a phrase was."""
LEAST = 6
"""Bytes of a phrase: what is shorter stands by chance in many places."""


def forms(phrase: bytes) -> tuple[bytes, ...]:
    """Return a phrase as it is, in UTF-16, in URLs and in base64 at each of its three places; the longest first."""
    found = [phrase]
    try:
        text = phrase.decode("utf-8")
    except UnicodeDecodeError:
        text = ""
    if text:
        found += [text.encode("utf-16-le"), text.encode("utf-16-be")]
        found += [quote(text).encode(), quote(text, safe="").encode(), quote_plus(text).encode()]
    found += [one for at in range(3) if len(one := _base64(phrase, at)) > LEAST]
    found += [one.translate(bytes.maketrans(b"+/", b"-_")) for one in found[-3:]]
    return tuple(sorted(dict.fromkeys(found), key=len, reverse=True))


def _base64(phrase: bytes, at: int) -> bytes:
    """Return the letters of a phrase in base64 that do not depend on what stands around, `at` bytes into a group."""
    whole = base64.b64encode(b"\0" * at + phrase + b"\0" * (-(at + len(phrase)) % 3))
    start = -(-at * 8 // 6)
    return whole[start : (at + len(phrase)) * 8 // 6]


def holds(data: bytes, some: Iterable[bytes]) -> bool:
    """Tell whether bytes hold one of these."""
    return any(one in data for one in some)


def without(data: bytes, some: Iterable[bytes]) -> bytes:
    """Return bytes with each of these gone."""
    for one in some:
        data = data.replace(one, GONE)
    return data
