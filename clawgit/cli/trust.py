"""`clawgit trust`."""

from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

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

    The identity files; those values of CONFIG.md that run something, read outside the workspace or loosen a rule; and
    the filters that the repository's own configuration names, such as git-crypt's, which git runs only once you accept
    exactly these commands. They are not used before. What you approve is kept outside the workspace. Asks at a
    terminal; elsewhere it shows what differs and exits with 3. There --hash approves exactly that, if you have
    set `approve_without_terminal` on at a terminal.
    """
    from clawgit.workspace.trust import review  # noqa: PLC0415 - loads libgit2

    with call.workspace() as workspace:
        workspace.require_managed()
        found = review.review(workspace)
        nothing = not found.of_identity and not found.programs
        accepted = None if nothing else _accepted(call, workspace, found, digest)
        if accepted:
            review.accept(workspace, accepted)
        outcome = _captured(call, workspace, accepted) if accepted and accepted.of_identity else None
    _tell(call, accepted or found, outcome, accepted=accepted is not None)
    return Exit.DONE if nothing or accepted else Exit.FOUND


def _accepted(call: Call, workspace: "Workspace", found: "Review", digest: str | None) -> "Review | None":
    """Return what of it the operator approves, None where nobody can be asked.

    Raises ClawgitError for a no to everything, and for the hash of something else.
    """
    from clawgit.cli import show_trust  # noqa: PLC0415 - loads what it shows

    if digest:
        if digest != found.digest:
            raise ClawgitError("this is no longer what was shown", fix="clawgit trust")
        asking.require_operator(workspace, "trust approves the identity")
        return found
    if not asking.possible():
        return None
    asking.show(call, show_trust.review(found, marks=not call.out.coloured))
    identity = found.of_identity and asking.agreed(call, "Approve all of it?")
    programs = asking.accepted_programs(call, found.programs)
    if not identity and not programs:
        raise ClawgitError("nothing was approved", fix="clawgit trust")
    if not identity:
        return replace(found, known=True, files=(), keys=(), programs=programs)
    return replace(found, programs=programs)


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
