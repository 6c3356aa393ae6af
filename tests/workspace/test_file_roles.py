"""Which file is what."""

import pytest

from clawgit import file_roles


def test_identity_is_guarded_and_nothing_else():
    own = ["SOUL.md", "USER.md", "BOOTSTRAP.md", "agents/memory-miner/SOUL.md"]
    others = ["MEMORY.md", "CONFIG.md", "memory/SOUL.md", "agents/SOUL.md", "agents/a/b/SOUL.md"]
    assert [path for path in (*own, *others) if file_roles.guarded(path)] == own


@pytest.mark.parametrize(
    ("glob", "path", "fits"),
    [
        ("docs/*.md", "docs/a.md", True),
        ("docs/*.md", "docs/b/a.md", False),
        ("docs/**/*.md", "docs/a.md", True),
        ("docs/**", "docs/b/a.txt", True),
        ("notes?.md", "notes12.md", False),
        ("a.b", "aXb", False),
        ("*a" * 20 + "*b.md", "a" * 200 + ".md", False),  # takes no time
        ("**/" * 20 + "b.md", "a/" * 60 + "a.md", False),
    ],
)
def test_globs_mean_what_they_mean_to_git(glob, path, fits):
    assert file_roles.is_captured("deep/" + path, ["deep/" + glob]) is fits


JOURNAL = "memory/2026-02-14.md"


@pytest.mark.parametrize(
    ("path", "original"),
    [
        ("memory/2026-02-14.sync-conflict-20260214-101010-ABCDEFG.md", JOURNAL),
        ("memory/a (Ann's conflicted copy 2026-02-14).md", "memory/a.md"),
        ("MEMORY (1).md", "MEMORY.md"),
        ("memory/2026-02-14 2.md", JOURNAL),
        ("memory/2026-02-14 (Ines の競合コピー 2026-02-14).md", JOURNAL),
        ("memory/2026-02-14 (copy: conflict #1 on 2026-02-14).md", JOURNAL),
        ("memory/my_plan_LAPTOP_Feb-14-101010-2026_Conflict.md", "memory/my_plan.md"),
        ("memory/2026-02-14-conflict-with-marek.md", ""),
        ("memory/team (no conflict of interest).md", ""),
        ("memory/trip (Lisbon 2026-02-14).md", ""),
        ("memory/plan 2.md", ""),
    ],
)
def test_a_copy_of_a_sync_program_is_known_by_its_name_and_not_captured(path, original):
    assert file_roles.copied_from(path) == original
    assert file_roles.is_captured(path, tracked=True) is not bool(original)
