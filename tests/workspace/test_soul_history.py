"""Snapshots that others kept are imported beside the branch."""

from datetime import UTC, datetime

import pytest

from clawgit import file_roles
from clawgit.workspace.identity_edits import bring_in, moment

from .places import AWS


@pytest.mark.parametrize(
    ("name", "when"),
    [
        ("SOUL-2026-02-01", (2026, 2, 1)),
        ("SOUL_20260201", (2026, 2, 1)),
        ("SOUL_2026-02-01_02-30-59", (2026, 2, 1, 2, 30, 59)),
        ("soul-2026-02-01T02:30:00Z", (2026, 2, 1, 2, 30)),
        ("SOUL-2026-02-30", None),
        ("SOUL-v3", None),
    ],
)
def test_the_name_tells_the_moment(name, when):
    assert moment(name) == (datetime(*when, tzinfo=UTC) if when else None)


@pytest.fixture
def kept(place):
    """Snapshots of two days, in an order that their names do not have."""
    place.write("SOUL_HISTORY/b-2025-12-01.md", "# Soul 1\n")
    place.write("SOUL_HISTORY/a-2026-01-05T0230.md", "# Soul 2\n")
    place.write("SOUL_HISTORY/undated.md", "# Soul ?\n")
    return place


def test_they_become_commits_under_a_reference_and_the_branch_stays(kept):
    head, status = kept.head, kept.git("status", "--porcelain")
    tip, files = bring_in(kept.ws.repo)
    assert files == ("SOUL_HISTORY/b-2025-12-01.md", "SOUL_HISTORY/a-2026-01-05T0230.md")
    assert kept.git("log", "--format=%aI %s", file_roles.SOUL_HISTORY).splitlines() == [
        "2026-01-05T02:30:00+00:00 soul: SOUL_HISTORY/a-2026-01-05T0230.md",
        "2025-12-01T00:00:00+00:00 soul: SOUL_HISTORY/b-2025-12-01.md",
    ]
    assert (kept.head, kept.git("status", "--porcelain")) == (head, status)
    assert kept.git("rev-parse", file_roles.SOUL_HISTORY).strip() == tip


def test_what_is_no_text_or_holds_a_secret_is_left_out(kept):
    kept.write("SOUL_HISTORY/2026-01-06.md", f"key {AWS}\n")
    kept.write("SOUL_HISTORY/2026-01-07.md", b"\xff\n")
    (kept.root / "SOUL_HISTORY/2026-01-08.md").symlink_to("/etc/passwd")
    assert len(bring_in(kept.ws.repo)[1]) == 2
