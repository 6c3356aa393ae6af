"""Which file is what."""

import pytest

from clawgit import file_roles


@pytest.mark.parametrize("path", ["SOUL.md", "USER.md", "BOOTSTRAP.md", "agents/memory-miner/SOUL.md"])
def test_identity_is_guarded(path):
    assert file_roles.guarded(path)


@pytest.mark.parametrize(
    "path", ["MEMORY.md", "CONFIG.md", "soul.md", "memory/SOUL.md", "agents/SOUL.md", "agents/a/b/SOUL.md", "x/SOUL.md"]
)
def test_nothing_else_is_guarded(path):
    assert not file_roles.guarded(path)


@pytest.mark.parametrize(
    ("path", "mine"),
    [
        ("SOUL.md", True),
        ("notes.md", True),
        ("memory/a/b.md", True),
        ("Archive/Chronicles/2025.md", True),
        ("agents/soul-keeper/SOUL.md", True),
        ("agents/soul-keeper/notes.md", False),
        ("node_modules/a/README.md", False),
        (".env", False),
        ("memory/data.json", False),
        ("src/app.py", False),
    ],
)
def test_what_others_wrote_is_committed_only_in_scope(path, mine):
    assert file_roles.is_captured(path) is mine


@pytest.mark.parametrize(
    ("glob", "path", "fits"),
    [
        ("docs/*.md", "docs/a.md", True),
        ("docs/*.md", "docs/b/a.md", False),
        ("docs/**/*.md", "docs/a.md", True),
        ("docs/**/*.md", "docs/b/c/a.md", True),
        ("docs/**", "docs/b/a.txt", True),
        ("notes?.md", "notes1.md", True),
        ("notes?.md", "notes12.md", False),
        ("a.b", "aXb", False),
        ("*a" * 20 + "*b.md", "a" * 200 + ".md", False),  # takes no time
        ("**/" * 20 + "b.md", "a/" * 60 + "a.md", False),
    ],
)
def test_globs_mean_what_they_mean_to_git(glob, path, fits):
    assert file_roles.is_captured("deep/" + path, ["deep/" + glob]) is fits
