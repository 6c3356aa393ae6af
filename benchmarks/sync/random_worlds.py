"""Counts what machines at random lose, and what depends on the order.

    python benchmarks/sync/random_worlds.py [--worlds 1000] [--seed 0] [--machines 2] [--more]
        [--transport shared|heads|folder]

A world is some machines that write to one workspace: entries are added, reworded, reformatted, corrected, moved,
mentioned, taken out and brought back, journals grow, are compacted and deleted, settings and facts and cursors change,
sources are tainted, files are edited by hand, changes are undone; in between machines hear of each other: over a branch
that they share, where one that comes second makes its merge anew (shared), from each other's heads, criss-cross too
(heads), or from heads that are as old as a folder carries them (folder). Commits and merges are real, in one repository
that all of them share; files on disk are left out.

With --more journals are also compacted into chronicles, entries that were taken out are restored, and words are purged:
a machine writes its history anew without them, and whoever hears of it does so first, as a sync demands. Which objects
went depends on the order of purges, so their register may differ.

Counted are violations of: the merge is the same whoever merges (P1); merging what is known already changes nothing
(P2); everybody ends with one tree, and in another order of gossip with the same one (P3); no line is missing that
nobody took out, in the files or in a record of CONFLICTS.md (P4); no correction gives way to anything but a correction
(value); what was taken out, with nobody writing it anew, stays out (P5); no markers, no id twice, each live row has its
text (P6). Told apart is where another order of gossip differs in a row of the sidecar or in a record of CONFLICTS.md
alone (rows), and where machines that share a branch, or a folder with old heads, end otherwise if the other one syncs
first (order): in the places of lines, in rows and records, or in the words that stand.
"""

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from random import Random

import pygit2
from msgspec.structs import replace
from pygit2.enums import SortMode

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from clawgit import file_roles
from clawgit.git import commit_chain, commit_graph, history_rewrite, repository
from clawgit.git.commit_chain import NewCommit
from clawgit.git.repository import Repository
from clawgit.memory.purge_places import rename_entries
from clawgit.safety.hidden_text import conflict_markers
from clawgit.sync.head_merge import HeadMerge, work_out
from clawgit.sync.tree_merge import read_words
from clawgit.text.edit import append_under
from clawgit.text.entry import entries as entries_of
from clawgit.text.entry import entry_id, hash_entry
from clawgit.text.unit import fold_line
from clawgit.workspace import entries, merge_rules, purged_objects, reading_cursors, records
from clawgit.workspace.entries import Row
from clawgit.workspace.reading_cursors import Cursor

MEMORY, AGENTS, CONFIG = "MEMORY.md", "AGENTS.md", "CONFIG.md"
START = datetime(2026, 2, 14, 9, 0, tzinfo=UTC)
WORDS = [
    "relay",
    "office",
    "Porto",
    "demo",
    "Monday",
    "coffee",
    "Ann",
    "budget",
    "port",
    "index",
    "query",
    "tea",
    "train",
    "server",
    "draft",
    "Lisbon",
]
BEGIN = {
    MEMORY: "# Memory\n\nWhat is worth keeping.\n\n## Decisions\n\n## Knowledge\n\n## Events\n",
    AGENTS: "# Agents\n\n- Read first.\n- Ask before deleting.\n\n## Tools\n\n- Use git.\n",
    CONFIG: "# Settings\n\n```yaml\ntimezone: UTC\nmin_score: 0.35\nmax_results: 6\nstaleness_days: 60\n```\n",
    file_roles.CORRECTIONS: "# Corrections\n",
    file_roles.FORMAT: "2\n",
    entries.PATH: f"{entries.HEADER}\n",
}


@dataclass
class Machine:
    """One of them: its head, and which words it purged."""

    name: str
    head: str
    clock: timedelta = timedelta()
    purged: tuple[str, ...] = ()


