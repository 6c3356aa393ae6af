"""Files that are mounts of their own, workspaces of another user, and full disks: nothing is lost, and all is told."""

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import clawgit
from tests.promises.desk import COMMAND, Answer, Desk
from tests.promises.steps import call_at_each_step
from tests.sessions.transcripts import SESSION, chain, write_transcript

MUTATION = (
    "git/worktree_files.py",
    "            if exc.errno not in (errno.EBUSY, errno.EXDEV) or not place.exists():",
    "            if exc:",
)

SHIM = Path(__file__).parents[1] / "stories/shim.c"
AGENT = 1000
ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="another user; get it: run the tests as root")
JOURNAL = f"memory/{datetime.now(UTC).date()}.md"
ENTRIES = ".clawgit/entries.tsv"
REMEMBER = ("remember", "The lamps are rated at 400 watts.")
NOTE = ("journal", "add", "The lamps came on Tuesday.")
CORRECT = ("correct", "Deploys happen on Wednesday evening, not Tuesday.")
SOUL = ("soul", "edit", "--add", "Say please.", "--section", "Core", "--why", "asked for")


# ---- a file that no rename can replace


class Mounts:
    """Mounts of this test alone."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._places = folder, list[Path]()

    def mount(self, *words: object) -> None:
        result = subprocess.run(["mount", *map(str, words)], capture_output=True, check=False)
        if result.returncode:
            pytest.skip("a mount; get it: run the tests as root, where mounting is allowed")
        self._places.append(Path(str(words[-1])))

    def bind(self, place: Path) -> Path:
        """Mount a copy of a file or folder over it, as Docker does; return the copy."""
        copy = self._folder / f"host-{len(self._places)}"
        shutil.copytree(place, copy) if place.is_dir() else shutil.copyfile(place, copy)
        self.mount("--bind", copy, place)
        return copy

    def disk(self, kilobytes: int) -> Path:
        """Mount a disk of its own, of so many kilobytes."""
        place = self._folder / f"disk-{len(self._places)}"
        place.mkdir()
        self.mount("-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", place)
        return place

    def end(self) -> None:
        for place in reversed(self._places):
            subprocess.run(["umount", "-l", place], capture_output=True, check=False)


@pytest.fixture
def mounts(tmp_path: Path) -> Iterator[Mounts]:
    disk_mounts = Mounts(tmp_path)
    yield disk_mounts
    disk_mounts.end()


def is_settled(desk: Desk) -> bool:
    """Tell whether every file is as it is committed, and nothing lies about."""
    return desk.git("status", "--porcelain") == "" and "clawgit-" not in " ".join(map(str, desk.files()))


def refuse(desk: Desk, *words: str) -> Answer:
    """Run a command that must fail and change nothing that can be seen."""
    before = desk.files(), desk.git("for-each-ref"), desk.git("status", "--porcelain")
    answer = desk.call(*words)
    assert answer.code == 1, answer
    assert (desk.files(), desk.git("for-each-ref"), desk.git("status", "--porcelain")) == before
    return answer


@pytest.mark.parametrize(
    ("paths", "command"),
    [
        (["MEMORY.md"], REMEMBER),
        (["SOUL.md"], SOUL),
        ([JOURNAL], NOTE),
        (["memory/garden.md"], ("restore", "memory/garden.md", "--as-of", "HEAD~1")),
        ([ENTRIES], REMEMBER),
        (["MEMORY.md", ENTRIES], REMEMBER),
        (["MEMORY.md", "SOUL.md"], SOUL),
        (["USER.md", JOURNAL], REMEMBER),
        (["CHANGELOG.md"], SOUL),
        (["memory"], NOTE),
    ],
    ids=lambda value: "+".join(value) if isinstance(value, list) else value[0],
)
def test_a_mounted_file_is_written_in_place(
    desk: Desk, mounts: Mounts, paths: list[str], command: tuple[str, ...]
) -> None:
    if JOURNAL in paths:
        desk.run("journal", "add", "The day begins.")
    desk.append("memory/garden.md", "- The gate is shut.\n")
    desk.run("capture")
    for path in paths:
        mounts.bind(desk.root / path)
    before, inodes = desk.head(), [(desk.root / path).stat().st_ino for path in paths]
    desk.run(*command)
    assert desk.commits(before)
    assert [(desk.root / path).stat().st_ino for path in paths] == inodes
    desk.run("changelog", "--check")
    assert is_settled(desk)
    desk.append("memory/2026-01-20.md", "- by hand\n")
    desk.run("capture")
    desk.run("journal", "add", "And another.")
    assert desk.at("HEAD", "memory/2026-01-20.md").endswith("- by hand\n")
    desk.run("doctor")
    desk.run("undo")
    desk.run("undo", desk.git("log", "--format=%H", f"{before}..").split()[-1])
    assert is_settled(desk)


def test_a_mounted_file_of_another_disk_is_written_in_place(desk: Desk, mounts: Mounts) -> None:
    other = mounts.disk(64)
    shutil.copyfile(desk.root / "MEMORY.md", other / "MEMORY.md")
    mounts.mount("--bind", other / "MEMORY.md", desk.root / "MEMORY.md")
    desk.run(*REMEMBER)
    assert "400 watts" in (other / "MEMORY.md").read_text()
    assert is_settled(desk)
    (other / "ballast").write_bytes(bytes(os.statvfs(other).f_bavail * os.statvfs(other).f_frsize))
    text = f"The pump is loud. {'It hums. ' * 600}"
    answer = refuse(desk, "remember", text)
    assert answer.fix.startswith("df -h ")
    desk.run(*NOTE)
    (other / "ballast").unlink()
    desk.run("remember", text)
    assert text.strip() in desk.at("HEAD", "MEMORY.md")
    assert is_settled(desk)


def test_a_refused_write_leaves_nothing_in_a_mounted_folder(desk: Desk, mounts: Mounts) -> None:
    path = desk.run(*NOTE)["files"][0]
    desk.run("undo")
    mounts.bind(desk.root / "memory")

    def fail(_: int, step: str) -> None:
        if step == "index.lock":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with call_at_each_step(fail):
        refuse(desk, *NOTE)
    assert not (desk.root / path).exists()
    assert is_settled(desk)


def test_a_read_only_mount_of_one_file_is_refused_alone(desk: Desk, mounts: Mounts) -> None:
    mounts.bind(desk.root / "MEMORY.md")
    mounts.mount("-o", "remount,bind,ro", desk.root / "MEMORY.md")
    answer = refuse(desk, *REMEMBER)
    desk.run(*NOTE)
    desk.append("memory/garden.md", "- by hand\n")
    desk.run("capture")
    assert "by hand" in desk.at("HEAD", "memory/garden.md")
    desk.run("doctor", code=3)
    desk.shell(answer.fix)
    desk.run(*REMEMBER)
    assert is_settled(desk)


def test_a_mounted_file_that_is_to_go_is_refused_alone(desk: Desk, mounts: Mounts) -> None:
    document = desk.run(*NOTE)
    mounts.bind(desk.root / JOURNAL)
    answer = refuse(desk, "undo")
    desk.run(*REMEMBER)
    assert is_settled(desk)
    desk.shell(answer.fix)
    desk.run("undo", document["change"])
    assert not (desk.root / JOURNAL).exists()


@pytest.fixture(scope="session")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library that ends a process in the middle of a call."""
    library = tmp_path_factory.mktemp("shim") / "shim.so"
    if shutil.which("cc") is None:
        pytest.skip("a compiler; get it: apt-get install gcc")
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, SHIM, "-ldl"], check=True, capture_output=True)
    return library


