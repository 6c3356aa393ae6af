"""Conversations of an OpenClaw, brought in by the command, into either chat store."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests import moulds
from tests.promises.desk import Desk

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
    if url := os.environ.get("CLAWGIT_TEST_PG_URL"):
        yield url
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
    separator = "&" if "?" in cluster else "?"
    yield f"{cluster}{separator}options={quote(f'-csearch_path={room}', safe='')}"
    with psycopg.connect(cluster, autocommit=True) as connection:
        connection.execute("SET client_min_messages = warning")
        connection.execute(f'DROP SCHEMA "{room}" CASCADE')


class Talks(Desk):
    """A workspace whose agent `main` has conversations in OpenClaw's state folder."""

    def __init__(self, root: Path, state: Path) -> None:
        super().__init__(root)
        self.agent = state / "agents/main"
        self.database = self.agent / "agent/openclaw-agent.sqlite"
        (self.agent / "sessions").mkdir(parents=True)

    def bring(self, place: Path | None = None) -> Any:
        """Import the conversations, and return the document."""
        return self.run("session", "import", str(place or self.agent))

    def told(self) -> dict[str, list[tuple[str, str]]]:
        """Return the messages, by session: the origin and the words of each."""
        messages = {}
        for session in self.run("session", "list"):
            document = self.run("show", f"{session['agent']}/{session['session']}")
            messages[session["session"]] = [(message["origin"], message["text"]) for message in document["messages"]]
        return messages


@pytest.fixture(scope="session")
def mould(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A managed workspace, made once to be copied."""
    return moulds.managed(tmp_path_factory.mktemp("mould") / "ws")


@pytest.fixture
def talks(mould: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Talks:
    """A workspace and an OpenClaw, with the store of `state.db`."""
    monkeypatch.setenv("OPENCLAW_STATE_DIR", str(tmp_path / "oc"))
    return Talks(moulds.copied(mould, tmp_path / "ws"), tmp_path / "oc")


@pytest.fixture(params=["sqlite", "postgres"])
def each_store(request: pytest.FixtureRequest, talks: Talks, monkeypatch: pytest.MonkeyPatch) -> Talks:
    """The same, once with a store of each kind."""
    if request.param == "postgres":
        monkeypatch.setenv("CLAWGIT_CHAT_URL", request.getfixturevalue("postgres_url"))
    return talks
