"""Versions that were seen: bounded, the oldest go first."""

import random
from datetime import UTC, datetime, timedelta

import pytest

from clawgit.errors import ClawgitError
from clawgit.git import repository
from clawgit.workspace import seen_versions
from clawgit.workspace.seen_versions import SeenVersions


@pytest.fixture
def kept(place):
    found = SeenVersions(repository.find(place.root))
    yield found
    found.close()


def texts(place, path: str) -> list[str]:
    return [one.text for one in seen_versions.versions(repository.find(place.root), path)]


def test_of_one_file_only_the_newest_versions_stay(place, kept, monkeypatch) -> None:
    monkeypatch.setattr(seen_versions, "MOST_VERSIONS", 3)
    for number in range(6):
        assert kept.keep("a.md", b"%d" % number, number)
    kept.keep("b.md", b"other", 0)
    assert texts(place, "a.md") == ["5", "4", "3"]
    assert texts(place, "b.md") == ["other"]


def test_in_all_there_is_room_for_so_many_bytes_and_the_file_shrinks(place, kept, monkeypatch) -> None:
    monkeypatch.setattr(seen_versions, "MOST_BYTES", 40_000)
    for number in range(200):
        kept.keep(f"{number}.md", random.Random(number).randbytes(1500), number)
    there = list(seen_versions.versions(repository.find(place.root)))
    assert there[0].path == "199.md"
    assert len(there) < 100
    kept.drop(lambda path, oid: True)
    kept.close()
    assert (place.root / ".git/clawgit/state/seen.db").stat().st_size < 30_000


def test_what_was_last_seen_long_ago_goes(place, kept) -> None:
    now = datetime(2026, 5, 1, tzinfo=UTC)
    kept.keep("a.md", b"old", (now - timedelta(days=31)).timestamp())
    kept.keep("a.md", b"new", (now - timedelta(days=29)).timestamp())
    seen_versions.expire(repository.find(place.root), now)
    assert texts(place, "a.md") == ["new"]


def test_a_damaged_file_of_versions_is_none_and_no_crash(place) -> None:
    state = place.root / ".git/clawgit/state"
    state.mkdir(parents=True, exist_ok=True)
    (state / "seen.db").write_bytes(b"no database" * 100)
    assert texts(place, "a.md") == []
    with pytest.raises(ClawgitError):
        SeenVersions(repository.find(place.root))
