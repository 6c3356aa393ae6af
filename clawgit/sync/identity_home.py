"""The approvals of one machine, taken by the others.

The machine that `identity_home` names leaves what its operator approved in so many words beside its head, as commits
that hold these files and nothing else. What only grew there at a low grade is not among them.
"""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from clawgit.errors import ClawgitError, Command, identity_elsewhere
from clawgit.git import commit_chain, history, references, repository
from clawgit.git.commit_chain import NewCommit
from clawgit.git.repository import Oid
from clawgit.safety.markers import conflict_markers
from clawgit.sync.control_files import AUTHOR
from clawgit.sync.head_merge import Mine
from clawgit.sync.machine_heads import APPROVED, Found
from clawgit.workspace import commit_message, file_roles, undo
from clawgit.workspace.change import Change, Edit
from clawgit.workspace.file_contents import text_of
from clawgit.workspace.proposal_offer import offer_file
from clawgit.workspace.workspace import Workspace

_TAKEN = "refs/clawgit/taken/"


class Taken(Struct, frozen=True):
    """What came of another machine's approvals: files that are approved here now, and proposals of what stood there."""

    paths: tuple[str, ...] = ()
    commits: tuple[Oid, ...] = ()
    waiting: tuple[str, ...] = ()
    problems: tuple[ClawgitError, ...] = ()


def published(workspace: Workspace, machine: str) -> Oid | None:
    """Return the commit that holds what was approved here, None where this is not the machine that others follow."""
    if workspace.config.value("identity_home") != machine:
        return None
    name = f"{APPROVED}{machine}"
    files = {path: one.said.encode() for path, one in workspace.approvals().files.items() if one.said is not None}
    last = references.target(workspace.repo, name)
    paths = repository.files(workspace.repo, last) if last else []
    before = {path: repository.read(workspace.repo, last, path) for path in paths}
    if not files or before == files:
        return last
    changed: Mapping[str, bytes | None] = {path: files.get(path) for path in {**before, **files}}
    words = commit_message.render(commit_message.Message("what is approved here", "", (("Origin", "operator"),)))
    (made,) = commit_chain.build(workspace.repo, last, [NewCommit(words, AUTHOR, workspace.now(), changed)])
    references.point(workspace.repo, name, made)
    return made


def take(workspace: Workspace, machine: str, found: Found, own: Mine) -> Taken:
    """Have what the machine that `identity_home` names approved anew stand here, and be approved.

    What stood here and that machine never had goes to the desk. `own` are files that nobody merges.
    """
    home = str(workspace.config.value("identity_home"))
    now, head = found.approved.get(home), found.heads.get(home)
    if not home or home == machine or now is None:
        return Taken()
    repo, name = workspace.repo, _TAKEN + home
    last = references.target(repo, name)
    if last == now:
        return Taken()
    if last and not repository.reaches(repo, now, last):
        words = f"what machine {home} approved does not go on from what was taken of it; nothing is taken"
        return Taken(
            problems=(
                identity_elsewhere(
                    words, fix=Command("git log {}...{}", last[:10], now[:10], note="then: clawgit trust")
                ),
            )
        )
    paths = [path for path in repository.files(repo, now) if file_roles.guarded(path) and own(path)]
    news = [
        path for path in paths if last is None or repository.read(repo, last, path) != repository.read(repo, now, path)
    ]
    commits, waiting = list[Oid](), list[str]()
    for path in news:
        text = text_of(repository.read(repo, now, path))
        if text is None or conflict_markers(text) is not None:
            continue
        if (before := workspace.read(path)) != text:
            waiting += _kept_aside(workspace, path, text, before, head)
            subject = f"{file_roles.room(path)}: {path} as machine {home} approved it"
            edits = (Edit(path, before, text),)
            applied = workspace.apply(Change(subject, edits=edits, agent=undo.SYNC, approved=True), wait=False)
            commits += [applied.commit] if applied.commit else []
        workspace.trusted.approve({path: text})
        workspace.trusted.note_unattended(f"{path} as machine {home} approved it", workspace.now())
    workspace.approvals()
    references.point(repo, name, now)
    return Taken(tuple(news), tuple(commits), tuple(waiting))


def _kept_aside(workspace: Workspace, path: str, text: str, before: str | None, head: Oid | None) -> Iterator[str]:
    """Bring what stands here to the desk, where the other machine never had it."""
    if before is None:
        return
    repo = workspace.repo
    blob = repository.hash_blob(before.encode())
    if head and any(
        repository.blob_id(repo, one.id, path) == blob for one in history.log(repo, path, start=head, named=False)
    ):
        return
    words = f"{path} as it stood here before"
    offered = offer_file(workspace.setting(), workspace.head, path, (text, before), words, AUTHOR, undo.SYNC)
    if not offered.rejected:
        yield offered.id
