"""Whoever adopts, uses and leaves has everything as it was, whatever a mess it was.

`MESSY_SEEDS=0:400 pytest tests/stories/test_adoption.py` tries more workspaces, `MESSY_SEEDS=17:18` one.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.amounts import amount
from tests.messy import CYCLE, judge, snapshot
from tests.messy.calls import call

SEEDS = range(*map(int, os.environ.get("MESSY_SEEDS", f"0:{CYCLE}:{amount(1, 10)}").split(":")))
CLAWGIT = str(Path(sys.executable).with_name("clawgit"))


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder in memory if there is one, and not below anybody's repository."""
    with tempfile.TemporaryDirectory(prefix="clawgit-adoption-") as name:
        yield Path(name).resolve()


@pytest.mark.parametrize("seed", SEEDS)
def test_adopt_use_and_eject_give_everything_back(folder: Path, seed: int) -> None:
    """Or adopt refuses with a way out, and nothing is touched. Every complaint names the act and the promise."""
    case = judge.judge(folder, seed)
    lines = [f"MESSY_SEEDS={seed}:{seed + 1}", *map(str, case.complaints)]
    assert not case.complaints, "\n  ".join([*lines, f"shapes: {' '.join(case.messy.shapes)}"])


def _git(*words: str) -> Callable[[Path], object]:
    return lambda root: subprocess.run(["git", *words], cwd=root, check=True, capture_output=True)


# ---- what is no workspace


def home_of_openclaw(folder: Path) -> Path:
    (folder / "state/workspace/memory").mkdir(parents=True)
    (folder / "state/openclaw.json").write_text("{}")
    (folder / "state/SOUL.md").write_text("# Soul\n")
    return folder / "state"


def home_folder(folder: Path) -> Path:
    return Path.home()


def code_without_any_sign(folder: Path) -> Path:
    """Ten thousand files, in the long runs."""
    root = folder / "code"
    for number in range(amount(100, 15)):
        (root / f"src/{number}").mkdir(parents=True)
        for name in range(100):
            (root / f"src/{number}/{name}.py").touch()
    _git("init", "-q", str(root))(folder)
    (root / "README.md").write_text("# A program\n")
    return root


def bare_repository(folder: Path) -> Path:
    _git("init", "-q", "--bare", str(folder / "bare"))(folder)
    return folder / "bare"


def git_folder_itself(folder: Path) -> Path:
    _git("init", "-q", str(folder / "repo"))(folder)
    (folder / "repo/SOUL.md").write_text("# Soul\n")
    return folder / "repo/.git"


def name_missing(folder: Path) -> Path:
    return folder / "nothing"


def broken_head(folder: Path) -> Path:
    _git("init", "-q", str(folder / "ws"))(folder)
    (folder / "ws/SOUL.md").write_text("# Soul\n")
    (folder / "ws/.git/refs/heads/main").write_text("0" * 39 + "1\n")
    return folder / "ws"


def _workspace(folder: Path) -> Path:
    root = folder / "ws"
    _git("init", "-q", "-b", "main", str(root))(folder)
    (root / "memory").mkdir()
    (root / "SOUL.md").write_text("# Soul\n")
    return root


WRONG = (
    home_of_openclaw,
    home_folder,
    code_without_any_sign,
    bare_repository,
    git_folder_itself,
    name_missing,
    broken_head,
)


@pytest.mark.parametrize("make", WRONG)
def test_what_is_no_workspace_is_refused_in_a_sentence(folder: Path, make: Callable[[Path], Path]) -> None:
    """With something to do about it; and not a byte is written, also beside it."""
    path = make(folder)
    looked_at = folder if path.is_relative_to(folder) else Path.home()
    before = snapshot.walk(looked_at)
    for options in ((), ("--dry-run",)):
        answer = call(looked_at, "adopt", str(path), *options, debug=False)
        check_refusal(answer.code, answer.err)
        assert snapshot.unlike(before, snapshot.walk(looked_at)) == [], options


