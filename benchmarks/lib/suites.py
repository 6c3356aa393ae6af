"""Questions with the lines that answer them, systems that search, and how they are scored."""

import argparse
import json
import math
import re
import sqlite3
import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

Span = tuple[str, int, int]
Search = Callable[[str], list[Span]]
DEPTH = 60
BUDGETS = (1000, 2000)


@dataclass(frozen=True)
class Suite:
    """A folder of Markdown, and questions with the lines that hold the answer."""

    name: str
    root: Path
    questions: Sequence[tuple[str, frozenset[tuple[str, int]]]]
    today: date | None = None
    text: dict[str, list[str]] = field(default_factory=dict)

    def lines(self, path: str) -> list[str]:
        """Return the lines of a file."""
        if path not in self.text:
            self.text[path] = (self.root / path).read_text("utf-8").split("\n")
        return self.text[path]

    def paths(self) -> list[str]:
        """Return the files that are searched."""
        results = (place.relative_to(self.root).as_posix() for place in self.root.rglob("*.md"))
        return sorted(path for path in results if not path.startswith("."))


def scored(suite: Suite, hits: Sequence[Span], gold: frozenset[tuple[str, int]]) -> dict[str, float]:
    """Return what the hits are worth: the file, and the evidence within so many returned tokens of four letters."""
    expected, files = {path for path, _ in gold}, list(dict.fromkeys(path for path, _, _ in hits))

    def met(group: Iterable[Span]) -> float:
        return len({(path, n) for path, a, b in group for n in range(a, b + 1)} & gold) / len(gold)

    row = {
        "hit@1": float(bool(files) and files[0] in expected),
        "R@5": len(expected & set(files[:5])) / len(expected),
        "line@3": float(any({(path, n) for n in range(a, b + 1)} & gold for path, a, b in hits[:3])),
        "MRR": next((1 / rank for rank, path in enumerate(files, 1) if path in expected), 0.0),
    }
    for budget in BUDGETS:
        left, usage = budget * 4, []
        for path, a, b in hits:
            size = sum(len(line) + 1 for line in suite.lines(path)[a - 1 : b])
            if size > left:
                break
            left, usage = left - size, [*usage, (path, a, b)]
        row[f"≤{budget // 1000}k"] = met(usage)
    return row


def measured(suite: Suite, search: Search) -> dict[str, float]:
    """Return the means over all questions, and how long one took."""
    rows, took = [], []
    for question, gold in suite.questions:
        started = time.perf_counter()
        hits = search(question)
        took.append((time.perf_counter() - started) * 1000)
        rows.append(scored(suite, hits, gold) | {"none": float(not hits)})
    means = {name: statistics.fmean(row[name] for row in rows) for name in rows[0]}
    return means | {"p50": statistics.median(took), "p95": sorted(took)[math.ceil(0.95 * len(took)) - 1]}


_STOP = (
    "a an the and or of to in on at by for with from as is are was were be been do does did have has had i you he she "
    "it we they me him her us them my your his its our their this that these those what which who when where why how "
    "not can could will would should may about so"
)
STOP = frozenset(_STOP.split())


def words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.lower())


def asked(question: str) -> list[str]:
    results = list(dict.fromkeys(words(question)))
    return [word for word in results if word not in STOP] or results


def blocks(suite: Suite, tokens: int) -> list[tuple[str, int, int, str]]:
    """Return chunks of so many tokens of four letters, as most tools cut them."""
    results = []
    for path in suite.paths():
        lines, start, size = suite.lines(path), 0, 0
        for index, line in enumerate(lines):
            if size + len(line) > tokens * 4 and index > start:
                results.append((path, start + 1, index, "\n".join(lines[start:index])))
                start, size = index, 0
            size += len(line) + 1
        results.append((path, start + 1, len(lines), "\n".join(lines[start:])))
    return results


def each_line(suite: Suite) -> list[tuple[str, int, int, str]]:
    return [
        (path, number, number, line)
        for path in suite.paths()
        for number, line in enumerate(suite.lines(path), 1)
        if line.strip()
    ]


def grep(suite: Suite) -> Search:
    """Lines by how many of the question's words they hold, as an agent with grep would take them."""
    lines = [(path, a, b, line.lower()) for path, a, b, line in each_line(suite)]

    def search(question: str) -> list[Span]:
        text = asked(question)
        counted = [(sum(word in line for word in text), path, a, b) for path, a, b, line in lines]
        best = sorted((row for row in counted if row[0]), key=lambda row: (-row[0], row[1], row[2]))[:DEPTH]
        return [(path, a, b) for _, path, a, b in best]

    return search


def fts5(chunks: list[tuple[str, int, int, str]]) -> Search:
    """Plain FTS5: porter, any of the words, bm25."""
    base = sqlite3.connect(":memory:")
    base.execute("CREATE VIRTUAL TABLE f USING fts5(body, tokenize='porter unicode61')")
    base.executemany(
        "INSERT INTO f(rowid, body) VALUES (?, ?)", [(index, item[3]) for index, item in enumerate(chunks)]
    )

    def search(question: str) -> list[Span]:
        query = " OR ".join(f'"{word}"' for word in asked(question))
        if not query:
            return []
        rows = base.execute("SELECT rowid FROM f WHERE f MATCH ? ORDER BY bm25(f) LIMIT ?", (query, DEPTH))
        return [chunks[row[0]][:3] for row in rows]

    return search


