"""Who may be overruled by a capture: writers that had not seen clawgit's last change, and writers that had.

    python benchmarks/writes/stale.py                       600 writes, of all writers alike
    python benchmarks/writes/stale.py --writes 40 --only agent-read --verbose
    python benchmarks/writes/stale.py --whole --seed 3      every writer in every situation, once
    python benchmarks/writes/stale.py --late                the conversation is imported after the first capture

clawgit changes a file: it adds an entry, rewords one, removes one (by an undo), adds a section, or all three of the
first. Then a writer saves the file: from an older reading, or having seen the change; with an edit in another place,
next to clawgit's, in the same line, or of everything; five seconds to a month later; with a modification time that may
lie. Where the writer is the agent, its calls stand in a transcript, which `clawgit session import` brings in. Then
`clawgit capture` runs twice.

Right is, for the agent's `write` after a full read from before clawgit's change: both sides' changes and nothing else
(where OpenClaw keeps a record of the file's writers: the bytes as written, and one open item of the file, at the latest
when the owner's next turn has ended; in identity and instructions, and where both changed one line: either). For
everybody else: the bytes as written, and one open item if a line of clawgit's is gone or one that it removed is back,
none otherwise. `reworded` are the items, of those due, where each line that is gone has another wording in the save;
the last line tells the share if none were due there. `undone` counts merges that `clawgit undo` takes back for good;
`served` removed lines that a save brought back and a search still finds. Exit 1 when less than 95 % of the agent's
stale writes are right, or one write of anybody else is not.
"""

import argparse
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from itertools import product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from rapidfuzz import fuzz, process

from benchmarks.lib.agent_session import AgentSession
from benchmarks.lib.clocked_workspace import START, ClockedWorkspace, Homes, lines
from benchmarks.lib.results import keep
from benchmarks.lib.sentences import Author, flat

JOURNAL = f"memory/{START:%Y-%m-%d}.md"
PATHS = ("MEMORY.md", "USER.md", "memory/house.md", JOURNAL, "AGENTS.md", "SOUL.md")
EITHER = ("AGENTS.md", "SOUL.md")
RECORDED = ("MEMORY.md", "USER.md")
CHANGES = ("added", "reworded", "removed", "section", "all")
EDITS = ("other place", "same place", "same line", "everything")
DELAYS = (5, 120, 14 * 60, 86_400, 30 * 86_400)
"""Seconds between clawgit's change and the save."""
MAX_AGENT_DELAY = 86_400
SIZES = (3, 6, 14, 40)
"""Entries of a section."""
TARGET = 0.95
ALIKE = 60.0
"""Per cent of equal letters from which on a line is another wording of a line that is gone."""
TAILS = ("as agreed", "says the bank", "until autumn", "if Kofi is away", "twice a year", "on foot")

# Who writes: whether from an older reading, whether a transcript shows it, and whether a merge is due.
WRITERS = {
    "agent-read": "the agent, `write` after an older full read",
    "agent-wrote": "the agent, `write` after its own older write",
    "agent-committed": "the same as the first, committed by the owner before the capture",
    "agent-newest": "the agent, `write` after a read of the newest version",
    "agent-unread": "the agent, `write` without a read",
    "agent-partial": "the agent, `write` after an older read of some lines",
    "agent-edit": "the agent, `edit`",
    "agent-exec": "the agent, `exec` that writes an older text",
    "owner-editor": "the owner, who has seen it all",
    "owner-reverts": "the owner, who takes clawgit's change out: the bytes are those of an older `write` of the agent",
    "old-buffer": "an editor with an old buffer",
    "sync-program": "a program that syncs an older copy, by rename",
    "owner-commit": "the owner, with `git commit`",
}
SEEN = {"agent-newest", "agent-edit", "owner-editor"}
MERGED = {"agent-read", "agent-wrote"}
TRANSCRIBED = {writer for writer in WRITERS if writer.startswith("agent")} | {"owner-reverts"}


@dataclass(frozen=True)
class Situation:
    """One cell of the matrix, and the seed of everything that is left to chance in it."""

    writer: str
    path: str
    change: str
    edit: str
    seed: int


