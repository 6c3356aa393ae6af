"""Waits no longer than it should."""

import queue
import threading
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")


def within(seconds: float, ask: Callable[[], Found]) -> Found:
    """Return what `ask` returns, if it does in time; else raise TimeoutError, and leave it to itself.

    A socket's own limit starts anew with each byte, and does not count looking up a name.
    """
    told: queue.SimpleQueue[tuple[list[Found], BaseException | None]] = queue.SimpleQueue()

    def run() -> None:
        try:
            told.put(([ask()], None))
        except BaseException as exc:  # noqa: BLE001 - raised again where it is waited for
            told.put(([], exc))

    threading.Thread(target=run, daemon=True).start()
    try:
        found, failed = told.get(timeout=max(seconds, 0))
    except queue.Empty:
        raise TimeoutError from None
    if failed:
        raise failed
    return found[0]
