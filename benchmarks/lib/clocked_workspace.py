"""Workspaces in a sealed home, in one process, on a clock that is turned by hand.

What is done goes through the command line (called in this process), `clawgit.api`, and git. Nothing waits: a pause
ends at once, and nothing is forced to the disk.
"""

import contextlib
import io
import json
import os
import shutil
import sqlite3
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import pygit2
import time_machine
from pygit2.enums import ConfigLevel

from clawgit import api
from clawgit.cli.main import main as run_clawgit
from clawgit.workspace.bootstrap import init
from clawgit.workspace.change import Applied, Change, Edit
from clawgit.workspace.workspace import open_workspace

START = datetime(2030, 1, 7, 8, tzinfo=UTC)
"""Later than any file is made: no lock, and no file, is ever newer than the clock."""
OWN = {"CORRECTIONS.md", "CONFLICTS.md", "CONFIG.md", "CHANGELOG.md", "COMPACTION_LOG.md"}
"""Files of Markdown that only clawgit writes."""
CONFIG = "[user]\n\tname = Ada\n\temail = ada@example.org\n[gc]\n\tauto = 0\n[init]\n\tdefaultBranch = main\n"
_TABLES = """
CREATE TABLE IF NOT EXISTS plugin_state_entries (
  plugin_id TEXT NOT NULL, namespace TEXT NOT NULL, entry_key TEXT NOT NULL, value_json TEXT NOT NULL,
  created_at INTEGER NOT NULL, expires_at INTEGER, PRIMARY KEY (plugin_id, namespace, entry_key)
) STRICT;
CREATE TABLE IF NOT EXISTS schema_meta (
  meta_key TEXT NOT NULL PRIMARY KEY, role TEXT NOT NULL, schema_version INTEGER NOT NULL, agent_id TEXT,
  app_version TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
);
INSERT OR IGNORE INTO schema_meta VALUES ('primary', 'state', 17, NULL, '2026.9.4', 1, 1);
"""


def lines(text: str) -> Counter[str]:
    """Return the lines that hold something, without the white space at their ends."""
    return Counter(row.rstrip() for row in text.split("\n") if row.strip())


class Homes:
    """A folder for homes, each of which is a copy of one that was made once. Leave it with `close`."""

    def __init__(self, name: str) -> None:
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        self.folder = Path(tempfile.mkdtemp(prefix=f"clawgit-{name}-", dir=memory)).resolve()
        self.count = 0
        self._seal()
        self.clock = time_machine.travel(START, tick=False)
        self.traveller = self.clock.start()

    def _seal(self) -> None:
        foreign = ("GIT_", "XDG_", "CLAWGIT_", "OPENCLAW_", "CLAWDBOT_", "MOLTBOT_")
        for name in [name for name in os.environ if name.startswith(foreign)]:
            if name != "CLAWGIT_BENCH_FIGURES":
                del os.environ[name]
        (self.folder / "gitconfig").write_text(CONFIG)
        os.environ.update(GIT_CONFIG_GLOBAL=str(self.folder / "gitconfig"), GIT_CONFIG_NOSYSTEM="1", TZ="UTC")
        os.environ.update(NO_COLOR="1", LANG="C.UTF-8", LC_ALL="C.UTF-8", GIT_EDITOR="true")
        time.tzset()
        for level in ("SYSTEM", "XDG", "GLOBAL", "PROGRAMDATA"):
            pygit2.settings.search_path[getattr(ConfigLevel, level)] = str(self.folder / "nothing")
        time.sleep = lambda _: None  # type: ignore[assignment] - nobody else is at work here
        os.fsync = lambda _: None  # type: ignore[assignment] - what a crash would do is measured elsewhere
        self.enter(self.folder / "mould")

    def enter(self, home: Path) -> None:
        """Make a folder this process's home."""
        home.mkdir(parents=True, exist_ok=True)
        os.environ.update(HOME=str(home), XDG_STATE_HOME=str(home / ".state"))

    def make_mould(self, texts: dict[str, str]) -> None:
        """Make the workspace that others are copies of."""
        root = self.folder / "mould/.openclaw/workspace"
        root.mkdir(parents=True)
        self._git_init(root)
        for path, text in texts.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, "utf-8")
        init(root).workspace.close()
        shutil.rmtree(root / ".git/hooks", ignore_errors=True)

    def _git_init(self, root: Path) -> None:
        subprocess.run(["git", "init", "--quiet", "-b", "main", "--template=", root], check=True)
        with (root / ".git/config").open("a") as config:
            config.write(CONFIG)

    def new_home(self) -> Path:
        """Return a home that nobody has used, as this process's own; the clock starts again."""
        self.count += 1
        home = self.folder / f"home{self.count}"
        self.traveller.move_to(START)
        self.enter(home)
        return home

    def empty(self) -> "ClockedWorkspace":
        """Return a new repository without a commit."""
        home = self.new_home()
        (home / ".openclaw/workspace").mkdir(parents=True)
        self._git_init(home / ".openclaw/workspace")
        return ClockedWorkspace(self, home)

    def copy(self) -> "ClockedWorkspace":
        """Return a copy of the mould."""
        home = self.new_home()
        shutil.copytree(self.folder / "mould", home, symlinks=True, dirs_exist_ok=True)
        return ClockedWorkspace(self, home)

    def close(self) -> None:
        """Remove all of them."""
        self.clock.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


