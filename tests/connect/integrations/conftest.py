"""Workspaces with hooks, and a git that runs them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import moulds

PROGRAM = Path(sys.executable).with_name("clawgit")
SHORT_PATH = "/usr/bin:/bin"
KEY = "AKIA" + "Z7Q2X4WNB3RTY5KP"  # built here, so that no scanner takes this file for a leak
OTHER = KEY[:-4] + "QQ7R"


class Place:
    """A workspace, and git with a PATH on which there is no clawgit."""

    def __init__(self, root):
        self.root = Path(root)
        self.environment = {"PATH": SHORT_PATH, "GIT_MERGE_AUTOEDIT": "no"}

    @property
    def repo(self):
        """The repository, found anew."""
        from clawgit.git.repository import find  # noqa: PLC0415

        return find(self.root)

    @property
    def hooks(self):
        """The folder of hooks that git has without any setting."""
        return self.root / ".git/hooks"

    def run(self, *arguments, cwd=None, **options):
        environment = os.environ | self.environment | options.pop("env", {})
        command = ["git", *map(str, arguments)]
        return subprocess.run(
            command, cwd=cwd or self.root, env=environment, capture_output=True, text=True, check=False, **options
        )

    def git(self, *arguments, **options):
        """Run git, which must not fail; return its output, errors included."""
        result = self.run(*arguments, **options)
        assert result.returncode == 0, (arguments, result.stderr, result.stdout)
        return result.stdout + result.stderr

    def write(self, path, text):
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text if isinstance(text, bytes) else text.encode())

    def commit(self, path, text, *options):
        """Write a file and commit it; return the output of git and its hooks."""
        self.write(path, text)
        self.git("add", "-f", "--", path)
        return self.git("commit", "-m", "by hand", *options)

    def leak(self, path, text):
        """Write a file that holds a secret, and commit it past the hook that would stop it."""
        return self.commit(path, text, "--no-verify")

    def install(self, program=PROGRAM, **options):
        from clawgit.connect import git_hooks  # noqa: PLC0415

        return git_hooks.install_hooks(self.repo, Path(program), **options)

    def states(self, program=PROGRAM):
        from clawgit.connect import git_hooks  # noqa: PLC0415

        return {hook.name: hook.state for hook in git_hooks.read_hook_states(self.repo, Path(program))}

    @property
    def head(self):
        return self.git("rev-parse", "HEAD").strip()


def script(place, text, mode=0o755):
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(text if isinstance(text, bytes) else text.encode())
    place.chmod(mode)
    return place


@pytest.fixture(scope="session")
def mould(tmp_path_factory):
    """A managed workspace without hooks, made once."""
    config = f"{moulds.IDENTITY}[commit]\n\tgpgSign = false\n"
    return moulds.managed(tmp_path_factory.mktemp("mould") / "wörk space", config=config)


@pytest.fixture
def place(mould, tmp_path):
    """A copy of the mould; its name has a space and a letter beyond ASCII."""
    return Place(moulds.copied(mould, tmp_path / "wörk 'space"))


@pytest.fixture
def recorder(tmp_path):
    """A program that stands in for clawgit: it notes how it is called, in `calls` beside it, and succeeds."""
    program = tmp_path / "my tools/it's clawgit"
    calls = tmp_path / "my tools/calls"
    script(program, f'#!/bin/sh\n{{ echo "$*"; cat; }} </dev/stdin >>"{calls}"\n')
    return program


@pytest.fixture
def calls(recorder):
    """Return the hooks that were run since the last call, in order."""

    def read():
        place = recorder.with_name("calls")
        text = place.read_text().splitlines() if place.exists() else []
        place.unlink(missing_ok=True)
        return [row.split()[2] for row in text if row.startswith("hook run ")]

    return read