def shell(*words: str, wrapper: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    """Run the installed command as a process of its own, without a terminal; `through` another one."""
    command = [*wrapper, CLAWGIT, *words]
    return subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", check=False, timeout=120
    )


def check_refusal(code: int, message: str) -> None:
    assert code in (1, 2), (code, message)
    first, second = message.splitlines()
    assert first.startswith("error: ")
    assert second.startswith("  fix: ")


@pytest.mark.parametrize("what", ["git's folder", "memory"])
def test_a_folder_that_may_not_be_written_is_left_as_it_is(folder: Path, what: str) -> None:
    """Also in the middle: files from before the refusal are gone again."""
    root = _workspace(folder)
    locked = {"the folder": root, "git's folder": root / ".git", "memory": root / "memory"}[what]
    (root / "memory/2026-01-01.md").write_text("- a\n")
    before = snapshot.take(root)
    locked.chmod(0o555)
    result = shell("adopt", str(root), wrapper=powerless())
    locked.chmod(0o755)
    if what == "memory" and result.returncode == 0:
        return  # nothing has to be written there
    check_refusal(result.returncode, result.stderr)
    after = snapshot.take(root)
    assert snapshot.unlike(snapshot.itself(before.files), snapshot.itself(after.files)) == []
    assert snapshot.unlike(before.git, after.git) == []


def powerless() -> tuple[str, ...]:
    """Return how to run a process that may write no more than the modes allow."""
    if os.geteuid() != 0:
        return ()
    if shutil.which("setpriv") is None:
        pytest.skip("setpriv; get it: apt install util-linux, or run the tests as an ordinary user")
    return ("setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner")


@pytest.fixture
def small_disk(folder: Path) -> Iterator[Path]:
    """A disk of one megabyte."""
    place = folder / "disk"
    place.mkdir()
    result = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", place], capture_output=True, check=False)
    if result.returncode:
        pytest.skip("a disk of its own; get it: run the tests as root, where mounting is allowed")
    yield place
    subprocess.run(["umount", "-l", place], check=True)


def test_a_full_disk_costs_nothing(small_disk: Path) -> None:
    """At any point of filling up: all is as it was, or a begun write lands, once, as soon as there is room."""
    outcomes = []
    for free in range(4, 400, 400 // amount(34, 5)):
        shutil.rmtree(small_disk / "ws", ignore_errors=True)
        (small_disk / "ballast").unlink(missing_ok=True)
        root = _workspace(small_disk)
        (root / "memory/2026-01-01.md").write_text("- a\n" * 2000)
        _fill(small_disk, free)
        before = snapshot.take(root)
        result = shell("adopt", str(root))
        outcomes.append(result.returncode)
        if result.returncode == 0:
            break
        check_refusal(result.returncode, result.stderr)
        after = snapshot.take(root)
        if "will land" not in result.stderr:
            assert snapshot.unlike(snapshot.itself(before.files), snapshot.itself(after.files)) == [], free
            assert snapshot.unlike(before.git, {**after.git, "ours": before.git["ours"]}) == [], free
        (small_disk / "ballast").unlink()
        _lands_once(root)
    assert outcomes[0] == 1
    assert outcomes[-1] == 0


def _lands_once(root: Path) -> None:
    repeated = call(root, "adopt", str(root))
    assert repeated.code == 0, repeated.err
    subjects = snapshot.ask(root, "log", "--format=%s").decode().splitlines()
    assert subjects.count("workspace: adopted by clawgit") == 1
    assert snapshot.ask(root, "status", "--porcelain") == b""
    assert snapshot.ask(root, "fsck", "--no-dangling") == b""


def _fill(disk: Path, free_kilobytes: int) -> None:
    room = os.statvfs(disk)
    (disk / "ballast").write_bytes(bytes(max(0, room.f_bavail * room.f_frsize - free_kilobytes * 1024)))
