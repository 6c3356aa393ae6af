"""Keeps what was put into OpenClaw's configuration, outside the workspace."""

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from msgspec import Struct, to_builtins

from clawgit.errors import ClawgitError, quoted
from clawgit.integrations.openclaw.insertion import Slip
from clawgit.workspace.workspace import Workspace

Keys = tuple[str, ...]


class Put(Struct, frozen=True):
    """A value that was put at `keys`; the first `made` of these keys led somewhere before."""

    keys: Keys
    value: Any
    made: int


class Record(Struct, frozen=True):
    """What was put into the configuration at `place`, and where: `digest` is that of the bytes it had afterwards.

    `folders` were made for the plugin, the hook and the skill; `way` is the one that the operator asked for, if any.
    """

    place: str = ""
    digest: str = ""
    slips: tuple[Slip, ...] = ()
    puts: tuple[Put, ...] = ()
    folders: tuple[str, ...] = ()
    way: str = ""


def file(workspace: Workspace) -> Path:
    """Return where the record of a workspace lies."""
    return workspace.trusted.folder / "openclaw.json"


def load(workspace: Workspace) -> Record:
    """Return the record, an empty one where there is none. Raises ClawgitError for a damaged one."""
    place = file(workspace)
    try:
        return _record(json.loads(place.read_bytes()))
    except FileNotFoundError:
        return Record()
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as exc:
        raise ClawgitError(f"{place} cannot be read: {exc}", fix=f"rm {quoted(place)}") from exc


def dumped(record: Record) -> bytes:
    """Return a record as its file holds it."""
    return (json.dumps(to_builtins(record), ensure_ascii=False, indent=1) + "\n").encode("utf-8", "surrogateescape")


def digest(data: bytes) -> str:
    """Return the digest by which a record knows a configuration."""
    return sha256(data).hexdigest()


def _record(known: Mapping[str, Any]) -> Record:
    slips = tuple(Slip(int(one["at"]), str(one["text"])) for one in known["slips"])
    puts = tuple(Put(tuple(map(str, one["keys"])), one["value"], int(one["made"])) for one in known["puts"])
    return Record(
        str(known["place"]),
        str(known["digest"]),
        slips,
        puts,
        tuple(map(str, known["folders"])),
        str(known.get("way", "")),
    )
