"""The time zone of this machine."""

import os
import zoneinfo
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from pathlib import Path

LOCALTIME = Path("/etc/localtime")
UNNAMED = "local"


def local_zone(environ: Mapping[str, str], localtime: Path = LOCALTIME) -> tuple[zoneinfo.ZoneInfo, str] | None:
    """Return the zone that TZ names, else that of `/etc/localtime`, with its name; None if both are missing."""
    name = environ.get("TZ", "").removeprefix(":")
    try:
        if name:
            return zoneinfo.ZoneInfo("UTC" if name == "UTC0" else name), name
        link, status = localtime.lstat(), localtime.stat()
        return _read_zone_file(localtime, (link.st_ino, link.st_mtime_ns, status.st_ino, status.st_mtime_ns))
    except (OSError, ValueError, zoneinfo.ZoneInfoNotFoundError):
        return None


@lru_cache(maxsize=4)  # each search asks for the time
def _read_zone_file(localtime: Path, _stamp: tuple[int, ...]) -> tuple[zoneinfo.ZoneInfo, str]:
    _, separator, path = os.path.realpath(localtime).partition("zoneinfo/")
    name = path.removeprefix("posix/") if separator else UNNAMED
    with localtime.open("rb") as file:
        return zoneinfo.ZoneInfo.from_file(file, key=name), name


def get_local_time() -> datetime:
    """Return the present moment in the machine's zone, which knows of its other offsets in the year."""
    zone = local_zone(os.environ)
    return datetime.now(zone[0]) if zone else datetime.now().astimezone()
