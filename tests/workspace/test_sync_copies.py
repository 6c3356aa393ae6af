"""Copies that a sync program leaves are found, offered, and never served."""

import pytest

from clawgit import file_roles
from clawgit.workspace import sync_copies
from clawgit.workspace.capture_and_enforce import capture_and_enforce
from clawgit.workspace.inbox import list_items

JOURNAL = "memory/2026-02-14.md"
COPY = "memory/2026-02-14.sync-conflict-20260214-101010-ABCDEFG.md"


@pytest.mark.parametrize(
    ("path", "original"),
    [
        (COPY, JOURNAL),
        ("MEMORY.sync-conflict-20260214-101010-ABCDEFG.md", "MEMORY.md"),
        ("memory/a (Ann's conflicted copy 2026-02-14).md", "memory/a.md"),
        ("memory/a (conflicted copy 2026-02-14 101010).md", "memory/a.md"),
        ("main.sync-conflict-20260214-101010-ABCDEFG", "main"),
        ("MEMORY (1).md", "MEMORY.md"),
        ("memory/2026-02-14 2.md", JOURNAL),
        ("memory/2026-02-14 [conflicted].md", JOURNAL),
        ("memory/2026-02-14 (Ines の競合コピー 2026-02-14).md", JOURNAL),
        ("memory/2026-02-14 (copia in conflitto di Ines 2026-02-14).md", JOURNAL),
        ("memory/2026-02-14 (copy: conflict #1 on 2026-02-14).md", JOURNAL),
        ("memory/2026-02-14.Conflict.md", JOURNAL),
        ("memory/my_plan.conflict1.md", "memory/my_plan.md"),
        ("memory/2026-02-14_conflict-20260214-101010.md", JOURNAL),
        ("memory/my_plan_LAPTOP_Feb-14-101010-2026_Conflict.md", "memory/my_plan.md"),
        ("memory/plan (case conflict).md", "memory/plan.md"),
        ("memory/2026-02-14-conflict-with-marek.md", ""),
        ("memory/2026-02-14-pump-1.md", ""),
        ("memory/team_conflict.md", ""),
        ("memory/team (no conflict of interest).md", ""),
        ("memory/trip (Lisbon 2026-02-14).md", ""),
        ("memory/plan 2.md", ""),
        ("memory/2026-02-14 1.md", ""),
        (JOURNAL, ""),
        ("memory/conflict.md", ""),
        ("memory/sync-conflict.md", ""),
    ],
)
def test_a_copy_is_known_by_its_name(path, original):
    assert file_roles.copied_from(path) == original


def test_what_a_copy_has_more_is_offered_once_and_nothing_is_captured(place):
    place.write(JOURNAL, "# 2026-02-14\n\n- Marek replaced the pump.\n")
    capture_and_enforce(place.ws)
    place.write(COPY, "# 2026-02-14\n\n- Marek replaced the pump.\n- Olek called.\n")
    before = place.git("rev-parse", "HEAD")
    for _ in range(2):
        capture_and_enforce(place.ws)
    assert place.git("rev-parse", "HEAD") == before
    (item,) = place.ws.store.read_items("open")
    assert item.paths == (JOURNAL,)
    assert item.texts[JOURNAL][1].count("Marek") == 1
    assert "Olek called" in item.texts[JOURNAL][1]
    assert not file_roles.is_captured(COPY, tracked=True)
    assert file_roles.journal_day(COPY) is None


def test_a_copy_with_nothing_new_is_only_named(place):
    place.write(JOURNAL, "# 2026-02-14\n\n- Marek replaced the pump.\n")
    capture_and_enforce(place.ws)
    place.write(JOURNAL, "# 2026-02-14\n\n- Marek replaced the pump.\n- Ann called.\n")
    capture_and_enforce(place.ws)
    place.write(COPY, "# 2026-02-14\n\n- Marek replaced the pump.\n")
    capture_and_enforce(place.ws)
    assert list_items(place.ws) == []
    (problem,) = sync_copies.read_problems(place.ws.repo)
    assert COPY in problem.message


def test_a_repository_that_a_sync_program_touched_is_named(place):
    place.write(".git/refs/heads/main.sync-conflict-20260214-101010-ABCDEFG", "x\n")
    (problem,) = sync_copies.read_problems(place.ws.repo)
    assert ".git" in problem.message
