"""`clawgit server`."""

from collections.abc import Iterator
from pathlib import Path

import click

from clawgit.cli import human_lines
from clawgit.cli.call import Call
from clawgit.cli.hooks_commands import documents, program, rows
from clawgit.cli.lazy_commands import Group
from clawgit.cli.options import Words, answering
from clawgit.cli.output import Line, Span, counted, labelled, line
from clawgit.errors import Exit
from clawgit.git.bare_repository import bare
from clawgit.integrations import server_hooks
from clawgit.integrations.json_documents import each, fields
from clawgit.sync import bare_merge, received_push
from clawgit.workspace import allowed_secrets

_WIDTH = 13
_MB = 1 << 20

place_argument = click.argument("place", metavar="REPO.git", type=Words())


@click.group(cls=Group)
def server() -> None:
    """Guard a repository that machines push to.

    A bare repository of git, reached as git reaches it: by ssh, by a folder, behind Forgejo, Gitea or GitLab where
    hooks of your own may stand. Run these on the server, as the user whose hooks they are.
    """


@server.command(
    examples=(
        "clawgit server install /srv/git/mira.git",
        "clawgit server install /srv/git/mira.git --identity kqxwvtzm --max-push 200",
    )
)
@place_argument
@click.option(
    "--identity",
    multiple=True,
    metavar="MACHINE",
    help="Only this machine may change the identity; may be repeated. `none` is nobody.  [default: any]",
)
@click.option(
    "--max-push",
    "largest",
    type=click.IntRange(1),
    default=server_hooks.LARGEST_PUSH // _MB,
    show_default=True,
    metavar="MB",
    help="How much one push may have.",
)
@answering
def install(call: Call, place: str, identity: tuple[str, ...], largest: int) -> None:
    """Install pre-receive and post-receive.

    What is pushed is looked at before it comes in: a secret, hidden text, what was purged, a history that is written
    anew, a file that leads elsewhere, or an identity that the policy does not let in refuses the push as a whole. Then
    the heads of all machines are brought together on the branch, as clawgit sync does it. A hook that stood there goes
    on running.
    """
    repo = bare(Path(place).expanduser())
    done = server_hooks.install(repo, program(), largest=largest * _MB, identity=identity)
    whose = received_push.policy(repo)
    call.out.answer(
        lambda: {"hooks": documents(done), "identity": list(whose)},
        [*rows(done), labelled("identity", _WIDTH, ", ".join(whose), style="bold")],
        indent=_WIDTH,
    )


@server.command(examples=("clawgit server uninstall /srv/git/mira.git",))
@place_argument
@answering
def uninstall(call: Call, place: str) -> None:
    """Take the hooks and our settings away, and put back what stood there."""
    done = server_hooks.uninstall(bare(Path(place).expanduser()))
    call.out.answer(lambda: documents(done), rows(done), indent=_WIDTH)


@server.command(examples=("clawgit server status /srv/git/mira.git --json",))
@place_argument
@answering
def status(call: Call, place: str) -> int:
    """Show how the hooks stand, and whose identity comes in.

    Exits with 3 where a push is not looked at.
    """
    repo = bare(Path(place).expanduser())
    found, whose = server_hooks.status(repo, program()), received_push.policy(repo)
    lines = (labelled(one.name, _WIDTH, f"{one.state:<11}", Span(str(one.place), "dim"), style="bold") for one in found)
    call.out.answer(
        lambda: {"hooks": each(found, "hook=name state path=place chained=before"), "identity": list(whose)},
        [*lines, labelled("identity", _WIDTH, ", ".join(whose), style="bold")],
        indent=_WIDTH,
    )
    return Exit.DONE if all(one.state in ("installed", "chained") for one in found) else Exit.FOUND


@server.command(examples=("clawgit server merge /srv/git/mira.git",))
@place_argument
@answering
def merge(call: Call, place: str) -> int:
    """Bring the heads of all machines together now.

    The hook post-receive does it after each push. Exits with 3 where a head had to be left out.
    """
    done = bare_merge.merge(bare(Path(place).expanduser()))
    for one in done.problems:
        call.out.warn(f"a head is left out: {one.message}", one.fix)
    problems = each(done.problems, "message fix")
    call.out.answer(lambda: fields(done, "branch commit heads asked problems", problems=problems), _merged(done))
    return Exit.FOUND if done.problems else Exit.DONE


def _merged(done: bare_merge.Merged) -> Iterator[Line]:
    if done.left:
        yield line("somebody is at it, and looks once more before it ends")
    elif done.commit:
        came = f", with {counted(done.heads, 'head')}" if done.heads else ""
        yield line(f"{done.branch} is at ", human_lines.commit(done.commit), came)
    else:
        yield line(f"nothing is new on {done.branch}")


@server.command(examples=("clawgit server allow /srv/git/mira.git 9b1c07aa42de",))
@place_argument
@click.argument("fingerprints", nargs=-1, required=True, type=Words(), metavar="FINGERPRINT...")
@answering
def allow(call: Call, place: str, fingerprints: tuple[str, ...]) -> None:
    """Let in what only looks like a secret, or hidden text that is meant.

    FINGERPRINT is what a refused push names.
    """
    new = allowed_secrets.allow(bare(Path(place).expanduser()), fingerprints)
    call.out.answer(
        lambda: {"allowed": list(fingerprints), "new": list(new)},
        (
            line(Span(fingerprint, "bold"), " may come in" if fingerprint in new else " was allowed already")
            for fingerprint in fingerprints
        ),
    )
