"""Lands a merge of several machines on the branch."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from clawgit.errors import ClawgitError, Command, head_unborn, keeps_changing
from clawgit.git import commit_chain, our_commits, repository
from clawgit.git.commit_chain import NewCommit
from clawgit.git.repository import Oid, Repository
from clawgit.sync.control_files import AUTHOR
from clawgit.sync.head_merge import HeadMerge, Kept, Mine, PurgedError, work_out_sound
from clawgit.text.merge import merge
from clawgit.workspace import (
    commit_message,
    file_contents,
    file_roles,
    foreign_commits,
    identity_policy,
    undo,
)
from clawgit.workspace.commit_message import Message
from clawgit.workspace.inbox import open_control_files, open_file
from clawgit.workspace.prepared import MovedError, Prepared
from clawgit.workspace.prepared import land as land_prepared
from clawgit.workspace.workspace import Workspace

_TRIES = 5


class Landed(Struct, frozen=True):
    """What became of a merge: its commit, None where there was nothing to merge, and the proposals that wait.

    `control` is the one among these that asks for files which do not take effect until then, "" for none. `problems`
    say why heads are left out.
    """

    commit: Oid | None = None
    merge: HeadMerge | None = None
    waiting: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    control: str = ""
    problems: tuple[ClawgitError, ...] = ()


def own_files(workspace: Workspace) -> Mine:
    """Return what tells of an identity file that each machine has its own."""
    strict = workspace.config.soul_policy != "evolve"
    return lambda path: strict and file_roles.guarded(path)


def work_out_here(
    workspace: Workspace, own: Oid, heads: Sequence[Oid]
) -> tuple[HeadMerge | None, tuple[ClawgitError, ...]]:
    """Return what the heads come to, and why some are left out. Raises ClawgitError where none can be merged."""
    merge, problems = work_out_sound(workspace.repo, own, heads, own_files(workspace))
    if problems and (merge is None or any(isinstance(problem, PurgedError) for problem in problems)):
        raise problems[0]
    return merge, problems


Push = Callable[[Oid], None]
"""Sends a commit to the branch that machines share. Raises OvertakenError where another machine was faster."""


def land(workspace: Workspace, heads: Sequence[Oid], whose: Callable[[Oid], str], push: Push) -> Landed:
    """Land the heads on the newest commit here, as one commit; what others wrote meanwhile comes first.

    The commit is pushed before it lands, so that two machines never publish merges of the same pair. What does not come
    in is asked about before that: once it is merged, nobody asks again. `whose` names a head. Raises ClawgitError, with
    nothing touched, where it may not be written, OvertakenError where `push` does.
    """
    for _ in range(_TRIES):
        own = workspace.head
        if own is None:
            raise head_unborn("there is no commit yet", fix=Command("clawgit init"))
        found, problems = work_out_here(workspace, own, heads)
        if found is None:
            return Landed()
        control = _asked(workspace, found, whose)
        try:
            landed = _landed(workspace, found, push)
            waiting = (*filter(None, (control,)), *landed.waiting)
            return replace(landed, control=control, waiting=waiting, problems=problems)
        except MovedError:
            continue
    raise keeps_changing("the workspace keeps changing")


def _landed(workspace: Workspace, found: HeadMerge, push: Push) -> Landed:
    commit: Oid | None = None
    notes: tuple[str, ...] = ()
    if found.files or workspace.head != found.forward:
        words, when = message(found), moment(workspace.repo, workspace.now(), (found.own, *found.others))
        new = NewCommit(commit_message.render(words), AUTHOR, when, found.files, found.others)
        made = found.forward or commit_chain.build(workspace.repo, found.own, [new])[-1]
        push(made)
        prepared = Prepared(
            words,
            found.files,
            AUTHOR,
            when,
            head=found.own,
            captures=True,
            parents=found.others,
            made=made,
        )
        commit, notes = land_prepared(workspace, prepared)
    _follow_identity(workspace, found)
    _looked(workspace)
    waiting = dict.fromkeys(name for kept in found.kept for name in _proposed(workspace, kept))
    return Landed(commit, found, tuple(waiting), notes)


def moment(repo: Repository, now: datetime, parents: Sequence[Oid]) -> datetime:
    """Return the present moment, or that of the newest parent where a clock is behind: nothing is older than that."""
    newest = max(repository.committed_at(repo, parent) for parent in parents)
    return max(now, datetime.fromtimestamp(newest, now.tzinfo))


def message(found: HeadMerge) -> Message:
    """Return what the log says of a merge of machines."""
    several = "another machine" if len(found.others) == 1 else f"{len(found.others)} other machines"
    names = [path for path in sorted(found.files) if not path.startswith(file_roles.OURS)]
    why = "".join(f"- {path}\n" for path in names[:40])
    more = (("Clawgit-Agent", undo.SYNC), ("Origin", "agent"))
    return Message(f"sync: what {several} wrote", why.rstrip("\n"), more)


def _follow_identity(workspace: Workspace, found: HeadMerge) -> None:
    """Let identity that came in count as approved, as what others write here does."""
    setting = workspace.setting()
    after = {path: file_contents.text_of(data) for path, data in found.files.items() if file_roles.guarded(path)}
    news = {path: text for path, text in after.items() if not setting.trust.settled(path, text)}
    may_count = identity_policy.may_count_as_approved
    workspace.follow({path: text for path, text in news.items() if may_count(setting, path, text)})


def _asked(workspace: Workspace, found: HeadMerge, whose: Callable[[Oid], str]) -> str:
    """Bring the control files of other machines to the desk as one item, and return its id, "" for nothing new."""
    asked = found.held.asked
    if not asked:
        return ""
    names = " and ".join(dict.fromkeys(whose(head) for head, _ in asked.values()))
    wanted = {path: there for path, (_, there) in asked.items()}
    return open_control_files(workspace.store, workspace.repo, found.own, wanted, names, workspace.now())


def _looked(workspace: Workspace) -> None:
    """Note that what came in was looked at: nobody here took anything back by it."""
    head = workspace.head
    if head is not None:
        foreign_commits.note(workspace.store, head)
    if look := our_commits.present(workspace.repo, workspace.branch):
        our_commits.note(workspace.repo, look)


def _proposed(workspace: Workspace, kept: Kept) -> Iterator[str]:
    """Bring another machine's version of a file to the desk, against the last one that both had."""
    if kept.theirs in (kept.base, kept.ours):
        return
    text = kept.theirs
    if kept.ours != kept.base and kept.ours is not None and text is not None:
        merged = merge(kept.base, kept.ours, text)
        text = text if merged.conflicts else merged.text
    if text == kept.ours:
        return
    words = f"{kept.path} as another machine has it"
    texts = (kept.ours, text)
    offered = open_file(workspace.setting(), workspace.head, kept.path, texts, words, undo.SYNC)
    if not offered.rejected:
        yield offered.id
