"""Calls of the command line, in this process."""

import contextlib
import io
import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

BUG = 70
BUSY = 75


@dataclass(frozen=True)
class Answer:
    """What a call came to."""

    words: tuple[str, ...]
    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        try:
            return json.loads(self.out)
        except ValueError:
            return None

    @property
    def reason(self) -> str:
        """What it said of its failure, in one line, for a report."""
        found = re.findall(r"^(?:error|  fix): .*$", self.err, re.MULTILINE)
        trace = re.findall(r'^  File ".*?clawgit/([^"]+)", line (\d+)', self.err, re.MULTILINE)
        where = " at " + " < ".join(f"{name}:{line}" for name, line in reversed(trace[-4:])) if trace else ""
        what = (
            "".join(re.findall(r"^\w*Error: .*$", self.err, re.MULTILINE)[-1:]) if self.code == BUG else " ".join(found)
        )
        return f"exit {self.code}: {what}{where}"


def call(folder: Path, *words: str, stdin: bytes = b"", debug: bool = True) -> Answer:
    """Run `clawgit -C folder WORDS`; with `debug` a failure comes with the place where it arose."""
    from clawgit.cli.main import main  # noqa: PLC0415 - what only makes workspaces does not load it

    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main([*(["--debug"] if debug else []), "-C", str(folder), *words])
    finally:
        sys.stdin = before
    for stream in (out, err):
        stream.flush()
    return Answer(words, code, *(_text(stream) for stream in (out, err)))


def _text(stream: io.TextIOWrapper) -> str:
    assert isinstance(stream.buffer, io.BytesIO)
    return stream.buffer.getvalue().decode("utf-8", "replace")
