"""OpenClaw on this machine."""

import json
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from clawgit.errors import Advice, agent_unknown
from clawgit.openclaw import openclaw_files
from clawgit.openclaw.blank_forms import Limits
from clawgit.openclaw.openclaw_files import HostConfig, Places, Version
from clawgit.text.spelling import nearest

_DATABASE = "state/openclaw.sqlite"
TRANSCRIPTS = "openclaw-agent.sqlite"
"""The database of an agent, in the folder `agent` of its state."""
MAIN = "main"
_DEFAULTS = "agents.defaults.workspace"


class Agent(Struct, frozen=True):
    """One agent of OpenClaw; `found` names the source of its workspace, `own` is its part of the configuration."""

    id: str
    workspace: Path
    found: str
    own: Mapping[str, Any]


class _Entry(Struct, frozen=True):
    """The configuration of an agent; `key` is its place, `pooled` the kind of its list."""

    id: str
    own: Mapping[str, Any]
    key: str
    pooled: bool


def agents(config: HostConfig, places: Places, environ: Mapping[str, str]) -> tuple[tuple[Agent, ...], tuple[str, ...]]:
    """Return the agents, the default one first, and problems; without any there is the agent `main`.

    If versions differ about an unnamed workspace, the existing folder decides.
    """
    entries = list(_list_agent_entries(config)) or [_Entry(MAIN, {}, "", pooled=False)]
    default_ids = [entry.id for entry in entries if entry.own.get("default") is True]
    pooled = [entry.id for entry in entries if entry.pooled and entry.id == MAIN]
    first = (*default_ids, *pooled, entries[0].id)[0]
    entries.sort(key=lambda entry: entry.id != first)
    shared = config.at("agents", "defaults", "workspace")
    settings = ((f"{entry.key}.workspace", entry.own.get("workspace")) for entry in entries)
    problems = [wrong for key, value in ((_DEFAULTS, shared), *settings) if (wrong := _unfit(key, value))]
    agent_list = [
        _place_agent(entry, shared, places, environ, first=index == 0, has_others=len(entries) > 1)
        for index, entry in enumerate(entries)
    ]
    return tuple(agent_list), tuple(f"{config.path}: {wrong}" for wrong in problems)


def _list_agent_entries(config: HostConfig) -> Iterator[_Entry]:
    """Yield the agents of the present key and of the older list, each id once."""
    ids = set()
    pooled = (
        _Entry(normalise_agent_id(name), own if isinstance(own, Mapping) else {}, f"agents.entries.{name}", pooled=True)
        for name, own in config.table("agents", "entries").items()
    )
    old_list = config.at("agents", "list")
    older = (
        _Entry(normalise_agent_id(str(own.get("id") or "")), own, f"agents.list[{index}]", pooled=False)
        for index, own in enumerate(old_list if isinstance(old_list, list) else ())
        if isinstance(own, Mapping)
    )
    for entry in (*pooled, *older):
        if entry.id not in ids:
            ids.add(entry.id)
            yield entry


def normalise_agent_id(name: str) -> str:
    """Return an agent's id as OpenClaw writes it."""
    return re.sub(r"[^a-z0-9_-]+", "-", name.strip().lower()).strip("-")[:64] or MAIN


def _unfit(key: str, value: Any) -> str | None:
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        return f"{key} is no path: {value!r}"
    unset = re.search(r"\$\{\w+\}", value)
    return f"{key} needs {unset[0]}, which is not set here" if unset else None


def _path(value: Any, home: Path) -> Path | None:
    return openclaw_files.expand_path(value, home) if isinstance(value, str) and not _unfit("", value) else None


def _place_agent(
    entry: _Entry, shared: Any, places: Places, environ: Mapping[str, str], *, first: bool, has_others: bool
) -> Agent:
    if own := _path(entry.own.get("workspace"), places.home):
        return Agent(entry.id, own, f"{entry.key}.workspace", entry.own)
    root = _path(shared, places.home)
    separate = (root / entry.id, _DEFAULTS) if root else (places.state / f"workspace-{entry.id}", "")
    whole = (root, _DEFAULTS) if root else _usual(places, environ)
    candidates = (separate, whole) if entry.pooled and has_others else (whole,)
    place, setting = (
        next((option for option in candidates if openclaw_files.is_there(option[0])), candidates[0])
        if first
        else separate
    )
    return Agent(entry.id, place, setting, entry.own)


def _usual(places: Places, environ: Mapping[str, str]) -> tuple[Path, str]:
    """Return the workspace of the default agent if the configuration names none, and the source of its name."""
    if folder := openclaw_files.expand_path(openclaw_files.variable(environ, "WORKSPACE_DIR"), places.home):
        return folder, "OPENCLAW_WORKSPACE_DIR"
    own = places.state / "workspace"
    if places.profile and not places.moved:
        own = places.home / f".openclaw-{places.profile}" / "workspace"
    return own, ""


