"""`clawgit capture`."""

from collections.abc import Callable, Iterator, Sequence

import click

from clawgit.agents import conflict_detector
from clawgit.cli import change_output, render
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import command
from clawgit.cli.options import stop_on_signals
from clawgit.cli.output import Output
from clawgit.cli.text_lines import Line, Span, fixed, line
from clawgit.errors import Exit
from clawgit.findings.registry import Finding
from clawgit.findings.status import list_news
from clawgit.json_documents import Document, finding_document, map_documents
from clawgit.sessions import know_sessions
from clawgit.workspace.capture_and_enforce import Outcome, capture_and_enforce
from clawgit.workspace.identity_policy import Enforced
from clawgit.workspace.watch import Watch
from clawgit.workspace.workspace import Workspace


@command("clawgit capture", "clawgit capture --watch", "clawgit capture --json")
@click.option("--watch", is_flag=True, help="Go on until ^C or SIGTERM: commit whatever others write, once they pause.")
def capture(call: Call, *, watch: bool) -> int:
    """Commit edits made outside clawgit.

    The main agent, an editor, or whoever else wrote into the workspace: one commit for all of it. A file that may not
    enter history is left as it is, and named with the reason; the others carry on. With --watch a group of writes is
    committed once nobody has written for five seconds, and what is written over before
    that is kept (clawgit log --seen); --json then prints one document for each capture, a line each. Every file
    stays as it was written. Lines of clawgit's that somebody removed, and removed lines that are back, are one item a
    file in `clawgit inbox`.
    """
    with call.workspace(patient=not watch) as workspace:
        if watch:
            _watch(call, workspace)
            return Exit.DONE
        result = capture_and_enforce(workspace)
        _tell_put_back(call.out, result.enforced)
        for words in result.secrets:
            call.out.warn(words)
        if result.refusal:
            raise result.refusal
        _hold(call, workspace)
        _tell(call, workspace, result, call.out.document)
        return Exit.DONE


def _watch(call: Call, workspace: Workspace) -> None:
    workspace.require_managed()
    stop = stop_on_signals()
    watching = Watch(workspace.root, lambda error: call.out.warn_of((error,)), know_sessions)
    call.out.note(f"watching {workspace.root}")

    def tell(outcome: Outcome) -> None:
        _hold(call, workspace)
        _tell(call, workspace, outcome, call.out.record)
        if call.out.unread:
            stop.set()

    watching.run(tell, stop)


def _hold(call: Call, workspace: Workspace) -> None:
    """Take lines that contradict a correction out of force, and report them."""
    if hold := conflict_detector.hold(workspace):
        applied, files = hold
        words = f"what you corrected stands again in {', '.join(files)}: out of force now, and not shown"
        call.out.warn(words, f"clawgit undo {applied.change}   # if it holds")


def _tell(call: Call, workspace: Workspace, outcome: Outcome, document: Callable[[object], None]) -> None:
    """Print the outcome."""
    output = call.out
    for item in outcome.captured:
        output.note(*item.notes)
    findings = list_news(workspace, [path for item in outcome.captured for path in (*item.changed, *item.back)])
    output.warn_of(findings)
    for held_file in outcome.held:
        output.warn(f"{held_file.reason}; it stays uncommitted", held_file.fix)
    described = _describe(outcome, findings)
    if output.as_json:
        document(described)
    else:
        output.lines(_list_captured(outcome))
        output.lines(render.draw_record(described, "healed waiting"))
    if not (outcome.captured or outcome.held):
        output.note("nothing to do: everything is committed")
    output.flush()


def _list_captured(outcome: Outcome) -> Iterator[Line]:
    """Yield each commit, and the command that takes it back."""
    for item in outcome.captured:
        if item.commit:
            paths = sorted({*item.files, *item.back})
            files = [path for path in paths if not path.startswith(".clawgit/")] or paths
            name = item.commit[:10]
            yield line(Span(name, "yellow"), f" captured {change_output.name_files(files)}")
            yield fixed(2, f"clawgit undo {name}", "undo: ")


def _describe(outcome: Outcome, findings: Sequence[Finding]) -> Document:
    """Return the outcome for edits of others."""
    captures = outcome.captured
    waiting = [(name, "identity") for item in captures for name in item.waiting]
    waiting += [(name, "restore") for item in captures for name in item.items]
    waiting += [(item.id, "quarantine") for item in outcome.enforced.taken]
    return {
        "commits": [item.commit for item in captures if item.commit],
        "files": [path for item in captures for path in item.files],
        "held": map_documents(outcome.held, "path reason fix"),
        "healed": [
            {"path": path, "back": list(stale.lines)} for item in captures for path, stale in item.stale.items()
        ],
        "alarms": [finding_document(finding) for finding in findings],
        "proposals": [name for item in captures for name in item.waiting],
        "items": [name for item in captures for name in item.items],
        "waiting": [{"id": name, "kind": kind} for name, kind in waiting],
        "undo": [f"clawgit undo {item.commit}" for item in captures if item.commit],
    }


def _tell_put_back(output: Output, enforced: Enforced) -> None:
    """Report the files put back, and the failures."""
    for item in enforced.taken:
        words = f"{item.path} was not as approved; what you approved is back"
        output.warn(words, f"clawgit show {item.id}   # what was taken out")
    for path in enforced.restored:
        if path not in {item.path for item in enforced.taken}:
            output.warn(f"{path} was gone; what you approved is back")
    for edit in enforced.left:
        if edit.kind != "unapproved" or enforced.waiting:
            output.note(f"{edit.reason}{f' ({enforced.waiting})' if edit.kind == 'unapproved' else ''}")
