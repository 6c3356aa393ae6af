"""Random half-days of an owner, an agent, an editor with an old buffer, and clawgit: whom a capture overruled.

    python benchmarks/writes/half_days.py                         200 half-days, half of them in each mode
    python benchmarks/writes/half_days.py --days 10000 --jobs 2   the soak
    python benchmarks/writes/half_days.py --seed 17 --days 1 --trace

Six hours on a clock of their own, in a fresh repository. The owner edits, rewords, deletes and splits lines, some of
them clawgit's, five seconds to hours after they came, with or without another edit in the same save, now and then with
a commit. The agent reads files and writes them back whole later on; its calls are in a transcript. An editor saves what
it opened a while ago. clawgit keeps memories, corrects them, and undoes what it kept. A capture runs every 6 seconds
or every 5 minutes: those during which nothing happened are left out, one of them in ten runs nevertheless.

A version that the next save replaces before any capture looked has left no trace: whether the owner removed a line in
it, nobody can know. A line put back although he had is counted apart (`put back unseen`).

Counted are: lines that the owner removed or reworded, and that a capture or clawgit's own write put back (`put back`);
lines that clawgit had removed (by undo or correct), that somebody's save brought back, and that stood after the next
capture without an open item of their file (`reversed`); lines that a capture saw and that are now neither in history
nor on the disk (`lost`); files that a capture changed and whose last writer was not the agent from an older reading
(`changed`); lines that such a merge brought or took although the commit before it did not have it so (`merged amiss`);
files with more than one open item (`doubled`). Exit 1 when one of them is not 0. Beside them: lines of others that a
merge brought or took, as they were committed (`merged others`); lines of clawgit's that a save took away (`gone`), and
those of them that were neither back nor an item after the next capture (`gone unnoticed`), of which somebody may have
reworded some.
"""

import argparse
import heapq
import json
import math
import multiprocessing
import random
import sys
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib.agent_session import AgentSession
from benchmarks.lib.clocked_workspace import START, ClockedWorkspace, Homes, lines
from benchmarks.lib.results import keep
from benchmarks.lib.sentences import Author, flat
from clawgit.errors import ClawgitError

JOURNAL = f"memory/{START:%Y-%m-%d}.md"
PATHS = ("MEMORY.md", "memory/house.md", JOURNAL, "AGENTS.md")
WEIGHTS = (6, 2, 2, 1)
HOT = 0.75
"""The share of acts that are about one file, so that writers meet."""
MODES = (6, 300)
"""Seconds from one capture to the next."""
HALF_DAY = 6 * 3600
PAUSES = (5, 30, 120, 14 * 60, 3600, 3 * 3600)
"""Seconds from a line to who reacts to it, and from a reading to the save."""
BAD = ("put back", "reversed", "lost", "changed", "merged amiss", "doubled")
KNOWN = ("saves", "stale saves", "agent's stale writes", "merged", "clawgit's writes", "captures", "files with items")
KNOWN += ("put back unseen", "merged others", "came back", "gone", "gone unnoticed")
_now = time.perf_counter


@dataclass
class Buffer:
    """A text that somebody read, of the file at `path`, and when."""

    path: str
    text: str
    moment: float


@dataclass
class Tally:
    """What was counted in some half-days, and the first of what went wrong."""

    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    refusals: Counter[str] = field(default_factory=Counter)

    def add(self, other: "Tally") -> None:
        """Add another one."""
        self.counts += other.counts
        self.wrong += other.wrong
        self.refusals += other.refusals


