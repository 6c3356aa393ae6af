"""`clawgit soul`."""

from typing import Any

import click

from clawgit import json_documents
from clawgit.cli import change_output, history_commands, render
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import Group
from clawgit.cli.options import Version, Words, as_of_option, evidence_option, file_option, locate, paged
from clawgit.cli.output import Span, line
from clawgit.errors import Command, option_missing, options_conflict
from clawgit.workspace import identity_edits, line_origins, records, uncommitted
from clawgit.workspace import undo as undoing
from clawgit.workspace.identity_edits import Act
from clawgit.workspace.workspace import Workspace

SOUL = "SOUL.md"


@click.group(cls=Group)
def soul() -> None:
    """Show, compare, edit and revert SOUL.md and its like.

    Identity files are SOUL.md, IDENTITY.md, USER.md, AGENTS.md, TOOLS.md, HEARTBEAT.md, BOOTSTRAP.md and the
    SOUL.md of each folder below agents/.
    """


@soul.command(
    "show", examples=("clawgit soul show", "clawgit soul show --as-of 2026-01-20", "clawgit soul show --as-of HEAD~3")
)
@as_of_option("A change, a revision, or the end of a day.  [default: now]")
def show_(call: Call, name: str | None) -> None:
    """Print SOUL.md as it is committed, now or at another time."""
    with call.workspace() as workspace:
        commit, text = identity_edits.show(workspace, name=name)
        moment = records.read(workspace, commit).date
        if name is None and SOUL in uncommitted.list_uncommitted(workspace):
            call.out.note(f"{SOUL} on disk differs from this, the committed one")
    document = {"commit": commit, "date": moment.isoformat(), "text": text}
    call.out.answer(document, text=text)


@soul.command(examples=("clawgit soul blame", "clawgit soul blame --file IDENTITY.md --json"))
@file_option
@paged
def blame(call: Call, path: str) -> None:
    """Show the commit, change, day and author of each line.

    The lines are those on disk. `clawgit why FILE:LINE` tells the reason of one.
    """
    with call.workspace() as workspace:
        lines = line_origins.lines(workspace, path)
    if any(origin.cut_off for origin in lines):
        call.out.note(history_commands.CUT_OFF)
    documents = list(map(json_documents.origin, lines))
    rows = list(map(history_commands.mark_claim, documents))
    call.out.answer(documents, render.draw_table(rows, "commit change date author line text"))


@soul.command(
    examples=(
        "clawgit soul diff",
        "clawgit soul diff '10 days ago' MEMORY.md",
        "clawgit soul diff --of kxqmwrtzvn --file MEMORY.md",
    )
)
@click.argument("names", type=Version(), nargs=-1, metavar="[A] [B] [FILE]")
@click.option("--of", "change", type=Words(), metavar="CHANGE", help="The changes of this one change.")
@file_option
@paged
def diff(call: Call, names: tuple[str, ...], change: str | None, path: str) -> None:
    """Compare two versions of a file, word by word.

    A and B are changes, revisions or dates, also '4 days ago' and the like; B is HEAD by default. With neither:
    uncommitted changes, else the last change. FILE is SOUL.md by default; `clawgit diff` alone takes the first
    uncommitted file. Without colour, [-words-] went and {+words+} came.
    """
    with call.workspace() as workspace:
        names = tuple(locate(workspace, name) for name in names)
        files = [name for name in names if name.endswith(".md") or (workspace.root / name).is_file()]
        versions, path = [name for name in names if name not in files], [path, *files][-1]
        if len(versions) > 2 or len(files) > 1:  # noqa: PLR2004 - A and B
            raise options_conflict(f"two versions of a file are compared, not {', '.join(names)}", fix=_DIFF_HELP)
        if versions and change:
            raise options_conflict("--of names both ends itself", fix=Command("clawgit soul diff --of {}", change))
        first, second = (*versions, None, None)[:2]
        changed = [] if names or change else uncommitted.list_uncommitted(workspace)
        if changed and path not in changed and not click.get_current_context().command_path.endswith("soul diff"):
            path = changed[0]
        if change:
            found = identity_edits.diff_change(workspace, change, path)
        else:
            found = identity_edits.diff(workspace, path, first, second)
        hunks = json_documents.hunk_documents(found.hunks)
        start, end = _describe_version(workspace, found.start), _describe_version(workspace, found.end)
    if others := [name for name in changed if name != path]:
        call.out.note(f"not committed either: {', '.join(others)}; clawgit diff FILE shows one")
    if not found.hunks:
        call.out.note(f"{path} is the same in both")
    document = {"from": found.start, "to": found.end or None, "hunks": hunks}
    call.out.answer(document, [line(Span(path, "bold"), f" from {start} to {end}"), *render.draw_hunks(hunks)])


