"""Takes a secret or a file out of everything."""

import os
import re
import shutil
import stat
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from clawgit import errors, file_roles
from clawgit.errors import Advice, ClawgitError, Command
from clawgit.git import git_state, history_rewrite, locks, repository
from clawgit.git.git_command import decode_lines, git
from clawgit.git.history_rewrite import Order, Rewritten
from clawgit.git.repository import Oid
from clawgit.git.worktree_files import refuse_mounted, replace_file
from clawgit.memory import purge_places
from clawgit.memory.purge_places import Chats, PurgePlaces
from clawgit.workspace import manifest, outgoing_secrets, purged_objects, records, settings
from clawgit.workspace.change import ORIGINS, Change, Edit
from clawgit.workspace.workspace import Workspace

_IDS = re.compile(rb"\b[0-9a-f]{40}\b")
_LOCK_SECONDS = 10.0
_SUBJECT = "workspace: objects that were purged"
_WHY = "What reaches one of these objects is refused: it was purged."
_TRAILERS = ("Clawgit-Agent: ", "Clawgit-Approved: operator", "Clawgit-Change: ", "Clawgit-Undoes: ", "Evidence: ")
_ARCHIVES = ("Chronicles", "Corrections")
_LONGER = Advice("clawgit purge --text - < FILE   # with more of it")
_KEY = re.compile(rb'"([a-z_]+)"\s*:')
_DATE = re.compile(rb"\d{4}-\d\d(?:-\d\d)?")


class Purged(Struct, frozen=True):
    """The result: rewritten commits, removed objects, changed files and messages."""

    commits: int
    objects: int
    files: int
    messages: int
    backup: str = ""


# ---- what is refused before anything happens


def require_ready(workspace: Workspace) -> None:
    """Raise ClawgitError if history cannot be rewritten now.

    That is with staged changes, in the middle of a merge or the like, on another branch, in a shallow clone, with
    objects in another repository, while a working tree is away, and if a reference leads to something else than a
    commit, or replaces another one.
    """
    root, common = workspace.root, workspace.repo.commondir
    if obstruction := git_state.find_write_obstacle(workspace.repo, workspace.branch):
        raise ClawgitError(obstruction.key, obstruction.message, fix=obstruction.fix)
    is_pruned = b"\nprunable" in git(root, "worktree", "list", "--porcelain")
    way_out = Command("git repack -a -d && rm .git/objects/info/alternates")
    borrowed = errors.purge_shared_objects("another repository has objects of this one, and keeps them", fix=way_out)
    words, fix = "the clone is shallow: it lacks history", Command("git fetch --unshallow")
    for is_so, error in (
        ((common / "shallow").exists(), errors.repository_shallow(words, fix=fix)),
        ((common / "objects/info/alternates").exists(), borrowed),
        (is_pruned, errors.purge_worktree("a missing tree keeps staged files", fix=Command("git worktree prune"))),
    ):
        if is_so:
            raise error
    kinds = git(root, "for-each-ref", "--format=%(objecttype) %(refname)")
    for kind, _, name in (row.partition(" ") for row in decode_lines(kinds)):
        if name.startswith("refs/replace/"):
            raise errors.purge_replaced("git replace hides commits", fix=Advice("git replace -d $(git replace)"))
        if kind in ("blob", "tree"):
            raise errors.reference_failed(f"{name} is a {kind}, no commit", fix=Command("git update-ref -d {}", name))
    for checkout in repository.list_checkouts(workspace.repo):
        if not locks.is_purge_halfway(workspace.repo) and git(checkout.root, "diff", "--cached", "--name-only", "-z"):
            fix = Command("git -C {} reset", checkout.root, note="they stay in the files")
            raise errors.file_staged(f"staged files in {checkout.root}", fix=fix)
        if obstacle := git_state.operation_under_way(repository.find(checkout.root)):
            raise ClawgitError(obstacle.key, obstacle.message, fix=obstacle.fix)


def require_purgeable(workspace: Workspace, order: Order) -> None:
    """Raise ClawgitError for a phrase or a file that the workspace cannot do without.

    A purge that moved references already goes on.
    """
    for path in order.paths:
        refuse_mounted(workspace.root / path)
        if path.startswith(file_roles.OURS):
            fix = Advice("clawgit purge --path FILE   # or eject: clawgit eject")
            raise errors.purge_needed(f"clawgit needs {path}", fix=fix)
    if order.phrases and not locks.is_purge_halfway(workspace.repo):
        for word, error in _list_needed(workspace, order.phrases):
            if history_rewrite.has_phrase(word.encode("utf-8", "surrogateescape"), order.phrases):
                raise error


