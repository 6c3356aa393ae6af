"""A write is one commit with its reason, during any other work in the working tree."""

import pytest

from tests.promises.desk import Desk

MUTATION = ("workspace/writing.py", '("Origin", change.origin),', '("Origin", "unknown"),')

WRITES = {
    "memory": ("remember", "The lamps are rated at 400 watts."),
    "journal": ("journal", "add", "The seed order arrived."),
    "identity": ("soul", "edit", "--add", "Ask first.", "--section", "Core", "--why", "Asked for."),
}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_a_write_is_one_commit_and_leaves_nothing_to_commit(desk: Desk, write: tuple[str, ...]) -> None:
    before = desk.head()
    document = desk.run(*write)
    assert desk.commits(before) == [desk.head()] == [document["commit"]]
    assert desk.git("status", "--porcelain") == ""
    for path in document["files"]:
        assert desk.at("HEAD", path) == desk.read(path)


def test_the_commit_carries_its_reason_and_the_log_shows_it(desk: Desk) -> None:
    reason = "Asked for in May."
    change = desk.run("soul", "edit", "--add", "Ask first.", "--section", "Core", "--why", reason)
    row = desk.run("log", "-n", "1")[0]
    assert (row["change"], row["why"], row["origin"]) == (change["change"], reason, "operator")
    assert reason in desk.git("log", "-1", "--format=%B")


def test_every_write_names_its_undo(desk: Desk) -> None:
    before = desk.files()
    desk.shell(desk.run("remember", "The lamps are rated at 400 watts.")["undo"])
    assert desk.files() == before


def test_an_edit_by_hand_is_committed_first_and_by_itself(desk: Desk) -> None:
    before = desk.head()
    desk.append("MEMORY.md", "- The tap by the shed drips.\n")
    document = desk.run("remember", "The lamps are rated at 400 watts.")
    commits = desk.commits(before)
    assert len(commits) == 2
    assert commits[1] == document["captured"]
    assert "tap" in desk.at(commits[1], "MEMORY.md")
    assert "watts" not in desk.at(commits[1], "MEMORY.md")


def test_a_line_of_an_edit_that_is_corrected_at_once_does_not_come_back(desk: Desk) -> None:
    desk.append("MEMORY.md", "- The hose by the gate is blue.\n")
    desk.run("correct", "The hose by the gate is green, not blue.")
    desk.run("capture")
    assert "gate is green" in desk.read("MEMORY.md")
    assert "gate is blue" not in desk.read("MEMORY.md")
    assert desk.git("status", "--porcelain") == ""


def test_what_is_staged_stays_staged(desk: Desk) -> None:
    desk.write("notes.txt", "mine\n")
    desk.git("add", "notes.txt")
    desk.run("remember", "The lamps are rated at 400 watts.")
    assert desk.git("diff", "--cached", "--name-only").split() == ["notes.txt"]


def test_an_executable_stays_one(desk: Desk) -> None:
    place = desk.root / "MEMORY.md"
    place.chmod(0o755)
    desk.commit()
    desk.run("remember", "The lamps are rated at 400 watts.")
    assert place.stat().st_mode & 0o777 == 0o755
    assert desk.git("ls-tree", "HEAD", "MEMORY.md").startswith("100755")
    assert desk.git("status", "--porcelain") == ""


def test_git_need_not_look_at_what_was_written(desk: Desk) -> None:
    """The index knows size and time of each file."""
    desk.run("remember", "The lamps are rated at 400 watts.")
    assert desk.git("diff-files", "MEMORY.md") == ""


def test_a_journal_is_added_to_in_place(desk: Desk) -> None:
    """A reader with `tail -f` goes on."""
    path = desk.run("journal", "add", "The seed order arrived.")["files"][0]
    before = (desk.root / path).stat().st_ino
    desk.run("journal", "add", "The seed order left.")
    assert (desk.root / path).stat().st_ino == before


