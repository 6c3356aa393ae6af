"""A look at a copy of somebody's workspace."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

from stage import Stage, WrongError, change

SIGNS = ("SOUL.md", "MEMORY.md", "memory")
LINE = "What is tried is tried on a copy."


def play(stage: Stage, original: Path) -> None:
    """Read a copy of somebody's workspace, then edit the copy if clawgit manages it."""
    original = original.expanduser().absolute()
    copy(original, stage.place / "copy")
    stage.scene("A copy", f"Of {original}, which is only read.")
    stage.show("cp", "-R", str(original), "copy")
    stage.show("cd", "copy")
    stage.place /= "copy"
    state = ask(stage, "status")
    history = ask(stage, "soul", "log", "-n", "1")
    stage.scene("Who it is, and why", "The newest changes of SOUL.md, also those that people made.")
    stage.run("clawgit", "log", "--file", "SOUL.md", "-n", "5")
    if history:
        stage.scene("What changed", "What you have not looked at yet, else the last change.")
        stage.run("clawgit", "soul", "diff")
    stage.scene("Memories", "The bullets of MEMORY.md.")
    stage.run("clawgit", "memory", "list")
    stage.scene("How it stands", "What is not committed yet, and what stands in the way of a write.")
    stage.run("clawgit", "status")
    if reason := unwritable(stage, state, history):
        stage.scene("That is all", reason)
    else:
        try_on(stage)


def unwritable(stage: Stage, state: dict[str, Any], history: list[Any]) -> str:
    """Return why nothing can be tried on the copy, "" when it can."""
    if not state["managed"]:
        return "clawgit does not manage this workspace, so it only reads. `clawgit init PATH` lets it write, too."
    if state["alarms"]:
        return "Nothing is written while there is an alarm."
    if not (history and (stage.place / "SOUL.md").is_file() and heading(stage)):
        return "There is no committed SOUL.md with a section here, so there is nothing to try an edit on."
    return ""


def try_on(stage: Stage) -> None:
    """Edit the copy, look, and take it back."""
    soul = stage.place / "SOUL.md"
    before = soul.read_bytes()
    stage.scene("An edit, on the copy", "One line comes, with a reason; taken back, every byte is as it was.")
    why = "To see what an edit looks like."
    edited = stage.run("clawgit", "soul", "edit", "--add", LINE, "--section", heading(stage), "--why", why)
    stage.run("clawgit", "soul", "diff", "HEAD~1")
    stage.check("the line stands in SOUL.md", holds=LINE in soul.read_text("utf-8"))
    stage.run("clawgit", "soul", "revert", change(edited))
    stage.check("SOUL.md is what it was, byte for byte", holds=soul.read_bytes() == before)


def copy(original: Path, target: Path) -> None:
    """Copy a workspace that owns its git folder: what git writes in a linked one would reach the original."""
    if words := unfit(original):
        raise WrongError(f"{original} {words}\n  fix: make demo WORKSPACE=~/.openclaw/workspace")
    try:
        shutil.copytree(original, target, symlinks=True, ignore=passing)
    except shutil.Error as error:
        place, _, words = error.args[0][0]
        raise WrongError(f"{place} could not be copied: {words}") from error
    for file in (target / ".git").glob("config*"):
        subprocess.run(["git", "config", "--file", file, "--unset-all", "core.worktree"], check=False)


def unfit(folder: Path) -> str:
    """Return what keeps a folder from being copied as a workspace, "" for nothing."""
    git = folder / ".git"
    if not folder.is_dir():
        return "is not a folder" if folder.exists() else "does not exist"
    if not git.exists():
        return "is not a git repository"
    if not git.is_dir() or git.is_symlink():
        return "shares its git folder with another one"
    if not any((folder / sign).exists() for sign in SIGNS):
        return "is not a workspace: it has no SOUL.md, MEMORY.md or memory/"
    return ""


def passing(folder: str, names: list[str]) -> list[str]:
    """Return what is no part of a workspace: sockets and pipes, and the locks of whoever works there now."""
    inside = ".git" in Path(folder).parts
    places = {name: Path(folder, name) for name in names}
    return [
        name
        for name, place in places.items()
        if (inside and name.endswith(".lock")) or not (place.is_symlink() or place.is_file() or place.is_dir())
    ]


def ask(stage: Stage, *words: str) -> Any:
    """Return what a command that is not shown says in JSON."""
    done = stage.call(("clawgit", *words, "--json"), talk=subprocess.DEVNULL)
    answer = json.loads(done.stdout)
    if done.returncode:
        raise WrongError(f"{answer['error']}\n  fix: {answer['fix']}")
    return answer


def heading(stage: Stage) -> str:
    """Return the title of the first section of SOUL.md, "" when it has none."""
    found = re.search(r"^##+ +(.+?)\s*$", (stage.place / "SOUL.md").read_text("utf-8", "replace"), re.MULTILINE)
    return found[1] if found else ""
