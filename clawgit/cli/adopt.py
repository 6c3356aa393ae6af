"""`clawgit adopt`."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clawgit.cli import documents, hooks, show_adoption, show_report
from clawgit.cli.call import Call, pass_call
from clawgit.cli.lazy import Command
from clawgit.cli.options import json_option
from clawgit.cli.progress import progress
from clawgit.errors import Exit

if TYPE_CHECKING:
    from clawgit.integrations.githooks import Done
    from clawgit.workspace.adopt import Adopted
    from clawgit.workspace.report.report import Report


@click.command(
    cls=Command, examples=("clawgit adopt ~/.openclaw/workspace --dry-run", "clawgit adopt", "clawgit adopt --json")
)
@click.argument("path", required=False)
@click.option("--minimal", is_flag=True, help="Add nothing but .clawgit/: no settings, records, prompts, ignore rules.")
@click.option("--hooks", "wants_hooks", is_flag=True, help="Install the git hooks, as clawgit hooks install does.")
@click.option("--dry-run", is_flag=True, help="Print the report and what would be done; touch nothing.")
@json_option
@pass_call
def adopt(call: Call, path: str | None, *, minimal: bool, wants_hooks: bool, dry_run: bool) -> int:
    """Make a folder that an agent lives in already a managed workspace.

    First a report of what the folder hides: how its identity changed, what OpenClaw never shows the agent, what edits
    took out of the journals, secrets, repetitions. Then what is not committed yet is committed as it stands, and what
    clawgit needs is added; no file that exists is changed, but .gitignore gets rules at its end. `clawgit eject`
    takes it all back.

    PATH is -C, $CLAWGIT_WORKSPACE, else the workspace around the current folder or OpenClaw's own.
    """
    from clawgit.workspace import adopt as adoption  # noqa: PLC0415 - loads libgit2
    from clawgit.workspace.host.host import Host  # noqa: PLC0415
    from clawgit.workspace.report.report import report  # noqa: PLC0415

    root = _folder(call, path)
    prospect = adoption.look(root, minimal=minimal)
    if prospect.refusal and not dry_run:
        raise prospect.refusal
    repo = prospect.workspace.repo if prospect.workspace else None
    limits = Host().caps(prospect.root).limits
    notes = repo.commondir / "clawgit" / "cache" if repo and (prospect.managed or not dry_run) else None
    with progress(call.out, "reading history") as told:
        try:
            hidden = report(prospect.root, repo, limits=limits, notes=notes, progress=told)
        except KeyboardInterrupt:
            if notes:
                call.out.note("nothing was adopted; what was read of history is kept, and the next adopt goes on there")
            raise
    if not call.out.as_json:
        call.out.lines(show_report.lines(hidden))
        call.out.lines(show_adoption.prospect(prospect), indent=4)
        call.out.flush()
    found = prospect if dry_run else adoption.adopt(root, minimal=minimal)
    done = hooks.joined(call, found.workspace.repo) if wants_hooks and found.workspace and not dry_run else ()
    _finish(call, found, hidden, done, dry_run=dry_run)
    return Exit.FAILED if wants_hooks and not done and not dry_run else Exit.DONE


def _folder(call: Call, path: str | None) -> Path:
    if path:
        return Path(path).expanduser().absolute()
    return call.place().absolute()


def _finish(call: Call, found: "Adopted", hidden: "Report", done: "Iterable[Done]", *, dry_run: bool) -> None:
    if found.workspace is not None and not dry_run:
        found.workspace.close()
    for words in found.notes:
        call.out.warn(words)
    if call.out.as_json:
        document = documents.adopted(found, show_report.document(hidden))
        call.out.document({**document, "hooks": hooks.documents(done)})
    else:
        call.out.lines(show_adoption.adopted(found, dry_run=dry_run), indent=4)
        call.out.lines(hooks.rows(done))