def _list_needed(workspace: Workspace, forms: Sequence[bytes]) -> Iterator[tuple[str, ClawgitError]]:
    """Yield the words that have to stay, each with the error for a phrase in it."""
    name, email = repository.identity(workspace.repo) or ("", "")
    for key, value in (("user.name", name), ("user.email", email), ("user.name", f"{name} <{email}>")):
        fix = Advice(f"git config {key} NEW_VALUE   # before: whoever commits would bring it back")
        yield value, errors.purge_needed(f"it stands in your own {key}, which each commit of yours has", fix=fix)
    for checkout in repository.list_checkouts(workspace.repo):
        branch = checkout.branch.removeprefix("refs/heads/")
        rename = Command("git branch -m {} {}", branch, history_rewrite.rename_reference(branch, forms))
        yield branch, errors.purge_branch("the branch name contains the phrase", fix=rename)
    for key in settings.KEYS:
        with suppress(ClawgitError):  # of a value that is none
            fix = Advice(f"clawgit config {key} NEW_VALUE   # before: a setting of other words would be none")
            words = f"it stands in {key} of CONFIG.md"
            yield str(workspace.config.value(key)), errors.purge_needed(words, fix=fix)
    files = repository.files(workspace.repo, workspace.head) if workspace.head else ()
    texts = [purge_places.read_state_file(place) for _, place in purge_places.list_kept(workspace)[0]]

    def collect(text: str) -> str:
        texts.append(text.encode("utf-8", "surrogateescape"))
        return text

    workspace.store.rewrite_texts(collect, really=False, exempt_document=records.RENAMED)
    own_words = (
        *(form.decode("utf-8", "replace") for form in forms if b"Clawgit-" in form or _DATE.fullmatch(form)),
        *(*manifest.NAMED, *(f"agents/{name}/SOUL.md" for name in manifest.WRITERS), *file_roles.FOLDERS),
        *(path for path in files if path.startswith(file_roles.OURS) or file_roles.journal_day(path)),
        *(".gitignore", ".gitattributes", file_roles.FORGOTTEN, *(f"Archive/{name}/.gitkeep" for name in _ARCHIVES)),
        *(*_TRAILERS, *(f"Origin: {origin}" for origin in ORIGINS), *settings.NAMES, _SUBJECT, _WHY),
        *(
            "refs/heads/",
            purged_objects.HEADER,
            history_rewrite.GONE.decode(),
            os.fspath(workspace.root),
            "clawgit <clawgit@localhost> proposals@localhost",
        ),
        *(key.decode() for text in texts if history_rewrite.has_phrase(text, forms) for key in _KEY.findall(text)),
    )
    for word in own_words:
        words = f"clawgit needs these words itself, as in: {word.strip()}"
        yield word, errors.purge_needed(words, fix=_LONGER)


def require_free(workspace: Workspace, place: Path) -> Path:
    """Return the full path of a place for a backup.

    Raises UsageError for an existing file, and for a place in a working tree or in git's folder: the purged words would
    be kept there.
    """
    fix = Advice("clawgit purge --text - --keep-backup NEW_FILE < FILE   # outside of the workspace")
    whole = place.parent.resolve() / place.name
    if os.path.lexists(whole) and not locks.is_purge_halfway(workspace.repo):  # then it was written before
        raise errors.file_exists(f"{place} is there already", fix=fix)
    ours = (workspace.repo.commondir, *(checkout.root for checkout in repository.list_checkouts(workspace.repo)))
    if inside := next((folder for folder in ours if whole.is_relative_to(folder.resolve())), None):
        raise errors.path_invalid(f"{place} lies in {inside}, where nothing of it may stay", fix=fix)
    return whole


# ---- the purge


def purge(workspace: Workspace, found: PurgePlaces, chats: Chats | None, *, keep: Path | None = None) -> Purged:
    """Purge everything in reach; other processes that write with clawgit wait, or are told to.

    First the files lose it, as if somebody had edited them; then all references move at once; then the rest. A process
    killed in between has all of history or none of it rewritten, and the same call again does the rest. A bundle of the
    old history is written to `keep`.
    """
    require_ready(workspace)
    require_purgeable(workspace, found.order)
    repo, forms = workspace.repo, found.order.phrases
    keep = require_free(workspace, keep) if keep else None
    with locks.repository_lock(repo, time.monotonic() + _LOCK_SECONDS, halfway=True):
        history_rewrite.clear(repo)
        if keep and not os.path.lexists(keep):
            try:
                history_rewrite.back_up(repo, keep)
            except OSError as exc:
                fix = Command("ls -ld {}", keep.parent)
                raise errors.file_unwritable(f"{keep} cannot be written: {exc.strerror}", fix=fix) from exc
        try:
            history, files = _rewrite(workspace, found)
        except ClawgitError:
            if keep and not locks.is_purge_halfway(repo):
                keep.unlink()
            raise
        messages = chats(forms, really=True) if chats and forms else 0
        locks.mark_purge(repo, halfway=False)
    object_count = _note_objects(workspace, found, {**history.blobs, **history.commits})
    if left := purge_places.find_purge_places(workspace, forms, chats=chats).places if forms else ():
        words = f"it is left in {len(left)} places, such as {left[0].kind} {left[0].name}"
        raise errors.purge_incomplete(words, fix=locks.PURGE_AGAIN)
    outgoing_secrets.scan(repo, workspace.store, outgoing_secrets.SECONDS)
    rewritten = sum(old != new for old, new in history.commits.items())
    return Purged(rewritten, object_count, files, messages, str(keep or ""))


