"""The scripts that git runs as hooks."""

import hashlib
import re
from pathlib import Path

from clawgit.resources import resource

NAMES = ("pre-commit", "post-commit", "pre-push")

_DIGEST = re.compile(rb"^# digest: ([0-9a-f]{16})$", re.MULTILINE)
_BLANK = b"# digest: @DIGEST@"
_MARK = b"# Written by clawgit: "


def shim(name: str, program: Path) -> bytes:
    """Return the script of hook `name`; where PATH has no clawgit, it calls `program`."""
    text = (resource("hooks") / name).read_bytes()
    text = text.replace(b"@PROGRAM@", str(program).replace("'", "'\\''").encode("utf-8", "surrogateescape"))
    return text.replace(_BLANK, b"# digest: " + _digest(text))


def ours(data: bytes) -> bool:
    """Tell whether a script came from clawgit, in whatever version."""
    return _MARK in data[:200] and _DIGEST.search(data) is not None


def untouched(data: bytes) -> bool:
    """Tell whether a script of ours is as it was written, in whatever version."""
    found = _DIGEST.search(data)
    return found is not None and found[1] == _digest(data.replace(found[0], _BLANK, 1))


def _digest(text: bytes) -> bytes:
    return hashlib.sha256(text).hexdigest()[:16].encode()
