"""A damaged repository and obstacles to writing: one sentence or a finding, and no byte changes."""

import gc
import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

Git = Callable[..., str]
EVERY = ("status", "capture", "adopt", "log", "memory add A_pump_hums.")


@pytest.fixture
def git(inside: Callable) -> Git:
    return inside


def state(space: Path) -> dict[str, bytes]:
    """Return the bytes of the workspace, and of git's index and references."""
    contents = {}
    for place in space.rglob("*"):
        path = place.relative_to(space).as_posix()
        if place.is_file() and not path.startswith((".git/objects", ".git/clawgit")):
            contents[path] = place.read_bytes()
    return contents


def loose(space: Path, git: Git, revision: str) -> Path:
    (space / "new.txt").write_text("new\n")
    git("add", "new.txt")
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "new")
    oid = git("rev-parse", revision).strip()
    place = space / ".git/objects" / oid[:2] / oid[2:]
    place.chmod(0o644)
    return place


def write(name: str, data: bytes) -> Callable[[Path, Git], object]:
    return lambda space, _: (space / name).write_bytes(data)


def packed(space: Path, git: Git, data: Callable[[bytes], bytes], kind: str = "pack") -> None:
    git("gc", "-q", "--prune=now")
    gc.collect()  # libgit2 holds a pack open for as long as a repository is
    for place in (space / ".git/objects/pack").glob(f"*.{kind}"):
        place.chmod(0o644)
        place.write_bytes(data(place.read_bytes()))


def led(target: Callable[[Path], str]) -> Callable[[Path, Git], None]:
    def run(space: Path, _: Git) -> None:
        (space / ".git").rename(space.parent / "kept.git")
        (space / ".git").write_text(f"gitdir: {target(space.parent)}\n")

    return run


def elsewhere(folder: Path) -> str:
    other = folder / "other"
    subprocess.run(["git", "init", "-q", str(other)], check=True)
    (other / "x").write_text("theirs\n")
    return f"{other}/.git"


