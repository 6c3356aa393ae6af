"""Unpacks the long events of OpenClaw's database."""

from functools import cache
from importlib.util import find_spec
from typing import Any

FIX = "pip install 'clawgit[openclaw]'"
"""What brings the package that unpacks."""
UNREADABLE = b"\0packed"
"""In the place of an event that nothing here unpacks; no event looks like it."""
_LARGEST = 32 << 20
_MAGIC = b"\x28\xb5\x2f\xfd"


@cache
def readable() -> bool:
    """Tell whether packed events can be read."""
    return find_spec("zstandard") is not None


def plain(event: Any) -> bytes | str:
    """Return the text of an event, packed or not; "" for what is neither, `UNREADABLE` where it cannot be unpacked."""
    if isinstance(event, bytes) and event.startswith(_MAGIC):
        return _unpacked(event) if readable() else UNREADABLE
    return event if isinstance(event, bytes | str) else ""


def _unpacked(event: bytes) -> bytes:
    import zstandard  # noqa: PLC0415 - an extra

    try:
        return zstandard.ZstdDecompressor().decompress(event, max_output_size=_LARGEST)
    except zstandard.ZstdError:
        return b""
