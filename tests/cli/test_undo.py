"""`clawgit undo`."""

from collections.abc import Callable
from datetime import datetime
from itertools import product
from pathlib import Path

import pytest

from clawgit.workspace import entries
from tests.cli.conftest import SOUL


def list_texts(call: Callable) -> list[str]:
    return [entry["text"] for entry in call("memory", "list", "--json").json]


def test_each_undo_takes_the_one_before_and_each_redo_brings_the_newest_back(
    call: Callable, space: Path, inside: Callable
) -> None:
    """Neither an undone change nor an undo counts; a newer change ends the search for an undo."""
    first, *_ = (call("memory", "add", text, "--json").json["change"] for text in ("One.", "Two.", "Three."))
    (space / "notes.md").write_text("by hand\n")
    inside("add", "notes.md")
    inside("commit", "-qm", "by hand")
    for left in (["One.", "Two."], ["One."], []):
        assert call("undo").code == 0
        assert list_texts(call) == left
    assert call("undo", "--json").json["key"] == "undo-nothing"
    for back in (["One."], ["One.", "Two."], ["One.", "Two.", "Three."]):
        assert call("undo", "--redo").code == 0
        assert list_texts(call) == back
    assert inside("log", "-1", "--format=%s").startswith("memory: redo: ")
    assert call("undo", "--redo", "--json").json["key"] == "undo-nothing"
    assert call("undo", "--redo", "HEAD", "--json").json["key"] == "undo-nothing"
    call("undo", first)
    for left in (["Two."], []):
        assert call("undo").code == 0
        assert list_texts(call) == left
    call("memory", "add", "Four.")
    assert call("undo", "--redo", "--json").json["key"] == "undo-nothing"
    assert call("undo", "x" * 300, "--json").json["key"] == "change-unknown"


def test_what_is_undone_is_not_learnt_again_unless_asked(call: Callable, space: Path) -> None:
    call("memory", "add", "One.")
    call("undo")
    assert "\ttombstone\t" in (space / ".clawgit/entries.tsv").read_text()
    call("memory", "add", "Two.")
    call("undo", "--again")
    assert [row.status for row in entries.parse((space / ".clawgit/entries.tsv").read_text()).values()] == ["tombstone"]


def test_mentions_are_taken_back_one_by_one_and_a_deleted_line_stays_away(call: Callable) -> None:
    first, second, _ = (call("memory", "add", text, "--json").json for text in ("Tea.", "TEA.", " tea. "))
    call("undo", second["change"])
    assert call("show", first["id"], "--json").json["mentions"] == 2
    assert call("undo", second["change"], "--json").json["key"] == "undo-done"
    third = call("memory", "add", "tea.", "--json").json
    call("undo", first["change"])
    call("undo", third["change"])
    assert list_texts(call) == []
    call("memory", "add", "Tea.")
    assert list_texts(call) == ["Tea."]


@pytest.mark.parametrize("line", ["key " + "AKIA" + "Z7Q2X4WNB3RTY5KP", "in\u200bvisible"])
def test_what_was_removed_comes_back_whatever_it_was(call: Callable, space: Path, inside: Callable, line: str) -> None:
    """It stands in history already: to refuse it would only keep the operator from his own file."""
    soul = space / "SOUL.md"
    before = soul.read_text() + f"- {line}\n"
    soul.write_text(before)
    inside("commit", "-q", "--no-verify", "-am", "by hand")
    change = call("soul", "edit", "--remove", line, "--why", "w", "--json").json["change"]
    assert line not in soul.read_text()
    soul.write_text(soul.read_text().replace("Have a view.", "Later."))
    inside("commit", "-qam", "by hand")
    assert call("undo", change).code == 0
    assert soul.read_text() == before.replace("Have a view.", "Later.")


def old_journals(space: Path) -> dict[str, bytes]:
    (space / "memory").mkdir(exist_ok=True)
    for month, day in product(("2024-03", "2024-04"), (1, 2)):
        (space / f"memory/{month}-0{day}.md").write_text(f"# {month}-0{day}\n\n- Ana moved the deploy to {day}:30.\n")
    return {place.name: place.read_bytes() for place in sorted((space / "memory").iterdir())}


@pytest.fixture
def compacting(call: Callable) -> None:
    """The operator has turned compaction on."""
    assert call("config", "compaction", "chronicle").code == 0


def lasting_note(space: Path) -> Path:
    journal = space / f"memory/{datetime.now().astimezone().date().isoformat()}.md"
    journal.write_text("# A day\n\n- IMPORTANT: the ledger of the club is kept in PostgreSQL.\n")
    return journal


