"""Runs the breaking of writes in processes of its own."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent

Faults = Callable[..., dict[str, Any]]


@pytest.fixture(scope="session")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library that counts and breaks the calls which change files."""
    library = tmp_path_factory.mktemp("shim") / "shim.so"
    if sys.platform != "linux":
        pytest.skip("Linux; get it: run the tests there")
    try:
        subprocess.run(
            ["cc", "-shared", "-fPIC", "-O1", "-o", str(library), str(HERE / "shim.c"), "-ldl"],
            check=True,
            capture_output=True,
        )
    except FileNotFoundError:
        pytest.skip("a C compiler; get it: apt install gcc")
    return library


@pytest.fixture
def scratch(tmp_path: Path) -> Iterator[Path]:
    """A folder for many short-lived repositories: in memory where the system offers it, which takes half the time."""
    memory = Path("/dev/shm")
    if not os.access(memory, os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=memory, prefix="clawgit-") as name:
        yield Path(name)


@pytest.fixture
def faults(scratch: Path) -> Faults:
    """Run faults.py with these arguments and return its report; `shim=` preloads the library."""

    def run(*arguments: str, shim: Path | None = None) -> dict[str, Any]:
        extra = {"LD_PRELOAD": str(shim)} if shim else {}
        done = subprocess.run(
            [sys.executable, str(HERE / "faults.py"), "--by", "calls" if shim else "steps", *arguments],
            env={**os.environ, **extra, "TMPDIR": str(scratch)},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert not done.returncode, done.stderr
        report: dict[str, Any] = json.loads(done.stdout)
        return report

    return run
