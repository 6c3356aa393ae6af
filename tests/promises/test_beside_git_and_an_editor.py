"""Git and an editor may write at any moment: nothing of theirs is lost, and clawgit's change lands beside it."""

import contextlib
import errno
import itertools
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from subprocess import PIPE, Popen
from threading import Timer
from typing import IO

import pytest

from tests.promises.desk import Desk
from tests.promises.steps import assert_settled, call_at_each_step, open_in_editor, save

POINTS = 5
"""A write has more points than that."""
LAMPS = "The lamps are rated at 400 watts."
TAP = "The tap by the shed drips."
MUTATION = ("git/landing.py", "        if str(branch.target) != work.base:", "        if False:")


def commit_beside(desk: Desk) -> str:
    """Commit HEAD's tree once more, without the index; return the commit."""
    tree = desk.git("rev-parse", "HEAD^{tree}").strip()
    commits = desk.git("commit-tree", tree, "-p", "HEAD", "-m", "by hand").strip()
    desk.git("update-ref", "refs/heads/main", commits)
    return commits


def shell(desk: Desk, line: str) -> Popen[bytes]:
    """Start a line of shell beside clawgit: it may have to wait for a file. Return it after 50 ms, or when it ended."""
    started = Popen(["sh", "-c", line], cwd=desk.root, stderr=subprocess.DEVNULL)
    with contextlib.suppress(subprocess.TimeoutExpired):
        started.wait(0.05)
    return started


def test_a_commit_at_any_point_stays(desk: Desk) -> None:
    for number in itertools.count():
        commits: list[str] = []

        def commit(point: int, _: str, number: int = number, commits: list[str] = commits) -> None:
            if point == number:
                commits.append(commit_beside(desk))

        with call_at_each_step(commit):
            desk.run("remember", f"Lamp number {number} is rated at 400 watts.")
        if not commits:
            break
        desk.git("merge-base", "--is-ancestor", commits[0], "HEAD")
        assert f"Lamp number {number} is" in desk.at("HEAD", "MEMORY.md")
        assert_settled(desk)
    assert number > POINTS


def test_a_commit_of_the_same_file_at_any_point_stays(desk: Desk) -> None:
    """It is made by git's own command, which takes the lock of the index, or fails."""
    for number in range(20):
        processes: list[Popen[bytes]] = []

        def commit(point: int, _: str, number: int = number, processes: list[Popen[bytes]] = processes) -> None:
            if point == number:
                line = f"echo '- Tap number {number} drips.' >> MEMORY.md"
                processes.append(shell(desk, f"{line}; git commit --quiet -m 'by hand' MEMORY.md"))

        with call_at_each_step(commit):
            desk.run("remember", f"Lamp number {number} is rated at 400 watts.")
        if not processes:
            break
        processes[0].wait()
        desk.run("capture")
        assert f"Lamp number {number} is" in desk.at("HEAD", "MEMORY.md")
        assert f"Tap number {number} drips." in desk.at("HEAD", "MEMORY.md")
        assert_settled(desk)


def commit_line_beside(desk: Desk, path: str, line: str) -> None:
    """Commit a file with one line more, as a push does: neither the file nor the index has it."""
    blob = desk.git("hash-object", "-w", "--stdin", stdin=desk.at("HEAD", path) + line).strip()
    index = desk.root / ".git/beside"
    environ = {**os.environ, "GIT_INDEX_FILE": str(index)}
    for words in (["read-tree", "HEAD"], ["update-index", "--cacheinfo", f"100644,{blob},{path}"]):
        subprocess.run(["git", *words], cwd=desk.root, env=environ, check=True)
    tree = subprocess.run(["git", "write-tree"], cwd=desk.root, env=environ, check=True, stdout=PIPE)
    index.unlink()
    commit = desk.git("commit-tree", tree.stdout.decode().strip(), "-p", "HEAD", "-m", "by hand").strip()
    desk.git("update-ref", "refs/heads/main", commit)