@dataclass
class Outcome:
    """What became of one write."""

    situation: Situation
    expected: str
    both: bool = False
    as_written: bool = False
    items: int = 0
    item_due: bool = False
    reworded: bool = False
    other_items: int = 0
    undone: bool | None = None
    served: bool | None = None
    faults: list[str] = field(default_factory=list)

    @property
    def right(self) -> bool:
        """Whether the write ended as it should."""
        return self._is_right(self.items == self.item_due)

    @property
    def tolerable(self) -> bool:
        """Whether it did, if a line that was reworded needs no item."""
        return self._is_right(self.items == self.item_due or (self.reworded and not self.items))

    def _is_right(self, answer: bool) -> bool:  # noqa: FBT001
        plain = self.as_written and answer
        held = self.both and not self.items
        fitting = {"both": held, "item": plain, "either": held or plain}[self.expected]
        return fitting and not self.faults and not self.other_items


def bullets(rows: list[str]) -> list[int]:
    """Return the numbers of the lines that are entries."""
    return [number for number, row in enumerate(rows) if row.startswith("- ")]


class Story:
    """A file, clawgit's change of it, and a save by somebody."""

    def __init__(self, place: ClockedWorkspace, situation: Situation) -> None:
        self.place, self.situation, self.path = place, situation, situation.path
        self.pick = random.Random(f"{situation}")
        self.author = Author(self.pick)
        self.agent = AgentSession(place.home, f"{situation}") if situation.writer in TRANSCRIBED else None
        self.named = self.path if self.pick.random() < 0.5 else str(place.root / self.path)
        self.read = ""
        self.anchor = ""
        self.added: Counter[str] = Counter()
        self.removed: Counter[str] = Counter()
        self.conflict = False
        self.recorded = False

    # the file
    def make_file(self) -> None:
        """Write the file by hand, and have it captured."""
        size = self.pick.choice(SIZES)
        title = Path(self.path).stem
        rows = [f"# {title}"]
        if self.path == "USER.md":
            rows += ["", "- **Name:** Ada", "- **Timezone:** Europe/Lisbon"]
        for number in range(3):
            name = f"{9 + number:02}:10 - notes" if self.path == JOURNAL else f"Part {'ABC'[number]}"
            rows += ["", f"## {name}", "", *(f"- {self.author.words()}" for _ in range(size))]
        self.place.write(self.path, "\n".join(rows) + "\n")
        self.place.capture()
        self.place.wait(600)

    # clawgit
    def change(self) -> None:
        """Have clawgit change the file, after the reader has read it."""
        change, before = self.situation.change, self.read
        steps: dict[str, list[Callable[[], None]]] = {
            "added": [self._add],
            "reworded": [self._reword],
            "removed": [self._undo],
            "section": [self._add_section],
            "all": [self._add, self._reword, self._undo] if self.pick.random() < 0.5 else [self._change_at_once],
        }
        for step in steps[change]:
            step()
            self.place.wait(20)
        after = self.place.read(self.path)
        self.added, self.removed = lines(after) - lines(before), lines(before) - lines(after)
        if not self.added and not self.removed:
            self.place.refusals["clawgit changed nothing"] += 1

    def prepare_undo(self) -> None:
        """Have clawgit add what it removes later on; whoever reads the file then sees it."""
        rows = self.place.read(self.path).split("\n")
        number = self.pick.choice(bullets(rows)[2:-2])
        self.anchor = rows[number]
        self.surplus = f"- {self.author.words()}"
        rows[number + 1 : number + 1] = [self.surplus]
        self.surplus_change = self.place.apply("memory: a line", self.path, "\n".join(rows)).change
        self.place.wait(300)

    def _rows(self) -> list[str]:
        return self.place.read(self.path).split("\n")

    def _apply(self, rows: list[str]) -> None:
        applied = self.place.apply("memory: a change", self.path, "\n".join(rows))
        if applied.commit is None:
            raise RuntimeError(f"clawgit's own change of {self.path} did not land")

    def _add(self) -> None:
        if self.path == "MEMORY.md" and self.pick.random() < 0.5:
            with self.place.memory() as memory:
                memory.add(self.author.words(), tag="knowledge")
            return
        rows = self._rows()
        number = rows.index(self.anchor)
        self._apply([*rows[: number + 1], f"- {self.author.words()}", *rows[number + 1 :]])

    def _reword(self) -> None:
        rows = self._rows()
        number = rows.index(self.anchor)
        rows[number] = self._reworded(rows[number])
        self._apply(rows)

    def _reworded(self, row: str) -> str:
        words = row.rstrip(".").split(" ")
        if self.pick.random() < 0.5 and len(words) > 4:
            return " ".join([*words[:-1], self.pick.choice(TAILS)])
        return f"{row.rstrip('.')}, {self.pick.choice(TAILS)}"

    def _undo(self) -> None:
        with self.place.memory() as memory:
            memory.undo(self.surplus_change)

    def _add_section(self) -> None:
        if self.path == JOURNAL and self.pick.random() < 0.5:
            self.place.run("journal", "add", self.author.words())
            return
        rows = ["", "## Later on", "", *(f"- {self.author.words()}" for _ in range(2)), ""]
        self._apply([*self.place.read(self.path).rstrip("\n").split("\n"), *rows])

    def _change_at_once(self) -> None:
        rows = self._rows()
        rows.remove(self.surplus)
        number = rows.index(self.anchor)
        rows[number] = self._reworded(rows[number])
        self._apply([*rows[: number + 1], f"- {self.author.words()}", *rows[number + 1 :]])

    # the writer
    def edited(self, text: str, *, seen: bool) -> str:
        """Return what the writer makes of a text; `seen` tells that clawgit's change is in it."""
        rows = text.split("\n")
        edit = self.situation.edit
        if edit == "everything":
            return self._edit_everything(rows)
        own = [number for number, row in enumerate(rows) if row in self.added and row.startswith("- ")]
        if edit in ("same place", "same line") and seen and own:
            number = self.pick.choice(own)
            if self.pick.random() < 0.5:
                rows[number] = self._reworded(rows[number])
            else:
                del rows[number]
        elif edit == "same line" and not seen:
            self._edit_same_line(rows)
        elif edit == "same place" and not seen:
            number = self._place_of_change(rows)
            rows[number:number] = [f"- {self.author.words()}"]
        else:
            self._edit_elsewhere(rows)
        return "\n".join(rows)

    def _place_of_change(self, rows: list[str]) -> int:
        """Return before which line clawgit's change went in, in a text that lacks it."""
        if self.situation.change == "section":
            return bullets(rows)[-1] + 1
        above = self.anchor if self.anchor in rows else rows[bullets(rows)[-1]]
        return rows.index(above) + 1

    def _edit_same_line(self, rows: list[str]) -> None:
        touched = [number for number, row in enumerate(rows) if row in self.removed and row.startswith("- ")]
        if touched:
            number = self.pick.choice(touched)
            rows[number] = self._reworded(rows[number])
            self.conflict = True
        else:
            self._edit_elsewhere(rows)

    def _edit_elsewhere(self, rows: list[str]) -> None:
        neighbours = {self.anchor, getattr(self, "surplus", ""), *self.added, *self.removed}
        taken = [number for number, row in enumerate(rows) if row in neighbours] or [len(rows)]
        free = [number for number in bullets(rows) if all(abs(number - other) > 2 for other in taken)]
        number = self.pick.choice(free or bullets(rows)[:1])
        kind = self.pick.randrange(3)
        if kind == 0:
            rows[number] = self._reworded(rows[number])
        elif kind == 1:
            rows[number:number] = [f"- {self.author.words()}"]
        else:
            del rows[number]

    def _edit_everything(self, rows: list[str]) -> str:
        start = 0
        while start < len(rows):
            end = start
            while end < len(rows) and rows[end].startswith("- "):
                end += 1
            rows[start:end] = [self._reworded(row) for row in reversed(rows[start:end])]
            start = max(end, start + 1)
        self.conflict = bool(self.removed)
        return "\n".join([rows[0], "", self.author.words(), *rows[1:]])

    def start_reading(self) -> None:
        """Let the writer read the file, before clawgit changes it."""
        self.read = self.place.read(self.path)
        writer, agent = self.situation.writer, self.agent
        if agent is None:
            return
        agent.hear("Please tidy up your notes today.")
        if writer in ("agent-read", "agent-committed", "agent-newest"):
            agent.read(self.named, self.read)
        elif writer == "agent-partial":
            agent.read(self.named, self.read, 1, max(3, self.read.count("\n") // 2))
        elif writer in ("agent-wrote", "owner-reverts"):
            agent.read(self.named, self.read)
            self.place.wait(30)
            rows = self.read.split("\n")
            number = bullets(rows)[0]
            rows[number] = self._reworded(rows[number])
            self.read = "\n".join(rows)
            agent.write(self.named, self.read)
            self.place.write(self.path, self.read)
            self.place.import_session(agent.place)
            self.place.capture()
        self.place.wait(240)

    def save(self) -> str:
        """Let the writer save the file; return what is written."""
        writer, agent, place = self.situation.writer, self.agent, self.place
        by_agent = writer.startswith("agent")
        limit = MAX_AGENT_DELAY if by_agent else max(DELAYS)
        place.wait(self.pick.choice([delay for delay in DELAYS if delay <= limit]))
        current = place.read(self.path)
        seen = writer in SEEN or (writer == "owner-commit" and self.pick.random() < 0.5)
        if agent and writer == "agent-newest":
            agent.read(self.named, current)
            place.wait(40)
        text = self.read if writer == "owner-reverts" else self.edited(current if seen else self.read, seen=seen)
        if agent and writer == "agent-edit":
            agent.edit(self.named, *_difference(current, text))
        elif agent and writer == "agent-exec":
            agent.run(f"cat > {self.named} <<'END'\n{text}END")
        elif agent and by_agent:
            agent.write(self.named, text)
        now = START.timestamp()
        stamp = self.pick.choice([None, None, now - 400_000, now + 90 * 86_400])
        place.write(self.path, text, now - 400_000 if writer == "sync-program" else stamp, rename=not by_agent)
        if by_agent and self.path in RECORDED and self.pick.random() < 0.5:
            place.record(self.path, text)
            self.recorded = True
        if writer in ("owner-commit", "agent-committed"):
            place.wait(1)
            place.git("commit", "--quiet", "-m", "by hand", "--", self.path)
        if agent and by_agent:
            place.wait(2)
            agent.answer("Done.")
        place.wait(4)
        return text

    def is_reworded(self, written: str) -> bool:
        """Tell whether each line of clawgit's that is gone has another wording in a save, and none came back."""
        fresh = list(lines(written) - lines(self.read) - self.added)
        missing = [row for row in self.added - lines(written) if row.startswith("- ")]
        back = self.removed & lines(written)
        return bool(missing) and not back and all(_resembles(row, fresh) for row in missing)

    def settle(self, *, late: bool) -> None:
        """Import what the agent did, and capture twice; `late` captures first."""
        if late:
            self.place.capture()
            self.place.wait(20)
        if self.agent:
            self.place.import_session(self.agent.place)
        self.place.capture()
        self.place.wait(300)

    def owner_turn(self) -> None:
        """Let the owner say something else, and the agent answer; import and capture that."""
        if self.agent:
            self.agent.hear("Thank you. What is next?")
            self.place.wait(30)
            self.agent.answer("Nothing is due today.")
            self.place.wait(900)
            self.place.import_session(self.agent.place)
        self.place.capture()


def _resembles(row: str, fresh: list[str]) -> bool:
    return process.extractOne(row, fresh, scorer=fuzz.ratio, score_cutoff=ALIKE) is not None


def _difference(before: str, after: str) -> tuple[str, str]:
    """Return what an `edit` replaces: the lines around what differs, whole, in both texts."""
    old, new = before.split("\n"), after.split("\n")
    start = 0
    while start < min(len(old), len(new)) - 1 and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start - 1 and old[-1 - end] == new[-1 - end]:
        end += 1
    return "\n".join(old[start : len(old) - end]), "\n".join(new[start : len(new) - end])


def play(homes: Homes, situation: Situation, *, late: bool) -> Outcome:
    """Play one situation, and return what became of it."""
    place = homes.copy()
    try:
        return _play(place, situation, late=late)
    finally:
        place.remove()


def _play(place: ClockedWorkspace, situation: Situation, *, late: bool) -> Outcome:
    story = Story(place, situation)
    story.make_file()
    story.prepare_undo()
    story.start_reading()
    story.change()
    written = story.save()
    before = set(place.items())
    story.settle(late=late)
    first = place.read(story.path)
    place.capture()
    outcome = Outcome(situation, _expected(story))
    text = place.read(story.path)
    outcome.faults += ["a second capture changed the file"] if text != first else []
    outcome.faults += ["HEAD has another text than the disk"] if place.committed(story.path) != text else []
    outcome.item_due = bool(story.added - lines(written)) or bool(story.removed & lines(written))
    outcome.reworded = outcome.item_due and story.is_reworded(written)
    if story.recorded and situation.writer in MERGED and not place.items(story.path):
        story.owner_turn()
        text = place.read(story.path)
    outcome.as_written = text == written
    outcome.both = lines(text) == lines(written) - story.removed + (story.added - lines(written))
    outcome.items = len(set(place.items(story.path)) - before)
    outcome.other_items = len(set(place.items()) - before) - outcome.items
    if outcome.both and not outcome.as_written:
        outcome.undone = _undo_stands(place, story.path, written)
    back = [row for row in story.removed & lines(written) if row.startswith("- ")]
    if outcome.as_written and back and situation.change == "removed" and story.path not in EITHER:
        outcome.served = _is_served(place, back[0].removeprefix("- "))
    outcome.faults += [f"refused: {words}" for words in place.refusals]
    return outcome


def _expected(story: Story) -> str:
    """Return what a write should come to: both sides' changes, the bytes as written and an item, or either."""
    if story.situation.writer not in MERGED or story.recorded:
        return "item"
    return "either" if story.conflict or story.path in EITHER else "both"


def _undo_stands(place: ClockedWorkspace, path: str, written: str) -> bool:
    """Tell whether an undo takes the merge back, and whether a capture after it leaves it so."""
    place.wait(60)
    code, _ = place.run("undo")
    place.wait(60)
    place.capture()
    return code == 0 and place.read(path) == written


def _is_served(place: ClockedWorkspace, words: str) -> bool:
    """Tell whether a search gives a line."""
    with place.memory() as memory:
        hits = memory.search(words).results
    return any(flat(words) in flat(hit.snippet) for hit in hits)


def situations(options: argparse.Namespace) -> Iterator[Situation]:
    """Yield the situations to play: all of them, or as many as were asked for, of each writer alike."""
    writers = [writer for writer in WRITERS if options.only in (None, writer)]
    cells = list(product(PATHS, CHANGES, EDITS))
    for writer in writers:
        fitting = [cell for cell in cells if _fits(writer, *cell[1:])]
        if options.whole:
            yield from (Situation(writer, *cell, options.seed) for cell in fitting)
            continue
        pick = random.Random(f"{options.seed} {writer}")
        count = -(-options.writes // len(writers))
        drawn = [cell for _ in range(-(-count // len(fitting))) for cell in pick.sample(fitting, len(fitting))]
        for number, cell in enumerate(drawn[:count]):
            yield Situation(writer, *cell, options.seed + number // len(fitting))


def _fits(writer: str, change: str, edit: str) -> bool:
    """Tell whether there is such a situation: what was only added has no old line that both could reword."""
    if writer == "owner-reverts":
        return edit == "other place"
    return edit != "same line" or (change in ("reworded", "removed", "all") and writer not in SEEN)


def main() -> int:
    """Play them, print the tables, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--writes", type=int, default=600, help="writes in all (default: %(default)s)")
    parser.add_argument("--whole", action="store_true", help="every situation once, about 1,200")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", choices=WRITERS, help="one writer alone")
    parser.add_argument("--late", action="store_true", help="import the conversation after the first capture")
    parser.add_argument("--verbose", action="store_true", help="name what was not right")
    options = parser.parse_args()
    homes = Homes("stale")
    outcomes = []
    try:
        homes.make_mould({"SOUL.md": "# Soul\n\n- Calm and plain.\n", "BOOTSTRAP.md": ""})
        for situation in situations(options):
            outcomes.append(play(homes, situation, late=options.late))
            if options.verbose and not outcomes[-1].right:
                print(_complaint(outcomes[-1]), flush=True)
    finally:
        homes.close()
    keep([{**asdict(outcome), "right": outcome.right} for outcome in outcomes])
    return report(outcomes)


def _complaint(outcome: Outcome) -> str:
    item = outcome.situation
    became = "both" if outcome.both else "as written" if outcome.as_written else "something else"
    words = f"{item.writer}, {item.path}, {item.change}, {item.edit}, seed {item.seed}: {became}, {outcome.items} items"
    due = f"{int(outcome.item_due)} due" if outcome.expected != "both" else "a merge due"
    return "; ".join([f"{words}, {due}", *outcome.faults])


def report(outcomes: list[Outcome]) -> int:
    """Print a table by writer, and of the agent's stale writes by file, change and edit."""
    columns = (
        "writer",
        "n",
        "right",
        "share",
        "both sides",
        "as written",
        "items",
        "reworded",
        "needless",
        "undone",
        "served",
    )
    print("".join(f"{name:>{16 if not number else 11}}" for number, name in enumerate(columns)))
    for writer in WRITERS:
        if some := [item for item in outcomes if item.situation.writer == writer]:
            print(_row(writer, some))
    stale = [item for item in outcomes if item.situation.writer == "agent-read"]
    for name in ("path", "change", "edit"):
        groups: defaultdict[str, list[Outcome]] = defaultdict(list)
        for item in stale:
            groups[str(getattr(item.situation, name))].append(item)
        print(f"\nthe agent's `write` after an older read, by {name}")
        for group, some in sorted(groups.items()):
            print(_row(group, some))
    others = [item for item in outcomes if item.situation.writer not in MERGED]
    good = _share(stale) >= TARGET and _share(others) == 1
    fine = sum(item.tolerable for item in others)
    print(f"\nagent's stale writes right: {_percent(stale)}; everybody else's: {_percent(others)}, {fine} if ", end="")
    print("a reworded line needs no item")
    return 0 if good else 1


def _row(name: str, group: list[Outcome]) -> str:
    result = [item for item in group if item.undone is not None]
    back = [item for item in group if item.served is not None]
    due = [item for item in group if item.item_due and not (item.both and not item.as_written)]
    cells = [
        str(len(group)),
        str(sum(item.right for item in group)),
        f"{100 * _share(group):.1f} %",
        str(sum(item.both and not item.as_written for item in group)),
        str(sum(item.as_written for item in group)),
        *(_told([item for item in due if item.reworded == reworded]) for reworded in (False, True)),
        str(sum(item.items > item.item_due or bool(item.other_items) for item in group)),
        f"{sum(bool(item.undone) for item in result)}/{len(result)}",
        f"{sum(bool(item.served) for item in back)}/{len(back)}",
    ]
    return f"{name:>16}" + "".join(f"{cell:>11}" for cell in cells)


def _told(due: list[Outcome]) -> str:
    return f"{sum(item.items == 1 for item in due)}/{len(due)}"


def _share(group: Iterable[Outcome]) -> float:
    rows = list(group)
    return sum(item.right for item in rows) / len(rows) if rows else 1.0


def _percent(group: list[Outcome]) -> str:
    return f"{sum(item.right for item in group)} of {len(group)} ({100 * _share(group):.1f} %)"


if __name__ == "__main__":
    sys.exit(main())
