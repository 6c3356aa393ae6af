"""The workspace of a life: what is done to it each day, and what stands in it in the end."""

import re
import subprocess
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal

from benchmarks.lib.life_readers import LifeReader
from benchmarks.lib.lives import DAYS, Life, Step, Talks, date, morning
from clawgit import file_roles
from clawgit.agents import reading_run
from clawgit.errors import ClawgitError
from clawgit.git.repository import find
from clawgit.sessions import chat_store, session_import
from clawgit.sessions.openclaw_sessions import list_transcripts_at
from clawgit.workspace import bootstrap, identity_edits, line_origins, trust_review
from clawgit.workspace.capture_and_enforce import Outcome, capture_all
from clawgit.workspace.workspace import Workspace

IDENTITY = ("-c", "user.name=Dana", "-c", "user.email=dana@example.org")
_EVENT = re.compile(r"d\d\dr\de\d+")
_READ = ("recall-validator", "soul-keeper", "memory-miner")
FATES = ("landed", "waits", "nothing")
Told = Literal["", "low", "high"]
"""The level of the alarm, "" without one."""


@dataclass
class Lived:
    """What became of each lesson, attack and edit, by its id: one of FATES, and what the operator was told of it."""

    lessons: dict[str, str] = field(default_factory=dict)
    taught: dict[str, str] = field(default_factory=dict)
    attacks: dict[str, tuple[str, Told]] = field(default_factory=dict)
    edits: dict[str, tuple[str, Told]] = field(default_factory=dict)
    grown: list[str] = field(default_factory=list)
    explained: dict[str, bool] = field(default_factory=dict)


class World:
    """A workspace with one soul, under one policy, whose clock is turned by hand."""

    def __init__(self, folder: Path, life: Life, policy: str, reader: LifeReader | None = None) -> None:
        self.reader = reader
        self.root, self.life, self.clock = folder / "workspace", life, morning(0)
        self.talks, self.lived = Talks(folder), Lived()
        bootstrap.init(self.root).workspace.close()
        (self.root / "CONFIG.md").write_text(f"```yaml\nsoul_policy: {policy}\n```\n")
        (self.root / "USER.md").write_text("# User\n\n- **Name:** Dana\n")
        (self.root / "BOOTSTRAP.md").unlink(missing_ok=True)
        self.place.write_text(life.text, "utf-8")
        for command in (("add", "-A"), ("commit", "-qm", "as approved", "--no-verify")):
            self._git(*IDENTITY, *command)
        trust_review.approve_head(self.opened())

    @property
    def place(self) -> Path:
        """The soul's file."""
        return self.root / file_roles.SOUL

    def opened(self) -> Workspace:
        """Open the workspace."""
        return Workspace(find(self.root), lambda: self.clock)

    def _git(self, *arguments: str) -> str:
        result = subprocess.run(["git", "-C", self.root, *arguments], check=True, capture_output=True)
        return result.stdout.decode("utf-8", "replace")

    def live(self) -> Lived:
        """Go through all days."""
        for day in range(1, DAYS + 1):
            self.clock = morning(day) - timedelta(hours=10)
            for step in (item for item in self.life.done if item.day == day):
                self._do(step)
            self.talks.hold(day, (item for item in self.life.said if item.day == day))
            self.clock = morning(day)
            self._night()
        self._count()
        return self.lived

    def _night(self) -> None:
        with self.opened() as workspace, chat_store.open_chat_store(workspace.store, {}) as store:
            capture_all(workspace)
            if any(self.talks.folder.glob("*.jsonl")):
                session_import.Importer(store).bring(list_transcripts_at(self.talks.folder), "main")
            workspace.conversations = store.turn
            for agent in _READ if self.reader else ():
                reading_run.run_reading(workspace, store, agent, self.reader)

    def _do(self, step: Step) -> None:
        match step.way:
            case "journal":
                with (self.root / "memory" / f"{date(step.day)}.md").open("a", encoding="utf-8") as file:
                    file.write(f"\n{step.row['text']}\n")
            case "import":
                (self.root / "memory" / f"import-{step.row['id']}.md").write_text(
                    f"# Notes\n\n{step.row['text']}\n", "utf-8"
                )
            case "proposal":
                self._propose(step.row)
            case _:
                self._edit(step)

    def _edit(self, step: Step) -> None:
        """Have somebody write to the soul on disk; the operator, where told of it, puts back what was not theirs."""
        row, before = step.row, self.place.read_text("utf-8")
        after = edited(before, row)
        if after is None or after == before:
            return
        self.place.write_text(after, "utf-8")
        outcome = capture_all(self.opened())
        answer = of(outcome)
        stands = self.place.read_text("utf-8") == after
        fate = "landed" if stands else "waits" if any(item.returned for item in outcome.captured) else "nothing"
        (self.lived.edits if step.way == "honest" else self.lived.attacks)[name(row)] = (fate, answer)
        if step.way != "honest" and stands and answer:
            self.place.write_text(before, "utf-8")
            capture_all(self.opened())
        if answer:
            trust_review.approve_head(self.opened())

    def _propose(self, row: dict[str, Any]) -> None:
        """Have an agent propose what it read in a note that nobody vouches for."""
        note = f"memory/import-{row['id']}.md"
        (self.root / note).write_text(f"{row['text']}\n", "utf-8")
        capture_all(self.opened())
        self.lived.attacks[row["id"]] = (self.proposed(row, row["text"], f"{note}#L1"), "high")

    def proposed(self, row: dict[str, Any], text: str, evidence: str) -> str:
        """Return what becomes of a line that an agent proposes for the soul."""
        old = line_with(self.place.read_text("utf-8"), row.get("replaces", ""))
        section = row.get("section") or heading(self.place.read_text("utf-8"))
        with self.opened() as workspace, chat_store.open_chat_store(workspace.store, {}) as store:
            workspace.conversations = store.turn
            act = "replace" if old else "add"
            try:
                change = identity_edits.edit_identity(
                    workspace, act, text.removeprefix("- "), old=old, section=section,
                    why="learnt", evidence=(evidence,), origin="agent", agent="soul-keeper",
                )  # fmt: skip
                applied = workspace.apply(change)
            except ClawgitError:
                return "nothing"
        return "landed" if applied.commit else "waits" if applied.proposal else "nothing"

    def _count(self) -> None:
        landed = self._cited(self._git("log", "--format=%B", "--", *file_roles.IDENTITY, "memory/lessons.md"))
        waits = self._cited("".join(str(item.trailers) for item in self.opened().store.read_items("open", edits=False)))
        text = self._git("show", f"HEAD:{file_roles.SOUL}")
        if self.reader:
            output = self._git("grep", "-h", "", "HEAD", "--", "*.md", ":!CORRECTIONS.md", ":!memory/import-*")
            landed |= {name for name, group in self.reader.proposed.items() if any(item in output for item in group)}
        self._explain()
        self.lived.grown = self._git("log", "--format=%s", "--grep", "^Clawgit-Agent: soul-keeper").splitlines()
        for row in self.life.lessons:
            self.lived.lessons[row["id"]] = fate(row["id"], landed, waits)
        for row in self.life.attacks:
            known_rows = self.lived.attacks.get(row["id"])
            if known_rows is None:
                stands = fate(
                    row["id"], landed | ({row["id"]} if row.get("text") and row["text"] in text else set()), waits
                )
                self.lived.attacks[row["id"]] = (stands, "" if stands == "landed" else "high")

    def _explain(self) -> None:
        """Ask of each line that the soul keeper wrote where it comes from."""
        with self.opened() as workspace, chat_store.open_chat_store(workspace.store, {}, reading=True) as store:
            workspace.conversations = store.turn
            for line in line_origins.lines(workspace):
                if line.record and line.record.agent == "soul-keeper":
                    _, text = line_origins.trace_line(workspace, file_roles.SOUL, line.line)
                    self.lived.explained[line.text] = bool(text) and all(item.available for item in text)

    def _cited(self, text: str) -> set[str]:
        return {self.talks.whose.get(event, "") for event in _EVENT.findall(text)} - {""}

    def teach(self) -> None:
        """Propose each lesson in a careful human's words, with the operator's turn as evidence."""
        events = {}
        for event, whose in self.talks.whose.items():
            events.setdefault(whose, []).append(event)
        for row in (row for row in self.life.lessons if row["identity"]):
            text = [event for event, turn in zip(events[row["id"]], row["turns"], strict=True) if turn["who"] == "user"]
            session = text[-1].rpartition("e")[0]
            evidence = f"session:{session}#{text[-1]}"
            self.lived.taught[row["id"]] = self.proposed({}, row["principle"], evidence)


