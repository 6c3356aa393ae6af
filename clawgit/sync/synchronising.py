"""One sync: what comes in, and what goes out."""

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from clawgit.errors import ClawgitError, quoted
from clawgit.git import commit_graph, repository
from clawgit.git.git_command import git
from clawgit.git.repository import Oid
from clawgit.sync.head_merge import HeadMerge, work_out
from clawgit.sync.machine_heads import Exchange, Folder, Remote
from clawgit.sync.marker_healing import Healed, heal
from clawgit.sync.merge_landing import Landed, land
from clawgit.sync.outgoing_gate import Gate
from clawgit.workspace import file_roles
from clawgit.workspace.capture_and_enforce import Outcome, capture_all
from clawgit.workspace.workspace import Workspace


class Synced(Struct, frozen=True):
    """What one sync did, or would do.

    `heads` are those that were found, by machine; `captured` is what others had written here, `landed` what came in,
    `published` the head that went out, None where there was nothing new or nothing was to be done. `problems` are heads
    that were left out, and what kept ours from going out.
    """

    machine: str
    place: str
    heads: dict[str, Oid]
    captured: Outcome
    landed: Landed
    published: Oid | None = None
    problems: tuple[ClawgitError, ...] = ()
    notes: tuple[str, ...] = ()
    healed: Healed | None = None


def exchange(workspace: Workspace, remote: str | None, folder: Path | None) -> Exchange:
    """Return where to meet: a folder, a remote by its name, else the one remote that there is. Raises ClawgitError."""
    if folder is not None:
        return Folder(workspace.repo, folder)
    names = git(workspace.root, "remote").decode("utf-8", "replace").split()
    if remote is not None and remote not in names:
        raise ClawgitError(
            f"there is no remote {remote!r}" + (f"; there are {', '.join(names)}" if names else ""),
            fix=f"git -C {quoted(workspace.root)} remote add {quoted(remote)} URL",
        )
    if remote is None and not names:
        raise ClawgitError(
            "this workspace has no remote to sync with",
            fix=f"git -C {quoted(workspace.root)} remote add origin URL   # or: clawgit sync --folder DIR",
        )
    if remote is None and len(names) > 1 and "origin" not in names:
        raise ClawgitError(f"there are several remotes: {', '.join(names)}", fix=f"clawgit sync --remote {names[0]}")
    return Remote(workspace.repo, remote or ("origin" if "origin" in names else names[0]), workspace.branch)


def sync(workspace: Workspace, place: Exchange, gate: Gate, *, dry_run: bool = False) -> Synced:
    """Bring what the others wrote here, and what was written here to them.

    Without others nothing comes in; what may not go out stays here, and is told. Raises ClawgitError, with no file
    touched, where heads cannot be merged.
    """
    workspace.require_managed()
    found = place.fetch()
    machine = workspace.machine.name()
    heads = [oid for name, oid in found.heads.items() if name != machine]
    if dry_run:
        merge = _worked_out(workspace, heads)
        return Synced(machine, place.words, dict(found.heads), Outcome(), Landed(None, merge), None, found.problems)
    healed = heal(workspace)
    captured = capture_all(workspace)
    landed = land(workspace, lambda own: _worked_out(workspace, heads, own))
    problems, notes, published = list(found.problems), list(landed.notes), None
    head = workspace.head
    if head and found.heads.get(machine) != head:
        against = tuple(gate(place.words, _pushed(workspace, machine, head, found.heads.get(machine))))
        problems += against
        if not against:
            notes += place.publish(machine, head)
            published = head
    return Synced(
        machine, place.words, dict(found.heads), captured, landed, published, tuple(problems), tuple(notes), healed
    )


def _worked_out(workspace: Workspace, heads: Iterable[Oid], own: Oid | None = None) -> HeadMerge | None:
    start = own or workspace.head
    if start is None:
        return None
    strict = workspace.config.soul_policy != "evolve"
    return work_out(workspace.repo, start, heads, lambda path: strict and file_roles.guarded(path))


def _pushed(workspace: Workspace, machine: str, head: Oid, there: Oid | None) -> str:
    """Return what git would tell a pre-push hook."""
    known = there if there and repository.resolve(workspace.repo, there) else None
    name = f"refs/clawgit/heads/{machine}"
    return f"{name} {head} {name} {known or '0' * 40}\n"


def behind(workspace: Workspace, heads: Iterable[Oid]) -> int:
    """Return how many commits of others are not here yet."""
    own = workspace.head
    news = [head for head in heads if own and not repository.reaches(workspace.repo, own, head)]
    if not own or not news:
        return 0
    nodes = commit_graph.window(workspace.repo, (own, *news)).nodes
    return sum(not repository.reaches(workspace.repo, own, node.id) for node in nodes)
