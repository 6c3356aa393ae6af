"""A purge leaves nothing of a phrase in any object, file or message, and everything else as it was."""

import base64
import json
import subprocess
from urllib.parse import quote

import pytest

from clawgit.errors import Advice, ClawgitError
from clawgit.findings import status
from clawgit.git import phrase_forms, rewriting, unfinished_rewrite
from clawgit.workspace import memory, records
from clawgit.workspace.purging import purge, purge_places, purged_objects
from clawgit.workspace.workspace import open_workspace

pytest.importorskip("git_filter_repo")
SECRET = "kq7-öresund+passphrase/44"


def planted(space, git):
    """Plant a phrase wherever one can stand."""
    root = space.root
    space.apply(memory.add(space, "The cat is called Ida.").change)
    added = space.apply(memory.add(space, f"The vault opens with {SECRET} today.").change)
    (root / "memory").mkdir(exist_ok=True)
    (root / "memory/notes.md").write_text(f"one {SECRET} two\n{quote(SECRET)}\nhonest\n")
    (root / "memory/blob.bin").write_bytes(b"\0\1" + SECRET.encode("utf-16-le") + b"\0" + SECRET.encode())
    for at in range(3):
        coded = base64.b64encode(b"x" * at + f"key={SECRET};".encode()).decode()
        (root / f"memory/coded{at}.md").write_text(coded + "\n")
    git("add", "-A", "memory")
    git("-c", f"user.name=Ada {SECRET}", "commit", "-qm", f"notes with {SECRET}")
    git("tag", "-a", "v1", "-m", f"tag {SECRET}")
    git("branch", "side")
    git("notes", "add", "-m", f"noted {SECRET}")
    (root / "memory/notes.md").write_text(f"stashed {SECRET}\n")
    git("stash", "-q")
    (root / "memory/notes.md").write_text("honest\nand later\n")
    git("commit", "-qam", "the phrase is gone from the file")
    (space.state / "candidates.json").write_text(
        json.dumps({"text": f"remember {SECRET}", "commit": space.head}, ensure_ascii=False)
    )
    return added


def bytes_of(root):
    """Return whether the phrase stands in any file below a folder, and in any object of git."""
    forms = phrase_forms.forms(SECRET.encode())
    found = [str(one) for one in root.rglob("*") if one.is_file() and phrase_forms.holds(one.read_bytes(), forms)]
    return found, [oid for oid, _, _ in rewriting.holding(root, forms)]


def purged(space):
    return purge.purge(space, purge_places.find(space, purge_places.phrase(SECRET)), None)


def test_nothing_of_a_phrase_is_left_anywhere(space, git):
    planted(space, git)
    assert bytes_of(space.root)[1]
    before = [one.subject.replace(SECRET, "[purged]") for one in records.log(space)]
    count = git("rev-list", "--count", "--all")
    purged(space)
    assert bytes_of(space.root) == ([], [])
    assert [one.subject for one in records.log(space)][1:] == before
    assert int(git("rev-list", "--count", "--all")) == int(count) + 1
    assert git("status", "--porcelain") == ""
    assert (space.root / "memory/notes.md").read_text() == "honest\nand later\n"
    assert "stashed [purged]" in git("stash", "show", "-p")
    assert git("fsck", "--no-dangling").strip() in ("", "notice: HEAD points to an unborn branch")


def test_old_ids_still_lead_to_their_changes(space, git):
    added = planted(space, git)
    purged(space)
    with open_workspace(space.root) as anew:
        assert records.find(anew, added.commit) == records.find(anew, added.change)
        assert records.find(anew, added.commit[:10]) != added.commit
    kept = json.loads((space.state / "candidates.json").read_text())
    assert git("cat-file", "-t", kept["commit"]).strip() == "commit"


def test_entries_keep_their_rows(space, git):
    planted(space, git)
    before = {key: row.mentions for key, row in space.rows().items()}
    purged(space)
    assert {key: row.mentions for key, row in space.rows().items()} == before
    found = [one for one in memory.memories(space) if "[purged]" in one.text]
    assert [one.id in before for one in found] == [True]


def test_what_was_purged_is_written_down(space, git):
    planted(space, git)
    found = purge_places.find(space, purge_places.phrase(SECRET))
    purged(space)
    assert purged_objects.parse(space.read(purged_objects.PATH)) >= set(found.objects)


def test_a_file_leaves_all_commits(space, git):
    planted(space, git)
    count = git("rev-list", "--count", "HEAD")
    purge.purge(space, purge_places.find(space, (), "memory/notes.md"), None)
    assert git("log", "--all", "--format=%h", "--", "memory/notes.md") == ""
    assert int(git("rev-list", "--count", "HEAD")) == int(count) + 1
    assert not (space.root / "memory/notes.md").exists()


def test_staged_changes_stop_it_before_anything_happens(space, git):
    planted(space, git)
    (space.root / "x.md").write_text("x")
    git("add", "x.md")
    head = git("rev-parse", "HEAD")
    with pytest.raises(ClawgitError, match="staged"):
        purged(space)
    assert git("rev-parse", "HEAD") == head