@dataclass
class World:
    """Machines with one repository; `taken` are lines that somebody took out, `given` those that somebody wrote."""

    repo: Repository
    random: Random
    machines: list[Machine]
    given: Counter[tuple[str, str]] = field(default_factory=Counter)
    taken: Counter[tuple[str, str]] = field(default_factory=Counter)
    step: int = 0
    faults: list[str] = field(default_factory=list)
    corrected: dict[str, list[str]] = field(default_factory=dict)
    reworded: list[tuple[str, str]] = field(default_factory=list)
    gave_way: int = 0
    transport: str = "heads"
    shared: str = ""
    purged: tuple[str, ...] = ()
    published: dict[str, str] = field(default_factory=dict)

    def text(self, machine: Machine, path: str) -> str | None:
        data = repository.read(self.repo, machine.head, path)
        return None if data is None else data.decode()

    def commit(self, machine: Machine, files: dict[str, str | None], subject: str) -> None:
        """Commit files as the write path does: what was written to the sidecar gets the dots of this machine."""
        before = {path: self.text(machine, path) for path in files}
        files = {path: text for path, text in files.items() if text != before[path]}
        if not files:
            return
        for path in files:
            if path.endswith(".md") and path != CONFIG:
                old, new = (Counter(rows(text)) for text in (before[path], files[path]))
                WELL.update((path, row) for row in new - old if (path, row) in self.taken)  # written anew
                self.given += Counter({(path, row): n for row, n in (new - old).items()})
                self.taken += Counter({(path, row): n for row, n in (old - new).items()})
        self.step += 1
        product = NewCommit(
            f"{subject}\n\nClawgit-Change: {hash_entry(f'{self.step}')[:10]}\n",
            (machine.name, f"{machine.name}@localhost"),
            START + timedelta(minutes=self.step) + machine.clock,
            {path: None if text is None else text.encode() for path, text in files.items()},
        )
        machine.head = commit_chain.build(self.repo, machine.head, [product])[0]

    def purge(self, machine: Machine, words: str) -> None:
        """Write the history of a machine anew without these words."""
        if words in machine.purged:
            return
        head, objects = without(self.repo, machine.head, words)
        text = repository.read(self.repo, head, purged_objects.PATH) or b""
        register = purged_objects.with_objects(text.decode(), dict.fromkeys(objects, ""), date(2026, 2, 14))
        author = (machine.name, f"{machine.name}@localhost")
        files = {purged_objects.PATH: register.encode()} if objects else {}
        moment = datetime.fromtimestamp(repository.committed_at(self.repo, head), UTC)
        product = NewCommit("purge: words\n", author, moment, files)
        machine.head = commit_chain.build(self.repo, head, [product])[0] if objects else head
        machine.purged += (words,)

    def sync(self, machine: Machine, others: Sequence[Machine], random: Random) -> None:
        """Bring a machine and others together as the transport does."""
        if self.transport == "heads":
            self.hear(machine, others)
        elif self.transport == "folder":
            known_rows = [
                Machine(item.name, self.published.get(item.name, item.head), purged=item.purged) for item in others
            ]
            self.hear(machine, known_rows)
            self.published[machine.name] = machine.head
        else:
            own, purged = machine.head, machine.purged
            self.hear(machine, [Machine("branch", self.shared, purged=self.purged)])
            if others and random.random() < 0.2:  # another one pushes first: this merge is thrown away
                rival = random.choice(others)
                machine.head, machine.purged = own, purged
                self.hear(rival, [Machine("branch", self.shared, purged=self.purged)])
                self.shared, self.purged = rival.head, rival.purged
                self.hear(machine, [Machine("branch", self.shared, purged=self.purged)])
            self.shared, self.purged = machine.head, machine.purged

    def hear(self, machine: Machine, others: Sequence[Machine]) -> None:
        """Merge the heads of others; of what one of them purged all do so first."""
        for item in (machine, *others):
            for words in [words for other in (machine, *others) for words in other.purged]:
                self.purge(item, words)
        results = self._worked_out(machine.head, [other.head for other in others])
        if results is None:
            return
        if results.forward:
            machine.head = results.forward
            return
        moment = max(repository.committed_at(self.repo, item) for item in (results.own, *results.others))
        product = NewCommit(
            "sync: merge\n",
            ("sync", "sync@localhost"),
            datetime.fromtimestamp(moment, UTC),
            results.files,
            results.others,
        )
        machine.head = commit_chain.build(self.repo, machine.head, [product])[0]

    def _worked_out(self, own: str, heads: Sequence[str]) -> HeadMerge | None:
        return work_out(self.repo, own, heads, lambda path: merge_rules.find_rule(path) == "own")

    def said(self) -> list[tuple[str, str]]:
        """Return file and words of all entries that anybody wrote."""
        return [(path, row[2:].split(" #")[0]) for path, row in self.given if row.startswith("- ")]

    def check_pair(self) -> None:
        """P1 and P2, of two of the heads."""
        item, other = self.random.sample(self.machines, 2)
        for words in (*item.purged, *other.purged):
            self.purge(item, words)
            self.purge(other, words)
        trees = []
        for own, head in ((item.head, other.head), (other.head, item.head)):
            results = self._worked_out(own, [head])
            if results is None:
                tree = str(self.repo.raw[own].peel(pygit2.Tree).id)
            else:
                files = NewCommit("m\n", ("s", "s@localhost"), START, results.files)
                product = commit_chain.build(self.repo, own, [files])[0]
                tree = str(self.repo.raw[product].peel(pygit2.Tree).id)
            trees.append((tree, results is None))
        known_rows = repository.reaches(self.repo, item.head, other.head) or repository.reaches(
            self.repo, other.head, item.head
        )
        if not known_rows and trees[0][0] != trees[1][0]:
            self.faults.append("P1: the merge depends on who merges")
        base = commit_graph.common(self.repo, item.head, other.head)
        if base and self._worked_out(item.head, [base, item.head]) is not None:
            self.faults.append("P2: merging what is known changes something")

    def settle(self, random: Random) -> None:
        for _ in range(len(self.machines) + 2):
            order = random.sample(self.machines, len(self.machines))
            for machine in order:
                others = [item for item in self.machines if item is not machine]
                self.sync(machine, random.sample(others, random.randint(1, len(others))), random)
        for machine in [*self.machines, *self.machines, *self.machines]:
            self.sync(machine, [item for item in self.machines if item is not machine], Random(1))

    def tree(self, machine: Machine) -> str:
        return str(self.repo.raw[machine.head].peel(pygit2.Tree).id)

    def files(self, machine: Machine) -> dict[str, str | None]:
        return {path: self.text(machine, path) for path in repository.files(self.repo, machine.head)}

    def check_end(self) -> None:
        if len({self.tree(machine) for machine in self.machines}) != 1:
            self.faults.append("P3: the machines do not end with one tree")
            return
        machine = self.machines[0]
        there: Counter[tuple[str, str]] = Counter()
        self._forget(machine.purged)
        for path in repository.files(self.repo, machine.head):
            text = self.text(machine, path) or ""
            if any(words in text for words in machine.purged):
                self.faults.append(f"P5: {path} holds what was purged")
            if path.endswith(".md"):
                there += Counter((path, row) for row in rows(text))
                if conflict_markers(text) is not None:
                    self.faults.append(f"P6: {path} has conflict markers")
        question = " ".join((self.text(machine, file_roles.CONFLICTS) or "").split())
        missing = set(self.given) - set(self.taken) - set(there)
        lines = {row for _, row in there}
        gave_way = {row for name, row in self.reworded if name in self.corrected}
        missing = {item for item in missing if read_words(item[1]) not in question and item[1] not in lines}
        self.gave_way = len({item for item in missing if read_words(item[1]) in gave_way})
        if missing := {item for item in missing if read_words(item[1]) not in gave_way}:
            self.faults.append(f"P4: missing though nobody took it out: {sorted(missing)[:3]}")
        for words in self.corrected.values():
            standing = [word for word in words if any(word in row for _, row in there)]
            if not standing and not any(word in row for word in words for _, row in self.taken):
                self.faults.append(f"value: a correction gave way: {words}")
        own = tuple(machine.name for machine in self.machines)
        back = [
            item
            for item in there
            if any(name in item[1] for name in own)
            and item in self.taken
            and self.taken[item] >= self.given[item]
            and item not in WELL
        ]
        if back:
            self.faults.append(f"P5: stands though whoever wrote it took it out: {sorted(back)[:3]}")
        self.check_rows(machine)

    def _forget(self, purged: Sequence[str]) -> None:
        """Have what was counted be without what was purged."""

        def plain(item: tuple[str, str]) -> tuple[str, str]:
            for words in purged:
                item = item[0], item[1].replace(words, "[purged]")
            return item

        for name in ("given", "taken"):
            counted: Counter[tuple[str, str]] = Counter()
            for item, count in getattr(self, name).items():
                counted[plain(item)] += count
            setattr(self, name, counted)
        WELL.update([plain(item) for item in WELL])
        self.corrected = {name: [plain(("", row))[1] for row in group] for name, group in self.corrected.items()}
        self.reworded = [(name, plain(("", row))[1]) for name, row in self.reworded]

    def check_rows(self, machine: Machine) -> None:
        text = self.text(machine, entries.PATH) or ""
        names = [line.split("\t")[0] for line in text.splitlines() if not line.startswith(("#", "@"))]
        if len(names) != len(set(names)):
            self.faults.append("P6: an id stands twice in the sidecar")
        if entries.unreadable(text):
            self.faults.append(f"P6: lines of the sidecar cannot be read: {entries.unreadable(text)}")
        known_rows = {
            (path, hash_entry(item.text))
            for path in repository.files(self.repo, machine.head)
            if path.endswith(".md")
            for item in entries_of(self.text(machine, path) or "")
            if item.kind == "bullet"
        }
        rows_ = entries.parse(text)
        losses = [
            row.id
            for row in rows_.values()
            if row.status in ("live", "corrected") and (row.file, row.hash) not in known_rows
        ]
        if losses:
            self.faults.append(f"P6: rows without their text: {losses[:3]}")
        held = {(row.file, row.hash) for row in rows_.values()}  # of one that was taken out the text wins
        question = " ".join((self.text(machine, file_roles.CONFLICTS) or "").split())
        standing = [item.text for item in entries_of(self.text(machine, MEMORY) or "")]
        double = {  # one entry in two sections has one row; of two versions that stand one has
            hash_entry(text)
            for text in standing
            if text.startswith("Same thing")
            or read_words(text) in question
            or any(other.startswith(f"{text} was ") for other in standing)  # two brought it back, one reworded it
        }
        if bare := [item for item in known_rows if item[0] == MEMORY and item not in held and item[1] not in double]:
            self.faults.append(f"P6: entries without a row: {bare[:3]}")


