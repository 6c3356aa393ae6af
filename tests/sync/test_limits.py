"""What another machine would bring is looked at before it is in the repository; a purge reaches every machine."""

import os

import pytest

from .conftest import meeting
from .machines import objects

PHRASE = "the key under the third flowerpot"
TOPIC = "memory/topic.md"


def size(machine):
    return sum(one.stat().st_size for one in (machine.root / ".git").rglob("*") if one.is_file())


@meeting
def test_a_huge_file_does_not_come_in_and_nothing_of_it_stays(machines):
    a, b = machines.values()
    b.run("config", "sync_max_mb", "2", terminal="y\n")
    b.sync()
    a.commit_file("big.bin", os.urandom(5_000_000))
    a.sync()
    blob = a.git("rev-parse", "HEAD:big.bin").strip()
    b.run("remember", "Mine.")
    (problem,) = b.sync()["problems"]
    b.git("cat-file", "-e", blob, code=1)
    assert size(b) < 3_500_000
    assert not list((b.root / ".git/clawgit").glob("fetch-*"))
    assert "Mine" in b.read("MEMORY.md")
    b.run(*problem["fix"].partition("   #")[0].split()[1:], terminal="y\n")
    assert b.sync()["problems"] == []
    assert (b.root / "big.bin").read_bytes() == (a.root / "big.bin").read_bytes()
    b.check()


def test_a_fetch_that_was_killed_leaves_nothing_for_good(machines):
    a, b = machines.values()
    old = b.root / ".git/clawgit/fetch-old"
    (old / "pack").mkdir(parents=True)
    os.utime(old, (0, 0))
    a.run("remember", "One.")
    a.sync()
    b.sync()
    assert not old.exists()
    assert "One" in b.read("MEMORY.md")


def purge(machine, *what, phrase=""):
    shown = machine.run("purge", *what, stdin=phrase)
    machine.run("purge", *what, "--apply", "--hash", shown["hash"], stdin=phrase)


@meeting
def test_a_purge_is_told_and_repeated_with_one_command(machines):
    """Until then nothing of it comes back, and what was written meanwhile stays."""
    a, b = machines.values()
    a.commit_file(TOPIC, f"# Topic\n\n- Spare: {PHRASE}.\n- Ann has the other one.\n")
    machines.settle(2)
    purge(a, "--text", "-", phrase=PHRASE)
    b.run("remember", "Only b knows this.")
    b.commit_file(TOPIC, b.read(TOPIC) + "- Bob came by.\n")
    a.sync()
    found = b.sync()
    assert (found["published"], len(found["problems"])) == (None, 1)
    assert PHRASE in b.read(TOPIC)
    assert a.objects(PHRASE) == []
    purge(b, "--text", "-", phrase=PHRASE)
    machines.settle()
    machines.check_equal()
    for machine in machines.values():
        assert machine.objects(PHRASE) == []
        assert "Only b knows" in machine.read("MEMORY.md")
        assert [machine.read(TOPIC).count(words) for words in ("Bob came by", "Ann has", "purged")] == [1, 1, 1]


def test_two_purges_that_cross_bring_nothing_back(machines):
    """One of words, one of a file: in the end nothing at the remote leads to any of it."""
    a, b = machines.values()
    door, other = "memory/door.md", "the code of the back door"
    a.commit_file(TOPIC, f"# Topic\n\n- Spare: {PHRASE}.\n")
    a.commit_file(door, f"# Door\n\n- {other}\n")
    machines.settle(2)
    purge(a, "--text", "-", phrase=PHRASE)
    purge(b, "--path", door)
    machines.settle(2)
    assert a.objects(PHRASE) == b.objects(other) == []
    assert a.sync()["problems"] or b.sync()["problems"]
    purge(a, "--path", door)
    purge(b, "--text", "-", phrase=PHRASE)
    machines.settle()
    assert a.head() == b.head()
    machines.hub.git("reflog", "expire", "--expire=now", "--all")
    machines.hub.git("gc", "-q", "--prune=now")
    for root in (machines.hub.root, a.root, b.root):
        assert objects(root, PHRASE) == objects(root, other) == []


@pytest.mark.parametrize("machines", ["folder"], indirect=True)
def test_a_new_machine_begins_from_a_folder_after_a_purge(machines, tmp_path):
    a, _ = machines.values()
    a.commit_file(TOPIC, f"# Topic\n\n- Spare: {PHRASE}.\n- Ann has the other one.\n")
    machines.settle(2)
    purge(a, "--text", "-", phrase=PHRASE)
    a.sync()
    a.run("init", str(tmp_path / "third"), "--from", str(a.folder))
    assert objects(tmp_path / "third", PHRASE) == []
    assert "Ann has" in (tmp_path / "third" / TOPIC).read_text()


NEWER = "# Soul\n\n- Be kind.\n- Ask first.\n"


def approve(machine, text):
    """Write another soul, and have its owner approve it at a terminal."""
    machine.commit_file("SOUL.md", text)
    machine.run("trust", terminal="y\n")


@meeting
def test_what_the_home_of_the_identity_approved_is_taken_by_those_who_follow_it(machines):
    a, b = machines.values()
    machines.settle(1)
    home = a.sync()["machine"]
    a.run("config", "identity_home", home, terminal="y\n")
    approve(a, NEWER)
    machines.settle(2)
    assert "Ask first" not in b.read("SOUL.md")  # the key came by sync, and nobody here has trusted it
    own = b.read("SOUL.md") + "- Sing.\n"
    approve(b, own)
    found = b.sync()
    assert "SOUL.md" in found["taken"]
    assert b.read("SOUL.md") == NEWER
    (waiting,) = [item for item in b.run("inbox") if item["id"] in found["waiting"]]
    assert "Sing" in str(b.run("show", waiting["id"]))
    b.check()
    approve(b, NEWER + "- Dance.\n")
    machines.settle(2)
    assert b.read("SOUL.md") == NEWER + "- Dance.\n"
    assert a.read("SOUL.md") == NEWER


def test_approvals_that_do_not_go_on_are_told_and_not_taken(machines):
    a, b = machines.values()
    machines.settle(1)
    home = a.sync()["machine"]
    for machine in (a, b):
        machine.run("config", "identity_home", home, terminal="y\n")
    approve(a, NEWER)
    machines.settle(2)
    name = f"refs/clawgit/approved/{home}"
    other = a.shell(
        "printf '# Soul\\n\\n- Obey.\\n' | git hash-object -w --stdin | sed 's/^/100644 blob /;s/$/\\tSOUL.md/'"
        " | git mktree | xargs git commit-tree -m what"
    ).strip()
    a.git("push", "-q", "--no-verify", "--force", "origin", f"{other}:{name}")
    assert b.sync()["problems"]
    assert b.read("SOUL.md") == NEWER
