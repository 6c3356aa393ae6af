"""Keeps what ran when, in the operator's state folder."""

import contextlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import to_builtins

from clawgit.errors import ClawgitError, quoted
from clawgit.schedule.due import Kept, Last

FILE = "schedule.json"
_PRIVATE = 0o700


def load(folder: Path) -> dict[str, Kept]:
    """Return what is kept of each job. Of a damaged file nothing counts, and each job is new: that starts none."""
    try:
        jobs = json.loads((folder / FILE).read_bytes())["jobs"]
        return {str(name): _kept(one) for name, one in jobs.items()}
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return {}


def save(folder: Path, jobs: Mapping[str, Kept]) -> None:
    """Keep it. Raises ClawgitError: whoever cannot note what ran must not run it."""
    fresh = folder / f"{FILE}.{os.getpid()}"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=_PRIVATE)
        fresh.write_text(json.dumps({"jobs": {name: to_builtins(one) for name, one in sorted(jobs.items())}}), "utf-8")
        fresh.replace(folder / FILE)
    except OSError as exc:
        with contextlib.suppress(OSError):
            fresh.unlink()
        raise ClawgitError(
            f"what ran cannot be noted: {exc.filename or fresh}: {exc.strerror}",
            fix=f"mkdir -p {quoted(folder)} && ls -ld {quoted(folder)}",
        ) from exc


def _kept(known: Mapping[str, Any]) -> Kept:
    last = known.get("last")
    numbers = {name: float(known[name]) for name in ("since", "looked", "ran", "tried", "retry")}
    return Kept(
        **numbers,
        done=tuple(map(str, known["done"])),
        attempts=int(known["attempts"]),
        stamp=str(known["stamp"]),
        last=Last(**last) if last else None,
    )