class ClockedWorkspace:
    """A workspace where OpenClaw has it by default, `~/.openclaw/workspace`, for one story."""

    def __init__(self, homes: Homes, home: Path) -> None:
        self.homes, self.home, self.root = homes, home, home / ".openclaw/workspace"
        self.refusals: Counter[str] = Counter()

    def wait(self, seconds: float) -> None:
        """Turn the clock on."""
        self.homes.traveller.shift(seconds)

    def wait_until(self, moment: float) -> None:
        """Turn the clock to a moment, in seconds since 1970."""
        self.homes.traveller.move_to(moment)

    def remove(self) -> None:
        """Remove it."""
        shutil.rmtree(self.home, ignore_errors=True)

    # files
    def read(self, path: str) -> str:
        """Return the text of a file, "" where there is none."""
        place = self.root / path
        return place.read_bytes().decode("utf-8", "replace") if place.is_file() else ""

    def write(self, path: str, text: str, stamp: float | None = None, *, rename: bool = False) -> None:
        """Write a file, in place or by a rename, with a modification time of one's own."""
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        target = place.with_name(f"{place.name}.part") if rename else place
        target.write_bytes(text.encode())
        if stamp is not None:
            os.utime(target, (stamp, stamp))
        if rename:
            target.replace(place)

    def texts(self) -> dict[str, str]:
        """Return the Markdown that others may write, by path."""
        results = [*self.root.glob("*.md"), *self.root.glob("memory/**/*.md")]
        paths = (place.relative_to(self.root).as_posix() for place in results if place.is_file())
        return {path: self.read(path) for path in paths if path not in OWN}

    # git
    def git(self, *words: str) -> str:
        """Run git as the owner does, at the moment of the clock; return what it prints."""
        moment = datetime.now(UTC).isoformat()
        dates = {"GIT_AUTHOR_DATE": moment, "GIT_COMMITTER_DATE": moment}
        environ = os.environ | dates
        result = subprocess.run(["git", *words], cwd=self.root, env=environ, capture_output=True, check=False)
        if result.returncode:
            raise RuntimeError(f"git {' '.join(words)}: {result.stderr.decode()}")
        return result.stdout.decode("utf-8", "replace")

    def committed(self, path: str) -> str | None:
        """Return the text that HEAD has of a file, None for none."""
        repo = pygit2.Repository(str(self.root))
        try:
            return repo.revparse_single(f"HEAD:{path}").data.decode("utf-8", "replace")  # type: ignore[attr-defined]
        except KeyError:
            return None

    def history_lines(self) -> set[str]:
        """Return the lines of every Markdown file in every commit that a reference leads to."""
        repo = pygit2.Repository(str(self.root))
        results: set[str] = set()
        trees: set[pygit2.Oid] = set()
        walker = repo.walk(None)
        for name in repo.references:
            with contextlib.suppress(KeyError, ValueError, pygit2.GitError):
                walker.push(repo.references[name].peel(pygit2.Commit).id)
        for commit in walker:
            _collect(repo, commit.tree, trees, results)
        return results

    # clawgit
    def run(self, *words: str | Path) -> tuple[int, str]:
        """Run a command of clawgit here; return its exit code and what it prints to stdout."""
        output, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(err):
            code = int(run_clawgit(["-C", str(self.root), *map(str, words)]))
        if code not in (0, 3):
            self.refusals[f"{words[0]}: {' '.join(err.getvalue().split())[:160]}"] += 1
        return code, output.getvalue()

    @contextlib.contextmanager
    def memory(self) -> Iterator[api.Memory]:
        """Open the API."""
        with api.open(self.root) as memory:
            yield memory

    def apply(self, subject: str, path: str, text: str) -> Applied:
        """Have clawgit write a file in the operator's name, as one commit."""
        with open_workspace(self.root) as workspace:
            before = workspace.read(path)
            return workspace.apply(Change(subject, edits=(Edit(path, before, text),), origin="operator"))

    def capture(self) -> int:
        """Run `clawgit capture`; return its exit code."""
        return self.run("capture", "--json")[0]

    def import_session(self, place: Path) -> None:
        """Run `clawgit session import`."""
        self.run("session", "import", place, "--json")

    def items(self, path: str | None = None) -> list[str]:
        """Return the ids of the open items of a file, or of all."""
        with self.memory() as memory:
            return [item.id for item in memory.inbox() if path is None or path in item.paths]

    # OpenClaw
    def record(self, path: str, text: str) -> None:
        """Have OpenClaw note that its agent wrote a file just so."""
        database = self.home / ".openclaw/state/openclaw.sqlite"
        database.parent.mkdir(parents=True, exist_ok=True)
        key, file = (sha256(words.encode()).hexdigest() for words in (str(self.root.resolve()), path))
        value = {"version": 1, "workspaceKey": key, "relativePath": path, "originClass": "agent", "observedAt": 1}
        value |= {"fileHash": sha256(text.encode()).hexdigest(), "reservationId": "r"}
        row = ("core:memory-artifact-provenance", "workspace-files", f"{key}:{file}", json.dumps(value))
        with contextlib.closing(sqlite3.connect(database)) as connection:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.executescript(_TABLES)
            connection.execute("INSERT OR REPLACE INTO plugin_state_entries VALUES (?, ?, ?, ?, 1, NULL)", row)
            connection.commit()


def _collect(repo: pygit2.Repository, tree: pygit2.Tree, trees: set[pygit2.Oid], results: set[str]) -> None:
    """Add the lines of a tree's Markdown to `found`; what was looked at before is passed over."""
    for item in tree:
        if item.id in trees:
            continue
        trees.add(item.id)
        if isinstance(item, pygit2.Tree):
            _collect(repo, item, trees, results)
        elif isinstance(item, pygit2.Blob) and (item.name or "").endswith(".md"):
            results.update(lines(item.data.decode("utf-8", "replace")))
