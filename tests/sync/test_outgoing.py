"""No secret leaves in a message, a name, an author or a tag, whichever way out it takes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from clawgit.connect import git_hooks, server_hooks
from clawgit.git.bare_repository import bare
from clawgit.safety import secrets
from clawgit.workspace import outgoing_secrets

from .machines import git

PROGRAM = Path(sys.executable).with_name("clawgit")
KEY = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
EMPTY = ("commit", "-q", "--no-verify", "--allow-empty")


@pytest.fixture(autouse=True)
def path(monkeypatch):
    """Git calls hooks with a PATH of its own making."""
    monkeypatch.setenv("PATH", f"{PROGRAM.parent}:{os.environ['PATH']}")
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "Ada")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "ada@example.org")


@pytest.fixture
def machine(machines):
    """A machine whose memory is at the remote already."""
    machines.settle(1)
    return machines["a"]


def sent(hub):
    """Return all that a bare repository holds: references and objects."""
    words = ["git", "cat-file", "--batch-all-objects", "--batch"]
    return git(hub, "for-each-ref").encode() + subprocess.run(words, cwd=hub, capture_output=True, check=True).stdout


def run(machine, *words, **more):
    """Run git in the workspace; return its exit code and all that it said."""
    environment = os.environ | more
    done = subprocess.run(
        ["git", *words], cwd=machine.root, env=environment, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


def commit_file(path, data="- All well.\n", message="notes"):
    """Return what commits a file."""

    def plant(machine):
        machine.write(path, data)
        git(machine.root, "add", "-f", "--", path)
        git(machine.root, "commit", "-q", "--no-verify", "-m", message)

    return plant


def commit_as(**who):
    """Return what commits under a name or an address."""
    return lambda machine: run(machine, *EMPTY, "-m", "notes", **who)


def commit_link(machine):
    """Commit a symbolic link that leads to a file with a token in its name."""
    (machine.root / "link").symlink_to(f"notes-{KEY}.md")
    git(machine.root, "add", "link")
    git(machine.root, "commit", "-q", "--no-verify", "-m", "a link")


def merge_file(machine):
    """Merge another branch, and add a file in the merge itself."""
    root = machine.root
    git(root, "branch", "-f", "side")
    git(root, *EMPTY, "-m", "here")
    git(root, "checkout", "-q", "side")
    git(root, *EMPTY, "-m", "there")
    git(root, "checkout", "-q", "main")
    git(root, "merge", "-q", "--no-commit", "--no-ff", "side")
    commit_file(f"memory/{KEY}.md", message="joined")(machine)


COMMITS = {
    "body": lambda machine: git(machine.root, *EMPTY, "-m", "deploy", "-m", f"once more\nwith {KEY} here"),
    "author": commit_as(GIT_AUTHOR_NAME=f"Ada {KEY}"),
    "file name": commit_file(f"memory/notes-{KEY}.md"),
    "link": commit_link,
    "merge": merge_file,
}


def test_no_way_out_takes_a_secret_of_a_commit(machine, machines):
    machine.root.joinpath(".git/hooks").mkdir(exist_ok=True)
    git_hooks.install(machine.open().repo, PROGRAM)
    server_hooks.install(bare(machines.hub), PROGRAM)
    begin, before = machine.head, sent(machines.hub)
    for kind, plant in COMMITS.items():
        plant(machine)
        assert machine.head != begin, kind
        for words in (("push", "-q", "origin", "HEAD:side"), ("push", "-q", "--no-verify", "origin", "HEAD:side")):
            code, said = run(machine, *words)
            assert (code, KEY in said, machine.head[:10] in said) == (1, False, True), (kind, said)
        found = machine.sync()
        assert found.published is None, kind
        assert [machine.head[:10] in one.message for one in found.problems] == [True], kind
        assert KEY not in f"{found.problems}", kind
        assert sent(machines.hub) == before, kind
        git(machine.root, "reset", "-q", "--hard", begin)
    git(machine.root, *EMPTY, "-m", "nothing in it")
    assert run(machine, "push", "-q", "origin", "HEAD:side")[0] == 0
    assert machine.sync().published


REFERENCES = {
    "tag message": ("tag", "-a", "-m", f"made with {KEY}", "v1"),
    "branch name": ("branch", f"deploy/{KEY}"),
    "note": ("notes", "add", "-m", f"a note {KEY}"),
}


def test_no_way_out_takes_a_secret_of_a_reference(machine, machines):
    git_hooks.install(machine.open().repo, PROGRAM)
    server_hooks.install(bare(machines.hub), PROGRAM)
    machine.commit("notes.txt", "- All well.\n")
    run(machine, "push", "-q", "origin", "HEAD:main")
    root, before = machine.root, sent(machines.hub)
    known = set(git(root, "for-each-ref", "--format=%(refname)").split())
    blob = subprocess.run(
        ["git", "hash-object", "-w", "--stdin"], input=KEY, cwd=root, capture_output=True, text=True, check=True
    ).stdout.strip()
    kinds = REFERENCES | {
        "tagger": ("-c", "x.y=z", "tag", "-a", "-m", "plain", "v2"),
        "tag of a file": ("tag", "file", blob),
        "tag of a tag": ("tag", "-a", "-m", "plain", "outer", "inner"),
    }
    git(root, "tag", "-a", "-m", f"inner {KEY}", "inner")
    known.add("refs/tags/inner")
    for kind, words in kinds.items():
        who = {"GIT_COMMITTER_NAME": f"Ada {KEY}"} if kind == "tagger" else {}
        assert run(machine, *words, **who)[0] == 0, kind
        (name,) = set(git(root, "for-each-ref", "--format=%(refname)").split()) - known
        for way in ((), ("--no-verify",)):  # the hook here, and the server's
            code, said = run(machine, "push", "-q", *way, "origin", name)
            assert code == 1, (kind, said)
        assert sent(machines.hub) == before, kind
        git(root, "update-ref", "-d", name)


def test_plain_references_go_out(machine):
    git_hooks.install(machine.open().repo, PROGRAM)
    root = machine.root
    run(machine, "push", "-q", "origin", "HEAD:main")
    git(root, "tag", "spring")
    git(root, "tag", "-a", "-m", "a release", "v1")
    assert run(machine, "push", "-q", "origin", "spring", "v1")[0] == 0


def test_what_is_allowed_goes_out_in_every_place(machine, machines):
    git_hooks.install(machine.open().repo, PROGRAM)
    with machine.open() as workspace:
        outgoing_secrets.allow(workspace.repo, [secrets.scan(KEY)[0].fingerprint])
    commit_file(f"memory/{KEY}.md", message=f"with {KEY}")(machine)
    git(machine.root, "tag", KEY)
    assert run(machine, "push", "-q", "origin", "HEAD:side", KEY)[0] == 0
