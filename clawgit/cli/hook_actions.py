"""The actions of hooks, without click."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from clawgit.cli.operator_input import piped
from clawgit.cli.output import Output
from clawgit.errors import ClawgitError, DiskError, Exit

if TYPE_CHECKING:
    from clawgit.git.repository import Repository

_MAX_REFUSALS = 20


def parse_hook_call(given: Sequence[str]) -> tuple[str, tuple[str, ...]] | None:
    """Return the hook and its arguments for `clawgit hook run NAME`, as our scripts call it; None otherwise."""
    match given:
        case ["hook", "run", name, *arguments] if name in HOOKS:
            return name, tuple(arguments[1:] if arguments[:1] == ["--"] else arguments)
        case _:
            return None


def run_hook(output: Output, name: str, arguments: Sequence[str]) -> int:
    """Run one hook in the current folder and return its exit code; of those that guard a push an error goes on."""
    from clawgit.git.bare_repository import bare  # noqa: PLC0415
    from clawgit.git.repository import find  # noqa: PLC0415

    try:
        repo = (bare if name in SERVERS else find)(Path.cwd())
        return HOOKS[name](output, repo, *arguments[:1])
    except ClawgitError as exc:
        if name in ("pre-push", "pre-receive") or isinstance(exc, DiskError):
            raise
        output.warn(f"{name}: {exc.message}")
        return Exit.DONE


def _pre_commit(output: Output, repo: "Repository", *_: str) -> int:
    """Repair stale entries, warn of staged problems, and refuse changes against soul_policy.

    git names the index in a variable.
    """
    from clawgit.connect import hook_checks  # noqa: PLC0415

    index = Path.cwd() / os.environ.get("GIT_INDEX_FILE", repo.gitdir / "index")
    for path in hook_checks.put_right(repo, index):
        output.note(f"{path}: git's index held an older version; it was put right, so that nothing is taken back")
    problems = tuple(hook_checks.problems(repo, index))
    for problem in problems:
        (output.fail if problem.refused else output.warn)(problem.message, problem.fix)
    return Exit.FAILED if any(problem.refused for problem in problems) else Exit.DONE


def _post_commit(output: Output, repo: "Repository", *_: str) -> int:
    """Render the changelog anew."""
    from clawgit.workspace import changelog  # noqa: PLC0415
    from clawgit.workspace.workspace import Workspace  # noqa: PLC0415

    try:
        changelog.refresh(Workspace(repo))
    except OSError as exc:
        output.warn(f"the changelog was not rendered: {exc.filename}: {exc.strerror}")
        return Exit.FAILED
    return Exit.DONE


def _pre_push(output: Output, repo: "Repository", remote: str = "origin", *_: str) -> int:
    """Refuse to push a secret, or a purged object."""
    from clawgit.sync import outgoing_gate  # noqa: PLC0415

    lines = piped().decode("utf-8", "surrogateescape")
    obstacles = outgoing_gate.list_obstacles(
        repo,
        remote,
        lines,
        lambda gap: output.warn(f"{gap.commit[:10]} could not be looked at: an object of it is missing"),
    )
    return _refuse_push(output, list(obstacles))


def _refuse_push(output: Output, errors: Sequence[ClawgitError]) -> int:
    """Report the first obstacles to a push; return the exit code of its hook."""
    for error in errors[:_MAX_REFUSALS]:
        output.fail(error.message, error.fix)
    if len(errors) > _MAX_REFUSALS:
        output.talk(f"… and {len(errors) - _MAX_REFUSALS:,} more")
    return Exit.FAILED if errors else Exit.DONE


def _pre_receive(output: Output, repo: "Repository", *_: str) -> int:
    """Refuse a push to this server with a secret, or a purged object."""
    from clawgit.git.bare_repository import quarantine  # noqa: PLC0415
    from clawgit.git.git_command import seeing  # noqa: PLC0415
    from clawgit.sync import outgoing_gate  # noqa: PLC0415 - a commit does without

    lines = piped().decode("utf-8", "surrogateescape")
    with seeing(quarantine()):
        return _refuse_push(output, list(outgoing_gate.check_received(repo, lines)))


def _post_receive(*_: object) -> int:
    """Do nothing: clawgit 0.2 merged the heads of machines here, and its hook may still be installed."""
    piped()
    return Exit.DONE


HOOKS: dict[str, Callable[..., int]] = {
    "pre-commit": _pre_commit,
    "post-commit": _post_commit,
    "pre-push": _pre_push,
    "pre-receive": _pre_receive,
    "post-receive": _post_receive,
}
SERVERS = ("pre-receive", "post-receive")
"""Those that run where others push to."""
