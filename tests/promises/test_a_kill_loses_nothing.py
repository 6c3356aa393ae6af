"""A kill at any point of a write loses nothing: the change is there as a whole or not at all, and work goes on."""

import itertools
import json
import os
import shutil
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Timer

import pytest

from tests import moulds
from tests.amounts import amount
from tests.promises.desk import Desk
from tests.promises.steps import assert_settled, open_in_editor, reset_unawares, run_and_kill, save

MUTATION = (
    "git/redo_log.py",
    "        repo.raw.references.create(reference(repo), pygit2.Oid(hex=work.tip), force=True)",
    "        pass",
)

BOILER = "The boiler is serviced in March."
LAMPS = "The lamps are rated at 400 watts."
TAP = "- The tap by the shed drips.\n"
POINTS = 5
"""A write has more points than that."""
LOCKED = 6
"""The number of the point at which git's lock is taken; what was killed before counts for nothing."""
WRITES = {
    "memory": ("remember", LAMPS),
    "identity": ("soul", "edit", "--add", LAMPS, "--section", "Core", "--why", "Asked for."),
    "new file": ("journal", "add", LAMPS),
    "undo": ("undo",),
    "capture": ("capture",),
}
CORRECTION = ("correct", "not Wednesday evening, Thursday evening")
"""It exchanges two files and appends to a third."""
RECORDED = "Entry is: Deploys happen on Thursday evening."
SUBJECT = "Wednesday evening is now Thursday evening"
DECIDED = ("exchange", "append", "remove", "publish", "branch", "unlock", "drop")
"""The first words of the points from which on a write is finished, not forgotten."""


@pytest.mark.parametrize(
    ("write", "dirty"),
    [*((words, True) for words in WRITES.values()), *((words, False) for words in [*WRITES.values()][-amount(5, 2) :])],
)
def test_every_point_of_a_write(desk: Desk, write: tuple[str, ...], dirty: bool) -> None:
    desk.run("remember", BOILER)
    for number in itertools.count():
        desk.append("AGENTS.md", f"- Rule {number}.\n")
        if dirty:
            desk.append("MEMORY.md", f"- Note {number} by hand.\n")
        head = desk.head()
        point = run_and_kill(desk, number, *write)
        if write == ("undo",):  # what was killed takes the last line now, and this would be added behind it
            desk.call("remember", f"Number {number} is a number.")
        desk.run("remember", f"Number {number} is a number.")
        desk.git("merge-base", "--is-ancestor", head, "HEAD")
        assert list((desk.root / ".git").glob("**/*.lock")) == []
        if not point:
            break
    assert number > POINTS
    assert_settled(desk)
    assert all(f"Rule {past}." in desk.at("HEAD", "AGENTS.md") for past in range(number + 1))
    assert all(f"Note {past} by hand." in desk.at("HEAD", "MEMORY.md") for past in range(number + 1) if dirty)
    if write[0] not in ("undo", "capture"):
        assert any(LAMPS in data.decode() for data in desk.files().values())


# ---- what happens between the kill and the next command


