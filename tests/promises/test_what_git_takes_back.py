"""A change that git reverts by accident lands again; a revert that somebody meant stays."""

import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.promises.desk import FILES, Desk
from tests.promises.steps import call_at_each_step, reset_unawares

MUTATION = ("git/recovery.py", "    if losses.undone:\n", "    if False:\n")

LAMPS = "The lamps are rated at 400 watts."
BOILER = "The boiler is serviced in March."
KEY = "The shed key hangs by the door."


@contextmanager
def index_read_before(desk: Desk) -> Iterator[None]:
    """Let git write the index back, at the end, as it was before: it had read it, and was slow."""
    index_copy = desk.root / ".git/index.kept"
    shutil.copy(desk.root / ".git/index", index_copy)
    yield
    index_copy.rename(desk.root / ".git/index")


def commit_of_an_older_index(desk: Desk) -> str:
    """Commit a file of somebody's from the index at hand, and return the commit."""
    desk.write("work.txt", "work\n")
    desk.git("add", "work.txt")
    desk.git("commit", "--quiet", "-m", "theirs")
    return desk.head()


def look(desk: Desk) -> list[str]:
    """Let clawgit look, as each command that writes does, and return the commits that it made, newest first.

    Of those that land again it tells the last.
    """
    time.sleep(0.06)  # an index that is younger may belong to something that is not over
    head = desk.head()
    answer = desk.call("capture")
    commits = desk.commits(head)
    landed_commits = [
        commit for commit in commits if not desk.git("log", "-1", "--format=%s", commit).startswith("capture")
    ]
    assert (answer.code, landed_commits == [] or landed_commits[0][:10] in answer.err) == (0, True)
    return commits


def origin(desk: Desk, words: str) -> str:
    """Return author and message of the commit that brought these words to MEMORY.md."""
    commits = desk.git("log", "--format=%H", f"-S{words}", "--", "MEMORY.md").split()
    return desk.git("log", "-1", "--format=%an %B", commits[0])


def is_settled(desk: Desk) -> bool:
    """Tell whether nothing is left to commit, and nothing to do."""
    return desk.git("status", "--porcelain") == "" and look(desk) == []


def test_a_commit_from_an_older_index_takes_nothing_away(desk: Desk) -> None:
    with index_read_before(desk):
        desk.run("remember", LAMPS)
        desk.run("journal", "add", "The seed order arrived.")
    wrote = origin(desk, LAMPS)
    theirs = commit_of_an_older_index(desk)
    assert LAMPS not in desk.at("HEAD", "MEMORY.md")
    before = {path: (desk.root / path).stat().st_mtime_ns for path in desk.files()}
    assert len(look(desk)) == 2
    assert origin(desk, LAMPS) == wrote
    assert {path: (desk.root / path).stat().st_mtime_ns for path in desk.files()} == before
    assert desk.at("HEAD", "work.txt") == "work\n"
    desk.git("merge-base", "--is-ancestor", theirs, "HEAD")
    assert is_settled(desk)


def test_each_change_lands_again_in_its_order(desk: Desk) -> None:
    base = desk.head()
    with index_read_before(desk):
        first = desk.run("remember", LAMPS)["change"]
        boiler = desk.run("remember", BOILER)["id"]
        desk.run("undo", first)
        desk.run("correct", "not in March, but in May", "--about", boiler)
        desk.run("remember", KEY)
    after = desk.read("MEMORY.md")
    subjects = desk.git("log", "--format=%s", f"{base}..HEAD")
    theirs = commit_of_an_older_index(desk)
    look(desk)
    assert desk.git("log", "--format=%s", f"{theirs}..HEAD") == subjects
    assert desk.at("HEAD", "MEMORY.md") == desk.read("MEMORY.md") == after
    assert f"memory: {KEY[:-1]}" in origin(desk, KEY)
    assert is_settled(desk)


def test_a_file_that_was_taken_away_is_taken_away_again(desk: Desk) -> None:
    desk.run("journal", "add", "The seed order arrived.")
    files = desk.files()
    with index_read_before(desk):
        desk.run("undo")
    (path,) = set(files) - set(desk.files())
    commit_of_an_older_index(desk)
    assert path in desk.git("ls-files")
    look(desk)
    assert path not in desk.git("ls-files")
    assert is_settled(desk)


