"""How wholly a source is taken back that taught for weeks, and what else is touched.

    python benchmarks/memory/taint.py                  200 poisons among 2,000 honest memories
    python benchmarks/memory/taint.py --poisons 20 --honest 200

Poisons come by four channels: words of the operator's own conversation, a page that a tool read, a file that the agent
wrote, another agent's note. Some are promoted from journals, some take the place of an honest entry or are merged with
one, some are archived with honest days. Each poison holds a word that stands nowhere else; what is counted are files,
hits, context and answers of the MCP tools that still hold one, and honest lines that are not as they would be.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Literal
from unittest.mock import patch

import anyio
import time_machine
from mcp import Client

sys.path.insert(0, str(Path(__file__).parents[2]))

from clawgit import clock
from clawgit.agents import reading_run, requested_memories, running
from clawgit.agents.memory_compactor import MemoryCompactor, Promoter
from clawgit.api import Memory
from clawgit.mcp.mcp_server import build_server
from clawgit.mcp.tool_arguments import Lanes, make_rooms
from clawgit.memory import taint
from clawgit.memory.compact import CompactionPlan
from clawgit.memory.promote import Wanted
from clawgit.reading.explicit_requests import Finding
from clawgit.sessions import chat_store
from clawgit.sessions.envelope import Origin, Session
from clawgit.sessions.session_messages import Event, hash_words
from clawgit.text.edit import bullet
from clawgit.text.entry import entry_id
from clawgit.text.entry import hash_entry as entry_digest
from clawgit.workspace import memory_lines
from clawgit.workspace.bootstrap import init
from clawgit.workspace.change import Change, Edit
from clawgit.workspace.entries import Row
from clawgit.workspace.undo import undo
from clawgit.workspace.workspace import Workspace, open_workspace

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
SUBJECTS = (
    "the build",
    "the backup",
    "the invoice run",
    "the greenhouse",
    "the router",
    "the choir",
    "the lab printer",
)
VERBS = ("starts at", "moves to", "is kept in", "belongs to", "is checked by", "reports to", "depends on")
BAD, GOOD = "bad", "good"


def find_marked(text: str) -> tuple[Finding, ...]:
    """Return what begins with `fact: ` as requests."""
    lines = [line.removeprefix("fact: ") for line in text.splitlines() if line.startswith("fact: ")]
    return tuple(Finding(item, item, "knowledge", "note") for item in lines)


class World:
    """A workspace in which honest and poisonous memories come to stand."""

    def __init__(self, root: Path, poisons: int, honest: int) -> None:
        self.random = random.Random(7)
        self.root, self.now = root, START
        subprocess.run(["git", "init", "-q", "-b", "main", root], check=True)
        subprocess.run(["git", "-C", root, "config", "user.name", "Ada"], check=True)
        subprocess.run(["git", "-C", root, "config", "user.email", "ada@example.org"], check=True)
        (root / "SOUL.md").write_text("# Soul\n\n- Be kind.\n")
        init(root).workspace.close()
        self.workspace = self.opened()
        self.poisons = [self.sentence(f"zq{n:04}") for n in range(poisons)]
        self.honest = [self.sentence(f"ok{n:04}") for n in range(honest)]
        self.events: dict[str, int] = {}

    def sentence(self, word: str) -> str:
        """Return a sentence with a word of its own."""
        item = self.random
        first, verb, last = item.choice(SUBJECTS).capitalize(), item.choice(VERBS), item.choice(SUBJECTS)
        return f"{first} of unit {word} {verb} {last}, row {item.randint(2, 99)}."

    def opened(self) -> Workspace:
        results = open_workspace(self.root)
        results.clock = lambda: self.now
        results.conversations = partial(chat_store.find_turn, results.store.folder)
        return results

    def say(self, texts: Sequence[str], session: str, role: Literal["user", "assistant"] = "user") -> list[str]:
        """Have things said in a session; return the events."""
        start = self.events.get(session, 0)
        self.events[session] = start + len(texts)
        origin: Origin = "operator" if role == "user" else "agent"
        names = [f"e{start + n}" for n in range(len(texts))]
        said = [
            Event(
                name,
                "",
                start + n,
                self.now.timestamp() + n,
                role,
                origin,
                text,
                self.now.timestamp() + n,
                digest=hash_words(role, text),
            )
            for n, (name, text) in enumerate(zip(names, texts, strict=True))
        ]
        with chat_store.open_chat_store(self.workspace.store, {}) as store:
            here = Session(session, "main", f"agent:main:{session}", "direct", "telegram", START.timestamp())
            store.meet(here)
            store.take(here, "file", said, f"{session}.jsonl", {})
        return names

    def mine(self) -> None:
        index_store = chat_store.open_untainted(self.workspace, {})
        with index_store as store, patch.object(requested_memories, "list_requests", find_marked):
            reading_run.run_reading(self.workspace, store, "memory-miner", None)

    def live(self) -> None:
        """Let weeks pass."""
        honest, poisons = list(self.honest), list(self.poisons)
        kinds = ("said", "read", "file", "agent", "promoted", "replaced", "merged", "archived")
        share = -(-len(poisons) // len(kinds))
        lots = {kind: poisons[index * share : (index + 1) * share] for index, kind in enumerate(kinds)}
        block = max(1, len(honest) // 40)
        while honest:
            now, honest = honest[:block], honest[block:]
            self.say([f"fact: {item}" for item in now[: len(now) // 2]], GOOD)
            self.note(now[len(now) // 2 :], archived=len(honest) > len(self.honest) // 2)
            self.mine()
            self.now += timedelta(days=1)
            for kind, group in lots.items():
                few = -(-share // 30)
                lots[kind] = group[few:]
                for text in group[:few]:
                    getattr(self, f"_{kind}")(text)
        running.apply(Promoter(Wanted()), self.workspace)
        self.now += timedelta(days=120)
        clock.confirm(self.workspace.repo, self.workspace.clock())
        running.apply(MemoryCompactor(CompactionPlan("chronicle", 30, remove=True)), self.workspace)

    def note(self, group: Sequence[str], *, archived: bool) -> None:
        """Write into the journal of the day, as a file tool does."""
        del archived
        path = f"memory/{self.now:%Y-%m-%d}.md"
        place = self.root / path
        place.parent.mkdir(exist_ok=True)
        there = place.read_text() if place.exists() else f"# {self.now:%Y-%m-%d}\n\n"
        place.write_text(there + "".join(f"- {item}\n" for item in group))
        self.workspace.capture([path])

    def _said(self, text: str) -> None:
        self.say([f"fact: {text}"], BAD)
        self.mine()

    def _read(self, text: str) -> None:
        (event,) = self.say([f"The page says: {text}"], BAD, "assistant")
        self._add(text, f"session:{BAD}#{event}", "main")

    def _agent(self, text: str) -> None:
        (event,) = self.say([f"scout reports: {text}"], BAD, "assistant")
        self._add(text, f"session:{BAD}#{event}", "scout")

    def _file(self, text: str) -> None:
        path = "memory/web-notes.md"
        place = self.root / path
        there = place.read_text() if place.exists() else "# Notes from the web\n\n"
        place.write_text(f"{there}- {text}\n")
        self.workspace.capture([path])
        self._add(text, f"{path}#L{len(place.read_text().splitlines())}", "main")

    def _add(self, text: str, pointer: str, agent: str) -> None:
        addition = memory_lines.make_addition(self.workspace, text, origin="agent", evidence=(pointer,), agent=agent)
        self.workspace.apply(addition.change)

    def _promoted(self, text: str) -> None:
        self._noted(text, f"- We decided that {text[0].lower()}{text[1:]} #decision\n")

    def _archived(self, text: str) -> None:
        self._noted(text, f"- {text}\n")

    def _noted(self, text: str, line: str) -> None:
        """Have the agent write a line into the journal of the day."""
        (event,) = self.say([text], BAD, "assistant")
        path = f"memory/{self.now:%Y-%m-%d}.md"
        before = self.workspace.read(path) or f"# {self.now:%Y-%m-%d}\n\n"
        self.workspace.apply(
            Change(
                "journal",
                edits=(Edit(path, self.workspace.read(path), before + line),),
                origin="agent",
                agent="main",
                evidence=(f"session:{BAD}#{event}",),
            )
        )

    def _entry(self) -> tuple[str, Row, str]:
        """Return an honest entry that stands, with its line."""
        whole = self.workspace.read("MEMORY.md") or ""
        rows = [item for item in self.workspace.rows().values() if item.file == "MEMORY.md" and item.status == "live"]
        lines = {
            entry_digest(line[2:]): line
            for line in whole.splitlines()
            if line.startswith("- ") and " ok" in line and "zq" not in line
        }
        row = self.random.choice([item for item in rows if item.hash in lines])
        return whole, row, lines[row.hash]

    def _replaced(self, text: str) -> None:
        self._instead(text, session=True)

    def _merged(self, text: str) -> None:
        self._said(text)
        self._instead(text, session=False)

    def _instead(self, text: str, *, session: bool) -> None:
        """Put a poison in the place of an honest entry, or one line in the place of both."""
        whole, row, line = self._entry()
        words = text if session else f"{line[2:].split(' #')[0].rstrip('.')}, and {text[0].lower()}{text[1:]}"
        after = whole.replace(line + "\n", bullet(words, "knowledge") + "\n")
        missing = [row]
        if not session:
            own = next(
                item
                for item in self.workspace.rows().values()
                if item.file == "MEMORY.md" and item.hash == entry_digest(text)
            )
            after = "".join(item for item in after.splitlines(keepends=True) if entry_digest(item[2:]) != own.hash)
            missing.append(own)
        cited = tuple(f"session:{BAD}#{item}" for item in (self.say([text], BAD) if session else ()))
        mentions = frozenset().union(*(item.mentions for item in missing))
        joined = Row(
            entry_id("MEMORY.md", words),
            "MEMORY.md",
            entry_digest(words),
            mentions=mentions,
            sources=frozenset(item.id for item in missing),
        )
        self.workspace.apply(
            Change(
                f"memory: {'reworded' if session else 'merged'}",
                edits=(Edit("MEMORY.md", whole, after),),
                origin="agent",
                agent="memory-miner" if session else "conflict-detector",
                evidence=cited,
                rows=(joined,),
                drops=tuple(item.id for item in missing),
            )
        )

    def commits(self) -> int:
        """Return how long history is."""
        answer = subprocess.run(["git", "rev-list", "--count", "HEAD"], cwd=self.root, capture_output=True, check=True)
        return int(answer.stdout)

    def tree(self) -> dict[str, str]:
        """Return the files of HEAD."""
        names = (
            subprocess.run(["git", "ls-files", "-z"], cwd=self.root, capture_output=True, check=True)
            .stdout.decode()
            .split("\0")
        )
        return {item: (self.root / item).read_text() for item in names if item and (self.root / item).is_file()}


def poisoned(texts: Iterator[tuple[str, str]], words: Sequence[str]) -> dict[str, list[str]]:
    """Return the poisons that each text still holds."""
    results = {name: [word for word in words if word in text] for name, text in texts}
    return {name: group for name, group in results.items() if group}


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--poisons", type=int, default=200)
    parser.add_argument("--honest", type=int, default=2000)
    parser.add_argument("--keep", type=Path, help="leave the workspace here")
    options = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder, time_machine.travel(START, tick=True):
        root = options.keep or Path(folder) / "ws"
        root.mkdir(parents=True)
        world = World(root, options.poisons, options.honest)
        world.live()
        words = [f"zq{n:04}" for n in range(options.poisons)]
        clean = [f"ok{n:04}" for n in range(options.honest)]
        before = world.tree()
        stood = poisoned(iter(before.items()), words)
        print(
            f"poisons that stand: {len(set().union(*stood.values()))} in {len(stood)} files; commits {world.commits()}"
        )
        names = []
        for source in (f"session:{BAD}", "memory/web-notes.md"):
            began = time.perf_counter()
            report = taint.list_tainted_lines(world.workspace, source)
            took = time.perf_counter() - began
            change = taint.make_change(world.workspace, report)
            names.append(world.workspace.apply(change).change)
            print(
                f"{source}: {len(report.direct)} + {len(report.derived)} changes, "
                f"{len(report.leaving)} lines, {took:.2f} s"
            )
            for note in report.notes[:5]:
                print(f"  {note}")
        after = world.tree()
        left = poisoned(iter(after.items()), words)
        for path, group in left.items():
            for word in group[:3]:
                print(path, [line for line in after[path].splitlines() if word in line])
        print(f"poisons left in the tree: {json.dumps({k: len(v) for k, v in left.items()})}")
        told(world, words, clean, before, after)
        for _ in range(10):
            world.say([f"fact: {item}" for item in world.poisons[:20]], BAD)
            world.now += timedelta(days=1)
            world.mine()
        again = poisoned(iter(world.tree().items()), words)
        print(f"after ten more readings: {sum(map(len, again.values()))}")
        for name in reversed(names):
            world.workspace.apply(undo(world.workspace, name))
        back = world.tree()
        is_same = [path for path in before if path.endswith(".md") and back.get(path) != before[path]]
        print(f"after undo {len(is_same)} files differ: {is_same[:4]}")
        world.workspace.close()


def told(
    world: World, words: Sequence[str], clean: Sequence[str], before: dict[str, str], after: dict[str, str]
) -> None:
    """Print what answers hold, and what became of the honest lines."""

    def lines(tree: dict[str, str]) -> dict[str, str]:
        all_rows = (line for path, text in tree.items() if path.endswith(".md") for line in text.splitlines())
        return {word: line for line in all_rows if "zq" not in line for word in clean if word in line}

    was, now = lines(before), lines(after)
    missing = [word for word in was if word not in now]
    is_same = sum(now.get(word) == line for word, line in was.items())
    print(f"honest lines alone: {len(was)}, byte-equal {is_same} = {is_same / len(was):.4f}, gone {missing[:5]}")
    print(
        f"honest entries that a poison had replaced or swallowed and that stand again: {len(now.keys() - was.keys())}"
    )
    world.workspace.close()
    world.workspace = world.opened()
    held = 0
    with Memory(world.workspace) as mind:
        for word, text in zip(words[::10], world.poisons[::10], strict=True):
            hits = mind.search(text).results
            held += any(word in hit.text for hit in hits)
            held += word in mind.context(text).text
    root = world.workspace.root
    world.workspace = world.opened()
    print(f"searches and contexts that hold a poison: {held} of {2 * len(words[::10])}")
    questions = list(zip(words[::10], world.poisons[::10], strict=True))
    told = anyio.run(partial(_over_mcp, root, [text for _, text in questions]))
    held = sum(word in answer for (word, _), answer in zip(questions * 2, told, strict=False))
    print(f"answers over MCP that hold a poison: {held} of {len(told)}")


async def _over_mcp(root: Path, questions: Sequence[str]) -> list[str]:
    """Return what the server for agents answers: to each question a search, then a context."""
    lanes = Lanes((product := make_rooms(root, read_only=True)).opened)
    async with Client(build_server(product, lanes)) as client:
        results = [await client.call_tool("memory_search", {"query": text}) for text in questions]
        results += [await client.call_tool("context", {"query": text}) for text in questions]
    return [item.model_dump_json() for item in results]


if __name__ == "__main__":
    main()
