"""`clawgit capture`."""

import signal
from collections.abc import Callable
from threading import Event
from typing import TYPE_CHECKING

import click

from clawgit.cli import documents, show
from clawgit.cli.call import Call, pass_call
from clawgit.cli.lazy import Command
from clawgit.cli.options import json_option

if TYPE_CHECKING:
    from clawgit.workspace.capturing import Outcome
    from clawgit.workspace.workspace import Workspace


@click.command(cls=Command, examples=("clawgit capture", "clawgit capture --watch", "clawgit capture --json"))
@click.option("--watch", is_flag=True, help="Go on until ^C or SIGTERM: commit whatever others write, once they pause.")
@json_option
@pass_call
def capture(call: Call, *, watch: bool) -> None:
    """Commit what others wrote.

    The main agent, an editor, or whoever else wrote into the workspace: one commit for all of it. A file that may not
    enter history is left as it is, and named with the reason; the others carry on. With --watch a group of writes is
    committed once nobody has written for the `capture_quiet_seconds` of CONFIG.md; --json then prints one document
    for each, a line each.
    """
    with call.workspace() as workspace:
        if watch:
            _watch(call, workspace)
            return
        from clawgit.workspace.capturing import capture_all  # noqa: PLC0415 - loads libgit2

        _tell(call, capture_all(workspace), call.out.document)


def _watch(call: Call, workspace: "Workspace") -> None:
    from clawgit.workspace.watch import Watch  # noqa: PLC0415

    workspace.require_managed()
    stop = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    watching = Watch(workspace.root)
    call.out.note(f"watching {workspace.root}")
    watching.run(lambda outcome: _tell(call, outcome, call.out.record), stop)


def _tell(call: Call, outcome: "Outcome", document: Callable[[object], None]) -> None:
    out = call.out
    for captured in outcome.captured:
        raised = {alarm.words for alarm in captured.alarms}
        for words in (words for words in captured.notes if words not in raised):
            out.note(words)
        for alarm in captured.alarms:
            out.warn(alarm.words)
            out.talk(f"  fix: {alarm.fix}")
    for held in outcome.held:
        out.warn(f"{held.reason}; it stays uncommitted")
        out.talk(f"  fix: {held.fix}")
    if out.as_json:
        document(documents.captured(outcome))
    else:
        out.lines(show.captured(outcome))
    out.flush()