@pytest.mark.parametrize("side", ["above", "below", "both"])
def test_what_others_wrote_meanwhile_is_told_from_it(desk: Desk, side: str) -> None:
    with index_read_before(desk):
        desk.run("remember", LAMPS)
    wrote = origin(desk, LAMPS)
    commit_of_an_older_index(desk)
    text = desk.read("MEMORY.md")
    if side != "below":
        text = text.replace("## Decisions\n\n", "## Decisions\n\n- The tap by the shed drips.\n")
    if side != "above":
        text += "\n- The hose is green.\n"
    desk.write("MEMORY.md", text)
    look(desk)
    assert desk.at("HEAD", "MEMORY.md") == desk.read("MEMORY.md") == text
    assert origin(desk, LAMPS) == wrote
    assert is_settled(desk)


def test_what_others_staged_in_part_stays_in(desk: Desk) -> None:
    """`git add -p` puts a line of theirs into an entry that lacks the change."""
    with index_read_before(desk):
        desk.run("remember", LAMPS)
    wrote = origin(desk, LAMPS)
    tap = "- The tap by the shed drips.\n"
    desk.append("MEMORY.md", tap)
    blob = desk.git("hash-object", "-w", "--stdin", stdin=FILES["MEMORY.md"] + tap).strip()
    desk.git("update-index", "--cacheinfo", f"100644,{blob},MEMORY.md")
    desk.git("commit", "--quiet", "-m", "theirs")
    look(desk)
    assert LAMPS in desk.at("HEAD", "MEMORY.md")
    assert tap in desk.at("HEAD", "MEMORY.md")
    assert origin(desk, LAMPS) == wrote
    assert is_settled(desk)


@pytest.mark.parametrize("side", ["above", "below"])
def test_beside_a_line_of_others_each_change_lands_again(desk: Desk, side: str) -> None:
    """The file tells the order of the lines; the line that a later change exchanged is in no file any more."""
    base = desk.head()
    with index_read_before(desk):
        boiler = desk.run("remember", BOILER)["id"]
        desk.run("correct", "not in March, but in May", "--about", boiler)
        desk.run("remember", KEY)
    subjects = desk.git("log", "--format=%s", f"{base}..HEAD")
    text, tap = desk.read("MEMORY.md"), "- The tap by the shed drips.\n"
    ours = text.removeprefix(FILES["MEMORY.md"])
    desk.write("MEMORY.md", text.replace(ours, f"{tap}{ours}" if side == "above" else f"{ours}{tap}"))
    blob = f"{FILES['MEMORY.md']}{tap}"
    oid = desk.git("hash-object", "-w", "--stdin", stdin=blob).strip()
    desk.git("update-index", "--cacheinfo", f"100644,{oid},MEMORY.md")
    desk.git("commit", "--quiet", "-m", "theirs")
    theirs = desk.head()
    look(desk)
    assert desk.git("log", "--format=%s", f"{theirs}..HEAD") == subjects
    assert f"\n+- {BOILER}" in desk.git("log", "-p", f"{theirs}..HEAD", "--", "MEMORY.md")
    assert desk.at("HEAD", "MEMORY.md") == desk.read("MEMORY.md")
    assert is_settled(desk)


def test_what_others_staged_whole_stays_staged(desk: Desk) -> None:
    with index_read_before(desk):
        desk.run("remember", LAMPS)
    commit_of_an_older_index(desk)
    tap = "- The tap by the shed drips.\n"
    desk.append("MEMORY.md", tap)
    desk.git("add", "MEMORY.md")
    time.sleep(0.06)
    desk.run("journal", "add", "The seed order arrived.")
    assert LAMPS in desk.at("HEAD", "MEMORY.md")
    assert tap not in desk.at("HEAD", "MEMORY.md")
    assert desk.git("diff", "--cached", "--name-only").split() == ["MEMORY.md"]
    desk.git("commit", "--quiet", "-m", "tap")
    assert desk.git("show", "-U0", "--format=", "HEAD").splitlines()[-1] == f"+{tap}".strip()


def test_a_line_that_is_gone_from_the_file_does_not_come_back(desk: Desk) -> None:
    with index_read_before(desk):
        desk.run("remember", LAMPS)
        desk.run("remember", BOILER)
    theirs = commit_of_an_older_index(desk)
    lines = desk.read("MEMORY.md").splitlines(keepends=True)
    text = "".join(line for line in lines if LAMPS not in line)
    desk.write("MEMORY.md", text)
    look(desk)
    assert desk.at("HEAD", "MEMORY.md") == desk.read("MEMORY.md") == text
    assert len(lines) == text.count("\n") + 1
    assert LAMPS not in desk.git("log", "-p", "--format=", f"{theirs}..HEAD", "--", "MEMORY.md")
    assert BOILER in text
    assert is_settled(desk)


