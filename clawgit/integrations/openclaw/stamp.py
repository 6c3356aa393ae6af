"""Marks files that clawgit writes, and recognises them."""

import hashlib
import re

_MARK = b"Written by clawgit: "
_BLANK = b"@DIGEST@"
_DIGEST = re.compile(rb'digest"?: "?([0-9a-f]{16})(?![0-9a-f])')


def stamped(template: bytes) -> bytes:
    """Return a template with its own digest in the place that it keeps for one."""
    return template.replace(_BLANK, _digest(template))


def ours(data: bytes) -> bool:
    """Tell whether a file came from clawgit, in whatever version."""
    return _MARK in data and _DIGEST.search(data) is not None


def untouched(data: bytes) -> bool:
    """Tell whether a file of ours is as it was written, in whatever version."""
    found = _DIGEST.search(data)
    return found is not None and found[1] == _digest(data.replace(found[1], _BLANK, 1))


def _digest(template: bytes) -> bytes:
    return hashlib.sha256(template).hexdigest()[:16].encode()
