"""Times a merge of two machines with many entries, beside the merge by entry of one file.

    python benchmarks/sync/merge_times.py [--entries 10000] [--runs 5]

Each side has so many entries in common and adds, rewords and takes out a few. Timed is the processor's time of working
the merge out, files and sidecar, and of it the share of the memory file alone, with the garbage collector off as in
`clawgit sync`; the peer is git's own merge of the file by lines.
"""

import argparse
import gc
import os
import resource
import sys
import tempfile
from contextlib import suppress
from datetime import UTC, date, datetime
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib.results import keep
from clawgit.errors import ClawgitError
from clawgit.git import commit_chain, repository
from clawgit.git.commit_chain import NewCommit
from clawgit.git.git_command import merge_file
from clawgit.sync.head_merge import work_out
from clawgit.text.entry import entry_id, hash_entry
from clawgit.workspace import entries
from clawgit.workspace.entries import Row
from clawgit.workspace.merge_rules import merge_text

WHEN = datetime(2026, 2, 14, tzinfo=UTC)


def files(words: list[str]) -> dict[str, bytes]:
    """Return the memory file and the sidecar of these entries."""
    day = date(2026, 2, 14)
    rows = {}
    for item in words:
        name = entry_id("MEMORY.md", item.partition(" now ")[0], 1)
        rows[name] = Row(name, "MEMORY.md", hash_entry(item), "knowledge", first=day, last=day)
    text = "# Memory\n\n## Knowledge\n\n" + "".join(f"- {item} #knowledge\n" for item in words)
    return {"MEMORY.md": text.encode(), entries.PATH: entries.render_sidecar(rows).encode()}


def processor_time() -> float:
    """Return the seconds that this process and its children have used."""
    usages = (resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def timed(runs: int, call) -> float:
    spent = []
    for _ in range(runs):
        start = processor_time()
        call()
        spent.append(processor_time() - start)
    return round(median(spent) * 1000, 1)


def merge_by_lines(texts: list[str]) -> None:
    with suppress(ClawgitError):  # conflicts
        merge_file(*map(str.encode, texts))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    gc.disable()
    words = [f"The relay number {n} listens on port {n * 7} in Porto" for n in range(options.entries)]
    item, other = list(words), list(words)
    item[10], item[-10] = f"{words[10]} now", f"{words[-10]} now twice"
    item.append("The office moved to Lisbon")
    other[500] = f"{words[500]} now"
    del other[1000]
    other.append("Tea at four")
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        repo = repository.create(Path(folder) / "ws", "main")
        texts = [files(group) for group in (words, item, other)]
        base = commit_chain.build(repo, None, [NewCommit("base\n", ("a", "a@b"), WHEN, texts[0])])[0]
        heads = [
            commit_chain.build(repo, base, [NewCommit(f"{n}\n", ("a", "a@b"), WHEN, files_)])[0]
            for n, files_ in enumerate(texts[1:])
        ]
        first, whole = (
            timed(runs, lambda: work_out(repo, heads[0], [heads[1]], lambda _: False)) for runs in (1, options.runs)
        )
    plain = [text["MEMORY.md"].decode() for text in texts]
    figures = {
        "entries": options.entries,
        "ms for all of it, with imports": first,
        "ms for all of it": whole,
        "ms for the memory file": timed(options.runs, lambda: merge_text("MEMORY.md", *plain)),
        "ms of git's merge by lines, with its start": timed(options.runs, lambda: merge_by_lines(plain)),
    }
    keep(figures)
    print(figures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
