"""`clawgit undo` and `clawgit restore`."""

import os
import re
from collections.abc import Iterator, Sequence

import click
from msgspec.structs import replace

from clawgit import json_documents
from clawgit.cli import change_output, render
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import command
from clawgit.cli.options import VersionType, Words, as_of_option, locate
from clawgit.cli.render import count_noun, format_minute
from clawgit.errors import Advice, ClawgitError, Command, options_conflict, quote_shell
from clawgit.workspace import records, run_ledger
from clawgit.workspace import restore as restoring
from clawgit.workspace import undo as undoing
from clawgit.workspace.change import Change
from clawgit.workspace.commit_message import list_names
from clawgit.workspace.uncommitted import list_uncommitted
from clawgit.workspace.workspace import Workspace


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