def test_a_commit_of_the_same_file_that_is_pushed_is_followed_by_the_index(desk: Desk) -> None:
    path, pushed = "memory/garden.md", []

    def push(_: int, step: str) -> None:
        if step == "branch" and not pushed:
            pushed.append(step)
            commit_line_beside(desk, path, f"- {TAP}\n")

    desk.write(path, f"- {LAMPS}\n{desk.read(path)}")
    with call_at_each_step(push):
        desk.run("capture")
    assert pushed
    assert LAMPS in desk.at("HEAD", path)
    assert TAP in desk.at("HEAD", path)
    assert desk.git("diff", "--cached", "--name-only") == ""


@pytest.mark.parametrize(
    ("moment", "rest"), [("plan", "&& git commit --quiet -m 'by hand'"), ("index.lock", "")], ids=["commits", "stages"]
)
def test_whoever_never_pauses_waits_once(desk: Desk, moment: str, rest: str) -> None:
    """After three plans that came to nothing the next is made under git's lock, however young the index is then."""
    processes: list[Popen[bytes]] = []

    def interfere(_: int, step: str) -> None:
        if step == moment and LAMPS not in desk.at("HEAD", "MEMORY.md"):
            processes.append(shell(desk, f"echo {len(processes)} >> work.txt && git add work.txt {rest}"))
            processes[-1].wait()

    with call_at_each_step(interfere):
        desk.run("remember", LAMPS)
    failed = [process for process in processes if process.returncode]
    assert 1 <= len(processes) <= 4
    assert failed == (processes[-1:] if moment == "plan" else [])
    assert LAMPS in desk.at("HEAD", "MEMORY.md")
    commits = desk.git("log", "--format=%s").splitlines().count("by hand")
    assert commits == (len(processes) - 1 if moment == "plan" else 0)
    assert desk.git("diff", "--cached", "--name-only") == ("" if moment == "plan" else "work.txt\n")
    desk.run("remember", "The boiler is serviced in March.")
    desk.commit()
    assert_settled(desk)


def test_what_never_stands_still_is_given_up(desk: Desk) -> None:
    def commit(_: int, step: str) -> None:
        if step == "objects":
            commit_beside(desk)

    with call_at_each_step(commit):
        answer = desk.call("remember", LAMPS)
    assert (answer.code, answer.key) == (75, "keeps-changing")
    assert [*(desk.root / ".git/clawgit/displaced").iterdir()] == []
    assert list((desk.root / ".git").glob("**/*.lock")) == []
    assert LAMPS not in desk.read("MEMORY.md")
    desk.run("remember", LAMPS)
    assert_settled(desk)


@pytest.mark.parametrize("name", ["index", "refs/heads/main"])
def test_a_lock_at_any_point_is_waited_for(desk: Desk, name: str) -> None:
    lock = desk.root / f".git/{name}.lock"
    for number in range(12):
        lock_states: list[bool] = []

        def give_back(lock_states: list[bool] = lock_states) -> None:
            lock_states.append(lock.exists())
            lock.unlink(missing_ok=True)

        waits: list[Timer] = []

        def take(
            point: int,
            _: str,
            number: int = number,
            waits: list[Timer] = waits,
            give_back: Callable[[], None] = give_back,
        ) -> None:
            if point == number and not lock.exists():
                lock.touch()
                waits.append(Timer(0.3, give_back))
                waits[0].start()

        with call_at_each_step(take):
            desk.run("remember", f"Lamp number {number} is rated at 400 watts.")
        for process in waits:
            process.join()
        assert all(lock_states)
        assert f"Lamp number {number} is" in desk.at("HEAD", "MEMORY.md")
    desk.run("remember", LAMPS)
    assert_settled(desk)


