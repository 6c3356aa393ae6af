"""What a turn is given: nothing where a message needs no memory, the needed lines where it does.

    python benchmarks/search/turns.py                       the sets of corpora/turns, but for the blind ones
    python benchmarks/search/turns.py --blind               only the blind ones; print totals alone
    python benchmarks/search/turns.py --misses              and each message that got too much, or too little

Files that OpenClaw shows by itself are passed as shown: a line of theirs is needed by no turn. `quiet` is the share of
messages without a need that get no line, `found` the share of those with one that get a needed line, by the words that
message and line share. `precision` is the share of given lines that are needed.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import tempfile
import tomllib
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clawgit.context.assemble import assemble
from clawgit.context.receipt import Asked
from clawgit.workspace.workspace import open_workspace

SETS = Path(__file__).parents[2] / "corpora/turns"
SHOWN = ("AGENTS.md", "SOUL.md", "IDENTITY.md", "USER.md", "MEMORY.md")
GIT = ("git", "-c", "user.name=Bench", "-c", "user.email=bench@example.org")


@dataclass(frozen=True)
class Turn:
    """A message, how it meets its needed lines, those lines without the ones that the prompt shows, and the answer."""

    text: str
    words: str
    needed: tuple[str, ...]
    given: tuple[str, ...]
    characters: int

    @property
    def right(self) -> int:
        """The number of needed lines that were given."""
        return sum(any(need in line for line in self.given) for need in self.needed)


def turns(name: str, messages: list[dict[str, Any]], scratch: Path) -> list[Turn]:
    """Return what each message of a set gets in a workspace of its own."""
    root = scratch / name
    shutil.copytree(SETS / name, root)
    for words in (("init", "--quiet"), ("add", "-A"), ("commit", "--quiet", "-m", "the agent's memory")):
        subprocess.run([*GIT, *words], cwd=root, check=True)
    subprocess.run(["clawgit", "adopt", str(root)], check=True, capture_output=True)
    found: list[Turn] = []
    with open_workspace(root) as workspace:
        for message in messages:
            talk = "\n".join((*message.get("before", ()), f"user: {message['text']}"))
            asked = Asked(talk if message.get("before") else "", message["text"], shown=SHOWN)
            text = assemble(workspace, asked).text
            lines = tuple(line for line in text.splitlines() if line.lstrip().startswith("- "))
            needs = (need.partition(": ") for need in message["needs"])
            needed = tuple(line for path, _, line in needs if path not in SHOWN)
            found.append(Turn(message["text"], message["words"] if needed else "", needed, lines, len(text)))
    return found


def report(found: list[Turn]) -> None:
    """Print the shares of one set of turns."""
    idle = [turn for turn in found if not turn.needed]
    print(f"quiet {share([not turn.given for turn in idle])} of {len(idle)}", end="; ")
    by_words = defaultdict[str, list[bool]](list)
    for turn in found:
        if turn.needed:
            by_words[turn.words].append(turn.right > 0)
            by_words["all"].append(turn.right > 0)
    print("found", ", ".join(f"{name} {share(by_words[name])} of {len(by_words[name])}" for name in by_words), end="; ")
    given = sum(len(turn.given) for turn in found)
    print(f"precision {sum(turn.right for turn in found) / max(given, 1):.3f}", end="; ")
    print(f"characters {statistics.mean(turn.characters for turn in found):,.0f} in the mean")


def share(told: list[bool]) -> str:
    """Return the share of what is true, in percent."""
    return f"{100 * sum(told) / max(len(told), 1):.0f} %"


def main() -> None:
    """Measure every set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--blind", action="store_true")
    parser.add_argument("--misses", action="store_true")
    wanted = parser.parse_args()
    places = [place for place in sorted(SETS.glob("*.toml")) if (".blind" in place.name) == wanted.blind]
    every: list[Turn] = []
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["HOME"] = scratch  # approvals stay out of the real one
        for place in places:
            name = place.name.partition(".")[0]
            found = turns(name, tomllib.loads(place.read_text("utf-8"))["message"], Path(scratch))
            every += found
            print(f"{name}: ", end="")
            report(found)
            for turn in found if wanted.misses and not wanted.blind else ():
                if turn.given if not turn.needed else not turn.right:
                    print(f"  {'too much' if not turn.needed else 'too little'}: {turn.text}")
    if every:
        print("all: ", end="")
        report(every)


if __name__ == "__main__":
    main()
