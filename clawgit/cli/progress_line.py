"""One line that tells that the work goes on."""

import contextlib
import threading
import time
from typing import TextIO

PATIENCE = 1.0
"""Seconds after which it is shown."""
_BEAT = 0.25
_CLEAR = "\r\x1b[K"


class ProgressLine:
    """A line on a terminal that appears past a second, and is gone once something else is printed."""

    def __init__(self, stream: TextIO, title: str) -> None:
        self.stream = stream
        self.title = title
        self.said = ""
        self.started = time.monotonic()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._beat, daemon=True)
        self._thread.start()

    def told(self, done: int, total: int) -> None:
        """Take note of where the work stands."""
        self.said = f": {done:,} of {total:,}" if done < total else ""

    def stop(self) -> None:
        """Leave the terminal as it was."""
        self._over.set()
        if self._thread is not threading.current_thread():
            self._thread.join()

    def _beat(self) -> None:
        if self._over.wait(PATIENCE):
            return
        while not self._over.is_set():
            seconds = int(time.monotonic() - self.started)
            self._draw(f"{_CLEAR}{self.title}{self.said} … {seconds} s")
            self._over.wait(_BEAT)
        self._draw(_CLEAR)

    def _draw(self, text: str) -> None:
        with contextlib.suppress(OSError, ValueError):
            self.stream.write(text)
            self.stream.flush()