@pytest.mark.parametrize("writer", ["editor", "merge"])
def test_under_gits_lock_nobody_is_waited_for(desk: Desk, writer: str) -> None:
    """After three plans in vain an editor has a file open, or a merge has begun, at the moment of the fourth."""
    locks: list[str] = []
    processes: list[Popen[bytes]] = []
    merging = desk.root / ".git/MERGE_HEAD"

    def interfere(_: int, step: str) -> None:
        if step == "index.lock":
            locks.append(step)
            if len(locks) == 4:
                if writer == "editor":
                    processes.append(shell(desk, "exec 3>>MEMORY.md; sleep 0.4"))
                else:
                    merging.write_text(desk.git("rev-parse", "HEAD"))
        if step == "plan" and len(locks) < 3:
            commit_beside(desk)

    with call_at_each_step(interfere):
        answer = desk.call("remember", LAMPS)
    assert len(locks) >= 4
    assert list((desk.root / ".git").glob("**/*.lock")) == []
    if writer == "editor":
        processes[0].wait()
        assert answer.code == 0
    else:
        assert (answer.code, answer.key) == (1, "git-operation")
        assert LAMPS not in desk.read("MEMORY.md")
        merging.unlink()
        desk.run("remember", LAMPS)
    assert LAMPS in desk.at("HEAD", "MEMORY.md")
    assert_settled(desk)


def test_a_branch_that_stays_locked_keeps_the_change_for_later(desk: Desk) -> None:
    head, lock = desk.head(), desk.root / ".git/refs/heads/main.lock"
    with call_at_each_step(lambda _, step: lock.touch() if step == "branch" else None):
        answer = desk.call("remember", LAMPS)
    assert (answer.code, answer.key) == (1, "branch-locked")
    assert desk.head() == head
    desk.shell(answer.fix.partition(": ")[2])
    desk.run("remember", "The boiler is serviced in March.")
    assert len(desk.commits(head)) == 2
    assert LAMPS in desk.at("HEAD~1", "MEMORY.md")
    assert_settled(desk)


def test_a_full_disk_at_any_point_takes_all_or_nothing(desk: Desk) -> None:
    for number in range(14):
        head, files = desk.head(), desk.files()
        steps: list[str] = []

        def fail(point: int, step: str, number: int = number, steps: list[str] = steps) -> None:
            steps.append(step)
            if point == number:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        words = f"Lamp number {number} is rated at 400 watts."
        with call_at_each_step(fail):
            answer = desk.call("remember", words)
        has_begun = sum(step.startswith("exchange") for step in steps) > 1
        has_landed = steps[number] in ("unlock", "drop pending")
        assert answer.code == (0 if has_landed else 1), steps
        if answer.code:
            assert answer.key == "disk-full"
            assert desk.head() == head
            if not has_begun:
                assert (desk.files(), desk.git("status", "--porcelain")) == (files, "")
                assert list((desk.root / ".git").glob("**/*.lock")) == []
                assert "pending" not in desk.git("for-each-ref", "refs/clawgit")
                assert [*(desk.root / ".git/clawgit/displaced").glob("*")] == []
        else:
            assert words in desk.at("HEAD", "MEMORY.md")
        desk.run("journal", "add", f"The seed order {number} arrived.")
        assert (words in desk.read("MEMORY.md")) == (not answer.code or has_begun), (number, steps)
        assert (words in desk.at("HEAD", "MEMORY.md")) == (words in desk.read("MEMORY.md"))
        assert desk.git("log", "--format=%s").count(words.rstrip(".")) == (words in desk.read("MEMORY.md"))
        assert_settled(desk)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_before_or_after_the_write(desk: Desk, number: signal.Signals) -> None:
    for point in range(14):
        words = f"Lamp number {point} is rated at 400 watts."

        def interrupt(reached_point: int, _: str, point: int = point) -> None:
            if reached_point == point:
                os.kill(os.getpid(), number)

        child = os.fork()
        if not child:
            signal.signal(signal.SIGINT, signal.default_int_handler)  # as in a process that ran nothing before
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            with call_at_each_step(interrupt):
                os._exit(desk.call("remember", words).code)
        _, status = os.waitpid(child, 0)
        assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) != 0, point
        assert desk.git("status", "--porcelain") == "", point
        assert list((desk.root / ".git").glob("**/*.lock")) == [], point
    desk.run("remember", LAMPS)
    assert_settled(desk)


