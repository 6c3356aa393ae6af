"""A real OpenClaw for the stories: `make live`, which says in CLAWGIT_TEST_LIVE where it is installed."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from openclaw import OpenClaw

INSTALLED = os.environ.get("CLAWGIT_TEST_LIVE", "")
HERE = Path(__file__).parent
FACTS = 300


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if not INSTALLED and item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.skip(reason="a real OpenClaw; get it: make live"))


def lasting(folder: Path) -> Iterator[OpenClaw]:
    """An OpenClaw that is set up and lasts; what it started has to end with its gateway."""
    found = OpenClaw(Path(INSTALLED), folder)
    left = {}
    try:
        found.onboard()
        yield found
    finally:
        left = found.close()
    assert left == {}, "these did not end with the gateway"


@pytest.fixture(scope="session")
def onboarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenClaw]:
    yield from lasting(tmp_path_factory.mktemp("live"))


@pytest.fixture
def openclaw(onboarded: OpenClaw) -> Iterator[OpenClaw]:
    """An OpenClaw just set up, with nothing of clawgit in it; the gateway does not run yet."""
    onboarded.reset()
    yield onboarded
    onboarded.stop()
    print(onboarded.log.read_text("utf-8", "replace")[-4000:])  # shown where a story fails


@pytest.fixture(scope="session")
def connected(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenClaw]:
    """An OpenClaw that clawgit is connected with, and that runs: for stories that do not get into each other's way.

    It remembers that the staging server is called heron, and of 300 rooms what is in them.
    """
    for found in lasting(tmp_path_factory.mktemp("connected")):
        found.connect()
        found.be_patient()
        rooms = found.workspace / "memory/rooms.md"
        rooms.parent.mkdir(exist_ok=True)
        things = ("oscilloscope", "invoice printer", "laminator", "espresso machine", "plotter")
        lines = [f"- Room {room} holds the {things[room % 5]} of floor {room // 5}.\n" for room in range(FACTS)]
        # Not in MEMORY.md, which OpenClaw shows by itself.
        rooms.with_name("servers.md").write_text("# Servers\n\n- The staging server is called heron.\n")
        rooms.write_text("# Rooms\n\n" + "".join(lines))
        found.clawgit("capture")
        found.start()
        found.say("Hello.")
        yield found
