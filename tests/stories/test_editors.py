"""Whoever edits a file at the very moment of our write keeps their text, and we keep ours.

An editor acts at each named step of a write, from a thread of its own (it may have to wait for us, as the kernel makes
it wait for whoever holds a lease), and at random moments from a second process.
"""

import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from clawgit.errors import ClawgitError
from clawgit.git import landing, write_steps
from clawgit.workspace import bootstrap, memory
from clawgit.workspace.change import Append, Change, Edit
from clawgit.workspace.workspace import Workspace, open_workspace

JOURNAL = "memory/2026-03-14.md"
OURS = "- Ours: herons hunt at dawn."
NOTE = "Ours: saw the heron.\n"
THEIRS = "- Theirs: owls hunt at night."
OLD = "- Old: there are birds."

STEPS = (
    "lock",
    "recover",
    "lease",
    "plan",
    "objects",
    "temporary files",
    "index.lock",
    "side index",
    "pending",
    "exchange MEMORY.md",
    "append 2026-03-14.md",
    "publish index",
    "branch",
    "unlock",
    "drop pending",
)


@pytest.fixture
def workspace(repo: Path, git: Callable[..., str]) -> Workspace:
    bootstrap.init(repo)
    (repo / "MEMORY.md").write_text(f"# Memory\n\n{OLD}\n\n## Skills\n\n- Old: they sing.\n")
    (repo / JOURNAL).write_text("# 2026-03-14\n\n- Old: the sun rose.\n")
    git("add", "-A")
    git("commit", "--quiet", "-m", "what there was")
    return open_workspace(repo)


def ours(workspace: Workspace) -> Change:
    before = workspace.read("MEMORY.md") or ""
    edit = Edit("MEMORY.md", before, before.replace(f"{OLD}\n", f"{OLD}\n{OURS}\n"))
    return Change("memory: herons", edits=(edit, Append(JOURNAL, NOTE)))


# ---- editors


def with_theirs(text: str) -> str:
    return text.rstrip("\n") + f"\n{THEIRS}\n"


