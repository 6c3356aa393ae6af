"""`clawgit init`, `adopt` and `eject`."""

import os
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path

import click

from clawgit.cli import (
    adoption_text,
    hooks_commands,
    human_lines,
    json_answers,
    openclaw_commands,
    operator_input,
    trust_commands,
)
from clawgit.cli.call import Call
from clawgit.cli.human_lines import commit
from clawgit.cli.lazy_commands import DocumentedCommand
from clawgit.cli.options import Words, answering
from clawgit.cli.output import Line, Span, counted, fixed, line, progress
from clawgit.errors import Command, Exit, not_confirmed, quoted, terminal_needed
from clawgit.findings.adoption_report import AdoptionReport, report
from clawgit.git import foreign_programs, repository
from clawgit.git.foreign_programs import Program
from clawgit.integrations import git_hooks, merge_driver
from clawgit.integrations.git_hooks import Done
from clawgit.integrations.json_documents import Document
from clawgit.integrations.openclaw.openclaw_install import Plan
from clawgit.integrations.timers import Timer, find_timers
from clawgit.schedule import runner_state
from clawgit.workspace import adopt as adoption
from clawgit.workspace import eject as ejection
from clawgit.workspace import enforcement
from clawgit.workspace.adopt import Adopted
from clawgit.workspace.bootstrap import init as make
from clawgit.workspace.eject import Farewell
from clawgit.workspace.workspace import Workspace


@click.command(
    cls=DocumentedCommand,
    examples=(
        "clawgit init ~/.openclaw/workspace",
        "clawgit init . --hooks --json",
        "clawgit init ~/.openclaw/workspace --from git@example.org:agent.git",
    ),
)
@click.argument("path", required=False)
@click.option("--hooks", "wants_hooks", is_flag=True, help="Install the git hooks, as clawgit hooks install does.")
@click.option("--from", "source", type=Words(), metavar="URL|FOLDER", help="Set up another machine of this workspace.")
@answering
def init(call: Call, path: str | None, source: str | None, *, wants_hooks: bool) -> int:
    """Make a folder a managed workspace.

    PATH is made if it is not there; without it, -C, $CLAWGIT_WORKSPACE, else the current folder. It gets a git
    repository, the files that OpenClaw and clawgit expect, and one commit. A file that is there already is committed
    as it stands, never changed.

    With --from, the workspace is cloned from a remote, or from a folder of bundles, into a new folder; git calls
    clawgit at its commits, pushes and merges, and one sync follows. No identity is approved on the new machine until
    `clawgit trust`.
    """
    place = Path(path or call.folder or ".").expanduser().absolute()
    if source:
        from clawgit.cli.sync_commands import join_machine  # noqa: PLC0415 - a new workspace does without

        return join_machine(call, source, place)
    made = make(place, attended=operator_input.possible())
    with call.closing(made.workspace):
        for words in made.warnings:
            call.out.warn(words)
        done = hooks_commands.joined(call, made.workspace.repo) if wants_hooks else ()
        if call.out.as_json:
            call.out.document({**json_answers.born(made), "hooks": hooks_commands.documents(done)})
        else:
            call.out.lines(human_lines.born(made), indent=9)
            call.out.lines(hooks_commands.rows(done))
    return Exit.FAILED if wants_hooks and not done else Exit.DONE


def adopted(found: Adopted, *, dry_run: bool) -> Iterator[Line]:
    """Yield what became of it, and what to do next."""
    if dry_run and found.refusal:
        yield line("nothing was touched; it would be refused now: ", Span(found.refusal.message, "yellow"))
        yield fixed(2, found.refusal.fix)
    elif dry_run:
        yield line("nothing was touched; to do it: ", Span(f"clawgit adopt {quoted(found.root)}", "bold"))
    elif found.commit is None:
        yield line(f"nothing to do: {found.root} is managed already")
    else:
        yield line(commit(found.commit), f" {found.root} is a workspace now, on branch {found.branch}")
        yield line(Span("next  ", "dim"), "clawgit status")
        yield line(Span("      ", "dim"), "clawgit connect   # connects the agent")
        yield line(Span("      ", "dim"), "clawgit schedule install --apply   # until then nothing runs by itself")
        yield line(Span("back  ", "dim"), "clawgit eject")


