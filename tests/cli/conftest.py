"""Workspaces to try commands on, and ways to call them."""

import io
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests import moulds

SOUL = """# Soul

## Core Truths

- Have a view.
- Look before asking.

## Vibe

- Calm and plain.
"""


@dataclass(frozen=True)
class Answer:
    """The result of a call of the command line."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one document on stdout."""
        return json.loads(self.out)


@pytest.fixture(scope="session")
def mould(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A managed workspace, made once: branch main, an identity, a short soul."""
    return moulds.managed(tmp_path_factory.mktemp("mould") / "ws", SOUL)


@pytest.fixture
def space(mould: Path, tmp_path: Path) -> Path:
    """A copy of the mould for one test, approved by its operator as it is."""
    from clawgit.git.repository import find  # noqa: PLC0415
    from clawgit.workspace.trust_review import approve_head  # noqa: PLC0415
    from clawgit.workspace.workspace import Workspace  # noqa: PLC0415

    folder = moulds.copied(mould, tmp_path / "ws")
    assert approve_head(Workspace(find(folder))) == ()
    return folder


@pytest.fixture
def call(space: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Answer]:
    """Call the command line in this process, inside the workspace; `terminal` says that the operator sits there."""
    from clawgit.cli import operator_input  # noqa: PLC0415
    from clawgit.cli.main import main  # noqa: PLC0415

    monkeypatch.chdir(space)

    def run(*arguments: str | Path, stdin: bytes = b"", terminal: bool = False) -> Answer:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        capsys.readouterr()
        with monkeypatch.context() as meanwhile:
            if terminal:
                meanwhile.setattr(operator_input, "is_interactive", lambda: True)
            code = main([str(argument) for argument in arguments])
        return Answer(code, *capsys.readouterr())

    return run


@pytest.fixture
def shell(space: Path) -> Callable[..., Answer]:
    command = Path(sys.executable).with_name("clawgit")

    def run(*arguments: str | bytes | Path, cwd: Path = space, stdin: bytes = b"", **environ: Any) -> Answer:
        result = subprocess.run(
            [command, *arguments], cwd=cwd, input=stdin, capture_output=True, check=False, timeout=60, **environ
        )
        return Answer(result.returncode, result.stdout.decode(), result.stderr.decode())

    return run


@pytest.fixture
def inside(space: Path) -> Callable[..., str]:
    def run(*arguments: str) -> str:
        result = subprocess.run(["git", *arguments], cwd=space, capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stderr
        return result.stdout

    return run


@pytest.fixture
def photograph(space: Path, inside: Callable[..., str]) -> Callable[[], object]:
    """Take down everything that a refused command must leave alone: files, modes, index, references."""

    def take() -> object:
        files = {}
        for place in sorted(space.rglob("*")):
            name = place.relative_to(space).as_posix()
            if name.startswith(".git/") or place.is_dir():
                continue
            data = place.readlink() if place.is_symlink() else place.read_bytes()
            files[name] = (place.lstat().st_mode, data)
        git = (inside("for-each-ref"), inside("status", "--porcelain"), (space / ".git/HEAD").read_text())
        return files, git

    return take