def in_place(place: Path) -> None:
    """Truncate, then write slowly while the file stays open."""
    text = with_theirs(place.read_text())
    with place.open("w") as file:
        for start in range(0, len(text), len(text) // 3 + 1):
            file.write(text[start : start + len(text) // 3 + 1])
            file.flush()
            time.sleep(0.004)


def by_rename(place: Path) -> None:
    """As vim and VS Code save."""
    fresh = place.with_name("4913.tmp")
    fresh.write_text(with_theirs(place.read_text()))
    fresh.rename(place)


def by_backup(place: Path) -> None:
    """Move the old file away first, then write a new one: for a moment there is none."""
    text = with_theirs(place.read_text())
    place.rename(place.with_name(place.name + ".bak"))
    time.sleep(0.002)
    place.write_text(text)


def appending(place: Path) -> None:
    subprocess.run(["sh", "-c", 'printf "%s\\n" "$1" >> "$2"', "sh", THEIRS, str(place)], check=True)


def deletes(place: Path) -> None:
    place.unlink(missing_ok=True)


def takes_the_place(away: Callable[[], object], put: Callable[[], object]) -> None:
    """Move what stands there away and put something there, as two commands do; again where a write came in between."""
    for _ in range(100):
        with suppress(FileNotFoundError):
            away()
        with suppress(FileExistsError, NotADirectoryError):
            put()
            return


def makes_folder(place: Path) -> None:
    folder = place.with_name("a-folder")
    folder.mkdir()
    (folder / "theirs.txt").write_text(THEIRS)
    takes_the_place(lambda: place.rename(place.with_name("moved-aside.txt")), lambda: folder.rename(place))


def makes_link(place: Path) -> None:
    target = place.with_name("linked.txt")
    target.write_text(THEIRS)
    takes_the_place(place.unlink, lambda: place.symlink_to(target.name))


SAVES = (in_place, by_rename, by_backup, appending)
BREAKS = (deletes, makes_folder, makes_link)


class Editor:
    """Does `act` once, when the write reaches `step`, beside it."""

    def __init__(self, step: str, act: Callable[[Path], None], place: Path) -> None:
        self._step, self._act, self._place = step, act, place
        self._thread: threading.Thread | None = None

    def reached(self, step: str) -> None:
        if step == self._step and self._thread is None:
            self._thread = threading.Thread(target=self._act, args=(self._place,))
            self._thread.start()
            self._thread.join(random.choice((0, 0.002, 0.02)))

    def acted(self) -> bool:
        if self._thread is not None:
            self._thread.join(20)
        return self._thread is not None


def written_beside(workspace: Workspace, editor: Editor) -> bool:
    """Write while the editor acts; tell whether ours was accepted."""
    change = ours(workspace)
    write_steps.observe(editor.reached)
    try:
        workspace.apply(change)
    except ClawgitError:
        return False
    finally:
        write_steps.forget(editor.reached)
        acted = editor.acted()
        workspace.close()
        assert acted, "the editor's step never came"
    return True


# ---- promises


@pytest.mark.parametrize("name", ["MEMORY.md", JOURNAL])
@pytest.mark.parametrize("act", SAVES)
def test_a_save_at_any_step_survives_and_so_does_ours(
    workspace: Workspace, git: Callable[..., str], act: Callable[[Path], None], name: str
) -> None:
    """Theirs stands on disk or in HEAD, ours in HEAD, once."""
    start = git("rev-parse", "HEAD").strip()
    for step in STEPS:
        git("reset", "-q", "--hard", start)
        git("clean", "-qfd")
        place = workspace.root / name
        accepted = written_beside(workspace, Editor(step, act, place))
        kept = git("show", f"HEAD:{name}") + place.read_text()
        assert kept.count(THEIRS) in (1, 2), f"theirs, saved at {step!r}"
        assert place.read_text().count(THEIRS) <= 1, f"theirs is doubled by a save at {step!r}"
        assert OLD in git("show", "HEAD:MEMORY.md") + (workspace.root / "MEMORY.md").read_text()
        assert git("show", "HEAD:MEMORY.md").count(OURS) == int(accepted), f"ours, {step!r}"
        assert git("show", f"HEAD:{JOURNAL}").count(NOTE) == int(accepted), f"our note, {step!r}"
        assert (workspace.root / JOURNAL).read_text().count(NOTE) <= 1, f"our note is doubled by a save at {step!r}"
        assert settled(workspace)


@pytest.mark.parametrize("name", ["MEMORY.md", JOURNAL])
@pytest.mark.parametrize("act", BREAKS)
def test_what_takes_the_place_of_a_file_is_kept_and_the_next_write_says_so(
    workspace: Workspace, git: Callable[..., str], act: Callable[[Path], None], name: str
) -> None:
    """A deletion, a folder or a link instead: ours is in HEAD or refused, theirs stands somewhere in the workspace."""
    start = git("rev-parse", "HEAD").strip()
    for step in STEPS:
        git("reset", "-q", "--hard", start)
        git("clean", "-qfd")
        place = workspace.root / name
        accepted = written_beside(workspace, Editor(step, act, place))
        texts = [found.read_text() for found in workspace.root.rglob("*.txt")]
        if act is not deletes:
            assert any(THEIRS in text for text in texts), f"theirs at {step!r}"
            assert act is not makes_link or any(found.is_symlink() for found in place.parent.iterdir()), f"{step!r}"
        put_back(place)
        workspace.apply(memory.add(workspace, f"The next one after {step}.").change)
        workspace.close()
        in_log = git("log", f"{start}..", "--format=%s").count("memory: herons")
        assert in_log <= 1
        assert in_log or not accepted, f"ours, {step!r}"
        assert settled(workspace), f"{step!r} {left(workspace)}"


def put_back(place: Path) -> None:
    """What the operator does on the advice of the error."""
    if place.is_symlink():
        place.unlink()
    elif place.is_dir():
        place.rename(place.with_name("was-a-folder"))


def settled(workspace: Workspace) -> bool:
    """Tell whether nothing of a write is left; what an editor was in the middle of waits for the next one."""
    if left(workspace):
        time.sleep(2 * landing.LATE_SECONDS)
        workspace.apply(memory.add(workspace, "The next one.").change)
        workspace.close()
    return not left(workspace)


def left(workspace: Workspace) -> list[Path]:
    displaced = workspace.repo.room / "displaced"
    return [*(displaced.glob("*") if displaced.exists() else ()), *workspace.repo.gitdir.rglob("*.lock")]


EDITOR = """
import pathlib, random, sys, time
place, rounds = pathlib.Path(sys.argv[1]), int(sys.argv[2])
for number in range(rounds):
    time.sleep(random.uniform(0, 0.03))
    line = f"- theirs {number:03}\\n"
    kind = number % 3
    if kind == 0:
        with place.open("a") as file:
            file.write(line)
        continue
    text = place.read_text() + line
    fresh = place.with_name("editor.tmp")
    fresh.write_text(text)
    if kind == 1:
        fresh.rename(place)
    else:
        fresh.unlink()
        with place.open("w") as file:
            file.write(text[: len(text) // 2])
            file.flush()
            time.sleep(0.001)
            file.write(text[len(text) // 2 :])
    print(number, flush=True)
"""


def test_an_editor_in_another_process_at_random_moments_loses_nothing(
    workspace: Workspace, git: Callable[..., str]
) -> None:
    """What it saves ends up in the log or on disk; what it then overwrites unseen, in the object store at least."""
    place = workspace.root / "MEMORY.md"
    rounds, accepted = 60, 0
    with subprocess.Popen([sys.executable, "-c", EDITOR, str(place), str(rounds)], stdout=subprocess.PIPE) as editor:
        while editor.poll() is None:
            workspace.apply(memory.add(workspace, f"Ours number {accepted:03}.").change)
            accepted += 1
            time.sleep(random.uniform(0, 0.03))
    workspace.apply(memory.add(workspace, "The last one.").change)
    workspace.close()
    history = git("log", "-p", "--format=", "--", "MEMORY.md")
    added = [line[1:] for line in history.split("\n") if line.startswith("+")]
    everything = "\n".join(added) + place.read_text()
    missing = [number for number in range(rounds) if f"- theirs {number:03}" not in everything]
    if missing:
        # An edit that the last look put back, and that was overwritten by a save that had read just before.
        command = ["git", "cat-file", "--batch-all-objects", "--batch", "--unordered"]
        stored = subprocess.run(command, cwd=workspace.root, capture_output=True, check=True).stdout
        assert len(missing) <= 1
        assert all(f"- theirs {number:03}".encode() in stored for number in missing)
    for number in range(accepted):
        assert f"Ours number {number:03}." in "\n".join(added)
    assert accepted > 5
    assert not git("fsck", "--no-dangling").strip()
    assert not list((workspace.repo.room / "displaced").iterdir())
