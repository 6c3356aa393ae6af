"""Replays histories of agents' workspaces beside clawgit: whether a capture leaves each file as its owner wrote it.

    python benchmarks/writes/replay.py DIR…             each commit's files as edits on the disk, then a capture
    python benchmarks/writes/replay.py --commits DIR…   as the owner's own commits
    python benchmarks/writes/replay.py --most 100 --verbose DIR

DIR is a repository of Markdown, bare or not; it is only read. A new repository is adopted at the first commit that has
SOUL.md, MEMORY.md or memory/. Then the Markdown of each commit after it (first parents, the oldest first; also
.gitignore) is put on the disk, the clock set to the commit's own distance from the first, and clawgit looks once. What
differs on the disk from what the commit has is counted, and that file is put right before the next one: `differ` counts
files at a commit, `put back` the lines that came, `taken` those that went. `HEAD` counts files whose commit has other
bytes than the disk, but for those that were held back (a secret, or ignored by git). Exit 1 when a file differs.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import pygit2
from pygit2.enums import FileMode, ObjectType

from benchmarks.lib.clocked_workspace import OWN, START, ClockedWorkspace, Homes, lines
from benchmarks.lib.results import keep

SIGNS = ("SOUL.md", "MEMORY.md", "memory.md", "memory")
EXTRA = {"memory/long-term.md", "memory/INDEX.md", "DIGEST.md"}
"""Files that clawgit may write where the owner has none."""
MAX_BYTES = 4 << 20
"""A larger file is left out: clawgit does not take it either."""


@dataclass
class Replayed:
    """What became of one history."""

    name: str
    commits: int = 0
    writes: int = 0
    differ: int = 0
    put_back: int = 0
    taken: int = 0
    head: int = 0
    held: int = 0
    failed: int = 0
    items: int = 0
    most_open: int = 0
    largest_per_file: int = 0
    seconds: float = 0.0
    files: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)


class Past:
    """The commits of a repository, the oldest first, and the Markdown of each."""

    def __init__(self, place: Path) -> None:
        self.repo = pygit2.Repository(str(place))
        self.cache: dict[pygit2.Oid, dict[str, pygit2.Oid]] = {}

    def commits(self) -> list[pygit2.Commit]:
        """Return the commits by first parents, from the first one that looks like a workspace."""
        results = []
        commit: pygit2.Commit | None = self.repo.head.peel(pygit2.Commit)
        while commit is not None:
            results.append(commit)
            commit = commit.parents[0] if commit.parents else None
        results.reverse()
        start = next(
            (index for index, item in enumerate(results) if any(sign in item.tree for sign in SIGNS)), len(results)
        )
        return results[start:]

    def files(self, commit: pygit2.Commit) -> dict[str, pygit2.Oid]:
        """Return the blobs of the Markdown, and of .gitignore, by path."""
        return dict(self._below(commit.tree, ""))

    def _below(self, tree: pygit2.Tree, folder: str) -> Iterator[tuple[str, pygit2.Oid]]:
        if tree.id not in self.cache:
            results: dict[str, pygit2.Oid] = {}
            for item in tree:
                name = item.name or ""
                if item.type == ObjectType.TREE:
                    results |= {f"{name}/{path}": oid for path, oid in self._below(item, "")}  # type: ignore[arg-type]
                elif (name.endswith(".md") or name == ".gitignore") and self._is_plain(item):
                    results[name] = item.id
            self.cache[tree.id] = results
        for path, oid in self.cache[tree.id].items():
            yield folder + path, oid

    def _is_plain(self, item: pygit2.Object) -> bool:
        """Tell whether this is a file that is here, and not too large."""
        there = item.type == ObjectType.BLOB and item.filemode != FileMode.LINK and item.id in self.repo
        return there and item.size <= MAX_BYTES  # type: ignore[attr-defined,no-any-return]

    def data(self, oid: pygit2.Oid) -> bytes:
        """Return the bytes of a blob."""
        return self.repo[oid].data  # type: ignore[attr-defined,no-any-return]


def is_replayed(path: str) -> bool:
    """Tell whether a file of the owner's stands there under its own name: not one that only clawgit writes."""
    return path not in OWN and not path.startswith((".clawgit/", ".git/"))


