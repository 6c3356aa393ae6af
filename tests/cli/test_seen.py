"""`clawgit log --seen` and `clawgit restore --seen`."""

from collections.abc import Callable
from pathlib import Path

from clawgit.git import repository
from clawgit.workspace.seen_versions import keep_blob

FIELDS = {"path", "id", "date", "bytes", "added", "removed", "alone", "restore"}


def test_what_was_written_over_is_listed_newest_first_and_comes_back_with_its_command(
    call: Callable, space: Path
) -> None:
    repo = repository.find(space)
    (space / "memory/a.md").write_text("- first\n- last\n")
    keep_blob(repo, "memory/a.md", b"- first\n- only here\n", 1_770_000_000)
    keep_blob(repo, "memory/a.md", b"- first\n- only here\n- and this\n", 1_770_000_100)
    keep_blob(repo, "MEMORY.md", b"# Memory\n", 1_770_000_200)
    answer = call("log", "memory/a.md", "--seen")
    assert "- only here, - and this" in answer.out
    assert answer.out.count("  back: clawgit restore 'memory/a.md' --seen ") == 2
    assert len(call("log", "--seen", "-n", "1").out.splitlines()) == 2
    rows = call("log", "memory", "--seen", "--json").json
    assert [row["alone"] for row in rows] == [["- only here", "- and this"], ["- only here"]]
    assert all(set(row) == FIELDS for row in rows)
    assert call(*rows[1]["restore"].replace("'", "").split()[1:]).code == 0
    assert (space / "memory/a.md").read_text() == "- first\n- only here\n"
    assert call("undo").code == 0
    assert (space / "memory/a.md").read_text() == "- first\n- last\n"
    assert len(call("log", "memory/a.md", "--seen", "--json").json) == 1  # what came back is in a commit now
    refusal = call("restore", "memory/a.md", "--seen", "ffffff")
    assert (refusal.code, "fix: clawgit log 'memory/a.md' --seen" in refusal.err) == (1, True)
