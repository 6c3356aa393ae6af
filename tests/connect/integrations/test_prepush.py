"""No secret leaves with a push, unless somebody says that it is none."""

import pytest

from clawgit.errors import ClawgitError
from clawgit.safety import secrets
from clawgit.workspace import outgoing_secrets

from .conftest import KEY, OTHER


@pytest.fixture
def pushed(place, tmp_path):
    """A workspace whose branch main is at a remote already."""
    place.install()
    place.git("init", "--bare", "-b", "main", tmp_path / "the remote")
    place.git("remote", "add", "origin", tmp_path / "the remote")
    place.git("push", "--quiet", "origin", "main")
    return place


def fingerprint(secret):
    (one,) = secrets.scan(f"key {secret}")
    return one.fingerprint


def refused(place, *arguments):
    """Push in vain; return what was said."""
    done = place.run("push", *arguments)
    assert done.returncode == 1, done.stderr
    return done.stderr


def test_a_secret_is_told_with_its_commit_and_place_and_stays_here(pushed, tmp_path):
    pushed.commit("src/deep er/äpp.py", f"# one\nkey = '{KEY}'\n", "--no-verify")
    leak = pushed.head[:10]
    pushed.commit("work.txt", "later\n")
    said = refused(pushed, "origin", "main")
    assert f"{leak} src/deep er/äpp.py:2 holds a secret (aws-access-key, {fingerprint(KEY)})\n" in said
    assert f"fix: git rebase -i {leak}^" in said
    assert KEY not in said
    assert pushed.git("rev-parse", "main~2") == pushed.git("rev-parse", "main", cwd=tmp_path / "the remote")


def test_one_that_was_taken_out_again_is_in_history_all_the_same(pushed):
    pushed.leak("memory/a.md", f"key {KEY}\n")
    pushed.commit("memory/a.md", "nothing\n")
    assert "memory/a.md:1" in refused(pushed, "origin", "main")


def test_what_the_operator_allows_passes(pushed):
    pushed.leak("memory/a.md", f"key {KEY}\nkey {OTHER}\n")
    assert outgoing_secrets.allow(pushed.repo, [fingerprint(KEY)]) == (fingerprint(KEY),)
    assert outgoing_secrets.allow(pushed.repo, [fingerprint(KEY)]) == ()
    said = refused(pushed, "origin", "main")
    assert "memory/a.md:2" in said
    assert "memory/a.md:1" not in said
    outgoing_secrets.allow(pushed.repo, [fingerprint(OTHER)])
    pushed.git("push", "origin", "main")


def test_a_new_branch_and_a_tag_are_looked_at(pushed):
    pushed.git("checkout", "-b", "side")
    pushed.leak("memory/a.md", f"key {KEY}\n")
    pushed.git("tag", "-a", "-m", "v1", "v1")
    assert "memory/a.md:1" in refused(pushed, "origin", "side")
    assert "memory/a.md:1" in refused(pushed, "origin", "v1")
    assert "memory/a.md:1" in refused(pushed, "--mirror", "origin")


def test_a_forced_push_and_a_tip_that_is_not_here(pushed, tmp_path):
    """Somebody else has pushed meanwhile: their commit is unknown here, ours are looked at all the same."""
    other = type(pushed)(tmp_path / "other")
    pushed.git("clone", "--quiet", tmp_path / "the remote", other.root)
    other.git("-c", "user.name=x", "-c", "user.email=y@z", "commit", "--allow-empty", "-m", "theirs")
    other.git("push", "--quiet")
    pushed.commit("work.txt", "x\n")
    pushed.git("push", "--force", "origin", "main")
    pushed.git("commit", "--amend", "-m", "anew")
    pushed.leak("memory/a.md", f"key {KEY}\n")
    assert "memory/a.md:1" in refused(pushed, "--force", "origin", "main")


def test_lines_that_nobody_understands_stop_the_push(pushed):
    with pytest.raises(ClawgitError, match="refs/heads/main"):
        outgoing_secrets.read_updates("refs/heads/main\n")
    assert outgoing_secrets.read_updates("") == []


def test_what_was_purged_does_not_come_back(pushed):
    pushed.commit("old.md", "words that were purged\n", "--no-verify")
    blob = pushed.git("rev-parse", "HEAD:old.md").strip()
    pushed.commit(".clawgit/purged.tsv", f"# clawgit purged 1\n{blob}\t2026-05-01\n", "--no-verify")
    assert f"bring back what was purged: {blob[:10]}" in refused(pushed, "origin", "main")