class Replay:
    """One history, put on the disk commit by commit."""

    def __init__(self, place: ClockedWorkspace, past: Past, results: Replayed, options: argparse.Namespace) -> None:
        self.place, self.past, self.found, self.options = place, past, results, options
        self.files: dict[str, pygit2.Oid] = {}
        self.items: set[str] = set()
        self.righted: set[str] = set()

    def run(self) -> None:
        """Go through the commits."""
        commits = self.past.commits()[: self.options.most]
        if not commits:
            return
        first = commits[0].commit_time
        self._put(commits[0])
        self.place.git("add", "--all")
        self.place.git("commit", "--quiet", "-m", "first")
        if self.place.run("adopt", self.place.root)[0]:
            raise RuntimeError(f"adopt: {self.place.refusals}")
        self.items = set(self.place.items())
        last = START.timestamp()
        for commit in commits[1:]:
            last = max(last + 1, START.timestamp() + commit.commit_time - first)
            self.place.wait_until(last)
            changed = self._put(commit)
            if self.options.commits:
                self._commit(commit, changed)
            self.place.wait(5)
            self._capture()
            self._compare(commit)
            self.found.commits += 1

    def _put(self, commit: pygit2.Commit) -> list[str]:
        """Put the files of a commit on the disk; return the paths of those that changed."""
        files = {path: oid for path, oid in self.past.files(commit).items() if is_replayed(path)}
        if self.files:  # what adopt added to it stays
            files.pop(".gitignore", None)
        changed = [path for path in files.keys() | self.files.keys() if files.get(path) != self.files.get(path)]
        for path in sorted(changed, key=lambda path: path in files):  # first what goes: a folder may be in its place
            target = self.place.root / path
            if path not in files:
                if path != ".gitignore":
                    target.unlink(missing_ok=True)
                    self._remove_empty(target.parent)
            elif not self._is_blocked(target):
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(self.past.data(files[path]))
        self.files = {path: oid for path, oid in files.items() if not self._is_blocked(self.place.root / path)}
        self.found.writes += len(changed)
        return changed

    def _remove_empty(self, folder: Path) -> None:
        while folder != self.place.root and folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
            folder = folder.parent

    def _is_blocked(self, target: Path) -> bool:
        """Tell whether a folder stands where a file goes, or a file where a folder goes."""
        return target.is_dir() or any(parent.is_file() for parent in target.parents)

    def _commit(self, commit: pygit2.Commit, changed: list[str]) -> None:
        known_rows = [
            path for path in {*changed, *self.righted} if path in self.files or self.place.committed(path) is not None
        ]
        self.righted = set()
        if not known_rows:
            return
        paths = self.place.home / "listed"
        paths.write_bytes(b"\0".join(path.encode() for path in known_rows))
        where = (f"--pathspec-from-file={paths}", "--pathspec-file-nul")
        self.place.git("--literal-pathspecs", "add", "--all", "--force", *where)
        message = commit.message.strip() or "no message"
        self.place.git("commit", "--quiet", "--no-verify", "--allow-empty", "-m", message)

    def _capture(self) -> None:
        code, output = self.place.run("capture", "--json")
        self.found.failed += code not in (0, 3)
        self.held = {row["path"] for row in json.loads(output)["held"]} if output.strip() else set()
        self.found.held += len(self.held)
        now = set(self.place.items())
        self.found.items += len(now - self.items)
        self.items = now
        self.found.most_open = max(self.found.most_open, len(now))
        if now:
            with self.place.memory() as memory:
                per_file = Counter(path for item in memory.inbox() for path in item.paths if not path.startswith("."))
            self.found.largest_per_file = max([self.found.largest_per_file, *per_file.values()])

    def _compare(self, commit: pygit2.Commit) -> None:
        for path, oid in self.files.items():
            target, expected = self.place.root / path, self.past.data(oid)
            data = target.read_bytes() if target.is_file() else None
            if path == ".gitignore":
                continue
            if data != expected:
                self._note(commit, path, expected, data)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(expected)
            elif path not in self.held and self._is_committed_otherwise(path, expected):
                self.found.head += 1
        for target in (*self.place.root.glob("*.md"), *self.place.root.glob("memory/**/*.md")):
            path = target.relative_to(self.place.root).as_posix()
            if is_replayed(path) and path not in self.files and path not in EXTRA:
                self._note(commit, path, b"", target.read_bytes())
                target.unlink()

    def _is_committed_otherwise(self, path: str, expected: bytes) -> bool:
        text = self.place.committed(path)
        return text is not None and text != expected.decode("utf-8", "replace")

    def _note(self, commit: pygit2.Commit, path: str, expected: bytes, data: bytes | None) -> None:
        was, now = (lines((text or b"").decode("utf-8", "replace")) for text in (expected, data))
        self.found.differ += 1
        self.found.put_back += (now - was).total()
        self.found.taken += (was - now).total()
        self.found.files[path] += 1
        self.righted.add(path)
        if self.options.verbose:
            words = "is gone" if data is None else f"+{(now - was).total()} -{(was - now).total()}"
            print(f"{self.found.name} {str(commit.id)[:10]} {path}: {words}", flush=True)


def replay(homes: Homes, source: Path, options: argparse.Namespace) -> Replayed:
    """Replay one history."""
    name = source.parent.name if source.name in ("repo", ".git") else source.name
    results, began = Replayed(name), time.perf_counter()
    place = homes.empty()
    try:
        Replay(place, Past(source), results, options).run()
    finally:
        results.refusals = place.refusals
        results.seconds = round(time.perf_counter() - began, 1)
        place.remove()
    return results


def main() -> int:
    """Replay them, print a table, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    parser.add_argument("--commits", action="store_true", help="the owner commits before each look")
    parser.add_argument("--most", type=int, help="commits of each history (default: all)")
    parser.add_argument("--verbose", action="store_true", help="print each file that differs, when it does")
    options = parser.parse_args()
    homes, results = Homes("replay"), []
    try:
        for source in options.folders:
            results.append(replay(homes, source.resolve(), options))
            report(results[-1])
    finally:
        homes.close()
    keep([vars(item) for item in results])
    differ = sum(item.differ for item in results)
    print(f"{len(results)} histories, {sum(item.commits for item in results):,} commits: {differ:,} files differ")
    return 1 if differ else 0


def report(results: Replayed) -> None:
    """Print what became of one history."""
    figures = {key: value for key, value in vars(results).items() if isinstance(value, int | float)}
    cells = (f"{key.replace('_', ' ')}={value:,}" for key, value in figures.items())
    print(f"{results.name}: {'  '.join(cells)}", flush=True)
    for path, count in results.files.most_common(10):
        print(f"    {count:4} times {path}")
    for words, count in results.refusals.most_common(5):
        print(f"    refused {count} times: {words}")


if __name__ == "__main__":
    sys.exit(main())
