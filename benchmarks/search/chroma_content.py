"""What Chroma holds of the entries of memory, read with Chroma's own client, as weeks go by.

    python benchmarks/search/chroma_content.py                     after a correction, its week, two months of silence,
                                                                   their days of grace, a compaction
    python benchmarks/search/chroma_content.py --embedder default  the same with MiniLM (see enhanced_rows.py)

The memories are added, corrected and compacted by clawgit's own agents, in a workspace of its own. By default vectors
count words, so that no model is needed; the extra `enhanced` is.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib.results import keep
from benchmarks.memory.corrections_live import _acted
from clawgit.agents import running
from clawgit.agents.memory_compactor import MemoryCompactor
from clawgit.clock import confirm
from clawgit.git.repository import find
from clawgit.memory.compact import CompactionPlan
from clawgit.memory.corrected_values import SpokenTurn
from clawgit.search import meaning
from clawgit.search.embedder import URL
from clawgit.workspace import bootstrap, memory_lines
from clawgit.workspace.workspace import Workspace
from tests.search.embedders import serving, well

START = datetime(2026, 5, 1, 9, tzinfo=UTC)
PLUMBER = "The plumber is called Imre."
MEMORIES = (
    ("The boiler pressure is 1.2 bar.", "knowledge"),
    (PLUMBER, "knowledge"),
    ("Chose REST over GraphQL for the public API.", "decision"),
    ("The spare key hangs behind the green cabinet door.", "knowledge"),
)
TALK = (
    SpokenTurn("operator", "What was the boiler pressure?"),
    SpokenTurn("agent", "The boiler pressure is 1.2 bar."),
    SpokenTurn("operator", "No, the boiler pressure is 1.8 bar, not 1.2 bar."),
)
COLUMNS = ("id", "tag", "correction", "status", "confidence", "last_seen", "mention_count", "flagged", "leaves_after")


class Life:
    """A workspace that is opened on one day after another."""

    def __init__(self, root: Path, embedder: str) -> None:
        self.root, self.day = root, 0
        root.mkdir()
        (root / "MEMORY.md").write_text("# Memory\n", "utf-8")
        (root / "CONFIG.md").write_text(f"```yaml\nembedder: {embedder}\n```\n", "utf-8")
        bootstrap.init(root).workspace.close()

    def opened(self) -> Workspace:
        return Workspace(find(self.root), lambda: START + timedelta(days=self.day))

    def content(self) -> list[dict[str, object]]:
        """Bring the vectors up as the `vector-hygiene` job does, and return what Chroma's own client then lists."""
        import chromadb  # noqa: PLC0415 - an extra

        with self.opened() as workspace:
            meaning.build_vectors(workspace)
            home = meaning.Home.of(workspace)
        client = chromadb.PersistentClient(str(home.chroma))
        try:
            results = client.get_collection(f"{home.name}-{meaning.ENTRIES}", embedding_function=None).get()
            return [{"id": name, **row} for name, row in zip(results["ids"], results["metadatas"], strict=True)]
        finally:
            client.close()


def steps(life: Life) -> Iterator[tuple[str, list[dict[str, object]]]]:
    with life.opened() as workspace:
        for text, tag in MEMORIES:
            workspace.apply(memory_lines.make_addition(workspace, text, tag=tag).change)
    yield "four memories", life.content()
    life.day = 1
    with life.opened() as workspace:
        _acted(workspace, TALK)
        workspace.apply(memory_lines.make_addition(workspace, PLUMBER).change)
    yield "a day later: one is corrected, another mentioned again", life.content()
    for life.day, title in (
        (8, "the last day of grace"),
        (9, "a week and a day after the correction"),
        (60, "sixty days without a word"),
        (61, "the day after: flagged"),
        (68, "the grace of these is over"),
    ):
        yield title, life.content()
    life.day = 500
    yield "long after, before the compaction", life.content()
    with life.opened() as workspace:
        confirm(workspace.repo, workspace.clock())  # the clock of a machine does not leap by a year
        running.apply(MemoryCompactor(CompactionPlan("chronicle", 30, remove=True)), workspace)
    yield "after the compaction, which the one that nobody is sure of any more left", life.content()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--embedder", default="", help="as in CONFIG.md; default: one that counts words")
    options = parser.parse_args()
    figures = {}
    with serving(well(256)) as server, tempfile.TemporaryDirectory(prefix="clawgit-content-") as folder:
        if not options.embedder:
            os.environ[URL] = server.url
        life = Life(Path(folder) / "ws", options.embedder or "openai:words")
        for title, rows in steps(life):
            figures[title] = rows
            print(f"\nday {life.day}, {title}: {len(rows)} vectors\n")
            print(f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}")
            for row in sorted(rows, key=lambda row: (str(row["status"]), str(row["id"]))):
                print(f"| {' | '.join(str(row[name]) for name in COLUMNS)} |")
        print(f"\nMEMORY.md in the end:\n\n{(life.root / 'MEMORY.md').read_text('utf-8')}")
    keep(figures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
