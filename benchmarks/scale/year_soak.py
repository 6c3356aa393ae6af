"""Lets a workspace live a year on a clock of its own, and measures what grows.

    python benchmarks/scale/year_soak.py                  a year, five acts a day
    python benchmarks/scale/year_soak.py --days 120 --gc-auto 700     git packs ten times as often: several rounds of it

Each day an agent writes notes and rewrites a file before anybody has captured it, memories and journal notes are added,
captures are made, every fourth day something is corrected. Each night housekeeping is done as the scheduler does it,
with git's gc, and on Sundays the memory compactor, the conflict detector and the digest, too. The clock ends at the
present, and what lies loose in git's folder gets the time at which it was written by that clock: to git it is older
than its two weeks of grace, which is harder than life is. All lies in memory where there is room (/dev/shm), so that no
disk is waited for.

Printed for each month: commits; bytes of the working tree, of `.git`, of `.git/clawgit` and of the seen versions; loose
objects and packs; the memory of this process, in which all of the year is done, so that a leak would show; the median
milliseconds of a memory added. At the end every note that was ever written is looked for in what git has, and git
checks itself. Exit 1 when one is lost, or more lies loose than gc allows.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import time_machine

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib.results import keep
from clawgit.git.repository import find
from clawgit.schedule import worker
from clawgit.schedule.job_process import Order
from clawgit.workspace import bootstrap, memory_lines, seen_versions
from clawgit.workspace.capture_and_enforce import capture_all
from clawgit.workspace.workspace import Workspace

SLACK = 1_500
"""So many loose objects may lie there beyond those from which git packs: it guesses from one folder in 256."""
_SUBJECTS = ("the invoice of Zoë", "the relay in Bonn", "the garden", "the release", "the trip to Porto", "the printer")
_MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
_SUNDAY, _MONTH = 6, 30


@dataclass(frozen=True)
class Month:
    """How things stood at the end of a month; sizes in bytes."""

    day: int
    commits: int
    tree: int
    git: int
    ours: int
    seen: int
    loose: int
    packs: int
    rss: int
    add_ms: float


@dataclass
class Year:
    """The months, how often git packed, and what went wrong."""

    months: list[Month] = field(default_factory=list)
    acts: int = 0
    seconds: float = 0.0
    packed: int = 0
    gc_seconds: float = 0.0
    most_loose: int = 0
    lost: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


class Soak:
    """A workspace on a clock of its own."""

    def __init__(self, root: Path, days: int, acts: int, gc_auto: int) -> None:
        self.root, self.days, self.acts, self.gc_auto = root, days, acts, gc_auto
        self.year, self.notes, self.times = Year(), set[str](), list[float]()
        self.start = datetime.now(UTC).replace(hour=6, minute=0, second=0, microsecond=0) - timedelta(days=days)
        self.now = self.start
        self.known: set[str] = set()
        with time_machine.travel(self.now, tick=False):
            bootstrap.init(root).workspace.close()
            self._configure()

    def _configure(self) -> None:
        with (self.root / ".git/config").open("a") as config:
            config.write("[user]\n\tname = Ada\n\temail = ada@example.org\n")
            config.write(f"[gc]\n\tauto = {self.gc_auto}\n")
        place = self.root / "CONFIG.md"
        place.write_text(place.read_text().replace("```yaml\n", "```yaml\ncompaction: chronicle\n", 1))

    def opened(self) -> Workspace:
        """Open the workspace at its moment."""
        return Workspace(find(self.root), lambda: self.now)

    def live(self) -> Year:
        """Let all the days go by."""
        began = time.perf_counter()
        for day in range(1, self.days + 1):
            self._day(day)
            self._night()
            if day % _MONTH == 0 or day == self.days:
                self._measure(day)
        self._look_for_all()
        self.year.seconds = time.perf_counter() - began
        return self.year

    def _note(self, words: str) -> str:
        """Return a note that nothing is like: what is like another one would be told as a conflict, each day anew."""
        number = 3 * len(self.notes)
        mark = _name(number)
        self.notes.add(mark)
        return f"{mark} {_name(number + 1)} {words} {_name(number + 2)}"

    def _day(self, day: int) -> None:
        with self.opened() as workspace:
            self._acts(day, workspace)

    def _acts(self, day: int, workspace: Workspace) -> None:
        for act in range(self.acts):
            self.now += timedelta(hours=14) / self.acts
            subject = _SUBJECTS[(day + act) % len(_SUBJECTS)]
            kind = act % 5
            if kind in (0, 3):
                self._notes_of_the_agent(workspace, subject, act)
            elif kind == 1:
                self._remember(workspace, f"of {subject}")
            elif kind == 2:
                workspace.apply(memory_lines.add_note(workspace, self._note(f"to {subject}")))
            elif day % 4 == 0:
                self._correct(day)
            self.year.acts += 1

    def _notes_of_the_agent(self, workspace: Workspace, subject: str, act: int) -> None:
        """Append to the day's notes, rewrite a file that was seen in between, and capture what stands."""
        place = self.root / f"memory/{self.now:%Y-%m-%d}.md"
        with place.open("a") as file:
            file.write(f"- {self._note(f'at {subject}')}\n")
        draft = self.root / "memory/plans.md"
        repo = find(self.root)
        for version in range(4):
            text = f"# Plans\n\n- {subject}: draft {act}.{version} of {self.now:%Y-%m-%d}\n" + "- and so on\n" * 40
            draft.write_text(text)
            seen_versions.keep_blob(repo, "memory/plans.md", text.encode(), self.now.timestamp() + version)
        capture_all(workspace)

    def _remember(self, workspace: Workspace, text: str) -> None:
        began = time.perf_counter()
        workspace.apply(memory_lines.make_addition(workspace, self._note(text)).change)
        self.times.append(1000 * (time.perf_counter() - began))

    def _correct(self, day: int) -> None:
        from clawgit.cli.main import main  # noqa: PLC0415 - the only act by the command line

        here = Path.cwd()
        os.chdir(self.root)
        try:
            with time_machine.travel(self.now, tick=False), Path(os.devnull).open("w") as nowhere:
                stdout, stderr, sys.stdout, sys.stderr = sys.stdout, sys.stderr, nowhere, nowhere
                try:
                    main(["correct", f"the meeting of week {day // 7} is on Tuesday, not Monday"])
                finally:
                    sys.stdout, sys.stderr = stdout, stderr
        finally:
            os.chdir(here)

    def _night(self) -> None:
        """Do what the scheduler does by night, on this clock, and let git's files be as old as they are by it."""
        self._age()
        self.now += timedelta(hours=10)
        jobs = ["housekeeping"]
        if self.now.weekday() == _SUNDAY:
            jobs = ["memory-compactor", "conflict-detector", "housekeeping", "digest"]
        packs = self._packs()
        for job in jobs:
            began = time.perf_counter()
            did = worker.do_job(Order(job, str(self.root), self.now.isoformat(), 0.0, 600.0, 0), lambda: False)
            if job == "housekeeping":
                self.year.gc_seconds = max(self.year.gc_seconds, time.perf_counter() - began)
            if did.result not in ("done", "nothing"):
                self.year.wrong.append(f"{self.now:%Y-%m-%d} {job}: {did.result} {did.error}")
        self.year.packed += self._packs() != packs

    def _age(self) -> None:
        """Give what is new in git's folder the time that it was written at by this clock."""
        moment, results = self.now.timestamp(), set[str]()
        for place in self._loose():
            results.add(place)
            if place not in self.known:
                os.utime(place, (moment, moment))
        self.known = results
        self.year.most_loose = max(self.year.most_loose, len(results))

    def _loose(self) -> Iterator[str]:
        for folder in os.scandir(self.root / ".git/objects"):
            if len(folder.name) == 2:
                yield from (item.path for item in os.scandir(folder))

    def _packs(self) -> tuple[str, ...]:
        return tuple(sorted(place.name for place in (self.root / ".git/objects/pack").glob("*.pack")))

    def _measure(self, day: int) -> None:
        git = self.root / ".git"
        ours = _size(git / "clawgit")
        everything = _size(self.root)
        results = Month(
            day,
            int(self._git("rev-list", "--count", "HEAD")),
            everything - _size(git),
            _size(git) - ours,
            ours,
            sum(_size(place) for place in (git / "clawgit/state").glob("seen.db*")),
            sum(1 for _ in self._loose()),
            len(self._packs()),
            _rss(),
            round(statistics.median(self.times[-100:]), 1),
        )
        self.year.months.append(results)
        print(f"day {day} of {self.days}", file=sys.stderr)

    def _look_for_all(self) -> None:
        """Look for each note in everything that git has of the branch, and have git check itself."""
        everything = self._git("log", "-p", "--format=", "HEAD")
        self.year.lost = sorted(item for item in self.notes if item not in everything)
        here = "".join(p.read_text("utf-8") for p in self.root.rglob("*.md") if ".git" not in p.parts)
        self.year.wrong += [
            f"not on disk in any file: {n}" for n in (sum(item not in here for item in self.notes),) if n
        ]
        self._git("fsck", "--strict")
        if self.year.most_loose > self.gc_auto + SLACK:
            self.year.wrong.append(f"{self.year.most_loose} loose objects at once")

    def _git(self, *arguments: str) -> str:
        result = subprocess.run(["git", "-C", self.root, *arguments], check=True, capture_output=True)
        return result.stdout.decode("utf-8", "replace")


