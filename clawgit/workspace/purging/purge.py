"""Takes something out of everything that is kept."""

import os
import re
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from clawgit import errors
from clawgit.errors import Advice, ClawgitError, Command
from clawgit.git import git_leftovers, git_state, phrase_forms, repository, rewriting, unfinished_rewrite
from clawgit.git.git_command import git
from clawgit.git.locks import repository_lock
from clawgit.git.rewriting import Checkout, Order, Rewritten
from clawgit.git.worktree_files import refuse_mounted, replace_file
from clawgit.workspace import history_secrets, renamed_commits
from clawgit.workspace.change import Change, Edit
from clawgit.workspace.purging import (
    file_phrases,
    needed_words,
    purge_backup,
    purge_elsewhere,
    purge_places,
    purged_objects,
)
from clawgit.workspace.purging.purge_places import Chats, Found
from clawgit.workspace.workspace import Workspace

_WORKER = "clawgit.workspace.purging.rewrite_worker"
_IDS = re.compile(rb"\b[0-9a-f]{40}\b")
_PATIENCE = 10.0
_Moved = tuple[str, bytes | None, bytes | None]
"""A file with its bytes before and after."""


class Purged(Struct, frozen=True):
    """What was done: commits that were rewritten, objects that went, files and messages that were changed."""

    commits: int
    objects: int
    files: int
    messages: int
    backup: str = ""


def require_ready(workspace: Workspace) -> None:
    """Raise ClawgitError where history cannot be rewritten now.

    That is with staged changes, in the middle of a merge or the like, on another branch, in a shallow clone, where
    another repository holds the objects, and while a working tree is away.
    """
    common = workspace.repo.commondir
    if here := git_state.standing_obstacle(workspace.repo, workspace.branch):
        raise ClawgitError(here.key, here.message, fix=here.fix)
    if (common / "shallow").exists():
        raise errors.repository_shallow("the clone is shallow: it lacks history", fix=Command("git fetch --unshallow"))
    if (common / "objects/info/alternates").exists():
        way_out = Command("git repack -a -d && rm .git/objects/info/alternates")
        raise errors.purge_shared_objects("another repository has objects of this one, and keeps them", fix=way_out)
    listed = git(workspace.root, "worktree", "list", "--porcelain").decode("utf-8", "surrogateescape").split("\n")
    if any(row.startswith("prunable") for row in listed):
        raise errors.purge_worktree("a missing working tree keeps its staged files", fix=Command("git worktree prune"))
    _require_commits(workspace)
    stopped = unfinished_rewrite.halfway(common)
    for one in rewriting.checkouts(workspace.repo):
        if not stopped and git(one.root, "diff", "--cached", "--name-only", "-z"):
            where, act = ("", "git reset") if one.root == workspace.root else (f" in {one.root}", "git -C {} reset")
            raise errors.file_staged(f"staged files{where}", fix=Command(act, one.root, note="they stay in the files"))
        if obstacle := git_leftovers.operation_under_way(repository.find(one.root)):
            raise ClawgitError(obstacle.key, obstacle.message, fix=obstacle.fix)


def _require_commits(workspace: Workspace) -> None:
    """Raise ClawgitError where a reference leads to something else, or stands for another commit."""
    kinds = git(workspace.root, "for-each-ref", "--format=%(objecttype) %(refname)").decode("utf-8", "surrogateescape")
    for kind, _, name in (row.partition(" ") for row in kinds.splitlines()):
        if name.startswith("refs/replace/"):
            raise errors.purge_replaced("git replace hides commits", fix=Advice("git replace -d $(git replace)"))
        if kind in ("blob", "tree"):
            raise errors.reference_failed(f"{name} is a {kind}, no commit", fix=Command("git update-ref -d {}", name))


