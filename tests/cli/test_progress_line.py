"""Work of more than a second shows a line on a terminal, and leaves nothing behind."""

import io
import time

import pytest

from clawgit.cli import output
from clawgit.cli.output import Output, progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def is_shown(stream: Terminal, words: str) -> bool:
    end = time.monotonic() + 10
    while words not in stream.getvalue() and time.monotonic() < end:
        time.sleep(0.01)
    return words in stream.getvalue()


def test_work_that_takes_long_is_told_and_taken_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "_PATIENCE_SECONDS", 0.02)
    monkeypatch.setattr(output, "_BEAT_SECONDS", 0.01)
    terminal = Terminal()
    with progress(Output(io.StringIO(), terminal), "reading history") as report:
        report(3, 1_000)
        assert is_shown(terminal, "reading history: 3 of 1,000")
    assert terminal.getvalue().endswith("\r\x1b[K")
