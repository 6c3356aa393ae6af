"""`clawgit capture`, `undo`, `restore` and `trust`."""

import os
import re
from collections.abc import Callable, Iterator, Sequence

import click
from msgspec.structs import replace

from clawgit import errors, json_documents
from clawgit.agents import conflict_detector
from clawgit.cli import change_output, operator_input, render
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import command
from clawgit.cli.options import VersionType, Words, as_of_option, hash_option, locate, stop_on_signals
from clawgit.cli.output import Output
from clawgit.cli.render import Span, count_noun, format_minute, line, render_fix
from clawgit.errors import Advice, ClawgitError, Command, Exit, options_conflict, quote_shell
from clawgit.findings.checks import loss_checks
from clawgit.findings.status import list_news
from clawgit.json_documents import Document, document_held_files, fields, finding_document, hunk_documents
from clawgit.sessions import know_sessions
from clawgit.text.diff import hunks
from clawgit.workspace import records, run_ledger, trust_review
from clawgit.workspace import restore as restoring
from clawgit.workspace import undo as undoing
from clawgit.workspace.capture_and_enforce import Outcome, capture_all, capture_and_enforce
from clawgit.workspace.change import Change
from clawgit.workspace.commit_message import list_names
from clawgit.workspace.config import Shown
from clawgit.workspace.identity_enforcement import Enforced
from clawgit.workspace.trust_review import Review
from clawgit.workspace.uncommitted import list_uncommitted
from clawgit.workspace.watch import Watch
from clawgit.workspace.workspace import Workspace


@command("clawgit capture", "clawgit capture --watch", "clawgit capture --json")
@click.option("--watch", is_flag=True, help="Go on until ^C or SIGTERM: commit whatever others write, once they pause.")
def capture(call: Call, *, watch: bool) -> int:
    """Commit edits made outside clawgit.

    All edits of others are one commit. A file that may not enter history is left as it is, and named with the reason.
    With --watch writes are committed after five seconds of rest, and overwritten versions are kept (clawgit log
    --seen); --json then prints one document a line for each capture. Every file stays as it was written. Removed lines
    of clawgit's, and removed lines that are back, are one item a file in `clawgit inbox`.
    """
    with call.workspace(patient=not watch) as workspace:
        if watch:
            _watch_files(call, workspace)
            return Exit.DONE
        result = capture_and_enforce(workspace)
        # Repairs are reported even if the capture was refused afterwards.
        _tell_put_back(call.out, result.enforced)
        for words in result.secrets:
            call.out.warn(words)
        if result.refusal:
            raise result.refusal
        _tell_capture(call, workspace, result, call.out.document)
        return Exit.DONE


def _watch_files(call: Call, workspace: Workspace) -> None:
    workspace.require_managed()
    stop = stop_on_signals()
    watching = Watch(workspace.root, lambda error: call.out.warn_of((error,)), know_sessions)
    call.out.note(f"watching {workspace.root}")

    def tell(outcome: Outcome) -> None:
        _tell_capture(call, workspace, outcome, call.out.record)
        # Nobody reads the output any more, as after `| head`.
        if call.out.unread:
            stop.set()

    watching.run(tell, stop)


