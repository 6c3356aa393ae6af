"""Claims of the corpora as batches and operations."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from clawgit.reading import checks
from clawgit.reading.checks import Checked, Ground
from clawgit.reading.operations import Batch, Operation, Turn

CORPORA = Path(__file__).resolve().parents[2] / "corpora"
SESSION = "main/a"


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim of a corpus: its language, kind (`good` or what is wrong with it), text, and the case it belongs to."""

    language: str
    kind: str
    text: str
    batch: Batch
    context: int | None

    @property
    def checked(self) -> Checked:
        """What the checks say of it, and the claim for the judge."""
        operation = Operation("add", (len(self.batch.turns),), self.text, "knowledge", context=self.context)
        return checks.check_operation(self.batch, operation, Ground(direct=frozenset((SESSION,))))


def load(part: str) -> Iterator[Claim]:
    for language, cases in tomllib.loads((CORPORA / f"claims.{part}.toml").read_text("utf-8")).items():
        for case in cases:
            day = case.get("day", "2026-03-18")
            rows = [*(row.split(": ", 1) for row in case.get("before", ())), ("operator", case["said"])]
            turns = tuple(
                Turn(n, SESSION, f"{day}T09:{n:02}:00+01:00", by, by == "operator", text)
                for n, (by, text) in enumerate(rows, 1)
            )
            batch = Batch("memory-miner", ("memory-miner",), day, "Europe/Berlin", turns)
            context = len(rows) - 1 if case.get("context") else None
            for text in case["good"]:
                yield Claim(language, "good", text, batch, context)
            for row in case["bad"]:
                kind, _, text = row.partition(": ")
                yield Claim(language, kind, text, batch, context)