def farewell(found: Farewell, hooks: Iterable[str]) -> Iterator[Line]:
    """Yield what ejecting takes away, and what stays; `hooks` are those of ours."""
    yield line(Span("What eject does", "bold"))
    if found.files:
        yield line("  takes away, in one commit on top")
        yield from adoption_text.list_some(
            [path if data is None else f"{path} (our rules)" for path, data in found.files.items()]
        )
    if found.views:
        yield line("  deletes what was rendered from the log")
        yield from adoption_text.list_some([place.name for place in found.views])
    yield line("  deletes what lies beside the branch")
    yield from adoption_text.list_some([*found.references, str(found.state)])
    if named := ", ".join(hooks):
        yield line(f"  takes our git hooks away ({named}), and puts back what stood there")
    if found.kept:
        yield line(f"  leaves {counted(len(found.kept), 'file')} that somebody changed since")
        yield from adoption_text.list_some(found.kept)
    yield line("")


@click.command(
    cls=DocumentedCommand,
    examples=("clawgit adopt ~/.openclaw/workspace --dry-run", "clawgit adopt", "clawgit adopt --json"),
)
@click.argument("path", required=False)
@click.option("--minimal", is_flag=True, help="Add nothing but .clawgit/: no settings, records, prompts, ignore rules.")
@click.option("--hooks", "wants_hooks", is_flag=True, help="Install the git hooks, as clawgit hooks install does.")
@click.option("--dry-run", is_flag=True, help="Print the report and what would be done; touch nothing.")
@click.option("--open", "paged", is_flag=True, help="With --dry-run: show the report as a page in the browser.")
@answering
def adopt(call: Call, path: str | None, *, minimal: bool, wants_hooks: bool, dry_run: bool, paged: bool) -> int:
    """Manage the folder that an agent already lives in.

    First a report of what the folder hides: how its identity changed, what OpenClaw never shows the agent, lines that
    are in no file any more, secrets. Then what is not committed yet is committed as it stands, and what
    clawgit needs is added; no file that exists is changed, but .gitignore gets rules at its end. `clawgit eject`
    takes it all back. Filters that the repository's own configuration names (git-crypt, LFS) do not run; at a terminal
    it asks which may.

    PATH is -C, $CLAWGIT_WORKSPACE, else the workspace around the current folder or OpenClaw's own.
    """
    root = (Path(path).expanduser() if path else call.place()).absolute()
    if paged:
        import_module("clawgit.cli.ui_command").show_report(call, root, dry_run=dry_run)  # the page is an extra
        return Exit.DONE
    with progress(call.out, "looking at the objects of HEAD") as told:
        prospect = adoption.look(root, minimal=minimal, progress=told)
    if prospect.refusal and not dry_run:
        raise prospect.refusal
    hidden = _report(call, prospect)
    if not call.out.as_json:
        call.out.lines(adoption_text.lines(hidden), indent=4)
        call.out.lines(adoption_text.describe_prospect(prospect), indent=4)
        call.out.flush()
    with progress(call.out, "adopting"):
        found = prospect if dry_run else adoption.adopt(root, minimal=minimal, attended=operator_input.possible())
    off = foreign_programs.unaccepted(found.root)
    if off and not call.out.as_json:
        call.out.lines(trust_commands.programs(off), indent=4)
        call.out.flush()
    if off and found.workspace is not None and not dry_run:
        off = _asked(call, found.workspace, off)
    done = hooks_commands.joined(call, found.workspace.repo) if wants_hooks and found.workspace and not dry_run else ()
    _finish(call, found, json_answers.adopted(found, hidden, off), done, dry_run=dry_run)
    return Exit.FAILED if wants_hooks and not done and not dry_run else Exit.DONE


def _report(call: Call, prospect: Adopted) -> AdoptionReport:
    """Return what the folder hides."""
    with progress(call.out, "reading history") as told:
        return report(prospect.root, prospect.workspace.repo if prospect.workspace else None, told)


