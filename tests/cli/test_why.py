"""`clawgit why` and `clawgit soul blame`."""

from collections.abc import Callable
from pathlib import Path


def number(space: Path, words: str, path: str = "SOUL.md") -> int:
    rows = (space / path).read_text().split("\n")
    return next(number_of_row for number_of_row, row in enumerate(rows, 1) if words in row)


def test_a_line_leads_to_its_reason_and_the_words_around_its_evidence(call: Callable, space: Path) -> None:
    call("journal", "add", "Ana: say it more clearly.")
    (journal,) = (space / "memory").glob("*.md")
    edit = call(
        *("soul", "edit", "--add", "Say it plainly.", "--section", "Vibe"),
        *("--why", "Ana asked for it.", "--evidence", f"memory/{journal.name}#L5", "--json"),
    )
    change = str(edit.json["change"])
    place = f"SOUL.md:{number(space, 'plainly')}"
    (line,) = call("why", place, "--json").json
    assert (line["text"], line["change"], line["agent"]) == ("- Say it plainly.", change, None)
    assert (line["why"], line["undo"], line["conversation"]) == ("Ana asked for it.", f"clawgit undo {change}", [])
    (evidence,) = line["evidence"]
    assert (evidence["quote"], evidence["available"], evidence["from"]) == ("Ana: say it more clearly.", True, 2)
    assert evidence["text"].split("\n")[-1] == "Ana: say it more clearly."
    output = call("why", place).out
    for words in ("- Say it plainly.", "Ana asked for it.", "Ana: say it more clearly.", f"clawgit undo {change}"):
        assert words in output


def test_a_conversation_that_is_not_kept_here_is_said_to_be_so(call: Callable, space: Path, inside: Callable) -> None:
    (space / "SOUL.md").write_text("# New\n")
    inside("commit", "-qam", "s", "-m", 'Evidence: session:abc#12 "be brief"\nEvidence: see the talk')
    (line,) = call("why", "SOUL.md:1", "--json").json
    assert line["conversation"] == [
        {"session": "abc", "event": "12", "role": None, "text": None, "date": None, "available": False}
    ]
    assert [row["available"] for row in line["evidence"]] == [False, False]
    assert "clawgit session import brings it in" in call("why", "SOUL.md:1").out


def test_of_a_commit_of_many_files_the_soul_alone_goes_back(call, space, inside):
    with (space / "SOUL.md").open("a") as file:
        file.write("\n- Speaks in riddles.\n")
    (space / "notes.md").write_text("Something else.\n")
    inside("add", "-A")
    inside("-c", "user.name=agent", "-c", "user.email=a@localhost", "commit", "-qm", "update memory")
    line = (space / "SOUL.md").read_text().split("\n").index("- Speaks in riddles.") + 1
    assert "clawgit soul revert " in call("why", f"SOUL.md:{line}").out


def test_only_what_clawgit_made_here_is_a_fact(call: Callable, space: Path, inside: Callable, tmp_path: Path) -> None:
    commit = call("memory", "add", "The pump runs on weekdays.", "--json").json["commit"]
    mail = tmp_path / "mail"
    mail.write_text(inside("format-patch", "-1", "--stdout", commit))

    def list_claims(*folder: str) -> list[bool]:
        return [row["claimed"] for row in call(*folder, "log", "--json").json][:2]

    assert list_claims()[0] is False
    inside("commit", "-q", "--allow-empty", "-m", inside("log", "-1", "--format=%B"))
    assert list_claims() == [True, False]
    inside("clone", "-q", space, str(tmp_path / "clone"))
    assert list_claims("-C", str(tmp_path / "clone")) == [True, True]
    assert call("-C", str(tmp_path / "clone"), "undo", commit).code == 0
    assert "weekdays" not in (tmp_path / "clone/MEMORY.md").read_text()
    inside("reset", "-q", "--hard", f"{commit}^")
    inside("commit", "-q", "--allow-empty", "-m", "something else")
    inside("am", "-q", str(mail))
    assert list_claims()[0] is True
    commit = call("journal", "add", "Once more.", "--json").json["commit"]
    inside("commit", "-q", "--amend", "--no-edit", "--date", "2026-02-01T00:00:00Z")
    assert list_claims()[0] is True
    call("journal", "add", "And again.")
    assert list_claims() == [False, True]
    (space / ".git/clawgit/state/own-commits").write_bytes(b"\0\xff")
    assert list_claims() == [True, True]


def test_a_file_is_listed_line_by_line_by_its_former_name_too(call: Callable, space: Path) -> None:
    (space / "USER.md").unlink()
    lines = call("why", "USER.md", "--json").out
    assert '"text": "# User"' in lines
    for words in (("--file", "USER.md", "--json"), ("--json", "--file=USER.md")):
        assert call("soul", "blame", *words).out == lines
    for words in (("why", "GONE.md"), ("soul", "blame", "--file", "GONE.md")):
        assert "fix: clawgit log 'GONE.md'" in call(*words).err
    assert "no line has the words" in call("why", "such words " * 40).err


def test_the_reason_of_a_capture_is_its_row_about_the_file(call: Callable, space: Path) -> None:
    for name in ("MEMORY.md", "memory/a.md", "memory/b.md"):
        (space / name).parent.mkdir(exist_ok=True)
        (space / name).write_text(f"# Notes\n\n- A line of {name} about pumps.\n")
    assert call("capture").code == 0
    output = call("why", "memory/a.md:3").out
    assert ("memory/a.md (" in output or "memory/a.md is" in output, "memory/b.md is" in output) == (True, False)
    for number in range(20):
        (space / f"memory/n{number:02}.md").write_text(f"- Line {number} about pumps.\n")
    assert call("capture").code == 0
    assert "memory/n00.md is" not in call("why", "memory/n19.md:1").out
    assert "and 10 more files" in call("log", "-n", "1").out


def test_a_line_that_came_back_has_its_first_reason(call: Callable, space: Path) -> None:
    call("journal", "add", "Ana: the pilot is in March.")
    (journal,) = (space / "memory").glob("*.md")
    document_made = call(
        "remember", "The pilot begins in March.", "--evidence", f"memory/{journal.name}#L5", "--json"
    ).json
    for steps in (("undo",), ("undo", "--redo")), (("capture",), ("restore", "MEMORY.md")):
        for step in steps:
            if step == ("capture",):
                (space / "MEMORY.md").unlink()
            assert call(*step).code == 0
        (document,) = call("why", "pilot begins", "--json").json
        assert (document["commit"], document["undo"]) == (document_made["commit"], document_made["undo"])
        assert document["evidence"][0]["quote"] == "Ana: the pilot is in March."
    call("undo", document_made["change"])
    typed = call("remember", "The pilot begins in March.", "--json").json["commit"]
    assert call("why", "pilot begins", "--json").json[0]["commit"] == typed