FAIL, TEAR_AND_DIE = 2, 3
"""What befalls a call, as the library numbers it."""
BREAKS = """
import ctypes, os, sys
below, number, kind, error = sys.argv[1:5]
ctypes.CDLL(os.environ["LD_PRELOAD"]).fault_arm(os.fsencode(below), int(number), int(kind), int(error), -1)
del sys.argv[1:5]
from clawgit.cli.main import main
sys.exit(main())
"""


def run_and_break(desk: Desk, shim: Path, folder: str, number: int, kind: int, *words: str, error: int = 0) -> int:
    """Run a command with one broken call below a place of the workspace; return its exit code."""
    fault = map(str, (desk.root / folder, number, kind, error))
    command = [sys.executable, "-P", "-c", BREAKS, *fault, "-C", str(desk.root), *words]
    variables = {"LD_PRELOAD": str(shim), "PYTHONPATH": str(Path(clawgit.__file__).parents[1])}
    result = subprocess.run(command, env={**os.environ, **variables}, capture_output=True, check=False)
    return result.returncode


@pytest.mark.parametrize("meanwhile", ["nothing", "edited", "restored"])
@pytest.mark.parametrize("number", [3, 4])
def test_a_kill_in_the_middle_is_finished_by_the_next_command(
    desk: Desk, mounts: Mounts, shim: Path, number: int, meanwhile: str
) -> None:
    """Half of the call's bytes are in the file then, in the place of older bytes or behind them."""
    old = desk.read("MEMORY.md")
    mounts.bind(desk.root / "MEMORY.md")
    assert run_and_break(desk, shim, "MEMORY.md", number, TEAR_AND_DIE, *CORRECT) == -signal.SIGKILL
    assert desk.read("MEMORY.md") not in (old, desk.at("refs/clawgit/pending", "MEMORY.md"))
    if meanwhile == "edited":
        desk.append("memory/garden.md", "- by hand\n")
    elif meanwhile == "restored":
        desk.write("MEMORY.md", old)
    desk.run(*NOTE)
    assert desk.read("MEMORY.md") == desk.at("HEAD", "MEMORY.md")
    assert [line.count("Tuesday") for line in changed(old, desk.read("MEMORY.md"))] == [1]
    desk.run("capture")
    assert is_settled(desk)
    desk.run("doctor")


