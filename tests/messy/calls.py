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


def call(folder: Path, *words: str, stdin: str = "", debug: bool = True) -> Answer:
    """Run `clawgit -C folder WORDS`; with `debug` a failure comes with the place where it arose."""
    return Answer(words, *run_command([*(["--debug"] if debug else []), "-C", str(folder), *words], stdin))
