"""`clawgit trust`."""

from typing import TYPE_CHECKING

import click

from clawgit.cli import asking
from clawgit.cli.call import Call, pass_call
from clawgit.cli.lazy import Command
from clawgit.cli.options import hash_option, json_option
from clawgit.errors import ClawgitError, Exit

if TYPE_CHECKING:
    from clawgit.workspace.capturing import Outcome
    from clawgit.workspace.trust.review import Review
    from clawgit.workspace.workspace import Workspace


@click.command(cls=Command, examples=("clawgit trust", "clawgit trust --hash 9b1c07aa42de"))
@hash_option("clawgit trust")
@json_option
@pass_call
def trust(call: Call, digest: str | None) -> int:
    """Show what differs from what you approved, and approve it.

    The identity files, and those values of CONFIG.md that run something, read outside the workspace or loosen a rule:
    they are not used before. What you approve is kept outside the workspace. Asks at a terminal; elsewhere it shows
    what differs and exits with 3, and --hash approves exactly that.
    """
    from clawgit.workspace.trust import review  # noqa: PLC0415 - loads libgit2

    with call.workspace() as workspace:
        workspace.require_managed()
        found = review.review(workspace)
        nothing = found.known and not found.files and not found.keys
        accepted = not nothing and _accepted(call, workspace, found, digest)
        if accepted:
            review.accept(workspace, found)
        outcome = _captured(call, workspace, found) if accepted else None
    _tell(call, found, outcome, accepted=accepted)
    return Exit.DONE if nothing or accepted else Exit.FOUND


def _accepted(call: Call, workspace: "Workspace", found: "Review", digest: str | None) -> bool:
    """Tell whether the operator approves what is shown. Raises ClawgitError for a no, and a hash of something else."""
    from clawgit.cli import show_trust  # noqa: PLC0415 - loads what it shows

    if digest:
        if digest != found.digest:
            raise ClawgitError("this is no longer what was shown", fix="clawgit trust")
        asking.require_operator(workspace, "trust approves the identity")
        return True
    if not asking.possible():
        return False
    asking.show(call, show_trust.review(found, marks=not call.out.coloured))
    if not asking.agreed(call, "Approve all of it?"):
        raise ClawgitError("nothing was approved", fix="clawgit trust")
    return True


def _captured(call: Call, workspace: "Workspace", found: "Review") -> "Outcome | None":
    """Commit what was approved, where it is not committed."""
    from clawgit.workspace.capturing import capture_all  # noqa: PLC0415

    paths = {one.path for one in found.files} | ({"CONFIG.md"} if found.keys else set())
    try:
        return capture_all(workspace, paths.__contains__)
    except ClawgitError as exc:
        call.out.warn(f"it is approved, and not committed yet: {exc.message}")
        call.out.talk(f"  fix: {exc.fix}")
        return None


def _tell(call: Call, found: "Review", outcome: "Outcome | None", *, accepted: bool) -> None:
    from clawgit.cli import show_trust  # noqa: PLC0415 - loads what it shows

    if call.out.as_json:
        call.out.document(show_trust.document(found, outcome, accepted=accepted))
    elif accepted:
        call.out.lines([show_trust.accepted(found, outcome)])
    else:
        call.out.lines(show_trust.review(found, marks=not call.out.coloured))
