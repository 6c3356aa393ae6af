"""Files that are gone, all of them or many, are told of, and the command that is printed brings them back."""

import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.promises.desk import FILES, Desk

MUTATION = ("findings/checks/loss_checks.py", "if len(others) >= MANY_FILES else ()", "if False else ()")

JOURNALS = {f"memory/2026-02-0{day}.md": f"# 2026-02-0{day}\n\n- Day {day} at the pumps.\n" for day in range(1, 7)}
TOPICS = {f"memory/topics/{name}.md": f"# {name}\n\n- About {name}.\n" for name in ("a", "b", "c", "d", "e", "f")}
TITLES = {path: f"## 09:10 {path} was begun\n" for path in JOURNALS}
TEMPLATE = "# SOUL.md - Who You Are\n\n_Template._\n"


def wipe(desk: Desk, seeds: dict[str, str] | None = None) -> None:
    """Take every file away but git's, and put others in their place."""
    for place in desk.root.iterdir():
        if place.name != ".git":
            shutil.rmtree(place) if place.is_dir() else place.unlink()
    for path, text in (seeds or {}).items():
        desk.write(path, text)


def drop_rendered(files: dict[str, bytes]) -> dict[str, bytes]:
    """Return the files that a capture keeps; a view of the log can be rendered again."""
    return {
        path: data
        for path, data in files.items()
        if not path.endswith(("CHANGELOG.md", "COMPACTION_LOG.md", ".gitignore"))
    }


def alarms(desk: Desk) -> list[dict[str, str]]:
    return desk.run("status")["alarms"]


def unapproved(desk: Desk) -> set[str]:
    """Return the identity files that are not as the operator approved them; under `evolve` they stand meanwhile."""
    status = desk.run("status")
    return {row["path"] for row in (*status["untrusted"], *status["grown"])}


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """Return a workspace that was adopted in its place: a copy inherits no approvals."""
    return Desk.adopt(tmp_path / "ws")


# ---- clawgit's own marker is no content


@pytest.mark.parametrize("seeds", [{}, {"SOUL.md": TEMPLATE}, {"SOUL.md": TEMPLATE, "NOTES.md": "# Notes\n"}])
def test_the_undo_of_a_captured_wipe_brings_all_back(desk: Desk, seeds: dict[str, str]) -> None:
    desk.run("remember", "The lamps are rated at 400 watts.")
    before, rows = desk.files(), desk.read(".clawgit/entries.tsv")
    wipe(desk, seeds)
    head = desk.head()
    desk.run("capture")
    assert desk.run("status")["managed"]
    for commit in desk.commits(head):
        desk.shell(f"clawgit undo {commit}")
    assert {path: data for path, data in desk.files().items() if path in drop_rendered(before)} == drop_rendered(before)
    assert {line.split("\t")[0] for line in rows.splitlines()} <= {
        line.split("\t")[0] for line in desk.read(".clawgit/entries.tsv").splitlines()
    }
    assert desk.read(".clawgit/format") == "2\n"
    assert not unapproved(desk)


@pytest.mark.parametrize("torn", ["", "\n"])
def test_the_rows_of_a_table_that_a_crash_left_empty_come_back(desk: Desk, torn: str) -> None:
    desk.run("remember", "The lamps are rated at 400 watts.")
    rows = desk.read(".clawgit/entries.tsv").splitlines()
    desk.write(".clawgit/entries.tsv", torn)
    desk.run("remember", "The ladder is in the shed.")
    assert set(rows) < set(desk.read(".clawgit/entries.tsv").splitlines())


@pytest.mark.parametrize("seeds", [{}, {"SOUL.md": TEMPLATE}])
def test_a_wipe_that_the_agent_committed_ends_nothing(desk: Desk, seeds: dict[str, str]) -> None:
    desk.run("remember", "The lamps are rated at 400 watts.")
    before = desk.files()
    wipe(desk, seeds)
    commit = desk.commit("agent: tidy")
    assert desk.run("status")["managed"]
    desk.run("restore", "MEMORY.md")
    assert "400 watts" in desk.read("MEMORY.md")
    assert desk.at("HEAD", ".clawgit/format") == "2\n"
    desk.run("undo", commit)
    assert drop_rendered(desk.files()) == drop_rendered(before)
    assert desk.git("status", "--porcelain") == ""
    assert not unapproved(desk)
    desk.run("capture")
    assert not alarms(desk)
    desk.run("eject", "--yes")
    assert not (desk.root / "CONFIG.md").exists()
    assert not desk.run("status")["managed"]


