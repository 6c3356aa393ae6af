"""A purge leaves nothing of a phrase in any object, file or message, and everything else as it was."""

import base64
import json
import subprocess
from urllib.parse import quote

import pytest

from clawgit.errors import Advice, ClawgitError
from clawgit.findings import status
from clawgit.git import history_rewrite, phrase_forms
from clawgit.memory import purge, purge_places
from clawgit.workspace import history_secrets, memory, purged_objects, records, seen_versions
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
    (space.repo.commondir / "clawgit/state/candidates.json").write_text(
        json.dumps({"text": f"remember {SECRET}", "commit": space.head}, ensure_ascii=False)
    )
    return added


def bytes_of(root):
    """Return whether the phrase stands in any file below a folder, and in any object of git."""
    forms = phrase_forms.forms(SECRET.encode())
    found = [str(one) for one in root.rglob("*") if one.is_file() and phrase_forms.holds(one.read_bytes(), forms)]
    return found, [oid for oid, _, _ in history_rewrite.find_objects(root, forms)]


def purged(space):
    return purge.purge(space, purge_places.find(space, purge_places.read_phrase(SECRET)), None)


def test_nothing_of_a_phrase_is_left_anywhere(space, git, monkeypatch):
    """Nor of what stands in another working tree, in a note, in git's last message; and all else is as it was."""
    added = planted(space, git)
    git("commit", "-q", "--allow-empty", "-m", "honest later")
    git("notes", "add", "-m", "honest note")
    git("branch", f"other/{SECRET}-tunnel", "HEAD~1")
    git("worktree", "add", "-q", "--detach", "../other")
    other = space.root.parent / "other"
    (other / "memory/alone.md").write_text(f"only here {SECRET}\n")
    subprocess.run("git add . && git commit -qm alone", shell=True, cwd=other, check=True)
    (other / "memory/notes.md").write_text(f"not committed {SECRET}\nhonest\n")
    (space.repo.gitdir / "COMMIT_EDITMSG").write_text(f"notes with {SECRET}\n")
    nested = space.root / "nested"
    nested.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=nested, check=True)
    assert bytes_of(space.root)[1]
    before = [one.subject.replace(SECRET, "[purged]") for one in records.log(space)]
    mentions = {key: row.mentions for key, row in space.rows().items()}
    count = git("rev-list", "--count", "--all")
    found = purge_places.find(space, purge_places.read_phrase(SECRET))
    seen, real = [], subprocess.run
    with monkeypatch.context() as patch:
        patch.setattr(subprocess, "run", lambda words, **more: (seen.append(words), real(words, **more))[1])
        purged(space)
    assert not any(SECRET in str(word) for words in seen for word in words)
    assert bytes_of(space.root) == ([], [])
    assert everything(space) == set()
    assert "resund" not in git("for-each-ref")
    assert [one.subject for one in records.log(space)][1:] == before
    assert int(git("rev-list", "--count", "--all")) == int(count) + 1
    assert git("status", "--porcelain") == "?? nested/\n"
    assert (space.root / "memory/notes.md").read_text() == "honest\nand later\n"
    assert (other / "memory/notes.md").read_text() == "not committed [purged]\nhonest\n"
    assert "stashed [purged]" in git("stash", "show", "-p")
    assert "honest later: honest note" in git("log", "--format=%s: %N")
    assert git("fsck", "--no-dangling").strip() in ("", "notice: HEAD points to an unborn branch")
    assert purged_objects.parse(space.read(purged_objects.PATH)) >= set(found.objects)
    with open_workspace(space.root) as anew:
        assert {key: row.mentions for key, row in anew.rows().items()} == mentions
        assert records.find(anew, added.commit) == records.find(anew, added.change)
    kept = json.loads((space.repo.commondir / "clawgit/state/candidates.json").read_text())
    assert git("cat-file", "-t", kept["commit"]).strip() == "commit"


def test_what_no_purge_reaches_is_named(space, git):
    planted(space, git)
    git("config", "remote.origin.url", f"https://me:{SECRET}@host/x.git")
    (space.root / "nested").mkdir()
    (space.root / "nested/x.md").write_text(SECRET)
    subprocess.run(["git", "init", "-q"], cwd=space.root / "nested", check=True)
    found = purge_places.find(space, purge_places.read_phrase(SECRET))
    assert [one for one in found.unreached if ".git/config" in one]
    assert [one for one in found.unreached if one.endswith(": nested")]


def test_versions_that_were_seen_and_what_was_read_of_history_go(space, git):
    seen_versions.keep_blob(space.repo, "memory/notes.md", f"only seen {SECRET}\n".encode(), 1_770_000_000)
    planted(space, git)
    history_secrets.look(space.repo, space.store, 9.0)
    purged(space)
    assert list(seen_versions.versions(space.repo)) == []
    assert space.store.read_document("past-secrets", dict) is None


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


@pytest.mark.parametrize("step", ["update-ref", "gc"])
def test_whoever_is_stopped_has_all_or_nothing_and_can_go_on(space, git, monkeypatch, step):
    planted(space, git)
    head, real = git("rev-parse", "HEAD"), history_rewrite.git

    def stopped(root, *words, **more):
        if words[0] == step and (step != "update-ref" or "--stdin" in words):
            raise ClawgitError("test", "stopped", fix=Advice(""))
        return real(root, *words, **more)

    monkeypatch.setattr(history_rewrite, "git", stopped)
    with pytest.raises(ClawgitError, match="stopped"):
        purged(space)
    monkeypatch.setattr(history_rewrite, "git", real)
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


def test_what_the_operator_approved_stays_approved(space, git):
    soul = space.root / "SOUL.md"
    soul.write_text(f"{soul.read_text()}- My word is {SECRET}.\n")
    git("commit", "-qam", "soul")
    space.trusted.approve({"SOUL.md": soul.read_text()})
    assert everything(space)
    purged(space)
    assert everything(space) == set()
    with open_workspace(space.root) as anew:
        assert anew.trusted.readable().said("SOUL.md") == anew.read("SOUL.md")


def test_a_file_of_which_there_is_a_copy_bars_no_push(space, git):
    for name in ("one.md", "two.md"):
        (space.root / name).write_text("the same\n")
    git("add", "one.md", "two.md")
    git("commit", "-qm", "both")
    purge.purge(space, purge_places.find(space, (), "one.md"), None)
    assert (space.root / "two.md").read_text() == "the same\n"
    assert not purged_objects.read_register(space.repo)


def test_objects_of_another_repository_stop_it(space, git):
    planted(space, git)
    (space.repo.commondir / "objects/info/alternates").write_text("/nowhere\n")
    with pytest.raises(ClawgitError, match="another repository"):
        purged(space)


def test_nobody_writes_while_a_purge_is_halfway(space, git, monkeypatch):
    planted(space, git)

    def killed(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(purge, "_renew_index", killed)
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
    phrase = purge_places.read_phrase(word)
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
    purge.purge(space, purge_places.find(space, purge_places.read_phrase("tern-secret-41")), None)
    assert (space.root / "[purged]-x.md").read_text() == "[pu\n"
    assert (space.root / "[purged]-x.md-2").read_text() == "ter\n"
    assert git("status", "--porcelain") == ""


def test_what_leads_to_no_commit_is_named_before_anything_happens(space, git):
    planted(space, git)
    git("tag", "loose", "HEAD:MEMORY.md")
    with pytest.raises(ClawgitError, match="refs/tags/loose"):
        purged(space)
