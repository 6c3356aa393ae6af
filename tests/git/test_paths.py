"""No path leads out of the workspace or into git's folder."""
# ruff: noqa: E501 -- lists of samples

import posixpath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.errors import ClawgitError
from clawgit.git.paths import check, is_inside


@pytest.mark.parametrize(
    ("path", "clean"),
    [
        ("SOUL.md", "SOUL.md"),
        ("./memory//2026-01-20.md", "memory/2026-01-20.md"),
        ("memory/a: b.md", "memory/a: b.md"),
        ('memory/Ana\'s "notes".md', 'memory/Ana\'s "notes".md'),
        ("memory/日記 2026.md", "memory/日記 2026.md"),
        (".gitignore", ".gitignore"),
        (".clawgit/entries.tsv", ".clawgit/entries.tsv"),
        ("a..b/c.md", "a..b/c.md"),
        ("legit~1.md", "legit~1.md"),
        ("a\\b.md", "a\\b.md"),
    ],
)
def test_ordinary_names_pass(path, clean):
    """Colons, spaces, quotes, dots and any script are legal; slashes come out single."""
    assert check(path) == clean


@pytest.mark.parametrize(
    "path",
    [
        "", " ", ".", "./", "/", "/etc/passwd", "//server/share", "\\\\server\\share", "C:\\x.md", "c:x.md", "C:/x",
        "..", "../x", "a/../x", "a/..", "a/.. /x", "..\\x", "a\\..\\x", "a/..\u200c/x",
        ".git", ".git/config", "a/.git/x", ".GIT/x", ".Git", ".git ", ".git.", ".git. ./x", ".git::$INDEX_ALLOCATION/x", ".git:x",
        "git~1", "GIT~1/config", "git~2/x", ".g\u200cit/config", "\ufeff.git/x", ".git\u200f", "a\\.git\\config",
        "a\0b", "a\nb.md", "a\tb", "\ud800.md", "SOUL.md.", "SOUL.md ", "memory /x.md", "...", "a/. /b",
    ],
)  # fmt: skip
def test_tricks_are_refused_with_a_way_out(path):
    """The error names the fault and the fix."""
    with pytest.raises(ClawgitError) as refusal:
        check(path)
    assert refusal.value.message
    assert refusal.value.fix


@given(st.text(st.sampled_from("ab.:~ /\\git\u200c"), max_size=12) | st.text())
def test_what_passes_is_clean_and_inside(path):
    """A checked path is stable, relative and has neither `..` nor `.git`."""
    try:
        clean = check(path)
    except ClawgitError:
        return
    assert check(clean) == clean == posixpath.normpath(clean)
    assert not {"..", ".git"} & {part.lower() for part in clean.split("/")}
    assert is_inside("/w", clean)


@pytest.mark.parametrize(
    ("root", "path", "answer"),
    [
        ("/w", "a.md", True),
        ("/w", "/w/a.md", True),
        ("/w", "a/../b.md", True),
        ("/w", "../x", False),
        ("/w", "/w2/a.md", False),
        ("/", "/etc", True),
    ],
)
def test_inside_compares_folders_not_letters(root, path, answer):
    """`/w2` is not inside `/w`; `..` is resolved lexically first."""
    assert is_inside(root, path) is answer