def _rewrite(workspace: Workspace, found: PurgePlaces) -> tuple[Rewritten, int]:
    """Rewrite history, files and state; return the new history, and the number of changed files."""
    repo = workspace.repo
    with history_rewrite.rewrite_mirror(repo, found.order) as history:
        history_rewrite.fetch(repo, history)
        file_count = _clear_files(workspace, found.order)
        records.keep_new_ids(workspace.store, {old: new for old, new in history.commits.items() if old != new})
        locks.mark_purge(repo, halfway=True)
        history_rewrite.move_references(repo, history)
        for checkout in repository.list_checkouts(repo):
            _renew_index(checkout.root, found.order.phrases)
    file_count += _rewrite_kept(workspace, found.order, history)
    history_rewrite.drop_unreachable(repo, history.stashes)
    return history, file_count


def _clear_files(workspace: Workspace, order: Order) -> int:
    """Purge the files themselves, return how many; edits by others meanwhile lose nothing else."""
    count = 0
    for checkout in repository.list_checkouts(workspace.repo):
        for name in order.paths:
            with suppress(NotADirectoryError):
                count += os.path.lexists(checkout.root / name)
                (checkout.root / name).unlink(missing_ok=True)
    changed = purge_places.scan_files(workspace, order).changed
    for place, target in changed:
        data = purge_places.read_file(place)
        after = purge_places.clean_file(data, order)
        if place.is_symlink():
            place.unlink()
            target.parent.mkdir(parents=True, exist_ok=True)
            target.symlink_to(os.fsdecode(after))
        elif after != data and not purge_places.is_closed(data):
            _change_file(place, data, after)
        if target != place and place.is_dir() and not place.is_symlink():
            place.rmdir()
        elif target != place and os.path.lexists(place):
            target.parent.mkdir(parents=True, exist_ok=True)
            place.rename(target)
        folder = place.parent
        while not any(folder.iterdir()):
            folder.rmdir()
            folder = folder.parent
    return count + len(changed)


def _change_file(place: Path, before: bytes, after: bytes) -> None:
    """Let a file have other bytes: a new file if it is text, else in place, as a program may have it open."""
    if b"\0" not in before:
        return replace_file(place, after)
    mode = stat.S_IMODE(place.stat().st_mode)
    place.chmod(mode | stat.S_IWUSR)
    with place.open("r+b") as file:
        for start in range(0, len(after), 4096):  # only what changed: the program may write meanwhile
            if before[start : start + 4096] != after[start : start + 4096]:
                file.seek(start)
                file.write(after[start : start + 4096])
    return place.chmod(mode)


def _renew_index(root: Path, forms: Sequence[bytes]) -> None:
    """Bring an index to the new HEAD; write it anew if its caches name purged objects."""
    git(root, "reset", "--quiet", "--mixed")
    index = repository.find(root).gitdir / "index"
    if history_rewrite.has_phrase(index.read_bytes(), forms):
        index.unlink()
        git(root, "reset", "--quiet", "--mixed")


def _rewrite_kept(workspace: Workspace, order: Order, done: Rewritten) -> int:
    """Take it out of the files beside history, and give old ids their new ones there; drop caches."""
    ids = {old.encode(): new.encode() for old, new in (*done.commits.items(), *done.blobs.items())}

    def rename(data: bytes) -> bytes:
        return _IDS.sub(lambda match: ids.get(match[0], match[0]), data)

    if paths := set(order.paths):
        workspace.store.rewrite_items(lambda item: item if paths.isdisjoint(item.paths) else None)
    outgoing_secrets.forget(workspace.store)
    for cache in [folder for folder in workspace.repo.commondir.rglob("clawgit/cache") if folder.is_dir()]:
        shutil.rmtree(cache, ignore_errors=True)
    changed = purge_places.rewrite_state(workspace, order.phrases, rename, really=True)
    for _, place in purge_places.list_kept(workspace)[0]:
        data = purge_places.read_state_file(place)
        after = history_rewrite.remove_phrases(data, order.phrases)
        after = after if b"\0" in after else rename(after)
        if after != data:
            replace_file(place, after)
            changed += 1
    return changed


def _note_objects(workspace: Workspace, found: PurgePlaces, new_ids: Mapping[Oid, Oid]) -> int:
    """Note in the register which objects went, so that nobody brings one back; return how many."""
    request = "".join(f"{oid}\n" for oid in found.objects).encode()
    rows = git(workspace.root, "cat-file", "--batch-check", stdin=request).decode().splitlines() if request else []
    missing = [row.split()[0] for row in rows if row.endswith(" missing")]
    before = workspace.read(purged_objects.PATH)
    objects = {oid: new_ids.get(oid, "") for oid in missing}
    after = purged_objects.with_objects(before or "", objects, workspace.now().date())
    if after != (before or ""):
        workspace.apply(Change(_SUBJECT, _WHY, (Edit(purged_objects.PATH, before, after),)))
    return len(missing)
