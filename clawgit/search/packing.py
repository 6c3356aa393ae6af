"""Keeps short texts small."""

import zlib

LARGEST = 8_000
"""Bytes of a dictionary."""
_RAW = -15


def packed(text: str, dictionary: bytes) -> bytes:
    """Return a text in fewer bytes, by what it has in common with a dictionary; as it is where that does not help."""
    data = text.encode("utf-8", "surrogatepass")
    if dictionary:
        squeezed = zlib.compressobj(6, zlib.DEFLATED, _RAW, 8, zlib.Z_DEFAULT_STRATEGY, dictionary)
        small = squeezed.compress(data) + squeezed.flush()
        if len(small) < len(data):
            return b"\1" + small
    return b"\0" + data


def unpacked(data: bytes, dictionary: bytes) -> str:
    """Return the text. Raises zlib.error with another dictionary."""
    if data[:1] == b"\1":
        data = b"\0" + zlib.decompressobj(_RAW, dictionary).decompress(data[1:])
    return data[1:].decode("utf-8", "surrogatepass")
