"""A bare repository lets in what is sound, and no way out takes a secret."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.promises.desk import Desk

PROGRAM = Path(sys.executable).with_name("clawgit")
KEY = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
MACHINES = "refs/clawgit/heads/"
COMMIT = ("commit", "-q", "--no-verify", "--allow-empty")


@pytest.fixture(autouse=True)
def path(monkeypatch):
    """Git calls hooks with a PATH of its own making: the program is found where it lies."""
    monkeypatch.setenv("PATH", f"{PROGRAM.parent}:{os.environ['PATH']}")


@pytest.fixture
def served(machines):
    """Two machines that meet at a guarded repository."""
    machines.settle(1)
    machines["a"].run("server", "install", str(machines.hub.root))
    return machines


def held(hub):
    """Return all that a bare repository has: references and objects."""
    return hub.git("for-each-ref"), hub.git("cat-file", "--batch-all-objects", "--batch")


def push(machine, *words, code=0):
    done = subprocess.run(
        ["git", "push", *words], cwd=machine.root, capture_output=True, text=True, check=False, env=os.environ
    )
    assert done.returncode == code, done.stderr
    return done.stderr


def refuse(machines, machine, words, *specs):
    """Push, and see it refused with these words, and nothing changed."""
    before = machines.hub.git("for-each-ref")
    said = push(machine, "-q", "--no-verify", "origin", *(specs or ("HEAD:refs/heads/main",)), code=1)
    assert words in " ".join(said.replace("remote:", " ").split()), said
    assert machines.hub.git("for-each-ref") == before
    return said


def test_a_secret_refuses_the_push_as_a_whole_until_the_servers_operator_allows_it(served):
    a = served["a"]
    a.commit_file("TOOLS.md", "# Tools\n\n- All well.\n")
    a.commit_file("notes.txt", f"token {KEY}\n")
    a.commit_file("notes.txt", "none\n")
    said = refuse(served, a, "holds a secret", "HEAD:refs/heads/main", f"HEAD:{MACHINES}kkkkkkkk")
    assert KEY not in said
    fingerprint = said.split("clawgit server allow REPO.git ")[1].split()[0]
    a.run("server", "allow", str(served.hub.root), fingerprint)
    push(a, "-q", "--no-verify", "origin", "HEAD:refs/heads/main")


def test_nothing_is_forced_and_nothing_deleted(served):
    a = served["a"]
    a.commit_file("x.md", "one\n")
    push(a, "-q", "origin", "HEAD:refs/heads/main", f"HEAD:{MACHINES}kkkkkkkk")
    a.git("commit", "-q", "--amend", "-m", "anew")
    refuse(served, a, "non-fast-forward", "+HEAD:refs/heads/main")
    refuse(served, a, "deletion prohibited", ":refs/heads/main")


def test_what_was_purged_does_not_come_back(served):
    a, b = served.values()
    b.commit_file("old.md", "to be forgotten\n")
    blob = b.git("rev-parse", "HEAD:old.md").strip()
    a.commit_file(".clawgit/purged.tsv", f"# clawgit purged 1\n{blob}\t2026-02-14\n")
    push(a, "-q", "origin", "HEAD:refs/heads/main")
    refuse(served, b, "bring back what was purged", f"HEAD:{MACHINES}kkkkkkkk")


def test_a_hostile_name_and_a_large_push_are_refused_as_a_whole(served):
    a, before = served["a"], held(served.hub)
    blob = a.git("hash-object", "-w", "--stdin", stdin="x").strip()
    tree = a.git("mktree", stdin=f"100644 blob {blob}\t.GIT\n").strip()
    hostile = a.git("commit-tree", tree, "-p", "HEAD", "-m", "hostile").strip()
    push(a, "-q", "--no-verify", "origin", f"{hostile}:refs/heads/main", code=1)
    a.run("server", "install", str(served.hub.root), "--max-push", "1")
    a.commit_file("noise.bin", os.urandom(3 << 20))
    push(a, "-q", "--no-verify", "origin", "HEAD:refs/heads/main", code=1)
    assert held(served.hub) == before


def test_what_stood_there_runs_on_and_comes_back(machines):
    a, hub = machines["a"], machines.hub
    hook = hub.root / "hooks/pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\ncat > seen\n")
    hook.chmod(0o755)
    hub.git("config", "receive.denyDeletes", "false")
    before = hook.read_text()
    for _ in range(2):
        a.run("server", "install", str(hub.root))
    a.commit_file("x.md", "one\n")
    push(a, "-q", "origin", "HEAD:refs/heads/main")
    assert "refs/heads/main" in (hub.root / "seen").read_text()
    a.run("server", "uninstall", str(hub.root))
    assert hook.read_text() == before
    assert hub.git("config", "receive.denyDeletes").strip() == "false"
    assert "clawgit" not in (hub.root / "config").read_text()


def test_without_the_program_nothing_comes_in(served, monkeypatch):
    hook = served.hub.root / "hooks/pre-receive"
    hook.write_text(hook.read_text().replace(str(PROGRAM), "/nowhere/clawgit"))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    served["a"].commit_file("x.md", "one\n")
    refuse(served, served["a"], "nothing can be pushed here")


# ---- no secret leaves in a message, a name, an author or a tag, whichever way out it takes


def commit_link(machine: Desk) -> None:
    """Commit a symbolic link that leads to a file with a token in its name."""
    (machine.root / "link").symlink_to(f"notes-{KEY}.md")
    machine.git("add", "link")
    machine.git(*COMMIT, "-m", "a link")


def commit_merge(machine: Desk) -> None:
    """Merge another branch, and add a file in the merge itself."""
    machine.git("branch", "-f", "side")
    machine.git(*COMMIT, "-m", "here")
    machine.git("switch", "-q", "side")
    machine.git(*COMMIT, "-m", "there")
    machine.git("switch", "-q", "main")
    machine.git("merge", "-q", "--no-commit", "--no-ff", "side")
    machine.commit_file(f"memory/{KEY}.md", "- All well.\n")


COMMITS = {
    "body": lambda machine: machine.git(*COMMIT, "-m", "deploy", "-m", f"once more\nwith {KEY} here"),
    "author": lambda machine: machine.git("-c", f"user.name=Ada {KEY}", *COMMIT, "-m", "notes"),
    "file name": lambda machine: machine.commit_file(f"memory/notes-{KEY}.md", "- All well.\n"),
    "link": commit_link,
    "merge": commit_merge,
}


def test_no_way_out_takes_a_secret_of_a_commit(served):
    a = served["a"]
    a.run("hooks", "install")
    begin, before = a.head(), held(served.hub)
    for kind, plant in COMMITS.items():
        plant(a)
        for way in ((), ("--no-verify",)):  # the hook here, and the server's
            said = push(a, "-q", *way, "origin", "HEAD:side", code=1)
            assert (KEY in said, a.head()[:10] in said) == (False, True), kind
        found = a.sync()
        assert (found["published"], KEY in str(found)) == (None, False), kind
        assert a.head()[:10] in str(found["problems"]), kind
        assert held(served.hub) == before, kind
        a.git("reset", "-q", "--hard", begin)
    a.git(*COMMIT, "-m", "nothing in it")
    push(a, "-q", "origin", "HEAD:side")
    assert a.sync()["published"]


REFERENCES = {
    "tag message": ("tag", "-a", "-m", f"made with {KEY}", "v1"),
    "branch name": ("branch", f"deploy/{KEY}"),
    "note": ("notes", "add", "-m", f"a note {KEY}"),
    "tagger": ("-c", f"user.name=Ada {KEY}", "tag", "-a", "-m", "plain", "v2"),
    "tag of a tag": ("tag", "-a", "-m", "plain", "outer", "inner"),
}


def test_no_way_out_takes_a_secret_of_a_reference_and_the_fix_is_one(served):
    a = served["a"]
    a.run("hooks", "install")
    a.git("tag", "-a", "-m", f"inner {KEY}", "inner")
    before = held(served.hub)
    known = set(a.git("for-each-ref", "--format=%(refname)").split())
    for kind, words in REFERENCES.items():
        a.git(*words)
        (name,) = set(a.git("for-each-ref", "--format=%(refname)").split()) - known
        for way in ((), ("--no-verify",)):
            push(a, "-q", *way, "origin", name, code=1)
        assert held(served.hub) == before, kind
        a.git("update-ref", "-d", name)
    a.git("tag", "-d", "inner")
    a.git("tag", "spring")
    push(a, "-q", "origin", "spring")
    a.git("tag", f"release-{KEY}")
    said = push(a, "--porcelain", "origin", "--tags", code=1)
    fix = said.partition("fix: ")[2].partition("   #")[0]
    a.shell(fix.replace("NEW_NAME", "autumn").replace("REMOTE", "origin"))
    assert "refs/tags/autumn" in str(held(served.hub))
    assert KEY not in str(held(served.hub))


def test_the_fix_for_a_secret_in_a_note_takes_that_note_out(served):
    a = served["a"]
    a.run("hooks", "install")
    a.git("notes", "add", "-m", "another note", "HEAD~1")
    a.git("notes", "add", "-m", KEY)
    said, head = push(a, "-q", "origin", "refs/notes/commits", code=1), a.head()
    a.shell(said.partition("fix: ")[2].partition("   #")[0])
    push(a, "-q", "origin", "refs/notes/commits")
    assert a.git("notes", "show", "HEAD~1") == "another note\n"
    assert a.head() == head


def test_what_is_allowed_goes_out_in_every_place(machines):
    a = machines["a"]
    a.run("hooks", "install")
    a.commit_file("memory/x.md", f"- {KEY}\n")
    said = push(a, "-q", "origin", "HEAD:side", code=1)
    a.run("hooks", "allow", said.split("clawgit hooks allow ")[1].split()[0], terminal="y\n")
    a.git("tag", KEY)
    push(a, "-q", "origin", "HEAD:side", KEY)
