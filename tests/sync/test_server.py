"""A bare repository lets in sound pushes, and no way out takes a secret."""

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
    """Git calls hooks with a PATH of its own making: the program is found in its place."""
    monkeypatch.setenv("PATH", f"{PROGRAM.parent}:{os.environ['PATH']}")


@pytest.fixture
def guarded_machines(machines):
    """Two machines that meet at a guarded repository."""
    machines.settle(1)
    machines["a"].run("server", "install", str(machines.hub.root))
    return machines


def list_contents(hub):
    """Return all that a bare repository has: references and objects."""
    return hub.git("for-each-ref"), hub.git("cat-file", "--batch-all-objects", "--batch")


def push(machine, *words, code=0):
    result = subprocess.run(
        ["git", "push", *words], cwd=machine.root, capture_output=True, text=True, check=False, env=os.environ
    )
    assert result.returncode == code, result.stderr
    return result.stderr


def refuse(machines, machine, words, *specs):
    """Push, and see it refused with these words, and nothing changed."""
    before = machines.hub.git("for-each-ref")
    output = push(machine, "-q", "--no-verify", "origin", *(specs or ("HEAD:refs/heads/main",)), code=1)
    assert words in " ".join(output.replace("remote:", " ").split()), output
    assert machines.hub.git("for-each-ref") == before
    return output


def test_a_secret_refuses_the_push_as_a_whole_until_the_servers_operator_allows_it(guarded_machines):
    machine = guarded_machines["a"]
    machine.commit_file("TOOLS.md", "# Tools\n\n- All well.\n")
    machine.commit_file("notes.txt", f"token {KEY}\n")
    machine.commit_file("notes.txt", "none\n")
    output = refuse(guarded_machines, machine, "holds a secret", "HEAD:refs/heads/main", f"HEAD:{MACHINES}kkkkkkkk")
    assert KEY not in output
    fingerprint = output.split("clawgit server allow REPO.git ")[1].split()[0]
    machine.run("server", "allow", str(guarded_machines.hub.root), fingerprint)
    push(machine, "-q", "--no-verify", "origin", "HEAD:refs/heads/main")


def test_nothing_is_forced_and_nothing_deleted(guarded_machines):
    machine = guarded_machines["a"]
    machine.commit_file("x.md", "one\n")
    push(machine, "-q", "origin", "HEAD:refs/heads/main", f"HEAD:{MACHINES}kkkkkkkk")
    machine.git("commit", "-q", "--amend", "-m", "anew")
    refuse(guarded_machines, machine, "non-fast-forward", "+HEAD:refs/heads/main")
    refuse(guarded_machines, machine, "deletion prohibited", ":refs/heads/main")


def test_what_was_purged_does_not_come_back(guarded_machines):
    first, second = guarded_machines.values()
    second.commit_file("old.md", "to be forgotten\n")
    blob = second.git("rev-parse", "HEAD:old.md").strip()
    first.commit_file(".clawgit/purged.tsv", f"# clawgit purged 1\n{blob}\t2026-02-14\n")
    push(first, "-q", "origin", "HEAD:refs/heads/main")
    refuse(guarded_machines, second, "bring back what was purged", f"HEAD:{MACHINES}kkkkkkkk")


def test_a_hostile_name_and_a_large_push_are_refused_as_a_whole(guarded_machines):
    machine, before = guarded_machines["a"], list_contents(guarded_machines.hub)
    blob = machine.git("hash-object", "-w", "--stdin", stdin="x").strip()
    tree = machine.git("mktree", stdin=f"100644 blob {blob}\t.GIT\n").strip()
    hostile = machine.git("commit-tree", tree, "-p", "HEAD", "-m", "hostile").strip()
    push(machine, "-q", "--no-verify", "origin", f"{hostile}:refs/heads/main", code=1)
    machine.run("server", "install", str(guarded_machines.hub.root), "--max-push", "1")
    machine.commit_file("noise.bin", os.urandom(3 << 20))
    push(machine, "-q", "--no-verify", "origin", "HEAD:refs/heads/main", code=1)
    assert list_contents(guarded_machines.hub) == before


def test_what_stood_there_runs_on_and_comes_back(machines):
    machine, hub = machines["a"], machines.hub
    hook = hub.root / "hooks/pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\ncat > seen\n")
    hook.chmod(0o755)
    hub.git("config", "receive.denyDeletes", "false")
    before = hook.read_text()
    for _ in range(2):
        machine.run("server", "install", str(hub.root))
    machine.commit_file("x.md", "one\n")
    push(machine, "-q", "origin", "HEAD:refs/heads/main")
    assert "refs/heads/main" in (hub.root / "seen").read_text()
    machine.run("server", "uninstall", str(hub.root))
    assert hook.read_text() == before
    assert hub.git("config", "receive.denyDeletes").strip() == "false"
    assert "clawgit" not in (hub.root / "config").read_text()


