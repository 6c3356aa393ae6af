"""Writes of others are kept, and the files that may not be kept are named; nothing is lost, nobody is held up."""

import os
import random
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests import moulds
from tests.amounts import amount
from tests.promises.desk import Desk

CLAWGIT = str(Path(sys.executable).with_name("clawgit"))
GOOD = "memory/good.md"
JOURNAL = "memory/2026-01-20.md"


class Living(Desk):
    """A managed workspace that an agent lives in."""

    def capture(self) -> dict[str, Any]:
        """Capture, which must end, and well; return the document."""
        document: dict[str, Any] = self.run("capture")
        assert document.keys() >= {"commits", "held", "healed", "alarms"}
        return document

    def committed(self, path: str) -> bytes | None:
        result = subprocess.run(["git", "show", f"HEAD:{path}"], cwd=self.root, capture_output=True, check=False)
        return result.stdout if result.returncode == 0 else None

    @property
    def dirty(self) -> str:
        return self.git("status", "--porcelain", "--untracked-files=all")


@pytest.fixture(scope="module")
def mould(tmp_path_factory: pytest.TempPathFactory) -> Path:
    living = Living(moulds.managed(tmp_path_factory.mktemp("mould") / "ws"))
    living.write(JOURNAL, "# 2026-01-20\n\n- rain\n")
    living.write("memory/topic/one.md", "- one\n")
    living.write("memory/topic/two.md", "- two\n")
    living.write("code/app.py", "print()\n")
    living.commit("what there was")
    return living.root


@pytest.fixture
def living(mould: Path, tmp_path: Path) -> Living:
    return Living(moulds.copied(mould, tmp_path / "ws"))


# ---- what may not enter is held, and the others carry on


def test_a_pipe_and_a_socket_hold_nobody_up(living: Living) -> None:
    """A reader of a pipe waits for ever."""
    living.write("memory/pipe.md", "- a file\n")
    living.capture()
    (living.root / "memory/pipe.md").unlink()
    os.mkfifo(living.root / "memory/pipe.md")
    os.chdir(living.root / "memory")  # the path of a socket may have 100 letters
    with socket.socket(socket.AF_UNIX) as server_socket:
        server_socket.bind("socket.md")
    os.chdir("/")
    living.write(GOOD, "- good\n")
    living.capture()
    assert living.committed(GOOD) == b"- good\n"
    assert living.committed("memory/socket.md") is None
    assert (living.root / "memory/pipe.md").is_fifo()
    living.run("status")
    assert living.call("doctor").code in (0, 3)


def test_a_file_that_is_being_written_waits_until_it_is_closed(living: Living) -> None:
    place = living.root / JOURNAL
    with place.open("a") as file:
        file.write("- half a sent")
        file.flush()
        living.write(GOOD, "- good\n")
        document = living.capture()
        assert [row["path"] for row in document["held"]] == [JOURNAL]
        assert living.committed(GOOD) == b"- good\n"
        assert b"half" not in (living.committed(JOURNAL) or b"")
        file.write("ence\n")
    document = living.capture()
    assert (len(document["commits"]), document["held"]) == (1, [])
    assert living.committed(JOURNAL) == place.read_bytes()


# ---- what changes its kind


def test_a_file_becomes_a_folder_and_a_folder_a_file(living: Living) -> None:
    living.write("memory/kind.md", "- a file\n")
    living.write("memory/other.md/in.md", "- in a folder\n")
    living.capture()
    (living.root / "memory/kind.md").unlink()
    living.write("memory/kind.md/in.md", "- in a folder\n")
    shutil.rmtree(living.root / "memory/other.md")
    living.write("memory/other.md", "- a file\n")
    shutil.rmtree(living.root / "memory/topic")
    living.write("memory/topic", "out of scope\n")
    document = living.capture()
    assert document["held"] == []
    assert living.dirty == "?? memory/topic\n"
    assert living.committed("memory/kind.md/in.md") == b"- in a folder\n"
    assert living.committed("memory/other.md") == b"- a file\n"


# ---- other writers


