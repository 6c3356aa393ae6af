"""Makes files that only their owner may read."""

import contextlib
import os
import tempfile
from pathlib import Path

from clawgit.git.regular_file import make_folder


def make_private(place: Path) -> None:
    """Make an empty file with mode 0600, and its folders, unless something stands there. Raises OSError.

    A file that stands there is not opened: closing it would drop every lock that this process holds on it, and SQLite
    counts on its locks (sqlite.org/howtocorrupt.html, 2.2).
    """
    make_folder(place.parent)
    if os.path.lexists(place):
        return
    handle, made = tempfile.mkstemp(dir=place.parent, prefix=f".{place.name}.")
    os.close(handle)
    try:
        with contextlib.suppress(FileExistsError):
            os.link(made, place)
    finally:
        Path(made).unlink()
