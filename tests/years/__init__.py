"""Two years of an OpenClaw workspace, each made from a number.

    python -m tests.years 17 DIR    makes the seventeenth in DIR, commits it day by day, and says what it made

It holds what people and agents write in two years, and what a careful human says of the last ninety days of it: what
is worth keeping for good. Nothing here knows how clawgit answers that.
"""

from .history import commits
from .maker import UNTIL, Made, Mark, make
from .pages import SHAPES
from .phrases import CATEGORIES, LANGUAGES, Note, templates

__all__ = ["CATEGORIES", "LANGUAGES", "SHAPES", "UNTIL", "Made", "Mark", "Note", "commits", "make", "templates"]
