"""A terminal for whoever is asked whether he is there."""

import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def at_a_terminal() -> Iterator[int]:
    """Yield a handle that is a terminal, for the stdin of a process."""
    ours, theirs = os.openpty()
    try:
        yield theirs
    finally:
        os.close(theirs)
        os.close(ours)
