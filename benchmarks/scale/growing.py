"""Grows an identity over fifteen months, with everybody who writes to it."""

import os
import random
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from benchmarks.scale.histories import PERSON, git, put
from clawgit.errors import ClawgitError
from clawgit.git import repository
from clawgit.workspace import identity_edits
from clawgit.workspace.bootstrap import adopt
from clawgit.workspace.capture_and_enforce import capture_all
from clawgit.workspace.workspace import Workspace

HOURS = 456 * 24
ADOPTED = 0.3
PHRASES = (
    "Answer first, then the reasons", "Bring two options", "Ask before you delete", "Calm and quick in the mornings",
    "Sag es kurz, dann erst ausführlich", "Frag nach, bevor du löschst", "Répondre d'abord, expliquer ensuite",
    "Primero la respuesta", "先说结论。再说理由", "返事は短く、丁寧に", "먼저 답하고 이유는 나중에",
    "Сначала ответ, потом причины", "الجواب أولاً ثم الأسباب", "Numbers with their source", "Никогда не льстить",
    "Keep `make check` green", "Plan on *Sundays*", "Dry humour 🦊 is welcome", "One **bold** word is enough",
)  # fmt: skip
SECTIONS = ("Core Truths", "Boundaries", "Vibe", "Was ich gelernt habe", "言葉づかい", "Continuity")
Rows = list[str]