def test_a_commit_of_everything_takes_what_clawgit_wrote(desk: Desk) -> None:
    desk.run("remember", LAMPS)
    desk.append("MEMORY.md", f"- {TAP}\n")
    desk.commit()
    desk.run("remember", "The boiler is serviced in March.")
    text = desk.read("MEMORY.md")
    assert all(words in text for words in (LAMPS, TAP, "boiler"))


def test_an_open_index_lock_is_waited_for_and_named(desk: Desk) -> None:
    lock = desk.root / ".git/index.lock"
    lock.touch()
    answer = desk.call("remember", LAMPS)
    assert (answer.code, answer.key) == (75, "git-busy")
    lock.unlink()
    desk.run("remember", LAMPS)


@pytest.mark.parametrize(
    "state", [("checkout", "--quiet", "--detach"), ("checkout", "--quiet", "-b", "side")], ids=["detached", "branch"]
)
def test_off_the_branch_nothing_is_written(desk: Desk, state: tuple[str, ...]) -> None:
    desk.git(*state)
    answer = desk.refuse("remember", LAMPS, key="head-detached")
    desk.shell(answer.fix)
    desk.run("remember", LAMPS)


# ---- editors


def test_nobody_waits_for_a_file_that_is_added_to(desk: Desk) -> None:
    place = desk.root / desk.run("journal", "add", "The seed order arrived.")["files"][0]
    handles: list[int] = []

    def open_file(_: int, step: str) -> None:
        if step == f"append {place.name}":
            handles.append(os.open(place, os.O_WRONLY | os.O_NONBLOCK))

    with call_at_each_step(open_file):
        desk.run("journal", "add", "The seed order left.")
    os.close(*handles)


SAVES = {
    "added": "echo '{line}' >> {path}",
    "renamed": "cp {path} {path}.new && echo '{line}' >> {path}.new && mv {path}.new {path}",
    "written over": "cp {path} {path}.new && echo '{line}' >> {path}.new && cat {path}.new > {path}; rm {path}.new",
    "moved away first": "mv {path} {path}.bak && cp {path}.bak {path} && echo '{line}' >> {path}; rm {path}.bak",
}
"""How editors save: as `>>` does, as vim and VS Code, as nano, with a backup."""


@pytest.mark.parametrize("saved", SAVES.values(), ids=SAVES)
def test_an_editors_saves_at_any_point_stay(desk: Desk, saved: str) -> None:
    """One of the file that is written, and one of another."""
    paths = ("MEMORY.md", "memory/garden.md")
    for number in range(0, 24, 2):
        processes: list[Popen[bytes]] = []
        line = f"- Tap number {number} drips."

        def interfere(
            point: int, _: str, number: int = number, line: str = line, processes: list[Popen[bytes]] = processes
        ) -> None:
            if point == number:
                processes.extend(shell(desk, saved.format(line=line, path=path)) for path in paths)

        with call_at_each_step(interfere):
            answer = desk.call("remember", f"Lamp number {number} is rated at 400 watts.")
        assert answer.code in (0, 75)
        for process in processes:
            process.wait()
        desk.run("capture")
        assert answer.code or f"+- Lamp number {number} is" in desk.git("log", "-p", "--format=", "--", "MEMORY.md")
        if not processes:
            break
        assert [desk.read(path).count(line) for path in paths] == [1, 1]
        assert_settled(desk)


