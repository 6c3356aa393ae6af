"""`clawgit hooks` and `clawgit server`."""

import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

import click

from clawgit.cli import operator_input
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import Group
from clawgit.cli.options import Words
from clawgit.connect import git_hooks, merge_driver, server_hooks
from clawgit.connect.git_hooks import Hook
from clawgit.errors import ClawgitError, Exit
from clawgit.git.bare_repository import bare
from clawgit.git.repository import Repository, find
from clawgit.json_documents import Document, map_documents
from clawgit.workspace import outgoing_secrets


@click.group(cls=Group)
def hooks() -> None:
    """Let git check commits and pushes, and merge memory.

    pre-commit warns of secrets and broken text in staged Markdown, post-commit renders the changelog, pre-push refuses
    secrets. An existing hook goes on running.
    """


@hooks.command(examples=("clawgit hooks install", "clawgit hooks install --force"))
@click.option("--force", is_flag=True, help="Also if the hooks belong to the project or to all your repositories.")
def install(call: Call, *, force: bool) -> None:
    """Install the three hooks, and have git merge memory by entry and line.

    An existing hook is set aside, and runs as before. The merge driver is written to .git/config and
    .git/info/attributes.
    """
    with call.workspace(managed=True) as workspace:
        call.out.answer(documents(_install(workspace.repo, force=force)))


@hooks.command(examples=("clawgit hooks uninstall",))
def uninstall(call: Call) -> None:
    """Remove the hooks, and restore the former ones.

    A hook that another program has written since is left alone. Git merges as ever then.
    """
    repo = find(call.place())
    merge_driver.uninstall(repo)
    call.out.answer(documents(git_hooks.uninstall(repo)))


fingerprints_argument = click.argument("fingerprints", nargs=-1, required=True, type=Words(), metavar="FINGERPRINT...")


@hooks.command(examples=("clawgit hooks allow 9b1c07aa42de",))
@fingerprints_argument
def allow(call: Call, fingerprints: tuple[str, ...]) -> None:
    """Let secrets be pushed.

    For false alarms and replaced secrets. FINGERPRINT is named by a refused commit or push, and by `clawgit status`. It
    is noted for this clone alone.
    """
    with call.workspace() as workspace:
        new = outgoing_secrets.allow(workspace.repo, fingerprints)
        if new and not operator_input.possible():
            words = f"{', '.join(new)} may be pushed, a secret by its shape"
            workspace.trusted.note_unattended(words, workspace.clock())
    call.out.answer({"allowed": list(fingerprints), "new": list(new)})


def install_alongside(call: Call, repo: Repository) -> tuple[Hook, ...]:
    """Install the hooks as part of something larger, which a failure of theirs does not end; empty if they failed."""
    try:
        return _install(repo)
    except ClawgitError as exc:
        call.out.warn(f"no hooks were installed: {exc.message}", exc.fix)
        return ()


def _install(repo: Repository, *, force: bool = False) -> tuple[Hook, ...]:
    merge_driver.install(repo, program())
    return git_hooks.install(repo, program(), force=force)


def program() -> Path:
    """Return the place of this command, for a hook that is run without our PATH."""
    neighbour = Path(sys.executable).with_name("clawgit")
    return neighbour if neighbour.exists() else Path(shutil.which("clawgit") or sys.argv[0]).absolute()


def documents(done: Iterable[Hook]) -> list[Document]:
    """Return the outcome of each hook as a document."""
    return map_documents(done, "hook=name act=state path=place chained=before")


_MB = 1 << 20

place_argument = click.argument(
    "repo", metavar="REPO.git", type=Words(), callback=lambda _ctx, _param, value: bare(Path(value).expanduser())
)


@click.group(cls=Group)
def server() -> None:
    """Guard a shared repository.

    A bare repository of git, reached by ssh or a folder, or behind Forgejo, Gitea or GitLab. Run these on the server,
    as the user of the hooks.
    """


@server.command(
    "install",
    examples=(
        "clawgit server install /srv/git/mira.git",
        "clawgit server install /srv/git/mira.git --max-push 200",
    ),
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
def install_server(call: Call, repo: Repository, largest: int) -> None:
    """Install pre-receive.

    A push with a secret, or with purged text, is refused as a whole before it comes in. Git refuses to rewrite
    history, to delete a branch and to take damaged objects. A hook that was there goes on running.
    """
    call.out.answer({"hooks": documents(server_hooks.install(repo, program(), largest=largest * _MB))})


@server.command("uninstall", examples=("clawgit server uninstall /srv/git/mira.git",))
@place_argument
def uninstall_server(call: Call, repo: Repository) -> None:
    """Remove the hooks and our settings, and restore the former ones."""
    call.out.answer(documents(server_hooks.uninstall(repo)))


@server.command("status", examples=("clawgit server status /srv/git/mira.git --json",))
@place_argument
def status_server(call: Call, repo: Repository) -> int:
    """Show how the hook stands.

    Exits with 3 if a push is not looked at.
    """
    result = server_hooks.status(repo, program())
    call.out.answer({"hooks": map_documents(result, "hook=name state path=place chained=before")})
    return Exit.DONE if all(hook.state in ("installed", "chained") for hook in result) else Exit.FOUND


@server.command("allow", examples=("clawgit server allow /srv/git/mira.git 9b1c07aa42de",))
@place_argument
@fingerprints_argument
def allow_server(call: Call, repo: Repository, fingerprints: tuple[str, ...]) -> None:
    """Allow text that only looks like a secret.

    A refused push names its FINGERPRINT.
    """
    new = outgoing_secrets.allow(repo, fingerprints)
    call.out.answer({"allowed": list(fingerprints), "new": list(new)})
