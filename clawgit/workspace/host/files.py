"""Reads files that belong to OpenClaw."""

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

LARGEST = 2 << 20


def read(place: Path, limit: int = LARGEST) -> str:
    """Return the text of a regular file, without its BOM; bytes that are no UTF-8 are replaced.

    Follows links, waits for nothing. Raises OSError, also for what is no file or has more than `limit` bytes.
    """
    return data(place, limit).decode("utf-8-sig", "replace")


def data(place: Path, limit: int) -> bytes:
    """Return the bytes of a regular file. Raises as `read` does."""
    with _opened(place) as file:
        size = os.fstat(file.fileno()).st_size
        if size > limit:
            raise OSError(errno.EFBIG, f"has {size:,} bytes, where {limit:,} are bearable", str(place))
        return file.read(limit)


def head(place: Path, count: int) -> bytes:
    """Return the first `count` bytes of a regular file, however large. Raises OSError."""
    with _opened(place) as file:
        return file.read(count)


def _opened(place: Path) -> BinaryIO:
    handle = os.open(place, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    if stat.S_ISREG(os.fstat(handle).st_mode):
        return os.fdopen(handle, "rb")
    os.close(handle)
    raise OSError(errno.EINVAL, "is not a regular file", str(place))


def why(exc: OSError) -> str:
    """Return what is wrong with a file, as the second half of a sentence."""
    if exc.errno in (errno.EINVAL, errno.EFBIG):
        return str(exc.strerror)
    return f"cannot be read: {exc.strerror}"


def there(place: Path) -> bool:
    """Tell whether something stands at `place`; what nobody may look at does not."""
    try:
        return place.exists()
    except (OSError, ValueError):
        return False
