"""A real OpenClaw for the stories: `make live` gives its folder in CLAWGIT_TEST_LIVE."""

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
import installation
from openclaw import OpenClaw

INSTALLED = [Path(folder) for folder in os.environ.get("CLAWGIT_TEST_LIVE", "").split(":") if folder]
HERE = Path(__file__).parent
OWN = tuple(
    f"test_{name}.py" for name in ["doctor", "gateway", "install", "neighbours", "night", "stopping", "upgrade"]
)
"""Stories that need a gateway of their own, and about half of the time of all."""
FACTS = 300
HOOKS = {"hooks": {"internal": {"enabled": True}}}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Tell a story in the newest OpenClaw, unless it names others."""
    has_marker = any("installed" in mark.args[0] for mark in metafunc.definition.iter_markers("parametrize"))
    if "installed" in metafunc.fixturenames and not has_marker:
        metafunc.parametrize("installed", [installation.OPENCLAW], indirect=True, scope="session")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if not INSTALLED and item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.skip(reason="a real OpenClaw; get it: make live"))


class ByGateway(LoadScopeScheduling):
    """Gives all stories that share a gateway to one process."""

    def _split_scope(self, nodeid: str) -> str:
        own = nodeid.split("::", maxsplit=1)[0].endswith(OWN)
        older = f"[{installation.OLDER}" in nodeid
        return f"{'its own' if own else 'shared'}{', older' * older}"


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByGateway:
    return ByGateway(config, log)


@pytest.fixture(scope="session")
def installed(request: pytest.FixtureRequest) -> Path:
    return place(request.param)


@pytest.fixture(scope="session")
def newest() -> Path:
    """The folder of the newest OpenClaw: for a story that begins in an older one."""
    return place(installation.OPENCLAW)


def place(version: str) -> Path:
    folder = next((folder for folder in INSTALLED if folder.name.startswith(f"openclaw-{version}-on-")), None)
    return folder or pytest.skip(f"OpenClaw {version} is not there; get it: make live VERSIONS=--older")


@pytest.fixture(scope="session")
def older_version() -> None:
    """Leave a long story to the runs with every version."""
    place(installation.OLDER)


def lasting(installed: Path, folder: Path) -> Iterator[OpenClaw]:
    """An OpenClaw that is set up and lasts; its processes have to end with its gateway."""
    openclaw = OpenClaw(installed, folder)
    left = {}
    try:
        openclaw.onboard()
        yield openclaw
    finally:
        left = openclaw.close()
    assert left == {}, "these did not end with the gateway"


@pytest.fixture(scope="session")
def onboarded(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenClaw]:
    yield from lasting(installed, tmp_path_factory.mktemp("live"))


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
def openclaw(installed: Path, alone: OpenClaw, hooks: int) -> Iterator[OpenClaw]:
    """An OpenClaw just set up, with nothing of clawgit in it; the gateway does not run yet."""
    yield from set_up(installed, alone)


@pytest.fixture(scope="module")
def fresh_openclaw(installed: Path, alone: OpenClaw, hooks: int) -> Iterator[OpenClaw]:
    """The same, for all stories of a file."""
    yield from set_up(installed, alone)


def set_up(installed: Path, alone: OpenClaw) -> Iterator[OpenClaw]:
    alone.stop()
    alone.use(installed)
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
def running(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenClaw]:
    """An OpenClaw that clawgit is connected with, and that runs: for stories that do not get into each other's way.

    It remembers that the staging server is called heron, and of 300 rooms what is in them.
    """
    for openclaw in lasting(installed, tmp_path_factory.mktemp("connected")):
        config = json.loads(openclaw.config.read_text())
        # The scripted model's summaries are no good ones.
        config["agents"]["defaults"]["compaction"] = {"qualityGuard": {"enabled": False}}
        openclaw.config.write_text(json.dumps(config, indent=2))
        openclaw.connect()
        openclaw.be_patient()
        rooms = openclaw.workspace / "memory/rooms.md"
        rooms.parent.mkdir(exist_ok=True)
        things = ("oscilloscope", "invoice printer", "laminator", "espresso machine", "plotter")
        lines = [f"- Room {room} holds the {things[room % 5]} of floor {room // 5}.\n" for room in range(FACTS)]
        # Not in MEMORY.md, which OpenClaw shows by itself.
        rooms.with_name("servers.md").write_text("# Servers\n\n- The staging server is called heron.\n")
        rooms.write_text("# Rooms\n\n" + "".join(lines))
        openclaw.clawgit("capture")
        openclaw.start()
        openclaw.say("Hello.")
        yield openclaw