@pytest.mark.parametrize("step", ["clone", "fetch", "update-ref", "gc"])
def test_whoever_is_stopped_has_all_or_nothing_and_can_go_on(space, git, monkeypatch, step):
    planted(space, git)
    head, real = git("rev-parse", "HEAD"), rewriting.git

    def stopped(root, *words, **more):
        if words[0] == step and (step != "update-ref" or "--stdin" in words):
            raise ClawgitError("test", "stopped", fix=Advice(""))
        return real(root, *words, **more)

    monkeypatch.setattr(rewriting, "git", stopped)
    with pytest.raises(ClawgitError, match="stopped"):
        purged(space)
    monkeypatch.setattr(rewriting, "git", real)
    assert (git("rev-parse", "HEAD") == head) is (step != "gc")
    purged(space)
    assert bytes_of(space.root) == ([], [])


def everything(space):
    """Return all files that hold the phrase, of the workspace and of the state of the user."""
    forms = phrase_forms.forms(SECRET.encode())
    roots = [space.root, space.root.parent]
    return {
        one
        for root in roots
        for one in root.rglob("*")
        if one.is_file() and phrase_forms.holds(one.read_bytes(), forms)
    }


def test_working_trees_and_commits_on_no_branch_lose_it(space, git):
    planted(space, git)
    git("worktree", "add", "-q", "--detach", "../other")
    other = space.root.parent / "other"
    (other / "memory/alone.md").write_text(f"only here {SECRET}\n")
    subprocess.run(["git", "add", "."], cwd=other, check=True)
    subprocess.run(["git", "commit", "-qm", f"alone {SECRET}"], cwd=other, check=True)
    (other / "memory/notes.md").write_text(f"not committed {SECRET}\nhonest\n")
    purged(space)
    assert everything(space) == set()
    assert bytes_of(space.root) == ([], [])
    told = subprocess.run(
        ["git", "show", "--format=%s", "--stat"], cwd=other, capture_output=True, text=True, check=True
    )
    assert "alone [purged]" in told.stdout
    assert "alone.md" in told.stdout
    assert (other / "memory/notes.md").read_text() == "not committed [purged]\nhonest\n"


def test_a_branch_loses_it_from_its_name(space, git):
    planted(space, git)
    git("branch", "other/öresund-tunnel", "HEAD~1")
    tip = git("log", "-1", "--format=%s", "other/öresund-tunnel")
    purge.purge(space, purge_places.find(space, purge_places.phrase("öresund-tunnel")), None)
    assert git("log", "-1", "--format=%s", "other/purged") == tip
    assert "resund" not in git("for-each-ref")
    assert git("status", "--porcelain") == ""


def test_what_the_operator_approved_stays_approved(space, git):
    soul = space.root / "SOUL.md"
    soul.write_text(f"{soul.read_text()}- My word is {SECRET}.\n")
    git("commit", "-qam", "soul")
    space.trusted.approve({"SOUL.md": soul.read_text()})
    assert everything(space)
    purged(space)
    assert everything(space) == set()
    with open_workspace(space.root) as anew:
        assert anew.trusted.read().says("SOUL.md", git("rev-parse", "HEAD:SOUL.md").strip())


def test_another_branch_or_none_stops_it(space, git):
    planted(space, git)
    git("checkout", "-q", "--detach")
    with pytest.raises(ClawgitError, match="detached"):
        purged(space)


def test_git_remembers_no_message(space, git):
    planted(space, git)
    (space.repo.gitdir / "COMMIT_EDITMSG").write_text(f"notes with {SECRET}\n")
    (space.repo.gitdir / "worktrees").mkdir(exist_ok=True)
    found = purge_places.find(space, purge_places.phrase(SECRET))
    assert "COMMIT_EDITMSG" in [one.name for one in found.places]
    purged(space)
    assert everything(space) == set()


def test_what_is_the_operators_is_named(space, git):
    planted(space, git)
    git("config", "remote.origin.url", f"https://me:{SECRET}@host/x.git")
    found = purge_places.find(space, purge_places.phrase(SECRET))
    assert [one for one in found.unreached if ".git/config" in one]


def test_a_file_of_which_there_is_a_copy_bars_no_push(space, git):
    for name in ("one.md", "two.md"):
        (space.root / name).write_text("the same\n")
    git("add", "one.md", "two.md")
    git("commit", "-qm", "both")
    purge.purge(space, purge_places.find(space, (), "one.md"), None)
    assert (space.root / "two.md").read_text() == "the same\n"
    assert not purged_objects.committed(space.repo)


def test_objects_of_another_repository_stop_it(space, git):
    planted(space, git)
    (space.repo.commondir / "objects/info/alternates").write_text("/nowhere\n")
    with pytest.raises(ClawgitError, match="another repository"):
        purged(space)


