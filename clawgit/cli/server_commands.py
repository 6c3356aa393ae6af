"""`clawgit server`."""

from pathlib import Path

import click

from clawgit.cli.call import Call
from clawgit.cli.hooks_commands import documents, program
from clawgit.cli.lazy_commands import Group
from clawgit.cli.options import Words
from clawgit.errors import Exit
from clawgit.git.bare_repository import bare
from clawgit.integrations import server_hooks
from clawgit.integrations.json_documents import each
from clawgit.workspace import outgoing_secrets

_MB = 1 << 20

place_argument = click.argument("place", metavar="REPO.git", type=Words())


@click.group(cls=Group)
def server() -> None:
    """Guard a shared repository.

    A bare repository of git, reached as git reaches it: by ssh, by a folder, behind Forgejo, Gitea or GitLab where
    hooks of your own may stand. Run these on the server, as the user whose hooks they are.
    """


@server.command(
    examples=(
        "clawgit server install /srv/git/mira.git",
        "clawgit server install /srv/git/mira.git --max-push 200",
    )
)
@place_argument
@click.option(
    "--max-push",
    "largest",
    type=click.IntRange(1),
    default=server_hooks.LARGEST_PUSH // _MB,
    show_default=True,
    metavar="MB",
    help="How much one push may have.",
)
def install(call: Call, place: str, largest: int) -> None:
    """Install pre-receive.

    A push with a secret, or with what was purged, is refused as a whole before it comes in. Git refuses to rewrite
    history, to delete a branch and to take damaged objects. A hook that was there goes on running.
    """
    repo = bare(Path(place).expanduser())
    done = server_hooks.install(repo, program(), largest=largest * _MB)
    call.out.answer({"hooks": documents(done)})


@server.command(examples=("clawgit server uninstall /srv/git/mira.git",))
@place_argument
def uninstall(call: Call, place: str) -> None:
    """Take the hooks and our settings away, and put back what stood there."""
    done = server_hooks.uninstall(bare(Path(place).expanduser()))
    call.out.answer(documents(done))


@server.command(examples=("clawgit server status /srv/git/mira.git --json",))
@place_argument
def status(call: Call, place: str) -> int:
    """Show how the hook stands.

    Exits with 3 where a push is not looked at.
    """
    repo = bare(Path(place).expanduser())
    found = server_hooks.status(repo, program())
    call.out.answer({"hooks": each(found, "hook=name state path=place chained=before")})
    return Exit.DONE if all(one.state in ("installed", "chained") for one in found) else Exit.FOUND


@server.command(examples=("clawgit server allow /srv/git/mira.git 9b1c07aa42de",))
@place_argument
@click.argument("fingerprints", nargs=-1, required=True, type=Words(), metavar="FINGERPRINT...")
def allow(call: Call, place: str, fingerprints: tuple[str, ...]) -> None:
    """Let in what only looks like a secret.

    FINGERPRINT is what a refused push names.
    """
    new = outgoing_secrets.allow(bare(Path(place).expanduser()), fingerprints)
    call.out.answer({"allowed": list(fingerprints), "new": list(new)})
