"""Shows how far long work has come."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from clawgit.cli.output import Output

if TYPE_CHECKING:
    from rich.progress import Progress

_PATIENCE = 1.0


@contextmanager
def progress(out: Output, title: str) -> Iterator[Callable[[int, int], None]]:
    """Yield what is called with how many are done of how many; past a second a terminal shows a bar on stderr."""
    bar = _Bar(out, title)
    try:
        yield bar.told
    finally:
        bar.close()


class _Bar:
    """A bar that appears only when it is worth looking at."""

    def __init__(self, out: Output, title: str) -> None:
        self.out = out
        self.title = title
        self.started = time.monotonic()
        self.drawn: Progress | None = None

    def told(self, done: int, total: int) -> None:
        """Take note of where the work stands; the bar goes when all is done."""
        if done >= total:
            self.close()
            return
        if self.drawn is None and time.monotonic() - self.started > _PATIENCE and self.out.stderr.isatty():
            self._appear(total)
        if self.drawn is not None:
            self.drawn.update(self.drawn.task_ids[0], completed=done)

    def _appear(self, total: int) -> None:
        from rich.console import Console  # noqa: PLC0415 - only where something is drawn
        from rich.progress import Progress  # noqa: PLC0415

        self.drawn = Progress(console=Console(file=self.out.stderr), transient=True)
        self.drawn.add_task(self.title, total=total)
        self.drawn.start()

    def close(self) -> None:
        """Leave the terminal as it was."""
        if self.drawn is not None:
            self.drawn.stop()
            self.drawn = None