WELL: set[tuple[str, str]] = set()


def without(repo: Repository, head: str, words: str) -> tuple[str, list[str]]:
    """Return a history without these words, and the objects that hold them, as a purge does with git-filter-repo."""
    forms = history_rewrite.forms(words.encode())
    walker = repo.raw.walk(pygit2.Oid(hex=head), SortMode.TOPOLOGICAL | SortMode.REVERSE)
    commits = list(walker)
    hashes: dict[str, str] = {}
    for commit in commits:
        for path in repository.files(repo, str(commit.id)):
            text = (repository.read(repo, str(commit.id), path) or b"").decode()
            if path.endswith(".md") and words in text:
                pairs = zip(entries_of(text), entries_of(text.replace(words, "[purged]")), strict=True)
                hashes |= {hash_entry(old.text): hash_entry(new.text) for old, new in pairs if old.text != new.text}
    new: dict[str, str] = {}
    objects: dict[str, None] = {}
    for commit in commits:
        old, parents = str(commit.id), [str(item) for item in commit.parent_ids]
        before = parents[0] if parents else None
        files: dict[str, bytes | None] = {}
        for path in commit_chain.list_changed_paths(repo, before, old):
            data = repository.read(repo, old, path)
            files[path] = data and rename_entries(history_rewrite.remove_phrases(data, forms), hashes)
            if data and files[path] != data:
                objects[repository.blob_id(repo, old, path) or ""] = None
        is_same = all(new[item] == item for item in parents)
        if is_same and all(files[path] == repository.read(repo, old, path) for path in files):
            new[old] = old
            continue
        author = (commit.author.name, commit.author.email)
        moment = repository.moment(commit.commit_time, commit.commit_time_offset)
        product = NewCommit(commit.message, author, moment, files, tuple(new[item] for item in parents[1:]))
        new[old] = commit_chain.build(repo, new[before] if before else None, [product])[0]
    return new[head], list(objects)


