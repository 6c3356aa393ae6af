"""Where a workspace's approvals lie."""

import os
from collections.abc import Mapping
from pathlib import Path


def folder(commondir: Path, environ: Mapping[str, str]) -> Path:
    """Return the folder of one workspace below `$XDG_STATE_HOME/clawgit`."""
    import hashlib  # noqa: PLC0415 - 3 ms that most commands need not pay

    place = commondir.resolve()
    name = (place.parent if place.name == ".git" else place).name
    home = environ.get("XDG_STATE_HOME") or str(Path(environ.get("HOME") or Path.home()) / ".local" / "state")
    return Path(home) / "clawgit" / f"{name}-{hashlib.sha256(os.fsencode(place)).hexdigest()[:12]}"


def file(commondir: Path, environ: Mapping[str, str]) -> Path:
    """Return the file that holds them all."""
    return folder(commondir, environ) / "trust.json"
