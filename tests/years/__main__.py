"""Makes two years to look at: python -m tests.years 17 DIR."""
# ruff: noqa: T201 - that is what it is for

import sys
from collections import Counter
from pathlib import Path

from . import commits, make

made = make(Path(sys.argv[2]).absolute(), int(sys.argv[1]))
print(f"{len(made.notes)} notes, {len(made.lines)} lines, {commits(made.root, made)} commits")
print(f"notes: {dict(Counter(note.kind for note in made.notes))}")
print(f"in: {dict(Counter(note.language for note in made.notes))}")
print(f"marks: {dict(Counter(mark.category or mark.note.kind for mark in made.marks))}")
