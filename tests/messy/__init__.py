"""Messy workspaces, each made from a number.

They are what people have before they adopt: every shape that a folder, a history or a configuration was seen in,
mixed by chance. The same seed gives the same workspace; any forty seeds in a row have every shape at least once.
"""

from pathlib import Path

from . import content, dirt, files, ground, history, late, places, settings  # noqa: F401 - each offers its shapes
from .maker import CYCLE, STAGES, Maker, Messy

__all__ = ["CYCLE", "Messy", "make"]


def make(root: Path, seed: int) -> Messy:
    """Make workspace number `seed` in `root`, which must not exist; other files that it needs are beside it."""
    maker = Maker(root, seed)
    for stage in STAGES:
        for shape in maker.choose(stage):
            maker.begin(shape)
            shape.act(maker)
        if stage == "history":
            maker.settle()
        if stage == "files":
            maker.commit_kept()
    return maker.done()