@dataclass
class Growth:
    """A workspace that is lived in: most commits are notes, and SOUL.md is touched by whoever comes along.

    Time passes in whole hours, `commits` of them being spread over 456 days that end half an hour before `end`.
    """

    root: Path
    commits: int
    touching: int
    end: datetime
    chance: random.Random = field(default_factory=lambda: random.Random(9))
    made: int = 0
    by: dict[str, int] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)

    def grow(self) -> None:
        """Live all of it: chapters of notes, each with its share of changes to SOUL.md."""
        git(self.root.parent, "init", "-q", "-b", "main", str(self.root))
        with (self.root / ".git/config").open("a") as config:
            config.write("[user]\n\tname = Ada\n\temail = ada@example.org\n[gc]\n\tauto = 0\n")
        self._born()
        chapters = min(60, max(8, self.commits // 25))
        for number in range(chapters):
            self._notes(max(4, int(self.commits * (number + 1) / chapters) - self.made - 2 * self.touching // chapters))
            if number == int(chapters * ADOPTED):
                self._adopt()
            for _ in range(self.touching * (number + 1) // chapters - sum(self.by.values())):
                self._act(managed=number > chapters * ADOPTED)
        self._notes(max(1, self.commits - self.made))
        git(self.root, "gc", "-q")

    @property
    def now(self) -> datetime:
        """The moment of the commit to be made next."""
        left = max(self.commits - self.made, 0) * max(HOURS // self.commits, 1)
        return self.end - timedelta(hours=left, minutes=30)

    @property
    def soul(self) -> Path:
        """The file that grows."""
        return self.root / "SOUL.md"

    def _born(self) -> None:
        rows = ["# SOUL.md", "", "You are Fox.", ""]
        for title in SECTIONS:
            rows += [f"## {title}", "", *(f"- {self._phrase()}" for _ in range(3)), ""]
        self._write(rows)
        (self.root / "MEMORY.md").write_text("# Memory\n")
        kept = self.root / "SOUL_HISTORY"
        kept.mkdir()
        for number in range(12):
            day = self.now - timedelta(days=30 * (number + 1))
            (kept / f"SOUL-{day:%Y-%m-%d}.md").write_text("\n".join(rows[: 8 + number]) + "\n")
        self.git_commit("The first words", "-A")

    def _adopt(self) -> None:
        adopt(self.root)
        self._git("commit", "-q", "--amend", "--no-edit", "--date", self.now.isoformat())
        self.made += 1

    def _notes(self, count: int) -> None:
        """Import commits that leave SOUL.md alone: a note or journal each, a side branch merged now and then."""
        data = b"".join(self._stream(count))
        subprocess.run(["git", "fast-import", "--quiet", "--done", "--force"], cwd=self.root, input=data, check=True)
        git(self.root, "reset", "-q", "--hard", "main")

    def _stream(self, count: int) -> Iterator[bytes]:
        side, last = "", git(self.root, "rev-parse", "main").strip()
        for number in range(count):
            stamp = int(self.now.timestamp())
            aside = number % 40 == 20
            ref = "refs/heads/side" if aside else "refs/heads/main"
            merge = f"merge {side}\n" if side and number % 40 == 30 else ""
            message = f"Update memory {self.made}"
            yield (
                f"commit {ref}\nmark :{number + 1}\ncommitter {PERSON} {stamp} +0000\n"
                f"data {len(message)}\n{message}\nfrom {last}\n{merge}"
            ).encode()
            day = f"{self.now:%Y-%m-%d}"
            name = f"memory/{day}.md" if number % 3 else f"memory/notes/{self.chance.randrange(300)}.md"
            self.notes[name] = self.notes.get(name, f"# {day}\n\n") + f"- {self._phrase()}\n"
            yield put(name, self.notes[name])
            side = f":{number + 1}" if aside else "" if merge else side
            last = last if aside else f":{number + 1}"
            self.made += 1
        yield b"done\n"

    def _act(self, *, managed: bool) -> None:
        acts: dict[str, Callable[[], None]] = {
            "operator": self._operator, "agent": self._agent, "merge": self._merge, "solved": self._solved,
            "clawgit": self._clawgit, "capture": self._captured, "gone": self._gone,
        }  # fmt: skip
        weights = (30, 25, 6, 3, 25 * managed, 10 * managed, 0.3)
        name = self.chance.choices(list(acts), weights)[0]
        self.by[name] = self.by.get(name, 0) + 1
        acts[name]()

    def _operator(self) -> None:
        self._write(self._edited(self._rows()))
        self.git_commit(self.chance.choice(("soul: tidy", "x", "Änderung\n\nweil es oft gefragt wurde", "wip")), "-u")

    def _agent(self) -> None:
        """Take everything along, as agents do; now and then the commit is replayed days after it was written."""
        self._write(self._edited(self._rows()))
        journal = self.root / f"memory/{self.now:%Y-%m-%d}-agent.md"
        journal.parent.mkdir(exist_ok=True)
        with journal.open("a") as file:
            file.write(f"- {self._phrase()}\n")
        back = timedelta(hours=self.chance.randint(1, 99) if self.chance.random() < 0.1 else 0)
        self.git_commit("Update workspace", "-A", authored=self.now - back)

    def _clawgit(self) -> None:
        bullets = [row[2:] for row in self._rows() if row.startswith("- ")]
        single = [text for text in bullets if "\n".join(self._rows()).count(text) == 1]
        act = self.chance.choices(("add", "replace", "remove"), (6, 2, 2))[0] if len(single) > 9 else "add"
        old = self.chance.choice(single) if act != "add" else ""
        text = {"add": self._phrase(), "replace": f"{old} (but: {self._phrase()})", "remove": old}[act]
        titles = [row[3:] for row in self._rows() if row.startswith("## ")]
        section = self.chance.choice(titles) if act == "add" else None
        with Workspace(repository.find(self.root), lambda: self.now) as workspace:
            try:
                change = identity_edits.edit_identity(
                    workspace, act, text, old=old, section=section, why="It came up again."
                )
            except ClawgitError:  # what stands in a code block is no bullet
                self._operator()
                return
            self.made += workspace.apply(change).commit is not None

    def _captured(self) -> None:
        self._write(self._edited(self._rows()))
        with Workspace(repository.find(self.root), lambda: self.now) as workspace:
            self.made += len(capture_all(workspace).captured)

    def _merge(self) -> None:
        """Edit two sections on two branches, and join them."""
        rows = self._rows()
        self._git("checkout", "-q", "-b", "try")
        self._write([*rows[:-2], rows[-2], f"- {self._phrase()}", *rows[-1:]])
        self.git_commit("a try", "-u")
        self._git("checkout", "-q", "main")
        self._write([*rows[:2], self._phrase(), *rows[2:]])
        self.git_commit("meanwhile", "-u")
        self._git("merge", "-q", "--no-ff", "-X", "ours", "-m", "Merge the try", "try")
        self._joined()

    def _solved(self) -> None:
        """Edit one line on two branches, and join them by hand."""
        rows = self._rows()
        self._git("checkout", "-q", "-b", "try")
        self._write([*rows[:2], self._phrase(), *rows[3:]])
        self.git_commit("a try", "-u")
        self._git("checkout", "-q", "main")
        self._write([*rows[:2], self._phrase(), *rows[3:]])
        self.git_commit("meanwhile", "-u")
        self._git("merge", "-q", "-s", "ours", "--no-commit", "try")
        self._write([*rows[:2], self._phrase(), *rows[3:]])
        self.git_commit("Merge the try, by hand", "-u")
        self.made -= 1
        self._joined()

    def _joined(self) -> None:
        self._git("branch", "-q", "-D", "try")
        self.made += 1

    def _gone(self) -> None:
        """Lose the file, and bring it back."""
        before = self.soul.read_bytes()
        self.soul.unlink()
        self.git_commit("Cleanup", "-A")
        self.soul.write_bytes(before)
        self.git_commit("Bring it back", "-A")

    def _edited(self, rows: Rows) -> Rows:
        """Return the rows after one edit, now and then one of the ugly kind."""
        index = self.chance.randrange(4, len(rows))
        bullets = [number for number, row in enumerate(rows) if row.startswith("- ")]
        sample = self.chance.choice(bullets) if bullets else index
        title = self.chance.choice([number for number, row in enumerate(rows) if row.startswith("## ")])
        edits: dict[str, Callable[[], Rows]] = {
            "add": lambda: [*rows[:index], f"- {self._phrase()}", *rows[index:]],
            "word": lambda: [*rows[:sample], f"{rows[sample]}, {self._phrase().lower()}", *rows[sample + 1 :]],
            "drop": lambda: [*rows[:sample], *rows[sample + 1 :]],
            "nest": lambda: [*rows[: sample + 1], f"  - {self._phrase()}", *rows[sample + 1 :]],
            "twice": lambda: [*rows[:index], rows[sample], *rows[index:]],
            "blank": lambda: [*rows[:index], "", *rows[index:]],
            "block": lambda: [*rows[:index], "", "```sh", self._phrase(), "```", "", *rows[index:]],
            "move": lambda: [*rows[:4], *rows[title:], *rows[4:title]],
            "wrap": lambda: [row if row.startswith("#") else row.rstrip(" .,") for row in rows],
            "cut": lambda: [row for row in rows if row.startswith(("#", "```")) or self.chance.random() < 0.6],
        }
        limit = 70
        weights = (40, 15, 15, 6, 3, 3, 1, 1, 2, 0.5) if len(rows) < limit else (0, 5, 10, 0, 0, 0, 0, 1, 0, 6)
        results = edits[self.chance.choices(list(edits), weights)[0]]()
        return results if results != rows else [*rows, f"- {self._phrase()}"]

    def _phrase(self) -> str:
        return f"{self.chance.choice(PHRASES)} {self.chance.randrange(10**6)}"

    def _rows(self) -> Rows:
        return self.soul.read_text("utf-8").splitlines()

    def _write(self, rows: Rows) -> None:
        end = "" if self.chance.random() < 0.02 else "\n"
        self.soul.write_text("\n".join(rows) + end, "utf-8")

    def git_commit(self, message: str, which: str, authored: datetime | None = None) -> None:
        """Add `which` (-A or -u), and commit with the git command line."""
        self._git("add", which)
        self._git("commit", "-q", "--allow-empty", "-m", message, "--date", (authored or self.now).isoformat())
        self.made += 1

    def _git(self, *words: str) -> None:
        dated = {**os.environ, "GIT_COMMITTER_DATE": self.now.isoformat()}
        subprocess.run(["git", *words], cwd=self.root, env=dated, check=True, capture_output=True)
