"""`clawgit conflicts`."""

from typing import TYPE_CHECKING

import click

from clawgit.cli import changing, show_conflicts
from clawgit.cli.call import Call, pass_call
from clawgit.cli.layout import line
from clawgit.cli.lazy import Group
from clawgit.cli.options import Words, json_option
from clawgit.errors import Exit, UsageError
from clawgit.integrations.as_json import NOTHING

if TYPE_CHECKING:
    from clawgit.agents.detecting.deciding import Keep
    from clawgit.text.conflict import Conflict
    from clawgit.workspace.workspace import Workspace


@click.group(
    cls=Group,
    invoke_without_command=True,
    examples=("clawgit conflicts", "clawgit conflicts --check", "clawgit conflicts resolve kxqmwrtzvn --keep b"),
)
@click.option("--check", is_flag=True, help="Exit with 3 when conflicts are open, and say how many.")
@json_option
@click.pass_context
def conflicts(context: click.Context, *, check: bool) -> int | None:
    """Show memories that contradict each other, and decide between them.

    Alone it lists those that are open.
    """
    call = context.find_object(Call)
    assert call is not None
    if context.invoked_subcommand:
        if check:
            raise UsageError("--check stands alone", fix="clawgit conflicts --check")
        return None
    if check:
        return _check(call)
    _list(call, every=False)
    return None


@conflicts.command("list", examples=("clawgit conflicts list", "clawgit conflicts list --all --json"))
@click.option("--all", "every", is_flag=True, help="Also those that are resolved.")
@json_option
@pass_call
def list_(call: Call, *, every: bool) -> None:
    """List the conflicts, open ones first."""
    _list(call, every=every)


@conflicts.command("show", examples=("clawgit conflicts show kxqmwrtzvn",))
@click.argument("wanted", type=Words(), metavar="ID")
@json_option
@pass_call
def show_(call: Call, wanted: str) -> None:
    """Show one conflict.

    ID is the one that the list shows, or its beginning.
    """
    from clawgit.agents.detecting import deciding  # noqa: PLC0415 - the help does without

    with call.workspace() as workspace:
        one = deciding.find(_text(workspace), wanted)
    if call.out.as_json:
        call.out.document(show_conflicts.document(one))
    else:
        call.out.lines(show_conflicts.shown(one), indent=10)


@conflicts.command(
    examples=(
        "clawgit conflicts resolve kxqmwrtzvn --keep a",
        'clawgit conflicts resolve kxqmwrtzvn --merge "The relay listens on port 9090, the old one on 8080."',
    )
)
@click.argument("wanted", type=Words(), metavar="ID")
@click.option("--keep", type=click.Choice(("a", "b", "both")), help="Which side holds; the other is superseded.")
@click.option("--merge", "words", type=Words(stdin=True), metavar="TEXT", help="Put these words in place of both.")
@json_option
@pass_call
def resolve(call: Call, wanted: str, keep: "Keep | None", words: str | None) -> None:
    """Decide a conflict, and close it.

    The side that gives way stays where it is, tagged #superseded. One commit, which clawgit undo takes back.
    """
    from clawgit.agents.detecting import deciding  # noqa: PLC0415 - the help does without
    from clawgit.agents.view import View  # noqa: PLC0415

    if (keep is None) == (words is None):
        fix = f"clawgit conflicts resolve {wanted} --keep a   # or b, both, or --merge TEXT"
        raise UsageError("say which side holds, or what both become", fix=fix)
    with call.workspace() as workspace:
        workspace.require_managed()
        view, one = View(workspace), deciding.find(_text(workspace), wanted)
        winner = keep or "merged"
        if deciding.decided(one, winner):
            _nothing(call, one)
            return
        change = deciding.keep(view, one, keep) if keep else deciding.merge(view, one, words or "")
        changing.apply(call, workspace, change, id=one.id, winner=winner)


def _nothing(call: Call, one: "Conflict") -> None:
    if call.out.as_json:
        call.out.document({"commit": None, "reason": NOTHING, "id": one.id, "winner": one.winner})
    else:
        call.out.lines([line(f"nothing to do: {NOTHING}")])


def _list(call: Call, *, every: bool) -> None:
    with call.workspace() as workspace:
        some = _known(call, workspace)
    shown = sorted((one for one in some if every or one.open), key=lambda one: not one.open)
    if call.out.as_json:
        call.out.documents(show_conflicts.document(one) for one in shown)
        return
    for one in shown:
        call.out.lines(show_conflicts.listed(one), indent=5)
    if not shown:
        call.out.note("no open conflicts" if some and not every else "no conflicts")


def _check(call: Call) -> int:
    with call.workspace() as workspace:
        count = sum(one.open for one in _known(call, workspace))
    if call.out.as_json:
        call.out.document({"open": count})
    else:
        words = "1 conflict is open" if count == 1 else f"{count} conflicts are open"
        call.out.lines([line(words)])
    return Exit.FOUND if count else Exit.DONE


def _known(call: Call, workspace: "Workspace") -> "tuple[Conflict, ...]":
    from clawgit.text import conflict  # noqa: PLC0415 - the help does without

    text = _text(workspace)
    for number in conflict.unreadable(text):
        call.out.warn(f"CONFLICTS.md:{number} is no record: it has no id, or not the words of both sides")
    return conflict.conflicts(text)


def _text(workspace: "Workspace") -> str:
    return workspace.read("CONFLICTS.md") or ""
