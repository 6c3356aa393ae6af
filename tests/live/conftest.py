"""A real OpenClaw for the stories: `make live`, which says in CLAWGIT_TEST_LIVE where it is installed."""

import json
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

sys.path.insert(0, str(Path(__file__).parent))
from openclaw import OpenClaw

INSTALLED = os.environ.get("CLAWGIT_TEST_LIVE", "")
HERE = Path(__file__).parent
OWN = ("test_gateway.py", "test_install.py")
FACTS = 300
HOOKS = {"hooks": {"internal": {"enabled": True}}}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if not INSTALLED and item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.skip(reason="a real OpenClaw; get it: make live"))


class ByGateway(LoadScopeScheduling):
    """Gives all stories that share a gateway to one process."""

    def _split_scope(self, nodeid: str) -> str:
        return "its own" if nodeid.split("::", maxsplit=1)[0].endswith(OWN) else "shared"


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByGateway:
    return ByGateway(config, log)


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


@pytest.fixture(scope="session")
def alone(onboarded: OpenClaw) -> OpenClaw:
    """An OpenClaw without clawgit that runs; it is switched to load every hook that it knows."""
    config = json.loads(onboarded.config.read_text())
    onboarded.config.write_text(json.dumps(config | HOOKS, indent=2))
    shutil.copytree(onboarded.home, onboarded.folder / "onboarded", symlinks=True)
    onboarded.start()
    return onboarded


@pytest.fixture(scope="session")
def hooks(alone: OpenClaw) -> int:
    """How many handlers of hooks OpenClaw loads without clawgit."""
    return alone.handlers()


@pytest.fixture
def openclaw(alone: OpenClaw, hooks: int) -> Iterator[OpenClaw]:
    """An OpenClaw just set up, with nothing of clawgit in it; the gateway does not run yet."""
    alone.stop()
    alone.reset()
    yield alone
    alone.stop()
    print(alone.log.read_text("utf-8", "replace")[-4000:])  # shown where a story fails


@pytest.fixture
def connected(running: OpenClaw) -> OpenClaw:
    """The OpenClaw that stories share; one that a story left without its gateway is started again."""
    if running.broken:
        running.breaks("well")
    if running.process is None:
        running.start()
    running.model.answers()
    return running


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenClaw]:
    """An OpenClaw that clawgit is connected with, and that runs: for stories that do not get into each other's way.

    It remembers that the staging server is called heron, and of 300 rooms what is in them.
    """
    for found in lasting(tmp_path_factory.mktemp("connected")):
        config = json.loads(found.config.read_text())
        # The scripted model's summaries are no good ones.
        config["agents"]["defaults"]["compaction"] = {"qualityGuard": {"enabled": False}}
        found.config.write_text(json.dumps(config, indent=2))
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