DAMAGE: dict[str, Callable[[Path, Git], object]] = {
    "HEAD is garbage": write(".git/HEAD", b"garbage\n"),
    "the branch names no commit": write(".git/refs/heads/main", b"1" * 40 + b"\n"),
    "a corrupt pack": lambda space, git: packed(space, git, lambda data: data[:12] + bytes(len(data) - 12)),
    "an empty commit object": lambda space, git: loose(space, git, "HEAD").write_bytes(b""),
    "no tree": lambda space, git: loose(space, git, "HEAD^{tree}").unlink(),
    "a gitfile to another's": led(elsewhere),
    "a broken configuration": write(".git/config", b"[[[\n"),
    "no objects": lambda space, _: shutil.rmtree(space / ".git/objects"),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_repository_is_a_sentence_with_a_way_out(
    call: Callable, space: Path, git: Git, damage: Callable[[Path, Git], object]
) -> None:
    damage(space, git)
    before = state(space)
    for command in EVERY:
        answer = call(*command.split())
        assert (answer.code, "\n  fix: " in answer.err) == (1, True), (command, answer.err)
    answer = call("doctor", "--json")
    assert answer.code == 3
    assert all(row["fix"] or row["ok"] or "not looked at" in row["message"] for row in answer.json)
    assert state(space) == before


@pytest.mark.parametrize("data", [lambda data: data[: len(data) // 2], lambda _: b""])
def test_a_damaged_index_is_made_anew_by_its_fix(call: Callable, space: Path, data: Callable[[bytes], bytes]) -> None:
    place = space / ".git/index"
    place.write_bytes(data(place.read_bytes()))
    answer = call("memory", "add", "A pump hums.")
    assert answer.code == 1
    assert call("doctor").code == 3
    subprocess.run(answer.err.partition("fix: ")[2], shell=True, check=True, cwd=space)
    assert call("memory", "add", "A pump hums.").code == 0


def test_the_fix_for_a_register_that_is_a_link_brings_it_back(call: Callable, space: Path) -> None:
    call("memory", "add", "A pump hums.")
    place = space / ".clawgit/entries.tsv"
    rows = place.read_bytes()
    (space.parent / "private.txt").write_text("private words\n")
    place.unlink()
    place.symlink_to(space.parent / "private.txt")
    (finding,) = (row for row in call("doctor", "--json").json if "symbolic link" in row["message"])
    subprocess.run(finding["fix"], shell=True, check=True, cwd=space)
    assert place.read_bytes() == rows
    assert not place.is_symlink()
    assert call("memory", "add", "A second pump.").code == 0
    assert set(rows.splitlines()) <= set(place.read_bytes().splitlines())


def aged(name: str) -> Callable[[Path, Git], object]:
    def run(space: Path, _: Git) -> None:
        (space / name).write_bytes(b"")
        os.utime(space / name, (time.time() - 30,) * 2)

    return run


def committed(name: str, data: str) -> Callable[[Path, Git], object]:
    def run(space: Path, git: Git) -> None:
        (space / name).write_text(data)
        git("commit", "-qam", "by hand")

    return run


def fixed(name: str) -> Callable[[Path, Git], object]:
    def run(space: Path, _: Git) -> None:
        result = subprocess.run(["chattr", "+i", space / name], capture_output=True, check=False)
        if result.returncode:
            pytest.skip("this file system keeps no file from being changed")

    return run


def in_the_way(space: Path, _: Git) -> None:
    shutil.rmtree(space / ".git/clawgit")
    (space / ".git/clawgit").write_text("no folder\n")


EJECTED = "workspace: given back by clawgit"
STOPS: dict[str, Callable[[Path, Git], object]] = {
    "not managed": lambda space, git: (git("rm", "-q", ".clawgit/format"), git("commit", "-qm", EJECTED)),
    "a newer format": committed(".clawgit/format", "9\n"),
    "the index lock": aged(".git/index.lock"),
    "a detached HEAD": lambda _, git: git("switch", "-q", "--detach"),
    "no state folder": in_the_way,
    "a read-only folder": fixed("."),
}


@pytest.mark.parametrize("stop", STOPS.values(), ids=STOPS)
def test_what_stops_writing_is_a_finding_of_the_highest_level(
    call: Callable, space: Path, git: Git, stop: Callable[[Path, Git], object]
) -> None:
    call("memory", "add", "The first.")
    stop(space, git)
    try:
        before = state(space)
        alarms = call("status", "--json").json["alarms"]
        assert [alarm for alarm in alarms if alarm["level"] == "alarm" and alarm["fix"]]
        assert call("doctor").code == 3
        assert state(space) == before
    finally:
        subprocess.run(["chattr", "-R", "-i", space], capture_output=True, check=False)


@pytest.mark.parametrize(
    ("revision", "way"),
    [("HEAD~1", "missing"), ("HEAD:memory/2026-01-20.md", "corrupt"), ("HEAD:tool.bin", "missing")],
)
def test_adopt_names_what_head_lacks_and_writes_nothing(
    call: Callable, tmp_path: Path, revision: str, way: str
) -> None:
    space = tmp_path / "raw"
    (space / "memory").mkdir(parents=True)
    (space / "memory/2026-01-20.md").write_text("- a pump\n")
    (space / "SOUL.md").write_text("# Soul\n")
    (space / "tool.bin").write_bytes(bytes(100))

    def git(*arguments: str) -> str:
        return subprocess.run(["git", *arguments], cwd=space, capture_output=True, text=True, check=True).stdout

    git("init", "-q")
    git("add", "-A")
    for words in ("x", "y"):
        git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "--allow-empty", "-qm", words)
    place = loose(space, git, revision)
    oid = git("rev-parse", revision).strip()
    if way == "missing":
        place.unlink()
    else:
        place.write_bytes(b"garbage")
    before = state(space)
    for options in (("--dry-run",), ()):
        answer = call("adopt", space, *options)
        assert answer.code == 1
        assert oid in answer.err
        assert (revision.removeprefix("HEAD:") if ":" in revision else "an earlier commit") in answer.err
        assert state(space) == before
    assert not (space / ".git/clawgit").exists()
