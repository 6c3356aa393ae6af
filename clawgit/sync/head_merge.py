"""Merges the heads of several machines, and lands that."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from msgspec import Struct, field

from clawgit import file_roles
from clawgit.errors import ClawgitError, Command, head_unborn
from clawgit.git import commit_chain, commit_graph, history, our_commits, own_commits, repository
from clawgit.git.commit_chain import NewCommit
from clawgit.git.repository import Oid, Repository
from clawgit.safety.hidden_text import join_sides
from clawgit.sync import control_files
from clawgit.sync.control_files import AUTHOR, Held, Mine
from clawgit.sync.tree_merge import TreeMerge
from clawgit.text.merge import merge
from clawgit.workspace import commit_message, identity_policy, merge_rules, undo, workspace_base
from clawgit.workspace.commit_message import Message
from clawgit.workspace.file_contents import text_of, to_text
from clawgit.workspace.inbox import open_control_files, open_file
from clawgit.workspace.workspace import Workspace
from clawgit.workspace.writing import land_merge

_PLAIN = 0o100644


class HeadMerge(Struct, frozen=True):
    """The merge of `own` and the `others`: the files that differ from those of `own` (None: no file).

    `forward` is the head that has all of it already. `asked` are the ids of the records for two machines' different
    corrections of one entry. `held` is not merged.
    """

    own: Oid
    others: tuple[Oid, ...]
    files: Mapping[str, bytes | None] = field(default_factory=dict)
    forward: Oid | None = None
    asked: tuple[str, ...] = ()
    held: Held = field(default_factory=Held)


def work_out(repo: Repository, own: Oid, heads: Iterable[Oid], mine: Mine) -> HeadMerge | None:
    """Return the merge of the heads, None if they bring nothing.

    Raises ClawgitError for a file that cannot be merged.
    """
    news = tuple(head for head in commit_graph.list_independent(repo, (own, *heads)) if head != own)
    if not news:
        return None
    exclusions = control_files.hold_control_files(repo, own, news, mine)

    def is_left(path: str) -> bool:
        return path in exclusions.paths or mine(path) or merge_rules.find_rule(path) == "control"

    trees = TreeMerge(repo, is_left)
    version = trees.merge((own, *news))
    paths = {*version.files, *(commit_graph.difference(repo, own, version.head) if version.head else ())}
    merged_files = {path: trees.read(version, path) for path in sorted(paths) if not is_left(path)}
    blobs = {path: None if data is None else repository.hash_blob(data) for path, data in merged_files.items()}
    files = {path: merged_files[path] for path, blob in blobs.items() if blob != repository.blob_id(repo, own, path)}
    # A head that has all of ours, and nothing that is held back, needs no merge commit.
    if len(news) == 1 and repository.reaches(repo, news[0], own):
        pairs = commit_graph.difference(repo, own, news[0])
        has_modes = all(not theirs or theirs.mode == (ours.mode if ours else _PLAIN) for ours, theirs in pairs.values())
        if has_modes and {path: blobs[path] for path in files} == {
            path: theirs and theirs.blob for path, (_, theirs) in pairs.items()
        }:
            return HeadMerge(own, news, files, news[0])
    # Heads with nothing but merges of ours bring nothing.
    if not files and not any(commit_graph.has_content(repo, own, head) for head in news):
        return None
    return HeadMerge(own, news, files, None, tuple(record.id for record in version.records), exclusions)


def _read_versions(repo: Repository, own: Oid, head: Oid, path: str) -> Iterator[str | None]:
    """Yield a file as both histories had it last, and as it is in either; None for no file."""
    ours, theirs = (
        [repository.blob_id(repo, commit.id, path) for commit in history.walk_log(repo, path, start=tip, named=False)]
        for tip in (own, head)
    )
    last = next((blob for blob in theirs if blob and blob in ours), None)
    for blob in (last, repository.blob_id(repo, own, path), repository.blob_id(repo, head, path)):
        yield join_sides(to_text(repository.blob(repo, blob))) if blob else None


class Landed(Struct, frozen=True):
    """The outcome of a merge: its commit, None if there was nothing to merge, and the waiting proposals.

    `control` is the one among these that asks about files without effect until then, "" for none. `problems` are the
    reasons that heads are left out.
    """

    commit: Oid | None = None
    merge: HeadMerge | None = None
    waiting: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    control: str = ""
    problems: tuple[ClawgitError, ...] = ()


def own_files(workspace: Workspace) -> Mine:
    """Return a function that recognises identity files of which each machine has its own."""
    strict = workspace.config.soul_policy != "evolve"
    return lambda path: merge_rules.find_rule(path) == "own" or (strict and file_roles.is_identity(path))


def work_out_here(
    workspace: Workspace, own: Oid, heads: Sequence[Oid]
) -> tuple[HeadMerge | None, tuple[ClawgitError, ...]]:
    """Return the merge of the heads, and the reasons for omissions: one that cannot be merged does not stop the others.

    Raises ClawgitError if none can be merged.
    """
    repo, mine = workspace.repo, own_files(workspace)
    merge: HeadMerge | None = None
    problems, sound = list[ClawgitError](), list[Oid]()
    for head in heads:
        try:
            merge = work_out(repo, own, (*sound, head), mine)
            sound.append(head)
        except ClawgitError as exc:
            problems.append(exc)
    if problems and merge is None:
        raise problems[0]
    return merge, tuple(problems)


def land_heads(
    workspace: Workspace, heads: Sequence[Oid], names: Mapping[Oid, str], push: Callable[[Oid], None]
) -> Landed:
    """Land the heads on the newest commit here, as one commit; what others wrote meanwhile comes first.

    The commit is pushed before it lands, so that two machines never publish merges of the same pair. What does not come
    in is asked about before that: once it is merged, nobody asks again. `names` are those of heads; `push` sends a
    commit to the shared branch. Raises ClawgitError, with nothing touched, where it may not be written, OvertakenError
    if another machine was faster, StaleChangeError if somebody commits here meanwhile.
    """
    if workspace.head is None:
        raise head_unborn("there is no commit yet", fix=Command("clawgit init"))
    head_merge, problems = work_out_here(workspace, workspace.head, heads)
    if head_merge is None:
        return Landed()
    control = ""
    if asked := dict(sorted(head_merge.held.asked.items())):
        machines = " and ".join(dict.fromkeys(names.get(head, head[:10]) for head, _ in asked.values()))
        control_entries = {path: control_entry for path, (_, control_entry) in asked.items()}
        control = open_control_files(workspace, head_merge.own, control_entries, machines)
    words, now = message(head_merge), workspace.now()
    newest = max(repository.committed_at(workspace.repo, parent) for parent in (head_merge.own, *head_merge.others))
    stamp = max(now, datetime.fromtimestamp(newest, now.tzinfo))  # where a clock is behind, nothing is older than that
    new = NewCommit(commit_message.render(words), AUTHOR, stamp, head_merge.files, head_merge.others)
    oid = head_merge.forward or commit_chain.build(workspace.repo, head_merge.own, [new])[-1]
    push(oid)
    nodes = commit_graph.list_beyond(workspace.repo, head_merge.own, oid)
    own_commits.record_own_commits(workspace.repo, [own_commits.BROUGHT + node.id for node in nodes if node.ours])
    commit, notes = land_merge(workspace, new, head_merge.own, oid)
    workspace.approvals()
    identity_policy.follow_approved(workspace, {path: text_of(data) for path, data in head_merge.files.items()}, {})
    if workspace.head:  # what came in was looked at: nobody here took anything back by it
        workspace_base.record_foreign_head(workspace.store, workspace.head)
    if look := our_commits.read_branch_state(workspace.repo, workspace.branch):
        our_commits.record_look(workspace.repo, look)
    waiting = [control] if control else []
    for path, head in head_merge.held.kept:
        waiting += _propose_file(workspace, head_merge.own, head, path)
    return Landed(commit, head_merge, tuple(dict.fromkeys(waiting)), notes, control, problems)


def message(head_merge: HeadMerge) -> Message:
    """Return the commit message of a merge of machines."""
    machines = "another machine" if len(head_merge.others) == 1 else f"{len(head_merge.others)} other machines"
    names = [path for path in sorted(head_merge.files) if not path.startswith(file_roles.OURS)]
    listing = "".join(f"- {path}\n" for path in names[:40])
    subject, agent = f"sync: what {machines} wrote", ("Clawgit-Agent", undo.SYNC)
    return Message(subject, listing.rstrip("\n"), (agent, ("Origin", "agent")))


def _propose_file(workspace: Workspace, own: Oid, head: Oid, path: str) -> Iterator[str]:
    """Bring another machine's version of a file to the desk, against the last one that both had."""
    base, ours, theirs = _read_versions(workspace.repo, own, head, path)
    # The other machine has not changed the file since both had it.
    if theirs in (base, ours):
        return
    text = theirs
    if ours not in (base, None) and text is not None:
        merge_result = merge(base, ours or "", text)
        text = text if merge_result.conflicts else merge_result.text
    if text == ours:
        return
    words = f"{path} as another machine has it"
    offer = open_file(workspace, {path: (ours, text)}, words, undo.SYNC)
    if not offer.rejected:
        yield offer.id
