"""Calls of the command line, in this process."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.promises.desk import run_command

BUG = 70
BUSY = 75


@dataclass(frozen=True)
class Answer:
    """The result of a call."""

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
        """Its error, in one line, for a report."""
        reasons = re.findall(r"^(?:error|  fix): .*$", self.err, re.MULTILINE)
        trace = re.findall(r'^  File ".*?clawgit/([^"]+)", line (\d+)', self.err, re.MULTILINE)
        place_words = " at " + " < ".join(f"{name}:{line}" for name, line in reversed(trace[-4:])) if trace else ""
        words = (
            "".join(re.findall(r"^\w*Error: .*$", self.err, re.MULTILINE)[-1:])
            if self.code == BUG
            else " ".join(reasons)
        )
        return f"exit {self.code}: {words}{place_words}"


def call(folder: Path, *words: str, stdin: str = "", debug: bool = True) -> Answer:
    """Run `clawgit -C folder WORDS`; with `debug` a failure comes with its place in the code."""
    return Answer(words, *run_command([*(["--debug"] if debug else []), "-C", str(folder), *words], stdin))