def purge(workspace: Workspace, found: Found, chats: Chats | None, *, keep: Path | None = None) -> Purged:
    """Take it out of everything that we reach; others who write with clawgit wait, or are told to.

    First the files lose it, as if somebody had edited them; then all references move at once; then the rest. Whoever
    is killed in between has all of history or none of it rewritten, and the same call again does what is left. A
    bundle of what was lies at `keep`, or beside the state of this user until all is done.
    """
    require_ready(workspace)
    purge_elsewhere.forget(workspace.repo)
    needed_words.require_others(workspace, found.order.phrases, [place for _, place in purge_places.kept(workspace)])
    name = f"refs/heads/{workspace.branch}"
    if (plain := rewriting.renamed(name, found.order.phrases)) != name:
        raise errors.purge_branch("the branch name contains the phrase", fix=Command("git branch -m {}", plain[11:]))
    repo, forms, common = workspace.repo, found.order.phrases, workspace.repo.commondir
    if keep:
        keep = purge_backup.require_free(workspace, keep)
    place = keep or purge_backup.usual(workspace)
    for path in found.order.paths:
        refuse_mounted(workspace.root / path)
    was_there = place.exists()
    with repository_lock(repo, time.monotonic() + _PATIENCE, halfway=True):
        unfinished_rewrite.begin(common, place)
        try:
            rewriting.clear(repo)
            purge_backup.write(workspace, place)
            done, files = _rewrite(workspace, found)
        except ClawgitError:
            if not was_there and not unfinished_rewrite.halfway(common):
                unfinished_rewrite.drop(common, place)
            raise
        messages = chats(forms, really=True) if chats and forms else 0
        unfinished_rewrite.followed(common)
    gone = _note_objects(workspace, found)
    left = purge_places.find(workspace, forms, chats=chats).places if forms else ()
    if left:
        words = f"it is left in {len(left)} places, such as {left[0].kind} {left[0].name}"
        raise errors.purge_incomplete(words, fix=unfinished_rewrite.AGAIN)
    unfinished_rewrite.end(common, keep=keep)
    rewritten = sum(old != new for old, new in done.commits.items())
    return Purged(rewritten, gone, files, messages, str(keep or ""))


def _rewrite(workspace: Workspace, found: Found) -> tuple[Rewritten, int]:
    """Rewrite history, files and what is kept; return what became of history, and how many kept files changed."""
    repo, forms = workspace.repo, found.order.phrases
    with rewriting.rewritten(repo, found.order, _WORKER) as done:
        stashes = [
            (done.after.get(f"{rewriting.STASHES}{at}", oid), _plain(title, forms))
            for at, (oid, title) in enumerate(rewriting.stashes(repo))
        ]
        rewriting.fetch(repo, done)
        trees = {checkout: list(_moved(workspace, checkout, done)) for checkout in rewriting.checkouts(repo)}
        _clear_files(workspace, found, [one.root for one in trees])
        renamed_commits.keep(workspace.store, {old: new for old, new in done.commits.items() if old != new})
        unfinished_rewrite.move(repo.commondir)
        rewriting.swap(repo, done)
        for tree, moved in trees.items():
            _follow(tree, moved, forms)
    files = _rewrite_kept(workspace, found.order, _ids(done))
    rewriting.forget(repo, stashes)
    return done, files


def _plain(text: str, forms: Sequence[bytes]) -> str:
    return phrase_forms.without(text.encode("utf-8", "surrogateescape"), forms).decode("utf-8", "replace")


def _bytes(place: Path) -> bytes | None:
    try:
        return place.read_bytes() if place.is_file() else None
    except OSError:
        return None


def _moved(workspace: Workspace, tree: Checkout, done: Rewritten) -> Iterator[_Moved]:
    """Yield the files of a working tree that history has otherwise now, and nobody changed: before and after."""
    new = done.commits.get(tree.head, tree.head)
    told = git(tree.root, "diff", "--name-only", "-z", "--no-renames", tree.head, new)
    for name in (os.fsdecode(one) for one in told.split(b"\0") if one):
        before, after = (repository.read(workspace.repo, one, name) for one in (tree.head, new))
        closed = before is not None and after is not None and file_phrases.checked_bytes(before)
        if _bytes(tree.root / name) == before and not closed:
            yield name, before, after


