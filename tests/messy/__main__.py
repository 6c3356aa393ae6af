"""Makes messy workspaces to look at, or judges adoption on them.

python -m tests.messy make 17 DIR [SHAPE …]      says what it made
python -m tests.messy judge 0:400 --smallest     each new complaint with the smallest mess that brings it
"""
# ruff: noqa: T201 - that is what it is for

import os
import sys
import tempfile
import traceback
from pathlib import Path

import pygit2

from . import make
from .judge import judge
from .trial import Complaint

MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def smallest(seed: int, wanted: Complaint) -> list[str]:
    """Return the shapes that it takes to hear the same complaint, by leaving out one after the other."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        shapes = list(make(Path(folder) / "ws", seed).shapes)
    for name in reversed(list(shapes)):
        fewer = frozenset(shapes) - {name}
        if any((one.act, one.rule) == (wanted.act, wanted.rule) for one in _tried(seed, fewer)):
            shapes.remove(name)
    return shapes


def _tried(seed: int, only: frozenset[str] | None) -> list[Complaint]:
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        try:
            return judge(Path(folder), seed, only=only).complaints
        except Exception as exc:  # noqa: BLE001 - a mistake of the judge is a complaint about it
            where = "".join(traceback.format_exception(exc)[-3:])
            return [Complaint("judge", "breaks", f"{exc!r}\n{where}")]


def try_all(words: list[str]) -> None:
    """Judge the seeds that are named."""
    first, _, last = words[0].partition(":")
    heard: set[str] = set()
    for seed in range(int(first), int(last or int(first) + 1)):
        for one in _tried(seed, None):
            new = one.rule not in heard
            heard.add(one.rule)
            print(f"{seed}: {one}", flush=True)
            if new and "--smallest" in words:
                print(f"   takes: {' '.join(smallest(seed, one))}", flush=True)


if sys.argv[1] == "make":
    made = make(Path(sys.argv[3]).absolute(), int(sys.argv[2]), only=frozenset(sys.argv[4:]) or None)
    print("\n".join(made.tags))
else:
    with tempfile.TemporaryDirectory(prefix="clawgit-home-") as home:
        sealed = {"HOME": home, "XDG_STATE_HOME": home, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        os.environ.update(sealed)
        for level in ("SYSTEM", "XDG", "GLOBAL", "PROGRAMDATA"):
            pygit2.settings.search_path[getattr(pygit2.enums.ConfigLevel, level)] = home
        try_all(sys.argv[2:])
