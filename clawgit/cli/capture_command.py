"""`clawgit capture`."""

import signal
from collections.abc import Callable, Sequence
from threading import Event

import click

from clawgit.agents import conflict_detector
from clawgit.cli import human_lines, json_answers
from clawgit.cli.call import Call, know_sessions
from clawgit.cli.human_lines import tell_put_back
from clawgit.cli.lazy_commands import DocumentedCommand
from clawgit.cli.options import answering
from clawgit.errors import ClawgitError, Exit
from clawgit.findings.status import list_news
from clawgit.workspace.capture_and_enforce import Outcome, capture_and_enforce
from clawgit.workspace.quarantine import Item
from clawgit.workspace.watch import Watch
from clawgit.workspace.workspace import Workspace


@click.command(cls=DocumentedCommand, examples=("clawgit capture", "clawgit capture --watch", "clawgit capture --json"))
@click.option("--watch", is_flag=True, help="Go on until ^C or SIGTERM: commit whatever others write, once they pause.")
@answering
def capture(call: Call, *, watch: bool) -> int:
    """Commit what others wrote.

    The main agent, an editor, or whoever else wrote into the workspace: one commit for all of it. A file that may not
    enter history is left as it is, and named with the reason; the others carry on. With --watch a group of writes is
    committed once nobody has written for the `capture_quiet_seconds` of CONFIG.md, and what is written over before
    that is kept (clawgit log --seen); --json then prints one document for each capture, a line each. Every file
    stays as it was written. Lines of clawgit's that somebody removed, and removed lines that are back, are one item a
    file in `clawgit inbox`.
    """
    with call.workspace(patient=not watch) as workspace:
        if watch:
            _watch(call, workspace)
            return Exit.DONE
        done = capture_and_enforce(workspace)
        tell_put_back(call.out, done.enforced)
        for words in done.secrets:
            call.out.warn(words)
        if done.refusal:
            raise done.refusal
        _hold(call, workspace)
        return _tell(call, workspace, done.outcome, call.out.document, done.enforced.taken)


def _watch(call: Call, workspace: Workspace) -> None:
    workspace.require_managed()
    stop = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    watching = Watch(workspace.root, lambda error: _warn(call, error), know_sessions)
    call.out.note(f"watching {workspace.root}")

    def tell(outcome: Outcome) -> None:
        _hold(call, workspace)
        _tell(call, workspace, outcome, call.out.record)
        if call.out.unread:
            stop.set()

    watching.run(tell, stop)


def _hold(call: Call, workspace: Workspace) -> None:
    """Take out of force what goes against a correction, and tell."""
    if held := conflict_detector.hold(workspace):
        applied, files = held
        words = f"what you corrected stands again in {', '.join(files)}: out of force now, and not shown"
        call.out.warn(words, f"clawgit undo {applied.change}   # if it holds")


def _warn(call: Call, error: ClawgitError) -> None:
    call.out.warn(error.message, error.fix)


def _tell(
    call: Call,
    workspace: Workspace,
    outcome: Outcome,
    document: Callable[[object], None],
    taken: Sequence[Item] = (),
) -> int:
    """Print what became of it, and return the exit code: whether it leaves something for the operator to decide."""
    out = call.out
    for captured in outcome.captured:
        for words in captured.notes:
            out.note(words)
    findings = list_news(
        workspace, [path for captured in outcome.captured for path in (*captured.changed, *captured.back)]
    )
    for finding in findings:
        out.warn(finding.message, finding.fix)
    for held in outcome.held:
        out.warn(f"{held.reason}; it stays uncommitted", held.fix)
    if out.as_json:
        document(json_answers.captured(outcome, taken, findings))
    else:
        out.lines(human_lines.captured(outcome))
    out.flush()
    return Exit.DONE
