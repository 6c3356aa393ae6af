"""Opens the chat store that is meant."""

from collections.abc import Mapping
from pathlib import Path

from clawgit.errors import Command, address_invalid, file_unreadable
from clawgit.safety.private import make_private
from clawgit.sessions.chat_store import ChatStore, prepare
from clawgit.store.database import StateStore

VARIABLE = "CLAWGIT_CHAT_URL"
_LOCK = "SELECT pg_advisory_xact_lock(203056663)"  # so that two who come first do not both make the tables


def opened(store: StateStore, environ: Mapping[str, str], *, reading: bool = False) -> ChatStore:
    """Open the store that `CLAWGIT_CHAT_URL` names, else the one in `state.db`.

    `reading` makes no file where there is none. The address comes from the environment alone, since it may hold a
    password: no error has it in it. Raises ClawgitError.
    """
    url = environ.get(VARIABLE, "").strip()
    scheme, _, rest = url.partition("://")
    if scheme in ("postgresql", "postgres"):
        from clawgit.sessions.chat_databases import Postgres  # noqa: PLC0415 - few have it

        return prepare(Postgres(url), "the chat store", _LOCK)
    if url and scheme != "sqlite":
        raise address_invalid(f"{VARIABLE} is no postgresql:// or sqlite:// URL", fix=Command(f"unset {VARIABLE}"))
    if url:
        place = Path(f"/{rest.lstrip('/')}")
        return opened_sqlite(None if reading and not place.exists() else place)
    return opened_sqlite(None if reading and not store.has_table("chat_message") else store.prepare())


def opened_sqlite(place: Path | None) -> ChatStore:
    """Open the store at `place`, making it where there is none; None is an empty one that is kept nowhere.

    Raises ClawgitError for a file that is no store.
    """
    from clawgit.sessions.chat_databases import Sqlite  # noqa: PLC0415 - loads sqlite3

    if place is not None:
        try:
            make_private(place)
        except OSError as exc:
            raise file_unreadable(f"{place}: {exc.strerror}", fix=Command("ls -ld {}", place.parent)) from exc
    return prepare(Sqlite(place), str(place))
