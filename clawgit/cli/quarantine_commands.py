"""`clawgit quarantine`."""

from pathlib import Path

import click

from clawgit.cli import history_commands, operator_input
from clawgit.cli.call import Call, pass_call
from clawgit.cli.desk_commands import cleaned
from clawgit.cli.lazy_commands import Group
from clawgit.cli.options import Words, answering
from clawgit.cli.output import Line, Span, labelled, line, minute
from clawgit.errors import Advice, Command, file_exists, option_missing, options_conflict, unwritable
from clawgit.git import regular_file
from clawgit.integrations.json_documents import Document, fields
from clawgit.safety.redaction import redacted
from clawgit.text import diff
from clawgit.workspace import quarantine as kept
from clawgit.workspace.enforcement import Enforced
from clawgit.workspace.file_contents import loosely
from clawgit.workspace.proposal_offer import of_quarantine
from clawgit.workspace.quarantine import Item

_TOLD = 8


@click.group(cls=Group)
def quarantine() -> None:
    """Decide about what was taken out of the identity.

    Under `soul_policy: review` and `locked` that is what nobody had approved. It lies in .git/clawgit/quarantine, for
    its owner alone to read.
    """


@quarantine.command("list", examples=("clawgit quarantine list", "clawgit quarantine list --json"))
@answering
def list_(call: Call) -> None:
    """List what is kept, the oldest first.

    Versions of one file that follow each other within an hour are one row, the newest; --json lists each.
    There is room for 500 versions and 256 MB: what goes beyond that is told here, with its hash and the day.
    """
    with call.workspace() as workspace:
        found, gone = kept.items(workspace.repo), kept.dropped(workspace.repo)
    for one in gone[-_TOLD:]:
        why = "all its lines stand in a later one" if one.contained else f"it was {one.blob or 'no file'}"
        when = f"of {minute(one.first)} was dropped on {one.when[:10]}"
        call.out.note(f"a version of {one.path} {when} for want of room: {why}")
    sittings = kept.groups(found)
    if call.out.as_json:
        call.out.documents({**_document(one), "group": some[-1].id} for some in sittings for one in some)
        return
    call.out.lines(_sitting(some) for some in sittings)
    call.out.note(f"look at one: clawgit quarantine show {found[-1].id}" if found else "nothing is in quarantine")


@quarantine.command(examples=("clawgit quarantine show kxqmwrtzvn", "clawgit quarantine show kxqm --json"))
@click.argument("name", type=Words(), metavar="ID")
@answering
def show(call: Call, name: str) -> None:
    """Show how it differs from what is approved.

    A secret is named in it, not shown. ID may be its first letters.
    """
    with call.workspace() as workspace:
        item = kept.find(workspace.repo, name)
        approved, text = workspace.trust.approved(item.path) or "", _text(item)
    if call.out.as_json:
        call.out.documents([{**_document(item), "text": text}])
        return
    call.out.lines([_row(item), line("")])
    call.out.lines(_difference(item.path, approved, text, marks=not call.out.coloured))
    ways = {"keep it for the desk: ": "propose", "as a file: ": "save", "forget it: ": "drop"}
    call.out.lines([line("")])
    for words, verb in ways.items():
        target = " FILE" if verb == "save" else ""
        call.out.lines([labelled(words, 22, f"clawgit quarantine {verb} {item.id}{target}")])


@quarantine.command(examples=("clawgit quarantine save kxqmwrtzvn /tmp/soul.md",))
@click.argument("name", type=Words(), metavar="ID")
@click.argument("target", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE")
@pass_call
def save(call: Call, name: str, target: Path) -> None:
    """Write it to a new file outside the workspace, byte for byte."""
    with call.workspace() as workspace:
        data = kept.content(kept.find(workspace.repo, name))
        if target.resolve().is_relative_to(workspace.root):
            why = f"{target} is in the workspace, where the agent would go by it"
            raise options_conflict(why, fix=Command("clawgit quarantine save {} {}", name, Path.home() / target.name))
        try:
            regular_file.create(target, data)
        except FileExistsError as exc:
            raise file_exists(f"{target} is there already", fix=Advice("name a file that is not")) from exc
        except OSError as exc:
            raise unwritable(target, exc) from exc
    call.out.lines([line(f"{len(data):,} bytes in {target}")])


@quarantine.command(examples=("clawgit quarantine propose kxqmwrtzvn",))
@click.argument("name", type=Words(), metavar="ID")
@answering
def propose(call: Call, name: str) -> None:
    """Make a proposal of it.

    As a change of what is approved: `clawgit soul review` shows it, `clawgit soul approve` lands it.
    """
    with call.workspace() as workspace:
        workspace.require_managed()
        item = kept.find(workspace.repo, name)
        offered = of_quarantine(workspace.setting(), workspace.head, item)
        kept.discard(item)
    words = "was rejected before, as" if offered.rejected else "waits as proposal"
    call.out.answer(
        lambda: fields(offered, "proposal=id rejected"),
        [line(f"it {words} ", Span(offered.id, "cyan"), f": clawgit soul review {offered.id}")],
    )


@quarantine.command(examples=("clawgit quarantine drop kxqmwrtzvn", "clawgit quarantine drop --all"))
@click.argument("name", type=Words(), metavar="ID", required=False)
@click.option("--all", "everything", is_flag=True, help="All that is kept.")
@answering
def drop(call: Call, name: str | None, *, everything: bool) -> None:
    """Forget it, for good.

    At a terminal only: nothing is lost behind the operator's back.
    """
    if (name is None) is not everything:
        raise option_missing("which one?", fix=Command("clawgit quarantine list", note="and name one, or --all"))
    with call.workspace() as workspace:
        found = kept.items(workspace.repo) if name is None else (kept.find(workspace.repo, name),)
        operator_input.require_operator(workspace, "quarantine drop forgets an edit of the identity")
        for item in found:
            kept.discard(item)
    call.out.answer(lambda: {"dropped": [one.id for one in found]}, [line(f"{len(found)} dropped")])


def tell(call: Call, enforced: Enforced) -> None:
    """Say what was put back, and what could not be."""
    for item in enforced.taken:
        call.out.warn(
            f"{item.path} was not as approved; what you approved is back",
            f"clawgit quarantine show {item.id}   # shows what was taken out",
        )
    for path in enforced.restored:
        if path not in {item.path for item in enforced.taken}:
            call.out.warn(f"{path} was gone; what you approved is back")
    for one in enforced.left:
        if one.kind != "unapproved" or enforced.waiting:
            call.out.note(f"{one.reason}{f' ({enforced.waiting})' if one.kind == 'unapproved' else ''}")


def _text(item: Item) -> str:
    if item.blob is None:
        return ""
    return redacted(loosely(kept.content(item)).replace("\0", "\ufffd"))


def _difference(path: str, approved: str, text: str, *, marks: bool) -> list[Line]:
    rows = history_commands.hunks(diff.hunks(approved, text), marks=marks)
    return [cleaned(row) for row in rows] or [line(f"{path} as it was approved")]


def _sitting(some: tuple[Item, ...]) -> Line:
    earlier = len(some) - 1
    more = f" · and {earlier:,} earlier since {minute(some[0].first)} (--json lists all)" if earlier else ""
    return (*_row(some[-1]), Span(more, "dim"))


def _row(item: Item) -> Line:
    often = "" if item.times == 1 else f", {item.times:,} times"
    return line(Span(item.id, "cyan"), f" {item.path}, {item.kind}", Span(f" · {minute(item.last)}{often}", "dim"))


def _document(item: Item) -> Document:
    return fields(item, "id path kind first last times file=place")
