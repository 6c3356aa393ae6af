"""Files that clawgit writes for other programs."""

import hashlib
import os
import re
from collections.abc import Collection
from pathlib import Path
from typing import Literal

State = Literal["installed", "missing", "outdated", "edited", "foreign"]
_MARK = b"Written by clawgit: "
_BLANK = b"@DIGEST@"
_DIGEST = re.compile(rb'digest"?: "?([0-9a-f]{16})(?![0-9a-f])')


def stamp_template(template: bytes) -> bytes:
    """Return a template with its own digest in the place that it keeps for one."""
    return template.replace(_BLANK, _digest_template(template))


def is_ours(data: bytes) -> bool:
    """Return whether a file came from clawgit, in any version."""
    return _MARK in data and _DIGEST.search(data) is not None


def is_untouched(data: bytes) -> bool:
    """Return whether a file of ours is as it was written, in any version."""
    digest = _DIGEST.search(data)
    return digest is not None and digest[1] == _digest_template(data.replace(digest[1], _BLANK, 1))


def _digest_template(template: bytes) -> bytes:
    return hashlib.sha256(template).hexdigest()[:16].encode()


def read_data(place: Path) -> bytes | None:
    """Return the bytes of a file, None for none; other kinds than regular files are not read."""
    if not os.path.lexists(place):
        return None
    # Empty bytes have no mark of ours, so a folder or a link counts as foreign.
    return place.read_bytes() if place.is_file() and not place.is_symlink() else b""


def tell_state(files: Collection[bytes], *, current: bool) -> State:
    """Return the state of files that were read; `current` ones are those that would be written now.

    `outdated`: ours, from another version or with other places in them; `edited`: ours, with words of somebody's in
    them; `foreign`: somebody's own.
    """
    if not files:
        return "missing"
    if not all(map(is_ours, files)):
        return "foreign"
    if not all(map(is_untouched, files)):
        return "edited"
    return "installed" if current else "outdated"
