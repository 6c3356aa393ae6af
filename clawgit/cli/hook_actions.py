"""What each hook does, without click."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from clawgit.cli.operator_input import piped
from clawgit.cli.output import Output
from clawgit.errors import ClawgitError, Exit

if TYPE_CHECKING:
    from clawgit.git.repository import Repository


_SEVERAL = 20


def meant(given: Sequence[str]) -> tuple[str, tuple[str, ...]] | None:
    """Return the hook and its arguments, where `clawgit` is called as our scripts call it; None otherwise."""
    match given:
        case ["hook", "run", name] if name in HOOKS:
            return name, ()
        case ["hook", "run", name, "--", *arguments] if name in HOOKS:
            return name, tuple(arguments)
        case _:
            return None


def run_hook(out: Output, name: str, arguments: Sequence[str]) -> int:
    """Run one hook in the current folder and return its exit code; of those that guard a push an error goes on."""
    from clawgit.git.bare_repository import bare  # noqa: PLC0415
    from clawgit.git.repository import find  # noqa: PLC0415

    try:
        repo = (bare if name in SERVERS else find)(Path.cwd())
        return HOOKS[name](out, repo, *arguments[:1])
    except ClawgitError as exc:
        if name in ("pre-push", "pre-receive"):
            raise
        out.warn(f"{name}: {exc.message}")
        return Exit.DONE


def _pre_commit(out: Output, repo: "Repository", *_: str) -> int:
    """Put stale entries right, warn of what is staged, and refuse what soul_policy does.

    git says in a variable which index that is.
    """
    from clawgit.integrations import hook_checks  # noqa: PLC0415

    index = Path.cwd() / os.environ.get("GIT_INDEX_FILE", repo.gitdir / "index")
    for path in hook_checks.put_right(repo, index):
        out.note(f"{path}: git's index held an older version; it was put right, so that nothing is taken back")
    found = tuple(hook_checks.problems(repo, index))
    for problem in found:
        (out.fail if problem.refused else out.warn)(problem.message)
        out.talk(f"  fix: {problem.fix}")
    return Exit.FAILED if any(problem.refused for problem in found) else Exit.DONE


def _post_commit(out: Output, repo: "Repository", *_: str) -> int:
    """Render the changelog anew."""
    from clawgit.workspace import rendered_views  # noqa: PLC0415
    from clawgit.workspace.workspace import Workspace  # noqa: PLC0415

    try:
        rendered_views.render_all(Workspace(repo))
    except OSError as exc:
        out.warn(f"the changelog was not rendered: {exc.filename}: {exc.strerror}")
    return Exit.DONE


def _pre_push(out: Output, repo: "Repository", remote: str = "origin", *_: str) -> int:
    """Refuse to push a secret, or what was purged."""
    from clawgit.git.churn import Gap  # noqa: PLC0415
    from clawgit.workspace import outgoing_secrets  # noqa: PLC0415

    leaks, lines = [], piped().decode("utf-8", "surrogateescape")
    if revived := outgoing_secrets.revived(repo, remote, lines):
        raise ClawgitError(
            f"the push would bring back what was purged: {revived[0][:10]}",
            fix="git branch -D BRANCH   # the one that still has the old history; or make this clone anew",
        )
    for found in outgoing_secrets.leaks(repo, remote, lines):
        if isinstance(found, Gap):
            out.warn(f"{found.commit[:10]} could not be looked at: {found.why}")
        else:
            leaks.append(found)
    for leak in leaks[:_SEVERAL]:
        out.talk(f"{leak.commit[:10]} {leak.path}:{leak.line} holds a secret ({leak.rule}, {leak.fingerprint})")
    if len(leaks) > _SEVERAL:
        out.talk(f"… and {len(leaks) - _SEVERAL:,} more")
    if leaks:
        many = f"{len(leaks):,} secrets" if len(leaks) > 1 else "a secret"
        raise ClawgitError(
            f"the push would give {many} away",
            fix=f"git rebase -i {leaks[-1].commit[:10]}^   # and take it out"
            f"; if it is none: clawgit hooks allow {leaks[-1].fingerprint}",
        )
    return Exit.DONE


def _pre_receive(out: Output, repo: "Repository", *_: str) -> int:
    """Refuse a push to this server as a whole where anything stands against it."""
    from clawgit.git.bare_repository import quarantine  # noqa: PLC0415
    from clawgit.git.git_command import seeing  # noqa: PLC0415
    from clawgit.sync import received_push  # noqa: PLC0415 - a commit does without

    lines = piped().decode("utf-8", "surrogateescape")
    with seeing(quarantine()):
        found = list(received_push.refusals(repo, received_push.pushed(lines)))
    for one in found[:_SEVERAL]:
        out.fail(one.message)
        out.talk(f"  fix: {one.fix}")
    if len(found) > _SEVERAL:
        out.talk(f"… and {len(found) - _SEVERAL:,} more")
    return Exit.FAILED if found else Exit.DONE


def _post_receive(out: Output, repo: "Repository", *_: str) -> int:
    """Bring the heads of all machines together on the branch of this server."""
    from clawgit.sync import bare_merge  # noqa: PLC0415 - loads libgit2, and the guard does without

    piped()
    done = bare_merge.merge(repo)
    for one in done.problems:
        out.warn(f"a head is left out of {done.branch}: {one.message}", one.fix)
    if done.commit:
        out.note(f"{done.branch} is at {done.commit[:10]} by now")
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
