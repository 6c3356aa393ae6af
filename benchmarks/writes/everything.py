"""Everything at once on one workspace: every line that anybody wrote is found at the end, or who took it out is known.

    python benchmarks/writes/everything.py              ten minutes
    python benchmarks/writes/everything.py 60 --json    a minute, and the table as JSON
    python benchmarks/writes/everything.py 60 --keep    leaves the workspace where it is, and says where

Beside `capture --watch` and `schedule run` work: a client of the MCP server (the SDK's own) that keeps and searches;
the command line that keeps, corrects, undoes, promotes; and two agents that know nothing of clawgit: they append to
journals, write MEMORY.md back from a reading of a while ago with a line edited, left out and added, in place or by
rename, rename and delete files of topics, `git commit -a`, stash and rebase; and a third whose calls are reported to
the server as OpenClaw's plugin does. Each line has a token of its own. Told as written is what came back as done. Exit
1 when a token is neither in a file, in HEAD, in history, nor beside the branch, and nobody who had read it took it out,
when an agent's line stands twice in a file, or when `why` names another call. What stood for less than a tenth of a
second, or was written while git stashed or rebased the same file (git itself drops that), is listed apart.
"""

import argparse
import contextlib
import json
import math
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import anyio
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from benchmarks.lib.apart import apart
from benchmarks.lib.results import keep
from clawgit.workspace import seen_versions
from clawgit.workspace.workspace import open_workspace
from tests.promises.mcp_server import Server

CLAWGIT = str(Path(sys.executable).with_name("clawgit"))
TOKEN = re.compile(r"\b(?:mcp|cli|ada|bob|gil)\d{5}\b")
THINGS = ("kettle", "lamp", "ledger", "garden", "boiler", "printer", "boat", "piano", "router", "ladder")
LONG = 120.0
"""Seconds after which a command hangs."""
WHERE = ("in a file", "in HEAD", "in history", "beside the branch", "taken out by one who had read it")
LOST = ("in the reflog alone", "unreachable", "nowhere")
IN_THE_WAY = ("is under way", "is detached", "is unmerged", "conflict markers", "is checked out", "has staged changes")
ASKED_LINES = 15
"""Of so many lines of each file `why` is asked."""
BLINK = 0.1
"""What stands for fewer seconds nobody can be expected to have seen: it is listed apart."""


@dataclass
class Book:
    """What was written, by token, and what was taken out by somebody who had read it; of all threads."""

    folder: Path
    ends: float
    written: dict[str, str] = field(default_factory=dict)
    taken: dict[str, str] = field(default_factory=dict)
    acts: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)
    numbers: Counter[str] = field(default_factory=Counter)
    moments: list[tuple[float, float, str, str]] = field(default_factory=list)
    windows: list[tuple[float, float]] = field(default_factory=list)
    origins: Counter[str] = field(default_factory=Counter)
    conflicted: set[str] = field(default_factory=set)

    def token(self, writer: str) -> str:
        """Return a token that nobody has."""
        with self.lock:
            self.numbers[writer] += 1
            return f"{writer}{self.numbers[writer]:05d}"

    def wrote(self, act: str, text: str) -> None:
        """Note that lines have been written."""
        with self.lock:
            self.written |= dict.fromkeys(TOKEN.findall(text), act)
            self.acts[act] += 1

    @contextlib.contextmanager
    def writing(self, place: Path, text: str) -> Iterator[None]:
        """Note when an agent writes a line into a file: from when to when it may have been."""
        began = time.monotonic()
        yield
        with self.lock:
            self.moments.append((began, time.monotonic(), place.name, TOKEN.findall(text)[0]))

    def stood(self, token: str) -> float:
        """Return for how many seconds a line surely stood in its file until an agent wrote that file anew."""
        began, ended, name = next(
            ((began, ended, name) for began, ended, name, item in self.moments if item == token), (0.0, 0.0, "")
        )
        others = [item for item in self.moments if item[2] == name and item[3] != token and item[1] > began]
        return max(0.0, min((item[0] - ended for item in others), default=math.inf))

    @contextlib.contextmanager
    def rewriting(self) -> Iterator[None]:
        """Note for how long git writes files anew: what is written meanwhile git itself may drop."""
        began = time.monotonic()
        yield
        with self.lock:
            self.windows.append((began, time.monotonic()))

    def excused(self, token: str) -> str:
        """Return why nobody can be expected to have seen a line; "" where they can."""
        mine = next(((began, ended) for began, ended, _, item in self.moments if item == token), (math.inf, 0.0))
        if self.stood(token) < BLINK:
            return f"written over after {self.stood(token):.3f} s"
        amid = any(began - BLINK < mine[1] and mine[0] < ended + BLINK for began, ended in self.windows)
        return "written while git stashed or rebased the file" if amid else ""

    def took(self, act: str, text: str) -> None:
        """Note that lines were taken out on purpose."""
        with self.lock:
            self.taken |= dict.fromkeys(TOKEN.findall(text), act)
            self.acts[act] += 1

    def met(self, act: str, *, ok: bool = True) -> bool:
        """Count an act, and tell whether it was done."""
        with self.lock:
            (self.acts if ok else self.failed)[act] += 1
        return ok

    @property
    def goes_on(self) -> bool:
        """Whether there is time left."""
        return time.monotonic() < self.ends