_PAIRED = "-allowFrom.json"
_LARGEST = 1 << 20
_ALIASES = {"tg": "telegram", "wa": "whatsapp"}
_AFFIXES = re.compile(r"^<@!?|>$|^(?:user|id):|@s\.whatsapp\.net$|@c\.us$")
_ANY = "*"


class Operators(Struct, frozen=True, dict=True):
    """The ids of the operator; those in `everywhere` count on any channel, the others on theirs.

    `named`: OpenClaw's configuration names its owner (`commands.ownerAllowFrom`), and nobody else is the operator.
    Without that, the only user on a channel's lists is; of several, none.
    """

    channels: Mapping[str, frozenset[str]] = field(default_factory=dict)
    everywhere: frozenset[str] = frozenset()
    named: bool = False

    def are(self, channel: str, sender: str) -> bool:
        """Return whether a sender is the operator; an id that is "" is nobody's."""
        ids = self.everywhere | self.channels.get(channel, frozenset())
        return bool(sender) and strip_id(sender) in ids

    @cached_property
    def digest(self) -> str:
        """A hash that changes with the operator."""
        channel_ids = {name: sorted(ids) for name, ids in self.channels.items()}
        text = json.dumps([channel_ids, sorted(self.everywhere), self.named], sort_keys=True)
        return blake2b(text.encode("utf-8", "replace"), digest_size=6).hexdigest()


NOBODY = Operators()


def operators(config: HostConfig, credentials: Path) -> Operators:
    """Return whom a configuration, and the pairings in `credentials`, know as the operator.

    Names are not taken, only ids: a name can be anybody's tomorrow.
    """
    owner_list = config.at("commands", "ownerAllowFrom")
    if owners := [word for word in _read_id_list(owner_list) if word != _ANY]:
        return _read_operators(owners, config.table("channels"))
    channels = {str(name): own for name, own in config.table("channels").items() if isinstance(own, Mapping)}
    alone = ((name, _find_only_writer(own, _paired(credentials, name))) for name, own in channels.items())
    return Operators({name: ids for name, ids in alone if ids})


def strip_id(name: str) -> str:
    """Return an id without the decoration of a channel or a person."""
    # Twice, as `user:` may follow `<@`.
    return _AFFIXES.sub("", _AFFIXES.sub("", name.strip())).removeprefix("+").casefold()


def _read_operators(owners: Iterable[str], channels: Mapping[str, Any]) -> Operators:
    ids_by_channel: dict[str, set[str]] = {}
    everywhere = set()
    for owner in owners:
        head, mark, rest = owner.partition(":")
        head = _ALIASES.get(head.lower(), head.lower())
        if mark and (head in channels or head not in ("user", "id")):
            ids_by_channel.setdefault(head, set()).add(strip_id(rest))
        else:
            everywhere.add(strip_id(owner))
    return Operators({name: frozenset(ids) for name, ids in ids_by_channel.items()}, frozenset(everywhere), named=True)


def _find_only_writer(own: Mapping[str, Any], paired: Iterable[str]) -> frozenset[str]:
    """Return the only allowed writer of a channel: in private, else in its groups; nobody if there are more."""
    parts = list(_list_channel_parts(own))
    private = {*_list_sender_ids(parts, "allowFrom"), *map(strip_id, paired)}
    guilds = (guild for part in parts for guild in _values(part.get("guilds")))
    senders = private or {*_list_sender_ids(parts, "groupAllowFrom"), *_list_sender_ids(guilds, "users")}
    return frozenset(senders) if len(senders) == 1 and _ANY not in senders else frozenset()


