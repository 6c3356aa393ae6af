"""Long histories: old changes can be taken back."""

import random
import subprocess
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawgit.errors import ClawgitError
from clawgit.git import repository
from clawgit.workspace import identity_edits, records
from clawgit.workspace.change import Applied, Change, Edit
from clawgit.workspace.undo import ConflictError, undo
from clawgit.workspace.workspace import Workspace
from tests import moulds
from tests.amounts import amount
from tests.moulds import no_waiting_for_the_disk  # noqa: F401 - for all tests of this file

SECTIONS = ("Core Truths", "Boundaries", "Vibe")
WORDS = ("answer", "ask", "bring", "calm", "careful", "clear", "draft", "early", "figure", "first", "keep", "late")


@dataclass
class Life:
    """A workspace that is written to a thousand times; an hour passes between two writes."""

    root: Path
    chance: random.Random
    now: datetime = datetime(2026, 1, 1, tzinfo=UTC)
    texts: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        moulds.managed(self.root)

    @property
    def ws(self) -> Workspace:
        return Workspace(repository.find(self.root), lambda: self.now)

    def git(self, *arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=self.root, capture_output=True, encoding="utf-8", check=True)
        return done.stdout

    def apply(self, change: Change) -> Applied:
        self.now += timedelta(hours=1)
        return self.ws.apply(change)

    def read(self, path: str) -> str:
        return (self.root / path).read_text("utf-8")

    def sentence(self) -> str:
        said = " ".join(self.chance.choices(WORDS, k=self.chance.randint(3, 9)))
        return f"{said} {self.chance.randint(0, 10**6)}".capitalize()

    def edit(self) -> str:
        """Add, reword or remove one principle, where there is one; return the change."""
        standing = [row[2:] for row in self.read("SOUL.md").split("\n") if row[2:] in self.texts]
        act = self.chance.choices(["add", "replace", "remove"], [80, 10, 10])[0] if len(standing) > 9 else "add"
        old = self.chance.choice(standing) if act != "add" else ""
        text = {"add": self.sentence(), "replace": f"{old} {self.chance.choice(WORDS)}", "remove": old}[act]
        self.texts.append(text)
        where = self.chance.choice(SECTIONS) if act == "add" else None
        return self.apply(identity_edits.edit_identity(self.ws, act, text, old=old, section=where, why="so")).change

    def reset(self, head: str) -> None:
        self.git("reset", "-q", "--hard", head)


def rows(text: str) -> Counter[str]:
    return Counter(row for row in text.split("\n") if row.strip())


def test_old_changes_are_taken_back_and_later_lines_stay(tmp_path: Path, record_property: Callable) -> None:
    """Of fifty, among later edits of the same sections, four fifths land; the rest leave every byte alone.

    Those that refuse have a reason: a later change wrote the same line anew. What later changes took away altogether
    is not counted: there is nothing left of it.
    """
    life = Life(tmp_path / "soul", random.Random(1))
    tried = amount(50, 7)
    changes = [life.edit() for _ in range(amount(240, 45))]
    old = changes[: len(changes) // 2]
    outcome: Counter[str] = Counter()
    for name in random.Random(2).sample(old, len(old)):
        outcome[take_back(life, name)] += 1
        if outcome["landed"] + outcome["conflict"] == tried:
            break
    record_property("outcome", dict(outcome))
    assert outcome["landed"] >= tried * 4 // 5
    assert outcome["landed"] + outcome["conflict"] == tried


def take_back(life: Life, name: str) -> str:
    """Take one change back, hold the result against what it touched, and set everything as it was."""
    head, now = life.git("rev-parse", "HEAD").strip(), life.read("SOUL.md")
    commit = records.find_commit(life.ws, name)
    before, after = (rows(life.git("show", f"{at}:SOUL.md")) for at in (f"{commit}^", commit))
    try:
        life.apply(undo(life.ws, name, only="SOUL.md"))
    except ClawgitError as exc:
        assert life.read("SOUL.md") == now
        assert life.git("rev-parse", "HEAD").strip() == head
        if not isinstance(exc, ConflictError):
            return "nothing left"
        assert (after - before) - rows(now), "it refused though all of its lines stand"
        return "conflict"
    text = life.read("SOUL.md")
    assert rows(text) == rows(now) - (after - before) + (before - after)
    assert in_order(now, text, rows(now) - (after - before))
    life.reset(head)
    return "landed"


def in_order(old: str, new: str, kept: Counter[str]) -> bool:
    """Tell whether lines that stand once on both sides, and were not touched, stand in the same order."""
    single = [row for row in old.split("\n") if kept[row] == 1 and new.split("\n").count(row) == 1]
    return single == [row for row in new.split("\n") if row in set(single)]


LINES = st.sampled_from([f"- {word} it" for word in WORDS[:6]] + ["", "## A", "## B", "text"])
TEXTS = st.lists(LINES, min_size=1, max_size=9).map(lambda found: "\n".join(found) + "\n")


@pytest.fixture(scope="module")
def mould(tmp_path_factory: pytest.TempPathFactory) -> Life:
    return Life(tmp_path_factory.mktemp("mould") / "ws", random.Random(4))


@given(st.lists(TEXTS, min_size=1, max_size=5), st.data())
@settings(max_examples=amount(25, 6))
def test_taking_back_everything_gives_back_every_byte(mould: Life, texts: list[str], data: st.DataObject) -> None:
    """Newest first to the byte; any one of them either lands or leaves everything as it was."""
    mould.git("checkout", "-q", "main")
    head, first = mould.git("rev-parse", "HEAD").strip(), mould.read("SOUL.md")
    changes = []
    for text in texts:
        applied = mould.apply(Change("soul: x", edits=(Edit("SOUL.md", mould.read("SOUL.md"), text),)))
        changes += [applied.change] if applied.commit else []
    if changes:
        now, tip = mould.read("SOUL.md"), mould.git("rev-parse", "HEAD").strip()
        try:
            mould.apply(undo(mould.ws, data.draw(st.sampled_from(changes))))
        except ClawgitError:
            assert mould.read("SOUL.md") == now
        mould.reset(tip)
    for change in reversed(changes):
        mould.apply(undo(mould.ws, change))
    assert mould.read("SOUL.md") == first
    for change in changes:  # and the undoing of the undoing, the oldest first
        again = next(one.change for one in records.list_records(mould.ws) if one.undoes == change)
        mould.apply(undo(mould.ws, again))
    assert mould.read("SOUL.md") == (texts[-1] if changes else first)
    mould.reset(head)
