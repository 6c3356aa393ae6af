"""No secret leaves with a push, whichever way it takes, unless somebody says that it is none."""

from .conftest import KEY, OTHER


def push_in_vain(place, *arguments):
    """Push in vain; return the output."""
    result = place.run("push", *arguments)
    assert result.returncode == 1, result.stderr
    return result.stderr


def test_a_secret_in_history_is_told_with_its_commit_and_place_until_it_is_allowed(place, tmp_path):
    from clawgit.workspace import outgoing_secrets  # noqa: PLC0415

    place.install()
    place.git("init", "--bare", "-b", "main", tmp_path / "the remote")
    place.git("remote", "add", "origin", tmp_path / "the remote")
    place.git("push", "--quiet", "origin", "main")
    before = place.head
    place.leak("src/deep er/äpp.py", f"# one\nkey = '{KEY}'\n")
    leak = place.head[:10]
    place.commit("src/deep er/äpp.py", "nothing\n")
    output = push_in_vain(place, "origin", "main")
    assert f"{leak} src/deep er/äpp.py:2 holds a secret (aws-access-key, " in output
    assert f"fix: git rebase -i {leak}^" in output
    assert KEY not in output
    place.git("tag", "-a", "-m", "v1", "v1")
    for arguments in (
        ("origin", "main:other"),
        ("origin", "v1"),
        ("--mirror", "origin"),
        ("--force", "origin", "main"),
    ):
        assert "äpp.py:2" in push_in_vain(place, *arguments)
    assert before == place.git("rev-parse", "main", cwd=tmp_path / "the remote").strip()
    outgoing_secrets.allow(place.repo, [output.partition("aws-access-key, ")[2].partition(")")[0]])
    place.git("push", "origin", "main")

    # Somebody else has pushed meanwhile: their commit is unknown here, ours are looked at all the same.
    other = type(place)(tmp_path / "other")
    place.git("clone", "--quiet", tmp_path / "the remote", other.root)
    other.git("-c", "user.name=x", "-c", "user.email=y@z", "commit", "--allow-empty", "-m", "theirs")
    other.git("push", "--quiet")
    place.leak("memory/a.md", f"key {OTHER}\n")
    assert "memory/a.md:1" in push_in_vain(place, "--force", "origin", "main")


def test_what_was_purged_does_not_come_back(place, tmp_path):
    place.install()
    place.git("init", "--bare", "-b", "main", tmp_path / "the remote")
    place.git("remote", "add", "origin", tmp_path / "the remote")
    place.commit("old.md", "words that were purged\n", "--no-verify")
    blob = place.git("rev-parse", "HEAD:old.md").strip()
    place.commit(".clawgit/purged.tsv", f"# clawgit purged 1\n{blob}\t2026-05-01\n", "--no-verify")
    assert f"bring back what was purged: {blob[:10]}" in push_in_vain(place, "origin", "main")
