"""Days of another season are those of their own offset, also where no zone is configured."""

import zoneinfo
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from clawgit.language.iso_dates import start_of
from clawgit.workspace import local_zone


@pytest.mark.parametrize("name", ["Europe/Berlin", ":America/New_York"])
def test_the_machines_zone_knows_of_its_other_offsets(monkeypatch, name):
    monkeypatch.setenv("TZ", name)
    now = local_zone.now()
    offsets = {start_of(datetime(2026, month, 1, tzinfo=UTC).date(), now.tzinfo).utcoffset() for month in (1, 7)}
    assert max(offsets) - min(offsets) == timedelta(hours=1)


def test_a_zone_that_has_no_name_is_the_offset_of_the_moment(monkeypatch):
    monkeypatch.setenv("TZ", "nowhere/land")
    assert local_zone.now().utcoffset() is not None


def test_a_machine_without_zones_has_none(tmp_path):
    assert local_zone.local_zone({}, tmp_path / "localtime") is None


def test_the_zone_of_a_file_has_a_name_for_people(tmp_path):
    """A model was told `zoneinfo.ZoneInfo.from_file(…)`."""
    there = next(
        (Path(place) / "Europe/Berlin" for place in zoneinfo.TZPATH if (Path(place) / "Europe/Berlin").exists()), None
    )
    if there is None:
        pytest.skip("zones of the system; get them: apt-get install tzdata")
    plain = tmp_path / "localtime"
    plain.write_bytes(there.read_bytes())
    zone, name = local_zone.local_zone({}, plain)
    assert str(zone) == name == local_zone.UNNAMED
    plain.unlink()
    plain.symlink_to(there)
    zone, name = local_zone.local_zone({}, plain)
    assert str(zone) == name == "Europe/Berlin"
