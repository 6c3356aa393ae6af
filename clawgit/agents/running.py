"""Runs an agent, or shows a preview."""

import contextlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar

from msgspec import Struct, field, to_builtins

from clawgit.errors import BusyError, ClawgitError
from clawgit.memory import view
from clawgit.reading import backlog
from clawgit.reading.backlog import Spans
from clawgit.workspace import run_ledger
from clawgit.workspace.capture_and_enforce import land_again
from clawgit.workspace.change import Applied, Change
from clawgit.workspace.workspace import Workspace

if TYPE_CHECKING:  # loaded where a model is asked
    from clawgit.llm.asking import Speaker

View = view.View


class Progress(Struct, frozen=True):
    """What was looked at since the last step of a run, and what was left out of it, by reason.

    `reached` tells how far each conversation is read then; `answered` is the last flag of the inbox that was looked at.
    """

    read: int = 0
    skipped: Mapping[str, int] = field(default_factory=dict)
    reached: Spans = {}
    answered: str = ""


MAX_OPEN_ITEMS = 5
"""Items of one agent without a model that wait in the inbox at a time."""


def count_open_items(view: View, agent: str) -> int:
    """Return how many items of an agent wait in the inbox."""
    return sum(item.agent == agent for item in view.workspace.store.read_items("open", edits=False))


class Agent(Struct, kw_only=True):
    """Reads, and proposes; it never writes. `notes` are sentences worth telling."""

    name: ClassVar[str] = ""
    """That of its commits."""
    speaker: "Speaker | None" = None
    notes: list[str] = field(default_factory=list)

    def propose(self, view: View, now: datetime) -> Iterator[Change | Progress]:
        """Yield changes, one for each commit; the next is drawn when the one before is applied, or in the view."""
        raise NotImplementedError


class Result(Struct):
    """The outcome of a run. `texts` has each file that it edits, before and after, if nothing was applied."""

    agent: str
    read: int = 0
    proposed: list[Change] = field(default_factory=list)
    applied: list[tuple[Change, Applied]] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    texts: dict[str, tuple[str, str]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def take(self, step: Progress) -> None:
        """Count what was looked at."""
        self.read += step.read
        self.skipped.update(step.skipped)

    def note(self, *notes: str) -> None:
        """Keep notes, each once."""
        self.notes += [text for text in dict.fromkeys(notes) if text and text not in self.notes]

    def count_proposals(self) -> int:
        """Return the number of what was proposed."""
        return len(self.proposed)


def preview(agent: Agent, workspace: Workspace) -> Result:
    """Return a preview of the agent's run; nothing is written, and it reads the same again."""
    view, result = View(workspace), Result(agent.name)
    for step in agent.propose(view, workspace.now()):
        if isinstance(step, Progress):
            result.take(step)
            continue
        result.proposed.append(step)
        before = {edit.path: view.read(edit.path) or "" for edit in step.edits}
        view.take(step)
        for path, text in before.items():
            result.texts[path] = (result.texts.get(path, (text, ""))[0], view.read(path) or "")
    result.note(*agent.notes)
    return result


@contextlib.contextmanager
def note_run(
    workspace: Workspace, result: Result, speaker: "Speaker | None" = None, commits: Iterable[str] = ()
) -> Iterator[None]:
    """Note a run with this result in the ledger when it ends, also in an error. Raises ClawgitError.

    Earlier `commits` are of the run as well.
    """
    started, error = workspace.now().isoformat(), ""
    try:
        yield
    except BaseException as exc:
        # The ledger notes an interrupt, too.
        error = exc.message if isinstance(exc, ClawgitError) else type(exc).__name__
        raise
    finally:
        outcomes = [outcome for _, outcome in result.applied]
        ran = run_ledger.Ran(
            result.agent,
            started,
            workspace.now().isoformat(),
            result.read,
            result.count_proposals(),
            (*commits, *(outcome.commit for outcome in outcomes if outcome.commit)),
            tuple(outcome.proposal.id for outcome in outcomes if outcome.proposal),
            dict(result.skipped),
            tuple(result.notes),
            to_builtins(speaker.used) if speaker else {},
            error,
        )
        run_ledger.note(workspace.store, ran)


def apply(agent: Agent, workspace: Workspace, require_going: Callable[[], None] = lambda: None) -> Result:
    """Have the agent do its work, one commit for each change, and note the run in the ledger.

    Where somebody else changes the same place meanwhile, the agent looks again. Between two changes `require_going`
    may raise an error. Raises ClawgitError, with the run in the ledger too; what landed before stays.
    """
    result = Result(agent.name)

    def work() -> None:
        current = View(workspace)
        require_going()
        for step in agent.propose(current, workspace.now()):
            if isinstance(step, Progress):
                result.take(step)
                if step.reached or step.answered:
                    backlog.save_read(workspace, agent.name, step.reached, step.answered)
            else:
                applied = workspace.apply(step)
                result.notes += applied.notes
                if applied.proposal and applied.proposal.rejected:
                    result.skipped["rejected before"] += 1
                else:
                    result.applied.append((step, applied))
                    result.proposed.append(step)
            current.renew()
            require_going()

    with note_run(workspace, result, agent.speaker):
        with contextlib.suppress(BusyError):  # an agent that finds nothing to write leaves nobody's write half done
            result.notes += land_again(workspace)
        try:
            view.try_again(work)
        finally:
            result.note(*agent.notes)
    return result
