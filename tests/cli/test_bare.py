"""A bare repository is read as a workspace is, and written by a push alone."""

import subprocess
from pathlib import Path

import pytest

from clawgit.errors import Exit


@pytest.fixture
def hub(call, space: Path, tmp_path: Path, inside) -> Path:
    """A bare repository with what the workspace holds."""
    assert call("memory", "add", "The relay is in Porto.").code == Exit.DONE
    assert call("journal", "add", "Met Ines at the harbour.").code == Exit.DONE
    place = tmp_path / "mira.git"
    subprocess.run(["git", "clone", "-q", "--bare", space, place], check=True)
    return place


READING = (
    ("log", "--json"),
    ("log", "SOUL.md", "--versions", "--json"),
    ("soul", "diff"),
    ("why", "SOUL.md:5", "--json"),
    ("memory", "list", "--json"),
    ("corrections", "--json"),
    ("config", "--json"),
)


def test_what_reads_answers_as_in_the_workspace(call, hub):
    for command in READING:
        here, there = call(*command), call("-C", hub, *command)
        if command[0] in ("log", "why") and "--versions" not in command:  # elsewhere it is claimed who made a commit
            doubted = {"claimed": True, "origin": None, "risk": None, "reasons": []}
            claims = [one | {key: value for key, value in doubted.items() if key in one} for one in here.json]
            assert (there.code, there.json) == (here.code, claims)
            continue
        assert (there.code, there.out) == (here.code, here.out)


def test_search_finds_and_status_tells_where_the_branch_is(call, hub, inside):
    found = call("-C", hub, "search", "where is the relay", "--json").json
    assert "Porto" in found["results"][0]["snippet"]
    told = call("-C", hub, "status", "--json").json
    assert told["branch"] == "main"
    assert told["head"] == inside("rev-parse", "HEAD").strip()
    assert {fix[:10] for fix in call("-C", hub, "status").out.split("fix: ")[1:]} == {"git clone "}


WRITING = (
    ("memory", "add", "x"),
    ("capture",),
    ("hooks", "install"),
    ("sync",),
    ("undo",),
    ("schedule", "once"),
    ("config", "top", "3"),
)


def test_what_writes_is_refused_with_a_way_out(call, hub):
    for command in WRITING:

        def stands():
            told = subprocess.run(["git", "for-each-ref"], cwd=hub, capture_output=True, text=True, check=True)
            return told.stdout, sorted(one.name for one in (hub / "hooks").glob("*"))

        before = stands()
        found = call("-C", hub, *command)
        assert found.code in (Exit.FAILED, Exit.USAGE), found
        assert "fix: " in found.err
        assert stands() == before


def test_one_without_a_commit_is_told_with_a_way_out(call, tmp_path):
    empty = tmp_path / "empty.git"
    subprocess.run(["git", "init", "-q", "--bare", empty], check=True)
    found = call("-C", empty, "log")
    assert found.code == Exit.FAILED
    assert "has no commit" in found.err