def _asked(call: Call, workspace: Workspace, off: tuple[Program, ...]) -> tuple[Program, ...]:
    """Ask which filters of the repository's own git may run; return the commands that stay off."""
    chosen = (
        operator_input.accepted_programs(call.out, off) if operator_input.possible() and not call.out.as_json else ()
    )
    workspace.trusted.accept_programs(chosen)
    left = tuple(one for one in off if one not in chosen)
    if left:
        call.out.warn(
            "files under a filter that is off are neither committed nor said to be changed",
            "clawgit trust   # at a terminal: accepts these commands",
        )
    return left


def _finish(call: Call, found: Adopted, document: Document, done: Iterable[Done], *, dry_run: bool) -> None:
    if found.workspace is not None and not dry_run:
        found.workspace.close()
    for words in found.notes:
        call.out.warn(words)
    if call.out.as_json:
        call.out.document({**document, "hooks": hooks_commands.documents(done)})
    else:
        call.out.lines(adopted(found, dry_run=dry_run), indent=4)
        call.out.lines(hooks_commands.rows(done))


@click.command(cls=DocumentedCommand, examples=("clawgit eject", "clawgit eject --yes --json"))
@click.argument("path", required=False)
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--keep-sidecar", is_flag=True, help="Leave .clawgit/ tracked, but for its format file.")
@answering
def eject(call: Call, path: str | None, *, yes: bool, keep_sidecar: bool) -> None:
    """Take away what clawgit brought; the workspace stays.

    Files that clawgit added and nobody changed since go, in one commit on top; history is never rewritten. Its
    references, its hooks, its timers, what connects OpenClaw with it, and what it keeps in .git/clawgit go as well.
    Memories, journals and the identity stay as they are. Asks at a terminal; elsewhere --yes is needed. What you
    approved is forgotten with it: under `soul_policy: review` and `locked` that takes a terminal.
    """
    call.folder = path or call.folder
    with call.workspace() as workspace:
        if enforcement.enforces(workspace):
            operator_input.require_operator(workspace, "eject forgets what you approved")
        found = ejection.farewell(workspace, keep_sidecar=keep_sidecar)
        connection = openclaw_commands.parting(workspace)
        place = runner_state.known(workspace.root, os.environ)
        timers, unknown = find_timers(place, hooks_commands.program(), os.environ) if place else ([], [])
        for words in unknown:
            call.out.warn(words)
        _ask(call, found, list(git_hooks.ours(workspace.repo)), connection, timers, yes=yes)
        if connection:
            openclaw_commands.part(call, connection)
            found = ejection.farewell(workspace, keep_sidecar=keep_sidecar)
        commit = ejection.eject(workspace, found, lambda: _leave(workspace, timers))
    if call.out.as_json:
        told = json_answers.ejected(found, str(workspace.root), repository.branch(workspace.repo), commit)
        call.out.document({**told, "timers": [timer.means for timer in timers]})
    else:
        back = Span("back: clawgit adopt", "dim")
        head = [Span(f"{commit[:10]} ", "yellow")] if commit else []
        for one in timers:
            call.out.note(f"the timer of {one.means} is taken away")
        call.out.lines([line(*head, f"{workspace.root} is yours alone again", Span(" · ", "dim"), back)])


def _leave(workspace: Workspace, timers: list[Timer]) -> None:
    """Take away what would call clawgit here: timers, hooks, and the driver of git's merges."""
    for one in timers:
        one.uninstall()
    git_hooks.uninstall(workspace.repo)
    merge_driver.uninstall(workspace.repo)


def _ask(
    call: Call,
    found: Farewell,
    hooks: list[str],
    connection: Plan | None,
    timers: list[Timer],
    *,
    yes: bool,
) -> None:
    if yes:
        return
    again = Command("clawgit eject {} --yes" if call.folder else "clawgit eject --yes", call.folder)
    if not operator_input.possible():
        raise terminal_needed("eject asks, and there is no terminal", fix=again)
    for row in farewell(found, hooks):
        call.out.talk(*row)
    for words in openclaw_commands.removed(connection):
        call.out.talk(f"  takes {words} away")
    for one in timers:
        call.out.talk(f"  takes the timer of {one.means} away that calls clawgit here")
    if not operator_input.agreed(call.out, "go on?"):
        raise not_confirmed("nothing was touched", fix=again)
