"""The time zone that times of day are meant in."""

import zoneinfo
from collections.abc import Mapping
from datetime import UTC, tzinfo
from pathlib import Path

from clawgit.errors import ClawgitError
from clawgit.workspace import settings
from clawgit.workspace.config import Config
from clawgit.workspace.local_zone import LOCALTIME, local_zone


def zone(config: Config, environ: Mapping[str, str], localtime: Path = LOCALTIME) -> tuple[tzinfo, str]:
    """Return the zone of CONFIG.md, else the machine's by TZ and `/etc/localtime`, else UTC; and its name.

    Raises ClawgitError where CONFIG.md names one that is not known here.
    """
    name = _configured(config)
    if name in ("UTC", "Etc/UTC"):
        return UTC, "UTC"
    return (zoneinfo.ZoneInfo(name), name) if name else _machines(environ, localtime)


def _configured(config: Config) -> str:
    shown = config.shown(settings.KEYS["timezone"])
    if not shown.problem:
        return str(shown.value)
    if shown.value in ("UTC", "Etc/UTC") or not zoneinfo.available_timezones():
        if shown.value in ("UTC", "Etc/UTC"):
            return "UTC"
        raise ClawgitError(
            f"this machine has no time zone data, and CONFIG.md:{shown.line} names {shown.value!r}",
            fix="apt-get install tzdata   # or, where clawgit is installed: pip install tzdata",
        )
    raise shown.problem


def _machines(environ: Mapping[str, str], localtime: Path) -> tuple[tzinfo, str]:
    if environ.get("TZ", "").removeprefix(":") in ("UTC", "Etc/UTC", "UTC0"):
        return UTC, "UTC"
    return local_zone(environ, localtime) or (UTC, "UTC")