def test_what_was_read_stays_read(desk: Desk) -> None:
    desk.write(".clawgit/cursors.tsv", "# clawgit cursors 1\nsession\tevent\t7\n")
    desk.commit("read")
    wipe(desk)
    desk.run("capture")
    assert "session\tevent\t7" in desk.read(".clawgit/cursors.tsv")
    wipe(desk)
    commit = desk.commit("agent: tidy")
    desk.run("undo", commit)
    assert "session\tevent\t7" in desk.read(".clawgit/cursors.tsv")


@pytest.mark.parametrize("text", [None, "9\n", "hello\n"])
def test_what_others_make_of_the_marker_is_not_kept(desk: Desk, text: str | None) -> None:
    if text is None:
        (desk.root / ".clawgit/format").unlink()
    else:
        desk.write(".clawgit/format", text)
    desk.append("MEMORY.md", "- Ana prefers tea.\n")
    desk.run("capture")
    assert desk.at("HEAD", ".clawgit/format") == desk.read(".clawgit/format") == "2\n"
    desk.run("remember", "The lamps are rated at 400 watts.")
    assert desk.git("status", "--porcelain") == ""
    assert desk.call("doctor").code == 0


def test_who_ejects_has_ended_it(desk: Desk, tmp_path: Path) -> None:
    desk.git("clone", "-q", str(desk.root), str(tmp_path / "other"))
    other = Desk(tmp_path / "other")
    other.git("config", "user.name", "Ines")
    other.git("config", "user.email", "ines@example.org")
    other.run("remember", "The lamps are rated at 400 watts.")
    desk.git("pull", "-q", "--ff-only", str(other.root), "main")
    other.run("eject", "--yes")
    desk.git("pull", "-q", "--ff-only", str(other.root), "main")
    assert not desk.run("status")["managed"]
    refusal = desk.call("remember", "The hose is red.")
    assert refusal.code == 1
    desk.shell(refusal.fix)
    desk.run("remember", "The hose is red.")
    assert desk.run("status")["managed"]
    desk.run("eject", "--yes")
    assert not desk.run("status")["managed"]


# ---- adopting again approves nothing


def ejected_elsewhere(desk: Desk) -> None:
    desk.git("rm", "-rq", ".clawgit")
    desk.git("commit", "-qm", "workspace: given back by clawgit")


def reset_to_first(desk: Desk) -> None:
    desk.git("reset", "-q", "--hard", desk.git("rev-list", "--max-parents=0", "HEAD").strip())


@pytest.mark.parametrize("end", [ejected_elsewhere, reset_to_first])
@pytest.mark.parametrize("command", ["adopt", "init"])
def test_adopting_again_approves_no_other_identity(desk: Desk, end: Callable[[Desk], None], command: str) -> None:
    end(desk)
    desk.write("SOUL.md", TEMPLATE)
    desk.commit("agent: seeded")
    desk.run(command, str(desk.root))
    assert desk.run("status")["managed"]
    assert "SOUL.md" in unapproved(desk)
    desk.run("restore", "SOUL.md", "--approved")
    assert desk.read("SOUL.md") == FILES["SOUL.md"]
    assert "SOUL.md" not in unapproved(desk)


# ---- where the workspace is, and what is gone from it


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a home with OpenClaw's state in it, which has a folder of that name, too."""
    state = tmp_path / "home/.openclaw"
    (state / "memory").mkdir(parents=True)
    (state / "memory/main.sqlite").write_bytes(b"SQLite format 3\0")
    (state / "openclaw.json").write_text("{}")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.mark.parametrize("kind", ["wiped", "committed", "clone", "folder in it"])
def test_a_command_inside_stays_with_the_workspace_that_was_wiped(home: Path, kind: str) -> None:
    root = home / ".openclaw/workspace"
    desk = Desk.adopt(home / "first" if kind == "clone" else root)
    if kind == "clone":
        desk.git("clone", "-q", str(desk.root), str(root))
        desk = Desk(root)
    wipe(desk)
    if kind == "committed":
        desk.commit("agent: tidy")
    (root / "inside").mkdir()
    prefix = "cd inside && " if kind == "folder in it" else ""
    status = json.loads(desk.shell(f"{prefix}clawgit status --json 2>/dev/null"))
    assert status["workspace"] == str(root)
    desk.shell(f"{prefix}clawgit restore MEMORY.md")
    assert desk.read("MEMORY.md") == FILES["MEMORY.md"]


def test_openclaws_own_folder_is_no_workspace(home: Path) -> None:
    desk = Desk.adopt(home / ".openclaw/workspace")
    for folder in ("..", "../memory"):
        status = json.loads(desk.shell(f"cd {folder} && clawgit status --json 2>/dev/null"))
        assert status["workspace"] == str(desk.root)