def test_nobody_writes_while_a_purge_is_halfway(space, git, monkeypatch):
    planted(space, git)

    def killed(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(purge, "_follow", killed)
    with pytest.raises(KeyboardInterrupt):
        purged(space)
    monkeypatch.undo()
    with open_workspace(space.root) as anew:
        with pytest.raises(ClawgitError, match="halfway"):
            anew.apply(memory.add(anew, "The cat sleeps.").change)
        assert "a purge runs, or was stopped" in str(status.status(anew).alarms)
        purged(anew)
        assert everything(anew) == set()
        anew.apply(memory.add(anew, "The cat sleeps.").change)
        assert "a purge" not in str(status.status(anew).alarms)
    assert git("status", "--porcelain") == ""


def test_folders_links_and_modes_follow(space, git):
    word = SECRET.partition("/")[0]
    folder = space.root / f"d/{word}"
    folder.mkdir(parents=True)
    (folder / "run.sh").write_text("#!/bin/sh\n")
    (folder / "run.sh").chmod(0o755)
    (folder / "soul").symlink_to("../../SOUL.md")
    (space.root / "link").symlink_to(f"/nowhere/{word}")
    git("add", "-A")
    git("commit", "-qm", "names")
    (space.root / "loose").symlink_to(f"x-{word}")
    (space.root / f"empty-{word}").mkdir()
    phrase = purge_places.phrase(word)
    purge.purge(space, purge_places.find(space, phrase), None)
    assert not [
        one for one in space.root.rglob("*") if phrase_forms.holds(str(one.relative_to(space.root)).encode(), phrase)
    ]
    assert git("status", "--porcelain") == "?? loose\n"
    assert (space.root / "d/[purged]/soul").is_symlink()
    assert (space.root / "d/[purged]/run.sh").stat().st_mode & 0o100
    assert str((space.root / "link").readlink()) == "/nowhere/[purged]"
    assert str((space.root / "loose").readlink()) == "x-[purged]"
    assert everything(space) == set()


def test_names_that_differ_in_it_alone_stay_two(space, git):
    for name in ("tern-secret-41-x.md", "[purged]-x.md"):
        (space.root / name).write_text(f"{name[:3]}\n")
    git("add", "-A")
    git("commit", "-qm", "two")
    purge.purge(space, purge_places.find(space, purge_places.phrase("tern-secret-41")), None)
    assert (space.root / "[purged]-x.md").read_text() == "[pu\n"
    assert (space.root / "[purged]-x.md-2").read_text() == "ter\n"
    assert git("status", "--porcelain") == ""


def test_notes_stay_with_their_commits(space, git):
    planted(space, git)
    git("commit", "-q", "--allow-empty", "-m", "honest later")
    git("notes", "add", "-m", "honest note")
    purged(space)
    assert "honest later: honest note" in git("log", "--format=%s: %N")
    assert "noted [purged]" in git("log", "--format=%N")


def test_what_leads_to_no_commit_is_named_before_anything_happens(space, git):
    planted(space, git)
    git("tag", "loose", "HEAD:MEMORY.md")
    with pytest.raises(ClawgitError, match="refs/tags/loose"):
        purged(space)


def test_replaced_commits_are_named_before_anything_happens(space, git):
    planted(space, git)
    git("replace", "HEAD", "HEAD~1")
    with pytest.raises(ClawgitError, match="git replace"):
        purged(space)
    assert "purge" not in git("for-each-ref")


def test_repositories_within_are_named_and_left_alone(space, git):
    planted(space, git)
    (space.root / "nested").mkdir()
    (space.root / "nested/x.md").write_text(SECRET)
    subprocess.run(["git", "init", "-q"], cwd=space.root / "nested", check=True)
    found = purge_places.find(space, purge_places.phrase(SECRET))
    assert [one for one in found.unreached if one.endswith(": nested")]
    purged(space)
    assert (space.root / "nested/x.md").read_text() == SECRET


def test_a_purge_that_fails_leaves_no_bundle(space, git, monkeypatch, tmp_path):
    planted(space, git)

    def failing(*_):
        raise ClawgitError("test", "no", fix=Advice(""))

    monkeypatch.setattr(rewriting, "fetch", failing)
    with pytest.raises(ClawgitError):
        purged(space)
    assert not list(tmp_path.rglob("*.bundle"))
    assert unfinished_rewrite.told(space.repo.commondir) is None


def test_bundles_of_all_that_were_killed_go_in_the_end(space, git, monkeypatch, tmp_path):
    planted(space, git)

    def killed(*_):
        raise KeyboardInterrupt

    for number in range(2):
        monkeypatch.setattr(purge.os, "getpid", lambda number=number: 1000 + number)
        monkeypatch.setattr(rewriting, "fetch", killed)
        with pytest.raises(KeyboardInterrupt):
            purged(space)
    assert len(list(tmp_path.rglob("*.bundle"))) == 2
    monkeypatch.undo()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    purged(space)
    assert not list(tmp_path.rglob("*.bundle"))
    assert everything(space) == set()


def test_a_short_phrase_is_refused():
    with pytest.raises(ClawgitError, match="by chance"):
        purge_places.phrase("abc\n")


def test_the_words_are_in_no_argument(space, git, monkeypatch):
    planted(space, git)
    seen = []
    real = subprocess.run
    monkeypatch.setattr(subprocess, "run", lambda words, **more: (seen.append(words), real(words, **more))[1])
    purged(space)
    assert not any(SECRET in str(word) for words in seen for word in words)