def _tell_capture(call: Call, workspace: Workspace, outcome: Outcome, print_document: Callable[[object], None]) -> None:
    """Take lines that contradict a correction out of force, and print the outcome."""
    output, captures = call.out, outcome.captured
    if hold := conflict_detector.supersede_repeated_errors(workspace):
        applied, files, name = hold
        words = f"what you corrected stands again in {', '.join(files)}: out of force now, and not shown"
        look = f"clawgit show {name}   # to correct it there; " if name else ""
        output.warn(words, f"{look}clawgit undo {applied.change}   # if it holds")
    output.note(*(note for item in captures for note in item.notes))
    returned = [*outcome.enforced.returned, *(back for item in captures for back in item.returned)]
    changed_paths = [path for item in captures for path in (*item.changed, *item.files)]
    findings = list_news(workspace, [*changed_paths, *(back.path for back in returned)])
    put_back_paths = {back.path for back in outcome.enforced.returned}
    output.warn_of(item for item in findings if item.key != "identity-changed" or not put_back_paths & {*item.paths})
    for error in outcome.held.values():
        output.warn(f"{error.message}; it stays uncommitted", error.fix)
    waiting = [(back.item, back.kind) for back in returned if back.item]
    waiting += [(name, "restore") for item in captures for name in item.items]
    commits = [item for item in captures if item.commit]
    document = {
        "commits": [item.commit for item in commits],
        "files": [path for item in captures for path in item.files],
        "held": document_held_files(outcome.held),
        "healed": [
            {"path": path, "back": list(stale.lines)} for item in captures for path, stale in item.stale.items()
        ],
        "alarms": [finding_document(finding) for finding in findings],
        "proposals": [name for name, kind in waiting if kind == "identity"],
        "items": [name for name, kind in waiting if kind == "restore"],
        "waiting": [{"id": name, "kind": kind} for name, kind in waiting],
        "undo": [f"clawgit undo {item.commit}" for item in commits],
    }
    if output.as_json:
        print_document(document)
    else:
        for item in commits:
            paths = sorted(item.files)
            # Files of clawgit are named only if nothing else changed.
            own = [path for path in paths if not path.startswith(".clawgit/")]
            name = str(item.commit)[:10]
            row = line(Span(name, "yellow"), f" captured {change_output.name_files(own or paths)}")
            output.lines([row, render_fix(2, f"clawgit undo {name}", "undo: ")])
        output.lines(render.draw_record(document, "healed waiting"))
    if not (captures or outcome.held or returned):
        output.note("nothing to do: everything is committed")
    output.flush()


def _tell_put_back(output: Output, enforced: Enforced) -> None:
    """Report the files put back, and the failures."""
    for item in enforced.returned:
        words = f"{item.path} was not as approved; what you approved is back"
        output.warn(words, f"clawgit show {item.item}   # what was taken out" if item.item else "")
    for edit in enforced.left:
        if edit.kind != "unapproved" or enforced.waiting:
            output.note(f"{edit.reason}{f' ({enforced.waiting})' if edit.kind == 'unapproved' else ''}")


_CAPTURE_COLUMNS = "files keys changes approve"


@command("clawgit trust", "clawgit trust --hash 9b1c07aa42de")
@hash_option("clawgit trust")
def trust(call: Call, digest: str | None) -> int:
    """Approve the identity as it is now.

    That is the identity files, values of CONFIG.md that run something, read outside the workspace or loosen a rule,
    with the files that a command names, and new programs and shrunken files. Approvals are kept outside the workspace.
    Asks at a terminal, or takes --hash of the shown differences there; elsewhere it shows them and exits with 3.
    """
    with call.workspace(managed=True) as workspace:
        review = replace(trust_review.review(workspace), changes=loss_checks.list_changes(workspace))
        document = _describe_review(review)
        is_open = bool(review.of_identity or review.changes)
        is_approved = is_open and _is_approved(call, workspace, review, document, digest)
        if is_approved:
            trust_review.approve_review(workspace, review)
            if review.changes:
                loss_checks.answer_changes(workspace, review.changes)
        outcome = _capture_approved(call, workspace, review) if is_approved and review.of_identity else Outcome()
        can_approve = workspace.attended
    document |= {
        "accepted": is_approved,
        "approve": f"clawgit trust --hash {review.digest}" if is_open and can_approve and not is_approved else None,
        "commits": [capture.commit for capture in outcome.captured if capture.commit],
        "held": document_held_files(outcome.held),
    }
    if not review.known:
        call.out.note("nothing here is approved yet: these are the files of the identity, as they are on disk")
    rows = render.draw_record(document, _CAPTURE_COLUMNS)
    if is_approved:
        names = [*(file.path for file in review.files), *(key.key.name for key in review.keys), *review.changes.told]
        rows = render.draw_record({"approved": names or ["the workspace"], "captured": document["commits"]})
    call.out.answer(document, rows, none="everything is as you approved it")
    if is_open and not (is_approved or can_approve):
        call.out.note("nothing was approved: that is done at a terminal: clawgit trust")
    return Exit.FOUND if is_open and not is_approved else Exit.DONE


def _describe_review(review: Review) -> dict[str, object]:
    """Return the differences from the approvals; files that a command names are approved with it, by their bytes."""
    return {
        "known": review.known,
        "accepted": False,
        "hash": review.digest,
        "approve": f"clawgit trust --hash {review.digest}",
        "files": [
            {
                "path": file.path,
                "characters": None if file.text is None else len(file.text),
                "hunks": hunk_documents(hunks(file.approved or "", file.text or "")) if review.known else [],
            }
            for file in review.files
        ],
        "keys": [_describe_key(key) for key in review.keys],
        "changes": list(review.changes.told),
    }


