"""What each hook of a server does."""

from pathlib import Path

from clawgit.cli.operator_input import piped
from clawgit.cli.output import Output
from clawgit.errors import Exit
from clawgit.git.bare_repository import bare, quarantine
from clawgit.git.git_command import seeing
from clawgit.git.repository import Repository
from clawgit.sync import received_push


def run(out: Output, name: str) -> int:
    """Run pre-receive, or post-receive, in the current folder and return its exit code. Raises ClawgitError."""
    repo = bare(Path.cwd())
    return _guard(out, repo) if name == "pre-receive" else _merge(out, repo)


def _guard(out: Output, repo: Repository) -> int:
    """Refuse a push as a whole where anything stands against it."""
    lines = piped().decode("utf-8", "surrogateescape")
    with seeing(quarantine()):
        return out.refuse_push(received_push.refusals(repo, received_push.pushed(lines)))


def _merge(out: Output, repo: Repository) -> int:
    """Bring the heads of all machines together on the branch."""
    from clawgit.sync import bare_merge  # noqa: PLC0415 - loads libgit2, and the guard does without

    piped()
    done = bare_merge.merge(repo)
    for one in done.problems:
        out.warn(f"a head is left out of {done.branch}: {one.message}", one.fix)
    if done.commit:
        out.note(f"{done.branch} is at {done.commit[:10]} by now")
    return Exit.DONE
