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
from clawgit.integrations.json_documents import Document, each, finding_document
from clawgit.sessions import know_sessions
from clawgit.workspace.capture_and_enforce import Outcome, capture_and_enforce
from clawgit.workspace.enforcement import Enforced
from clawgit.workspace.quarantine import Item
from clawgit.workspace.watch import Watch
from clawgit.workspace.workspace import Workspace


@command("clawgit capture", "clawgit capture --watch", "clawgit capture --json")
@click.option("--watch", is_flag=True, help="Go on until ^C or SIGTERM: commit whatever others write, once they pause.")
def capture(call: Call, *, watch: bool) -> int:
    """Commit edits made outside clawgit.

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
        _tell_put_back(call.out, done.enforced)
        for words in done.secrets:
            call.out.warn(words)
        if done.refusal:
            raise done.refusal
        _hold(call, workspace)
        _tell(call, workspace, done.outcome, call.out.document, done.enforced.taken)
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
    """Take out of force what goes against a correction, and tell."""
    if held := conflict_detector.hold(workspace):
        applied, files = held
        words = f"what you corrected stands again in {', '.join(files)}: out of force now, and not shown"
        call.out.warn(words, f"clawgit undo {applied.change}   # if it holds")


def _tell(
    call: Call,
    workspace: Workspace,
    outcome: Outcome,
    document: Callable[[object], None],
    taken: Sequence[Item] = (),
) -> None:
    """Print what became of it."""
    out = call.out
    for captured in outcome.captured:
        out.note(*captured.notes)
    findings = list_news(
        workspace, [path for captured in outcome.captured for path in (*captured.changed, *captured.back)]
    )
    out.warn_of(findings)
    for held in outcome.held:
        out.warn(f"{held.reason}; it stays uncommitted", held.fix)
    described = _describe(outcome, taken, findings)
    if out.as_json:
        document(described)
    else:
        out.lines(_list_captured(outcome))
        out.lines(render.draw_record(described, "healed waiting"))
    if not (outcome.captured or outcome.held):
        out.note("nothing to do: everything is committed")
    out.flush()


def _list_captured(outcome: Outcome) -> Iterator[Line]:
    """Yield each commit, and the command that takes it back."""
    for one in outcome.captured:
        if one.commit:
            every = sorted({*one.files, *one.back})
            files = [path for path in every if not path.startswith(".clawgit/")] or every
            name = one.commit[:10]
            yield line(Span(name, "yellow"), f" captured {change_output.name_files(files)}")
            yield fixed(2, f"clawgit undo {name}", "undo: ")


def _describe(outcome: Outcome, taken: Sequence[Item], findings: Sequence[Finding]) -> Document:
    """Return what became of what others wrote; `taken` are the edits that were put back and are in quarantine."""
    done = outcome.captured
    waiting = [(name, "identity") for one in done for name in one.waiting]
    waiting += [(name, "restore") for one in done for name in one.items]
    waiting += [(item.id, "quarantine") for item in taken]
    return {
        "commits": [one.commit for one in done if one.commit],
        "files": [path for one in done for path in one.files],
        "held": each(outcome.held, "path reason fix"),
        "healed": [{"path": path, "back": list(stale.lines)} for one in done for path, stale in one.stale.items()],
        "alarms": [finding_document(one) for one in findings],
        "proposals": [name for one in done for name in one.waiting],
        "items": [name for one in done for name in one.items],
        "waiting": [{"id": name, "kind": kind} for name, kind in waiting],
        "undo": [f"clawgit undo {one.commit}" for one in done if one.commit],
    }


def _tell_put_back(out: Output, enforced: Enforced) -> None:
    """Say what was put back, and what could not be."""
    for item in enforced.taken:
        words = f"{item.path} was not as approved; what you approved is back"
        out.warn(words, f"clawgit show {item.id}   # what was taken out")
    for path in enforced.restored:
        if path not in {item.path for item in enforced.taken}:
            out.warn(f"{path} was gone; what you approved is back")
    for one in enforced.left:
        if one.kind != "unapproved" or enforced.waiting:
            out.note(f"{one.reason}{f' ({enforced.waiting})' if one.kind == 'unapproved' else ''}")
