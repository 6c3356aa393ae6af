"""A sealed home and a real repository for every test.

Nothing of the person who runs the tests may reach them: neither an identity from their
git configuration, nor variables, nor a time zone; and nothing may be written outside
temporary folders. The seal is laid while this file is imported, before any test module is.
"""

import atexit
import gc
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import HealthCheck, settings

from tests import moulds
from tests.amounts import amount


def _temporary() -> str:
    """Return the folder below which everything is made: in memory, where that is roomy and may hold programs.

    Our code calls fsync there as everywhere, but nothing waits for a disk, which half of the time would go into.
    TMPDIR names another one; what has to be shown on a disk takes the fixture `disk`.
    """
    memory = "/dev/shm"
    if "TMPDIR" not in os.environ and os.access(memory, os.W_OK):
        status = os.statvfs(memory)
        if status.f_bavail * status.f_frsize > 2 << 30 and not status.f_flag & os.ST_NOEXEC:
            return memory
    return tempfile.gettempdir()


# The processes of pytest-xdist inherit what the first one found.
DISK = os.environ.setdefault("CLAWGIT_TEST_DISK", tempfile.gettempdir())
os.environ["TMPDIR"] = tempfile.tempdir = _temporary()

HOME = Path(tempfile.mkdtemp(prefix="clawgit-home-")).resolve()
atexit.register(shutil.rmtree, HOME, ignore_errors=True)

# Refusing to guess makes a forgotten identity an error on every machine, also where git could guess.
GLOBAL_CONFIG = "[init]\n\tdefaultBranch = main\n[user]\n\tuseConfigOnly = true\n[gc]\n\tauto = 0\n"


def _seal_environment() -> None:
    for name in list(os.environ):
        ours = name.startswith("CLAWGIT_TEST_")  # says where the tests find what they need
        if (
            name.startswith(("GIT_", "XDG_", "CLAWGIT_", "OPENCLAW_", "CLAWDBOT_", "MOLTBOT_", "LC_", "PYTHON"))
            and not ours
        ):
            del os.environ[name]
    # What the tests run is started as a stranger starts it: PYTHONUNBUFFERED alone hides a class of mistakes.
    # EMAIL is git's last resort for an identity; the others change what is printed or open an editor.
    for name in ("EMAIL", "EDITOR", "VISUAL", "PAGER", "LANGUAGE", "FORCE_COLOR", "COLUMNS"):
        os.environ.pop(name, None)
    kinds = ("CONFIG", "STATE", "DATA", "CACHE")
    folders = {f"XDG_{kind}_HOME": HOME / ".xdg" / kind.lower() for kind in kinds}
    folders["XDG_RUNTIME_DIR"] = HOME / ".xdg/run"
    for folder in folders.values():
        folder.mkdir(parents=True, mode=0o700)
    (HOME / ".gitconfig").write_text(GLOBAL_CONFIG)
    os.environ.update({name: str(folder) for name, folder in folders.items()})
    os.environ.update(
        HOME=str(HOME),
        GIT_CONFIG_GLOBAL=str(HOME / ".gitconfig"),
        GIT_CONFIG_SYSTEM=os.devnull,
        GIT_CONFIG_NOSYSTEM="1",
        GIT_TERMINAL_PROMPT="0",
        GIT_EDITOR="true",
        TZ="UTC",
        LANG="C.UTF-8",
        LC_ALL="C.UTF-8",
        NO_COLOR="1",
    )
    time.tzset()


def _seal_libgit2(pygit2: ModuleType) -> None:
    """Point every level of libgit2's configuration into the sealed home.

    It reads HOME once, when it is loaded, and knows nothing of GIT_CONFIG_SYSTEM.
    """
    for level in ("SYSTEM", "XDG", "GLOBAL", "PROGRAMDATA"):
        place = HOME if level == "GLOBAL" else HOME / f".libgit2/{level.lower()}"
        pygit2.settings.search_path[getattr(pygit2.enums.ConfigLevel, level)] = str(place)