class HalfDay:
    """One of them, with what everybody meant by what they did."""

    def __init__(self, homes: Homes, seed: int, every: int, *, trace: bool) -> None:
        self.seed, self.every, self.trace = seed, every, trace
        self.pick = random.Random(f"half-day {seed}")
        self.author = Author(self.pick)
        self.place: ClockedWorkspace = homes.copy()
        self.agent = AgentSession(self.place.home, f"half-day {seed}")
        self.tally = Tally()
        self.begin = START.timestamp() + 60
        self.hot = self.pick.choices(PATHS, WEIGHTS)[0]
        self.queue: list[tuple[float, int, str, Buffer | str | None]] = []
        self.numbers = count()
        self.removed_by: dict[tuple[str, str], str] = {}  # (path, line) → who removed it last
        self.unseen: set[tuple[str, str]] = set()  # removed by the owner since the last look
        self.came_back: dict[tuple[str, str], float] = {}
        self.gone: dict[tuple[str, str], float] = {}
        self.ours: dict[str, dict[str, float]] = {path: {} for path in PATHS}  # lines of clawgit's, and when
        self.touched: dict[str, list[float]] = {path: [] for path in PATHS}  # when clawgit wrote
        self.stale_agent: set[str] = set()
        self.committed: dict[str, str | None] = {}  # as HEAD had it before a capture
        self.undoable: list[tuple[str, str, list[str]]] = []
        self.seen: set[str] = set()
        self.dirty = False

    # what happens
    def live(self) -> Tally:
        """Live through it, and return what was counted."""
        try:
            self._make_files()
            self._plan()
            self._go_on()
            self._look_back()
        finally:
            self.place.remove()
        self.tally.refusals += self.place.refusals
        self.tally.counts["days"] += 1
        return self.tally

    def _make_files(self) -> None:
        pick = self.pick
        for path in PATHS:
            size = pick.choice((3, 5, 9, 25) if path == "MEMORY.md" else (2, 4, 7))
            rows = [f"# {Path(path).stem}"]
            for title in pick.sample(["Knowledge", "People", "Decisions", "Open ends"], 2):
                rows += ["", f"## {title}", "", *(f"- {self.author.words()}" for _ in range(size))]
            self.place.write(path, "\n".join(rows) + "\n")
        self.place.capture()

    def _plan(self) -> None:
        pick = self.pick
        for act, least, limit in (("keep", 1, 2), ("owner", 1, 2), ("agent opens", 0, 2), ("editor opens", 0, 1)):
            for _ in range(pick.randint(least, limit)):
                self._later(self.begin + pick.uniform(0, HALF_DAY - 3600), act)
        self._later(self.begin, "keep")  # something that can be undone while somebody reads it

    def _later(self, moment: float, act: str, what: Buffer | str | None = None) -> None:
        heapq.heappush(self.queue, (moment, next(self.numbers), act, what))

    def _go_on(self) -> None:
        acts = {
            "keep": self._keep,
            "owner": self._owner,
            "react": self._react,
            "agent opens": self._agent_opens,
            "agent saves": self._agent_saves,
            "editor opens": self._editor_opens,
            "editor saves": self._editor_saves,
            "undo": self._undo,
            "fix": self._fix,
        }
        while self.queue:
            moment, _, act, what = heapq.heappop(self.queue)
            self.place.wait_until(moment)
            acts[act](what)
            due = math.ceil((moment + 0.5) / self.every) * self.every
            if not self.queue or self.queue[0][0] > due:
                self._capture(due)

    def _say(self, words: str) -> None:
        if self.trace:
            print(f"{time.strftime('%H:%M:%S')} {words}")

    def _path(self) -> str:
        return self.hot if self.pick.random() < HOT else self.pick.choices(PATHS, WEIGHTS)[0]

    # clawgit
    def _keep(self, what: object) -> None:
        """Have clawgit keep something; now and then somebody reacts to it."""
        words, path = self.author.words(), what if isinstance(what, str) else self._path()
        before = self.place.read(path)
        try:
            if path == "MEMORY.md":
                with self.place.memory() as memory:
                    change = memory.add(words, tag=self.pick.choice(["knowledge", "decision"])).applied.change
            elif path == JOURNAL:
                change = ""
                self.place.run("journal", "add", words)
            else:
                change = self._insert(path, before, words)
        except ClawgitError as error:
            self.tally.refusals[f"keep: {error.message}"] += 1
            return
        self._follow_ours(path, before, [words], [])
        row = next((row for row in self.place.read(path).split("\n") if words in row), "")
        self._say(f"clawgit keeps in {path}: {row}")
        if change and row:
            self.undoable.append((change, path, [row]))
        if row and self.pick.random() < 0.5:
            self._later(time.time() + self.pick.choice(PAUSES), "react", Buffer(path, row, time.time()))

    def _insert(self, path: str, before: str, words: str) -> str:
        rows = before.split("\n")
        number = self.pick.choice([number for number, row in enumerate(rows) if row.startswith("- ")] or [0]) + 1
        rows[number:number] = [f"- {words}"]
        return self.place.apply("memory: a line", path, "\n".join(rows)).change

    def _undo(self, what: object) -> None:
        """Have clawgit take back something that it kept in a file."""
        fitting = [item for item in self.undoable if item[1] == what]
        if not fitting:
            return
        change, path, rows = self.pick.choice(fitting)
        self.undoable.remove((change, path, rows))
        before = self.place.read(path)
        try:
            with self.place.memory() as memory:
                memory.undo(change)
        except ClawgitError:
            return
        self._say(f"clawgit undoes in {path}: {rows}")
        self._follow_ours(path, before, [], rows)

    def _fix(self, _: object) -> None:
        """Have clawgit correct a memory, as the owner says."""
        path = "MEMORY.md"
        before = self.place.read(path)
        rows = [row for row in before.split("\n") if row.startswith("- ") and "<!--" not in row]
        if not rows:
            return
        old = self.pick.choice(rows)
        name = _entry_id(self.place.run("memory", "list", "--json")[1], old)
        if not name:
            return
        words = self.author.words()
        if self.place.run("correct", words, "--about", name)[0] == 0:
            self._say(f"clawgit corrects {old!r}: {words}")
            self._follow_ours(path, before, [words], [old])

    def _follow_ours(self, path: str, before: str, addition: Iterable[str], removed: Iterable[str]) -> None:
        """Note a write of clawgit's, and whether it did more than it was asked for."""
        now, after = time.time(), self.place.read(path)
        self.seen |= set(lines(before))
        self.tally.counts["clawgit's writes"] += 1
        self.dirty = True
        self.touched[path].append(now)
        expected, unwanted = list(map(flat, addition)), list(removed)
        for row in lines(after) - lines(before):
            self.ours[path][row] = now
            if not any(words in flat(row) for words in expected):
                self._check_put_back(path, row, "clawgit's own write")
            self.removed_by.pop((path, row), None)
        for row in lines(before) - lines(after):
            if row in unwanted:
                self.removed_by[path, row] = "clawgit"
        self.unseen = {item for item in self.unseen if item[0] != path}
        if expected or unwanted:
            self._drop_stale(path, before, after)

    def _drop_stale(self, path: str, before: str, after: str) -> None:
        """Note that the bytes on the disk are no longer just what the agent wrote."""
        if before != after:
            self.stale_agent.discard(path)

    # the owner
    def _owner(self, what: object) -> None:
        path = what if isinstance(what, str) else self._path()
        text = self.place.read(path)
        rows = text.split("\n")
        for _ in range(self.pick.choice((1, 1, 2))):
            rows = self._owners_edit(rows)
        self._save(path, text, "\n".join(rows), "owner")

    def _owners_edit(self, rows: list[str]) -> list[str]:
        pick, results = self.pick, [number for number, row in enumerate(rows) if row.startswith("- ")]
        if not results or pick.random() < 0.3:
            return [*rows[:-1], f"- {self.author.words()}", ""]
        return self._treat(rows, pick.choice(results))

    def _treat(self, rows: list[str], number: int) -> list[str]:
        """Return the lines with one of them reworded, corrected, deleted or split."""
        row, pick = rows[number], self.pick
        words = row.removeprefix("- ").split(" ")
        half = len(words) // 2
        ways = {
            "reword": [f"- {' '.join([*words[:-1], pick.choice(['soon', 'later', 'on foot'])])}, {words[0]} says"],
            "correct": [f"- {' '.join(words[:half])} {pick.randrange(10, 99)} {' '.join(words[half + 1 :])}".rstrip()],
            "delete": [],
            "split": [f"- {' '.join(words[:half])}", f"- {' '.join(words[half:])}"],
            "rewrite": [f"- {self.author.words()}"],
        }
        return [*rows[:number], *ways[pick.choice(list(ways))], *rows[number + 1 :]]

    def _react(self, what: object) -> None:
        """Let the owner treat a line of clawgit's that is still there, alone or with another edit."""
        assert isinstance(what, Buffer)
        text = self.place.read(what.path)
        rows = text.split("\n")
        if what.text not in rows:
            return
        rows = self._treat(rows, rows.index(what.text))
        if self.pick.random() < 0.5:
            rows = self._owners_edit(rows)
        self._save(what.path, text, "\n".join(rows), "owner")

    # those with an older reading
    def _open(self, path: str, save: str) -> None:
        """Let somebody read a file now and save it later; as a rule clawgit, or the owner, writes in between."""
        now, pause = time.time(), self.pick.choice(PAUSES)
        self._later(now + pause, save, Buffer(path, self.place.read(path), now))
        for act in ("keep", "undo", "fix", "owner"):
            if self.pick.random() < {"keep": 0.4, "undo": 0.4, "fix": 0.15, "owner": 0.15}[act]:
                self._later(now + pause * self.pick.uniform(0.1, 0.95), act, path)

    def _editor_opens(self, _: object) -> None:
        path = self._path()
        self._say(f"editor opens {path}")
        self._open(path, "editor saves")

    def _editor_saves(self, what: object) -> None:
        assert isinstance(what, Buffer)
        text = "\n".join(self._owners_edit(what.text.split("\n")))
        self._save(what.path, what.text, text, "editor")
        if self.pick.random() < 0.3:  # the buffer stays open, and is saved once more
            self._later(time.time() + self.pick.choice(PAUSES), "editor saves", Buffer(what.path, text, time.time()))

    def _agent_opens(self, _: object) -> None:
        path = self._path()
        text = self.place.read(path)
        self.agent.hear("Please tidy up what you know.")
        self.agent.read(path, text)
        self._say(f"agent reads {path}")
        self._open(path, "agent saves")

    def _agent_saves(self, what: object) -> None:
        assert isinstance(what, Buffer)
        rows = what.text.split("\n")
        results = [number for number, row in enumerate(rows) if row.startswith("- ")]
        number = self.pick.choice(results) if results else len(rows) - 1
        if self.pick.random() < 0.5 or not results:
            rows[number:number] = [f"- {self.author.words()}"]
        else:
            rows[number] = f"{rows[number].rstrip('.')}, {self.pick.choice(['checked', 'as agreed'])}"
        text = "\n".join(rows)
        self.agent.write(what.path, text)
        self._save(what.path, what.text, text, "agent")
        if any(moment > what.moment for moment in self.touched[what.path]):
            self.tally.counts["agent's stale writes"] += 1
            self.stale_agent.add(what.path)

    def _save(self, path: str, read: str, text: str, person: str) -> None:
        """Write a file, and note what its writer meant: only what they removed from what they had read."""
        before, now = self.place.read(path), time.time()
        stamp = self.pick.choice([None, None, None, now - 90_000, now + 90_000])
        self.place.write(path, text, stamp, rename=person != "agent" and self.pick.random() < 0.3)
        self.dirty = True
        self.stale_agent.discard(path)
        self.tally.counts["saves"] += 1
        self.tally.counts["stale saves"] += read != before
        self._say(f"{person} saves {path}" + (" from an older reading" if read != before else ""))
        if person != "agent":
            for row in lines(read) - lines(text):
                self.removed_by[path, row] = "owner"
                self.unseen.add((path, row))
                self._say(f"    removes {row!r}")
        for row in lines(before) - lines(text):
            if row in self.ours[path]:
                self.gone[path, row] = now
                self.tally.counts["gone"] += 1
        for row in lines(text) - lines(before):
            if self.removed_by.get((path, row)) == "clawgit":
                self.came_back[path, row] = now
                self.tally.counts["came back"] += 1
                self._say(f"    brings back {row!r}")
            elif person != "agent" or row not in lines(read):
                self.removed_by.pop((path, row), None)
        if person == "owner" and self.pick.random() < 0.2:
            self.place.git("commit", "--quiet", "--allow-empty", "-m", "by hand", "--", path)
            self._say("    and commits it")

    # captures
    def _capture(self, due: float) -> None:
        """Capture, and hold what it did against what everybody meant."""
        self.place.wait_until(due)
        if self.agent.grown and self.pick.random() < 0.9:
            self.place.import_session(self.agent.place)
            self.agent.grown = False
        before = self.place.texts()
        for text in before.values():
            self.seen |= set(lines(text))
        self.committed = {path: self.place.committed(path) for path in self.stale_agent}
        open_before = set(self.place.items()) if self.trace else set()
        self.place.capture()
        self.tally.counts["captures"] += 1
        self._compare(before)
        self.unseen.clear()
        if self.trace and (fresh := set(self.place.items()) - open_before):
            self._say(f"capture: {len(fresh)} new items")
        if self.pick.random() < 0.1:
            self.place.wait(self.every)
            before = self.place.texts()
            self.place.capture()
            self._compare(before)

    def _compare(self, before: dict[str, str]) -> None:
        after = self.place.texts()
        for path in before.keys() | after.keys():
            old, new = before.get(path, ""), after.get(path, "")
            if old != new:
                self._look_at_change(path, old, new)
        for (path, row), moment in self.came_back.items():
            if row not in lines(after.get(path, "")):
                self.removed_by[path, row] = "clawgit"
            elif not self._has_item(path, row, moment):
                self._complain("reversed", f"{path}: {row!r} is back")
        for (path, row), moment in self.gone.items():
            stands = row in lines(after.get(path, ""))
            self.tally.counts["gone unnoticed"] += not stands and not self._has_item(path, row, moment)
        self.came_back, self.gone = {}, {}

    def _has_item(self, path: str, row: str, moment: float) -> bool:
        """Tell whether a file has an open item that is younger than a save, or has this line."""
        with self.place.memory() as memory:
            open_ones = [item for item in memory.inbox() if path in item.paths]
            texts = (text or "" for item in open_ones for text in item.texts.get(path, ()))
            return any(item.opened.timestamp() >= moment - 1 for item in open_ones) or any(
                row in text for text in texts
            )

    def _look_at_change(self, path: str, old: str, new: str) -> None:
        came, went = lines(new) - lines(old), lines(old) - lines(new)
        self._say(f"capture changes {path}: +{list(came)} -{list(went)}")
        for row in came:
            self._check_put_back(path, row, "a capture")
        if path not in self.stale_agent:
            self._complain("changed", f"{path}: +{len(came)} -{len(went)}")
            return
        self.tally.counts["merged"] += 1
        self.touched[path].append(time.time())  # a later save from a reading before this merge is stale, too
        ours, committed = self.ours.get(path, {}), lines(self.committed.get(path) or "")
        others = [row for row in came if row not in ours]
        others += [row for row in went if row not in ours and self.removed_by.get((path, row)) != "clawgit"]
        self.tally.counts["merged others"] += len(others)
        for row in others:
            if (row in committed) != (row in came):
                self._complain("merged amiss", f"{path}: {row!r}")

    def _check_put_back(self, path: str, row: str, person: str) -> None:
        if self.removed_by.get((path, row)) == "owner":
            del self.removed_by[path, row]
            if (path, row) in self.unseen:
                self.tally.counts["put back unseen"] += 1
            else:
                self._complain("put back", f"{path}: {row!r}, by {person}")

    def _complain(self, what: str, words: str) -> None:
        self._say(f"!!! {what}: {words}")
        self.tally.counts[what] += 1
        self.tally.wrong.append(f"{what}: seed {self.seed}, every {self.every} s: {words}")

    def _look_back(self) -> None:
        """Look once more at the end: that a last capture changes nothing, and that nothing is lost."""
        self.agent.answer("Done.")
        self.place.import_session(self.agent.place)
        self._capture(time.time() + self.every)
        self._capture(time.time() + 2 * self.every)
        stands = {row for text in self.place.texts().values() for row in lines(text)}
        if losses := self.seen - stands - self.place.history_lines():
            self._complain("lost", f"{sorted(losses)[:3]}")
            self.tally.counts["lost"] += len(losses) - 1
        for path in PATHS:
            items = self.place.items(path)
            self.tally.counts["files with items"] += bool(items)
            if len(items) > 1:
                self._complain("doubled", f"{path}: {len(items)} items")


