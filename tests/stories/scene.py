"""The workspace that is broken, the change that is tried, and the acts of others."""

import shutil
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from clawgit.text.entry import entry_id, hash_entry
from clawgit.workspace import bootstrap
from clawgit.workspace.change import Append, Change, Edit
from clawgit.workspace.entries import Row
from clawgit.workspace.workspace import open_workspace

DAY = datetime(2026, 3, 14, 9, 30, tzinfo=UTC)
JOURNAL = "memory/2026-03-14.md"
BOOK = "memory/2026-03-01.md"
OLD, NEW = "memory/old/draft.md", "memory/topics/birds.md"
PATHS = ("MEMORY.md", ".clawgit/entries.tsv", JOURNAL, OLD, NEW)

OURS = "- The heron hunts at dawn. #knowledge"
BLOCK = "## 09:30 - herons\n\nSaw the heron again, twice.\n"
DIRTY = "- A line somebody typed and never committed."
THEIRS = "- A line that came between death and recovery."
NEXT = "The next memory of all."


def git(folder: Path, *arguments: str, check: bool = True) -> str:
    result = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, encoding="utf-8", check=False)
    if check and result.returncode:
        raise AssertionError(f"git {' '.join(arguments)}: {result.stderr}{result.stdout}")
    return result.stdout


def make_template(folder: Path) -> None:
    bootstrap.init(folder)
    with (folder / ".git/config").open("a") as config:
        config.write("[user]\n\tname = Ada\n\temail = ada@example.org\n[gc]\n\tauto = 0\n")
    memory = folder / "MEMORY.md"
    lines = "".join(f"- Old memory number {number}. #knowledge\n" for number in range(8))
    memory.write_text(memory.read_text().replace("## Knowledge\n", f"## Knowledge\n\n{lines}"))
    for path, text in (
        (JOURNAL, "# 2026-03-14\n\n## 08:00 - tea\n\nGreen, no sugar.\n"),
        (BOOK, "# 2026-03-01\n\nThe heron hunts at dawn, they said.\n"),
        (OLD, "# A draft\n\nNo longer needed.\n"),
    ):
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    git(folder, "add", "-A")
    git(folder, "commit", "--quiet", "-m", "what there was")
    git(folder, "branch", "spare")


def copied(template: Path, target: Path) -> Path:
    subprocess.run(["cp", "-a", str(template), str(target)], check=True)
    git(target, "update-index", "-q", "--refresh")
    memory = target / "MEMORY.md"
    memory.write_text(memory.read_text().replace("## Skills\n", f"## Skills\n\n{DIRTY}\n"))
    return target


def change_of(folder: Path):
    """The change that every case tries: an edit, a sidecar row, an append, a deletion, a new file in a new folder."""
    before = (folder / "MEMORY.md").read_text()
    after = before.replace("- Old memory number 3. #knowledge\n", f"- Old memory number 3. #knowledge\n{OURS}\n")
    row = Row(entry_id("MEMORY.md", OURS), "MEMORY.md", hash_entry(OURS), "knowledge", "agent", 0.6)
    edits = (
        Edit("MEMORY.md", before, after),
        Append(JOURNAL, BLOCK),
        Edit(OLD, (folder / OLD).read_text(), None),
        Edit(NEW, None, "# Birds\n\n- Herons.\n"),
    )
    return Change(
        "memory: herons", "they were seen", edits, (f"{BOOK}#L3-L3",), "agent", "memory-miner", (row,), id="kkllmmnnoo"
    )


def open_scene(folder: Path):
    workspace = open_workspace(folder)
    workspace.clock = lambda: DAY
    return workspace


# ---- what others do between death and recovery


def do_nothing(folder: Path) -> None:
    """Nobody comes."""


def commits_all(folder: Path) -> None:
    git(folder, "add", "-A", check=False)
    git(folder, "commit", "-m", "theirs", check=False)


def removes_lock(folder: Path) -> None:
    (folder / ".git/index.lock").unlink(missing_ok=True)
    git(folder, "commit", "-am", "theirs", check=False)


def edited(text: str) -> str:
    return text.replace("- Old memory number 6. #knowledge\n", f"- Old memory number 6. #knowledge\n{THEIRS}\n")


def edits_in_place(folder: Path) -> None:
    place = folder / "MEMORY.md"
    text = edited(place.read_text())
    with place.open("w") as file:
        file.write(text)


def edits_by_rename(folder: Path) -> None:
    place = folder / "MEMORY.md"
    (folder / ".MEMORY.md.swp").write_text(edited(place.read_text()))
    (folder / ".MEMORY.md.swp").rename(place)


def appends(folder: Path) -> None:
    with (folder / JOURNAL).open("a") as file:
        file.write(f"\n{THEIRS}\n")


def another_branch(folder: Path) -> None:
    git(folder, "checkout", "-q", "-b", "other", check=False)


def edits_then_commits(folder: Path) -> None:
    edits_in_place(folder)
    removes_lock(folder)


def spare_branch(folder: Path) -> None:
    (folder / ".git/index.lock").unlink(missing_ok=True)
    git(folder, "checkout", "-q", "-f", "spare", check=False)


def stages(folder: Path) -> None:
    git(folder, "add", "-A", check=False)


def packs(folder: Path) -> None:
    git(folder, "pack-refs", "--all", "--prune", check=False)
    git(folder, "gc", "-q", "--prune=now", check=False)


def deletes_displaced(folder: Path) -> None:
    shutil.rmtree(folder / ".git/clawgit/displaced", ignore_errors=True)


def commits_unlocked(folder: Path) -> None:
    (folder / ".git/index.lock").unlink(missing_ok=True)
    (folder / ".git/refs/heads/main.lock").unlink(missing_ok=True)
    commits_all(folder)


def stashes(folder: Path) -> None:
    (folder / ".git/index.lock").unlink(missing_ok=True)
    git(folder, "stash", check=False)


ACTIONS: dict[str, Callable[[Path], None]] = {
    act.__name__: act
    for act in (
        do_nothing,
        commits_all,
        removes_lock,
        edits_in_place,
        edits_by_rename,
        appends,
        another_branch,
        edits_then_commits,
        spare_branch,
        stashes,
        stages,
        packs,
        deletes_displaced,
        commits_unlocked,
    )
}
WRITES_THEIRS = {"edits_in_place", "edits_by_rename", "appends", "edits_then_commits"}
DISCARDS = {"spare_branch", "stashes"}