def test_what_somebody_takes_out_meanwhile_is_taken_out_by_the_capture(desk: Desk) -> None:
    with index_read_before(desk):
        desk.run("remember", LAMPS)
    theirs = commit_of_an_older_index(desk)
    marek = "- Marek looks after the irrigation pumps.\n"
    desk.write("MEMORY.md", desk.read("MEMORY.md").replace(marek, ""))
    look(desk)
    (commit,) = desk.git("log", "--format=%H", f"-S{marek.strip()}", f"{theirs}..", "--", "MEMORY.md").split()
    assert desk.git("log", "-1", "--format=%s", commit).startswith("capture")
    assert LAMPS in desk.at("HEAD", "MEMORY.md")
    assert is_settled(desk)


@pytest.mark.parametrize("way", ["revert", "reword", "checkout"])
def test_what_is_gone_from_the_file_too_was_meant(desk: Desk, way: str) -> None:
    desk.run("remember", LAMPS)
    look(desk)
    if way == "revert":
        desk.git("revert", "--no-edit", "HEAD")
    elif way == "reword":
        desk.write("MEMORY.md", desk.read("MEMORY.md").replace("400 watts", "450 W each"))
        desk.commit()
    else:
        desk.git("checkout", "--quiet", "HEAD~1", "--", "MEMORY.md")
        desk.git("commit", "--quiet", "-m", "back")
    text = desk.read("MEMORY.md")
    look(desk)
    assert desk.at("HEAD", "MEMORY.md") == desk.read("MEMORY.md") == text
    assert LAMPS not in text


def test_a_file_that_git_is_to_ignore_is_left_alone(desk: Desk) -> None:
    desk.run("journal", "add", "The seed order arrived.")
    look(desk)
    path = desk.git("show", "--format=", "--name-only", "HEAD", "--", "memory").strip()
    desk.write(".gitignore", f"{path}\n")
    desk.git("rm", "--quiet", "--cached", path)
    desk.git("add", ".gitignore")
    desk.git("commit", "--quiet", "-m", "private")
    look(desk)
    assert path not in desk.git("ls-files")
    assert (desk.root / path).exists()


def test_an_entry_of_an_older_index_is_put_right(desk: Desk) -> None:
    with index_read_before(desk):
        desk.run("remember", LAMPS)
    assert desk.git("diff", "--cached", "--name-only") != ""
    assert look(desk) == []
    assert desk.git("status", "--porcelain") == ""


def test_an_older_version_that_is_staged_stays_staged(desk: Desk) -> None:
    desk.run("remember", LAMPS)
    desk.git("checkout", "--quiet", "HEAD~1", "--", "MEMORY.md")
    time.sleep(0.06)
    desk.run("journal", "add", "The seed order arrived.")
    assert desk.git("diff", "--cached", "--name-only") == "MEMORY.md\n"


@pytest.mark.parametrize("kind", ["--soft", "--mixed"])
def test_a_reset_that_leaves_the_files_leaves_the_change(desk: Desk, kind: str) -> None:
    desk.run("remember", LAMPS)
    wrote = origin(desk, LAMPS)
    look(desk)
    desk.git("reset", "--quiet", kind, "HEAD~1")
    look(desk)
    assert origin(desk, LAMPS) == wrote
    assert is_settled(desk)


def test_what_a_reset_took_off_unawares_lands_again(desk: Desk) -> None:
    desk.run("remember", BOILER)
    old = desk.head()
    desk.run("remember", LAMPS)
    desk.run("journal", "add", "The seed order arrived.")
    files = desk.files()
    wrote = origin(desk, LAMPS)
    reset_unawares(desk, "HEAD~2")
    assert LAMPS not in desk.read("MEMORY.md")
    look(desk)
    assert desk.files() == files
    assert origin(desk, LAMPS) == wrote
    assert len(desk.commits(old)) == 2
    assert is_settled(desk)


def test_what_others_did_after_such_a_reset_stays(desk: Desk) -> None:
    desk.run("remember", LAMPS)
    reset_unawares(desk, "HEAD~1")
    tap = "- The tap by the shed drips.\n"
    desk.append("MEMORY.md", tap)
    desk.commit()
    desk.write("loose.txt", "loose\n")
    look(desk)
    assert all(words in desk.read("MEMORY.md") for words in (LAMPS, tap))
    assert desk.read("loose.txt") == "loose\n"
    assert desk.git("diff", "HEAD", "--", "MEMORY.md") == ""