def rows(text: str | None) -> list[str]:
    """Return the lines of a text that say something."""
    return [fold_line(row) for row in (text or "").splitlines() if row.strip()]


Act = Callable[[World, Machine], None]


def _bullets(world: World, machine: Machine) -> list[tuple[Row, str]]:
    """Return the entries of the memory with their rows."""
    known_rows = {(row.file, row.hash): row for row in entries.parse(world.text(machine, entries.PATH) or "").values()}
    results = []
    for item in entries_of(world.text(machine, MEMORY) or ""):
        row = known_rows.get((MEMORY, hash_entry(item.text)))
        if row is not None and item.kind == "bullet":
            results.append((row, item.text))
    return results


def _with(world: World, machine: Machine, *new: Row) -> str:
    text = world.text(machine, entries.PATH) or ""
    return entries.with_rows(text, entries.join_rows(entries.parse(text), new))


def _phrase(world: World) -> str:
    return f"{' '.join(world.random.choices(WORDS, k=3))} {world.step}{world.random.randrange(10)}"


def add(world: World, machine: Machine) -> None:
    """Add an entry, seldom the very one that another machine may add as well."""
    is_same = world.random.random() < 0.15
    words = f"Same thing {world.random.randrange(3)}" if is_same else f"{machine.name} {_phrase(world)}"
    if words in (world.text(machine, MEMORY) or ""):
        return
    text = world.text(machine, MEMORY) or BEGIN[MEMORY]
    section = world.random.choice(("Decisions", "Knowledge", "Events"))
    text = append_under(text, section, f"- {words} #knowledge")
    day = date(2026, 2, 14)
    row = Row(entry_id(MEMORY, words, 1), MEMORY, hash_entry(words), "knowledge", "operator", 0.95, day, day)
    world.commit(machine, {MEMORY: text, entries.PATH: _with(world, machine, row)}, "memory: add")


