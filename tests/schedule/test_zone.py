"""Times of day are meant in the operator's time zone."""

import subprocess
import sys
import zoneinfo
from datetime import UTC
from pathlib import Path

import pytest

from clawgit.errors import ClawgitError
from clawgit.schedule.job_timetable import zone
from clawgit.workspace import config


def found(block="", localtime=Path("/nowhere"), **environ):
    return zone(config.read(f"```yaml\n{block}\n```\n"), environ, localtime)


def test_config_goes_before_the_machine():
    here, name = found("timezone: Asia/Tokyo", TZ="Europe/Berlin")
    assert (here.key, name) == ("Asia/Tokyo", "Asia/Tokyo")


@pytest.mark.parametrize("name", ["Europe/Berlin", ":Europe/Berlin"])
def test_then_the_variable_of_the_machine(name):
    assert found(TZ=name)[1] == "Europe/Berlin"


def test_then_its_file(tmp_path):
    database = next(Path(folder) for folder in zoneinfo.TZPATH if (Path(folder) / "Europe/Berlin").exists())
    link = tmp_path / "localtime"
    link.symlink_to(database / "Europe/Berlin")
    assert found(localtime=link)[1] == "Europe/Berlin"
    copy = tmp_path / "copy"
    copy.write_bytes((database / "Europe/Berlin").read_bytes())
    assert found(localtime=copy)[1] == "local"


@pytest.mark.parametrize("environ", [{}, {"TZ": "UTC"}, {"TZ": "Nowhere/Land"}, {"TZ": "CET-1CEST,M3.5.0,M10.5.0/3"}])
def test_then_utc(environ):
    assert found(**environ) == (UTC, "UTC")


def test_a_zone_that_nobody_knows_is_named_with_its_line():
    with pytest.raises(ClawgitError, match=r"CONFIG\.md:2: timezone: 'Europe/Berln' is not a time zone"):
        found("timezone: Europe/Berln")


def test_a_machine_without_time_zone_data_says_so_and_knows_utc():
    script = (
        "import sys; sys.modules['tzdata'] = None\n"
        "from pathlib import Path\n"
        "from clawgit.errors import ClawgitError\n"
        "from clawgit.schedule.job_timetable import zone\n"
        "from clawgit.workspace import config\n"
        "for block in ('timezone: Europe/Berlin', 'timezone: UTC', ''):\n"
        "    try:\n"
        "        print(zone(config.read('```yaml\\n' + block + '\\n```\\n'), {}, Path('/nowhere'))[1])\n"
        "    except ClawgitError as exc:\n"
        "        print(exc.message, '|', exc.fix)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], env={"PYTHONTZPATH": ""}, capture_output=True, text=True, check=True
    )
    error, *rest = done.stdout.splitlines()
    assert error.startswith(
        "this machine has no time zone data, and CONFIG.md:2 names 'Europe/Berlin' | apt-get install"
    )
    assert rest == ["UTC", "UTC"]