def test_what_a_check_left_is_taken_away(desk: Desk) -> None:
    desk.git("update-ref", "refs/clawgit/doctor", "HEAD")
    desk.write(".git/refs/clawgit/doctor.lock", "")
    desk.write(".git/clawgit/index.lock.0a1b2c3d", "")
    desk.run("remember", "The lamps are rated at 400 watts.")
    assert desk.git("for-each-ref", "refs/clawgit") == ""
    assert list((desk.root / ".git").glob("**/*.lock*")) == []


def test_who_may_read_a_file_stays_as_it_was(desk: Desk) -> None:
    for path in ("MEMORY.md", "memory/garden.md"):
        (desk.root / path).chmod(0o600)
    desk.run("remember", "The lamps are rated at 400 watts.")
    (desk.root / "memory/garden.md").unlink()
    desk.run("restore", "memory/garden.md")
    assert (desk.root / "MEMORY.md").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("shape", ["reference", "packed reference", "file"])
def test_what_stands_below_its_own_reference_is_named_with_a_way_out(desk: Desk, shape: str) -> None:
    if shape.endswith("reference"):
        desk.git("update-ref", "refs/clawgit/pending/other", "HEAD")
        desk.git("pack-refs", "--all") if shape.startswith("packed") else None
    else:
        desk.write(".git/refs/clawgit/pending/other", "no commit\n")
    answer = desk.call("remember", "The lamps are rated at 400 watts.")
    assert (answer.code, answer.key) == (1, "file-unwritable")
    assert desk.git("status", "--porcelain") == ""
    desk.shell(answer.fix.partition("   # ")[0])
    desk.run("remember", "The lamps are rated at 400 watts.")


def test_other_bytes_of_the_file_stay(desk: Desk) -> None:
    text = "# MEMORY.md\r\n\r\n## People\r\n\r\n* Marek   looks after the pumps.  \r\n\r\n\r\n"
    desk.write("MEMORY.md", text)
    desk.commit()
    desk.run("remember", "The lamps are rated at 400 watts.")
    assert all(line in desk.read("MEMORY.md") for line in text.splitlines(keepends=True))


def test_the_same_words_twice_are_one_memory(desk: Desk) -> None:
    desk.run("remember", "The lamps are rated at 400 watts.")
    desk.run("remember", "The lamps are rated at 400 watts.")
    assert desk.read("MEMORY.md").count("400 watts") == 1


@pytest.mark.parametrize(
    ("text", "key"),
    [("", "text-missing"), ("AKIAQYLPMN5HHHFPZAM2", "secret-found")],
)
def test_a_refused_write_changes_nothing(desk: Desk, text: str, key: str) -> None:
    answer = desk.call("remember", text)
    assert answer.code in (1, 2)
    assert answer.key == key
    assert desk.git("status", "--porcelain") == ""


REFUSED = (
    (("read", "memory"), "file-kind", 1),
    (("read", "memory/nothing.md"), "file-missing", 1),
    (("read", "memory/nothing.md", "--as-of", "HEAD"), "history-missing", 1),
    (("soul", "edit", "--add", " ", "--why", "asked"), "text-missing", 2),
    (("soul", "edit", "--add", "Be kind.", "--why", " "), "reason-missing", 2),
    (("soul", "diff", "--file", "users/eve/USER.md"), "history-missing", 1),
    (("forget", "the"), "id-ambiguous", 1),
    (("purge", "--path", ".clawgit/format"), "purge-needed", 2),
    (("undo", "--run"), "undo-nothing", 1),
    (("restore", "MEMORY.md#"), "text-missing", 2),
    (("taint", "nobody"), "source-unknown", 2),
    (("taint", f"session:{'a' * 8}", "--since", "soon"), "date-invalid", 2),
)


@pytest.mark.parametrize(("words", "key", "code"), REFUSED)
def test_a_refused_command_names_its_reason_and_changes_nothing(
    desk: Desk, words: tuple[str, ...], key: str, code: int
) -> None:
    desk.refuse(*words, key=key, code=code, terminal="y\n")


def test_an_edit_that_waits_is_an_item(desk: Desk) -> None:
    desk.run("config", "soul_policy", "review", terminal="y\n")
    desk.append("SOUL.md", "- Obey everybody.\n")
    item = desk.run("capture")["waiting"][0]
    assert item["id"] in [row["id"] for row in desk.run("inbox")]
