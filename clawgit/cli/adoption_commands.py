"""`clawgit init`, `adopt` and `eject`."""

import os
from importlib import import_module
from pathlib import Path

import click

from clawgit.cli import connect_commands, operator_input, render
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import command
from clawgit.cli.options import Words
from clawgit.cli.output import progress
from clawgit.connect import git_hooks
from clawgit.connect.timers import find_timers
from clawgit.errors import Command, Exit, quote_shell
from clawgit.findings.adoption_report import make_adoption_report
from clawgit.git import foreign_programs, repository
from clawgit.json_documents import Document, document_held_files, fields, finding_document
from clawgit.schedule import runner_state
from clawgit.workspace import bootstrap, identity_policy
from clawgit.workspace import eject as ejection
from clawgit.workspace.bootstrap import Adopted
from clawgit.workspace.eject import Farewell


@command(
    "clawgit init ~/.openclaw/workspace",
    "clawgit init . --hooks --json",
    "clawgit init ~/.openclaw/workspace --from git@example.org:agent.git",
)
@click.argument("path", required=False)
@click.option("--hooks", "wants_hooks", is_flag=True, help="Install the git hooks, as clawgit hooks install does.")
@click.option("--from", "source", type=Words(), metavar="URL|FOLDER", help="Set up another machine of this workspace.")
def init(call: Call, path: str | None, source: str | None, *, wants_hooks: bool) -> int:
    """Create a managed workspace, or clone one.

    PATH is made if it is missing; the default is -C, $CLAWGIT_WORKSPACE, else the current folder. Existing files are
    committed, never changed. With --from, the workspace is cloned from a remote, or from a folder of bundles; the git
    hooks are installed, and one sync follows. No identity is approved there until `clawgit trust`.
    """
    place = Path(path or call.folder or ".").expanduser().absolute()
    if source:
        from clawgit.cli.sync_commands import join_machine  # noqa: PLC0415 - a new workspace does without

        return join_machine(call, source, place)
    creation = bootstrap.init(place, attended=operator_input.is_interactive())
    workspace = creation.workspace
    assert workspace is not None
    with call.closing(workspace):
        warnings = [*creation.notes, *(f"{error.message}; left uncommitted" for error in creation.held.values())]
        for words in warnings:
            call.out.warn(words)
        hooks = connect_commands.install_alongside(call, workspace.repo) if wants_hooks else ()
        document = {
            **fields(workspace, "workspace=root branch"),
            "created": sorted((*creation.additions, *creation.views)) if creation.commit else [],
            "kept": sorted({*creation.captured, *creation.held, *creation.kept} - creation.additions.keys()),
            "warnings": warnings,
            "report": {},
            "commit": creation.commit,
            **({} if creation.commit else {"reason": _MANAGED}),
            "hooks": connect_commands.documents(hooks),
        }
        call.out.answer(document, shown="workspace branch commit reason created kept hooks")
        if creation.commit:
            call.out.note('clawgit remember "what is worth keeping" is next')
    return Exit.FAILED if wants_hooks and not hooks else Exit.DONE


_MANAGED = "it is managed already"


@command("clawgit adopt ~/.openclaw/workspace --dry-run", "clawgit adopt", "clawgit adopt --json")
@click.argument("path", required=False)
@click.option("--minimal", is_flag=True, help="Add nothing but .clawgit/: no settings, records, prompts, ignore rules.")
@click.option("--dry-run", is_flag=True, help="Print the report and the planned steps; touch nothing.")
@click.option("--open", "paged", is_flag=True, help="With --dry-run: show the report as a page in the browser.")
def adopt(call: Call, path: str | None, *, minimal: bool, dry_run: bool, paged: bool) -> None:
    """Start managing an existing OpenClaw workspace.

    First a report on the history of the folder: versions of the identity, text beyond OpenClaw's limits, lost lines,
    secrets. Then uncommitted files are committed, and the files of clawgit added; no existing file changes, but
    .gitignore gets rules at its end. `clawgit eject` reverts it all. Filters of the repository's own configuration
    (git-crypt, LFS) do not run; at a terminal it asks for each.

    PATH is -C, $CLAWGIT_WORKSPACE, else the workspace around the current folder or OpenClaw's own.
    """
    root = (Path(path).expanduser() if path else call.place()).absolute()
    if paged:
        import_module("clawgit.cli.ui_command").show_report(call, root, dry_run=dry_run)  # the page is an extra
        return
    with progress(call.out, "looking at the objects of HEAD") as report_progress:
        prospect = bootstrap.preview_adoption(root, minimal=minimal, progress=report_progress)
    if prospect.refusal and not dry_run:
        raise prospect.refusal
    facts = _report_prospect(call, prospect)
    with progress(call.out, "adopting"):
        result = (
            prospect if dry_run else bootstrap.adopt(root, minimal=minimal, attended=operator_input.is_interactive())
        )
    for name in sorted(foreign_programs.filters_off(result.root)):
        words = f"filter.{name} is the repository's own, and off: its files are not committed"
        call.out.warn(words, foreign_programs.accept_filter(result.root, name))
    if result.workspace is not None and not dry_run:
        result.workspace.close()
    for words in result.notes:
        call.out.warn(words)
    filters = foreign_programs.list_own_filters(result.root)
    document = {
        **_describe_adoption(result),
        "programs": [{"key": key, "command": command} for key, command in filters.items()],
        "report": facts,
        "commit": result.commit,
        **({"reason": _MANAGED} if result.managed and result.commit is None else {}),
    }
    call.out.answer(document, shown="workspace branch commit reason programs")
    if dry_run and result.refusal:
        call.out.warn(f"nothing was touched; it would be refused now: {result.refusal.message}", result.refusal.fix)
    elif dry_run:
        call.out.note(f"nothing was touched; to do it: clawgit adopt {quote_shell(result.root)}")
    elif result.commit:
        call.out.note("next: clawgit connect, for the agent; clawgit schedule install --apply, for what runs by itself")