def test_without_the_program_nothing_comes_in(guarded_machines, monkeypatch):
    hook = guarded_machines.hub.root / "hooks/pre-receive"
    hook.write_text(hook.read_text().replace(str(PROGRAM), "/nowhere/clawgit"))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    guarded_machines["a"].commit_file("x.md", "one\n")
    refuse(guarded_machines, guarded_machines["a"], "nothing can be pushed here")


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


def test_no_way_out_takes_a_secret_of_a_commit(guarded_machines):
    machine = guarded_machines["a"]
    machine.run("hooks", "install")
    begin, before = machine.head(), list_contents(guarded_machines.hub)
    for kind, plant in COMMITS.items():
        plant(machine)
        for way in ((), ("--no-verify",)):  # the hook here, and the server's
            output = push(machine, "-q", *way, "origin", "HEAD:side", code=1)
            assert (KEY in output, machine.head()[:10] in output) == (False, True), kind
        document = machine.sync()
        assert (document["published"], KEY in str(document)) == (None, False), kind
        assert machine.head()[:10] in str(document["problems"]), kind
        assert list_contents(guarded_machines.hub) == before, kind
        machine.git("reset", "-q", "--hard", begin)
    machine.git(*COMMIT, "-m", "nothing in it")
    push(machine, "-q", "origin", "HEAD:side")
    assert machine.sync()["published"]


REFERENCES = {
    "tag message": ("tag", "-a", "-m", f"made with {KEY}", "v1"),
    "branch name": ("branch", f"deploy/{KEY}"),
    "note": ("notes", "add", "-m", f"a note {KEY}"),
    "tagger": ("-c", f"user.name=Ada {KEY}", "tag", "-a", "-m", "plain", "v2"),
    "tag of a tag": ("tag", "-a", "-m", "plain", "outer", "inner"),
}


def test_no_way_out_takes_a_secret_of_a_reference_and_the_fix_is_one(guarded_machines):
    machine = guarded_machines["a"]
    machine.run("hooks", "install")
    machine.git("tag", "-a", "-m", f"inner {KEY}", "inner")
    before = list_contents(guarded_machines.hub)
    references = set(machine.git("for-each-ref", "--format=%(refname)").split())
    for kind, words in REFERENCES.items():
        machine.git(*words)
        (name,) = set(machine.git("for-each-ref", "--format=%(refname)").split()) - references
        for way in ((), ("--no-verify",)):
            push(machine, "-q", *way, "origin", name, code=1)
        assert list_contents(guarded_machines.hub) == before, kind
        machine.git("update-ref", "-d", name)
    machine.git("tag", "-d", "inner")
    machine.git("tag", "spring")
    push(machine, "-q", "origin", "spring")
    machine.git("tag", f"release-{KEY}")
    output = push(machine, "--porcelain", "origin", "--tags", code=1)
    fix = output.partition("fix: ")[2].partition("   #")[0]
    machine.shell(fix.replace("NEW_NAME", "autumn").replace("REMOTE", "origin"))
    assert "refs/tags/autumn" in str(list_contents(guarded_machines.hub))
    assert KEY not in str(list_contents(guarded_machines.hub))


def test_the_fix_for_a_secret_in_a_note_takes_that_note_out(guarded_machines):
    machine = guarded_machines["a"]
    machine.run("hooks", "install")
    machine.git("notes", "add", "-m", "another note", "HEAD~1")
    machine.git("notes", "add", "-m", KEY)
    output, head = push(machine, "-q", "origin", "refs/notes/commits", code=1), machine.head()
    machine.shell(output.partition("fix: ")[2].partition("   #")[0])
    push(machine, "-q", "origin", "refs/notes/commits")
    assert machine.git("notes", "show", "HEAD~1") == "another note\n"
    assert machine.head() == head


def test_what_is_allowed_goes_out_in_every_place(machines):
    machine = machines["a"]
    machine.run("hooks", "install")
    machine.commit_file("memory/x.md", f"- {KEY}\n")
    output = push(machine, "-q", "origin", "HEAD:side", code=1)
    machine.run("hooks", "allow", output.split("clawgit hooks allow ")[1].split()[0], terminal="y\n")
    machine.git("tag", KEY)
    push(machine, "-q", "origin", "HEAD:side", KEY)
