"""Where OpenClaw keeps its state and its configuration."""

import os
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from clawgit.workspace.host.files import there

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
