"""`clawgit status`."""

from collections.abc import Callable
from pathlib import Path


def test_the_document_has_the_fields_of_the_contract(call: Callable, space: Path, inside: Callable) -> None:
    document = call("status", "--json").json
    assert (document["workspace"], document["head"]) == (str(space), inside("rev-parse", "HEAD").strip())
    assert {"managed", "branch", "untrusted", "grown", "unread_commits", "openclaw", "runner"} <= set(document)
    assert [document[name] for name in ("dirty", "alarms", "inbox", "open_conflicts")] == [[], [], 0, 0]
    assert {"kind", "why", "name", "provider", "problem", "test", "failure", "batches"} == set(document["model"])
    assert document["search"] == {"tier": "core", "fresh": False, "chunks": 0}
    assert document["origins"] == {"total": 0, "reported": 0, "unreported": []}


def test_a_name_of_several_lines_poses_as_no_other_row(call: Callable, space: Path) -> None:
    (space / "memory").mkdir(exist_ok=True)
    (space / "memory/a\nbranch      main.md").write_text("- tea\n")
    assert " memory/a\\nbranch      main.md\n" in call("status").out


def test_files_that_no_capture_takes_are_counted_exactly(call: Callable, space: Path, inside: Callable) -> None:
    """Files that clawgit leaves out of git are named: nobody should think them safe."""
    (space / "code").mkdir()
    (space / "code/old.py").write_text("x = 1\n")
    inside("add", "code/old.py")
    inside("commit", "-q", "-m", "code")
    (space / "code/old.py").write_text("x = 2\n")
    for number in range(7):
        (space / f"code/{number}.py").write_text("x = 1\n")
    (space / "code/notes.md").write_text("# notes\n")
    (space / "a new note.md").write_text("# note\n")
    (space / ".git/info/exclude").write_text("*.log\n")
    for name in ("a.log", "b.log"):
        (space / name).write_text("x\n")
    inside("init", "-q", "other")
    (space / "other/x.py").write_text("x\n")
    assert call("status", "--json").json["not_kept"] == {
        "files": 8,
        "ignored": 2,
        "changed": 1,
        "unknown": 0,
    }
    assert "not kept files 8, ignored 2, changed 1" in " ".join(call("status").out.split())
