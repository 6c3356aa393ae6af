"""`clawgit capture`."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest


def test_what_may_not_enter_is_held_back_and_the_rest_is_captured(
    call: Callable, space: Path, inside: Callable
) -> None:
    (space / ".gitignore").write_text("memory/private.md\n")
    (space / "docs").mkdir()
    (space / "docs/tracked.md").write_text("a\n")
    inside("add", ".gitignore", "docs/tracked.md")
    inside("commit", "-q", "-m", "by hand")
    held = {
        "secret": f"key {KEY}\n".encode(),
        "latin": b"caf\xe9\n",
        "binary": b"a\0b\n",
        "huge": b"x" * (3 << 20),
        "merge": b"    }
