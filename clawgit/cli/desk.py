"""The commands of the review desk."""

from typing import TYPE_CHECKING

import click

from clawgit.cli import asking, changing
from clawgit.cli.call import Call, pass_call
from clawgit.cli.layout import Span, line
from clawgit.cli.lazy import Command
from clawgit.cli.options import Words, hash_option, json_option
from clawgit.errors import ClawgitError, UsageError

if TYPE_CHECKING:
    from clawgit.workspace.desk.view import View
    from clawgit.workspace.workspace import Workspace


@click.command(cls=Command, examples=("clawgit soul proposals", "clawgit soul proposals --all --json"))
@click.option("--all", "everything", is_flag=True, help="Also what expired or was rejected.")
@json_option
@pass_call
def proposals(call: Call, *, everything: bool) -> None:
    """List what waits for your decision.

    Changes of agents that soul_policy does not let through, edits found on disk that may not stand, and what you
    proposed yourself; the oldest first. A proposal expires after 14 days.
    """
    from clawgit.cli import show_desk  # noqa: PLC0415 - loads what it shows
    from clawgit.workspace.desk import proposal  # noqa: PLC0415 - loads libgit2
    from clawgit.workspace.desk.view import view  # noqa: PLC0415

    with call.workspace() as workspace:
        rejected = tuple(proposal.rejected(workspace.repo)) if everything else ()
        views = [view(workspace, one) for one in (*proposal.waiting(workspace.repo), *rejected)]
    found = [one for one in views if everything or not one.expired]
    if call.out.as_json:
        call.out.documents(show_desk.document(one) for one in found)
        return
    call.out.lines(show_desk.proposals(found), indent=4)
    if len(views) > len(found):
        call.out.note(f"{len(views) - len(found)} expired: clawgit soul proposals --all")
    call.out.note(f"look at one: clawgit soul review {found[0].proposal.id}" if found else "nothing waits")


@click.command(cls=Command, examples=("clawgit soul review kxqmwrtzvn", "clawgit soul review kxqm --json"))
@click.argument("name", type=Words(), metavar="ID")
@json_option
@pass_call
def review(call: Call, name: str) -> None:
    """Show what a proposal does, and what it rests on.

    Word by word, on the files as they are now; how it is graded and why; and each piece of evidence with the lines
    around it. The last lines are the commands that decide. ID may be its first four letters.
    """
    from clawgit.cli import show_desk  # noqa: PLC0415 - loads what it shows

    with call.workspace() as workspace:
        found = _view(workspace, name)
    if call.out.as_json:
        call.out.documents([show_desk.detailed(found)])
    else:
        call.out.lines(show_desk.review(found, marks=not call.out.coloured))


@click.command(
    cls=Command, examples=("clawgit soul approve kxqmwrtzvn", "clawgit soul approve kxqmwrtzvn --hash 9b1c07aa42de")
)
@click.argument("name", type=Words(), metavar="ID")
@hash_option("clawgit soul review")
@json_option
@pass_call
def approve(call: Call, name: str, digest: str | None) -> None:
    """Land a proposal as it was shown.

    One commit, on what the files are now; what others wrote in them is captured first. Asks at a terminal; elsewhere
    --hash is needed, the one that `clawgit soul review` shows (if something else would land now, nothing does), and
    `approve_without_terminal` has to be on.
    """
    from clawgit.workspace.desk import decide  # noqa: PLC0415 - loads libgit2
    from clawgit.workspace.desk.find import find  # noqa: PLC0415

    with call.workspace() as workspace:
        found = find(workspace, name)
        if digest:
            asking.require_operator(workspace, "approve lands a proposal")
        applied = decide.approve(workspace, found.id, digest or _asked(call, workspace, found.id))
        changing.tell(call, applied, found.said.subject, proposal=found.id)


@click.command(cls=Command, examples=("clawgit soul reject kxqmwrtzvn --why 'only in tests'",))
@click.argument("name", type=Words(), metavar="ID")
@click.option("--why", type=Words(), required=True, help="The reason; it is kept, and told to whoever asks.")
@json_option
@pass_call
def reject(call: Call, name: str, why: str) -> None:
    """Take a proposal off the desk, with the reason.

    The files stay as they are. The same change does not come back, unless it brings new evidence.
    """
    from clawgit.cli import show_desk  # noqa: PLC0415 - loads what it shows
    from clawgit.workspace.desk import decide  # noqa: PLC0415 - loads libgit2
    from clawgit.workspace.desk.view import view  # noqa: PLC0415

    with call.workspace() as workspace:
        found = decide.reject(workspace, name, why)
        if call.out.as_json:
            call.out.documents([show_desk.detailed(view(workspace, found))])
            return
    again = Span(f"look again: clawgit soul review {found.id}", "dim")
    call.out.lines([line(Span(found.id, "cyan"), " is rejected", Span(" · ", "dim"), again)])


def _view(workspace: "Workspace", name: str) -> "View":
    from clawgit.workspace.desk.find import find  # noqa: PLC0415
    from clawgit.workspace.desk.view import view  # noqa: PLC0415

    return view(workspace, find(workspace, name))


def _asked(call: Call, workspace: "Workspace", name: str) -> str:
    """Show a proposal, ask, and return the hash of what was shown."""
    from clawgit.cli import show_desk  # noqa: PLC0415 - loads what it shows

    if not asking.possible():
        raise UsageError(
            "approving asks, and there is no terminal: --hash says what you saw",
            fix=f"clawgit soul review {name}   # shows it, with the hash",
        )
    found = _view(workspace, name)
    if not (found.proposal.rejection or found.problem or found.done or found.expired or found.conflicts):
        asking.show(call, show_desk.review(found, marks=not call.out.coloured))
        if not asking.agreed(call, "Approve?"):
            raise ClawgitError("nothing was decided", fix=f"clawgit soul reject {name} --why 'the reason'")
    return found.digest
