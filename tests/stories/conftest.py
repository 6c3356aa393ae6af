"""Runs the breaking of writes in processes of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from .breaking import build
from .night import Night, open_night

HERE = Path(__file__).resolve().parent

Faults = Callable[..., dict[str, Any]]


@pytest.fixture(scope="session")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library that counts and breaks the calls which change files."""
    if sys.platform != "linux":
        pytest.skip("Linux; get it: run the tests there")
    try:
        return build(tmp_path_factory.mktemp("shim"))
    except FileNotFoundError:
        pytest.skip("a C compiler; get it: apt install gcc libc6-dev")


@pytest.fixture
def faults(tmp_path: Path, shim: Path) -> Faults:
    """Run faults.py with these arguments below the library, and return its report."""

    def run(*arguments: str) -> dict[str, Any]:
        result = subprocess.run(
            [sys.executable, str(HERE / "faults.py"), *arguments],
            env={**os.environ, "LD_PRELOAD": str(shim), "TMPDIR": str(tmp_path)},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert not result.returncode, result.stderr
        report: dict[str, Any] = json.loads(result.stdout)
        return report

    return run


@pytest.fixture
def night(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Night]:
    """A workspace with agents that read with a model, unless the module has `HAS_MODEL = False`."""
    with open_night(tmp_path, monkeypatch, has_model=getattr(request.module, "HAS_MODEL", True)) as night:
        yield night
