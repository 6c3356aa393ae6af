"""Runs an agent, or shows what it would do."""

from collections import Counter

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit.agents import progress
from clawgit.agents.proposal import Agent, Learnt, Proposal
from clawgit.agents.view import View
from clawgit.errors import ClawgitError
from clawgit.workspace import runs, unkept_requests
from clawgit.workspace.applied import Applied
from clawgit.workspace.change import Change
from clawgit.workspace.planning import MovedError
from clawgit.workspace.runs import Ran
from clawgit.workspace.workspace import Workspace

_ATTEMPTS = 5


class Result(Struct):
    """What a run came to. `texts` holds each file that it edits, before and after, where nothing was applied."""

    agent: str
    read: int = 0
    learnt: list[Learnt] = field(default_factory=list)
    applied: list[tuple[Change, Applied]] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    texts: dict[str, tuple[str, str]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def take(self, proposal: Proposal) -> None:
        """Count a step."""
        self.read += proposal.read
        self.learnt += proposal.learnt
        self.skipped.update(proposal.skipped)


def preview(agent: Agent, workspace: Workspace) -> Result:
    """Return what the agent would do now; nothing is written, and it reads the same again."""
    view, result = View(workspace), Result(agent.name)
    for proposal in agent.propose(view, workspace.now()):
        result.take(proposal)
        if proposal.change is None:
            continue
        before = {edit.path: view.read(edit.path) or "" for edit in proposal.change.edits}
        view.take(proposal.change)
        for path, text in before.items():
            result.texts[path] = (result.texts.get(path, (text, ""))[0], view.read(path) or "")
    result.notes += agent.notes
    return result


def apply(agent: Agent, workspace: Workspace) -> Result:
    """Have the agent do its work, one commit for each change, and note the run in the ledger.

    Where somebody else changes the same place meanwhile, the agent looks again. Raises ClawgitError, with the run in
    the ledger too; what landed before stays.
    """
    result, started = Result(agent.name), workspace.now().isoformat()
    error = ""
    try:
        _work(agent, workspace, result)
    except BaseException as exc:
        error = exc.message if isinstance(exc, ClawgitError) else type(exc).__name__
        raise
    finally:
        result.notes += agent.notes
        ran = _ran(result, started, workspace.now().isoformat(), error)
        runs.note(workspace.state, replace(ran, usage=agent.usage))
    return result


def _work(agent: Agent, workspace: Workspace, result: Result) -> None:
    view = View(workspace)
    for attempt in range(_ATTEMPTS):
        try:
            for proposal in agent.propose(view, workspace.now()):
                _land(proposal, workspace, result)
                progress.save(workspace, agent.name, proposal.reached, proposal.answered)
                view.renew()
        except MovedError:
            if attempt == _ATTEMPTS - 1:
                raise
            view.renew()
        else:
            return


def _land(proposal: Proposal, workspace: Workspace, result: Result) -> None:
    change = proposal.change
    if change:
        applied = workspace.apply(change, wait=proposal.wait)
        result.notes += applied.notes
        if applied.proposal and applied.proposal.rejected:
            result.skipped["rejected before"] += len(proposal.learnt)
            proposal = replace(proposal, learnt=())
        else:
            result.applied.append((change, applied))
    unkept_requests.note(workspace.state, proposal.unkept)
    result.take(proposal)


def _ran(result: Result, started: str, ended: str, error: str) -> Ran:
    applied = [one for _, one in result.applied]
    return Ran(
        result.agent,
        started,
        ended,
        result.read,
        len(result.learnt),
        tuple(one.commit for one in applied if one.commit),
        tuple(one.proposal.id for one in applied if one.proposal),
        dict(result.skipped),
        tuple(result.notes),
        error=error,
    )