def _describe_key(setting: Shown) -> Document:
    place = f"CONFIG.md:{setting.line}" if setting.line else "CONFIG.md"
    files = {"files": dict(setting.files), "changed": list(setting.changed)} if setting.files or setting.changed else {}
    return {**fields(setting, "key used=value says=untrusted set", key=setting.key.name, set=place), **files}


def _is_approved(call: Call, workspace: Workspace, review: Review, document: Document, digest: str | None) -> bool:
    """Return whether the operator approves it, False if nobody can be asked.

    Raises ClawgitError for a no, and for the hash of something else.
    """
    if digest:
        if digest != review.digest:
            raise errors.preview_outdated("this is no longer what was shown", fix=Command("clawgit trust"))
        operator_input.require_operator(workspace, "trust approves the identity")
    elif not operator_input.is_interactive():
        return False
    else:
        rows = render.draw_record(document, _CAPTURE_COLUMNS)
        operator_input.confirm(call.out, rows, "Approve all of it?", "trust", Command("clawgit trust"))
    return True


def _capture_approved(call: Call, workspace: Workspace, review: Review) -> Outcome:
    """Commit the approved files that are not committed."""
    # Values of CONFIG.md are approved by key, but committed as a file.
    paths = {file.path for file in review.files} | ({"CONFIG.md"} if review.keys else set())
    try:
        return capture_all(workspace, paths.__contains__)
    except ClawgitError as exc:
        call.out.warn(f"it is approved, and not committed yet: {exc.message}", exc.fix)
        return Outcome()


@command(
    "clawgit undo",
    "clawgit undo kxqmwrtzvn --dry-run",
    "clawgit undo --run",
    apart={"redo": "whole again", "whole": "dry_run"},
)
@click.argument("change", type=VersionType(), required=False, metavar="[CHANGE]")
@click.option("--run", "whole", is_flag=True, help="Take back all that the same run of an agent changed.")
@click.option("--redo", is_flag=True, help="Redo the last undo, or that of CHANGE.")
@click.option("--again", is_flag=True, help="Let the undone memories be learnt again.")
@click.option("--dry-run", is_flag=True, help="Show the planned change, and touch nothing.")
def undo(call: Call, change: str | None, *, whole: bool, redo: bool, again: bool, dry_run: bool) -> None:
    """Revert one change; later changes stay.

    CHANGE is the id that a change printed, or any revision; without it, the newest change, and each time again the one
    before it. --run reverts all changes of the newest run, or of the run that made CHANGE. The run or session of an
    agent's calls, see `clawgit why`, reverts all that these calls wrote. If a later change is in the way, nothing is
    written and both sides are shown (exit 1). A file goes back to an earlier text with `clawgit restore --as-of`.
    """
    with call.workspace() as workspace:
        # A date resolves to a commit, too, but it names no change.
        _refuse_other(workspace, change or "")
        if redo:
            options = f"--redo {change}" if change else "--redo"
            _apply(call, workspace, undoing.redo(workspace, change), options, dry_run=dry_run)
            return
        commits: Sequence[str] = ()
        if whole:
            run, commits = run_ledger.find_run(workspace, change)
            words = f"the run of {run.agent} of {format_minute(run.ended)}: {count_noun(len(commits), 'change')}"
        # Any name that is no commit may be the run or session of an agent's calls.
        elif change and not _is_change(workspace, change):
            commits = records.list_run(workspace, change)
            words = f"what {count_noun(len(commits), 'call')} wrote"
        if whole or len(commits) > 1:
            if dry_run:
                raise options_conflict("--dry-run shows one change, and a run may be many", fix=Command("clawgit log"))
            call.out.note(f"takes back {words}")
            _apply_each(call, workspace, (undoing.undo(workspace, commit, again=again) for commit in commits))
            return
        change = commits[0] if commits else change
        undo_change = undoing.undo(workspace, change, again=again)
        undone_commit = records.find_commit(workspace, undo_change.undoes or "")
        if change is None and (left := undoing.list_passed_over(workspace, undone_commit)):
            many = count_noun(len(left), "newer commit")
            stay = "stays" if len(left) == 1 else "stay"
            call.out.note(f"{many}, made by others or captured, {stay}: clawgit undo {left[0][:10]}")
        if edited := list_uncommitted(workspace):
            call.out.note(f"uncommitted edits stay: {list_names(edited)}")
        options = f"{change or undo_change.undoes}{' --again' if again else ''}"
        _apply(call, workspace, undo_change, options, dry_run=dry_run)


