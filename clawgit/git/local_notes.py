"""Notes on a working tree, in one small file."""

from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from clawgit.git import ownership, regular_file
from clawgit.git.repository import Repository

NAME, INDEX, LEAVING = "notes.json", "index", "leaving"
T = TypeVar("T")


def read_local_note(repo: Repository, name: str, schema: type[T]) -> T | None:
    """Return a note; None without one that fits the schema."""
    notes = regular_file.parse_state(repo.room / NAME, dict[str, Any]) or {}
    with suppress(msgspec.MsgspecError):
        return msgspec.convert(notes[name], schema) if name in notes else None
    return None


def has_written(folder: Path) -> bool:
    """Return whether a write of clawgit's went through the folder of its state: it leaves a mark of git's index."""
    return INDEX in (regular_file.parse_state(folder / NAME, dict[str, Any]) or {})


def save_local_note(repo: Repository, name: str, value: object) -> None:
    """Keep a note in place of the last one of that name. Raises OSError."""
    place = repo.room / NAME
    ownership.make_folders(place.parent)
    with regular_file.locked_folder(place.parent):
        notes = regular_file.parse_state(place, dict[str, Any]) or {}
        regular_file.save_state(place, {**notes, name: value})