def _list_channel_parts(own: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the parts of a channel with lists: itself, below `dm`, and for each account."""
    if isinstance(own, Mapping):
        yield own
        yield from _list_channel_parts(own.get("dm"))
        for account in _values(own.get("accounts")):
            yield from _list_channel_parts(account)


def _values(value: Any) -> Iterator[Any]:
    yield from value.values() if isinstance(value, Mapping) else ()


def _list_sender_ids(parts: Iterable[Any], key: str) -> Iterator[str]:
    for name in (name for part in parts if isinstance(part, Mapping) for name in _read_id_list(part.get(key))):
        head, mark, rest = name.partition(":")
        yield strip_id(rest if mark and head.lower() not in ("user", "id") else name)


def _read_id_list(value: Any) -> list[str]:
    """Return the words of a list; numbers are ids that somebody wrote without quotes."""
    items = value if isinstance(value, list) else []
    return [str(item).strip() for item in items if isinstance(item, str | int) and str(item).strip()]


def _paired(folder: Path, channel: str) -> list[str]:
    """Return whom OpenClaw let in after a pairing on any account of a channel (docs/channels/pairing.md)."""
    # The name of a channel becomes part of a file name and of a glob.
    if not re.fullmatch(r"[\w-]{1,64}", channel):
        return []
    senders: list[str] = []
    for place in (folder / f"{channel}{_PAIRED}", *sorted(folder.glob(f"{channel}-*{_PAIRED}"))):
        try:
            pairing = json.loads(openclaw_files.read_text_file(place, _LARGEST))
        except (OSError, ValueError, RecursionError):
            continue
        senders += _read_id_list(pairing.get("allowFrom")) if isinstance(pairing, dict) else []
    return senders


class Host(Struct, frozen=True, dict=True):
    """OpenClaw as variables and files show it; each thing is looked at on first use, nothing is run.

    An unreadable file is a sentence in `problems`, never an error.
    """

    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    home: Path = field(default_factory=Path.home)

    @cached_property
    def places(self) -> Places:
        """The folders and files themselves."""
        return openclaw_files.list_state_places(self.environ, self.home)

    @property
    def state(self) -> Path:
        """The state folder, which may not exist."""
        return self.places.state

    @property
    def installed(self) -> bool:
        """Whether there is any sign of OpenClaw."""
        return any(map(openclaw_files.is_there, (self.state, self.places.config))) or self.program is not None

    @cached_property
    def program(self) -> Path | None:
        """The command that OPENCLAW_CLI_PATH names, else `openclaw`, as it is on PATH; None without one."""
        command = self.environ.get("OPENCLAW_CLI_PATH", "").strip() or "openclaw"
        location = shutil.which(command, path=self.environ.get("PATH", ""))
        return Path(location) if location else None

    @cached_property
    def config(self) -> HostConfig:
        """Its configuration."""
        return openclaw_files.load_openclaw_config(self.places.config, self.environ, named=self.places.named)

    @cached_property
    def _agents(self) -> tuple[tuple[Agent, ...], tuple[str, ...]]:
        return agents(self.config, self.places, self.environ)

    @property
    def agents(self) -> tuple[Agent, ...]:
        """The agents, the default one first; at least one."""
        return self._agents[0]

    @property
    def problems(self) -> tuple[str, ...]:
        """The problems of the configuration."""
        return (*self.config.problems, *self._agents[1])

    def agent(self, name: str = "") -> Agent:
        """Return the agent of that id, the default one for "". Raises UsageError that names the nearest."""
        agent_id = normalise_agent_id(name) if name else self.agents[0].id
        agents_by_id = {agent.id: agent for agent in self.agents}
        if agent_id not in agents_by_id:
            suggestions = nearest(agent_id, agents_by_id, 1)
            words = f"OpenClaw has no agent {name}, only {', '.join(agents_by_id)}"
            raise agent_unknown(words, fix=Advice(f"clawgit --agent {(*suggestions, self.agents[0].id)[0]} …"))
        return agents_by_id[agent_id]

    def owners(self, folder: Path) -> tuple[Agent, ...]:
        """Return the agents with the workspace `folder`."""
        real = os.path.realpath(folder)
        return tuple(agent for agent in self.agents if os.path.realpath(agent.workspace) == real)

    @cached_property
    def version(self) -> Version | None:
        """The younger of the versions in configuration and database: OpenClaw writes its own into both."""
        database = self.state / _DATABASE
        stamps = (
            openclaw_files.version(self.config.at("meta", "lastTouchedVersion"), str(self.config.path)),
            openclaw_files.version(openclaw_files.app_version(database), str(database)),
        )
        return max((stamp for stamp in stamps if stamp), key=lambda stamp: stamp.number, default=None)

    def limits(self, workspace: Path) -> Limits:
        """Return how much of its files the agent of a workspace is shown."""
        agent = (*self.owners(workspace), *self.agents)[0]
        names = ("bootstrapMaxChars", "bootstrapTotalMaxChars")
        usual = Limits()
        file, total = (openclaw_files.read_number(self.config, agent.own, name) for name in names)
        return Limits(file or usual.file, total or usual.total)

    def ledger(self, workspace: Path) -> openclaw_files.Ledger:
        """Return its records of the writers of a workspace's memory files."""
        parent = Path(os.path.realpath(workspace)).parent  # of another profile whose workspace this is
        databases = dict.fromkeys((self.state / _DATABASE, parent / _DATABASE))
        return openclaw_files.ledger(databases, workspace)

    def list_transcript_places(self, workspace: Path) -> Iterator[Path]:
        """Yield the files in which the agents of a workspace write conversations down."""
        for agent in self.owners(workspace):
            folder = self.state / "agents" / agent.id
            yield from (folder / "agent").glob(f"{TRANSCRIPTS}*")
            yield from (folder / "sessions").glob("*.jsonl")

    @cached_property
    def operators(self) -> Operators:
        """The operator on each channel."""
        return operators(self.config, self.state / "credentials")

    def forgotten(self, agents: Iterable[str]) -> tuple[frozenset[str], tuple[str, ...]]:
        """Return the ids of the forgotten sessions of agents, and sentences on databases that cannot be asked."""
        session_ids, problems = set[str](), list[str]()
        for name in agents:
            place = self.state / "agents" / name / "agent" / TRANSCRIPTS
            try:
                session_ids |= openclaw_files.list_forgotten_sessions(place, name)
            except openclaw_files.UnreadableError as exc:
                problems.append(f"{place} {exc}")
        return frozenset(session_ids), tuple(problems)
