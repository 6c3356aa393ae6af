"""The hooks that OpenClaw installed itself."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clawgit.workspace.host import database as host_database
from clawgit.workspace.host.config import HostConfig

if TYPE_CHECKING:
    from sqlite3 import Connection

_KEY = "hooks.internal.installs"


def installed_hooks(config: HostConfig, database: Path) -> tuple[str, ...]:
    """Return the names of the hooks that came by `openclaw plugins install`.

    Older versions keep them in the configuration, younger ones in the state database. A database that cannot be asked
    names none; never raises.
    """
    return tuple(sorted({*_names(config.table("hooks", "internal", "installs")), *_names(_kept(database))}))


def _kept(database: Path) -> Any:
    if not os.path.lexists(database):
        return None
    import json  # noqa: PLC0415 - only where there is a database

    try:
        return json.loads(host_database.ask(database, _asked) or "null")
    except (host_database.UnreadableError, ValueError, TypeError, RecursionError):
        return None


def _asked(connection: "Connection") -> Any:
    query = "SELECT value_json FROM config_machine_state WHERE state_key = ?"
    row = connection.execute(query, (_KEY,)).fetchone()
    return row[0] if row else None


def _names(installs: Any) -> Iterator[str]:
    for one in installs.values() if isinstance(installs, Mapping) else ():
        hooks = one.get("hooks") if isinstance(one, Mapping) else None
        yield from (name.strip() for name in hooks if isinstance(name, str)) if isinstance(hooks, list) else ()