EDITOR = """
import pathlib, random, sys, time
place, stop = map(pathlib.Path, sys.argv[1:])
for number in range(1_000):
    if number >= 40 and stop.exists():
        print(number)
        sys.exit(0)
    time.sleep(random.uniform(0, 0.03))
    line = f"- theirs {number:03}\\n"
    if number % 3 == 0:
        with place.open("a") as file:
            file.write(line)
        continue
    fresh = place.with_name("editor.tmp")
    fresh.write_text(place.read_text() + line)
    if number % 3 == 1:
        fresh.rename(place)
    else:
        text = fresh.read_text()
        fresh.unlink()
        with place.open("w") as file:
            file.write(text[: len(text) // 2])
            file.flush()
            time.sleep(0.001)
            file.write(text[len(text) // 2 :])
"""


ACCEPTED = 8


def test_an_editor_at_random_moments_loses_nothing(desk: Desk, tmp_path: Path) -> None:
    """Its saves end up in the log; versions that it overwrites unseen, in the object store at least."""
    accepted, stop = 0, tmp_path / "stop"
    with Popen([sys.executable, "-c", EDITOR, desk.root / "MEMORY.md", stop], stdout=PIPE) as editor:
        while editor.poll() is None:
            desk.run("remember", f"Lamp number {accepted} is rated at 400 watts.")
            accepted += 1
            if accepted == ACCEPTED:
                stop.touch()
        rounds = int(editor.communicate()[0])
    assert_settled(desk)
    history = desk.git("log", "-p", "--format=", "--", "MEMORY.md")
    missing = [number for number in range(rounds) if f"+- theirs {number:03}" not in history]
    objects = desk.git("cat-file", "--batch-all-objects", "--batch", "--unordered") if missing else ""
    assert len(missing) <= rounds / 40
    assert all(f"- theirs {number:03}" in objects for number in missing)
    assert all(f"+- Lamp number {number} is" in history for number in range(accepted))


@pytest.mark.parametrize(
    "edited",
    [
        lambda text: f"{text}- {TAP}\n",
        lambda text: text.replace("## People", f"## People\n\n- {TAP}"),
        lambda text: text.replace("Marek looks after the irrigation pumps", TAP.rstrip(".")),
    ],
    ids=["added", "in the middle", "reworded"],
)
def test_what_is_saved_into_the_replaced_file_is_kept(desk: Desk, edited: Callable[[str], str]) -> None:
    text = desk.read("MEMORY.md")
    save(open_in_editor(desk), edited(text))
    desk.run("capture")
    assert desk.read("MEMORY.md").count(TAP.rstrip(".")) == 1
    assert desk.read("MEMORY.md").count(LAMPS) == 1
    assert f"+- {LAMPS}" not in desk.git("show", "HEAD")
    assert_settled(desk)


def test_what_is_saved_before_the_write_has_ended_is_back_when_it_has(desk: Desk) -> None:
    text = desk.read("MEMORY.md")
    handles: list[IO[str]] = []

    def edit(_: int, step: str) -> None:
        if step.startswith("exchange") and not handles:
            handles.append((desk.root / "MEMORY.md").open("r+"))
        if step == "drop pending":
            save(handles[0], f"{text}- {TAP}\n")

    with call_at_each_step(edit):
        desk.run("remember", LAMPS)
    assert desk.read("MEMORY.md").count(TAP) == 1
    late = desk.git("hash-object", "--stdin", stdin=f"{text}- {TAP}\n").strip()
    desk.write("MEMORY.md", text)  # by an editor that had read the file before
    desk.git("cat-file", "-e", late)


def test_an_edit_of_a_file_whose_folder_is_gone_is_kept(desk: Desk) -> None:
    desk.run("journal", "add", "The seed order arrived.")
    path = desk.git("show", "--format=", "--name-only", "HEAD", "--", "memory").strip()
    desk.git("revert", "--no-edit", "HEAD")
    desk.run("capture")
    desk.git("revert", "--no-edit", "HEAD")
    text = desk.read(path)
    handle = open_in_editor(desk, path, "undo")
    shutil.rmtree(desk.root / "memory")
    save(handle, f"{text}- {TAP}\n")
    desk.run("capture")
    assert any(TAP in data.decode() for data in desk.files().values())


