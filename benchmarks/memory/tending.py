"""What two years of tending do to a workspace, and what is lost by it.

    python benchmarks/memory/tending.py   10,000 notes month by month, with tending and without; jobs, twice
    python benchmarks/memory/tending.py --data FOLDER   and conversations, asked before and after they became chronicles
    python benchmarks/memory/tending.py --plot FILE.svg   draws the two years

The notes are those of tests/years. Each month what others wrote by then is laid down, and the jobs run on its last
day. In the end every line that ever stood in a file must be in HEAD, or come back with one `clawgit restore`; a second
run must do nothing, and undoing the last ones must give back each byte.

Of the conversations (a folder with convert.py and a JSON file) every day is told in a chronicle. A line of evidence is
then where its words stand; one of which nothing stands any more counts as never found.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, timedelta
from datetime import time as clock
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib.apart import apart
from benchmarks.lib.plot import Line, drawn
from benchmarks.lib.results import keep
from benchmarks.search.told import asked
from clawgit import file_roles
from clawgit.agents import running
from clawgit.agents.memory_compactor import MemoryCompactor, Promoter
from clawgit.clock import confirm
from clawgit.errors import ClawgitError
from clawgit.git.repository import find
from clawgit.memory.compact import CompactionPlan
from clawgit.memory.promote import Wanted
from clawgit.openclaw import blank_forms
from clawgit.text.edit import append_under
from clawgit.text.tokens import count
from clawgit.workspace import bootstrap, restore, run_ledger, undo
from clawgit.workspace.capture_and_enforce import capture_all
from clawgit.workspace.workspace import Workspace
from tests.years import Made, make

SEED, NOTES = 17, 10_000
IDENTITY = ("-c", "user.name=Dana", "-c", "user.email=dana@example.org")


@dataclass(frozen=True)
class Month:
    """The memory file at the end of a month: characters, lines, the tokens that a prompt gets of it, the unseen rest.

    `files` are those below memory/.
    """

    day: str
    tended: bool
    characters: int
    lines: int
    tokens: int
    unseen: int
    files: int


class Years:
    """A workspace into which two years are laid down, month by month."""

    def __init__(self, folder: Path, made: Made, *, tended: bool) -> None:
        self.root, self.made, self.tended = folder, made, tended
        self.now = datetime.combine(min(made.days.values()), clock(23), UTC)
        folder.mkdir()
        (folder / "MEMORY.md").write_text("# MEMORY.md - Long-Term Memory\n")
        bootstrap.init(folder).workspace.close()
        self._lay(lambda day: day <= self.now.date())

    def opened(self) -> Workspace:
        """Open the workspace on its day."""
        return Workspace(find(self.root), lambda: self.now)

    def git(self, *arguments: str) -> str:
        """Return what git says."""
        result = subprocess.run(["git", "-C", self.root, *IDENTITY, *arguments], check=True, capture_output=True)
        return result.stdout.decode("utf-8", "replace")

    def until(self, day: date) -> Month:
        """Lay down what was written until a day, tend it, and measure."""
        since, self.now = self.now.date(), datetime.combine(day, clock(23), UTC)
        self._lay(lambda written: since < written <= day)
        if self.tended:
            self.tend()
        return self._measured()

    def _lay(self, expected: Callable[[date], bool]) -> None:
        for path, day in self.made.days.items():
            if path != "MEMORY.md" and expected(day):
                place = self.root / path
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(self.made.root / path, place, follow_symlinks=False)
        memory = self.root / "MEMORY.md"
        text = memory.read_text("utf-8")
        for item in self.made.entries:
            if expected(item.day):
                text = append_under(text, item.heading, item.line + "\n", create=True)
        memory.write_text(text, "utf-8")
        with self.opened() as workspace:
            capture_all(workspace)

    def tend(self) -> None:
        """Run every job that tends."""
        with self.opened() as workspace:
            running.apply(Promoter(Wanted(days=7)), workspace)
            confirm(workspace.repo, workspace.clock())
            running.apply(MemoryCompactor(CompactionPlan("quarterly", 90, remove=False, tend=False)), workspace)
            running.apply(MemoryCompactor(CompactionPlan("chronicle", 30, remove=True)), workspace)

    def _measured(self) -> Month:
        text = (self.root / "MEMORY.md").read_text("utf-8")
        cut = next((item for item in blank_forms.find_unseen({"MEMORY.md": text})), None)
        output = text if cut is None else text[: cut.head] + text[cut.head + cut.hidden - cut.size :]
        files = sum(1 for place in (self.root / "memory").rglob("*.md") if place.is_file())
        size = blank_forms.length(text)
        unseen = cut.hidden if cut else 0
        return Month(f"{self.now:%Y-%m-%d}", self.tended, size, text.count("\n"), count(output), unseen, files)


def month_ends(made: Made) -> Iterator[date]:
    day = min(made.days.values()).replace(day=28)
    while day < made.until:
        day = (day.replace(day=28) + timedelta(days=4)).replace(day=1)
        yield min(day - timedelta(days=1), made.until)
        day = day.replace(day=28)


def lost(years: Years) -> tuple[int, list[tuple[str, str]]]:
    """Return how many lines of the two years came back by a restore alone, and those that did not."""
    names = years.git("ls-tree", "-r", "--name-only", "-z", "HEAD").split("\0")
    texts = (place.read_bytes().decode("utf-8", "replace") for name in names if (place := years.root / name).is_file())
    stand = {_bare(line) for text in texts for line in text.split("\n")}
    back: dict[str, set[str]] = {}
    restored, missing = 0, []
    with years.opened() as workspace:
        for path, line in years.made.lines:
            if line in stand or not file_roles.is_captured(path) or file_roles.is_identity(path):
                continue
            if path not in back:
                back[path] = set(_versions(years, workspace, path))
            if line in back[path]:
                restored += 1
            else:
                missing.append((path, line))
    return restored, missing


def _versions(years: Years, workspace: Workspace, path: str) -> Iterator[str]:
    """Yield the lines that a restore of a file brings, as it was before clawgit first changed it, or was removed."""
    written = years.git("log", "--format=%H", "--author=unknown", "--", path).split()
    for commit in written:
        with suppress(ClawgitError):  # the file stands as it was there
            for edit in restore.restore(workspace, path, commit).edits:
                yield from (_bare(line) for line in (edit.text or "").split("\n"))


def _bare(line: str) -> str:
    return line.removesuffix("\r").removeprefix("\ufeff")


def proof(years: Years) -> dict[str, Any]:
    """Return what the last month proves: a second run, an undo of the last runs, every line."""
    head, started = years.git("rev-parse", "HEAD"), time.perf_counter()
    years.tend()
    again = time.perf_counter() - started
    noop = years.git("rev-parse", "HEAD") == head
    restored, missing = lost(years)
    with years.opened() as workspace:
        commits = run_ledger.find_run(workspace)[1]
        before = years.git("rev-parse", f"{commits[-1]}^").strip()
        for commit in commits:
            workspace.apply(undo.undo(workspace, commit))
    is_same = years.git("diff", "--stat", before, "HEAD", "--", ".", ":!.clawgit") == ""
    return {
        "lines": len(years.made.lines), "back by a restore": restored, "lost": len(missing), "examples": missing[:3],
        "second run does nothing": noop, "second run s": round(again, 1), "undone to the byte": is_same,
    }  # fmt: skip


def two_years(work: Path, notes: int) -> tuple[list[Month], dict[str, Any]]:
    product = make(work / "made", SEED, notes=notes)
    results: list[Month] = []
    started = time.perf_counter()
    for tended in (False, True):
        years = Years(work / f"{'tended' if tended else 'left'}", product, tended=tended)
        results += [years.until(day) for day in month_ends(product)]
    return results, {"seconds": round(time.perf_counter() - started, 1), **proof(years)}


def picture(results: list[Month]) -> str:
    """Return the two years as SVG."""
    months = [item.day[:7] for item in results if item.tended]
    pair = [
        (label, [item for item in results if item.tended is tended])
        for label, tended in (("left alone", False), ("tended", True))
    ]
    panels = (
        ("MEMORY.md, characters", [Line(label, [item.characters for item in group]) for label, group in pair], 20_000),
        ("tokens of it in every prompt", [Line(label, [item.tokens for item in group]) for label, group in pair], None),
        ("files below memory/", [Line(label, [item.files for item in group]) for label, group in pair], None),
    )
    return drawn(months, panels)


def main() -> None:
    apart()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="a folder with convert.py and conversations as JSON")
    parser.add_argument("--notes", type=int, default=NOTES)
    parser.add_argument("--plot", type=Path, help="where to put the picture")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="clawgit-tending-") as folder:
        work = Path(folder)
        months, proved = two_years(work, options.notes)
        answers = asked(options.data, work) if options.data else {}
    if options.plot:
        options.plot.write_text(picture(months), "utf-8")
    keep({"months": [asdict(item) for item in months], "proof": proved, "asked": answers})
    if options.json:
        print(json.dumps({"months": [asdict(item) for item in months], "proof": proved, "asked": answers}))
        return
    for item in months:
        print(item.day, "tended" if item.tended else "left  ", f"{item.characters:>7,} characters {item.lines:>4} lines"
              f" {item.tokens:>6,} tokens {item.unseen:>6,} unseen {item.files:>4} files")  # fmt: skip
    print("\n".join(f"{name:24} {value}" for name, value in proved.items()))
    for name, row in answers.items():
        print(name, " ".join(f"{key} {value:.3f}" for key, value in row.items()))


if __name__ == "__main__":
    main()
