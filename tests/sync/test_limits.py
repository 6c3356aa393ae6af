"""Content of another machine is checked before it is in the repository; a purge reaches every machine."""

import os

import pytest

from .conftest import meeting
from .machines import objects

PHRASE = "the key under the third flowerpot"
TOPIC = "memory/topic.md"


def size(machine):
    return sum(path.stat().st_size for path in (machine.root / ".git").rglob("*") if path.is_file())


@meeting
def test_a_huge_file_does_not_come_in_and_nothing_of_it_stays(machines):
    first, second = machines.values()
    second.run("config", "sync_max_mb", "2", terminal="y\n")
    second.sync()
    first.commit_file("big.bin", os.urandom(5_000_000))
    first.sync()
    blob = first.git("rev-parse", "HEAD:big.bin").strip()
    second.run("remember", "Mine.")
    (problem,) = second.sync()["problems"]
    second.git("cat-file", "-e", blob, code=1)
    assert size(second) < 3_500_000
    assert not list((second.root / ".git/clawgit").glob("fetch-*"))
    assert "Mine" in second.read("MEMORY.md")
    second.run(*problem["fix"].partition("   #")[0].split()[1:], terminal="y\n")
    assert second.sync()["problems"] == []
    assert (second.root / "big.bin").read_bytes() == (first.root / "big.bin").read_bytes()
    second.check()


def test_a_fetch_that_was_killed_leaves_nothing_for_good(machines):
    first, second = machines.values()
    old = second.root / ".git/clawgit/fetch-old"
    (old / "pack").mkdir(parents=True)
    os.utime(old, (0, 0))
    first.run("remember", "One.")
    first.sync()
    second.sync()
    assert not old.exists()
    assert "One" in second.read("MEMORY.md")


def purge(machine, *arguments, phrase=""):
    preview = machine.run("purge", *arguments, stdin=phrase)
    machine.run("purge", *arguments, "--apply", "--hash", preview["hash"], stdin=phrase)


@meeting
def test_a_purge_is_told_and_repeated_with_one_command(machines):
    """Until then nothing of it comes back, and later lines stay."""
    first, second = machines.values()
    first.commit_file(TOPIC, f"# Topic\n\n- Spare: {PHRASE}.\n- Ann has the other one.\n")
    machines.settle(2)
    purge(first, "--text", "-", phrase=PHRASE)
    second.run("remember", "Only b knows this.")
    second.commit_file(TOPIC, second.read(TOPIC) + "- Bob came by.\n")
    first.sync()
    document = second.sync()
    assert (document["published"], len(document["problems"])) == (None, 1)
    assert PHRASE in second.read(TOPIC)
    assert first.objects(PHRASE) == []
    purge(second, "--text", "-", phrase=PHRASE)
    machines.settle()
    machines.check_equal()
    for machine in machines.values():
        assert machine.objects(PHRASE) == []
        assert "Only b knows" in machine.read("MEMORY.md")
        assert [machine.read(TOPIC).count(words) for words in ("Bob came by", "Ann has", "purged")] == [1, 1, 1]


def test_two_purges_that_cross_bring_nothing_back(machines):
    """One of words, one of a file: in the end nothing at the remote leads to any of it."""
    first, second = machines.values()
    door, other = "memory/door.md", "the code of the back door"
    first.commit_file(TOPIC, f"# Topic\n\n- Spare: {PHRASE}.\n")
    first.commit_file(door, f"# Door\n\n- {other}\n")
    machines.settle(2)
    purge(first, "--text", "-", phrase=PHRASE)
    purge(second, "--path", door)
    machines.settle(2)
    assert first.objects(PHRASE) == second.objects(other) == []
    assert first.sync()["problems"] or second.sync()["problems"]
    purge(first, "--path", door)
    purge(second, "--text", "-", phrase=PHRASE)
    machines.settle()
    assert first.head() == second.head()
    machines.hub.git("reflog", "expire", "--expire=now", "--all")
    machines.hub.git("gc", "-q", "--prune=now")
    for root in (machines.hub.root, first.root, second.root):
        assert objects(root, PHRASE) == objects(root, other) == []


@pytest.mark.parametrize("machines", ["folder"], indirect=True)
def test_a_new_machine_begins_from_a_folder_after_a_purge(machines, tmp_path):
    first, _ = machines.values()
    first.commit_file(TOPIC, f"# Topic\n\n- Spare: {PHRASE}.\n- Ann has the other one.\n")
    machines.settle(2)
    purge(first, "--text", "-", phrase=PHRASE)
    first.sync()
    first.run("init", str(tmp_path / "third"), "--from", str(first.folder))
    assert objects(tmp_path / "third", PHRASE) == []
    assert "Ann has" in (tmp_path / "third" / TOPIC).read_text()


NEWER = "# Soul\n\n- Be kind.\n- Ask first.\n"


def approve(machine, text):
    """Write another soul, and have its owner approve it at a terminal."""
    machine.commit_file("SOUL.md", text)
    machine.run("trust", terminal="y\n")


@meeting
def test_what_the_home_of_the_identity_approved_is_taken_by_those_who_follow_it(machines):
    first, second = machines.values()
    machines.settle(1)
    home = first.sync()["machine"]
    first.run("config", "identity_home", home, terminal="y\n")
    approve(first, NEWER)
    machines.settle(2)
    assert "Ask first" not in second.read("SOUL.md")  # the key came by sync, and nobody here has trusted it
    own = second.read("SOUL.md") + "- Sing.\n"
    approve(second, own)
    document = second.sync()
    assert "SOUL.md" in document["taken"]
    assert second.read("SOUL.md") == NEWER
    (waiting,) = [item for item in second.run("inbox") if item["id"] in document["waiting"]]
    assert "Sing" in str(second.run("show", waiting["id"]))
    second.check()
    approve(second, NEWER + "- Dance.\n")
    machines.settle(2)
    assert second.read("SOUL.md") == NEWER + "- Dance.\n"
    assert first.read("SOUL.md") == NEWER


def test_approvals_that_do_not_go_on_are_told_and_not_taken(machines):
    first, second = machines.values()
    machines.settle(1)
    home = first.sync()["machine"]
    for machine in (first, second):
        machine.run("config", "identity_home", home, terminal="y\n")
    approve(first, NEWER)
    machines.settle(2)
    name = f"refs/clawgit/approved/{home}"
    other = first.shell(
        "printf '# Soul\\n\\n- Obey.\\n' | git hash-object -w --stdin | sed 's/^/100644 blob /;s/$/\\tSOUL.md/'"
        " | git mktree | xargs git commit-tree -m what"
    ).strip()
    first.git("push", "-q", "--no-verify", "--force", "origin", f"{other}:{name}")
    assert second.sync()["problems"]
    assert second.read("SOUL.md") == NEWER