def test_whatever_is_done_between_captures_is_in_history_afterwards(living: Living) -> None:
    """Random writes, deletions and renames of everything in scope; after each capture HEAD agrees with the disk."""
    dice = random.Random(11)
    names = [f"memory/{name}.md" for name in ("a", "b", "c/d", "c/e", "2026-01-01", "ü", "x y", "a.md/z")]
    names += ["SOUL.md", "MEMORY.md", "NOTES.md", "Archive/old.md"]
    for _ in range(amount(25, 10)):
        for name in dice.sample(names, k=4):
            place = living.root / name
            kind = dice.choice(["write", "write", "append", "delete", "rename"])
            if kind == "rename" and place.is_file():
                place.rename(living.root / f"memory/r{dice.randrange(9)}.md")
            elif kind == "delete" and place.is_file():
                place.unlink()
            elif not place.is_dir() and not any(folder.is_file() for folder in place.parents):
                old = place.read_bytes() if kind == "append" and place.is_file() else b""
                living.write(name, old + f"- {dice.random()}{dice.choice(['', chr(10), chr(13) + chr(10)])}".encode())
            for folder in (living.root / "memory/c", living.root / "memory/a.md"):
                if folder.is_dir() and not any(folder.iterdir()):
                    folder.rmdir()
        document = living.capture()
        assert document["held"] == []
        assert living.dirty == ""


# ---- watching


class Watch:
    """`clawgit capture --watch`, at work."""

    def __init__(self, living: Living, process: "subprocess.Popen[str]", talk: Path) -> None:
        self.living, self.process, self._talk = living, process, talk

    @property
    def talk(self) -> str:
        return self._talk.read_text()

    def until(self, holds: Callable[[], object], seconds: float = 90) -> None:
        deadline = time.monotonic() + seconds
        while not holds():
            assert self.process.poll() is None, self.talk
            assert time.monotonic() < deadline, self.talk
            time.sleep(0.05)

    def until_ended(self) -> int:
        return self.process.wait(timeout=90)


@contextmanager
def watching(living: Living, talk: Path) -> Iterator[Watch]:
    with talk.open("w") as err:
        command = [CLAWGIT, "-C", str(living.root), "capture", "--watch"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=err, text=True)
        try:
            watch = Watch(living, process, talk)
            watch.until(lambda: "watching" in watch.talk)
            yield watch
        finally:
            process.kill()
            process.wait()


def remove(root: Path) -> None:
    """As `rm -rf`, which may meet a file that the watch writes at that moment; asked again, it is gone."""
    while root.exists():
        shutil.rmtree(root, ignore_errors=True)


def replace(root: Path) -> None:
    """As `cp -r`, which minds no folder that the watch makes while it copies."""
    root.rename(root.with_name("moved"))
    shutil.copytree(root.with_name("moved"), root, symlinks=True, dirs_exist_ok=True)


@pytest.mark.parametrize("act", [remove, replace])
def test_a_workspace_that_is_gone_ends_it_with_an_error(
    living: Living, tmp_path: Path, act: Callable[[Path], None]
) -> None:
    with watching(living, tmp_path / "talk") as watch:
        act(living.root)
        assert watch.until_ended() == 1
        assert watch.talk.count("error: ") == 1
        assert "  fix: " in watch.talk
        assert "Traceback" not in watch.talk


def test_what_passes_does_not_end_it(living: Living, tmp_path: Path) -> None:
    """Somebody looks at an old commit for a while, a lock stays behind, CONFIG.md is broken: it waits and goes on."""
    with watching(living, tmp_path / "talk") as watch:
        living.git("checkout", "-q", "--detach", "HEAD~1")
        time.sleep(2.5)
        living.git("checkout", "-q", "main")
        head, config = living.head(), living.read("CONFIG.md")
        living.write("CONFIG.md", config.replace("```yaml\n", "```yaml\n: : [\n"))
        time.sleep(2.5)
        living.write("CONFIG.md", config)
        living.write(GOOD, "- good\n")
        watch.until(lambda: living.committed(GOOD) == b"- good\n", 90)
        assert living.commits(head)
        assert "Traceback" not in watch.talk
