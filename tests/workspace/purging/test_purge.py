"""A purge leaves nothing of a phrase in any object, file or message, and everything else as it was."""

import base64
import json
import subprocess
from urllib.parse import quote

import pytest

from clawgit.errors import ClawgitError
from clawgit.git import phrase_forms, rewriting
from clawgit.workspace import memory, records
from clawgit.workspace.bootstrap import init
from clawgit.workspace.purging import purge, purged_objects
from clawgit.workspace.workspace import open_workspace

pytest.importorskip("git_filter_repo")
SECRET = "kq7-öresund+passphrase/44"


@pytest.fixture
def space(repo, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    init(repo).workspace.close()
    with open_workspace(repo) as workspace:
        yield workspace


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
    return purge.purge(space, purge.find(space, purge.phrase(SECRET)), None)


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
    found = purge.find(space, purge.phrase(SECRET))
    purged(space)
    assert purged_objects.parse(space.read(purged_objects.PATH)) >= set(found.objects)


def test_a_file_leaves_all_commits(space, git):
    planted(space, git)
    count = git("rev-list", "--count", "HEAD")
    purge.purge(space, purge.find(space, (), "memory/notes.md"), None)
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
            raise ClawgitError("stopped", fix="")
        return real(root, *words, **more)

    monkeypatch.setattr(rewriting, "git", stopped)
    with pytest.raises(ClawgitError, match="stopped"):
        purged(space)
    monkeypatch.setattr(rewriting, "git", real)
    assert (git("rev-parse", "HEAD") == head) is (step != "gc")
    purged(space)
    assert bytes_of(space.root) == ([], [])


def test_a_short_phrase_is_refused():
    with pytest.raises(ClawgitError, match="by chance"):
        purge.phrase("abc\n")


def test_the_words_are_in_no_argument(space, git, monkeypatch):
    planted(space, git)
    seen = []
    real = subprocess.run
    monkeypatch.setattr(subprocess, "run", lambda words, **more: (seen.append(words), real(words, **more))[1])
    purged(space)
    assert not any(SECRET in str(word) for words in seen for word in words)