def reword(world: World, machine: Machine, *, is_correction: bool = False) -> None:
    results = _bullets(world, machine)
    if not results:
        return
    row, words = world.random.choice(results)
    new = f"{words.split(' was ')[0]} was {_phrase(world)}"
    text = (world.text(machine, MEMORY) or "").replace(f" {words} #", f" {new} #", 1)
    name = entry_id("c", new, world.step) if is_correction else ""
    after = replace(row, hash=hash_entry(new), last=date(2026, 2, 15), status="live", by=name)
    files: dict[str, str | None] = {MEMORY: text, entries.PATH: _with(world, machine, after)}
    world.reworded.append((row.id, new))
    if is_correction:
        world.corrected.setdefault(row.id, []).append(new)
        record = f"\n## {name} 2026-02-14 10:00\n\n- Said: {words}\n- True: {new}\n- Re-embedded: false\n"
        files[file_roles.CORRECTIONS] = (world.text(machine, file_roles.CORRECTIONS) or "# Corrections\n") + record
    world.commit(machine, files, "memory: reword")


def correct(world: World, machine: Machine) -> None:
    reword(world, machine, is_correction=True)


def reformat(world: World, machine: Machine) -> None:
    """Have a formatter change bullets, or leave spaces at the ends of lines."""
    text = world.text(machine, MEMORY) or ""
    if world.random.random() < 0.5:
        old, new = ("\n- ", "\n* ") if "\n- " in text else ("\n* ", "\n- ")
        text = text.replace(old, new)
    else:
        text = text.replace("  \n", "\n") if "  \n" in text else text.replace(" #knowledge\n", " #knowledge  \n")
    world.commit(machine, {MEMORY: text}, "reformat")