def changed(old: str, new: str) -> list[str]:
    """Return the changed lines, if all others are equal."""
    pairs = list(zip(old.splitlines(), new.splitlines(), strict=True))
    return [before for before, after in pairs if before != after]


def test_a_write_whose_reference_the_disk_refuses_has_landed_or_not(desk: Desk, shim: Path) -> None:
    """Also with the reference there, and a failure of the disk after that: no refusal lands with the next command."""
    for number in range(1, 10):
        words = f"Lamp number {number} came on Tuesday."
        code = run_and_break(desk, shim, ".git/refs/clawgit", number, FAIL, "journal", "add", words, error=errno.EIO)
        desk.run("remember", f"Lamp number {number} is rated at 400 watts.")
        has_landed = words in desk.git("log", "-p", "--", JOURNAL)
        assert code == (0 if has_landed else 1), number
        assert is_settled(desk)


def test_on_a_disk_without_shared_memory_all_is_as_elsewhere(tmp_path: Path, shim: Path) -> None:
    """As on a network file system; also for a workspace from elsewhere, and on its way back."""
    variables = {**os.environ, "LD_PRELOAD": str(shim), "NO_SHARED_MEMORY": "1"}
    desk = Desk.raw(tmp_path / "ws", {"MEMORY.md": "# MEMORY.md\n\n- The hose is green.\n"})

    def say(*words: str) -> Any:
        result = desk.process(*words, env=variables)
        assert result.returncode == 0, result.stderr
        return json.loads(result.stdout)

    say("adopt", str(desk.root))
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda number: say("remember", f"Lamp number {number} is rated at 400 watts."), range(4)))
    desk.run("remember", "The pump came from Marek.")
    say("remember", "The beds are numbered from the gate.")
    assert len(say("memory", "list")) == 7
    assert "Marek" in str(say("search", "pump"))
    say("doctor")


def test_a_repository_that_was_never_made_whole_is_made_again(tmp_path: Path) -> None:
    root = tmp_path / "ws"
    (root / ".git/objects/info").mkdir(parents=True)
    (root / ".git/description").write_text("")
    desk = Desk(root)
    desk.run("init", str(root))
    desk.run("doctor")


