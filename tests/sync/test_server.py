"""A bare repository lets in what is sound, refuses the rest as a whole, and brings the heads together."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from clawgit.errors import ClawgitError, UsageError
from clawgit.git.bare_repository import bare, tips
from clawgit.integrations import server_hooks
from clawgit.sync import bare_merge
from clawgit.workspace import allowed_secrets

from .machines import Machines, git

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
    before = tips(bare(machines.hub))
    said = push(machine, *(specs or ("HEAD:refs/heads/main",)), expect=1)
    assert told in " ".join(said.replace("remote:", " ").split()), said
    assert tips(bare(machines.hub)) == before
    return said


def test_what_is_sound_comes_in(served):
    served["a"].add("The relay is in Porto.")
    push(served["a"], "HEAD:refs/heads/main", f"HEAD:{MACHINES}kkkkkkkk", "HEAD:refs/heads/other")


def test_a_secret_refuses_the_push_as_a_whole_until_the_servers_operator_allows_it(served):
    a = served["a"]
    a.commit("TOOLS.md", "# Tools\n\n- All well.\n")
    a.commit("notes.txt", f"token {SECRET}\n")
    a.commit("notes.txt", "none\n")
    said = refused(served, a, "holds a secret", "HEAD:refs/heads/main", f"HEAD:{MACHINES}kkkkkkkk")
    assert SECRET not in said
    fingerprint = said.split("clawgit server allow REPO.git ")[1].split()[0]
    allowed_secrets.allow(bare(served.hub), [fingerprint])
    push(a, "HEAD:refs/heads/main")


@pytest.mark.parametrize("text", ["Be kind.\u200b", "Be \U000e0041kind.", "abc\u202edef"])
def test_hidden_text_is_refused_in_markdown(served, text):
    served["a"].commit("memory/2026-02-14.md", f"# Day\n\n- {text}\n")
    refused(served, served["a"], "holds hidden text")
    assert "memory/2026-02-14.md:3" in push(served["a"], "HEAD:refs/heads/main", expect=1)


def test_nothing_is_forced_and_nothing_deleted(served):
    a = served["a"]
    a.commit("x.md", "one\n")
    push(a, "HEAD:refs/heads/main", f"HEAD:{MACHINES}kkkkkkkk")
    git(a.root, "-c", "user.name=A", "-c", "user.email=a@b", "commit", "-q", "--amend", "-m", "anew")
    refused(served, a, "its history was written anew", "+HEAD:refs/heads/main")
    refused(served, a, "its history was written anew", f"+HEAD:{MACHINES}kkkkkkkk")
    refused(served, a, "would be deleted", ":refs/heads/main")


def test_nothing_else_of_ours_and_no_other_workspace_comes_in(served, tmp_path, mould):
    refused(served, served["a"], "is no head of a machine", "HEAD:refs/clawgit/pending")
    refused(served, served["a"], "is no head of a machine", f"HEAD:{MACHINES}somebody")
    git(served["a"].root, "checkout", "-q", "--orphan", "new")
    served["a"].commit("x.md", "of another\n")
    refused(served, served["a"], "nothing in common", f"HEAD:{MACHINES}kkkkkkkk")


def test_what_was_purged_does_not_come_back(served):
    a, b = served["a"], served["b"]
    b.commit("old.md", "to be forgotten\n")
    blob = git(b.root, "rev-parse", "HEAD:old.md").strip()
    a.commit(".clawgit/purged.tsv", f"# clawgit purged 1\n{blob}\t2026-02-14\n")
    push(a, "HEAD:refs/heads/main")
    refused(served, b, "bring back 1 objects that were purged", f"HEAD:{MACHINES}kkkkkkkk")


def link(machine, path, target):
    (machine.root / path).symlink_to(target)
    git(machine.root, "add", "-f", path)
    git(machine.root, "-c", "user.name=A", "-c", "user.email=a@b", "commit", "-q", "-m", "link")


def test_links_submodules_and_names_of_the_same_letters_are_refused(served):
    a = served["a"]
    start = a.head
    for path, told in (("MEMORY2.md", "is a link"), ("memory/x.md", "is a link")):
        (a.root / path).parent.mkdir(exist_ok=True)
        link(a, path, "/etc/passwd")
        refused(served, a, told)
        git(a.root, "reset", "-q", "--hard", start)
    git(a.root, "update-index", "--add", "--cacheinfo", f"160000,{start},sub")
    git(a.root, "-c", "user.name=A", "-c", "user.email=a@b", "commit", "-q", "-m", "sub")
    refused(served, a, "is a repository of its own")
    git(a.root, "reset", "-q", "--hard", start)
    blob = git(a.root, "hash-object", "-w", "--stdin").strip()
    git(a.root, "update-index", "--add", "--cacheinfo", f"100644,{blob},soul.md")
    git(a.root, "-c", "user.name=A", "-c", "user.email=a@b", "commit", "-q", "-m", "soul")
    refused(served, a, "are one file on other disks")


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


@pytest.mark.parametrize("name", [b".git", b"..", b".GIT", b"git~1", b"a\nb.md", b"C:x.md", b"x .", b"\xff.md"])
def test_a_hostile_tree_is_refused(served, name):
    before = tips(bare(served.hub))
    push(served["a"], f"{tree_with(served['a'].root, name)}:refs/heads/main", expect=1)
    assert tips(bare(served.hub)) == before


def test_a_large_file_is_refused_and_a_large_push_before_it_is_unpacked(served):
    a = served["a"]
    start = a.head
    a.commit("big.bin", bytes(17 << 20))
    refused(served, a, "no more than 16,777,216 come in")
    git(a.root, "reset", "-q", "--hard", start)
    server_hooks.install(bare(served.hub), PROGRAM, largest=1 << 20)
    a.commit("noise.bin", os.urandom(3 << 20))
    before = tips(bare(served.hub))
    push(a, "HEAD:refs/heads/main", expect=1)
    assert tips(bare(served.hub)) == before


def identity(machines, *whose):
    server_hooks.install(bare(machines.hub), PROGRAM, identity=whose)


def test_identity_comes_in_from_those_alone_that_the_policy_names(served):
    a, b = served["a"], served["b"]
    identity(served, "kkkkkkkk")
    b.commit("SOUL.md", "# Soul\n\n- Be grand.\n")
    refused(served, b, "would change SOUL.md", f"HEAD:{MACHINES}llllllll")
    refused(served, b, "would change SOUL.md")
    a.commit("SOUL.md", "# Soul\n\n- Be brief.\n")
    push(a, f"HEAD:{MACHINES}kkkkkkkk")
    assert git(served.hub, "show", "main:SOUL.md") == "# Soul\n\n- Be brief.\n"
    git(b.root, "fetch", "-q")
    git(b.root, "reset", "-q", "--hard", "origin/main")
    b.commit("memory/note.md", "- Fine.\n")
    push(b, f"HEAD:{MACHINES}llllllll")
    assert git(served.hub, "show", "main:SOUL.md") == "# Soul\n\n- Be brief.\n"


def test_with_the_policy_none_nobody_changes_who_it_is(served):
    identity(served, "none")
    served["a"].commit("SOUL.md", None)
    refused(served, served["a"], "lets nobody do that")


def test_what_the_policy_may_say_is_checked(served):
    for wrong in (("somebody",), ("any", "none"), ("none", "kkkkkkkk")):
        with pytest.raises(UsageError):
            identity(served, *wrong)


def test_heads_of_five_clones_come_together_on_the_branch(mould, tmp_path):
    names = tuple("abcde")
    machines = Machines(mould, tmp_path, names)
    server_hooks.install(bare(machines.hub), PROGRAM)
    ids = dict(zip(names, ("kkkkkkkk", "llllllll", "mmmmmmmm", "nnnnnnnn", "oooooooo"), strict=True))
    for name, machine in machines.items():
        machine.add(f"{name} knows the relay in Porto.")
        machine.note(f"{name} was here.")
    with ThreadPoolExecutor(5) as pool:
        list(pool.map(lambda name: push(machines[name], f"HEAD:{MACHINES}{ids[name]}"), names))
    branch = tips(bare(machines.hub))["refs/heads/main"]
    text = git(machines.hub, "show", f"{branch}:MEMORY.md")
    assert all(f"{name} knows the relay in Porto." in text for name in names)
    assert bare_merge.merge(bare(machines.hub)).commit is None
    machines.settle(2)
    assert len({machine.tree for machine in machines.values()}) == 1
    git(machines.hub, "fsck", "--no-dangling", "--strict")
    for machine in machines.values():
        machine.agrees()


def test_the_branch_is_what_the_machines_would_have_come_to_without_a_server(mould, tmp_path):
    trees = []
    for guarded in (False, True):
        home = tmp_path / str(guarded)
        home.mkdir()
        machines = Machines(mould, home, ("a", "b"))
        if guarded:
            server_hooks.install(bare(machines.hub), PROGRAM)
        machines["a"].edit("SOUL.md", "Be kind.", "Be kind and brief.")
        machines["b"].commit("AGENTS.md", "# Agents\n\n- Ask first.\n")
        machines["a"].commit("TOOLS.md", "# Tools\n\n- One.\n")
        machines.settle(3)
        trees.append(git(machines.hub, "ls-tree", "-r", "main:").splitlines())
    names = [[row for row in rows if ".clawgit/" not in row] for rows in trees]
    assert names[0] == names[1]


def test_a_head_that_cannot_be_merged_holds_up_none_of_the_others(served):
    a, b = served["a"], served["b"]
    a.commit("data.csv", "1\n")
    push(a, "HEAD:refs/heads/main")
    b.commit("data.csv", "2\n")
    said = push(b, f"HEAD:{MACHINES}llllllll")
    assert "a head is left out" in said
    a.add("The relay is in Porto.")
    push(a, f"HEAD:{MACHINES}kkkkkkkk")
    assert "The relay is in Porto." in git(served.hub, "show", "main:MEMORY.md")


def test_a_partition_heals(served):
    a, b = served["a"], served["b"]
    hidden = served.hub.with_name("away")
    served.hub.rename(hidden)
    for number in range(5):
        a.add(f"a wrote {number} of the relay.")
        b.add(f"b wrote {number} of the relay.")
    with pytest.raises(ClawgitError):
        a.sync()
    hidden.rename(served.hub)
    served.settle(3)
    assert a.tree == b.tree
    assert all(f"{who} wrote {number} of the relay." in a.text("MEMORY.md") for who in "ab" for number in range(5))


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


def test_a_working_tree_is_no_server(machines):
    with pytest.raises(ClawgitError, match="has a working tree"):
        bare(machines["a"].root)
    with pytest.raises(ClawgitError, match="is no folder"):
        bare(machines.home / "nowhere")
