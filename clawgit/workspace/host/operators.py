"""Tells who the operator is, by OpenClaw's allow-lists."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from clawgit.workspace.host import files as host_files
from clawgit.workspace.host.config import HostConfig

_PAIRED = "-allowFrom.json"
_LARGEST = 1 << 20
_ALIASES = {"tg": "telegram", "wa": "whatsapp"}
_AROUND = re.compile(r"^<@!?|>$|^(?:user|id):|@s\.whatsapp\.net$|@c\.us$")
_ANY = "*"


class Operators(Struct, frozen=True, dict=True):
    """The ids by which the operator is known; `everywhere` hold on any channel, the others on theirs.

    `named` says that OpenClaw is told who owns it (`commands.ownerAllowFrom`): then nobody else is the operator.
    Without that, whoever is alone on a channel's lists is; of several, nobody knows which.
    """

    channels: Mapping[str, frozenset[str]] = field(default_factory=dict)
    everywhere: frozenset[str] = frozenset()
    named: bool = False

    def are(self, channel: str, sender: str) -> bool:
        """Tell whether a sender is the operator; an id that is "" is nobody's."""
        known = self.everywhere | self.channels.get(channel, frozenset())
        return bool(sender) and plain(sender) in known

    @cached_property
    def digest(self) -> str:
        """What is another whenever somebody else is the operator."""
        known = {name: sorted(ids) for name, ids in self.channels.items()}
        text = json.dumps([known, sorted(self.everywhere), self.named], sort_keys=True)
        return blake2b(text.encode("utf-8", "replace"), digest_size=6).hexdigest()


NOBODY = Operators()


def operators(config: HostConfig, credentials: Path) -> Operators:
    """Return whom a configuration, and the pairings in `credentials`, know as the operator.

    Names are not taken, only ids: a name can be anybody's tomorrow.
    """
    listed = config.at("commands", "ownerAllowFrom")
    if owners := [one for one in _words(listed) if one != _ANY]:
        return _named(owners, config.table("channels"))
    known = {str(name): own for name, own in config.table("channels").items() if isinstance(own, Mapping)}
    alone = ((name, _alone(own, _paired(credentials, name))) for name, own in known.items())
    return Operators({name: ids for name, ids in alone if ids})


def plain(name: str) -> str:
    """Return an id without what a channel or a person puts around it."""
    return _AROUND.sub("", _AROUND.sub("", name.strip())).removeprefix("+").casefold()


def _named(owners: Iterable[str], channels: Mapping[str, Any]) -> Operators:
    found: dict[str, set[str]] = {}
    everywhere = set()
    for one in owners:
        head, mark, rest = one.partition(":")
        head = _ALIASES.get(head.lower(), head.lower())
        if mark and (head in channels or head not in ("user", "id")):
            found.setdefault(head, set()).add(plain(rest))
        else:
            everywhere.add(plain(one))
    return Operators({name: frozenset(ids) for name, ids in found.items()}, frozenset(everywhere), named=True)


def _alone(own: Mapping[str, Any], paired: Iterable[str]) -> frozenset[str]:
    """Return the one who may write on a channel: in private, else in its groups; nobody where there are more."""
    parts = list(_parts(own))
    private = {*_ids(parts, "allowFrom"), *map(plain, paired)}
    guilds = (guild for one in parts for guild in _values(one.get("guilds")))
    found = private or {*_ids(parts, "groupAllowFrom"), *_ids(guilds, "users")}
    return frozenset(found) if len(found) == 1 and _ANY not in found else frozenset()


def _parts(own: Any) -> Iterator[Mapping[str, Any]]:
    """Yield where a channel has lists: itself, below `dm`, and for each account."""
    if isinstance(own, Mapping):
        yield own
        yield from _parts(own.get("dm"))
        for one in _values(own.get("accounts")):
            yield from _parts(one)


def _values(some: Any) -> Iterator[Any]:
    yield from some.values() if isinstance(some, Mapping) else ()


def _ids(parts: Iterable[Any], key: str) -> Iterator[str]:
    yield from (_bare(name) for one in parts if isinstance(one, Mapping) for name in _words(one.get(key)))


def _bare(name: str) -> str:
    head, mark, rest = name.partition(":")
    return plain(rest if mark and head.lower() not in ("user", "id") else name)


def _words(some: Any) -> list[str]:
    """Return the words of a list; numbers are ids that somebody wrote without quotes."""
    found = some if isinstance(some, list) else []
    return [str(one).strip() for one in found if isinstance(one, str | int) and str(one).strip()]


def _paired(folder: Path, channel: str) -> list[str]:
    """Return whom OpenClaw let in after a pairing on any account of a channel (docs/channels/pairing.md)."""
    if not re.fullmatch(r"[\w-]{1,64}", channel):
        return []
    found: list[str] = []
    for place in (folder / f"{channel}{_PAIRED}", *sorted(folder.glob(f"{channel}-*{_PAIRED}"))):
        try:
            held = json.loads(host_files.read(place, _LARGEST))
        except (OSError, ValueError, RecursionError):
            continue
        found += _words(held.get("allowFrom")) if isinstance(held, dict) else []
    return found