def test_what_is_saved_unchanged_changes_nothing(desk: Desk) -> None:
    text = desk.read("MEMORY.md")
    save(open_in_editor(desk), text)
    head = desk.head()
    desk.run("capture")
    assert desk.head() == head
    assert LAMPS in desk.read("MEMORY.md")


def test_what_is_open_still_is_waited_for(desk: Desk) -> None:
    text = desk.read("MEMORY.md")
    handle = open_in_editor(desk)
    for words in ("The boiler is serviced in March.", "The shed key hangs by the door."):
        desk.run("remember", words)
        assert TAP not in desk.read("MEMORY.md")
    save(handle, f"{text}- {TAP}\n")
    desk.run("journal", "add", "The seed order arrived.")
    assert desk.read("MEMORY.md").count(TAP) == 1
    assert all(words in desk.read("MEMORY.md") for words in (LAMPS, "boiler", "shed key"))
    assert_settled(desk)


def test_several_editors_lose_nothing(desk: Desk) -> None:
    text = desk.read("MEMORY.md")
    first = open_in_editor(desk)
    second = open_in_editor(desk, "MEMORY.md", "remember", "The boiler is serviced in March.")
    save(first, text.replace("## People", "## People\n\n- One tap drips."))
    save(second, text.replace("## People", f"## People\n\n- {LAMPS}\n- Two taps drip."))
    desk.run("capture")
    desk.run("journal", "add", "The seed order arrived.")
    desk.run("capture")
    assert all(words in desk.read("MEMORY.md") for words in (LAMPS, "boiler", "One tap", "Two taps"))
    assert_settled(desk)


@pytest.mark.parametrize("place", ["", "## People\n\n"], ids=["at the end", "in the middle"])
def test_an_edit_that_was_put_back_and_overwritten_is_put_back_again(desk: Desk, place: str) -> None:
    """The editor had read the file before the edit came back, and saves once more while a write begins."""
    text = desk.read("MEMORY.md")
    tap = f"- {TAP}\n"
    save(open_in_editor(desk), text.replace(place, f"{place}{tap}") if place else f"{text}{tap}")
    current = desk.read("MEMORY.md")
    rounds: list[str] = []

    def overwrite(_: int, step: str) -> None:
        if step == "lease" and len(rounds) < 2:
            rounds.append(desk.read("MEMORY.md"))
            desk.write("MEMORY.md", current)

    with call_at_each_step(overwrite):
        desk.run("remember", "The boiler is serviced in March.")
    assert all(TAP in before for before in rounds)
    desk.run("capture")
    assert all(words in desk.read("MEMORY.md") for words in (LAMPS, TAP, "boiler"))
    assert_settled(desk)


def repair_beside_editors(desk: Desk, text: str) -> tuple[IO[str], IO[str]]:
    """Have a write stopped by a full disk, the file overwritten with `text`, and the write repaired.

    Return the handles of two editors: each opened the file at the moment at which it was exchanged.
    """
    handles: list[IO[str]] = []

    def open_file(_: int, step: str) -> None:
        if step == "exchange MEMORY.md":
            handles.append((desk.root / "MEMORY.md").open("r+"))
        if step == "publish index" and len(handles) == 1:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with call_at_each_step(open_file):
        assert desk.call("remember", LAMPS).key == "disk-full"
        desk.write("MEMORY.md", text)
        desk.run("capture")
    first, second = handles
    return first, second


def test_a_file_that_stays_open_keeps_back_nobody_elses_edit(desk: Desk) -> None:
    text = desk.read("MEMORY.md")
    first, second = repair_beside_editors(desk, text)
    save(second, f"{text}- {TAP}\n")
    time.sleep(0.06)  # for so long others may open a file that was replaced
    desk.run("capture")
    assert desk.read("MEMORY.md").count(TAP) == 1
    save(first, f"{text}- The boiler is serviced in March.\n")
    desk.run("capture")
    assert all(desk.read("MEMORY.md").count(words) == 1 for words in (LAMPS, TAP, "boiler"))
    assert_settled(desk)


