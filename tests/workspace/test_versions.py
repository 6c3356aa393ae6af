"""Versions of an identity file, thinned by age."""

from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from clawgit.workspace import identity_versions

NOW = datetime(2026, 2, 14, tzinfo=UTC)
DATES = st.lists(st.integers(0, 770).map(lambda days: NOW - timedelta(days=days)), max_size=40)


@given(DATES, st.integers(0, 400))
def test_all_that_is_young_and_the_last_of_each_month_stay(dates, days):
    found = [(date, str(number)) for number, date in enumerate(sorted(dates, reverse=True))]
    limit = NOW - timedelta(days=days)
    kept = list(identity_versions.thinned(found, limit))
    assert [one for one in kept if one[0] >= limit] == [one for one in found if one[0] >= limit]
    months = {}
    for date, name in found:
        months.setdefault((date.year, date.month), (date, name))
    assert [one for one in kept if one[0] < limit] == [
        one for one in found if one[0] < limit and one in months.values()
    ]
    assert kept == [one for one in found if one in kept]


def test_a_month_is_that_of_the_operator():
    """A commit of the 31st at 23:30 UTC belongs to the next month in Berlin."""
    berlin = timezone(timedelta(hours=1))
    found = [(datetime(2024, 1, 31, 23, 30, tzinfo=UTC), "b"), (datetime(2024, 1, 31, 12, tzinfo=UTC), "a")]
    assert len(list(identity_versions.thinned(found, NOW.astimezone(berlin)))) == 2
    assert len(list(identity_versions.thinned(found, NOW))) == 1


def test_the_configured_retention_and_deletions(place):
    for number in range(4):
        place.later(days=1)
        place.git("config", "user.name", "Ada")
        place.commit({"SOUL.md": f"# {number}\n"})
    place.git("rm", "-q", "SOUL.md")
    place.git("commit", "-qm", "gone")
    assert len(identity_versions.versions(place.ws)) == len(identity_versions.versions(place.ws, everything=True)) == 5
    text = place.text("CONFIG.md")
    place.write("CONFIG.md", text.replace("soul_history_retention_days: 90", "soul_history_retention_days: 999999999"))
    assert len(identity_versions.versions(place.open())) == 5


def test_an_agents_soul_is_exported_under_its_own_name(place, tmp_path):
    path = "agents/soul-keeper/SOUL.md"
    found = identity_versions.versions(place.ws, path)
    (file,) = identity_versions.export(place.ws, found, tmp_path / "out", path)
    assert file.name.startswith("agents-soul-keeper-SOUL-")
    assert file.read_bytes() == place.committed(path)
