"""`clawgit sync` and `state`."""

import os
from pathlib import Path

import click

from clawgit.cli import connect_commands, operator_input
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import Group, command
from clawgit.cli.options import Words
from clawgit.errors import Exit, quote_shell
from clawgit.findings.registry import Finding
from clawgit.findings.status import list_news
from clawgit.git.git_command import git
from clawgit.json_documents import Document, fields, map_documents
from clawgit.sessions import chat_databases
from clawgit.sync import synchronising
from clawgit.sync.synchronising import Synced
from clawgit.workspace import import_0_2, merge_rules
from clawgit.workspace.workspace import Workspace

_SYNC_COLUMNS = "machine place commit files asked waiting held=control.files taken published undo"


@command("clawgit sync", "clawgit sync --dry-run", "clawgit sync --folder ~/Sync/agent", apart={"remote": "place"})
@click.option(
    "--remote", type=Words(), metavar="NAME", help="The remote to meet at.  [default: origin, or the only one]"
)
@click.option(
    "--folder",
    "place",
    type=Words(),
    metavar="DIR",
    help="Meet in a folder that Syncthing, Dropbox or a stick carries.",
)
@click.option("--dry-run", is_flag=True, help="Show the incoming changes; no file, and no branch, is touched.")
def sync(call: Call, remote: str | None, place: str | None, *, dry_run: bool) -> int:
    """Exchange memory with your other machines.

    Their changes come in as one merge, entry by entry, and yours go to the shared branch. Nothing is dropped: of an
    entry that two machines reworded the newer wording wins, and the inbox asks about the other one. SOUL.md and
    IDENTITY.md of another machine wait in `clawgit inbox`, and so do its skills, hooks, programs, links and rules of
    git's. No secret goes out, in a file, a name, a message or an author. Exits with 3 if something was left out or
    waits for you.
    """
    folder = Path(place).expanduser().absolute() if place else None
    with call.workspace() as workspace:
        result = _sync_once(workspace, remote, folder, dry_run=dry_run)
    _tell_sync(call, workspace, result)
    if dry_run:
        call.out.note("nothing was touched")
    records = result.landed.merge and result.landed.merge.asked
    is_open = result.taken.waiting or result.landed.waiting or records
    return Exit.FOUND if result.problems or is_open else Exit.DONE


def _sync_once(workspace: Workspace, remote: str | None, folder: Path | None, *, dry_run: bool = False) -> Synced:
    place = synchronising.exchange(workspace, remote, folder)
    return synchronising.sync(workspace, place, dry_run=dry_run)


def _tell_sync(call: Call, workspace: Workspace, result: Synced) -> None:
    call.out.note(*result.notes)
    call.out.warn_of(_list_news(workspace, result))
    for error in result.captured.held.values():
        call.out.warn(f"{error.message}; it stays uncommitted", error.fix)
    call.out.warn_of(result.problems)
    call.out.answer(_document(workspace, result), shown=_SYNC_COLUMNS)


def _list_news(workspace: Workspace, result: Synced) -> tuple[Finding, ...]:
    return list_news(workspace, result.landed.merge.files if result.landed.commit and result.landed.merge else ())


def _document(workspace: Workspace, result: Synced) -> Document:
    landing, merge = result.landed, result.landed.merge
    is_forward = bool(merge and merge.forward)
    return {
        **fields(result, "machine place heads"),
        "commit": landing.commit,
        "forward": is_forward,
        "files": sorted(merge.files) if merge else [],
        "merged": list(merge.others) if merge else [],
        "asked": list(merge.asked) if merge else [],
        "waiting": list(dict.fromkeys((*result.taken.waiting, *landing.waiting))),
        "control": {"proposal": landing.control or None, "files": sorted(merge.held.asked) if merge else []},
        "taken": list(result.taken.paths),
        "alarms": [finding.message for finding in _list_news(workspace, result)],
        "captured": [capture.commit for capture in result.captured.captured if capture.commit],
        "published": result.published,
        "problems": map_documents(result.problems, "message fix"),
        "notes": list(result.notes),
        # A fast-forward makes no merge commit to undo.
        "undo": f"clawgit undo {landing.commit[:10]}" if landing.commit and not is_forward else None,
    }


