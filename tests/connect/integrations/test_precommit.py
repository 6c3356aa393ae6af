"""A commit that brings a secret in is stopped; of broken text it is warned."""

import subprocess

import pytest

from clawgit.connect import hook_checks
from clawgit.safety import secrets

from .conftest import KEY, OTHER, PROGRAM


def found(place, index=None):
    return [one.message for one in hook_checks.problems(place.repo, index)]


def staged(place, path, text):
    place.write(path, text)
    place.git("add", "-f", "--", path)
    return found(place)


def test_a_secret_is_named_by_its_place_in_the_file_and_never_shown(place):
    place.commit("memory/a.md", "".join(f"line {n}\n" for n in range(9)))
    text = "new\n" + "".join(f"line {n}\n" for n in range(9)) + f"key {KEY}\n"
    (one,) = secrets.scan(f"key {KEY}")
    words = f"memory/a.md:11 holds a secret (aws-access-key, {one.fingerprint})"
    assert staged(place, "memory/a.md", text) == [words]
    place.install()
    done = place.run("commit", "-m", "by hand")
    assert (done.returncode, KEY in done.stdout + done.stderr) == (1, False)


def test_the_printed_command_lets_it_pass(place):
    """What only looks like a secret is let through by the command that the refusal names."""
    place.install()
    place.write("memory/a.md", f"key {KEY}\n")
    place.git("add", "-f", "memory/a.md")
    done = place.run("commit", "-m", "by hand")
    (fix,) = (line.partition("fix: ")[2].partition("   #")[0] for line in done.stderr.splitlines() if "fix: " in line)
    subprocess.run([PROGRAM, *fix.split()[1:]], cwd=place.root, check=True, capture_output=True)
    assert place.run("commit", "-m", "by hand").returncode == 0


def test_only_what_the_commit_adds_to_markdown_counts(place):
    place.commit("memory/a.md", f"key {KEY}\n")
    assert staged(place, "memory/a.md", f"key {KEY}\nmore\n") == []
    assert staged(place, "memory/b.md", f"moved: {KEY}\n") == [], "history has it already"
    assert staged(place, "app.py", f"key = '{OTHER}'\n") == []
    place.write("memory/c.md", f"key {OTHER}\n")
    assert found(place) == [], "it is not staged"


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (
            "agents/a/SOUL.md",
            "a\n<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n",
            "agents/a/SOUL.md:2 has conflict markers",
        ),
        ("agents/a/SOUL.md", b"a\nb\xff\n", "agents/a/SOUL.md:2 is not valid UTF-8 (byte 0xff)"),
        ("memory/b c\xe4.md", b"\xff\n", "memory/b c\xe4.md:1 is not valid UTF-8 (byte 0xff)"),
        ("docs/merging.md", "<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n", None),
    ],
)
def test_broken_text_is_told_of_what_the_agent_reads(place, path, text, expected):
    assert staged(place, path, text) == ([expected] if expected else [])


def test_markers_in_a_code_block_that_stood_there_already_are_content(place):
    place.commit("MEMORY.md", "# Memory\n\n```\n```\n")
    assert staged(place, "MEMORY.md", "# Memory\n\n```\n<<<<<<< a\nb\n=======\nc\n>>>>>>> d\n```\n") == []


def test_the_index_that_git_names_is_read(place):
    """`git commit FILE` makes an index of its own; the other staged file is not part of the commit."""
    place.write("memory/a.md", f"key {KEY}\n")
    place.write("memory/b.md", "x\n")
    place.git("add", "memory")
    place.install()
    assert "secret" not in place.git("commit", "-m", "b", "memory/b.md")
    done = place.run("commit", "-m", "a", "memory/a.md")
    assert done.returncode == 1
    assert "error: memory/a.md:1 holds a secret (aws-access-key" in done.stderr


def test_broken_text_stops_nothing(place):
    place.install()
    said = place.commit("SOUL.md", "one\n<<<<<<< a\n=======\n>>>>>>> b\n")
    assert "SOUL.md:2 has conflict markers" in said
    assert place.git("status", "--porcelain", "SOUL.md") == ""
