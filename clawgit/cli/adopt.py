"""`clawgit adopt`."""

import contextlib
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clawgit.cli import asking, documents, hooks, show_adoption, show_report
from clawgit.cli.call import Call, pass_call
from clawgit.cli.lazy import Command
from clawgit.cli.options import json_option
from clawgit.cli.progress import progress
from clawgit.errors import Exit
from clawgit.integrations.as_json import Document

if TYPE_CHECKING:
    from clawgit.git.programs import Program
    from clawgit.integrations.githooks import Done
    from clawgit.workspace.adopt import Adopted
    from clawgit.workspace.workspace import Workspace


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
    takes it all back. Filters that the repository's own configuration names (git-crypt, LFS) do not run; at a terminal
    it asks which may.

    PATH is -C, $CLAWGIT_WORKSPACE, else the workspace around the current folder or OpenClaw's own.
    """
    from clawgit.cli import show_trust  # noqa: PLC0415 - loads what it shows
    from clawgit.digest import adoption as adoption_findings  # noqa: PLC0415
    from clawgit.git import programs  # noqa: PLC0415
    from clawgit.workspace import adopt as adoption  # noqa: PLC0415 - loads libgit2
    from clawgit.workspace.host.host import Host  # noqa: PLC0415

    root = _folder(call, path)
    prospect = adoption.look(root, minimal=minimal)
    if prospect.refusal and not dry_run:
        raise prospect.refusal
    repo = prospect.workspace.repo if prospect.workspace else None
    limits = Host().caps(prospect.root).limits
    notes = repo.commondir / "clawgit" / "cache" if repo and (prospect.managed or not dry_run) else None
    with progress(call.out, "reading history") as told:
        try:
            hidden = adoption_findings.report(prospect.root, repo, limits=limits, notes=notes, progress=told)
        except KeyboardInterrupt:
            if notes:
                call.out.note("nothing was adopted; what was read of history is kept, and the next adopt goes on there")
            raise
    if not call.out.as_json:
        call.out.lines(show_report.lines(hidden))
        call.out.lines(show_adoption.prospect(prospect), indent=4)
        call.out.flush()
    found = prospect if dry_run else adoption.adopt(root, minimal=minimal, attended=asking.possible())
    if found.workspace is not None and not dry_run:
        with contextlib.suppress(OSError):  # the report was shown; only the digest does not repeat it
            adoption_findings.save(found.workspace.state, found.workspace.now(), hidden)
    off = programs.unaccepted(found.root)
    if off and not call.out.as_json:
        call.out.lines(show_trust.programs(off), indent=4)
        call.out.flush()
    if off and found.workspace is not None and not dry_run:
        off = _asked(call, found.workspace, off)
    done = hooks.joined(call, found.workspace.repo) if wants_hooks and found.workspace and not dry_run else ()
    _finish(call, found, documents.adopted(found, show_report.document(hidden), off), done, dry_run=dry_run)
    return Exit.FAILED if wants_hooks and not done and not dry_run else Exit.DONE


def _asked(call: Call, workspace: "Workspace", off: "tuple[Program, ...]") -> "tuple[Program, ...]":
    """Ask which filters of the repository's own git may run; return the commands that stay off."""
    chosen = asking.accepted_programs(call, off) if asking.possible() and not call.out.as_json else ()
    workspace.trusted.accept_programs(chosen)
    left = tuple(one for one in off if one not in chosen)
    if left:
        call.out.warn("files under a filter that is off are neither committed nor said to be changed")
        call.out.talk("  fix: clawgit trust   # at a terminal: accepts these commands")
    return left


def _folder(call: Call, path: str | None) -> Path:
    if path:
        return Path(path).expanduser().absolute()
    return call.place().absolute()


def _finish(call: Call, found: "Adopted", document: Document, done: "Iterable[Done]", *, dry_run: bool) -> None:
    if found.workspace is not None and not dry_run:
        found.workspace.close()
    for words in found.notes:
        call.out.warn(words)
    if call.out.as_json:
        call.out.document({**document, "hooks": hooks.documents(done)})
    else:
        call.out.lines(show_adoption.adopted(found, dry_run=dry_run), indent=4)
        call.out.lines(hooks.rows(done))
