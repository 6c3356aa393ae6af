"""Chooses the timer that is meant."""

import shutil
from collections.abc import Mapping
from pathlib import Path

from clawgit.errors import ClawgitError, Command, timer_missing
from clawgit.integrations.timers.crontab import Crontab
from clawgit.integrations.timers.openclaw import OpenClaw
from clawgit.integrations.timers.systemd import Systemd
from clawgit.integrations.timers.timer import Timer, called
from clawgit.schedule.runner_state import Place
from clawgit.workspace import config
from clawgit.workspace.host.host import Host

BOOTED = Path("/run/systemd/system")
"""Is there where systemd runs (sd_booted(3))."""


def timer(means: str | None, place: Place, program: Path, environ: Mapping[str, str]) -> Timer:
    """Return the timer of a workspace. Raises ClawgitError where nothing of the kind is on this machine."""
    minutes = int(config.load(place.root).value("poll_minutes"))
    command = called(place, program, environ, minutes)
    match means or _usual():
        case "systemd":
            return Systemd(command, environ)
        case "cron":
            return Crontab(command)
        case _:
            host = Host(environ)
            return OpenClaw(command, host.version, next((one.id for one in host.owners(place.root)), ""))


def standing(place: Place, program: Path, environ: Mapping[str, str]) -> tuple[list[Timer], list[str]]:
    """Return the timers that call clawgit for a workspace, and a sentence for each that could not be looked at."""
    try:
        command = called(place, program, environ, 1)
    except ClawgitError:  # no timer can name it, so none does
        return [], []
    known: list[Timer] = [Systemd(command, environ)]
    known += [Crontab(command)] if shutil.which("crontab") else []
    known += [OpenClaw(command, None)] if shutil.which("openclaw") else []
    found, unknown = list[Timer](), list[str]()
    for one in known:
        try:
            found += [one] if one.farewell() else []
        except ClawgitError as exc:
            unknown.append(f"whether {one.means} calls clawgit here is unknown: {exc.message}; look with: {exc.fix}")
    return found, unknown


def _usual() -> str:
    if BOOTED.is_dir() and shutil.which("systemctl"):
        return "systemd"
    if shutil.which("crontab"):
        return "cron"
    raise timer_missing(
        "neither systemd nor cron is on this machine",
        fix=Command("clawgit schedule run", note="from whatever starts programs here"),
    )