def join_machine(call: Call, source: str, place: Path) -> int:
    """Clone a workspace from a remote or a folder of bundles, install the hooks, sync once, and report all of it."""
    if (local := Path(source).expanduser()).exists():  # git would take it from the folder of the new one
        source = str(local.absolute())
    workspace = synchronising.clone(source, place)
    workspace.attended = operator_input.is_interactive()
    with call.closing(workspace):
        hooks = connect_commands.install_alongside(call, workspace.repo)
        folder = None if git(workspace.root, "remote").strip() else Path(source).expanduser().absolute()
        result = _sync_once(workspace, None, folder)
        document = {**_document(workspace, result), "root": str(place), "hooks": connect_commands.documents(hooks)}
        call.out.answer(document, shown=f"root hooks {_SYNC_COLUMNS}")
        call.out.note("git merges memory by entry and line here, whoever pulls")
        call.out.note(f"next: clawgit -C {quote_shell(place)} trust")
    return Exit.DONE


@command("clawgit merge-driver %O %A %B %L %P", name="merge-driver", has_json=False)
@click.argument("base", type=Words())
@click.argument("ours", type=Words())
@click.argument("theirs", type=Words())
@click.argument("size", type=Words())
@click.argument("path", type=Words())
def merge_one(call: Call, base: str, ours: str, theirs: str, size: str, path: str) -> int:  # noqa: ARG001 - git's order
    """Merge one file; git calls it once the driver is installed.

    BASE, OURS and THEIRS are files with the three versions, and the merge is written over OURS. Exits with 1, and
    touches nothing, if clawgit does not merge files such as PATH: then git does.
    """
    try:
        texts = [Path(file).read_bytes().decode("utf-8") for file in (base, ours, theirs)]
    except (OSError, UnicodeDecodeError):
        return Exit.FAILED
    if merge_rules.find_rule(path) not in ("rows", "lines"):
        return Exit.FAILED
    # git passes an empty file for a missing base.
    Path(ours).write_bytes(merge_rules.merge_text(path, texts[0] or None, texts[1], texts[2]).text.encode())
    return Exit.DONE


_FILE = click.Path(path_type=Path)


@click.group(cls=Group)
def state() -> None:
    """Move local state to another machine."""


@state.command(examples=("clawgit state export ~/clawgit-state", "clawgit state export /media/stick/work.state --json"))
@click.argument("file", type=_FILE)
def export(call: Call, file: Path) -> None:
    """Write this clone's data beside git into FILE.

    That is the conversations, approvals, inbox, flags, recalls, reading positions and the record of runs. FILE is
    readable for you alone, and holds private words: keep it as you keep the workspace.
    """
    place = file.expanduser()
    with call.workspace() as workspace:
        path = os.environ.get(chat_databases.VARIABLE, "").strip()
        words = f"the conversations are where {chat_databases.VARIABLE} says, and are not carried"
        manifest = import_0_2.export_state(workspace, place, (words,) if path else ())
    document = {"file": str(file), "bytes": place.stat().st_size, "without": list(manifest.without)}
    call.out.answer(document, shown="file bytes")
    call.out.note(*manifest.without)


@state.command("import", examples=("clawgit state import ~/clawgit-state",))
@click.argument("file", type=_FILE)
@click.option("--without-approvals", is_flag=True, help="Leave out approvals of the other machine.")
def import_(call: Call, file: Path, *, without_approvals: bool) -> None:
    """Import a file that `clawgit state export` wrote on another machine.

    Take only a file that you wrote yourself: damage is noticed, forgery is not. It has to be of the same workspace.
    Missing data is added, and nothing is removed. Approvals are taken in at a terminal only; different approvals on
    both sides change nothing.
    """
    with call.workspace() as workspace:
        if not without_approvals:
            operator_input.require_operator(workspace, "state import brings what was approved on another machine")
        manifest, steps = import_0_2.import_state(workspace, file.expanduser(), approvals=not without_approvals)
    parts = map_documents(steps, "name act count")
    call.out.answer(fields(manifest, "written steps without", steps=parts), shown="written steps")
    call.out.note(*manifest.without)
