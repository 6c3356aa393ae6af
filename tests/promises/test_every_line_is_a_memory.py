"""Every line of memory has a lasting id and a birth, also without clawgit's derived data."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from clawgit.store import entry_links
from tests.promises.desk import Desk

MUTATION = ("store/entry_links.py", "MIN_SCORE = 56.0", "MIN_SCORE = 1060.0")

TABLE = "| bed | plant |\n|---|---|\n| 1 | runner beans |\n"
SECRET = "ghp_" + "q8Zr2LxT5vN1mKc7WdY3bHs9JfPa4GeUo6Xi"


@pytest.fixture
def desk_with_history(desk: Desk) -> Desk:
    """Return a workspace with a history: a mention, a moved line, one in other words, a table, a paragraph."""
    desk.append("memory/garden.md", f"\nThe beds are numbered from the gate.\n\n{TABLE}")
    desk.commit("the beds")
    desk.run("remember", "The lamps in the greenhouse are rated at 400 watts.")
    desk.run("remember", "The lamps in the greenhouse are rated at 400 watts.")
    line = "- Marek looks after the irrigation pumps.\n"
    desk.write("MEMORY.md", desk.read("MEMORY.md").replace(line, ""))
    desk.append("memory/garden.md", f"\n{line}")
    desk.commit("moved")
    text = desk.read("MEMORY.md")
    desk.write("MEMORY.md", text.replace("happen on Tuesday evening", "happen on every Tuesday evening"))
    desk.run("capture")
    return desk


def memories(desk: Desk) -> dict[str, Any]:
    """Return every line of memory by its id."""
    rows = desk.run("memory", "list")
    rows_by_id = {row["id"]: row for row in rows}
    assert len(rows_by_id) == len(rows)
    return rows_by_id


def list_lines(desk: Desk, *fields: str) -> dict[str, list[Any]]:
    """Return these fields of every line, by its id."""
    return {name: [row[field] for field in ("path", "text", *fields)] for name, row in memories(desk).items()}


def test_bullets_rows_of_tables_and_paragraphs_of_every_memory_file_are_listed(desk_with_history: Desk) -> None:
    texts = {row["text"] for row in memories(desk_with_history).values()}
    assert "The beds are numbered from the gate." in texts
    assert any("runner beans" in text for text in texts)
    assert {row["path"] for row in memories(desk_with_history).values()} == {
        "MEMORY.md",
        "memory/garden.md",
        "memory/2026-01-20.md",
    }


def test_a_line_that_was_moved_or_reworded_keeps_its_id_and_its_birth(desk: Desk, request: Any) -> None:
    before = {row["text"]: name for name, row in memories(desk).items()}
    first = desk.head()
    workspace: Desk = request.getfixturevalue("desk_with_history")
    after = {row["text"]: row for row in memories(workspace).values()}
    for old, new in (
        ("Marek looks after the irrigation pumps.", "Marek looks after the irrigation pumps."),
        ("Deploys happen on Tuesday evening.", "Deploys happen on every Tuesday evening."),
    ):
        assert after[new]["id"] == before[old]
        assert workspace.git("merge-base", "--is-ancestor", after[new]["commit"], first) == ""


def test_what_is_derived_can_be_deleted(desk_with_history: Desk) -> None:
    before = memories(desk_with_history)
    shutil.rmtree(desk_with_history.root / ".git/clawgit/cache")
    assert memories(desk_with_history) == before


@pytest.mark.parametrize("score", [1060.0, 20.0])
def test_other_rules_for_births_change_no_id_that_is_kept(
    desk_with_history: Desk, monkeypatch: pytest.MonkeyPatch, score: float
) -> None:
    """As a later version may have: mentions, refutations and origins stay with their lines."""
    desk_with_history.run("remember", "Deploys happen on every Tuesday evening.")
    desk_with_history.append("memory/2026-01-20.md", "- Deploys happen on every Tuesday evening.\n")
    desk_with_history.commit("again")
    desk_with_history.run("correct", "Deploys happen on every Thursday evening, not Tuesday.")
    fields = "mentions", "status", "origin"
    kept_rows = {
        name: row for name, row in list_lines(desk_with_history, *fields).items() if row[2] or row[3] != "live"
    }
    assert {row[3] for row in kept_rows.values()} > {"live"}
    monkeypatch.setattr(entry_links, "MIN_SCORE", score)
    shutil.rmtree(desk_with_history.root / ".git/clawgit/cache")
    after = list_lines(desk_with_history, *fields)
    assert {name: after[name] for name in kept_rows} == kept_rows


def test_a_clone_has_the_same_lines(desk_with_history: Desk, tmp_path: Path) -> None:
    desk_with_history.git("clone", "--quiet", str(desk_with_history.root), str(tmp_path / "clone"))
    clone = Desk(tmp_path / "clone")
    assert list_lines(clone, "mentions", "first", "commit") == list_lines(
        desk_with_history, "mentions", "first", "commit"
    )


def test_a_shallow_clone_has_the_same_ids_and_mentions(desk_with_history: Desk, tmp_path: Path) -> None:
    desk_with_history.git(
        "clone", "--quiet", "--depth", "2", f"file://{desk_with_history.root}", str(tmp_path / "clone")
    )
    clone = Desk(tmp_path / "clone")
    rows = {name: row for name, row in memories(desk_with_history).items() if row["mentions"]}
    assert {name: memories(clone)[name]["mentions"] for name in rows} == {
        name: row["mentions"] for name, row in rows.items()
    }


def test_a_purge_of_the_first_commit_changes_the_id_of_no_other_line(tmp_path: Path) -> None:
    files = {"MEMORY.md": f"# MEMORY.md\n\n- The key of the pump is {SECRET}\n- The hose in the shed is green.\n"}
    desk = Desk.raw(tmp_path / "ws", files)
    desk.run("adopt", str(desk.root))
    desk.run("remember", "The lamps in the greenhouse are rated at 400 watts.")
    before = {
        name: fields for name, fields in list_lines(desk, "mentions").items() if "key of the pump" not in fields[1]
    }
    preview = desk.run("purge", "--text", "-", stdin=SECRET)
    desk.run("purge", "--text", "-", "--apply", "--hash", preview["hash"], stdin=SECRET)
    after = list_lines(desk, "mentions")
    assert {name: after[name] for name in before} == before
    assert SECRET not in str(after)


def test_one_with_no_line_of_memory_lists_none(tmp_path: Path) -> None:
    desk = Desk.adopt(tmp_path / "ws", {"SOUL.md": "# SOUL.md\n\n- Be brief.\n"})
    assert desk.run("memory", "list") == []


def test_of_equal_lines_each_has_an_id(desk: Desk) -> None:
    desk.append("memory/garden.md", "- The hose is green.\n- The hose is green.\n")
    desk.commit("twice more")
    desk.run("remember", "The hose is green.")
    assert sum(row["text"] == "The hose is green." for row in memories(desk).values()) >= 3


def test_a_line_that_was_removed_and_written_again_answers_to_both_ids(desk: Desk) -> None:
    line = "- The hose is green.\n"
    name = next(key for key, row in memories(desk).items() if row["text"] in line)
    text = desk.read("memory/garden.md")
    desk.write("memory/garden.md", text.replace(line, ""))
    desk.commit()
    answer = desk.refuse("show", name, key="memory-changed")
    desk.write("memory/garden.md", text)
    desk.commit()
    assert desk.run("show", name)["text"] in line
    desk.write("memory/garden.md", text.replace(line, ""))
    desk.commit()
    desk.shell(answer.fix)
    assert desk.read("memory/garden.md") == text


def test_the_former_words_of_a_line_are_another_line(desk: Desk) -> None:
    text = desk.read("MEMORY.md")
    desk.write("MEMORY.md", text.replace("happen on Tuesday evening", "happen on every Tuesday evening"))
    desk.run("capture")
    before = memories(desk)
    desk.run("remember", "Deploys happen on Tuesday evening.")
    after = memories(desk)
    assert {name: after[name]["text"] for name in before} == {name: row["text"] for name, row in before.items()}
    desk.append("MEMORY.md", "- Deploys happen on Tuesday evening.\n- Deploys happen on Tuesday evening.\n")
    assert len(memories(desk)) == len(after) + 2


def test_a_reworded_line_keeps_its_row_and_gets_none(desk: Desk) -> None:
    desk.run("remember", "The lamps in the greenhouse are rated at 400 watts.")
    rows = desk.read(".clawgit/entries.tsv")
    text = desk.read("MEMORY.md").replace("happen on Tuesday", "happen on each Tuesday")
    desk.write("MEMORY.md", text)
    desk.run("capture")
    assert desk.read(".clawgit/entries.tsv") == rows
    desk.write("MEMORY.md", text.replace("are rated at 400 watts", "have been rated at 400 watts"))
    desk.run("capture")
    row = next(row for row in memories(desk).values() if "have been rated" in row["text"])
    assert (row["mentions"], row["id"] in rows) == (1, True)


def test_restoring_a_moved_line_moves_it_back(desk: Desk) -> None:
    line = "- Marek looks after the irrigation pumps.\n"
    before = desk.read("MEMORY.md")
    name = next(key for key, row in memories(desk).items() if row["text"] in line)
    desk.write("MEMORY.md", before.replace(line, ""))
    desk.append("memory/garden.md", line)
    desk.commit()
    desk.run("restore", name)
    assert [row["path"] for row in memories(desk).values() if row["text"] in line] == ["MEMORY.md"]
    assert desk.read("MEMORY.md") == before


def test_words_need_no_quotes(desk: Desk) -> None:
    desk.run("remember", "Olek", "likes", "cats")
    assert desk.run("search", "Olek", "cats", "--top", "1")["results"][0]["snippet"].startswith("- Olek likes cats")
    desk.run("correct", "Olek", "likes", "dogs,", "not", "cats")
    assert "since" not in desk.run("why", "Olek", "likes", "dogs")
    desk.run("forget", "Olek", "likes", "dogs")
    assert "Olek" not in desk.read("MEMORY.md")


def test_a_paragraph_that_is_added_again_is_a_mention(desk: Desk) -> None:
    desk.append("MEMORY.md", "\nThe lamp is on the third shelf.\n")
    desk.run("capture")
    before = desk.read("MEMORY.md")
    desk.run("remember", "The lamp is on the third shelf.")
    assert desk.read("MEMORY.md") == before