# ---- a workspace of another user


@dataclass
class Theirs:
    """A workspace of the agent's, in which root runs commands."""

    desk: Desk
    home: Path

    def call(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        config = self.home / ".gitconfig"
        variables = {"HOME": str(self.home), "GIT_CONFIG_GLOBAL": str(config)}
        return self.desk.process(*arguments, env={**os.environ, **variables})

    def run(self, *arguments: str, code: int = 0) -> None:
        result = self.call(*arguments)
        assert result.returncode == code, result.stdout + result.stderr

    def of_root(self) -> list[Path]:
        return [path for path in (self.desk.root, *self.desk.root.rglob("*")) if not path.lstat().st_uid]


@pytest.fixture
def theirs(desk: Desk, tmp_path: Path) -> Theirs:
    home = tmp_path / "home"
    home.mkdir()
    (home / ".gitconfig").write_text("[safe]\n\tdirectory = *\n[user]\n\tname = Ines\n\temail = ines@example.org\n")
    give(desk.root)
    return Theirs(desk, home)


def give(folder: Path) -> None:
    for place in (folder, *folder.rglob("*")):
        os.chown(place, AGENT, AGENT, follow_symlinks=False)


@ROOT
@pytest.mark.parametrize(
    ("folders", "commands"),
    [
        (0o755, (REMEMBER, NOTE, SOUL, ("search", "lamps"), ("hooks", "install"), ("undo",), ("doctor",))),
        (0o2770, (NOTE,)),
    ],
)
def test_what_root_makes_belongs_to_whom_the_folder_belongs(
    theirs: Theirs, folders: int, commands: tuple[tuple[str, ...], ...]
) -> None:
    root = theirs.desk.root
    for folder in (root, root / "memory"):
        folder.chmod(folders)
    os.chown(root / "memory", AGENT + 1, AGENT + 2)
    for words in commands:
        theirs.run(*words)
        assert theirs.of_root() == [], words
    status = (root / JOURNAL).stat()
    assert (status.st_uid, status.st_gid) == (AGENT + 1, AGENT + 2)
    assert status.st_mode & 0o777 == folders & 0o666


@ROOT
def test_what_roots_sync_brings_to_a_hub_belongs_to_the_hubs_owner(theirs: Theirs, tmp_path: Path) -> None:
    hub = tmp_path / "hub.git"
    subprocess.run(["git", "init", "--quiet", "--bare", "-b", "main", hub], check=True)
    with (theirs.desk.root / ".git/config").open("a") as config:
        config.write(f'[remote "origin"]\n\turl = {hub}\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n')
    give(hub)
    theirs.run(*REMEMBER)
    theirs.run("sync")
    assert [path for path in hub.rglob("*") if not path.lstat().st_uid] == []


@ROOT
def test_what_root_has_put_there_stays_his(theirs: Theirs) -> None:
    place = theirs.desk.root / "SOUL.md"
    hook = theirs.desk.root / ".git/hooks/pre-rebase"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\n")
    os.chown(hook.parent, AGENT, AGENT)
    os.chown(place, 0, 0)
    time.sleep(0.3)
    theirs.run(*SOUL)
    assert {*theirs.of_root()} == {place, hook}


@ROOT
def test_a_new_workspace_belongs_to_whom_the_folder_around_belongs(theirs: Theirs) -> None:
    outer = theirs.desk.root.parent / "around"
    outer.mkdir()
    os.chown(outer, AGENT, AGENT)
    result = subprocess.run(
        [COMMAND, "init", outer / "new/ws"],
        env={**os.environ, "HOME": str(theirs.home), "GIT_CONFIG_GLOBAL": str(theirs.home / ".gitconfig")},
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert result.returncode == 0, result.stderr
    assert [path for path in outer.rglob("*") if not path.lstat().st_uid] == []


@ROOT
def test_what_shuts_the_owner_out_is_told_with_the_way_to_mend_it(theirs: Theirs) -> None:
    objects = {path.name for path in (theirs.desk.root / ".git/objects").iterdir()}
    new = next(name for name in (f"{number:02x}" for number in range(256)) if name not in objects)
    (theirs.desk.root / ".git/objects" / new).mkdir()
    result = theirs.call("doctor")
    assert result.returncode == 3
    output = json.dumps(json.loads(result.stdout))
    fixes = [row["fix"] for row in findings(json.loads(result.stdout)) if "chown" in row["fix"]]
    assert fixes, output
    theirs.desk.shell(fixes[0])
    assert theirs.of_root() == []
    theirs.run("doctor")


@ROOT
def test_a_memory_that_root_left_is_told_with_the_way_to_mend_it(theirs: Theirs) -> None:
    root = theirs.desk.root
    (root / "memory/sub").mkdir()
    for path in ("memory/topic.md", "memory/sub/topic.md"):
        theirs.desk.write(path, "- The pump is loud.\n")
        (root / path).chmod(0o600)
    result = theirs.call("doctor")
    assert result.returncode == 3
    fixes = [finding["fix"] for finding in findings(json.loads(result.stdout)) if "chown" in finding["fix"]]
    assert len(fixes) == 2
    for fix in fixes:
        theirs.desk.shell(fix)
    assert theirs.of_root() == []


def findings(document: object) -> Iterator[dict[str, str]]:
    """Yield every part of a document that has a fix."""
    if isinstance(document, dict):
        if document.get("fix"):
            yield document
        document = list(document.values())
    for child in document if isinstance(document, list) else ():
        yield from findings(child)


# ---- a full disk


@dataclass(frozen=True)
class Case:
    """A command, the state before it, and the check of its promise."""

    words: tuple[str, ...]
    promised: Callable[[Desk], bool]
    before: Callable[[Desk], object] = lambda _: None


def by_hand(desk: Desk) -> None:
    desk.append("memory/garden.md", f"- by hand {'by-foot ' * 300}\n")
    desk.append("MEMORY.md", "- by hand, too\n")


def with_remote(desk: Desk) -> None:
    desk.git("init", "--quiet", "--bare", str(desk.root.parent / "remote.git"))
    desk.git("remote", "add", "origin", str(desk.root.parent / "remote.git"))


def talk(desk: Desk) -> Path:
    """Return a conversation that OpenClaw wrote, on another disk."""
    orchid = chain(("user", "The new orchid supplier is Flora Verde."))
    return write_transcript(desk.root.parent.parent / f"{SESSION}.jsonl", orchid)


def print_output(desk: Desk, *words: str) -> str:
    return desk.call(*words).out


CASES = {
    "remember": Case(REMEMBER, lambda desk: "400 watts" in desk.at("HEAD", "MEMORY.md") + desk.read("MEMORY.md")),
    "journal": Case(NOTE, lambda desk: "lamps came" in desk.at("HEAD", JOURNAL)),
    "capture": Case(
        ("capture",),
        lambda desk: "by-foot" in desk.at("HEAD", "memory/garden.md") and "too" in desk.at("HEAD", "MEMORY.md"),
        by_hand,
    ),
    "soul": Case(SOUL, lambda desk: "Say please" in desk.at("HEAD", "SOUL.md")),
    "undo": Case(("undo",), lambda desk: "400 watts" not in desk.read("MEMORY.md"), lambda desk: desk.run(*REMEMBER)),
    "correct": Case(
        CORRECT,
        lambda desk: "Wednesday" in desk.at("HEAD", "MEMORY.md"),
    ),
    "triage": Case(
        ("triage", "no, deploys happen on Wednesday, not Tuesday", "--act"),
        lambda desk: "Wednesday" in desk.at("HEAD", "MEMORY.md"),
    ),
    "config": Case(("config", "soul_max_tokens", "1200"), lambda desk: "1200" in desk.at("HEAD", "CONFIG.md")),
    "sync": Case(
        ("sync",),
        lambda desk: desk.head() in desk.git("ls-remote", "origin"),
        with_remote,
    ),
    "index": Case(("memory", "index"), lambda desk: json.loads(print_output(desk, "memory", "status"))["fresh"]),
    "import": Case(
        ("session", "import"), lambda desk: "Flora Verde" in print_output(desk, "session", "show", SESSION), talk
    ),
    "export": Case(("state", "export"), lambda desk: (desk.root.parent / "state").stat().st_size > 0),
    "digest": Case(("digest", "--send"), lambda desk: (desk.root / ".git/clawgit/digest.md").stat().st_size > 0),
    "hooks": Case(("hooks", "install"), lambda desk: (desk.root / ".git/hooks/pre-commit").stat().st_size > 0),
    "changelog": Case(
        ("changelog",),
        lambda desk: (desk.root / "CHANGELOG.md").stat().st_size > 0,
        lambda desk: (desk.root / "CHANGELOG.md").unlink(),
    ),
}


@pytest.mark.parametrize("kilobytes", [0, 16, 48])
@pytest.mark.parametrize("name", CASES)
def test_a_full_disk_is_no_success(adopted: Path, mounts: Mounts, tmp_path: Path, name: str, kilobytes: int) -> None:
    case, disk = CASES[name], mounts.disk(4096)
    desk = Desk(disk / "ws")
    shutil.copytree(adopted, desk.root, symlinks=True)
    prepared = case.before(desk)
    words = {"import": (*case.words, str(prepared)), "export": (*case.words, str(disk / "state"))}.get(name, case.words)
    before = desk.files()
    fill(disk, kilobytes)
    answer = desk.call(*words)
    if answer.code == 0:
        (disk / "ballast").unlink()
        assert case.promised(desk)
        return
    assert (answer.code, answer.document["fix"].partition(" ")[0]) == (1, "df"), answer
    (disk / "ballast").unlink()
    desk.shell(answer.fix)
    pending = desk.git("for-each-ref", "refs/clawgit/pending")
    assert pending or desk.files() == before
    assert "missing" not in desk.git("fsck", "--no-dangling")
    repeated = desk.call(*words)
    assert repeated.code == 0, repeated
    desk.run("capture")  # which lands what was kept, where the command found nothing left to do
    assert case.promised(desk)
    desk.run("doctor")


def fill(disk: Path, kilobytes: int) -> None:
    """Leave so much room on a disk."""
    about = os.statvfs(disk)
    with (disk / "ballast").open("wb") as file:
        file.write(bytes(max(about.f_bavail * about.f_frsize - kilobytes * 1024, 0)))


@pytest.mark.parametrize("words", ["ui --export", "state export"])
def test_a_new_file_is_there_whole_or_not_at_all(desk: Desk, mounts: Mounts, words: str) -> None:
    disk = mounts.disk(512)
    fill(disk, 0)
    desk.shell(f"clawgit {words} '{disk}/new'", code=1)
    assert list(disk.iterdir()) == [disk / "ballast"]
    (disk / "ballast").unlink()
    desk.shell(f"clawgit {words} '{disk}/new'")
    assert (disk / "new").stat().st_size


@pytest.mark.parametrize("words", ["status", "log", "memory list", "search lamp --json", "doctor", "--version"])
def test_an_answer_that_finds_no_room_is_no_success(desk: Desk, words: str) -> None:
    desk.shell(f"clawgit {words} >/dev/full", code=1)


def test_a_hook_that_finds_no_room_is_no_success(desk: Desk, mounts: Mounts) -> None:
    disk = mounts.disk(4096)
    shutil.copytree(desk.root, disk / "ws", symlinks=True)
    desk = Desk(disk / "ws")
    desk.append("SOUL.md", "- Never sleep.\n")
    desk.commit()
    fill(disk, 0)
    desk.shell("clawgit hook run post-commit", code=1)
    (disk / "ballast").unlink()
    desk.shell("clawgit hook run post-commit")
    desk.run("changelog", "--check")