@pytest.mark.parametrize("by", [wipe, lambda desk: desk.git("rm", "-rqf", ".")])
def test_status_and_doctor_tell_what_is_gone_and_the_fix_brings_it_back(desk: Desk, by: Callable[[Desk], None]) -> None:
    desk.run("remember", "The lamps are rated at 400 watts.")
    before = desk.files()
    by(desk)
    desk.write("inside.txt", "x")
    alarm = alarms(desk)[0]
    rows = json.loads(desk.process("doctor").stdout)
    assert alarm["fix"] in [row["fix"] for row in rows]
    desk.shell(alarm["fix"])
    (desk.root / "inside.txt").unlink()
    assert drop_rendered(desk.files()) == drop_rendered(before)
    assert (desk.root / ".gitignore").exists()
    assert not alarms(desk)
    assert not unapproved(desk)
    desk.run("capture")
    assert desk.git("status", "--porcelain", "--untracked-files=no") == ""


@pytest.mark.parametrize("command", [("restore", "."), ("capture",)])
def test_clawgits_own_files_come_back_without_a_commit_of_their_own(desk: Desk, command: tuple[str, ...]) -> None:
    before, head = desk.files(), desk.head()
    if command == ("restore", "."):
        wipe(desk)
    else:
        shutil.rmtree(desk.root / ".clawgit")
    desk.run(*command)
    assert drop_rendered(desk.files()) == drop_rendered(before)
    assert desk.run("status")["dirty"] == []
    desk.run("capture")
    assert desk.git("log", "--format=%h", f"{head}..", "--", ".clawgit") == ""
    assert len(desk.commits(head)) == (2 if command[0] == "restore" else 0)


def test_one_file_that_is_gone_is_told_before_any_capture(desk: Desk) -> None:
    (desk.root / "MEMORY.md").unlink()
    (alarm,) = alarms(desk)
    desk.shell(alarm["fix"])
    assert desk.read("MEMORY.md") == FILES["MEMORY.md"]
    assert not alarms(desk)


def empty_all(desk: Desk) -> None:
    for path in desk.git("ls-files").split():
        desk.write(path, "")


def test_emptied_files_are_one_alarm_and_its_fix_brings_them_back(desk: Desk) -> None:
    desk.run("remember", LAMPS)
    before = desk.files()
    empty_all(desk)
    (alarm,) = alarms(desk)
    desk.shell(alarm["fix"])
    assert drop_rendered(desk.files()) == drop_rendered(before)
    assert not alarms(desk)


@pytest.mark.parametrize("by", ["restore", "fix"])
def test_a_file_that_was_begun_anew_gets_its_lines_back_and_keeps_the_new_ones(desk: Desk, by: str) -> None:
    desk.run("remember", LAMPS)
    wipe(desk)
    desk.run("remember", "The valve is closed.")
    fix = next(alarm["fix"] for alarm in alarms(desk) if "MEMORY.md" in alarm["fix"])
    assert not any(alarm["message"] == "MEMORY.md is gone" for alarm in alarms(desk))
    desk.run("restore", "MEMORY.md") if by == "restore" else desk.shell(fix)
    text = desk.read("MEMORY.md")
    assert {*FILES["MEMORY.md"].splitlines()} <= {*text.splitlines()}
    assert text.count(LAMPS) == text.count("The valve is closed.") == 1
    assert not any("MEMORY.md" in alarm["fix"] for alarm in alarms(desk))
    desk.refuse("restore", "MEMORY.md", key="file-uncommitted")


LAMPS = "The lamps are rated at 400 watts."

# ---- many files at once


def capture_files(desk: Desk, files: dict[str, str]) -> None:
    for path, text in files.items():
        desk.write(path, text)
    desk.run("capture")


def commit_as_agent(desk: Desk, files: dict[str, str]) -> None:
    for path, text in files.items():
        desk.write(path, text)
    desk.commit("agent: journals")


@pytest.mark.parametrize("committed", [False, True])
@pytest.mark.parametrize("files", [JOURNALS, TOPICS, TITLES])
@pytest.mark.parametrize("bring", [capture_files, commit_as_agent])
def test_many_files_deleted_are_an_alarm_whoever_committed_them(
    desk: Desk, bring: Callable[[Desk, dict[str, str]], None], files: dict[str, str], committed: bool
) -> None:
    bring(desk, files)
    for path in files:
        (desk.root / path).unlink()
    if committed:
        desk.commit("agent: tidy")
    else:
        assert alarms(desk)
    desk.run("capture")
    (alarm,) = alarms(desk)
    desk.shell(alarm["fix"])
    assert {path: desk.read(path) for path in files} == files
    assert not alarms(desk)


def test_many_files_that_moved_are_none(desk: Desk) -> None:
    capture_files(desk, JOURNALS)
    for path, text in JOURNALS.items():
        (desk.root / path).unlink()
        desk.write(path.replace("memory/", "Archive/"), text)
    desk.run("capture")
    assert not alarms(desk)


