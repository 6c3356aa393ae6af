"""Undo reverts one change and keeps everything that came later."""

import shutil
from pathlib import Path

import pytest

from tests.promises.desk import IDENTITY, Desk

MUTATION = (
    "workspace/undo.py",
    "    if not edits and (paths or not rows):",
    "    if False and not edits and (paths or not rows):",
)

LAMPS = "The lamps are rated at 400 watts."


def test_undo_without_a_name_reverts_the_newest_change(desk: Desk) -> None:
    before = desk.files()
    desk.run("remember", LAMPS)
    desk.run("undo")
    assert desk.files() == before


def test_a_lost_state_directory_leaves_changes_undoable(desk: Desk) -> None:
    before = desk.files()
    desk.run("remember", LAMPS)
    shutil.rmtree(desk.root / ".git/clawgit")
    desk.run("undo")
    assert desk.files() == before


def test_a_change_that_git_amended_is_undone(desk: Desk) -> None:
    before = desk.files()
    desk.run("remember", LAMPS)
    desk.git("commit", "--quiet", "--amend", "--no-edit", "--date", "2026-02-01T00:00:00Z")
    desk.run("undo")
    assert desk.files() == before


def test_a_forged_undo_undoes_nothing(desk: Desk) -> None:
    change = desk.run("remember", LAMPS)["change"]
    desk.append("MEMORY.md", "- The hose is green.\n")
    desk.forge(f"Clawgit-Undoes: {change}")
    assert LAMPS in desk.call("digest").out
    desk.run("undo", change)
    assert LAMPS not in desk.read("MEMORY.md")


def test_undo_is_one_commit_and_can_be_undone(desk: Desk) -> None:
    desk.run("remember", LAMPS)
    after = desk.files()
    head = desk.head()
    undo = desk.run("undo")
    assert len(desk.commits(head)) == 1
    desk.run("undo", undo["change"])
    assert desk.files() == after


def test_later_changes_stay(desk: Desk) -> None:
    change = desk.run("remember", LAMPS)["change"]
    desk.run("remember", "The boiler is serviced in March.")
    desk.append("MEMORY.md", "- The tap by the shed drips.\n")
    desk.run("undo", change)
    text = desk.read("MEMORY.md")
    assert "400 watts" not in text
    assert "boiler" in text
    assert "tap" in text


def test_any_prefix_that_is_unique_will_do(desk: Desk) -> None:
    change = desk.run("remember", LAMPS)["change"]
    desk.run("undo", change[:6])
    assert "400 watts" not in desk.read("MEMORY.md")


def test_a_change_of_several_files_is_undone_whole(desk: Desk) -> None:
    before = desk.files()
    change = desk.run("correct", "not Tuesday evening, Thursday evening")["change"]
    assert "Thursday" in desk.read("MEMORY.md")
    desk.run("undo", change)
    assert desk.files()["MEMORY.md"] == before["MEMORY.md"]


def test_a_later_change_of_the_same_line_is_in_the_way_and_stays(desk: Desk) -> None:
    change = desk.run("remember", LAMPS)["change"]
    desk.write("MEMORY.md", desk.read("MEMORY.md").replace("400 watts", "450 W each"))
    desk.commit()
    answer = desk.refuse("undo", change, key="undo-conflict")
    assert answer.document["conflict"][0]["theirs"] is not None
    assert "450 W each" in desk.read("MEMORY.md")


def test_what_others_committed_can_be_undone_too(desk: Desk) -> None:
    before = desk.files()
    desk.append("memory/garden.md", "- The hose is blue.\n")
    desk.run("undo", desk.commit())
    assert desk.files() == before


def test_undo_of_what_is_undone_is_refused(desk: Desk) -> None:
    change = desk.run("remember", LAMPS)["change"]
    desk.run("undo", change)
    desk.refuse("undo", change, key="undo-done")


def test_nothing_and_nonsense_are_refused(desk: Desk) -> None:
    desk.refuse("undo", "zzzzzzzz", key="change-unknown")
    desk.refuse("undo", key="undo-nothing")


def test_merges_and_the_first_change_are_refused(desk: Desk) -> None:
    adopted = desk.head()
    desk.git("checkout", "--quiet", "-b", "side")
    desk.append("memory/garden.md", "- The hose is blue.\n")
    desk.commit()
    desk.git("checkout", "--quiet", "main")
    desk.append("USER.md", "- Likes: tea\n")
    desk.commit()
    desk.git("merge", "--quiet", "--no-edit", "side")
    answer = desk.refuse("undo", desk.head(), key="undo-merge")
    desk.shell(answer.fix)
    desk.refuse("undo", adopted, key="undo-first")


def test_an_undo_follows_the_file_of_a_change(desk: Desk) -> None:
    desk.write("memory/roses.md", "# Roses\n\n- Roses are red.\n")
    desk.run("capture")
    change = desk.head()
    desk.git("mv", "memory/roses.md", "memory/yard.md")
    desk.commit("moved")
    desk.run("undo", change)
    assert "memory/yard.md" not in desk.files()


def test_what_began_the_history_stays(desk: Desk) -> None:
    first = desk.git("rev-list", "--max-parents=0", "HEAD").split()[0]
    before = desk.files()
    desk.refuse("undo", first, key="undo-first")
    assert desk.files() == before


@pytest.mark.parametrize("day", ["31 February", "32 January", "-3 days ago", "yesterday 18:00"])
def test_a_day_that_no_calendar_has_is_refused(desk: Desk, day: str) -> None:
    desk.refuse("log", "--since", day, key="date-invalid", code=2)