def fuzzy(suite: Suite) -> Search:
    """Take token_set_ratio over every line, and nothing else."""
    from rapidfuzz import fuzz, process  # noqa: PLC0415 - this system alone needs it

    lines = each_line(suite)
    texts = [line[3].lower() for line in lines]

    def search(question: str) -> list[Span]:
        text = " ".join(asked(question))
        results = process.extract(text, texts, scorer=fuzz.token_set_ratio, limit=DEPTH)
        return [lines[index][:3] for _, _, index in results]

    return search


def core(suite: Suite, least: float | None = None) -> Search:
    """Take our own search without vectors; `least` is the one of CONFIG.md's defaults unless it is given."""
    from clawgit.search import corpus, recall, store  # noqa: PLC0415 - this system alone needs it
    from clawgit.search.answer import Query  # noqa: PLC0415
    from clawgit.search.rank import Rules  # noqa: PLC0415

    index_store = store.open_store(None)
    store.refresh(index_store, lambda: corpus.sources(suite.root))
    rules = Rules(today=suite.today) if least is None else Rules(today=suite.today, least=least)

    def search(question: str) -> list[Span]:
        results, _, _ = recall.answers(index_store, Query(question), rules)
        return [(item.place.path, item.place.start, item.place.end) for item in results[:DEPTH]]

    return search


SYSTEMS: Mapping[str, Callable[[Suite], Search]] = {
    "grep": grep,
    "FTS5 400 tokens": lambda suite: fts5(blocks(suite, 400)),
    "FTS5 lines": lambda suite: fts5(each_line(suite)),
    "rapidfuzz alone": fuzzy,
    "Core": core,
}


def of_sizes(sizes: Iterable[int], overlaps: Iterable[int] = (0,)) -> dict[str, Callable[[Suite], Search]]:
    """Return plain FTS5 over chunks of so many tokens, and our own search with what is longer cut at so many."""
    sizes, overlaps = list(sizes), list(overlaps)
    results: dict[str, Callable[[Suite], Search]] = {
        f"FTS5 {size} tokens": lambda suite, size=size: fts5(blocks(suite, size))  # type: ignore[misc]
        for size in sizes
    }
    for size in sizes:
        for overlap in overlaps:
            name = f"Core {size}" + (f" + {overlap}" if overlap else "")
            results[name] = lambda suite, size=size, overlap=overlap: _cut(suite, size, overlap)  # type: ignore[misc]
    return results


def add_sizes(parser: argparse.ArgumentParser) -> None:
    """Let sizes of chunks be compared instead of systems."""
    parser.add_argument("--chunk-tokens", default="", help="only chunks of these sizes, separated by commas")
    parser.add_argument("--overlap", default="0", help="with so many tokens of the chunk before, separated by commas")


def sizes(options: argparse.Namespace) -> dict[str, Callable[[Suite], Search]]:
    """Return the systems to compare, if sizes were given."""
    return of_sizes(map(int, filter(None, options.chunk_tokens.split(","))), map(int, options.overlap.split(",")))


def _cut(suite: Suite, size: int, overlap: int) -> Search:
    """Take our own search with pieces of at most so many tokens, each with the end of the one before it."""
    from clawgit.search import blocks as search_blocks  # noqa: PLC0415 - see above

    largest, plain = search_blocks.LARGEST, search_blocks.cut_block

    def overlapping(block: Any) -> Iterable[tuple[int, int, str]]:
        before = ""
        for start, last, text in plain(block):
            end = before[-overlap * 4 :].partition(" ")[2] if overlap else ""
            before = text
            yield start, last, f"{end} {text}".strip()

    search_blocks.LARGEST, search_blocks.cut_block = size * 4, overlapping  # type: ignore[assignment]
    try:
        return core(suite)
    finally:
        search_blocks.LARGEST, search_blocks.cut_block = largest, plain


def table(results: Mapping[str, Mapping[str, float]]) -> str:
    """Return a Markdown table, a row for each system."""
    names = list(next(iter(results.values())))
    rows = [f"| {'':18} | {' | '.join(f'{name:>5}' for name in names)} |", f"|{'---|' * (len(names) + 1)}"]
    for system, row in results.items():
        cells = [f"{row[name]:5.1f}" if name.startswith("p") else f"{row[name]:5.3f}" for name in names]
        rows.append(f"| {system:18} | {' | '.join(cells)} |")
    return "\n".join(rows)


def mean(results: Sequence[tuple[int, Mapping[str, float]]]) -> dict[str, float]:
    """Return the mean over suites, each counting by its questions."""
    total = sum(count for count, _ in results)
    return {name: sum(count * row[name] for count, row in results) / total for name in results[0][1]}


def load(path: Path) -> object:
    return json.loads(path.read_text("utf-8"))
