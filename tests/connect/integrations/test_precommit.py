"""A commit that brings a secret in is stopped."""

import subprocess

import pytest

from .conftest import KEY, OTHER, PROGRAM


def commit_in_vain(place):
    """Commit the staged files, which is refused; return the output."""
    result = place.run("commit", "-m", "by hand")
    assert result.returncode == 1
    return result.stderr


@pytest.fixture
def place(place):
    """A workspace with hooks."""
    place.install()
    return place


def test_a_secret_is_named_by_its_place_in_the_file_and_never_shown(place):
    lines = "".join(f"line {number}\n" for number in range(9))
    place.commit("memory/a.md", lines)
    place.write("memory/a.md", f"new\n{lines}key {KEY}\n")
    place.git("add", "memory/a.md")
    output = commit_in_vain(place)
    assert "error: memory/a.md:11 holds a secret (aws-access-key, " in output
    assert KEY not in output


def test_the_printed_command_lets_it_pass(place):
    """A string that only looks like a secret passes by the command in the refusal."""
    place.write("memory/a.md", f"key {KEY}\n")
    place.git("add", "-f", "memory/a.md")
    output = commit_in_vain(place)
    (fix,) = (line.partition("fix: ")[2].partition("   #")[0] for line in output.splitlines() if "fix: " in line)
    subprocess.run([PROGRAM, *fix.split()[1:]], cwd=place.root, check=True, capture_output=True)
    assert place.run("commit", "-m", "by hand").returncode == 0


def test_only_what_the_commit_adds_to_markdown_counts(place):
    place.leak("memory/a.md", f"key {KEY}\n")
    place.write("memory/c.md", f"key {OTHER}\n")  # it is not staged
    for path, text in (
        ("memory/a.md", f"key {KEY}\nmore\n"),
        ("memory/b.md", f"moved: {KEY}\n"),  # history has it already
        ("app.py", f"key = '{OTHER}'\n"),
    ):
        assert "secret" not in place.commit(path, text)


def test_the_index_that_git_names_is_read(place):
    """`git commit FILE` makes an index of its own; the other staged file is not part of the commit."""
    place.write("memory/a.md", f"key {KEY}\n")
    place.write("memory/b.md", "x\n")
    place.git("add", "memory")
    assert "secret" not in place.git("commit", "-m", "b", "memory/b.md")
    result = place.run("commit", "-m", "a", "memory/a.md")
    assert result.returncode == 1
    assert "error: memory/a.md:1 holds a secret (aws-access-key" in result.stderr