def test_what_somebody_reset_away_on_purpose_stays_away(desk: Desk) -> None:
    before = desk.files()
    desk.run("remember", LAMPS)
    head, commit = desk.git("rev-parse", "HEAD~1").strip(), desk.head()[:10]
    desk.git("reset", "--quiet", "--hard", head)
    time.sleep(0.06)
    assert commit in desk.call("capture").err
    assert (desk.files(), desk.head()) == (before, head)
    assert commit not in desk.call("remember", BOILER).err  # it is told once
    assert LAMPS not in desk.read("MEMORY.md")
    assert is_settled(desk)


def test_what_others_committed_and_reset_away_is_theirs(desk: Desk) -> None:
    desk.append("memory/garden.md", "- The hose is blue.\n")
    desk.commit()
    reset_unawares(desk, "HEAD~1")
    desk.run("remember", LAMPS)
    assert "blue" not in desk.read("memory/garden.md")


@pytest.mark.parametrize("attempt", range(1, 5))
def test_what_is_taken_back_while_a_write_begins_lands_again(desk: Desk, attempt: int) -> None:
    """Others commit at three attempts, and once from an older index; at the fourth git's lock is held."""
    before = desk.git("rev-parse", "HEAD^{tree}").strip()
    desk.run("remember", LAMPS)
    wrote = origin(desk, LAMPS)
    look(desk)
    locks: list[str] = []

    def commit(_: int, step: str) -> None:
        if step == "index.lock":
            locks.append(step)
        if (step == "plan" and len(locks) < 3) or (step == "index.lock" and len(locks) == attempt):
            tree = before if step == "index.lock" else desk.git("rev-parse", "HEAD^{tree}").strip()
            commit = desk.git("commit-tree", tree, "-p", "HEAD", "-m", "theirs").strip()
            desk.git("update-ref", "-m", "commit: theirs", "refs/heads/main", commit)
            if step == "index.lock":
                desk.git("read-tree", before)

    with call_at_each_step(commit):
        desk.run("remember", BOILER)
    assert len(locks) >= attempt
    assert origin(desk, LAMPS) == wrote
    assert desk.read("MEMORY.md").count(LAMPS) == 1
    assert is_settled(desk)


def test_nothing_lands_while_a_merge_is_open_or_another_branch_is_checked_out(desk: Desk) -> None:
    desk.run("remember", LAMPS)
    look(desk)
    desk.git("reset", "--quiet", "HEAD~1")
    head = desk.head()
    merging = desk.root / ".git/MERGE_HEAD"
    merging.write_text(desk.git("rev-parse", "HEAD"))
    assert desk.call("remember", BOILER).code == 1
    assert desk.head() == head
    merging.unlink()
    look(desk)
    assert LAMPS in desk.at("HEAD", "MEMORY.md")
    assert "Clawgit" in origin(desk, LAMPS)
    assert is_settled(desk)


def test_files_of_any_name_and_kind_are_passed_over(desk: Desk, tmp_path: Path) -> None:
    with index_read_before(desk):
        desk.run("remember", LAMPS)
    (desk.root / "link.md").symlink_to("MEMORY.md")
    desk.write("folder/inner.md", "inner\n")
    desk.write("large.bin", b"x\n" * (3 << 20))
    desk.git("add", ":!MEMORY.md", ":!.clawgit", ".")
    desk.git("commit", "--quiet", "-m", "theirs")
    shutil.rmtree(desk.root / "folder")
    desk.write("folder", "a file now\n")
    look(desk)
    assert LAMPS in desk.at("HEAD", "MEMORY.md")
    assert desk.read("folder") == "a file now\n"


@pytest.mark.parametrize("begun_anew", [True, False])
def test_a_history_begun_anew_or_cut_off_is_named_until_it_has_a_branch(desk: Desk, begun_anew: bool) -> None:
    for name in ("one.md", "two.md"):
        desk.write(name, "- A note.\n")
        desk.commit()
    desk.git("commit", "--quiet", "--amend", "-m", "other words")
    desk.run("capture")
    last = desk.head()
    if begun_anew:
        desk.git("checkout", "--quiet", "--orphan", "fresh")
        desk.commit("all of it")
        desk.git("branch", "--force", "main")
        desk.git("switch", "--quiet", "main")
    else:
        desk.git("reset", "--quiet", "--hard", "HEAD~2")
    desk.run("capture")
    (finding,) = [item for item in desk.run("status")["alarms"] if item["key"] == "history-rewritten"]
    desk.shell(finding["fix"])
    assert desk.git("branch", "--contains", last)
    assert not [item for item in desk.run("status")["alarms"] if item["key"] == "history-rewritten"]
