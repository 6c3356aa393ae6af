"""Files of batches that wait, for their owner alone."""

import json
import os
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

FOLDER = "batches"
_DONE = "done.jsonl"
_KEPT = 500
_ID = 16


def save(state: Path, name: str, document: Mapping[str, Any]) -> None:
    """Keep a document under the id `name`, in place of what was kept there. Raises OSError."""
    place = _place(state, name)
    _write(place, json.dumps(document, ensure_ascii=False).encode("utf-8", "replace"))


def write_private(place: Path, data: bytes) -> None:
    """Write a file that its owner alone can read, whole or not at all. Raises OSError."""
    _write(place, data)


def load(state: Path, name: str) -> dict[str, Any] | None:
    """Return what is kept under an id; None where that is nothing, or cannot be read."""
    try:
        found = json.loads(_place(state, name).read_bytes())
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def every(state: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what is kept, by id, the oldest first."""
    places = [place for place in (state / FOLDER).glob("*.json") if place.is_file()]
    for place in sorted(places, key=lambda one: (one.stat().st_mtime_ns, one.name)):
        if (found := load(state, place.stem)) is not None:
            yield place.stem, found


def done(state: Path, name: str, told: Mapping[str, Any]) -> None:
    """Take a document away, and note that it is done with; the last few hundred notes are kept. Raises OSError."""
    kept = [*notes(state), {"id": name, **told}][-_KEPT:]
    lines = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in kept)
    _write(state / FOLDER / _DONE, lines.encode("utf-8", "replace"))
    drop(state, name)


def was_done(state: Path, name: str) -> dict[str, Any] | None:
    """Return the note on a document that is done with, None for one that never was."""
    return next((one for one in reversed(notes(state)) if one.get("id") == name), None)


def drop(state: Path, name: str) -> None:
    """Take a document away. Raises OSError."""
    _place(state, name).unlink(missing_ok=True)


def forget(state: Path, sessions: Collection[str]) -> None:
    """Take away the documents that hold words of these sessions. Raises OSError."""
    if sessions:
        for name, found in list(every(state)):
            turns = found.get("batch", {}).get("turns", ()) if isinstance(found.get("batch"), dict) else ()
            if any(isinstance(one, dict) and one.get("session") in sessions for one in turns):
                drop(state, name)


def notes(state: Path) -> list[dict[str, Any]]:
    """Return the notes on documents that are done with, the oldest first."""
    try:
        rows = (state / FOLDER / _DONE).read_text("utf-8").splitlines()
    except (OSError, ValueError):
        return []
    found: list[dict[str, Any]] = []
    for row in rows:
        try:
            one = json.loads(row)
        except ValueError:
            continue
        found += [one] if isinstance(one, dict) else []
    return found


def _place(state: Path, name: str) -> Path:
    if not name.isalnum() or len(name) > _ID:
        raise ValueError(f"{name!r} names no batch")
    return state / FOLDER / f"{name}.json"


def _write(place: Path, data: bytes) -> None:
    place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = place.with_name(f".{place.name}.{os.getpid()}")
    fresh.unlink(missing_ok=True)
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(place)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