def _refuse_other(workspace: Workspace, name: str) -> None:
    """Raise ClawgitError for a file or a day: neither is one change."""
    if name and os.path.isfile(workspace.root / name):  # noqa: PTH113 - a long word is no path, and no error
        words = f"{name} is a file, and no change; restore it as of a change of its log"
        raise options_conflict(words, fix=Command("clawgit log {} --versions", name))
    if re.fullmatch(r"\d{4}-\d\d-\d\d(?:[T ].*)?", name):
        raise options_conflict(f"{name} is a day, and no change", fix=Command("clawgit log --since {}", name))


def _is_change(workspace: Workspace, name: str) -> bool:
    """Return whether a name is that of a change, a revision or a day, rather than of a run."""
    try:
        return bool(records.find_commit(workspace, name))
    except ClawgitError:
        return False


def _apply(call: Call, workspace: Workspace, change: Change, words: str, *, dry_run: bool) -> None:
    """Apply a change, or print its preview, file by file, and the command with these words that applies it."""
    if not dry_run:
        change_output.apply(call, workspace, change)
        return
    command = f"clawgit undo {words}"
    files = [{"path": path, "hunks": json_documents.hunk_documents(hunks)} for path, hunks in change.hunks().items()]
    rows = (row for document in files for row in render.draw_record(document))
    call.out.answer({"commit": None, "undoes": change.undoes, "files": files, "command": command}, rows)
    call.out.note(f"nothing was touched; to do it: {command}")


def _apply_each(call: Call, workspace: Workspace, changes: Iterator[Change]) -> None:
    """Apply changes one by one, each made after those before it have landed."""
    if call.out.as_json:
        call.out.documents([json_documents.document_change(workspace.apply(change)) for change in changes])
        return
    for change in changes:
        change_output.apply(call, workspace, change)
        call.out.flush()


@command(
    "clawgit restore memory/2026-01-20.md",
    "clawgit restore 'SOUL.md#Core Truths' --as-of 2026-01-20",
    "clawgit restore MEMORY.md --seen 1f3c9ab20e",
    apart={"name": "seen approved", "seen": "approved"},
)
@click.argument("wanted", nargs=-1, required=True, type=Words(), metavar="PATH|ENTRY...")
@as_of_option("As it was then: a change, a revision, or the end of a day.  [default: as it was last]")
@click.option(
    "--seen",
    type=Words(),
    metavar="ID",
    help="As it was written over, uncommitted: clawgit log PATH --seen lists them.",
)
@click.option("--approved", is_flag=True, help="As you approved it: an identity file.")
def restore(call: Call, wanted: tuple[str, ...], name: str | None, seen: str | None, *, approved: bool) -> None:
    """Bring back a file, a folder, a section or an entry.

    PATH is a file, a folder, or 'PATH#Section'. Of a folder ("." is the workspace) the files that were deleted last
    come back, with --as-of those of then; no other file changes. ENTRY is the id of a memory, or its beginning; each of
    several is a change of its own. If other words replaced an entry, both are shown and nothing is written (exit 1).
    """
    first, *others = wanted
    if others and (approved or seen is not None):
        raise options_conflict("restore one file at a time", fix=Advice(f"clawgit restore {quote_shell(first)} …"))
    with call.workspace(managed=True) as workspace:
        names = list(dict.fromkeys(locate(workspace, item) for item in wanted))
        if approved:
            change_output.apply(call, workspace, restoring.restore_approved(workspace, names[0]))
        elif seen is not None:
            change_output.apply(call, workspace, restoring.restore_seen(workspace, names[0], seen))
        elif others:
            for item in names:  # nothing is written where one of them cannot come back
                restoring.restore(workspace, item, name)
            _apply_each(call, workspace, (restoring.restore(workspace, item, name) for item in names))
        else:
            change = restoring.restore(workspace, names[0], name)
            applied = workspace.apply(change)
            files = tuple(f"{path}: " for path in applied.files)
            # The deletion that was captured first is what this repairs.
            notes = tuple(note for note in applied.notes if not note.startswith(files))
            change_output.print_outcome(call, replace(applied, notes=notes), change.subject)
