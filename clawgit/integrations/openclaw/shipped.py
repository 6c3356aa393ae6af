"""Folders of files that clawgit writes whole for OpenClaw."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from clawgit.errors import quoted
from clawgit.integrations.openclaw import stamp
from clawgit.integrations.openclaw.part import Name, Part, State
from clawgit.integrations.openclaw.target import Target
from clawgit.llm.voice_record import SOCKET
from clawgit.resources import resource
from clawgit.workspace.host.config import HostConfig

SETTINGS = "settings.json"
CONTEXT_WAIT, MESSAGE_WAIT = 2_000, 10_000
"""Milliseconds that OpenClaw waits for a context, half of them for messages; and that a message may take."""
_MARGIN = 200  # what OpenClaw may count beside the words
_NOTES: Mapping[State, str] = {
    "edited": "somebody changed it",
    "foreign": "something that is not clawgit's stands there",
}


def files(target: Target, home: str, names: Iterable[str], words: Mapping[str, str]) -> dict[str, bytes]:
    """Return the files `names` of the shipped folder `home`, with `words` in their places, and the settings."""
    texts = {name: (resource("hooks") / home / name).read_bytes() for name in names} | {SETTINGS: _settings(target)}
    for mark, word in words.items():
        texts = {name: data.replace(mark.encode(), word.encode()) for name, data in texts.items()}
    return {name: stamp.stamped(data) for name, data in texts.items()}


def look(name: Name, folder: Path, wanted: Mapping[str, bytes]) -> Part:
    """Return how a folder stands that should hold `wanted`."""
    state = _state(folder, wanted, standing(folder, wanted))
    fix = {
        "edited": f"rm -r {quoted(folder)} && clawgit openclaw install",
        "foreign": f"mv {quoted(folder)} {quoted(f'{folder}.before')} && clawgit openclaw install",
    }.get(state, "")
    return Part(name, state, folder, _NOTES.get(state, ""), fix)


def standing(folder: Path, names: Iterable[str]) -> dict[str, bytes]:
    """Return those of the files that stand in `folder`; those that are no regular files are empty."""
    found = {}
    for name in names:
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
    limits = host.caps(target.root).limits
    told = {
        "description": "Written by clawgit: `clawgit openclaw uninstall` takes it away.",
        "digest": "@DIGEST@",
        "name": target.name,
        "program": str(target.program),
        "workspace": str(target.root),
        "socket": str(target.workspace.state.parent / SOCKET),
        "agents": [agent.id for agent in target.agents],
        "first": host.agents[0] in target.agents,
        "open": list(open_channels(host.config)),
        "contextWait": CONTEXT_WAIT,
        "messageWait": MESSAGE_WAIT,
        "longest": max(limits.file - _MARGIN, _MARGIN),
        "caps": dict(limits.own),
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
