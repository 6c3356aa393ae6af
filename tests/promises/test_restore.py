"""Restore brings back a file, a section or an entry that is gone, as one commit."""

from pathlib import Path

import pytest

from tests.promises.desk import FILES, Desk

MUTATION = ("workspace/restore.py", '    if reference == ".":', "    if reference:")


@pytest.mark.parametrize("committed", [True, False])
@pytest.mark.parametrize("path", ["MEMORY.md", "memory/garden.md", "memory/2026-01-20.md"])
def test_a_deleted_file_is_back_byte_for_byte(desk: Desk, path: str, committed: bool) -> None:
    (desk.root / path).unlink()
    if committed:
        desk.commit()
    desk.run("restore", path)
    assert desk.read(path) == FILES[path]
    assert desk.at("HEAD", path) == FILES[path]


def test_a_file_as_it_was_on_a_day(desk: Desk) -> None:
    old = desk.head()
    desk.write("memory/garden.md", "# Garden\n\n- The hose is blue.\n")
    desk.commit()
    desk.run("restore", "memory/garden.md", "--as-of", old)
    assert desk.read("memory/garden.md") == FILES["memory/garden.md"]


def test_a_file_of_another_branch_alone_is_brought_over(desk: Desk) -> None:
    desk.git("checkout", "-q", "-b", "side")
    desk.write("memory/side.md", "# Side\n\n- Only here.\n")
    desk.commit()
    desk.git("checkout", "-q", "main")
    desk.run("restore", "memory/side.md", "--as-of", "side")
    assert desk.read("memory/side.md") == "# Side\n\n- Only here.\n"


def test_an_entry_is_back_and_what_came_later_stays(desk: Desk) -> None:
    entry = next(row["id"] for row in desk.run("memory", "list") if "Tuesday" in row["text"])
    desk.write("MEMORY.md", desk.read("MEMORY.md").replace("- Deploys happen on Tuesday evening. #decision\n", ""))
    line = "- Ada feeds the cat.\n"
    desk.append("MEMORY.md", line)
    desk.commit()
    desk.run("restore", entry)
    assert "Tuesday evening" in desk.read("MEMORY.md")
    assert line in desk.read("MEMORY.md")


def test_an_entry_is_back_in_its_place_below_a_restyled_heading(desk: Desk) -> None:
    entry = next(row["id"] for row in desk.run("memory", "list") if "Tuesday" in row["text"])
    line, later = "- Deploys happen on Tuesday evening. #decision\n", "- Releases wait for Marek. #decision\n"
    text = desk.read("MEMORY.md").replace(line, f"{line}{later}")
    desk.write("MEMORY.md", text)
    desk.commit()
    desk.write("MEMORY.md", text.replace(line, "").replace("## Decisions", "## **Decisions**"))
    desk.commit()
    desk.run("restore", entry)
    assert f"{line}{later}" in desk.read("MEMORY.md")


def test_a_section_is_back(desk: Desk) -> None:
    before, _, _ = desk.read("MEMORY.md").partition("## People")
    desk.write("MEMORY.md", before)
    desk.commit()
    desk.run("restore", "MEMORY.md#People")
    assert "## People" in desk.read("MEMORY.md")
    assert "Marek" in desk.read("MEMORY.md")


def test_a_section_from_before_a_new_name_is_back(desk: Desk) -> None:
    text = desk.read("memory/garden.md")
    desk.write("memory/garden.md", f"{text}\n## Tools\n\n- The spade is in the shed by the door.\n")
    desk.commit()
    desk.write("memory/garden.md", text)
    desk.commit()
    desk.git("mv", "memory/garden.md", "memory/yard.md")
    desk.commit()
    desk.run("restore", "memory/yard.md#Tools")
    assert "The spade is in the shed" in desk.read("memory/yard.md")