def _clear_files(workspace: Workspace, found: Found, roots: Sequence[Path]) -> None:
    """Take it out of the files themselves; what somebody wrote meanwhile loses nothing else."""
    forms = found.order.phrases
    for root in roots:
        for name in found.order.paths:
            with suppress(NotADirectoryError):
                (root / name).unlink(missing_ok=True)
    for place, target in list(purge_places.files(workspace, forms, found.order.names)) if forms else ():
        if place.is_dir() and not place.is_symlink():
            _drop_empty(place)
            continue
        if place.is_symlink():
            to = os.fsdecode(phrase_forms.without(os.fsencode(place.readlink()), forms))
            place.unlink()
            target.parent.mkdir(parents=True, exist_ok=True)
            target.symlink_to(to)
            _drop_empty(place.parent)
            continue
        _clear(place, forms)
        if target != place:
            target.parent.mkdir(parents=True, exist_ok=True)
            place.rename(target)
            _drop_empty(place.parent)


def _clear(place: Path, forms: Sequence[bytes]) -> None:
    """Take it out of a file: anew where it is text, byte for byte where it is not, or is large."""
    if not place.is_file() or file_phrases.checked(place):
        return
    if place.stat().st_size > file_phrases.SMALL:
        file_phrases.overwrite(place, forms)
    elif (after := phrase_forms.without(data := place.read_bytes(), forms)) != data:
        if b"\0" in data:
            file_phrases.overwrite(place, forms)
        else:
            replace_file(place, after)


def _drop_empty(folder: Path) -> None:
    while not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent


def _write_index_anew(root: Path, forms: Sequence[bytes]) -> None:
    """Write the index anew where its caches name what is gone."""
    index = repository.find(root).gitdir / "index"
    if phrase_forms.holds(index.read_bytes(), forms):
        index.unlink()
        git(root, "reset", "--quiet", "--mixed")


def _follow(tree: Checkout, moved: Sequence[_Moved], forms: Sequence[bytes]) -> None:
    """Bring a working tree and its index to what history says now."""
    for name, before, after in moved:
        now = _bytes(tree.root / name)
        if now != after and now in (before, phrase_forms.without(before or b"", forms) or None):
            replace_file(tree.root / name, after)
    git(tree.root, "reset", "--quiet", "--mixed")
    _write_index_anew(tree.root, forms)


def _ids(done: Rewritten) -> Mapping[bytes, bytes]:
    """Return the ids of all objects that have others now."""
    return {old.encode(): new.encode() for old, new in (dict(done.commits) | dict(done.blobs)).items() if old != new}


def _rewrite_kept(workspace: Workspace, order: Order, ids: Mapping[bytes, bytes]) -> int:
    """Take it out of what is kept beside history, and have old ids there be the new ones; drop caches."""
    forms, paths = order.phrases, {*order.paths}
    if paths:
        workspace.store.rewrite_items(lambda item: item if paths.isdisjoint(item.paths) else None)
    history_secrets.forget(workspace.store)
    for cache in [one for one in workspace.repo.commondir.rglob("clawgit/cache") if one.is_dir()]:
        shutil.rmtree(cache, ignore_errors=True)
    changed = purge_places.rewrite_state(
        workspace, forms, lambda data: _IDS.sub(lambda match: ids.get(match[0], match[0]), data), really=True
    )
    for _, place in list(purge_places.kept(workspace)):
        data = _bytes(place) or b""
        after = phrase_forms.without(data, forms)
        if b"\0" not in after[:8000] and len(after) <= file_phrases.SMALL:
            after = _IDS.sub(lambda match: ids.get(match[0], match[0]), after)
        if after != data:
            replace_file(place, after)
            changed += 1
    return changed


def _note_objects(workspace: Workspace, found: Found) -> int:
    """Write down which objects went, so that nobody brings one back; one that something else leads to did not.

    Return how many went.
    """
    asked = "".join(f"{oid}\n" for oid in found.objects).encode()
    told = git(workspace.root, "cat-file", "--batch-check", stdin=asked).decode().splitlines() if asked else []
    gone = [row.split()[0] for row in told if row.endswith(" missing")]
    before = workspace.read(purged_objects.PATH)
    after = purged_objects.with_objects(before or "", gone, workspace.now().date())
    if after != (before or ""):
        edit = Edit(purged_objects.PATH, before, after)
        workspace.apply(Change(needed_words.SUBJECT, needed_words.WHY, (edit,)))
    return len(gone)