def take_out(world: World, machine: Machine) -> None:
    results = _bullets(world, machine)
    if not results:
        return
    row, words = world.random.choice(results)
    text = "".join(
        line for line in (world.text(machine, MEMORY) or "").splitlines(keepends=True) if f" {words} #" not in line
    )
    world.commit(
        machine, {MEMORY: text, entries.PATH: _with(world, machine, replace(row, status="tombstone"))}, "memory: out"
    )


def mention(world: World, machine: Machine) -> None:
    results = _bullets(world, machine)
    if results:
        row, _ = world.random.choice(results)
        new = replace(row, mentions=row.mentions | {f"m{world.step}{machine.name}"})
        world.commit(machine, {entries.PATH: _with(world, machine, new)}, "memory: mention")


def move(world: World, machine: Machine) -> None:
    """Move an entry to the end of another section."""
    results = _bullets(world, machine)
    if not results:
        return
    _, words = world.random.choice(results)
    lines = (world.text(machine, MEMORY) or "").splitlines(keepends=True)
    index = next(n for n, line in enumerate(lines) if f" {words} #" in line)
    line = lines.pop(index)
    spots = [n for n, item in enumerate(lines) if item.startswith(("- ", "* "))] or [len(lines)]
    lines.insert(world.random.choice(spots), line)
    world.commit(machine, {MEMORY: "".join(lines)}, "memory: move")


def note(world: World, machine: Machine) -> None:
    path = f"memory/2026-02-{world.random.choice((13, 14))}.md"
    text = world.text(machine, path) or f"# {path[7:17]}\n"
    minute = world.random.randrange(3)
    world.commit(
        machine, {path: f"{text}\n## 14:3{minute}\n\n- {machine.name} noted {_phrase(world)}\n"}, "journal: note"
    )


def compact(world: World, machine: Machine) -> None:
    """Move a journal to the archive."""
    path = "memory/2026-02-13.md"
    text = world.text(machine, path)
    if text:
        target = "memory/archive/2026-02.md"
        kept = (world.text(machine, target) or "# Archive\n") + "\n" + text.replace("# 2026-02-13", "## 2026-02-13", 1)
        world.commit(machine, {path: None, target: kept}, "compaction")


def edit_by_hand(world: World, machine: Machine) -> None:
    path = world.random.choice((AGENTS, "memory/topic.md"))
    lines = (world.text(machine, path) or "# Topic\n\nText.\n").splitlines(keepends=True)
    index = world.random.randrange(1, len(lines) + 1)
    kind = world.random.random()
    if kind < 0.5 or len(lines) < 4:
        lines.insert(index, f"{world.random.choice(('- ', '', '  - '))}{machine.name} {_phrase(world)}\n")
    elif kind < 0.75:
        index = min(index, len(lines) - 1)
        lines[index] = f"{lines[index].rstrip()} {_phrase(world)}\n"
    else:
        lines.pop(min(index, len(lines) - 1))
    world.commit(machine, {path: "".join(lines)}, "by hand")


def set_key(world: World, machine: Machine) -> None:
    text = world.text(machine, CONFIG) or BEGIN[CONFIG]
    key = world.random.choice(("min_score", "max_results", "staleness_days"))
    lines = [
        f"{key}: {world.step}\n" if line.startswith(f"{key}:") else line for line in text.splitlines(keepends=True)
    ]
    world.commit(machine, {CONFIG: "".join(lines)}, "config")


def read_on(world: World, machine: Machine) -> None:
    known_rows = reading_cursors.parse_cursors(world.text(machine, reading_cursors.CURSORS_PATH) or "")
    new = Cursor(f"s{world.random.randrange(3)}", f"e{world.step}", world.step)
    world.commit(
        machine,
        {reading_cursors.CURSORS_PATH: reading_cursors.render_cursors(reading_cursors.furthest(known_rows, [new]))},
        "cursors",
    )


