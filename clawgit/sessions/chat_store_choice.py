"""Opens the chat store that is meant."""

from collections.abc import Mapping
from pathlib import Path

from clawgit.errors import Command, address_invalid
from clawgit.sessions.chat_store import ChatStore
from clawgit.store.database import StateStore

VARIABLE = "CLAWGIT_CHAT_URL"


def opened(store: StateStore, environ: Mapping[str, str], *, reading: bool = False) -> ChatStore:
    """Open the store that `CLAWGIT_CHAT_URL` names, else the one in `state.db`.

    `reading` makes no file where there is none. The address comes from the environment alone, since it may hold a
    password. Raises ClawgitError.
    """
    url = environ.get(VARIABLE, "").strip()
    scheme, _, rest = url.partition("://")
    if scheme in ("postgresql", "postgres"):
        from clawgit.sessions import chat_databases  # noqa: PLC0415 - few have it

        return chat_databases.opened_postgres(url)
    from clawgit.sessions import chat_databases  # noqa: PLC0415 - loads sqlite3

    if url and scheme != "sqlite":
        raise address_invalid(f"{VARIABLE} is no postgresql:// or sqlite:// URL", fix=Command(f"unset {VARIABLE}"))
    if url:
        place = Path(f"/{rest.lstrip('/')}")
        return chat_databases.opened_sqlite(None if reading and not place.exists() else place)
    return chat_databases.opened_sqlite(None if reading and not store.has_table("chat_message") else store.prepare())
