"""An edit is found, for any size and time."""

import os
import time
from collections.abc import Callable
from pathlib import Path

from clawgit.search import corpus, store
from clawgit.store import entry_table
from tests.search.test_recall import search

MEMORY = (
    "# Memory\n\n## Decisions\n\n- Invoices are paid to AT61 1904.\n  - By Ana, on Fridays.\n\n"
    "**Servers:**\n\n| name | port |\n|---|---|\n| api | 8080 |\n"
)
DAY = (
    "# 2026-05-12\n\n<!-- noted -->\n- Deploy moved to Tuesday.\n\n"
    + "A very long line about the harbour. " * 60
    + "\n"
)


def test_an_edit_of_the_old_size_and_time_is_found(write: Callable, commit: Callable) -> None:
    root = write({"MEMORY.md": MEMORY, "memory/2026-05-12.md": DAY})
    commit()
    search(root, "invoices")
    place = root / "MEMORY.md"
    time.sleep(0.11)  # what was written just now is read once more anyway
    search(root, "invoices")
    before = place.stat()
    place.write_text(MEMORY.replace("AT61", "AT99"))
    os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert "AT99" in search(root, "invoices paid").results[0].text


def test_a_file_that_another_process_indexed_meanwhile_stays(write: Callable, tmp_path: Path) -> None:
    root = write({"MEMORY.md": MEMORY})
    place = entry_table.make_index(tmp_path / "index.db")
    slow, fast = store.open_store(place), store.open_store(place)

    def scan() -> corpus.Sources:
        files = corpus.sources(root)
        if not (root / "memory/2026-05-12.md").exists():
            write({"memory/2026-05-12.md": DAY})
            store.refresh(fast, lambda: corpus.sources(root))
        return files

    store.refresh(slow, scan)
    assert sorted(slow.list_stamps()) == ["MEMORY.md", "memory/2026-05-12.md"]
    slow.raw.close()
    fast.raw.close()