def taint(world: World, machine: Machine) -> None:
    known_rows = world.text(machine, records.TAINTED_PATH) or ""
    item = records.Taint(entry_id("t", f"{world.step}{machine.name}", 1), f"session:{world.step}", "2026", "x", "w")
    new = records.add_taint(known_rows, item, [f"s#{world.random.randrange(4)}"], [], [])
    world.commit(machine, {records.TAINTED_PATH: new}, "memory: taint: s")


def undo(world: World, machine: Machine) -> None:
    """Take the last commit of this history back, where that goes without a conflict."""
    commit = world.repo.raw[machine.head].peel(pygit2.Commit)
    if len(commit.parent_ids) != 1:
        return
    parent, files = str(commit.parent_ids[0]), dict[str, str | None]()
    for path in commit_chain.list_changed_paths(world.repo, parent, machine.head):
        was, now = (repository.read(world.repo, item, path) for item in (parent, machine.head))
        files[path] = None if was is None else was.decode()
        if path == entries.PATH and was is not None and now is not None:
            before, after = entries.parse(was.decode()), entries.parse(now.decode())
            rows_ = dict(after)
            for key, row in after.items():
                if before.get(key) != row:
                    rows_[key] = entries.take_back(before.get(key), row, row)
            files[path] = entries.with_rows(now.decode(), rows_)
    for path, text in files.items():  # whoever undoes writes anew what had been taken out
        if path.endswith(".md"):
            WELL.update((path, row) for row in rows(text))
    world.commit(machine, files, "undo")


ACTS: Sequence[tuple[int, Act]] = (
    (8, add),
    (5, reword),
    (2, correct),
    (1, reformat),
    (3, take_out),
    (3, mention),
    (2, move),
    (6, note),
    (1, compact),
    (4, edit_by_hand),
    (2, set_key),
    (1, read_on),
    (1, taint),
    (3, undo),
)


def chronicle(world: World, machine: Machine) -> None:
    """Compact a journal into the chronicle of its month, word for word or told."""
    path, target = "memory/2026-02-13.md", "memory/archive/chronicles/2026-February.md"
    text = world.text(machine, path)
    if text:
        kept = world.text(machine, target) or "# Chronicle of February 2026\n"
        answer = text.strip("\n") if world.random.random() < 0.7 else f"{machine.name} told {_phrase(world)}"
        source = f"<!-- from {path} {repository.hash_blob(text.encode())[:10]} -->"
        world.commit(machine, {path: None, target: f"{kept}\n# 2026-02-13\n\n{answer}\n\n{source}\n"}, "chronicle")


def restore(world: World, machine: Machine) -> None:
    """Bring an entry back that was taken out, as it was."""
    text = world.text(machine, MEMORY) or BEGIN[MEMORY]
    missing = [
        item for item in entries.parse(world.text(machine, entries.PATH) or "").values() if item.status == "tombstone"
    ]
    known_rows = {hash_entry(words): (path, words) for path, words in world.said() if path == MEMORY}
    results = [(row, known_rows[row.hash][1]) for row in missing if row.hash in known_rows]
    if results and "\n## Events\n" in text:
        row, words = world.random.choice(results)
        line = f"- {words} #knowledge"
        if f" {words} #" not in text:
            WELL.add((MEMORY, line))
            new = replace(row, status="live", by="")
            files = {MEMORY: f"{text.rstrip()}\n{line}\n", entries.PATH: _with(world, machine, new)}
            world.commit(machine, files, "memory: restore")


def purge(world: World, machine: Machine) -> None:
    """Purge words of an entry, whoever wrote it; its number stays, so that no two come to be the same."""
    results = [words for _, words in _bullets(world, machine) if not words.startswith("Same") and "[" not in words]
    if results:
        world.purge(machine, " ".join(world.random.choice(results).split()[1:4]))


MORE: Sequence[tuple[int, Act]] = (*ACTS, (3, chronicle), (3, restore), (4, purge))


