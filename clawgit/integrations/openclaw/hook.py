"""The hook that OpenClaw runs."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from clawgit.integrations.openclaw import stamp
from clawgit.integrations.openclaw.part import Part, State
from clawgit.integrations.openclaw.target import Target
from clawgit.resources import resource
from clawgit.workspace.host.config import HostConfig

SHIPPED = ("HOOK.md", "handler.js", "package.json")
SETTINGS = "settings.json"
FILES = (*SHIPPED, SETTINGS)
CONTEXT_WAIT, MESSAGE_WAIT = 2_000, 10_000
"""Milliseconds that OpenClaw waits for a context, half of them for messages; and that a message may take."""
_MARGIN = 200  # what OpenClaw may count beside the words


def files(target: Target) -> dict[str, bytes]:
    """Return the files of the hook, by name."""
    home = resource("hooks") / "openclaw"
    shipped = {name: (home / name).read_bytes().replace(b"@NAME@", target.name.encode()) for name in SHIPPED}
    texts = {**shipped, SETTINGS: _settings(target)}
    return {name: stamp.stamped(data) for name, data in texts.items()}


def look(target: Target) -> Part:
    """Return how the hook stands."""
    wanted, found = files(target), standing(target.folder)
    state = _state(target.folder, wanted, found)
    fix = {
        "edited": f"rm -r {target.folder} && clawgit openclaw install",
        "foreign": f"mv {target.folder} {target.folder}.before && clawgit openclaw install",
    }.get(state, "")
    return Part("hook", state, target.folder, _NOTES.get(state, ""), fix)


_NOTES: Mapping[State, str] = {
    "edited": "somebody changed it",
    "foreign": "something that is not clawgit's stands there",
}


def standing(folder: Path) -> dict[str, bytes]:
    """Return the files of a hook that stand in `folder`; those that are no regular files are empty."""
    found = {}
    for name in FILES:
        place = folder / name
        if place.is_symlink() or place.exists():
            found[name] = place.read_bytes() if place.is_file() and not place.is_symlink() else b""
    return found


def open_channels(config: HostConfig) -> tuple[str, ...]:
    """Return the channels on which anybody may write to the agent in private, by their ids."""
    return tuple(sorted(str(name).lower() for name, own in config.table("channels").items() if _open(own)))


def _state(folder: Path, wanted: Mapping[str, bytes], found: Mapping[str, bytes]) -> State:
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        return "foreign"
    if not found:
        return "missing"
    if not all(map(stamp.ours, found.values())):
        return "foreign"
    if not all(map(stamp.untouched, found.values())):
        return "edited"
    return "installed" if found == wanted else "outdated"


def _settings(target: Target) -> bytes:
    host = target.host
    told = {
        "description": "Written by clawgit: `clawgit openclaw uninstall` takes it away.",
        "digest": "@DIGEST@",
        "program": str(target.program),
        "workspace": str(target.root),
        "agents": [agent.id for agent in target.agents],
        "first": host.agents[0] in target.agents,
        "open": list(open_channels(host.config)),
        "contextWait": CONTEXT_WAIT,
        "messageWait": MESSAGE_WAIT,
        "longest": max(host.caps(target.root).limits.file - _MARGIN, _MARGIN),
    }
    return (json.dumps(told, ensure_ascii=False, indent=2) + "\n").encode("utf-8", "surrogateescape")


def _open(own: Any) -> bool:
    return any(one.get("dmPolicy") == "open" or one.get("policy") == "open" or _all(one) for one in _policies(own))


def _all(one: Mapping[str, Any]) -> bool:
    allowed = one.get("allowFrom")
    return isinstance(allowed, list) and "*" in allowed


def _policies(own: Any) -> Iterator[Mapping[str, Any]]:
    """Yield what a channel says of private messages: itself, below `dm`, and for each account."""
    if not isinstance(own, Mapping):
        return
    yield {key: value for key, value in own.items() if key != "policy"}
    if isinstance(own.get("dm"), Mapping):
        yield own["dm"]
    accounts = own.get("accounts")
    for one in accounts.values() if isinstance(accounts, Mapping) else ():
        yield from _policies(one)