def run(book: Book, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a program in the workspace. One that hangs is an error of its own."""
    try:
        return subprocess.run(
            words, cwd=book.folder, capture_output=True, text=True, check=False, timeout=LONG, errors="replace"
        )
    except subprocess.TimeoutExpired:
        book.wrong.append(f"hangs: {' '.join(words)}")
        return subprocess.CompletedProcess(words, 124, "", "")


def sentence(rng: random.Random, token: str) -> str:
    return f"The {rng.choice(THINGS)} of house {rng.randrange(1000)} is number {rng.randrange(10_000)}, says {token}."


# --- those who know clawgit


@dataclass
class Operator:
    """Keeps, corrects, undoes, notes and promotes by commands. `kept` are changes, ids and words of memories."""

    book: Book
    rng: random.Random
    kept: list[tuple[str, str, str]] = field(default_factory=list)

    def work(self) -> None:
        """Act until the end."""
        others = (("memory", "promote", "--apply"), ("capture",), ("search", "kettle"), ("undo", "--run"))
        acts = (self.add, self.add, self.note, self.correct, self.undo, self.other)
        while self.book.goes_on:
            act = self.rng.choice(acts)
            act(*self.rng.choice(others)) if act == self.other else act()
            time.sleep(self.rng.uniform(0, 1))

    def said(self) -> str:
        """Return a sentence with a token of its own."""
        return sentence(self.rng, self.book.token("cli"))

    def add(self) -> None:
        """Keep a memory."""
        text = self.said()
        if done := clawgit(self.book, "memory add", "memory", "add", text):
            self.book.wrote("memory add", text)
            self.kept.append((str(done["change"]), str(done.get("id")), text))

    def note(self) -> None:
        """Add to the journal."""
        text = self.said()
        if clawgit(self.book, "journal add", "journal", "add", text):
            self.book.wrote("journal add", text)

    def correct(self) -> None:
        """Correct a memory; its old words stay in a comment."""
        if self.kept:
            _, name, _ = self.kept.pop(self.rng.randrange(len(self.kept)))
            text = self.said()
            if clawgit(self.book, "correct", "correct", text, "--about", name):
                self.book.wrote("correct", text)

    def undo(self) -> None:
        """Take a memory back."""
        if self.kept:
            change, _, old = self.kept.pop(self.rng.randrange(len(self.kept)))
            if clawgit(self.book, "undo", "undo", change):
                self.book.took("undo", old)

    def other(self, *words: str) -> None:
        """Call a command that writes no line of its own."""
        clawgit(self.book, " ".join(words), *words)


def clawgit(book: Book, act: str, *words: str) -> dict[str, object] | None:
    """Call a command; return its document, None where it was refused. A bug is an error of its own."""
    result = run(book, CLAWGIT, *words, "--json")
    if result.returncode in (70, -11) or "Traceback" in result.stderr:
        book.wrong.append(f"{act}: exit {result.returncode}: {result.stderr[-300:]}")
    ok = result.returncode == 0
    if act not in ("memory add", "journal add", "correct", "undo") or not ok:
        book.met(act if ok else f"{act}: {result.stderr.strip().splitlines()[0][:70]}", ok=ok)
    return json.loads(result.stdout) if ok and result.stdout.startswith("{") else None


async def by_protocol(book: Book, rng: random.Random) -> None:
    """Keep and search as a client of the MCP server."""
    kept = {name: value for name, value in os.environ.items() if name.startswith(("XDG_", "GIT_", "HOME", "PATH"))}
    server = StdioServerParameters(command=CLAWGIT, args=["-C", str(book.folder), "mcp"], env=kept)
    async with Client(stdio_client(server)) as client:
        while book.goes_on:
            text = sentence(rng, book.token("mcp"))
            if rng.random() < 0.6:
                answer = await client.call_tool("memory_add", {"text": text})
                if answer.is_error:
                    book.met(f"MCP memory_add: {answer.content[0].text[:70]!r}", ok=False)
                else:
                    book.wrote("MCP memory_add", text)
            else:
                answer = await client.call_tool("memory_search", {"query": rng.choice(THINGS)})
                book.met("MCP memory_search", ok=not answer.is_error)
            await anyio.sleep(rng.uniform(0, 1))


# --- those who do not


def by_agent(book: Book, name: str, rng: random.Random) -> None:
    """Write, move, delete and commit as an agent does that knows nothing of clawgit."""
    acts: tuple[Callable[[Book, str, random.Random], None], ...] = (
        append, append, append, rewrite, rewrite, topic, rename, delete, commit, commit, stash, rebase,
    )  # fmt: skip
    while book.goes_on:
        try:
            rng.choice(acts)(book, name, rng)
        except OSError as exc:  # a file that somebody else took away
            book.met(f"{type(exc).__name__} of an agent", ok=False)
        time.sleep(rng.uniform(0, 1))


def append(book: Book, name: str, rng: random.Random) -> None:
    text = sentence(rng, book.token(name))
    place = book.folder / f"memory/2026-03-{rng.randrange(1, 4):02d}.md"
    place.parent.mkdir(exist_ok=True)
    with book.writing(place, text), place.open("a") as file:
        file.write(f"- {text}\n")
    book.wrote("append to a journal", text)


def rewrite(book: Book, name: str, rng: random.Random) -> None:
    """Write MEMORY.md back from a reading of a while ago: one line edited, one left out, one added."""
    place = book.folder / "MEMORY.md"
    rows = place.read_text().split("\n")
    time.sleep(rng.uniform(0.1, 4))
    bullets = [index for index, row in enumerate(rows) if row.startswith("- ") and TOKEN.search(row)]
    if bullets:
        index = rng.choice(bullets)
        rows[index] = rows[index].replace("number", "no.")
    missing = rows.pop(rng.choice(bullets)) if bullets and rng.random() < 0.3 else ""
    text = sentence(rng, book.token(name))
    rows.insert(rng.choice([*bullets, len(rows)]), f"- {text}")
    with book.writing(place, text):
        if rng.random() < 0.5:
            place.write_text("\n".join(rows))
        else:
            fresh = place.with_name(f".{name}.tmp")
            fresh.write_text("\n".join(rows))
            fresh.replace(place)
    book.wrote("rewrite of MEMORY.md", text)
    if missing:
        book.took("line left out of a rewrite", missing)


def by_reported_calls(book: Book, rng: random.Random) -> None:
    """Write as the agent in OpenClaw does, whose plugin reports each call with the bytes before and after."""
    server = Server(book.folder, "--gateway", state=book.folder.parent / ".openclaw")
    turn = {"session": "agent:main:main", "channel": "telegram", "sender": "1001", "owner": True}
    while book.goes_on:
        token = book.token("gil")
        text = sentence(rng, token)
        place = book.folder / rng.choice(("MEMORY.md", "memory/2026-03-01.md", "memory/2026-03-02.md"))
        place.parent.mkdir(exist_ok=True)
        started, before = time.time(), place.read_text() if place.exists() else ""
        with book.writing(place, text):
            place.write_text(f"{before.rstrip()}\n- {text}\n")
        book.wrote("reported call", text)
        file = {"path": str(place), "before": before, "after": f"{before.rstrip()}\n- {text}\n"}
        about = {"call": token, "tool": "write", "session": "gil", "run": token, "started": started}
        server.call("called", {**about, "ended": time.time(), "files": [file]}, turn)
        time.sleep(rng.uniform(0, 2))
    server.end()


def topics(book: Book) -> list[Path]:
    return sorted((book.folder / "memory").glob("topic-*.md"))


def topic(book: Book, name: str, rng: random.Random) -> None:
    text = sentence(rng, book.token(name))
    place = book.folder / f"memory/topic-{name}-{rng.randrange(10**6)}.md"
    place.parent.mkdir(exist_ok=True)
    place.write_text(f"# Topic\n\n- {text}\n")
    book.wrote("new file", text)


def rename(book: Book, name: str, rng: random.Random) -> None:
    if results := topics(book):
        place = rng.choice(results)
        place.rename(place.with_name(f"topic-{name}-{rng.randrange(10**6)}.md"))
        book.met("rename")


def delete(book: Book, name: str, rng: random.Random) -> None:
    if results := [place for place in topics(book) if name in place.name]:
        place = rng.choice(results)
        text = place.read_text()
        place.unlink()
        book.took("delete", text)


def commit(book: Book, name: str, rng: random.Random) -> None:
    if rng.random() < 0.5:
        run(book, "git", "add", "-A", "memory", "MEMORY.md")
    book.met("git commit -a", ok=run(book, "git", "commit", "-qam", f"{name}: work").returncode == 0)


def stash(book: Book, *_: object) -> None:
    with book.rewriting():
        result = run(book, "git", "stash").returncode == 0
    if not result:
        book.met("git stash", ok=False)
        return
    time.sleep(0.1)
    with book.rewriting():
        result = run(book, "git", "stash", "pop").returncode == 0
    book.met("git stash; git stash pop", ok=result)
    if not result:
        follow(book)


def rebase(book: Book, *_: object) -> None:
    """Write the last commits anew; where that fails, give up, as git says, then as `clawgit status` says."""
    with book.rewriting():
        result = run(book, "git", "rebase", "-q", "--autostash", "--force-rebase", "HEAD~2").returncode == 0
        if not result:
            run(book, "git", "rebase", "--abort")
    book.met("git rebase", ok=result)
    if not result:
        follow(book)


def follow(book: Book) -> None:
    """Bring git back to where it can go on, by what `clawgit status` prints; of a conflict both sides are kept."""
    for _ in range(4):
        answer = json.loads(run(book, CLAWGIT, "status", "--json").stdout or "{}")
        standing = [row for row in answer.get("alarms", ()) if any(sign in row["message"] for sign in IN_THE_WAY)]
        if not standing:
            return
        with book.rewriting():
            for place in (book.folder / "MEMORY.md", *sorted((book.folder / "memory").glob("*.md"))):
                with contextlib.suppress(OSError):
                    text = place.read_text()
                    if "\n<<<<<<< " in text:
                        book.conflicted.add(place.name)  # a line of both sides stands twice from now on
                        place.write_text(re.sub(r"^(?:<{7}|={7}|>{7}|\|{7}).*\n", "", text, flags=re.MULTILINE))
            run(book, "bash", "-c", standing[0]["fix"])
        book.met(f"as told: {standing[0]['fix'].split('   #')[0]}")


# --- what became of it


def tokens_of(texts: Iterable[bytes]) -> set[str]:
    return {token for text in texts for token in TOKEN.findall(text.decode("utf-8", "replace"))}


def blobs(folder: Path, names: Iterable[str]) -> set[str]:
    """Return the tokens of git's objects of these names."""
    expected = "".join(f"{name}\n" for name in names).encode()
    result = subprocess.run(["git", "cat-file", "--batch"], cwd=folder, input=expected, capture_output=True, check=True)
    return tokens_of([result.stdout])


def objects(folder: Path, *starts: str) -> set[str]:
    result = subprocess.run(
        ["git", "rev-list", "--objects", "--no-object-names", *starts],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return set(result.stdout.split())


def found(book: Book) -> dict[str, str]:
    """Return where each token that was written is, at the end."""
    folder = book.folder
    files = [place for place in folder.rglob("*") if place.is_file() and ".git" not in place.relative_to(folder).parts]
    kept = [place.read_bytes() for place in (folder / ".git/clawgit").rglob("*") if place.is_file()]
    with open_workspace(folder) as workspace:
        kept += [version.data for version in seen_versions.versions(workspace.repo)]
    head, beside = objects(folder, "HEAD"), objects(folder, "--all")
    tree = set(
        subprocess.check_output(["git", "ls-tree", "-r", "--object-only", "HEAD"], cwd=folder, text=True).split()
    )
    all_rows = subprocess.check_output(
        ["git", "cat-file", "--batch-all-objects", "--batch-check=%(objectname)"], cwd=folder, text=True
    )
    places: list[tuple[str, Callable[[], set[str]]]] = [
        (WHERE[0], lambda: tokens_of(place.read_bytes() for place in files)),
        (WHERE[1], lambda: blobs(folder, tree)),
        (WHERE[2], lambda: blobs(folder, head - tree)),
        (WHERE[3], lambda: blobs(folder, beside - head) | tokens_of(kept)),
        (WHERE[4], lambda: set(book.taken)),
        (LOST[0], lambda: blobs(folder, objects(folder, "--reflog") - beside)),
        (LOST[1], lambda: blobs(folder, all_rows.split())),
    ]
    left, where = set(book.written), dict[str, str]()
    for name, look in places:
        if left:
            there = look() & left
            where |= dict.fromkeys(there, name)
            left -= there
    return where | dict.fromkeys(left, LOST[2])


def make(folder: Path) -> None:
    subprocess.run([CLAWGIT, "init", folder], check=True, capture_output=True)
    for name, value in (("user.name", "Agent"), ("user.email", "agent@example.org")):
        subprocess.run(["git", "-C", folder, "config", name, value], check=True)


def work(book: Book, seed: int) -> None:
    """Have all of them work until the end, then let what runs capture the rest."""
    text = book.folder.parent / "said"
    with text.open("w") as output:
        watchers = [
            subprocess.Popen([CLAWGIT, *words], cwd=book.folder, stdout=subprocess.DEVNULL, stderr=output)
            for words in (("capture", "--watch"), ("schedule", "run"))
        ]
    threads = [
        threading.Thread(target=Operator(book, random.Random(seed)).work),
        threading.Thread(target=anyio.run, args=(by_protocol, book, random.Random(seed + 1))),
        threading.Thread(target=by_agent, args=(book, "ada", random.Random(seed + 2))),
        threading.Thread(target=by_agent, args=(book, "bob", random.Random(seed + 3))),
        threading.Thread(target=by_reported_calls, args=(book, random.Random(seed + 4))),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    time.sleep(4)
    for item, words in zip(watchers, ("capture --watch", "schedule run"), strict=True):
        if item.poll() is not None:
            book.wrong.append(f"{words} ended by itself, with {item.returncode}")
        item.terminate()
        item.wait(LONG)
    book.wrong += sorted({line for line in text.read_text().splitlines() if "unseen" in line or "Traceback" in line})
    run(book, CLAWGIT, "capture")
    check_lines(book)
    if run(book, "git", "fsck", "--connectivity-only").returncode:
        book.wrong.append("git fsck finds the repository broken")


def check_lines(book: Book) -> None:
    """Note which lines of agents stand twice in a file, and what `why` tells of some of them."""
    for place in (book.folder / "MEMORY.md", *sorted((book.folder / "memory").glob("*.md"))):
        rows = [(number, *TOKEN.findall(row)) for number, row in enumerate(place.read_text().splitlines(), 1)]
        agents = [(number, name) for number, *names in rows for name in names if name[:3] in ("ada", "bob", "gil")]
        counts = Counter(name for _, name in agents)
        twice = [f"{name} stands {count} times in {place.name}" for name, count in counts.items() if count > 1]
        book.wrong += [] if place.name in book.conflicted else twice
        for number, name in agents[-ASKED_LINES:]:
            place_name = f"{place.relative_to(book.folder)}:{number}"
            answer = json.loads(run(book, CLAWGIT, "why", place_name, "--json").stdout)
            call = (answer[0]["call"] or {}) if isinstance(answer, list) else {"how": answer["key"]}
            book.origins[
                f"{'a reported call' if name[:3] == 'gil' else 'another'}: {call.get('how') or 'unknown'}"
            ] += 1
            if call.get("call", name) != name:
                book.wrong.append(f"why {place_name} names {call['call']}, {name} wrote it")


def told(book: Book, where: dict[str, str]) -> dict[str, object]:
    counts = Counter((book.written[token], place) for token, place in where.items())
    missing = {token: place for token, place in where.items() if place in LOST}
    excused = {token: book.excused(token) for token in missing if book.excused(token)}
    losses = {token: place for token, place in missing.items() if token not in excused}
    silent = sorted(
        token
        for token, place in where.items()
        if place in WHERE[2:4] and token not in book.taken and token not in missing
    )
    return {
        "written": len(book.written),
        "rows": [{"act": act, "where": place, "tokens": count} for (act, place), count in sorted(counts.items())],
        "acts": dict(sorted(book.acts.items())),
        "refused": dict(sorted(book.failed.items())),
        "seen by nobody": excused,
        "lost": losses,
        "no longer in HEAD, and nobody took them out": silent,
        "origins, by who wrote the line": dict(sorted(book.origins.items())),
        "wrong": book.wrong,
    }


def show(document: dict[str, object], where: dict[str, str], book: Book) -> None:
    columns = [*WHERE, *LOST]
    acts = sorted(set(book.written.values()))
    print(f"{'lines, by how they were written':<32}", *(f"{name.split(',')[0][:14]:>15}" for name in columns))
    for act in acts:
        row = Counter(where[token] for token, how in book.written.items() if how == act)
        print(f"{act:<32}", *(f"{row[name]:>15,}" for name in columns))
    for name in ("acts", "refused"):
        counts = document[name]
        assert isinstance(counts, dict)
        print(f"\n{name}: " + ", ".join(f"{act} {count:,}" for act, count in counts.items()))
    silent = document["no longer in HEAD, and nobody took them out"]
    assert isinstance(silent, list)
    print(f"\n{len(silent):,} of {len(book.written):,} lines are no longer in HEAD though nobody took them out by name")
    print("  " + ", ".join(silent[:20]))
    excused, losses = document["seen by nobody"], document["lost"]
    assert isinstance(excused, dict)
    assert isinstance(losses, dict)
    for token, why in sorted(excused.items()):
        print(f"seen by nobody: {token} ({book.written[token]}), {why}")
    for token, place in sorted(losses.items()):
        print(f"LOST {token} ({book.written[token]}), {place}; it stood for {book.stood(token):.2f} s")
    print(f"{len(book.written):,} lines, {len(losses)} unexplained, {len(excused)} that nobody can have seen")
    print(f"origins, by who wrote the line: {dict(sorted(book.origins.items()))}")
    for words in book.wrong:
        print(f"WRONG {words}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seconds", type=float, nargs="?", default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    apart()
    home = Path(tempfile.mkdtemp(prefix="clawgit-everything-"))
    os.environ["HOME"] = str(home)
    make(home / "ws")
    book = Book(home / "ws", time.monotonic() + options.seconds)
    try:
        work(book, options.seed)
        where = found(book)
        document = told(book, where)
        keep(document)
        if options.json:
            print(json.dumps(document, indent=2))
        else:
            show(document, where, book)
        return 1 if document["lost"] or book.wrong else 0
    finally:
        if options.keep:
            print(f"kept: {home / 'ws'}", file=sys.stderr)
        else:
            shutil.rmtree(home, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
