"""Opening a workspace, and the one way to write to it."""

from datetime import UTC, datetime

import pytest

from clawgit.workspace import memory
from clawgit.workspace.change import Append, Change
from clawgit.workspace.workspace import open_workspace

from .places import DAY, SOUL


def note(text="x"):
    return Change("journal: x", edits=(Append(DAY, f"- {text}\n"),))


def test_managed_is_what_head_says(place):
    """A file on disk alone, or one deleted on disk or by anybody but eject, changes nothing."""
    place.write(".clawgit/format", None)
    assert place.ws.managed
    place.git("rm", "--quiet", "--cached", ".clawgit/format")
    place.git("commit", "--quiet", "-m", "tidy")
    assert place.ws.managed
    place.git("commit", "--quiet", "--amend", "-m", "workspace: given back by clawgit")
    place.write(".clawgit/format", "1\n")
    assert not place.ws.managed


@pytest.mark.parametrize("version", ["3\n", "one\n", "\xff"])
def test_a_newer_or_odd_format_is_refused(place, version):
    place.commit({".clawgit/format": version})
    with place.refused(".clawgit/format says", "upgrade"):
        place.ws.apply(note())
    assert place.ws.read("SOUL.md") == SOUL


def test_the_branch_is_what_the_config_says(place):
    place.git("switch", "--quiet", "-c", "agent")
    place.commit({"CONFIG.md": "```yaml\nbranch: agent\n```\n"})
    main = place.git("rev-parse", "main")
    assert place.ws.apply(note()).commit == place.head
    assert place.git("rev-parse", "main") == main


def test_the_moment_is_the_operators(place):
    place.commit({"CONFIG.md": "```yaml\ntimezone: Asia/Tokyo\n```\n"})
    place.now = datetime(2026, 2, 14, 20, 0, 0, 999, tzinfo=UTC)
    assert place.ws.now().isoformat() == "2026-02-15T05:00:00+09:00"
    place.ws.apply(memory.add_note(place.ws, "late"))
    assert "## 05:00" in place.text("memory/2026-02-15.md")


def test_closing_puts_an_old_index_right(place):
    """git may write back an index that it had read before our commit."""
    old = place.read(".git/index")
    place.ws.apply(Change("x", edits=(Append("SOUL.md", "- x\n"),)))
    place.write(".git/index", old)
    assert place.ws.close() == ("SOUL.md: a stale index entry was put right",)
    place.agrees()


def test_a_linked_working_tree_is_written_on_its_own(place, tmp_path):
    place.git("worktree", "add", "--quiet", "-b", "agent", str(tmp_path / "linked"))
    (tmp_path / "linked/CONFIG.md").write_text("```yaml\nbranch: agent\n```\n")
    found = open_workspace(tmp_path / "linked")
    found.apply(note("linked"))
    assert (tmp_path / "linked" / DAY).exists()
    assert place.read(DAY) is None
    assert found.store.folder == place.ws.store.folder