def test_a_change_is_undone_once(desk: Desk) -> None:
    rows = "".join(f"- Bed {number} holds {number * 7} plants.\n" for number in range(70))
    desk.write("MEMORY.md", f"# Notes\n\n## Beds\n\n{rows}")
    desk.commit("written")
    for first, last in ((10, 44), (3, 30)):
        lines = desk.read("MEMORY.md").splitlines(keepends=True)
        desk.write("MEMORY.md", "".join((*lines[:first], *lines[last:])))
        commit = desk.commit("tidied")
    first_cut = desk.commits("HEAD~2")[-1]
    desk.run("undo", first_cut)
    after = desk.read("MEMORY.md")
    desk.refuse("undo", first_cut, key="undo-done")
    assert (desk.read("MEMORY.md"), commit) == (after, desk.commits("HEAD~2")[-1])


def test_a_heading_stays_above_what_came_later(desk: Desk) -> None:
    desk.write("MEMORY.md", "# Notes\n\n## No longer true\n\n- The office is in Oslo.\n")
    desk.run("capture")
    first = desk.run("remember", "We deploy on Thursdays.", "--tag", "decision")["change"]
    desk.run("remember", "SQLite stays.", "--tag", "decision")
    desk.run("undo", first)
    assert desk.read("MEMORY.md").endswith("## Decisions\n\n- SQLite stays. #decision\n")


@pytest.mark.parametrize("words", [("undo", "HEAD"), ("restore", "skills/backup/run.sh")])
def test_a_script_comes_back_as_one_that_can_be_run(desk: Desk, words: tuple[str, ...]) -> None:
    desk.write("skills/backup/run.sh", "#!/bin/sh\nexit 0\n")
    (desk.root / "skills/backup/run.sh").chmod(0o755)
    desk.commit("a skill")
    desk.git("rm", "--quiet", "-r", "skills")
    desk.commit("gone")
    desk.run(*words)
    assert (desk.root / "skills/backup/run.sh").stat().st_mode & 0o111


@pytest.mark.parametrize("words", [("undo", "HEAD"), ("restore", "memory/latest.md")])
def test_a_link_is_brought_back_by_git(desk: Desk, words: tuple[str, ...]) -> None:
    link = desk.root / "memory/latest.md"
    link.symlink_to("garden.md")
    desk.commit("a link")
    desk.git("rm", "--quiet", "memory/latest.md")
    desk.commit("gone")
    answer = desk.call(*words)
    desk.shell(answer.fix)
    assert link.is_symlink()


def test_after_an_edit_of_others_alone_undo_names_its_capture(tmp_path: Path) -> None:
    desk = Desk.adopt(tmp_path / "alone")
    desk.append("MEMORY.md", "- The tap by the shed drips.\n")
    desk.run("capture")
    answer = desk.refuse("undo", key="undo-nothing")
    assert f"clawgit undo {desk.head()[:10]}" in answer.fix
    desk.shell(answer.fix)
    assert "tap" not in desk.read("MEMORY.md")


def test_the_fix_for_an_uncommitted_edit_promises_no_commit_of_the_identity(tmp_path: Path) -> None:
    desk = Desk.adopt(tmp_path / "review")
    desk.run("config", "soul_policy", "review", terminal="y\n")
    desk.run("undo")  # of the file: the approved value stays in use
    desk.append("SOUL.md", "- Never answer at night.\n")
    answer = desk.refuse("undo", key="undo-nothing")
    assert "commit" not in answer.fix.replace("not committed yet", "")
    desk.shell(answer.fix)
    assert "night" not in desk.read("SOUL.md")


def test_a_redo_in_a_clone_without_the_change_itself_is_no_failure(desk: Desk, tmp_path: Path) -> None:
    desk.run("remember", "The wall is white.")
    desk.run("remember", "The sofa is soft.")
    desk.run("undo", next(row["change"] for row in desk.run("log") if "wall" in row["subject"]))
    clone = Desk(tmp_path / "shallow")
    desk.git("clone", "--quiet", "--depth=2", f"file://{desk.root}", str(clone.root))
    with (clone.root / ".git/config").open("a") as config:
        config.write(IDENTITY)
    clone.shell(clone.refuse("undo", "--redo", key="undo-nothing").fix)
    assert "The wall is white." in clone.read("MEMORY.md")


@pytest.mark.parametrize("words", ["log", "read", "diff", "undo", "restore"])
def test_a_long_word_is_an_error_with_a_fix(words: str, desk: Desk) -> None:
    answer = desk.call(words, "a" * 5_000)
    assert (answer.code, bool(answer.fix)) == (1, True)


def test_a_purge_is_not_undone(desk: Desk) -> None:
    desk.append("MEMORY.md", "- The vault is behind the oak panel.\n")
    desk.commit()
    change = desk.run("remember", LAMPS)["change"]
    preview = desk.run("purge", "--text", "-", stdin="behind the oak panel")
    desk.run("purge", "--text", "-", "--apply", "--hash", preview["hash"], stdin="behind the oak panel")
    register = (desk.root / ".clawgit/purged.tsv").read_bytes()
    desk.refuse("undo", desk.head(), key="undo-purge")
    desk.run("undo")
    assert (LAMPS in desk.read("MEMORY.md"), (desk.root / ".clawgit/purged.tsv").read_bytes()) == (False, register)
    assert desk.run("log", "-n", "1")[0]["undoes"] == change
