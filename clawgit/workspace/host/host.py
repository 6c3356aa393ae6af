"""What is known of OpenClaw on this machine."""

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path

from msgspec import Struct, field

from clawgit.errors import Advice, agent_unknown
from clawgit.text.spelling import nearest
from clawgit.workspace.host import openclaw_agents, openclaw_files, openclaw_state
from clawgit.workspace.host.openclaw_agents import Agent
from clawgit.workspace.host.openclaw_files import HostConfig, Version
from clawgit.workspace.openclaw_limits import Limits

_DATABASE = "state/openclaw.sqlite"
TRANSCRIPTS = "openclaw-agent.sqlite"
"""The database of an agent, in the folder `agent` of its state."""


class Host(Struct, frozen=True, dict=True):
    """OpenClaw as variables and files tell of it; each thing is looked at when it is first asked for, nothing is run.

    What cannot be read is a sentence in `problems`, never an error.
    """

    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    home: Path = field(default_factory=Path.home)

    @cached_property
    def places(self) -> openclaw_files.Places:
        """The folders and files themselves."""
        return openclaw_files.places(self.environ, self.home)

    @property
    def state(self) -> Path:
        """The state folder, which may not exist."""
        return self.places.state

    @property
    def installed(self) -> bool:
        """Whether there is any sign of OpenClaw."""
        return any(map(openclaw_files.there, (self.state, self.places.config))) or self.program is not None

    @cached_property
    def program(self) -> Path | None:
        """The command that OPENCLAW_CLI_PATH names, else `openclaw`, as it is on PATH; None without one."""
        wanted = self.environ.get("OPENCLAW_CLI_PATH", "").strip() or "openclaw"
        found = shutil.which(wanted, path=self.environ.get("PATH", ""))
        return Path(found) if found else None

    @cached_property
    def config(self) -> HostConfig:
        """What its configuration says."""
        return openclaw_files.load(self.places.config, self.environ, named=self.places.named)

    @cached_property
    def _agents(self) -> tuple[tuple[Agent, ...], tuple[str, ...]]:
        return openclaw_agents.agents(self.config, self.places, self.environ)

    @property
    def agents(self) -> tuple[Agent, ...]:
        """The agents, the default one first; at least one."""
        return self._agents[0]

    @property
    def problems(self) -> tuple[str, ...]:
        """What is wrong with the configuration."""
        return (*self.config.problems, *self._agents[1])

    def agent(self, name: str = "") -> Agent:
        """Return the agent of that id, the default one for "". Raises UsageError that names the nearest."""
        wanted = openclaw_agents.normal(name) if name else self.agents[0].id
        known = {agent.id: agent for agent in self.agents}
        if wanted not in known:
            near = nearest(wanted, known, 1)
            words = f"OpenClaw has no agent {name}, only {', '.join(known)}"
            raise agent_unknown(words, fix=Advice(f"clawgit --agent {(*near, self.agents[0].id)[0]} …"))
        return known[wanted]

    def owners(self, folder: Path) -> tuple[Agent, ...]:
        """Return the agents whose workspace is `folder`."""
        real = os.path.realpath(folder)
        return tuple(agent for agent in self.agents if os.path.realpath(agent.workspace) == real)

    @cached_property
    def version(self) -> Version | None:
        """The younger of the versions that configuration and database tell: OpenClaw writes its own into both."""
        database = self.state / _DATABASE
        stamps = (
            openclaw_files.version(self.config.at("meta", "lastTouchedVersion"), str(self.config.path)),
            openclaw_files.version(openclaw_state.app_version(database), str(database)),
        )
        return max((stamp for stamp in stamps if stamp), key=lambda stamp: stamp.number, default=None)

    def limits(self, workspace: Path) -> Limits:
        """Return how much of its files the agent of a workspace is shown."""
        agent = (*self.owners(workspace), *self.agents)[0]
        return openclaw_files.limits(self.config, agent.own, self.version)

    def ledger(self, workspace: Path) -> openclaw_state.Ledger:
        """Return its records of who wrote the memory files of a workspace."""
        beside = Path(os.path.realpath(workspace)).parent  # of another profile whose workspace this is
        databases = dict.fromkeys((self.state / _DATABASE, beside / _DATABASE))
        return openclaw_state.ledger(databases, workspace)

    def list_transcript_places(self, workspace: Path) -> Iterator[Path]:
        """Yield the files in which the agents of a workspace write conversations down."""
        for agent in self.owners(workspace):
            folder = self.state / "agents" / agent.id
            yield from (folder / "agent").glob(f"{TRANSCRIPTS}*")
            yield from (folder / "sessions").glob("*.jsonl")

    @cached_property
    def operators(self) -> openclaw_agents.Operators:
        """Who the operator is on each channel."""
        return openclaw_agents.operators(self.config, self.state / "credentials")

    def forgotten(self, agents: Iterable[str]) -> tuple[frozenset[str], tuple[str, ...]]:
        """Return the ids of the sessions that agents were told to forget, and sentences about what cannot be asked."""
        found, unread = set[str](), list[str]()
        for name in agents:
            place = self.state / "agents" / name / "agent" / TRANSCRIPTS
            try:
                found |= openclaw_state.of_agent(place, name)
            except openclaw_state.UnreadableError as exc:
                unread.append(f"{place} {exc}")
        return frozenset(found), tuple(unread)
