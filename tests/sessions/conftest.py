"""Chat stores to try promises on: a file, and a real PostgreSQL."""

import os
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from clawgit.sessions import chat_store

from .postgres import programs, throwaway

NEEDS = "a PostgreSQL server; get it: apt-get install postgresql, or set CLAWGIT_TEST_PG_URL"
DRIVER = "psycopg; get it: pip install 'clawgit[postgres]'"


@pytest.fixture(scope="session")
def cluster() -> Iterator[str]:
    """The address of a PostgreSQL that is there for these tests alone, or of the one that is named."""
    missing = pytest.fail if os.environ.get("CI") else pytest.skip
    try:
        import psycopg  # noqa: F401, PLC0415
    except ImportError:
        missing(DRIVER)
    if named := os.environ.get("CLAWGIT_TEST_PG_URL"):
        yield named
        return
    place = programs()
    if place is None:
        missing(NEEDS)
    with throwaway(place) as address:
        yield address


@pytest.fixture
def postgres_url(cluster: str) -> Iterator[str]:
    """The address of an empty room in it."""
    import psycopg  # noqa: PLC0415

    room = f"clawgit_test_{os.urandom(6).hex()}"
    with psycopg.connect(cluster, autocommit=True) as connection:
        connection.execute(f'CREATE SCHEMA "{room}"')
    joined = "&" if "?" in cluster else "?"
    yield f"{cluster}{joined}options={quote(f'-csearch_path={room}', safe='')}"
    with psycopg.connect(cluster, autocommit=True) as connection:
        connection.execute("SET client_min_messages = warning")
        connection.execute(f'DROP SCHEMA "{room}" CASCADE')


@pytest.fixture(params=["sqlite", "postgres"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a chat store may be kept."""
    if request.param == "sqlite":
        return f"sqlite://{tmp_path / 'chat.db'}"
    return request.getfixturevalue("postgres_url")


@pytest.fixture
def reopen(store_url: str, tmp_path: Path):
    """Open the same store again."""
    return lambda: chat_store.open_chat_store(tmp_path, {chat_store.VARIABLE: store_url})


@pytest.fixture
def store(reopen):
    """An empty chat store of either kind."""
    with reopen() as opened:
        yield opened


@pytest.fixture
def chats(tmp_path: Path):
    """An empty chat store in a file."""
    with chat_store.open_sqlite(tmp_path / "chats.db") as opened:
        yield opened