def test_an_editor_that_saves_nothing_brings_no_line_back(desk: Desk) -> None:
    text = desk.read("MEMORY.md")
    handles = repair_beside_editors(desk, f"{text}- {TAP}\n")
    desk.write("MEMORY.md", desk.read("MEMORY.md").replace(f"- {TAP}\n", ""))
    desk.run("capture")
    for handle in handles:
        handle.close()
    assert_settled(desk)
    assert LAMPS in desk.read("MEMORY.md")
    assert TAP not in desk.read("MEMORY.md")


@pytest.mark.parametrize("kind", ["folder", "link"])
def test_what_cannot_be_merged_gets_a_name_beside(desk: Desk, kind: str) -> None:
    text = desk.read("MEMORY.md")
    handle = open_in_editor(desk)
    place = desk.root / "MEMORY.md"
    place.rename(place.with_name("moved.md"))
    place.mkdir() if kind == "folder" else place.symlink_to("moved.md")
    save(handle, f"{text}- {TAP}\n")
    desk.run("journal", "add", "The seed order arrived.")
    assert desk.read("MEMORY.md.displaced").count(TAP) == 1
    assert [*(desk.root / ".git/clawgit/displaced").glob("*/0")] == []


@pytest.mark.parametrize("kind", ["folder", "link"])
def test_what_takes_the_place_of_a_file_during_the_write_is_kept_beside(desk: Desk, kind: str) -> None:
    place = desk.root / "MEMORY.md"
    calls: list[bool] = []

    def replace(_: int, step: str) -> None:
        if step.startswith("exchange") and not calls:
            calls.append(True)
            place.rename(place.with_name("moved.md"))
            place.mkdir() if kind == "folder" else place.symlink_to("moved.md")

    with call_at_each_step(replace):
        answer = desk.call("remember", LAMPS)
    desk.run("journal", "add", "The seed order arrived.")
    assert answer.code or LAMPS in desk.at("HEAD", "MEMORY.md")
    processes = desk.root / "MEMORY.md.displaced"
    assert processes.is_dir() if kind == "folder" else processes.is_symlink()
    assert (desk.root / "moved.md").exists()


def test_a_link_that_was_displaced_from_a_folder_that_is_gone_is_kept(desk: Desk) -> None:
    desk.append("memory/garden.md", "- The hose is blue.\n")
    desk.commit()

    def replace(_: int, step: str) -> None:
        if step == "exchange garden.md" and not (desk.root / "moved.md").exists():
            (desk.root / "memory/garden.md").rename(desk.root / "moved.md")
            (desk.root / "memory/garden.md").symlink_to("../moved.md")
        if step == "drop pending":
            shutil.rmtree(desk.root / "memory")

    with call_at_each_step(replace):
        desk.run("restore", "memory/garden.md", "--as-of", "HEAD~1")
    desk.run("journal", "add", "The seed order arrived.")
    assert (desk.root / "memory/garden.md.displaced").readlink() == Path("../moved.md")


def test_a_file_that_is_deleted_during_the_write_and_edited_late(desk: Desk) -> None:
    text = desk.read("MEMORY.md")
    handle = open_in_editor(desk)
    (desk.root / "MEMORY.md").unlink()
    save(handle, f"{text}- {TAP}\n")
    desk.run("capture")
    assert TAP in desk.read("MEMORY.md")


def test_a_staged_rename_is_one_commit_and_no_loss(desk: Desk) -> None:
    head = desk.head()
    desk.git("mv", "memory/garden.md", "memory/yard.md")
    (fix,) = {row["fix"] for row in desk.run("capture")["held"]}
    desk.shell(fix.partition("   #")[0])
    desk.run("capture")
    assert len(desk.commits(head)) == 1
    assert desk.git("show", "-M", "--name-status", "--format=", "HEAD").startswith("R100")
    assert not [item for item in desk.run("digest").get("gone", []) if "garden" in str(item)]
