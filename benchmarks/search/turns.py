"""What clawgit adds to a turn: nothing where a message needs no memory, the needed lines where it does.

    python benchmarks/search/turns.py                       the sets of corpora/turns, but for the blind ones
    python benchmarks/search/turns.py --blind               only the blind ones; print totals alone
    python benchmarks/search/turns.py --misses              and each message that got too much, or too little
    python benchmarks/search/turns.py --enhanced            with vectors of MiniLM (see tests/search/minilm.py)

It is the day after the last journal of a set: on others a plan may be due, which would come with each message. Files
that OpenClaw shows by itself are passed as shown: a line of theirs is needed by no turn. `quiet` is the share of
messages without a need that get no line, `no hint` the share of them without a hint. `found` is the share of messages
with a need that get a needed line, by the words that message and line share; `hint` the share of those without any line
that get a hint instead. `precision` is the share of given lines that are needed.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from clawgit.context.addition import Addition, add_to_turn
from clawgit.context.receipt import Asked
from clawgit.file_roles import journal_day
from clawgit.workspace.workspace import open_workspace

SETS = Path(__file__).parents[2] / "corpora/turns"
SHOWN = ("AGENTS.md", "SOUL.md", "IDENTITY.md", "USER.md", "MEMORY.md")
GIT = ("git", "-c", "user.name=Bench", "-c", "user.email=bench@example.org")


@dataclass(frozen=True)
class Message:
    """A message, the turns before it, how it meets its needed lines, and those lines."""

    text: str
    before: tuple[str, ...]
    words: str
    all_needs: tuple[str, ...]
    shown: tuple[str, ...] = SHOWN

    @property
    def needs(self) -> list[str]:
        """The needed lines that the prompt does not show."""
        lines = (need.partition(": ") for need in self.all_needs)
        return [line for path, _, line in lines if path not in self.shown]


@dataclass(frozen=True)
class Turn:
    """A message with what was added to it, and the processor time that it took."""

    message: Message
    addition: Addition
    seconds: float = field(default=0.0)

    @property
    def right(self) -> int:
        """The number of needed lines that were given."""
        return sum(any(need in entry.text for entry in self.addition.entries) for need in self.message.needs)


def read_messages(place: Path) -> list[Message]:
    """Return the messages of a set."""
    rows = tomllib.loads(place.read_text("utf-8"))["message"]
    return [Message(row["text"], tuple(row.get("before", ())), row["words"], tuple(row["needs"])) for row in rows]


def adopt(name: str, scratch: Path, *, enhanced: bool = False) -> Path:
    """Return a workspace of its own with the memory of a set, and `enhanced` with its vectors."""
    root = scratch / name
    shutil.copytree(SETS / name, root)
    for words in (("init", "--quiet"), ("add", "-A"), ("commit", "--quiet", "-m", "the agent's memory")):
        subprocess.run([*GIT, *words], cwd=root, check=True)
    steps = [["adopt", str(root)]]
    if enhanced:
        steps += [["-C", str(root), "config", "embedder", "default"], ["-C", str(root), "memory", "index"]]
    for step in steps:
        subprocess.run(["clawgit", *step], check=True, capture_output=True)
    return root


def turns(name: str, messages: Sequence[Message], scratch: Path, *, enhanced: bool = False) -> list[Turn]:
    """Return what each message of a set gets."""
    results: list[Turn] = []
    days = [day for place in (SETS / name / "memory").iterdir() if (day := journal_day(f"memory/{place.name}"))]
    noon = datetime.combine(max(days) + timedelta(1), datetime.min.time(), UTC) + timedelta(hours=12)
    with open_workspace(adopt(name, scratch, enhanced=enhanced)) as workspace:
        workspace.clock = lambda: noon
        for message in messages:
            start = time.process_time()
            question = Asked("\n".join(message.before), message.text, shown=message.shown)
            addition = add_to_turn(workspace, question)
            results.append(Turn(message, addition, time.process_time() - start))
    return results


def place_model() -> None:
    """Put MiniLM where Chroma looks for it."""
    sys.path.insert(0, str(Path(__file__).parents[2]))
    from clawgit.search import vectors  # noqa: PLC0415 - Chroma asks for the home when it is imported
    from tests.search import minilm  # noqa: PLC0415

    run = vectors.minilm()
    minilm.place(Path(run.DOWNLOAD_PATH) / run.EXTRACTED_FOLDER_NAME)


def report(results: Sequence[Turn]) -> None:
    """Print the shares of one set of turns."""
    idle = [turn.addition for turn in results if not turn.message.needs]
    print(f"quiet {share([not item.entries for item in idle])} of {len(idle)}", end="; ")
    print(f"no hint {share([not item.hint for item in idle])}", end="; ")
    by_words = defaultdict[str, list[bool]](list)
    for turn in results:
        if turn.message.needs:
            by_words[turn.message.words].append(turn.right > 0)
            by_words["all"].append(turn.right > 0)
    rows = sorted(by_words.items())
    print("found", ", ".join(f"{name} {share(rights)} of {len(rights)}" for name, rights in rows), end="; ")
    bare = [turn.addition for turn in results if turn.message.needs and not turn.addition.entries]
    print(f"hint {share([item.hint for item in bare])} of {len(bare)}", end="; ")
    given = sum(len(turn.addition.entries) for turn in results)
    print(f"precision {sum(turn.right for turn in results) / max(given, 1):.3f} of {given}", end="; ")
    sizes = sorted(len(turn.addition.text) for turn in results)
    print(f"characters p90 {sizes[len(sizes) * 9 // 10]:,}, most {sizes[-1]:,}", end="; ")
    print(f"processor {1_000 * statistics.median(turn.seconds for turn in results):.0f} ms in the median")


def share(rights: Sequence[bool]) -> str:
    """Return the share of what is true, in percent."""
    return f"{100 * sum(rights) / max(len(rights), 1):.0f} %"


def main() -> None:
    """Measure every set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--blind", action="store_true")
    parser.add_argument("--misses", action="store_true")
    parser.add_argument("--enhanced", action="store_true")
    options = parser.parse_args()
    places = [place for place in sorted(SETS.glob("*.toml")) if (".blind" in place.name) == options.blind]
    all_rows: list[Turn] = []
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["HOME"] = scratch  # approvals stay out of the real one
        if options.enhanced:
            place_model()
        for place in places:
            name = place.name.partition(".")[0]
            results = turns(name, read_messages(place), Path(scratch), enhanced=options.enhanced)
            all_rows += results
            print(f"{name}: ", end="")
            report(results)
            for turn in results if options.misses and not options.blind else ():
                given, needs = turn.addition.entries, turn.message.needs
                if given if not needs else not turn.right:
                    print(f"  {'too much' if not needs else 'too little'}: {turn.message.text}")
                    for entry in given:
                        print(f"      {entry.score:.2f} {entry.text[:90]}")
    if all_rows:
        print("all: ", end="")
        report(all_rows)


if __name__ == "__main__":
    main()