def test_many_files_that_moved_out_of_the_memory_are_gone(desk: Desk) -> None:
    capture_files(desk, JOURNALS)
    desk.shell("git mv memory attic && git commit -qm rotated")
    (alarm,) = alarms(desk)
    desk.shell(alarm["fix"])
    assert {path: desk.read(path) for path in JOURNALS} == JOURNALS


# ---- a folder


def test_a_folder_comes_back_in_one_commit_and_goes_with_its_undo(desk: Desk) -> None:
    capture_files(desk, JOURNALS | TOPICS)
    before = desk.files()
    shutil.rmtree(desk.root / "memory")
    desk.run("capture")
    desk.write("memory/2026-02-01.md", "# 2026-02-01\n\n- Begun anew.\n")
    desk.run("capture")
    head = desk.head()
    change = desk.run("restore", "memory")["change"]
    assert len(desk.commits(head)) == 1
    new_files = {"memory/2026-02-01.md": desk.read("memory/2026-02-01.md").encode()}
    assert desk.files() == before | new_files
    desk.shell(f"clawgit undo {change}")
    assert [path for path in desk.files() if path.startswith("memory/")] == [*new_files]
    desk.run("restore", "memory/topics")
    assert {path: desk.read(path) for path in TOPICS} == TOPICS
    assert not (desk.root / "memory/garden.md").exists()


def test_a_folder_that_went_in_several_commits_comes_back_whole(desk: Desk) -> None:
    capture_files(desk, JOURNALS)
    first, second, *others = JOURNALS
    for folders in ([first, second], others[:2]):
        for path in folders:
            (desk.root / path).unlink()
        desk.commit("agent: rotate")
    for path in others[2:]:
        (desk.root / path).unlink()
    desk.run("restore", "memory/")
    assert {path: desk.read(path) for path in JOURNALS} == JOURNALS


def test_what_went_long_ago_stays_gone_unless_it_is_asked_for(desk: Desk) -> None:
    commit = desk.head()
    (desk.root / "memory/garden.md").unlink()
    desk.run("capture")
    capture_files(desk, JOURNALS)
    for path in JOURNALS:
        (desk.root / path).unlink()
    desk.run("restore", "memory")
    assert {path: desk.read(path) for path in JOURNALS} == JOURNALS
    assert not (desk.root / "memory/garden.md").exists()
    desk.run("restore", "memory", "--as-of", commit)
    assert desk.read("memory/garden.md") == FILES["memory/garden.md"]


def test_a_file_that_is_no_text_is_in_the_way_of_none(desk: Desk) -> None:
    desk.write("memory/photo.png", b"\x89PNG\0\xff")
    capture_files(desk, JOURNALS)
    desk.commit("photo")
    shutil.rmtree(desk.root / "memory")
    desk.run("restore", "memory")
    assert {path: desk.read(path) for path in JOURNALS} == JOURNALS


@pytest.mark.parametrize("command", [("restore", "memory"), ("undo", "HEAD")])
def test_a_name_that_is_not_utf8_is_in_the_way_of_none_and_is_named(desk: Desk, command: tuple[str, ...]) -> None:
    capture_files(desk, JOURNALS)
    odd = os.fsencode(desk.root) + b"/memory/caf\xe9.md"
    Path(os.fsdecode(odd)).write_text("- Two euros.\n")
    desk.commit("odd")
    desk.git("rm", "-rq", "memory")
    desk.git("commit", "-qm", "gone", "--no-verify")
    answer = desk.call(*command)
    assert answer.code == 0
    assert {path: desk.read(path) for path in JOURNALS} == JOURNALS
    desk.shell(re.search("git checkout .*", answer.err)[0])  # type: ignore[index]
    assert Path(os.fsdecode(odd)).exists()


@pytest.mark.parametrize(
    ("path", "key"),
    [("memory", "already-set"), ("nowhere", "file-missing"), (".clawgit", "path-role"), (".", "already-set")],
)
def test_a_folder_of_which_nothing_is_gone_is_refused_with_a_fix_that_runs(desk: Desk, path: str, key: str) -> None:
    refusal = desk.refuse("restore", path, key=key, code=2 if key == "path-role" else 1)
    if "CHANGE" not in refusal.fix:
        desk.shell(refusal.fix)


@pytest.mark.parametrize("lost", [["state.db"], ["state.db", "decisions.log"]], ids=" ".join)
def test_lost_state_is_told(desk: Desk, lost: list[str]) -> None:
    before = desk.call("doctor").out
    for name in lost:
        (desk.root / ".git/clawgit" / name).unlink(missing_ok=True)
    after = desk.call("doctor").out
    assert ["state-rebuilt" in before, "state-rebuilt" in after] == [False, True]
