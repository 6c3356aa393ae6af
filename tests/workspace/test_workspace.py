"""Opening a workspace, and the one way to write to it."""

import shutil
from datetime import UTC, datetime

import pytest

from clawgit.errors import ClawgitError
from clawgit.workspace import memory
from clawgit.workspace.change import Append, Change
from clawgit.workspace.workspace import open_workspace

from .places import DAY, SOUL


def note(text="x"):
    return Change("journal: x", edits=(Append(DAY, f"- {text}\n"),))


def test_a_workspace_is_found_from_inside(place):
    (place.root / "memory/deep/er").mkdir(parents=True)
    assert open_workspace(place.root / "memory/deep/er").root == place.root.resolve()


@pytest.mark.parametrize("sign", ["SOUL.md", "MEMORY.md", "memory"])
def test_any_repository_with_a_sign_of_an_agent_can_be_read(repo, sign):
    (repo / sign).mkdir() if sign == "memory" else (repo / sign).write_text("x\n")
    found = open_workspace(repo)
    assert not found.managed
    assert list(memory.memories(found)) == []


def test_any_other_repository_is_none(repo, tmp_path):
    with pytest.raises(ClawgitError, match="is not a workspace") as caught:
        open_workspace(repo)
    assert str(caught.value.fix).startswith("clawgit init ")
    with pytest.raises(ClawgitError, match="no git repository"):
        open_workspace(tmp_path)


def test_a_managed_workspace_without_its_files_is_still_one(place):
    place.git("rm", "--quiet", "-r", "SOUL.md", "MEMORY.md")
    shutil.rmtree(place.root / "memory")
    assert open_workspace(place.root).managed


def test_nothing_is_written_where_nobody_asked_for_it(repo):
    (repo / "SOUL.md").write_text("x\n")
    found = open_workspace(repo)
    for write in (lambda: found.apply(note()), lambda: found.capture(["SOUL.md"])):
        with pytest.raises(ClawgitError, match="is not managed by clawgit") as caught:
            write()
        assert str(caught.value.fix) == f"clawgit adopt '{repo}'"
    assert not (repo / "memory").exists()
    assert not (repo / ".git/clawgit").exists()


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


@pytest.mark.parametrize("version", ["3\n", "10\n", "", "one\n", "-1\n", "1.5\n", "\xff"])
def test_a_newer_or_odd_format_is_refused(place, version):
    place.commit({".clawgit/format": version})
    with place.refused(".clawgit/format says", "upgrade"):
        place.ws.apply(note())
    assert place.ws.read("SOUL.md") == SOUL


def test_an_older_or_annotated_format_is_written(place):
    place.commit({".clawgit/format": "1 and words of a later time\n"})
    assert place.ws.apply(note()).commit


def test_the_branch_is_main_whatever_is_checked_out(place):
    place.git("switch", "--quiet", "-c", "other")
    place.git("branch", "master")
    assert place.ws.branch == "main"
    with place.refused("branch other is checked out", "git switch main"):
        place.ws.apply(note())


def test_the_branch_is_the_one_at_hand_where_there_is_no_main(place):
    place.git("branch", "-m", "agent")
    assert place.ws.branch == "agent"
    assert place.ws.apply(note()).commit == place.git("rev-parse", "agent").strip()


def test_the_branch_is_what_the_config_says(place):
    place.git("switch", "--quiet", "-c", "agent")
    place.commit({"CONFIG.md": "```yaml\nbranch: agent\n```\n"})
    main = place.git("rev-parse", "main")
    assert place.ws.apply(note()).commit == place.head
    assert place.git("rev-parse", "main") == main


def test_nothing_is_written_while_detached_or_in_the_middle(place):
    place.git("switch", "--quiet", "--detach")
    with place.refused("HEAD is detached"):
        place.ws.apply(note())
    place.git("switch", "--quiet", "main")
    place.write(".git/MERGE_HEAD", f"{place.head}\n")
    (place.root / ".git/MERGE_HEAD").touch()
    with place.refused("a merge is under way"):
        place.ws.apply(note())


def test_the_moment_is_the_operators(place):
    place.commit({"CONFIG.md": "```yaml\ntimezone: Asia/Tokyo\n```\n"})
    place.now = datetime(2026, 2, 14, 20, 0, 0, 999, tzinfo=UTC)
    assert place.ws.now().isoformat() == "2026-02-15T05:00:00+09:00"
    place.ws.apply(memory.add_note(place.ws, "late"))
    assert "## 05:00" in place.text("memory/2026-02-15.md")


def test_callbacks_hear_what_became_of_the_change(place):
    heard = []
    applied = place.ws.apply(note(), after=[heard.append, lambda it: heard.append(it.files)])
    assert heard == [applied, (DAY,)]


def test_callbacks_hear_nothing_of_what_was_refused(place):
    heard = []
    with pytest.raises(ClawgitError):
        place.ws.apply(Change("x", edits=(Append("../x.md", "x"),)), after=[heard.append])
    assert heard == []


def test_what_a_file_holds_is_text_or_a_sentence(place):
    assert place.ws.read("memory/no.md") is None
    place.write("memory/bad.md", b"ok\nfine\n\xff")
    with pytest.raises(ClawgitError, match=r"memory/bad.md:3 is not valid UTF-8 \(byte 0xff\)"):
        place.ws.read("memory/bad.md")


def test_closing_leaves_nothing_behind(place):
    with place.ws as ws:
        ws.apply(note())
    assert list((place.root / ".git/clawgit/displaced").glob("*")) == []
    assert list((place.root / ".git/clawgit").glob("tmp/*")) == []
    assert place.ws.close() == ()
    place.agrees()


def test_closing_puts_an_old_index_right(place):
    """git may write back an index that it had read before our commit."""
    old = place.read(".git/index")
    place.ws.apply(Change("x", edits=(Append("SOUL.md", "- x\n"),)))
    place.write(".git/index", old)
    assert place.ws.close() == ("SOUL.md: a stale index entry was put right",)
    place.agrees()


def test_closing_after_an_error_closes_all_the_same(place):
    def fail():
        with place.ws as ws:
            ws.apply(note())
            ws.apply(Change("x", edits=(Append("../x.md", "x"),)))

    with pytest.raises(ClawgitError):
        fail()
    assert list((place.root / ".git/clawgit/displaced").glob("*")) == []


def test_closing_what_wrote_nothing_touches_nothing(place):
    before = place.photograph()
    assert place.ws.close() == ()
    assert place.photograph() == before


def test_a_linked_working_tree_is_written_on_its_own(place, tmp_path):
    place.git("worktree", "add", "--quiet", "-b", "agent", str(tmp_path / "linked"))
    (tmp_path / "linked/CONFIG.md").write_text("```yaml\nbranch: agent\n```\n")
    found = open_workspace(tmp_path / "linked")
    found.apply(note("linked"))
    assert (tmp_path / "linked" / DAY).exists()
    assert place.read(DAY) is None
    assert found.state == place.ws.state


def test_the_identity_stands_in_where_git_has_none(place):
    place.git("config", "--unset", "user.name")
    place.ws.apply(note())
    assert place.git("log", "-1", "--format=%an <%ae>").strip() == "operator <operator@localhost>"
