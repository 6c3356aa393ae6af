"""Makes runs of agents that read with a voice."""

from collections.abc import Callable
from datetime import datetime

from clawgit.agents import soul_keeper, validation
from clawgit.agents.protocol import clipping, second_opinion, spans
from clawgit.agents.protocol.batch_landing import Lander
from clawgit.agents.protocol.batch_run import Outcome, Reading
from clawgit.agents.protocol.batching import Gatherer
from clawgit.agents.protocol.exchange import Exchange
from clawgit.agents.protocol.judgement import Judgement
from clawgit.agents.protocol.operations import OPERATIONS
from clawgit.agents.protocol.unread import Unread
from clawgit.llm import voice_record
from clawgit.llm.asking import Voice
from clawgit.llm.budget import Budget
from clawgit.llm.model import ModelError
from clawgit.llm.speaker import Speaker
from clawgit.messages.known import known
from clawgit.messages.pattern import VALIDATOR
from clawgit.sessions.chat_store import ChatStore
from clawgit.sessions.origin import Session
from clawgit.workspace import manifest, scope
from clawgit.workspace.workspace import Workspace

AGENTS = frozenset(OPERATIONS)
"""The agents that read batches."""


def reading(
    workspace: Workspace,
    store: ChatStore,
    agent: str,
    voice: Voice | None,
    *,
    start: float | None = None,
    path: str = scope.SOUL,
    budget: Budget | None = None,
    landing: Callable[[], None] = lambda: None,
) -> Reading:
    """Return a run of an agent; without a voice it hands out batches, and takes answers.

    `start` has it read from then on (seconds since 1970), whatever was read before; `path` is the soul that it keeps.
    `landing` is called before each change. Raises UsageError for a file that is no soul.
    """
    if agent == soul_keeper.NAME:
        soul_keeper.require_soul(path)
    patterns = known(workspace.root, workspace.state.parent / "cache").patterns
    gatherer = Gatherer(workspace, agent, patterns, path)
    unread = Unread(
        store,
        spans.load(workspace, agent),
        spans.rules_progress(workspace, agent),
        workspace.now(),
        start=start,
        wanted=gatherer.wants,
        of=lambda session: agent != soul_keeper.NAME or _soul_of(workspace, session) == path,
        brief=clipping.AGENT if agent != soul_keeper.NAME else clipping.AGENT // 3,
    )
    talking = None
    if voice:
        noted = voice_record.noting(workspace.state, voice.name, workspace.now)
        talking = Exchange(Speaker(voice, budget or Budget(), noted=noted))
    usage = (lambda: talking.usage) if talking else dict
    lander = Lander(workspace, unread, patterns, usage, landing)
    since = None if start is None else datetime.fromtimestamp(start, workspace.now().tzinfo)
    judge = Judgement(workspace, store, patterns)
    closed = _closed(workspace, path) if agent == soul_keeper.NAME else ""
    return Reading(workspace, gatherer, unread, lander, judge, talking, since=since, closed=closed)


def look_again(reading: Reading, outcome: Outcome) -> None:
    """Have the voice of the soul keeper look at what others changed in the identity at a low grade."""
    if reading.agent != soul_keeper.NAME or reading.talking is None:
        return
    try:
        outcome.note(*second_opinion.look(reading.workspace, reading.talking.say))
    except ModelError as exc:
        outcome.note(exc.message)


def settle(workspace: Workspace, outcome: Outcome) -> None:
    """Do what is left to be done when an agent has run."""
    if not any(one.commit for _, one in outcome.applied):
        return
    if any(change.agent == VALIDATOR for change, _ in outcome.applied):
        outcome.note(*validation.embed(workspace))
    if any(scope.self_description(path) for change, _ in outcome.applied for path in change.paths):
        outcome.note("a session that runs keeps the old text of the soul until it begins anew")


def _closed(workspace: Workspace, path: str) -> str:
    """Return why nothing may be proposed for a soul, "" where something may."""
    if workspace.config.soul_policy == "locked":
        return f"soul_policy is locked: {soul_keeper.NAME} proposes nothing"
    return "" if (workspace.read(path) or "").strip() else f"there is no {path} here: {soul_keeper.NAME} makes none"


def _soul_of(workspace: Workspace, session: Session) -> str:
    """Return the soul of the agent that talks in a session: its own where it has one."""
    agent = session.agent
    own = f"agents/{agent}/SOUL.md"
    named = agent and agent not in manifest.WRITERS and "/" not in agent
    return own if named and (workspace.root / own).is_file() else scope.SOUL
