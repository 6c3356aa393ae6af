"""A bare repository lets in what is sound, and refuses the rest as a whole."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from clawgit.connect import server_hooks
from clawgit.git.bare_repository import bare
from clawgit.git.repository import list_references
from clawgit.workspace import outgoing_secrets

from .machines import git

PROGRAM = Path(sys.executable).with_name("clawgit")
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
MACHINES = "refs/clawgit/heads/"


@pytest.fixture(autouse=True)
def path(monkeypatch):
    """Git calls hooks with a PATH of its own making: the program is found where it lies."""
    monkeypatch.setenv("PATH", f"{PROGRAM.parent}:{os.environ['PATH']}")


@pytest.fixture
def served(machines):
    """Two machines that meet at a guarded repository."""
    server_hooks.install(bare(machines.hub), PROGRAM)
    return machines


def push(machine, *specs, expect=0):
    done = subprocess.run(
        ["git", "push", "-q", "origin", *specs], cwd=machine.root, capture_output=True, text=True, check=False
    )
    assert (done.returncode != 0) == bool(expect), done.stderr
    return done.stderr


def refused(machines, machine, told, *specs):
    """Push, and see it refused with these words and with nothing changed."""
    before = list_references(bare(machines.hub).root)
    said = push(machine, *(specs or ("HEAD:refs/heads/main",)), expect=1)
    assert told in " ".join(said.replace("remote:", " ").split()), said
    assert list_references(bare(machines.hub).root) == before
    return said


def test_a_secret_refuses_the_push_as_a_whole_until_the_servers_operator_allows_it(served):
    a = served["a"]
    a.commit("TOOLS.md", "# Tools\n\n- All well.\n")
    a.commit("notes.txt", f"token {SECRET}\n")
    a.commit("notes.txt", "none\n")
    said = refused(served, a, "holds a secret", "HEAD:refs/heads/main", f"HEAD:{MACHINES}kkkkkkkk")
    assert SECRET not in said
    fingerprint = said.split("clawgit server allow REPO.git ")[1].split()[0]
    outgoing_secrets.allow(bare(served.hub), [fingerprint])
    push(a, "HEAD:refs/heads/main")


def test_nothing_is_forced_and_nothing_deleted(served):
    a = served["a"]
    a.commit("x.md", "one\n")
    push(a, "HEAD:refs/heads/main", f"HEAD:{MACHINES}kkkkkkkk")
    git(a.root, "-c", "user.name=A", "-c", "user.email=a@b", "commit", "-q", "--amend", "-m", "anew")
    refused(served, a, "non-fast-forward", "+HEAD:refs/heads/main")
    refused(served, a, "deletion prohibited", ":refs/heads/main")


def test_what_was_purged_does_not_come_back(served):
    a, b = served["a"], served["b"]
    b.commit("old.md", "to be forgotten\n")
    blob = git(b.root, "rev-parse", "HEAD:old.md").strip()
    a.commit(".clawgit/purged.tsv", f"# clawgit purged 1\n{blob}\t2026-02-14\n")
    push(a, "HEAD:refs/heads/main")
    refused(served, b, "bring back what was purged", f"HEAD:{MACHINES}kkkkkkkk")


def tree_with(root, name):
    """Commit a tree with a name that git itself would not add."""
    blob = git(root, "hash-object", "-w", "--stdin").strip()
    entry = b"100644 " + name + b"\0" + bytes.fromhex(blob)
    made = subprocess.run(
        ["git", "hash-object", "-t", "tree", "-w", "--literally", "--stdin"],
        cwd=root,
        input=entry,
        capture_output=True,
        check=True,
    )
    tree = made.stdout.decode().strip()
    return git(
        root, "-c", "user.name=A", "-c", "user.email=a@b", "commit-tree", tree, "-p", "HEAD", "-m", "hostile"
    ).strip()


@pytest.mark.parametrize("name", [b"..", b".GIT"])
def test_a_hostile_tree_is_refused(served, name):
    before = list_references(bare(served.hub).root)
    push(served["a"], f"{tree_with(served['a'].root, name)}:refs/heads/main", expect=1)
    assert list_references(bare(served.hub).root) == before


def test_a_large_push_is_refused_before_it_is_unpacked(served):
    a = served["a"]
    server_hooks.install(bare(served.hub), PROGRAM, largest=1 << 20)
    a.commit("noise.bin", os.urandom(3 << 20))
    before = list_references(bare(served.hub).root)
    push(a, "HEAD:refs/heads/main", expect=1)
    assert list_references(bare(served.hub).root) == before


def test_what_stood_there_runs_on_and_comes_back(machines):
    hook = machines.hub / "hooks/pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\ncat > seen\n")
    hook.chmod(0o755)
    git(machines.hub, "config", "receive.denyDeletes", "false")
    before = (machines.hub / "config").read_text(), hook.read_text()
    server_hooks.install(bare(machines.hub), PROGRAM)
    server_hooks.install(bare(machines.hub), PROGRAM)
    machines["a"].add("The relay is in Porto.")
    push(machines["a"], "HEAD:refs/heads/main")
    assert "refs/heads/main" in (machines.hub / "seen").read_text()
    server_hooks.uninstall(bare(machines.hub))
    assert hook.read_text() == before[1]
    assert git(machines.hub, "config", "receive.denyDeletes").strip() == "false"
    assert "clawgit" not in (machines.hub / "config").read_text()


def test_without_the_program_nothing_comes_in(served, monkeypatch, tmp_path):
    hook = served.hub / "hooks/pre-receive"
    hook.write_text(hook.read_text().replace(str(PROGRAM), "/nowhere/clawgit"))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    served["a"].add("The relay is in Porto.")
    refused(served, served["a"], "nothing can be pushed here")