_DIFF_HELP = Command("clawgit diff --help")


def _describe_version(workspace: Workspace, name: str | None) -> str:
    if not name:
        return "nothing" if name is None else "what is on disk"
    return f"{name[:10]} ({records.read(workspace, name).date:%Y-%m-%d %H:%M})"


@soul.command(examples=("clawgit soul revert", "clawgit soul revert kxqmwrtzvn", "clawgit soul revert HEAD~2 --json"))
@click.argument("change", type=Words(), required=False)
def revert(call: Call, change: str | None) -> None:
    """Undo one change of SOUL.md; later changes stay.

    CHANGE is the id that a change printed, or any revision. Without it the newest change is shown, with the effect and
    the command of its reversal. If a later change is in the way, nothing is written and both sides are shown (exit 1).
    """
    with call.workspace() as workspace:
        reversal = undoing.undo(workspace, change, only=SOUL)
        if change is not None:
            change_output.apply(call, workspace, reversal)
            return
        record = records.read(workspace, records.find(workspace, reversal.undoes or ""))
    document = {
        "commit": None,
        "newest": json_documents.record(record),
        "hunks": json_documents.hunk_documents(reversal.hunks().get(SOUL, ())),
        "command": f"clawgit soul revert {record.change or record.commit[:10]}",
    }
    rows = [*history_commands.describe_record(record), *render.draw_record(document, "hunks command")]
    call.out.answer(document, rows)


@soul.command(
    examples=(
        'clawgit soul edit --add "Answer in short sentences on the phone." --section Vibe \\',
        '    --evidence memory/2026-02-13.md#L12-L14 --why "asked for twice"',
        'clawgit soul edit --replace "Be brief." "Be brief and kind." --why "they said so"',
        'clawgit soul edit --remove "Be brief." --section Vibe --why "no longer wanted"',
    )
)
@click.argument("text", type=Words(stdin=True))
@click.option("--add", is_flag=True, help="Add TEXT as the last bullet of the section.")
@click.option("--replace", type=Words(), metavar="OLD", help="Put TEXT in place of OLD, which must stand exactly once.")
@click.option("--remove", is_flag=True, help="Remove the bullet, row or paragraph that says TEXT.")
@click.option(
    "--section", type=Words(), metavar="TITLE", help='Its section: "Vibe", or "Outer > Inner". --add needs it.'
)
@evidence_option
@click.option("--why", type=Words(), required=True, help="The reason; it is kept in the log.")
@file_option
@click.option("--propose", is_flag=True, help="Let it wait in the inbox instead of landing.")
def edit(call: Call, /, **given: Any) -> None:
    """Edit one place of an identity file, with the reason.

    Say one of --add, --replace and --remove. Every other byte stays as it is. Your edit lands at once. `-` reads
    TEXT from stdin.
    """
    act_names: tuple[Act, ...] = ("add", "replace", "remove")
    acts = [act for act in act_names if given[act] not in (None, False)]
    if len(acts) != 1:
        raise option_missing("say one of --add, --replace OLD and --remove", fix=Command("clawgit soul edit --help"))
    fields = {key: given[key] for key in ("section", "path", "why", "evidence")}
    with call.workspace() as workspace:
        change = identity_edits.edit(workspace, acts[0], given["text"], old=given["replace"] or "", **fields)
        change_output.apply(call, workspace, change, wait=True if given["propose"] else None)