def _entry_id(paths: str, row: str) -> str:
    """Return the id of the entry with a line's words, "" for none."""
    words = flat(row.partition(" #")[0])
    results = json.loads(paths) if paths else []
    rows = results if isinstance(results, list) else results.get("memories", [])
    return next((row["id"] for row in rows if flat(row["text"].partition(" #")[0]) == words), "")


def live(task: tuple[list[int], bool, list[int]]) -> dict[int, Tally]:
    """Live through some half-days in a process of their own."""
    seeds, trace, modes = task
    tallies = {all_rows: Tally() for all_rows in modes}
    homes = Homes("half-days")
    try:
        homes.make_mould({"SOUL.md": "# Soul\n\n- Calm and plain.\n"})
        for seed in seeds:
            all_rows = modes[seed % len(modes)]
            tallies[all_rows].add(HalfDay(homes, seed, all_rows, trace=trace).live())
    finally:
        homes.close()
    return tallies


def main() -> int:
    """Live through them, print what was counted, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--days", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0, help="the first one")
    parser.add_argument("--every", type=int, action="append", metavar="SECONDS", help="one mode alone")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--list", type=int, default=10, help="of what went wrong, print so much (default: %(default)s)")
    parser.add_argument("--trace", action="store_true", help="print what everybody does")
    options = parser.parse_args()
    modes, began = options.every or list(MODES), _now()
    seeds = list(range(options.seed, options.seed + options.days))
    group = max(1, min(50, len(seeds) // options.jobs))
    tasks = [(seeds[index : index + group], options.trace, modes) for index in range(0, len(seeds), group)]
    tallies = {every: Tally() for every in modes}
    if options.jobs > 1:
        with multiprocessing.get_context("spawn").Pool(options.jobs) as pool:
            for results in pool.imap_unordered(live, tasks):
                _merge(tallies, results)
    else:
        for task in tasks:
            _merge(tallies, live(task))
    keep({every: dict(tally.counts) for every, tally in tallies.items()})
    return report(tallies, options.list, _now() - began)


def _merge(tallies: dict[int, Tally], results: dict[int, Tally]) -> None:
    for all_rows, tally in results.items():
        tallies[all_rows].add(tally)


def report(tallies: dict[int, Tally], limit: int, seconds: float) -> int:
    """Print the table, the first of what went wrong, and what was refused."""
    names = {every: f"every {every} s" for every in tallies}
    print(f"{'':22}" + "".join(f"{name:>14}" for name in names.values()))
    for name in ("days", *KNOWN, *BAD):
        print(f"{name:22}" + "".join(f"{tally.counts[name]:14,}" for tally in tallies.values()))
    for tally in tallies.values():
        for words in tally.wrong[:limit]:
            print(f"  {words}")
        for words, number in tally.refusals.most_common(limit):
            print(f"  refused {number} times: {words}")
    days = sum(tally.counts["days"] for tally in tallies.values())
    wrong = sum(tally.counts[name] for tally in tallies.values() for name in BAD)
    print(f"{days:,} half-days in {seconds:.0f} s, {seconds / max(days, 1):.2f} s each; {wrong:,} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
