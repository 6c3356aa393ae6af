"""What search costs as memory grows: building, catching up, asking, starting, disk and memory.

    python benchmarks/scale/index_size.py             1,000, 10,000, 60,000 and 100,000 chunks, ten of them in a file
    python benchmarks/scale/index_size.py --sizes 1000 --json

Questions are asked in one process, each catching up with the files first, as every search does; the cold command is the
median of processes of its own. Plain FTS5 over the same lines, in memory, is asked the same questions in turn with our
search; what is built is held against plain FTS5 that reads the same files and is kept on the same disk, and against one
in memory whose lines are given. All ratios are of the processor's time, the last one of a context to a search for as
many hits. The text is in the words of the standard library's documentation.
"""

import argparse
import json
import math
import random
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib import genres, suites
from benchmarks.lib.results import keep

PROGRAM = str(Path(sys.executable).with_name("clawgit"))
EACH = 10
MANY = 500
"""Hits that a context of 6,000 tokens asks a search for; it gets what 200 texts come to."""


def written(root: Path, chunks: int) -> list[str]:
    """Write a workspace of so many notes and return questions about some of them."""
    chance, pool, questions = random.Random(9), list(genres.sentences()), []
    subprocess.run(["git", "init", "-q", "-b", "main", str(root)], check=True)
    first = date(1999, 1, 1)
    for number in range(chunks // EACH):
        notes = [genres._note(pool, chance) for _ in range(EACH)]  # noqa: SLF001 - of the same folder
        day = first + timedelta(number)
        place = root / "memory" / f"{day:%Y}" / f"{day}.md"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("\n".join([f"# {day}", "", *(f"- {note}" for note in notes)]) + "\n", "utf-8")
        if len(questions) < 300 and number % max(chunks // EACH // 300, 1) == 0:
            questions.append(genres.question(chance.choice(notes), chance))
    (root / "MEMORY.md").write_text("# Memory\n\n- Kept here.\n", "utf-8")
    person = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    subprocess.run(["git", "add", "-A"], cwd=root, check=True)
    subprocess.run(["git", *person, "commit", "-q", "-m", "notes"], cwd=root, check=True)
    return questions


def timed(act: Callable[[], object]) -> float:
    started = time.perf_counter()
    act()
    return (time.perf_counter() - started) * 1000


def busy(act: Callable[[], object]) -> float:
    """Return the milliseconds that the processor was at it."""
    started = time.process_time()
    act()
    return (time.process_time() - started) * 1000


def quantiles(took: list[float]) -> tuple[float, float]:
    return statistics.median(took), sorted(took)[math.ceil(0.95 * len(took)) - 1]


def called(root: Path, *words: str) -> None:
    subprocess.run([PROGRAM, "-C", str(root), *words], check=True, capture_output=True)


def size(folder: Path) -> int:
    return sum(place.lstat().st_size for place in folder.iterdir())


def measured(chunks: int, work: Path) -> dict[str, float]:
    root = work / str(chunks)
    question = written(root, chunks)
    text = sum(place.stat().st_size for place in root.rglob("*.md"))
    build = timed(lambda: called(root, "memory", "index"))
    disk = size(root / ".git/clawgit/cache")
    cold = statistics.median(timed(lambda: called(root, "search", question[0])) for _ in range(7))
    command = [sys.executable, __file__, "--inside", str(root)]
    result = subprocess.run(command, input=json.dumps(question), capture_output=True, text=True, check=True)
    answer = json.loads(result.stdout)
    return {
        "chunks": chunks,
        "text MB": text / 1e6,
        "build s": build / 1000,
        "one file ms": answer["update"],
        "ask p50 ms": answer["p50"],
        "ask p95 ms": answer["p95"],
        "search p50 ms": answer["whole50"],
        "search p95 ms": answer["whole95"],
        "search CPU ms": answer["search"],
        "FTS5 CPU ms": answer["plain"],
        "search/FTS5": answer["search"] / answer["plain"],
        "build/FTS5 kept": answer["build"] / answer["kept build"],
        "build/in memory": answer["build"] / answer["plain build"],
        "context/search": answer["context"] / answer["search"],
        "context/as many": answer["context"] / answer["as many"],
        "misspelt p50 ms": answer["slips50"],
        "cold ms": cold,
        "disk MB": disk / 1e6,
        "disk/text": disk / text,
        "memory MB": answer["memory"],
    }


def kept_plainly(root: Path) -> None:
    """Keep every line of the files below a folder in plain FTS5, beside them."""
    with tempfile.TemporaryDirectory(dir=root.parent) as beside:
        base = sqlite3.connect(Path(beside) / "lines.db")
        base.execute("PRAGMA synchronous = OFF")
        base.execute("CREATE VIRTUAL TABLE f USING fts5(body, tokenize='porter unicode61')")
        rows = (row for place in root.rglob("*.md") for row in place.read_text("utf-8").split("\n") if row.strip())
        base.executemany("INSERT INTO f(body) VALUES (?)", ((row,) for row in rows))
        base.commit()
        base.close()


def inside(root: Path) -> dict[str, float]:
    """Ask from within one process: `ask` on the open index, `whole` with opening it and looking at every file."""
    from clawgit.context.budget import assemble  # noqa: PLC0415 - the children alone pay
    from clawgit.context.receipt import Asked  # noqa: PLC0415
    from clawgit.search import index, recall, warm  # noqa: PLC0415
    from clawgit.search.answer import Query  # noqa: PLC0415
    from clawgit.workspace.workspace import open_workspace  # noqa: PLC0415

    asked = json.loads(sys.stdin.read())
    warm.begin()
    workspace = open_workspace(root)
    rules = recall.read_ranking_rules(workspace, Query(""))
    chance = random.Random(1)
    with index.current(workspace) as index_store:
        for question in asked[:5]:
            recall.answers(index_store.store, Query(question), rules)
        took = [timed(lambda q=q: recall.answers(index_store.store, Query(q), rules)) for q in asked]
        wrong = [genres.misspelt(question, chance) for question in asked[:100]]
        slips = [timed(lambda q=q: recall.answers(index_store.store, Query(q), rules)) for q in wrong]
    whole = [timed(lambda q=q: recall.search_files(workspace, Query(q))) for q in asked[:50]]
    lines = suites.each_line(suites.Suite("plain", root, []))
    results: list[suites.Search] = []
    plain_build = busy(lambda: results.append(suites.fts5(lines)))
    paired = [
        (busy(lambda q=q: results[0](q)), busy(lambda q=q: recall.search_files(workspace, Query(q))))
        for q in (*asked[:5], *asked[:100])
    ][5:]
    contexts = [
        (
            busy(lambda q=q: assemble(workspace, Asked(q))),
            busy(lambda q=q: recall.search_files(workspace, Query(q, MANY))),
        )
        for q in asked[:23]
    ][3:]

    def anew() -> None:
        with index.current(workspace, force=True):
            pass

    build = busy(anew)
    kept_build = busy(lambda: kept_plainly(root))
    updates = []
    for number, place in enumerate(sorted((root / "memory").rglob("*.md"))[:5]):
        place.write_text(place.read_text("utf-8") + f"- one more note {number}\n", "utf-8")

        def catch_up() -> None:
            with index.current(workspace):
                pass

        updates.append(timed(catch_up))
    (p50, p95), (whole50, whole95) = quantiles(took), quantiles(whole)
    status = Path("/proc/self/status").read_text("ascii")
    peak = next(int(row.split()[1]) for row in status.splitlines() if row.startswith("VmHWM")) / 1024
    return {
        "p50": p50,
        "p95": p95,
        "whole50": whole50,
        "whole95": whole95,
        "slips50": quantiles(slips)[0],
        "update": statistics.median(updates),
        "memory": peak,
        "plain": statistics.median(item for item, _ in paired),
        "search": statistics.median(item for _, item in paired),
        "context": statistics.median(item for item, _ in contexts),
        "as many": statistics.median(item for _, item in contexts),
        "build": build,
        "plain build": plain_build,
        "kept build": kept_build,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="1000,10000,60000,100000", help="how many chunks, separated by commas")
    parser.add_argument("--inside", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if options.inside:
        print(json.dumps(inside(options.inside)))
        return 0
    work = Path(tempfile.mkdtemp(prefix="clawgit-scale-"))
    try:
        rows = [measured(int(chunks), work) for chunks in options.sizes.split(",")]
    finally:
        shutil.rmtree(work, ignore_errors=True)
    keep(rows)
    if options.json:
        print(json.dumps(rows))
        return 0
    for name in rows[0]:
        cells = (f"{row[name]:>10,.0f}" if name == "chunks" else f"{row[name]:>10,.2f}" for row in rows)
        print(f"| {name:15} | {' | '.join(cells)} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
