"""An index that followed a history answers as one that was built at its end."""

import random
import subprocess
from pathlib import Path

import pytest

from clawgit.git.repository import find
from clawgit.search import index, recall
from clawgit.search.answer import Query
from clawgit.workspace.workspace import Workspace
from tests.amounts import amount

COMMITS, QUERIES = amount(60, 30), amount(40, 20)
_SAID = """harbour price boat summer Ana Lisbon deploy port server token rotate budget lease flight dentist zoo Leipzig
relay printer gateway invoice deadline standup backup schema migration review branch release vendor contract"""
WORDS = _SAID.split()


class History:
    """A memory folder that others write to, move about in, and commit."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root, self.chance = root, random.Random(seed)
        self.git("init", "-q", "-b", "main")
        (root / "memory").mkdir()
        (root / "MEMORY.md").write_text("# Memory\n\n- The beginning.\n")

    def git(self, *arguments: str) -> None:
        who = ("-c", "user.name=a", "-c", "user.email=a@b")
        subprocess.run(["git", *who, *arguments], cwd=self.root, check=True, capture_output=True)

    def line(self) -> str:
        return "- " + " ".join(self.chance.choices(WORDS, k=self.chance.randint(3, 15))) + ".\n"

    def journal(self) -> Path:
        return self.root / f"memory/2026-{self.chance.randint(1, 3):02}-{self.chance.randint(1, 9):02}.md"

    def act(self) -> None:
        files, which = sorted(self.root.glob("memory/*.md")), self.chance.random()
        if which < 0.6 or not files:
            place = self.journal()
            place.write_text((place.read_text() if place.exists() else "# day\n\n") + self.line())
        elif which < 0.75:
            place = self.chance.choice(files)
            rows = place.read_text().splitlines(keepends=True)
            rows[self.chance.randrange(len(rows))] = self.line()
            place.write_text("".join(rows))
        elif which < 0.85:
            self.chance.choice(files).unlink()
        elif which < 0.93:
            self.chance.choice(files).rename(self.journal())
        else:
            place = self.root / "MEMORY.md"
            place.write_text(place.read_text() + self.line())


@pytest.mark.parametrize("seed", range(1, amount(3, 2)))
def test_replayed_equals_fresh(tmp_path: Path, seed: int) -> None:
    """The same hits with the same scores, after edits, renames, deletions and looks at the past."""
    history = History(tmp_path, seed)
    for number in range(COMMITS):
        for _ in range(history.chance.randint(1, 3)):
            history.act()
        history.git("add", "-A")
        history.git("commit", "-qm", f"c{number}", "--allow-empty")
        if number > 5 and history.chance.random() < 0.1:
            history.git("checkout", "-q", "HEAD~3")
        with index.current(Workspace(find(tmp_path))):
            pass
        history.git("checkout", "-qf", "main")
    questions = [" ".join(history.chance.sample(WORDS, history.chance.randint(1, 4))) for _ in range(QUERIES)]
    workspace = Workspace(find(tmp_path))

    def asked() -> list[list[tuple[str, int, int, float]]]:
        found = (recall.search_files(workspace, Query(question)).results for question in questions)
        return [[(hit.path, hit.start, hit.end, hit.score) for hit in hits] for hits in found]

    followed = asked()
    with index.current(workspace, force=True):
        pass
    assert asked() == followed
    assert sum(map(len, followed)) > QUERIES