@pytest.mark.usefixtures("compacting")
def test_a_promotion_is_a_run_and_the_newest_run_is_what_goes(call: Callable, space: Path) -> None:
    """Covers T6, P5: an older run stays, and the run to be undone is named before; the compactor's log has both."""
    old_journals(space)
    call("run", "memory-compactor", "--apply")
    compacted = {place.name for place in (space / "memory").iterdir()}
    journal = lasting_note(space)
    before = journal.read_bytes()
    assert call("memory", "promote", "--apply", "--json").json["commit"]
    assert journal.read_bytes() != before
    assert "memory: promoted 1 note" in (space / "COMPACTION_LOG.md").read_text()
    assert sum(row["last"] is None for row in call("run", "--list", "--json").json) == 7
    answer = call("undo", "--run")
    assert answer.err.splitlines()[0].startswith("note: takes back the run of memory-compactor of 20")
    assert answer.err.splitlines()[0].endswith(": 1 change")
    assert answer.out.count("\n  undo: clawgit undo ") == 1
    assert "- taken back by: " in (space / "COMPACTION_LOG.md").read_text()
    assert journal.read_bytes() == before
    assert {place.name for place in (space / "memory").iterdir()} == compacted | {journal.name}
    assert "note: takes back" in call("undo", "--run").err
    assert {f"2024-0{month}-0{day}.md" for month, day in product((3, 4), (1, 2))} <= {
        place.name for place in (space / "memory").iterdir()
    }


def test_a_dry_run_shows_each_file_and_touches_nothing(call: Callable, space: Path, photograph: Callable) -> None:
    change = call("memory", "add", "Chose REST over GraphQL.", "--json").json["change"]
    before = photograph()
    preview = call("undo", change, "--dry-run")
    assert preview.code == 0
    assert "MEMORY.md\n" in preview.out
    assert "- - Chose REST over GraphQL. #knowledge\n" in preview.out
    assert preview.err.endswith(f"clawgit undo {change}\n")
    document = call("undo", "--dry-run", "--json").json
    assert "MEMORY.md" in {row["path"] for row in document["files"]}
    assert photograph() == before
    assert call("undo", "--run", "--dry-run").code == 2


def test_two_memories_that_a_correction_made_one_are_two_again(call: Callable, space: Path) -> None:
    words = ["- The door has the code 4711. #knowledge", "- The door has the code 4712. #knowledge"]
    with (space / "MEMORY.md").open("a") as file:
        file.write("\n## Codes\n\n" + "".join(f"{row}\n" for row in words))
    call("capture")
    before = {row["text"]: row["id"] for row in call("memory", "list", "--json").json}
    assert call("correct", "The door has the code 4712, not 4711").code == 0
    assert call("undo").code == 0
    assert {row["text"]: row["id"] for row in call("memory", "list", "--json").json} == before
    assert len(set(before.values())) == len(before)


def test_of_several_changes_squashed_into_one_commit_only_the_whole_is_taken_back(
    call: Callable, space: Path, inside: Callable
) -> None:
    """Trailers explain, they are never needed; and a removed change cannot be undone."""
    start, before = inside("rev-parse", "HEAD").strip(), (space / "MEMORY.md").read_text()
    changes = [call("memory", "add", text, "--json").json["change"] for text in ("One.", "Two.")]
    messages = inside("log", "--reverse", "--format=%B", f"{start}..HEAD")
    inside("reset", "--quiet", "--soft", start)
    inside("commit", "--quiet", "-m", messages)
    assert call("log", "--json").json[0]["change"] is None
    assert [call("undo", change, "--json").json["key"] for change in changes] == ["change-unknown"] * 2
    assert call("undo", "HEAD").code == 0
    assert (space / "MEMORY.md").read_text() == before
    change = call("memory", "add", "Three.", "--json").json["change"]
    inside("rm", "-q", "MEMORY.md")
    inside("commit", "-qm", "gone")
    assert call("undo", change, "--json").json["key"] == "undo-conflict"


def test_a_bare_undo_passes_over_a_change_of_which_nothing_is_left(call: Callable, space: Path) -> None:
    call("memory", "add", "One.")
    first = (space / "SOUL.md").read_text()
    call("soul", "edit", "--add", "Be brief.", "--section", "Vibe", "--why", "Asked for.")
    (space / "SOUL.md").write_text(first)
    call("capture")
    call("trust", terminal=True)
    assert call("undo").code == 0
    assert list_texts(call) == []


def test_a_bare_undo_names_edits_that_no_commit_has_and_its_fix_works(call: Callable, space: Path) -> None:
    (space / "SOUL.md").write_text(f"{SOUL}- Warm.\n")
    call("memory", "add", "One.")
    assert "SOUL.md" in call("undo").err
    refusal = call("undo", "--json").json
    assert (refusal["key"], refusal["fix"].split("#")[0].strip()) == ("undo-nothing", "clawgit capture")
    call("capture")
    fix = call("undo", "--json").json["fix"].split("#")[0].split()[1:]
    assert call(*fix).code == 0
    assert (space / "SOUL.md").read_text() == SOUL
    assert call("undo", "--json").json["fix"] == "clawgit log"
