"""Kills processes while they decide items of the inbox, and counts acknowledged decisions that are lost.

    python benchmarks/store/decisions.py [--kills 500]

A process opens items and decides them, and notes each decision once it is acknowledged. It is killed with SIGKILL at a
random moment; in every fifth round `state.db` is deleted afterwards, in another fifth it is replaced by an older copy,
in another one overwritten with garbage. Exits with 1 where a decision is lost.
"""

import argparse
import multiprocessing
import os
import random
import shutil
import signal
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from clawgit.store.database import NAME, StateStore
from clawgit.store.item import FileEdit, FileVersion, Item

NOW = datetime(2026, 3, 1, tzinfo=UTC)
MAX_SECONDS = 0.25


def decide_many(folder: Path, notes: Path, first: int) -> None:
    """Open and decide items until somebody ends this process."""
    store = StateStore(folder)
    edit = FileEdit("SOUL.md", FileVersion("old\n" * 50), FileVersion("new\n" * 50))
    with notes.open("a") as file:
        for number in range(first, first + 10_000):
            name = f"n{number:09}"
            store.open_item(Item(name, "identity", "Title", NOW, edits=(edit,)))
            file.write(f"open {name}\n")
            file.flush()
            store.decide(name, "rejected", NOW, "no")
            file.write(f"rejected {name}\n")
            file.flush()


def harm(folder: Path, older: Path, way: int) -> str:
    """Do to the database what accidents do; return their name."""
    place = folder / NAME
    if way == 0:
        place.unlink(missing_ok=True)
        return "deleted"
    if way == 1 and older.exists():
        for suffix in ("-wal", "-shm"):
            place.with_name(f"{NAME}{suffix}").unlink(missing_ok=True)
        shutil.copy(older, place)
        return "older copy"
    if way == 2 and place.exists():
        for suffix in ("-wal", "-shm"):
            place.with_name(f"{NAME}{suffix}").unlink(missing_ok=True)
        place.write_bytes(os.urandom(20_000))
        return "garbage"
    return "killed"


def main() -> int:
    """Run the rounds, and print what was lost."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance, losses, acknowledged, harms = random.Random(options.seed), 0, 0, dict[str, int]()
    with tempfile.TemporaryDirectory() as scratch:
        folder, notes, older = Path(scratch, "clawgit"), Path(scratch, "notes"), Path(scratch, "older.db")
        for number in range(options.kills):
            process = multiprocessing.Process(target=decide_many, args=(folder, notes, number * 10_000))
            process.start()
            process.join(chance.uniform(0.01, MAX_SECONDS))
            os.kill(process.pid or 0, signal.SIGKILL)
            process.join()
            way = harm(folder, older, chance.randrange(5))
            harms[way] = harms.get(way, 0) + 1
            states = {item.id: item.state for item in StateStore(folder).read_items(edits=False)}
            last = dict(reversed(line.split()) for line in notes.read_text().splitlines()) if notes.exists() else {}
            wrong = [name for name, state in last.items() if states.get(name) not in (state, "rejected")]
            losses, acknowledged = losses + len(wrong), acknowledged + len(last)
            if chance.random() < 0.3 and (folder / NAME).exists():
                shutil.copy(folder / NAME, older)
            if number % 50 == 49:  # a new clone: rounds stay equally long
                shutil.rmtree(folder)
                notes.unlink(missing_ok=True)
                older.unlink(missing_ok=True)
    print(f"{options.kills} kills ({harms}): {losses} of {acknowledged} acknowledged items and decisions lost")
    return 1 if losses else 0


if __name__ == "__main__":
    sys.exit(main())
