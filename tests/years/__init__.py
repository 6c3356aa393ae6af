"""Two years of an OpenClaw workspace, each made from a number: the writing of people and agents."""

from .history import commits
from .maker import UNTIL, Made, make

__all__ = ["UNTIL", "Made", "commits", "make"]
