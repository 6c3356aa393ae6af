"""The OpenClaw that is installed."""

import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from clawgit.workspace.host.openclaw_files import HostConfig, there
from clawgit.workspace.openclaw_limits import RETIRED, Limits


def find_program(environ: Mapping[str, str]) -> Path | None:
    """Return the command that OPENCLAW_CLI_PATH names, else `openclaw`, as it is on PATH; None without one."""
    wanted = environ.get("OPENCLAW_CLI_PATH", "").strip() or "openclaw"
    found = shutil.which(wanted, path=environ.get("PATH", ""))
    return Path(found) if found else None


Era = Literal["jsonl", "sqlite"]
Number = tuple[int, int, int]

SCHEDULE = "0 3 * * *"
_SQLITE: Number = (2026, 7, 2)
_DREAMS_UNASKED: Number = (2026, 8, 0)
_USER_CAP: Number = (2026, 8, 0)
_NUMBER = re.compile(r"\bv?(20\d\d)\.(\d{1,2})\.(\d{1,3})\b")


class Version(Struct, frozen=True):
    """A version of OpenClaw; `found` says where it was read."""

    text: str
    number: Number
    found: str

    @property
    def era(self) -> Era:
        """How this version keeps conversations."""
        return "sqlite" if self.number >= _SQLITE else "jsonl"


class Dreaming(Struct, frozen=True):
    """Whether OpenClaw rewrites MEMORY.md on its own (None: unknown), and when, as a line of cron."""

    on: bool | None
    schedule: str = SCHEDULE


class Caps(Struct, frozen=True):
    """How much of each file the agent is shown; `found` says by what."""

    limits: Limits
    found: str


def version(text: Any, found: str) -> Version | None:
    """Return the version that `text` names, None for anything else."""
    match = _NUMBER.search(text) if isinstance(text, str) else None
    return Version(text.strip(), (int(match[1]), int(match[2]), int(match[3])), found) if match else None


def caps(config: HostConfig, own: Mapping[str, Any], known: Version | None) -> Caps:
    """Return what an agent is shown: by what the configuration says of it or of all, else by the version."""
    usual = Limits()
    cap = usual.own if known is None or known.number >= _USER_CAP else {}
    said_file, said_total = (_said(config, own, name) for name in ("bootstrapMaxChars", "bootstrapTotalMaxChars"))
    limits = Limits(
        said_file or usual.file,
        said_total or usual.total,
        cap,
        RETIRED if known is None or known.number >= _SQLITE else (),
    )
    if said_file or said_total:
        return Caps(limits, str(config.path))
    return Caps(limits, f"version {known.text}" if known else "")


def _said(config: HostConfig, own: Mapping[str, Any], name: str) -> int | None:
    values = (own.get(name), config.at("agents", "defaults", name), config.at("agent", name))
    fit = (value for value in values if isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 1)
    found = next(fit, None)
    return int(found) if found is not None and found < float("inf") else None


def dreaming(config: HostConfig, known: Version | None) -> Dreaming:
    """Return whether and when OpenClaw dreams: as the configuration says, else as the version does unasked."""
    said = config.table("plugins", "entries", "memory-core", "config", "dreaming")
    frequency = said.get("frequency")
    schedule = frequency if isinstance(frequency, str) and frequency.strip() else SCHEDULE
    slot, plugin = config.at("plugins", "slots", "memory"), config.at("plugins", "entries", "memory-core", "enabled")
    if plugin is False or slot not in (None, "memory-core"):
        return Dreaming(on=False, schedule=schedule)
    if isinstance(enabled := said.get("enabled"), bool):
        return Dreaming(on=enabled, schedule=schedule)
    return Dreaming(on=known.number >= _DREAMS_UNASKED if known else None, schedule=schedule)


_NAME, _OLDER = ".openclaw", (".clawdbot", ".moldbot", ".moltbot")
_CONFIG = ("openclaw.json", "clawdbot.json", "moldbot.json", "moltbot.json")
_BRANDS = ("OPENCLAW", "CLAWDBOT", "MOLTBOT")


class Places(Struct, frozen=True):
    """OpenClaw's folders for one person: `moved` when a variable names the state folder, `named` the configuration."""

    home: Path
    state: Path
    config: Path
    profile: str = ""
    moved: bool = False
    named: bool = False


def places(environ: Mapping[str, str], home: Path) -> Places:
    """Return where things are, or would be: by variables, else by what is there, the present name first."""
    home = expanded(environ.get("OPENCLAW_HOME", ""), home) or home
    profile = variable(environ, "PROFILE")
    profile = "" if profile.lower() == "default" else profile
    moved = expanded(variable(environ, "STATE_DIR"), home)
    state = moved or _state(home, profile)
    named = expanded(variable(environ, "CONFIG_PATH"), home)
    files = [state / name for name in _CONFIG]
    config = named or next(filter(there, files), files[0])
    return Places(home, state, config, profile, moved is not None, named is not None)


def variable(environ: Mapping[str, str], name: str) -> str:
    """Return what a variable of OpenClaw holds, also under one of its older names."""
    return next((value for brand in _BRANDS if (value := environ.get(f"{brand}_{name}", "").strip())), "")


def expanded(name: str, home: Path) -> Path | None:
    """Return a path as somebody wrote it: `~` is the home, and so is what a relative one starts from; None for none."""
    name = name.replace("\0", "").strip()
    if not name:
        return None
    below = name[1:].lstrip("/") if name == "~" or name.startswith("~/") else name
    return Path(os.path.normpath(home / below))


def _state(home: Path, profile: str) -> Path:
    if profile and there(own := home / f"{_NAME}-{profile}"):
        return own
    return next((home / name for name in (_NAME, *_OLDER) if there(home / name)), home / _NAME)
