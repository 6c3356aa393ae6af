"""Snapshots that others kept are imported beside the branch."""

from datetime import UTC, datetime

import pytest

from clawgit.git import references
from clawgit.workspace import file_roles, identity_edits, identity_versions, records
from clawgit.workspace.identity_versions import bring_in, moment, snapshots

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


def test_a_folder_that_is_a_link_is_not_followed(place, tmp_path):
    (tmp_path / "2026-01-01.md").write_text("# not here\n")
    (place.root / "SOUL_HISTORY").symlink_to(tmp_path)
    assert snapshots(place.root) == ()
    assert bring_in(place.ws.repo) == (None, ())
    assert references.ours(place.ws.repo) == ()


def test_the_history_of_the_soul_and_its_days_have_them(kept):
    bring_in(kept.ws.repo)
    dates = [one.date.date().isoformat() for one in identity_versions.versions(kept.ws, everything=True)]
    assert dates == ["2026-02-14", "2026-01-05", "2025-12-01"] or dates[1:] == ["2026-01-05", "2025-12-01"]
    assert identity_edits.show(kept.ws, name="2025-12-24").text == "# Soul 1\n"
    assert identity_edits.show(kept.ws, name="2026-01-05").text == "# Soul 2\n"
    assert records.find(kept.ws, "HEAD") == kept.head