class _SealOnImport(MetaPathFinder):
    """Seals pygit2 at the moment somebody imports it: tests of pure text never pay for it."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(fullname, path, target) if fullname == "pygit2" else None
        if spec is None or spec.loader is None:
            return None
        execute = spec.loader.exec_module

        def execute_and_seal(module: ModuleType) -> None:
            execute(module)
            _seal_libgit2(module)

        spec.loader.exec_module = execute_and_seal  # type: ignore[method-assign]
        return spec


_seal_environment()
if "pygit2" in sys.modules:
    _seal_libgit2(sys.modules["pygit2"])
else:
    sys.meta_path.insert(0, _SealOnImport())

# A shell has its background jobs ignore interrupts, and every child would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

# How long an example takes says how busy the machine is, nothing of what is promised.
#
# The examples are the same each time; long runs have more of them, and look for new ones.
settings.register_profile(
    "patient",
    deadline=None,
    max_examples=amount(100, 40),
    derandomize=not os.environ.get("CLAWGIT_TEST_LONG"),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("patient")


SLOW = (
    "cli/test_capture.py",
    "cli/test_damage.py",
    "cli/test_fixes.py",
    "cli/test_foreign_state.py",
    "cli/test_large_sidecar.py",
    "cli/test_odd_clocks.py",
    "cli/test_pager.py",
    "cli/test_planted_secrets.py",
    "cli/test_purge_command.py",
    "cli/test_purge_reach.py",
    "cli/test_schedule.py",
    "cli/test_session_life.py",
    "cli/test_state.py",
    "cli/test_streams.py",
    "cli/test_sync.py",
    "cli/test_without_terminal.py",
    "mcp/test_process.py",
    "connect/openclaw/test_plugin.py",
    "connect/openclaw/test_voice.py",
    "promises/test_a_kill_loses_nothing.py",
    "promises/test_beside_git_and_an_editor.py",
    "promises/test_names_and_places.py",
    "promises/test_too_much_for_a_process.py",
    "promises/test_unusual_disks.py",
    "schedule/test_slot_claims.py",
    "stories",
    "sync",
    "test_packages.py",
    "web/test_hostile_text.py",
    "web/test_page_server.py",
    "web/test_pages.py",
)
"""The longest test files: `make slow` runs these, `make test` the others, `make check` both."""


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark the slow tests."""
    place = item.path.relative_to(Path(__file__).parent).as_posix()
    if f"{place}/".startswith(tuple(f"{path}/" for path in SLOW)):
        item.add_marker("slow")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors: many tests wait, for a quiet moment or for a process."""
    return (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1) + 1


# What is collected stays: to look through it for garbage again and again takes a fifth of the collection.
gc.disable()


def pytest_collection_finish() -> None:
    """Look for garbage from here on, among the objects of the tests themselves."""
    gc.freeze()
    gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with those that take longest, so that at the end nobody waits for the last of them.

    The first to work is handed the first part of the list, and the others take from the end of what is left to it.
    """
    stories = Path(__file__).parent / "stories"
    items.sort(key=lambda item: (item.get_closest_marker("race") is None, stories not in item.path.parents))


@pytest.fixture
def home() -> Path:
    """The sealed home: HOME for us, for git and for libgit2."""
    return HOME


@pytest.fixture
def disk() -> Iterator[Path]:
    """A folder on a disk, since `tmp_path` may be one in memory."""
    with tempfile.TemporaryDirectory(dir=DISK, prefix="clawgit-disk-") as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
def repository_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository that `repo` is a copy of."""
    folder = tmp_path_factory.mktemp("mould") / "repo"
    run_git(folder.parent, "init", "--quiet", str(folder))
    with (folder / ".git/config").open("a") as config:
        config.write(moulds.IDENTITY)
    (folder / "first.md").write_text("first\n")
    run_git(folder, "add", "first.md")
    run_git(folder, "commit", "--quiet", "-m", "first")
    return folder


@pytest.fixture
def repo(repository_template: Path, tmp_path: Path) -> Path:
    """A real repository: branch main, an identity, one commit that holds `first.md`."""
    return moulds.copied(repository_template, tmp_path / "repo")


@pytest.fixture
def git(repo: Path) -> Callable[..., str]:
    """Run the real git in `repo`: `git("log", "-1")` returns its stdout, untouched.

    `cwd=` runs it elsewhere, `stdin=` feeds it; a failing git fails the test with its own words.
    """

    def run(*arguments: str | Path, cwd: Path = repo, stdin: str | None = None) -> str:
        return run_git(cwd, *arguments, stdin=stdin)

    return run


def run_git(folder: Path, *arguments: str | Path, stdin: str | None = None) -> str:
    result = subprocess.run(
        ["git", *map(str, arguments)],
        cwd=folder,
        input=stdin or "",
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if result.returncode:
        command = " ".join(map(str, arguments))
        pytest.fail(f"git {command} in {folder}: exit {result.returncode}\n{result.stderr}{result.stdout}")
    return result.stdout


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Group what was skipped by its reason, with the way to get what was missing.

    A test that needs something skips with `"a PostgreSQL server; get it: apt install postgresql"`.
    """
    parts: defaultdict[str, set[str]] = defaultdict(set)
    for report in terminalreporter.stats.get("skipped", []):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        parts[re.sub(r"^Skipped: ", "", reason)].add(report.nodeid)
    if not parts:
        return
    terminalreporter.section("not tested here")
    for reason, tests in sorted(parts.items()):
        missing, _, way = reason.partition("; get it: ")
        terminalreporter.write_line(f"{len(tests)} for want of {missing}")
        terminalreporter.write_line(f"   get it: {way or 'no way is given; ' + min(tests)}")
