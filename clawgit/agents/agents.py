"""The agents, built with their dependencies."""

import os
from collections.abc import Callable, Mapping

from clawgit.agents import conflict_detector, memory_compactor, organizer, recall_validator, retry_lessons, running
from clawgit.agents.running import Agent, Result
from clawgit.errors import Command, agent_unknown
from clawgit.llm import voice_record, voices
from clawgit.llm.asking import Speaker
from clawgit.llm.model import Budget
from clawgit.memory import compact, expiry
from clawgit.reading.operations import ROLES
from clawgit.sessions.chat_store import ChatStore
from clawgit.text.spelling import nearest
from clawgit.workspace import changelog
from clawgit.workspace.workspace import Workspace

AGENTS: Mapping[str, str] = {
    "memory-miner": "Keeps what will still matter in a month, from conversations and flagged messages.",
    "soul-keeper": "Edits the soul, a line at a time, from what the operator says of the agent's conduct.",
    "recall-validator": "Puts right what the operator corrects, and keeps a record of it.",
    "conflict-detector": "Finds memories that contradict each other, and decides where a rule says which holds.",
    "organizer": "Renders the views of facts, and says by which words memories are wanted.",
    "decay-engine": "Moves events that are over out of the memory file.",
    "lessons": "Notes which calls of tools failed, and what worked instead.",
    "memory-compactor": "Moves old journals into a chronicle, and lines that faded out of the memory file.",
}
"""What each does, in a sentence; by name, so that whoever only lists them loads none."""
_ASKING = (organizer.NAME, memory_compactor.NAME)
"""Agents beside those that read that ask a model."""


def find_agent_name(name: str) -> str:
    """Return the name of an agent. Raises UsageError that names the nearest."""
    if name not in AGENTS:
        names = nearest(name, AGENTS, 1) or list(AGENTS)
        raise agent_unknown(
            f"there is no agent {name}", fix=Command("clawgit run {}", names[0], note="or: clawgit run --list")
        )
    return name


def run_agent(
    workspace: Workspace,
    store: ChatStore,
    name: str,
    *,
    start: float | None = None,
    budget: Budget | None = None,
    is_applied: bool = True,
    require_going: Callable[[], None] = lambda: None,
    slot: bool = False,
) -> Result:
    """Have an agent do its work, or show it: one that reads does so with a model where one is set up for it.

    `start` makes it look at everything from then on (seconds since 1970), read or unread; `budget` limits its use of a
    model (`run_tokens` of CONFIG.md unless given). Between two changes `require_going` may raise an error. In its
    `slot` a reading starts only if enough is unread, and keeps the operations of all agents that read. Raises
    ClawgitError.
    """
    from clawgit.agents import reading_run  # noqa: PLC0415 - who only lists the agents does without

    may_ask = name in (*ROLES, *_ASKING)
    voice = voices.find_voice(workspace.config.value, os.environ, workspace.store) if may_ask else None
    if (voice and name in ROLES) or name in reading_run.BY_RULES:
        options = {"start": start, "budget": budget}
        if not is_applied:
            return reading_run.preview(workspace, store, name, voice, **options)
        slot = slot and voice is not None
        return reading_run.run_reading(workspace, store, name, voice, require_going=require_going, slot=slot, **options)
    speaker = None
    if voice:
        limit = budget or Budget(tokens=int(workspace.config.value("run_tokens")))
        speaker = Speaker(voice, limit, noted=voice_record.make_recorder(workspace.store, voice.name, workspace.now))

    def make_compactor() -> Agent:
        plan, narrator = compact.read_plan(workspace.config), memory_compactor.make_narrator(workspace, speaker)
        return memory_compactor.MemoryCompactor(plan, narrator, applying=is_applied)

    makers: Mapping[str, Callable[[], Agent]] = {
        recall_validator.NAME: lambda: recall_validator.RecallValidator(store, start),
        conflict_detector.NAME: lambda: conflict_detector.ConflictDetector(start=start),
        organizer.NAME: lambda: organizer.Organizer(speaker=speaker),
        expiry.DECAY_ENGINE: memory_compactor.DecayEngine,
        retry_lessons.NAME: lambda: retry_lessons.RetryLessons(store, start=start),
        memory_compactor.NAME: make_compactor,
    }
    worker = makers[name]()
    if not is_applied:
        return running.preview(worker, workspace)
    result = running.apply(worker, workspace, require_going)
    result.notes += settle(workspace, worker, result)
    return result


def settle(workspace: Workspace, ran: Agent, result: Result) -> list[str]:
    """Do the remaining work after an agent's run; return notes for people."""
    if ran.name == memory_compactor.NAME:
        return changelog.render_compactions(workspace) if result.applied else []
    return recall_validator.settle_run(workspace, ran) if isinstance(ran, recall_validator.RecallValidator) else []