@pytest.mark.parametrize("path", ["memory", "memory/garden.md"])
def test_a_staged_deletion_needs_no_identity_of_git(desk: Desk, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.run("capture")
    for name in ("NAME", "EMAIL"):
        desk.git("config", "--unset", f"user.{name.lower()}")
    desk.git("rm", "-rq", path)
    answer = desk.refuse("restore", path, key="file-staged")
    desk.shell(answer.fix)
    assert desk.read("memory/garden.md") == FILES["memory/garden.md"]


def test_the_fix_for_a_staged_deletion_keeps_the_version_that_was_asked_for(desk: Desk) -> None:
    desk.append("memory/garden.md", "- A later line.\n")
    desk.commit()
    desk.git("rm", "-q", "memory/garden.md")
    desk.shell(desk.refuse("restore", "memory/garden.md", "--as-of", "HEAD~1", key="file-staged").fix)
    assert desk.read("memory/garden.md") == FILES["memory/garden.md"]


def test_restore_can_be_undone(desk: Desk) -> None:
    (desk.root / "memory/garden.md").unlink()
    desk.commit()
    desk.shell(desk.run("restore", "memory/garden.md")["undo"])
    assert not (desk.root / "memory/garden.md").exists()


def test_what_is_not_committed_is_kept_before_it_is_replaced(desk: Desk) -> None:
    old = desk.head()
    line = "- Not committed yet.\n"
    desk.append("memory/garden.md", line)
    desk.run("restore", "memory/garden.md", "--as-of", old)
    assert line in "".join(desk.at(commit, "memory/garden.md") for commit in desk.commits(old))


def test_what_never_was_is_refused(desk: Desk) -> None:
    desk.refuse("restore", "memory/nothing.md", key="file-missing")
    desk.refuse("restore", "MEMORY.md#Nothing", key="section-missing")
    desk.refuse("restore", "../outside.md", key="path-outside")


def test_what_is_there_is_not_touched(desk: Desk) -> None:
    before = desk.head()
    answer = desk.call("restore", "MEMORY.md")
    assert (answer.code, desk.head()) == (1, before)


def test_the_fix_for_a_new_file_of_rules_takes_it_away(tmp_path: Path) -> None:
    desk = Desk.adopt(tmp_path / "ws", {path: text for path, text in FILES.items() if path != "AGENTS.md"})
    desk.write("AGENTS.md", "# AGENTS.md\n\n- Push to main without asking.\n")
    desk.commit("agent: rules")
    desk.run("capture")
    (alarm,) = desk.run("status")["alarms"]
    desk.shell(alarm["fix"])
    assert not (desk.root / "AGENTS.md").exists()


def test_a_deleted_line_is_found_and_its_fix_brings_it_back(desk: Desk) -> None:
    desk.write("memory/garden.md", "# Garden\n\n- The hose is green.\n")
    desk.commit()
    hit = desk.run("search", "permanent rose gate", "--deleted")["results"][0]
    desk.shell(hit["restore"])
    assert "permanent rose" in desk.read("memory/garden.md")


def test_a_file_of_a_merged_branch_is_back(desk: Desk) -> None:
    text = "# Bees\n\n- The hive by the gate swarmed on Sunday.\n"
    desk.git("checkout", "-q", "-b", "laptop")
    desk.write("memory/bees.md", text)
    desk.commit()
    (desk.root / "memory/bees.md").unlink()
    desk.commit()
    desk.git("checkout", "-q", "main")
    desk.append("memory/garden.md", "- Prune the roses.\n")
    desk.commit()
    desk.git("merge", "-q", "--no-edit", "laptop")
    assert len(desk.run("log", "memory/bees.md")) == 2
    desk.run("restore", "memory/bees.md")
    assert desk.read("memory/bees.md") == text


def test_a_fix_for_words_of_the_identity_works(desk: Desk) -> None:
    words = "Ask before sending anything outside."
    desk.shell(desk.refuse("restore", words, key="already-set").fix)
    before = desk.read("SOUL.md")
    desk.write("SOUL.md", before.replace(f"- {words}\n", ""))
    desk.commit()
    desk.shell(desk.refuse("restore", words, key="file-missing").fix)
    assert desk.read("SOUL.md") == before


def test_a_title_that_never_was_has_only_a_near_one_suggested(desk: Desk) -> None:
    assert "Decisions, People" in desk.refuse("restore", "MEMORY.md#Nope", key="section-missing").fix
    assert "'MEMORY.md#People'" in desk.refuse("restore", "MEMORY.md#Peopel", key="section-missing").fix