def played(
    repo: Repository,
    base: str,
    seed: int,
    acts: Sequence[tuple[int, Act]] = ACTS,
    transport: str = "heads",
    count: int = 2,
) -> World:
    """Play one world to its end."""
    random = Random(seed)
    WELL.clear()
    names = ["".join(random.choice("klmnopqrstuvwxyz") for _ in range(8)) for _ in range(count)]
    machines = [Machine(name, base, clock=timedelta(hours=random.choice((0, 0, 0, 26, -26)))) for name in names]
    world = World(repo, random, machines, transport=transport, shared=base)
    for path, text in BEGIN.items():
        WELL.update((path, row) for row in rows(text))
    weights = [weight for weight, _ in acts]
    for _ in range(random.randint(4, 24)):
        machine = random.choice(machines)
        if random.random() < 0.3:
            others = [item for item in machines if item is not machine]
            world.sync(machine, random.sample(others, random.randint(1, len(others))), random)
        else:
            random.choices([act for _, act in acts], weights)[0](world, machine)
    world.check_pair()
    heads = [(machine.head, machine.purged) for machine in machines]
    shared, purged, published = world.shared, world.purged, dict(world.published)
    ends: list[dict[str, str | None]] = []
    for order in range(2):
        for machine, (head, words) in zip(machines, heads, strict=True):
            machine.head, machine.purged = head, words
        world.shared, world.purged, world.published = shared, purged, dict(published)
        world.settle(Random(seed * 7 + order))
        ends.append(world.files(machines[0]))
    differ = [path for path in {**ends[0], **ends[1]} if ends[0].get(path) != ends[1].get(path)]
    if differ := [path for path in differ if path != purged_objects.PATH]:
        texts = [path for path in differ if not path.startswith(".clawgit/") and path != file_roles.CONFLICTS]
        kind = "P3: another order of gossip ends with other words" if texts else "rows: and with another row or record"
        if transport != "heads":
            moved = all(_bag(ends[0].get(path)) == _bag(ends[1].get(path)) for path in differ)
            kind = f"order: who syncs first decides ({'place' if moved else 'words' if texts else 'rows'})"
        world.faults.append(f"{kind}: {sorted(differ)}")
    world.check_end()
    return world


def _bag(text: str | None) -> list[str]:
    """Return the lines of a file that are not blank, in no order."""
    return sorted(line for line in (text or "").split("\n") if line.strip())


def begun(folder: Path) -> tuple[Repository, str]:
    """Make the repository that all worlds share, and its first commit."""
    pygit2.option(pygit2.enums.Option.ENABLE_FSYNC_GITDIR, False)  # noqa: FBT003 - C's signature
    repo = repository.create(folder, "main")
    first = NewCommit("begin\n", ("a", "a@localhost"), START, {path: text.encode() for path, text in BEGIN.items()})
    return repo, commit_chain.build(repo, None, [first])[0]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worlds", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--more", action="store_true")
    parser.add_argument("--machines", type=int, default=2)
    parser.add_argument("--transport", choices=("shared", "heads", "folder"), default="heads")
    options = parser.parse_args()
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    faults: Counter[str] = Counter()
    bad = commits = gave_way = 0
    start = time.process_time()
    done = 0
    while done < options.worlds:
        with tempfile.TemporaryDirectory(prefix="worlds-", dir=memory) as folder:
            repo, base = begun(Path(folder) / "ws")
            for seed in range(done, min(done + 200, options.worlds)):
                acts = MORE if options.more else ACTS
                world = played(repo, base, options.seed + seed, acts, options.transport, options.machines)
                commits += world.step
                bad += bool(world.faults)
                gave_way += world.gave_way
                for words in world.faults:
                    kind = words.partition(":")[0]
                    faults[kind] += 1
                    if faults[kind] <= 5:
                        print(f"world {options.seed + seed}: {words}")
            done = min(done + 200, options.worlds)
        if done % 2000 == 0:
            print(f"{done:,} worlds: {bad} with a violation", flush=True)
    spent = time.process_time() - start
    print(f"{options.worlds:,} worlds, {commits:,} changes: {bad} with a violation {dict(faults)}")
    print(f"{gave_way} lines gave way to a correction of the same entry, without a record")
    print(f"{spent:.0f} s of this process's time")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