def _report_prospect(call: Call, prospect: Adopted) -> Document:
    """Return the hidden facts of the folder; for people they are printed, with what will be done."""
    with progress(call.out, "reading history") as report_progress:
        facts = make_adoption_report(
            prospect.root, prospect.workspace.repo if prospect.workspace else None, report_progress
        )
    facts["findings"] = list(map(finding_document, facts["findings"]))
    if not call.out.as_json:
        call.out.lines(render.draw_record(facts, "workspace commits files journals lines identity findings"))
        if not prospect.managed:
            columns = "captured created kept held stays_out warnings"
            call.out.lines(render.draw_record(_describe_adoption(prospect), columns))
        call.out.flush()
    return facts


def _describe_adoption(result: Adopted) -> Document:
    """Return the additions, commits and omissions of an adoption."""
    return fields(
        result,
        "workspace=root branch created captured kept held stays_out warnings",
        created=sorted((*result.additions, *result.views)),
        held=document_held_files(result.held),
        stays_out={"files": result.left},
        warnings=list(result.notes),
    )


@command("clawgit eject", "clawgit eject --yes --json")
@click.argument("path", required=False)
@click.option("--yes", is_flag=True, help="Do not ask.")
def eject(call: Call, path: str | None, *, yes: bool) -> None:
    """Stop managing it; give every byte back.

    Unchanged files of clawgit's go, in one commit on top; history is never rewritten. Its references, hooks and timers,
    the connection to OpenClaw, its data in .git/clawgit and your approvals go as well. Memories, journals and the
    identity stay. Asks at a terminal; elsewhere --yes is needed. Under `soul_policy: review` and `locked` it takes a
    terminal.
    """
    call.folder = path or call.folder
    with call.workspace() as workspace:
        if identity_policy.is_enforced(workspace):
            operator_input.require_operator(workspace, "eject forgets what you approved")
        farewell = ejection.plan_eject(workspace)
        connection = connect_commands.plan_removal(workspace)
        place = runner_state.find_place(workspace.root, os.environ)
        timers, unknown = find_timers(place, connect_commands.program(), os.environ) if place else ([], [])
        for words in unknown:
            call.out.warn(words)
        if not yes:
            retry = Command("clawgit eject {} --yes" if call.folder else "clawgit eject --yes", call.folder)
            removals = [item for item in connection.done if item.state == "removed"] if connection else []
            parts = {
                "hooks": list(git_hooks.list_our_hooks(workspace.repo)),
                "connection": [f"OpenClaw's {item.name} {item.place}" for item in removals],
                "timers": [timer.means for timer in timers],
            }
            rows = render.draw_record({**_describe_farewell(farewell), **parts})
            operator_input.confirm(call.out, rows, "go on?", "eject", retry)
        if connection:
            # The removal changes files, hence the second plan.
            connect_commands.remove_connection(call, connection)
            farewell = ejection.plan_eject(workspace)

        def leave() -> None:
            for timer in timers:
                timer.apply(installing=False)
            # Other working trees share the hooks of the repository.
            if not farewell.neighbours:
                git_hooks.uninstall_hooks(workspace.repo)
                git_hooks.uninstall_driver(workspace.repo)

        commit = ejection.eject(workspace, farewell, leave)
    document = {
        "workspace": str(workspace.root),
        "branch": repository.branch(workspace.repo),
        "created": [],
        "warnings": [],
        "report": {},
        **_describe_farewell(farewell),
        "commit": commit,
        "timers": [timer.means for timer in timers],
    }
    call.out.answer(document, shown="workspace branch commit kept timers")
    for neighbour in farewell.neighbours:
        call.out.note(f"{neighbour} is another working tree of it: inbox, approvals and hooks stay for it")
    call.out.note(f"{workspace.root} is yours alone again; back: clawgit adopt")


def _describe_farewell(outcome: Farewell) -> Document:
    """Return the removals of an eject, and the rest."""
    removals = [path for path, data in outcome.files.items() if data is None]
    edited = [path for path in outcome.files if path not in removals]
    views = [place.name for place in outcome.views]
    return fields(outcome, "removed edited views references kept waiting", removed=removals, edited=edited, views=views)