@pytest.fixture(scope="session")
def corrected_workspace(adopted: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a workspace with a corrected fact: the next correction finds its list there."""
    desk = Desk(moulds.copied(adopted, tmp_path_factory.mktemp("corrected") / "ws"))
    desk.run("correct", "not Tuesday evening, Wednesday evening")
    desk.run("capture")
    return moulds.packed(desk.root)


@dataclass
class Killed:
    """A workspace in which a correction was killed at a point."""

    desk: Desk
    point: str
    base: str

    @property
    def decided(self) -> bool:
        """Whether the correction is to be finished."""
        return self.point.split()[0] in DECIDED

    def clear_lock(self) -> None:
        (self.desk.root / ".git/index.lock").unlink(missing_ok=True)

    def assert_whole_or_nothing(self) -> None:
        """Fail unless the correction is in all files, and one commit, exactly if it had been decided."""
        memory, corrections = self.desk.read("MEMORY.md"), self.desk.read("CORRECTIONS.md")
        is_decided = self.decided
        assert ("Thursday evening" in memory, "Wednesday evening" in memory) == (is_decided, not is_decided), self.point
        assert corrections.count(RECORDED) == is_decided, self.point
        subjects = self.desk.git("log", "--format=%s", f"{self.base}..HEAD")
        assert subjects.count(SUBJECT) == is_decided, (self.point, subjects)
        assert_settled(self.desk)


@pytest.fixture
def cases(corrected_workspace: Path, tmp_path: Path) -> list[Killed]:
    """Return a workspace for each point of a correction from git's lock on, killed there."""
    kills = []
    for number in itertools.count(LOCKED):
        desk = Desk(moulds.copied(corrected_workspace, tmp_path / str(number)))
        base = desk.head()
        point = run_and_kill(desk, number, *CORRECTION)
        kills.append(Killed(desk, point, base))
        if point == "drop pending":
            break
    assert len(kills) > POINTS
    return kills


def do_nothing(_: Killed) -> None:
    pass


def delete_displaced(case: Killed) -> None:
    shutil.rmtree(case.desk.root / ".git/clawgit/displaced", ignore_errors=True)


def delete_all_of_ours(case: Killed) -> None:
    shutil.rmtree(case.desk.root / ".git/clawgit")
    case.clear_lock()


def pack_references(case: Killed) -> None:
    case.desk.git("pack-refs", "--all", "--prune")


def collect_garbage(case: Killed) -> None:
    case.desk.git("gc", "--quiet", "--prune=now")


def move_away(case: Killed) -> None:
    case.desk.root = case.desk.root.rename(case.desk.root.with_name(f"{case.desk.root.name}-moved"))


def move_with_another_inode(case: Killed) -> None:
    """Restore it from a backup, at the same place."""
    moved_root = case.desk.root.rename(case.desk.root.with_name(f"{case.desk.root.name}-moved"))
    shutil.copytree(moved_root, case.desk.root, symlinks=True)
    case.clear_lock()  # a copy of it is not known as ours


def claim_that_it_landed(case: Killed) -> None:
    """Write into the branch's log the line of libgit2 from before it moves the branch."""
    desk, tip = case.desk, pending(case)
    if tip and tip != desk.head():
        with (desk.root / ".git/logs/refs/heads/main").open("a") as log:
            log.write(f"{desk.head()} {tip} Ines <ines@example.org> 1 +0000\tclawgit\n")


def leave_locks_of_references(case: Killed) -> None:
    """Leave the locks that libgit2 holds while it moves a reference."""
    refs = case.desk.root / ".git/refs"
    (refs / "clawgit").mkdir(exist_ok=True)
    (refs / "clawgit/pending.lock").touch()
    if pending(case):
        (refs / "heads/main.lock").write_text(f"{pending(case)}\n")


def pending(case: Killed) -> str:
    return case.desk.git("for-each-ref", "--format=%(objectname)", "refs/clawgit/pending").strip()


@pytest.mark.parametrize(
    "between",
    [
        do_nothing,
        delete_displaced,
        delete_all_of_ours,
        pack_references,
        collect_garbage,
        move_away,
        move_with_another_inode,
        claim_that_it_landed,
        leave_locks_of_references,
    ],
)
def test_it_is_whole_or_nothing(cases: list[Killed], between: Callable[[Killed], None]) -> None:
    for case in cases:
        between(case)
        case.desk.run("capture")
        case.desk.run("remember", BOILER)
        case.assert_whole_or_nothing()


PATHS = ("MEMORY.md", "CORRECTIONS.md", "memory/garden.md")


def append_taps(desk: Desk) -> None:
    for path in PATHS:
        desk.append(path, TAP)


def test_edits_after_the_kill_stay(cases: list[Killed]) -> None:
    for case in cases:
        append_taps(case.desk)
        case.desk.run("capture")
        case.desk.run("remember", BOILER)
        assert [case.desk.read(path).count(TAP) for path in PATHS] == [1, 1, 1], case.point
        case.assert_whole_or_nothing()


@pytest.mark.parametrize("logged", [True, False])
def test_a_commit_after_the_kill_stays(cases: list[Killed], logged: bool) -> None:
    for case in cases:
        case.clear_lock()
        append_taps(case.desk)
        theirs = case.desk.commit("theirs")
        if not logged:
            shutil.rmtree(case.desk.root / ".git/logs")
        case.desk.run("capture")
        case.desk.run("remember", BOILER)
        assert [case.desk.read(path).count(TAP) for path in PATHS] == [1, 1, 1], case.point
        case.desk.git("merge-base", "--is-ancestor", theirs, "HEAD")
        case.assert_whole_or_nothing()


def test_a_file_that_is_deleted_after_the_kill_stays_away(cases: list[Killed]) -> None:
    for case in cases:
        (case.desk.root / "MEMORY.md").unlink()
        case.desk.run("capture")
        case.desk.run("journal", "add", "The seed order arrived.")
        assert not (case.desk.root / "MEMORY.md").exists()
        assert_settled(case.desk)


def test_a_torn_addition_is_completed_and_not_repeated(cases: list[Killed]) -> None:
    for case in cases:
        if case.point.startswith("append"):
            whole = case.desk.git("show", f"{pending(case)}:CORRECTIONS.md")
            case.desk.write("CORRECTIONS.md", whole[: -len(whole.rpartition("Entry is")[2]) - 4])
            case.desk.run("capture")
            case.desk.run("remember", BOILER)
            assert case.desk.read("CORRECTIONS.md") == whole
            case.assert_whole_or_nothing()


def test_while_git_is_in_the_middle_of_something_it_waits(cases: list[Killed]) -> None:
    for case in cases[-5::2]:
        case.clear_lock()
        merging = case.desk.root / ".git/MERGE_HEAD"
        merging.write_text(case.desk.git("rev-parse", "HEAD"))
        before = case.desk.files(), case.desk.head()
        answer = case.desk.call("remember", BOILER)
        assert (answer.code, answer.key) == (1, "git-operation")
        assert (case.desk.files(), case.desk.head()) == before
        merging.unlink()
        case.desk.run("remember", BOILER)
        case.desk.run("journal", "add", "The seed order arrived.")
        case.assert_whole_or_nothing()


def test_while_another_git_holds_its_lock_it_waits(cases: list[Killed]) -> None:
    sample = cases[-5::2]
    for case in sample:
        case.clear_lock()
        (case.desk.root / ".git/index.lock").touch()
    before = [(case.desk.files(), case.desk.head()) for case in sample]
    with ThreadPoolExecutor() as pool:  # each waits for ten seconds
        answers = list(pool.map(lambda case: case.desk.process("remember", BOILER), sample))
    assert [(answer.returncode, json.loads(answer.stdout)["key"]) for answer in answers] == [(75, "git-busy")] * len(
        sample
    )
    assert [(case.desk.files(), case.desk.head()) for case in sample] == before
    for case in sample:
        case.clear_lock()
        case.desk.run("remember", BOILER)
        case.assert_whole_or_nothing()


def test_what_landed_is_not_done_twice(cases: list[Killed]) -> None:
    """The branch has moved, and only a lock or a reference is left: files and index belong to others again."""
    landed_cases = [case for case in cases if case.desk.head() != case.base]
    assert [case.point for case in landed_cases] == ["unlock", "drop pending"]
    for case in landed_cases:
        case.clear_lock()
        if case.point == "unlock":
            case.desk.git("reset", "--quiet", "--hard", case.base)
            case.desk.run("capture")
            assert case.desk.head() == case.base
        else:
            case.desk.append("MEMORY.md", TAP)
            case.desk.git("add", "MEMORY.md")
            case.desk.run("journal", "add", "The seed order arrived.")
            assert case.desk.git("diff", "--cached", "--name-only") == "MEMORY.md\n"
            assert case.desk.git("show", ":MEMORY.md").endswith(TAP)
        assert case.desk.git("for-each-ref", "refs/clawgit") == ""


def test_with_another_branch_checked_out_it_lands_on_its_own(cases: list[Killed]) -> None:
    for case in cases[-5::2]:
        case.clear_lock()
        case.desk.git("stash", "--quiet")
        case.desk.git("checkout", "--quiet", "-b", "side", case.base)
        files = case.desk.files()
        assert case.desk.call("remember", BOILER).code == 1
        assert case.desk.files() == files
        assert ("Thursday" in case.desk.at("main", "MEMORY.md")) == case.decided, case.point
        assert pending(case) == ""
        case.desk.git("checkout", "--quiet", "main")
        case.desk.run("remember", BOILER)
        case.desk.run("journal", "add", "The seed order arrived.")
        case.desk.git("stash", "drop", "--quiet", code=0 if case.desk.git("stash", "list") else 1)
        case.assert_whole_or_nothing()


def test_a_copy_elsewhere_does_not_go_on_with_it(cases: list[Killed]) -> None:
    """It is another workspace: the decision is kept there, and reported with the command that lands it."""
    for case in cases:
        if case.point.split()[0] not in ("exchange", "append", "publish"):
            continue
        copy = Desk(case.desk.root.with_name(f"{case.desk.root.name}-copy"))
        shutil.copytree(case.desk.root, copy.root, symlinks=True)
        case.desk = copy
        case.clear_lock()
        copy.run("remember", BOILER)
        assert "Thursday evening" not in copy.at("HEAD", "CORRECTIONS.md")
        (finding,) = [row for row in copy.call("doctor").document if row["key"] == "redo-log-rejected"]
        copy.shell(finding["fix"])
        assert "Thursday evening" in copy.at("HEAD", "CORRECTIONS.md")
        assert not [row for row in copy.call("doctor").document if row["key"] == "redo-log-rejected"]


def test_somebody_commits_and_then_it_is_killed(corrected_workspace: Path, tmp_path: Path) -> None:
    """The commits are made again on theirs: from there on the files and the index follow the new ones."""
    for number in itertools.count():
        desk = Desk(moulds.copied(corrected_workspace, tmp_path / str(number)))
        base, their_commit = desk.head(), tmp_path / f"{number}.made"

        def commit(step: str, desk: Desk = desk, their_commit: Path = their_commit) -> None:
            if step == "branch" and not their_commit.exists():
                desk.append("MEMORY.md", TAP)
                text = f"{desk.at('HEAD', 'MEMORY.md')}{TAP}"
                blob = desk.git("hash-object", "-w", "--stdin", stdin=text).strip()
                rows = desk.git("ls-tree", "HEAD").splitlines()
                rows = [row for row in rows if not row.endswith("\tMEMORY.md")] + [f"100644 blob {blob}\tMEMORY.md"]
                tree = desk.git("mktree", stdin="".join(f"{row}\n" for row in rows)).strip()
                their_commit.write_text(desk.git("commit-tree", tree, "-p", "HEAD", "-m", "theirs").strip())
                desk.git("update-ref", "refs/heads/main", their_commit.read_text())

        point = run_and_kill(desk, number, *CORRECTION, beside=commit)
        if not their_commit.exists():
            continue
        desk.run("remember", BOILER)
        desk.git("merge-base", "--is-ancestor", their_commit.read_text(), "HEAD")
        assert desk.read("MEMORY.md").count(TAP) == 1, point
        assert desk.at("HEAD", "MEMORY.md").count(TAP) == 1
        Killed(desk, "branch", base).assert_whole_or_nothing()
        if not point:
            break


def test_an_editor_during_the_repair_loses_nothing(cases: list[Killed]) -> None:
    """Also without the list of the write: the rest of it is read off its commits."""
    for case in cases:
        if case.point.startswith("exchange"):
            delete_displaced(case)
            text = case.desk.read("MEMORY.md")
            save(open_in_editor(case.desk, "MEMORY.md", "capture"), f"{text}{TAP}")
            assert case.desk.read("MEMORY.md").count(TAP) == 0
            time.sleep(0.06)
            case.desk.run("capture")
            assert case.desk.read("MEMORY.md").count(TAP) == 1
            case.assert_whole_or_nothing()


def test_an_edit_that_is_put_back_once_more_survives_a_kill(desk: Desk, tmp_path: Path) -> None:
    """An editor overwrites it before it lands, and saves again at the very moment at which it is put back."""
    key = "- The shed key hangs by the door.\n"
    for number in itertools.count(0, amount(1, 2)):
        case = Desk(moulds.copied(desk.root, tmp_path / str(number)))
        text = case.read("MEMORY.md")
        edited = text.replace("## People\n\n", f"## People\n\n{TAP}")
        save(open_in_editor(case), edited)
        before, marker = case.read("MEMORY.md"), tmp_path / f"{number}.saved"
        steps: list[str] = []

        def edit(
            step: str, case: Desk = case, before: str = before, marker: Path = marker, steps: list[str] = steps
        ) -> None:
            if step == "lease" and step not in steps:
                case.write("MEMORY.md", before)
            if step == "exchange MEMORY.md" and "lease" in steps and not marker.exists():
                case.append("MEMORY.md", key)
                marker.touch()
            steps.append(step)

        point = run_and_kill(case, number, "remember", BOILER, beside=edit)
        case.run("capture")
        objects = case.git("cat-file", "--batch-all-objects", "--batch", "--unordered")
        assert edited in objects or TAP in case.read("MEMORY.md"), point
        case.run("remember", BOILER)
        time.sleep(0.06)
        case.run("capture")
        assert LAMPS in case.read("MEMORY.md"), point
        assert case.read("MEMORY.md").count(key) == marker.exists(), point
        assert_settled(case)
        if not point:
            break
    assert marker.exists()
    assert case.read("MEMORY.md").count(TAP) == 1


def commit_older_index(desk: Desk) -> None:
    """Commit a change, and then a file of others from the index as it was before."""
    old_index = desk.root / ".git/index.kept"
    shutil.copy(desk.root / ".git/index", old_index)
    desk.run("remember", LAMPS)
    old_index.rename(desk.root / ".git/index")
    desk.write("work.txt", "work\n")
    desk.git("add", "work.txt")
    desk.git("commit", "--quiet", "-m", "theirs")


def reset_change(desk: Desk) -> None:
    """Commit a change that a reset takes off unawares, with its lines."""
    desk.run("remember", LAMPS)
    reset_unawares(desk, "HEAD~1")


@pytest.mark.parametrize("take_back", [commit_older_index, reset_change])
def test_what_lands_again_after_git_took_it_back_may_be_killed_too(
    desk: Desk, tmp_path: Path, take_back: Callable[[Desk], None]
) -> None:
    take_back(desk)
    assert LAMPS not in desk.at("HEAD", "MEMORY.md")
    for number in itertools.count():
        case = Desk(moulds.copied(desk.root, tmp_path / str(number)))
        point = run_and_kill(case, number, "capture")
        case.run("capture")
        assert LAMPS in case.at("HEAD", "MEMORY.md"), point
        assert case.git("log", "--format=%s", "-S400 watts", "--", "MEMORY.md").splitlines()[0].startswith("memory: ")
        assert_settled(case)
        if not point:
            break
    assert number > POINTS


def test_every_point_of_the_first_commit(tmp_path: Path) -> None:
    for number in itertools.count(0, 3):
        desk = Desk(tmp_path / str(number))
        desk.root.mkdir()
        point = run_and_kill(desk, number, "init")
        desk.run("init")
        desk.run("remember", LAMPS)
        assert LAMPS in desk.at("HEAD", "MEMORY.md")
        assert_settled(desk)
        if not point:
            break
    assert number > POINTS


def sync_with_a_folder(desk: Desk, folder: Path) -> str:
    """Sync, and return the head that others find there."""
    folder.mkdir(exist_ok=True)
    desk.run("sync", "--folder", str(folder))
    (bundle,) = folder.glob("*.bundle")
    return desk.git("bundle", "list-heads", str(bundle)).split()[0]


def find_machine_head(desk: Desk) -> str:
    return desk.git("for-each-ref", "--format=%(refname)", "refs/clawgit/heads").strip()


@pytest.mark.parametrize("holder", ["killed", "alive"])
def test_a_lock_on_a_reference_keeps_no_memory_from_a_sync(desk: Desk, tmp_path: Path, holder: str) -> None:
    """libgit2 holds it while it moves a reference; another process may be about to let it go."""
    sync_with_a_folder(desk, tmp_path / "shared")
    desk.run("remember", LAMPS)
    lock = desk.root / f".git/{find_machine_head(desk)}.lock"
    lock.touch()
    if holder == "killed":
        os.utime(lock, (1, 1))
    else:
        Timer(0.7, lock.unlink).start()
    assert sync_with_a_folder(desk, tmp_path / "shared") == desk.head()
    assert not lock.exists()


def test_a_reference_that_cannot_be_moved_is_no_success(desk: Desk, tmp_path: Path) -> None:
    sync_with_a_folder(desk, tmp_path / "shared")
    folder = (desk.root / ".git" / find_machine_head(desk)).parent
    shutil.rmtree(folder)
    folder.touch()
    answer = desk.call("sync", "--folder", str(tmp_path / "shared"))
    assert (answer.code, answer.key) == (1, "reference-failed")
