"""Workspaces to be run, with a state folder and an OpenClaw of their own."""

from pathlib import Path

import pytest

from tests.moulds import skip_fsync  # noqa: F401 - for all tests of this folder
from tests.promises.conftest import adopted, desk  # noqa: F401 - an adopted workspace
from tests.sessions.conftest import cluster, postgres_url  # noqa: F401 - a real PostgreSQL
from tests.sync.conftest import mould  # noqa: F401 - a managed workspace


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the records of runs, and OpenClaw's, in folders of one test."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("OPENCLAW_STATE_DIR", str(tmp_path / "oc"))
