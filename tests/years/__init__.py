"""Two years of an OpenClaw workspace, each made from a number: what people and agents write in two years."""

from .history import commits
from .maker import UNTIL, Made, make

__all__ = ["UNTIL", "Made", "commits", "make"]