def _name(number: int) -> str:
    """Return a word that nothing else is called."""
    syllables = ("ba", "do", "ki", "lu", "me", "no", "ra", "si", "to", "vu")
    return "".join(syllables[int(digit)] for digit in f"{number * 7919 % 100_000:05}").title()


def _size(place: Path) -> int:
    if place.is_file():
        return place.stat().st_size
    return sum(item.lstat().st_size for item in place.rglob("*") if item.is_file())


def _rss() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def show(year: Year) -> None:
    print("   day  commits   tree KB   .git KB   ours KB   seen KB    loose    packs    RSS MB   add ms")
    for item in year.months:
        sizes = (item.tree, item.git, item.ours, item.seen)
        row = (
            item.day,
            item.commits,
            *(size // 1024 for size in sizes),
            item.loose,
            item.packs,
            item.rss >> 20,
            item.add_ms,
        )
        print("".join(f"{value:>10,}" if index else f"{value:>6,}" for index, value in enumerate(row)))
    print(f"\n{year.acts:,} acts in {year.seconds:.0f} s; git packed on {year.packed} nights, the longest housekeeping")
    print(f"took {year.gc_seconds:.1f} s; at most {year.most_loose:,} objects lay loose; {len(year.lost)} notes lost")
    for words in year.wrong[:10]:
        print(f"wrong: {words}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--acts", type=int, default=5, help="a day")
    parser.add_argument("--gc-auto", type=int, default=6_700, help="loose objects from which git packs (its default)")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="clawgit-soak-", dir=_MEMORY)).resolve()
    os.environ.update(HOME=str(folder), XDG_STATE_HOME=str(folder / "state"), GIT_CONFIG_GLOBAL=os.devnull, TZ="UTC")
    os.environ.update(OPENCLAW_STATE_DIR=str(folder / "oc"), GIT_CONFIG_SYSTEM=os.devnull)
    try:
        subprocess.run(["git", "init", "-q", "-b", "main", folder / "ws"], check=True)
        year = Soak(folder / "ws", options.days, options.acts, options.gc_auto).live()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    keep(asdict(year))
    if options.json:
        print(json.dumps(asdict(year), indent=1))
    else:
        show(year)
    return 1 if year.lost or year.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
