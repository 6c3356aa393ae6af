"""Versions that were seen: bounded, the oldest go first."""

from datetime import UTC, datetime, timedelta

from clawgit.git import repository
from clawgit.workspace import seen_versions


def texts(place, path: str) -> list[str]:
    return [one.text for one in seen_versions.versions(repository.find(place.root), path)]


def keep(place, path: str, data: bytes, at: float) -> None:
    seen_versions.keep_blob(repository.find(place.root), path, data, at)


def test_only_the_newest_versions_stay_each_once(place, monkeypatch) -> None:
    monkeypatch.setattr(seen_versions, "MAX_VERSIONS", 4)
    keep(place, "b.md", b"other", 0)
    for number in (0, 1, 2, 3, 1):
        keep(place, "a.md", b"%d" % number, 10 if number == 1 else number)
    assert texts(place, "a.md") == ["1", "3", "2"]
    assert texts(place, "b.md") == []


def test_what_was_last_seen_long_ago_goes(place) -> None:
    now = datetime(2026, 5, 1, tzinfo=UTC)
    keep(place, "a.md", b"old", (now - timedelta(days=15)).timestamp())
    keep(place, "a.md", b"new", (now - timedelta(days=13)).timestamp())
    seen_versions.expire(repository.find(place.root), now)
    assert texts(place, "a.md") == ["new"]


def test_one_that_came_into_a_commit_goes(place) -> None:
    repo = repository.find(place.root)
    keep(place, "memory/a.md", b"- one\n", 1)
    keep(place, "memory/a.md", b"- two\n", 2)
    place.commit({"memory/a.md": "- one\n"})
    place.commit({"memory/a.md": "- three\n"})
    seen_versions.tidy(repository.find(place.root))
    assert texts(place, "memory/a.md") == ["- two\n"]
    assert [one.version.text for one in seen_versions.list_seen(repo)] == ["- two\n"]


def test_one_that_is_seen_during_a_look_stays(place, monkeypatch) -> None:
    def is_committed(repo, path, oid):
        seen_versions.keep_blob(repo, "memory/b.md", b"- two\n", 2)  # as another process does
        return path == "memory/a.md"

    keep(place, "memory/a.md", b"- one\n", 1)
    monkeypatch.setattr(seen_versions, "_is_committed", is_committed)
    seen_versions.tidy(repository.find(place.root))
    assert (texts(place, "memory/a.md"), texts(place, "memory/b.md")) == ([], ["- two\n"])


def test_one_of_which_git_has_dropped_the_bytes_is_none(place) -> None:
    keep(place, "memory/a.md", b"- one\n", 1)
    place.git("gc", "--quiet", "--prune=now")
    assert texts(place, "memory/a.md") == []