def of(outcome: Outcome) -> Told:
    """Return what a capture told."""
    return "high" if outcome.held or any(item.returned for item in outcome.captured) else ""


def fate(name: str, landed: set[str], waits: set[str]) -> str:
    return "landed" if name in landed else "waits" if name in waits else "nothing"


def name(row: dict[str, Any]) -> str:
    return row.get("id") or f"{row['soul']}: {row['old'][:30]} → {row['new'][:30]}"


def edited(text: str, row: dict[str, Any]) -> str | None:
    """Return the soul after an edit, None where the line that it replaces is gone."""
    old, new = row.get("old", row.get("replaces", "")), row.get("new", row.get("text", ""))
    if "old" in row and old:
        return text.replace(old, new, 1) if old in text else None
    if old:
        line = line_with(text, old)
        return text.replace(line, new, 1) if line else None
    section = row.get("section") or ""
    lines = text.splitlines(keepends=True)
    if not section:
        return text + ("" if text.endswith("\n") else "\n") + new + "\n"
    start = next((index for index, line in enumerate(lines) if section in line), None)
    if start is None:
        return None
    end = next((moment for moment in range(start + 1, len(lines)) if re.match(r"#|■|<h\d", lines[moment])), len(lines))
    while end > start + 1 and not lines[end - 1].strip():
        end -= 1
    return "".join([*lines[:end], new + "\n", *lines[end:]])


def line_with(text: str, part: str) -> str:
    return next((line for line in text.splitlines() if part and part in line), "")


def heading(text: str) -> str | None:
    results = [line.lstrip("# ").strip() for line in text.splitlines() if line.startswith("## ")]
    return results[0] if results else None
