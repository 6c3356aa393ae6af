"""The redo log of one write."""

import contextlib
import os
import re
import shutil
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import pygit2
from msgspec import Meta, Struct
from msgspec.structs import replace

from clawgit.errors import Command, file_unwritable, keeps_changing
from clawgit.git import commit_chain, commit_graph, locks, references, regular_file, repository, worktree_files
from clawgit.git.git_command import git
from clawgit.git.repository import Oid, Repository
from clawgit.git.worktree_files import announce_step

TURNS = 20
Kind = Literal["keep", "staged", "exchange", "append", "remove"]
_Oid = Annotated[str, Meta(pattern=r"^[0-9a-f]{40}\Z")]


class PathChange(Struct, frozen=True):
    """The change of one path: blob ids before and after (None: no file), and the block of an append.

    A "keep" item leaves the file as it is; a "staged" one also its entry of the index.
    """

    path: str
    kind: Kind
    before: _Oid | None
    after: _Oid | None
    block: str | None = None
    mode: Annotated[int, Meta(ge=0, le=0o7777)] | None = None


class Home(Struct, frozen=True):
    """The owner of a redo log: an id of the workspace, its path, and the inode of its git folder."""

    id: str
    root: str
    inode: int


class Work(Struct, frozen=True):
    """One write that is decided but not done: `branch` moves from `base` to `tip`.

    `name` is its folder under `displaced/`: file N there is the new file of item N, and after the exchange the
    displaced one. `previous` is base and tip before the chain was made again, `planned` those that the items belong to.
    """

    name: str
    branch: str
    base: _Oid | None
    tip: _Oid
    items: tuple[PathChange, ...]
    previous: tuple[_Oid | None, _Oid] | None = None
    planned: tuple[_Oid | None, _Oid] | None = None
    home: Home | None = None


def reference(repo: Repository) -> str:
    """Return the name of the pending reference; each linked working tree has its own."""
    return f"refs/clawgit/pending-{repo.gitdir.name}" if repo.linked else "refs/clawgit/pending"


def folder(repo: Repository, work: Work) -> Path:
    """Return the folder of the files that `work` places and displaces."""
    return repo.room / "displaced" / work.name


def temporary(repo: Repository, work: Work, number: int) -> Path:
    """Return the file that item `number` puts in place, later the one it displaced.

    It is in the repository, or beside its target if no rename leads there.
    """
    place = repo.root / work.items[number].path
    # The folders of a new file may not exist yet.
    ancestor = next(parent for parent in place.parents if parent.exists())
    if _is_same_mount(ancestor, repo.room, work.name):
        return folder(repo, work) / str(number)
    return ancestor / f".{place.name}.clawgit-{work.name}"


@lru_cache(64)
def _is_same_mount(source: Path, target: Path, _work: str) -> bool:
    """Return whether a rename leads from one folder to the other; looked at once for each work."""
    return regular_file.mount_of(source) == regular_file.mount_of(target)


def locate_turn(repo: Repository, work: Work, number: int, turn: int) -> Path:
    """Return the file of `temporary`, or that of a further `turn`, when the item had to be placed again."""
    first = temporary(repo, work, number)
    return first.with_name(f"{first.name}.{turn}") if turn else first


def list_taken(repo: Repository, work: Work, number: int) -> list[int]:
    """Return the turns of an item that have a file, ascending."""
    first = temporary(repo, work, number)
    names = set(os.listdir(first.parent)) if first.parent.exists() else set()  # noqa: PTH208 - names are all it takes
    return [turn for turn in range(TURNS) if (f"{first.name}.{turn}" if turn else first.name) in names]


def free_slot(repo: Repository, work: Work, number: int) -> tuple[int, Path]:
    """Return the first turn without a file, and its place. Raises BusyError when others have all of them open."""
    turn = next(iter(sorted(set(range(TURNS)) - set(list_taken(repo, work, number)))), None)
    if turn is None:
        raise keeps_changing(f"{work.items[number].path} is being written at every attempt")
    return turn, locate_turn(repo, work, number, turn)


def note_expected_blob(repo: Repository, work: Work, number: int, turn: int, data: bytes | None) -> None:
    """Note which bytes the exchange of this turn is expected to displace."""
    note = folder(repo, work) / f"{number}.{turn}.expected"
    # The blob is stored, since a late edit is merged against it.
    note.write_text(str(repo.raw.create_blob(data)) if data is not None else "")


def read_expected_blob(repo: Repository, work: Work, number: int, turn: int) -> Oid | None:
    """Return the blob id that the exchange of this turn was expected to displace, None for nothing."""
    note = folder(repo, work) / f"{number}.{turn}.expected"
    try:
        oid = regular_file.read_state(note).decode("ascii", "replace")
    except OSError:
        # Only a repeated exchange has a note: the first one displaces the file that the plan saw.
        return work.items[number].before
    return oid if re.fullmatch("[0-9a-f]{40}", oid) else None


def prepare(repo: Repository, work: Work, final: Mapping[str, bytes | None]) -> None:
    """Write all new contents to temporary files, then the list of them: without the list they count for nothing."""
    announce_step("temporary files")
    home = folder(repo, work)
    regular_file.make_folder(home.parent)
    # The folder is new in every write: two of us never share one, and a left one names its dead writer.
    home.mkdir()
    for number, item in enumerate(work.items):
        data = final[item.path]
        if item.kind == "exchange" and data is not None:
            worktree_files.write_temporary(temporary(repo, work, number), data, item.mode, twin=repo.root / item.path)
    _write_list(repo, work)


def _write_list(repo: Repository, work: Work) -> None:
    home = folder(repo, work)
    data = msgspec.json.encode(replace(work, home=find_home(repo)))
    # Recovery trusts no folder without a list, so the list must outlive a power failure.
    regular_file.replace_state(home / "list", data + b"\n", durable=True)
    worktree_files.sync_folder(home)


def discard(repo: Repository, work: Work) -> None:
    """Forget a write that has touched nothing."""
    for number in range(len(work.items)):
        for end in ("", ".old", ".copy"):
            place = temporary(repo, work, number)
            place.with_name(place.name + end).unlink(missing_ok=True)
    shutil.rmtree(folder(repo, work), ignore_errors=True)


def announce(repo: Repository, work: Work) -> None:
    """Point the pending reference at the chain's tip: from here the write is finished, by us or by the next process."""
    # The list of a rebuilt chain comes first: recovery finds its work by the tip of the reference.
    if work.previous is not None:
        _write_list(repo, work)
    announce_step("pending")
    try:
        repo.raw.references.create(reference(repo), pygit2.Oid(hex=work.tip), force=True)
    except (OSError, pygit2.GitError):
        require_free_name(repo)
        raise


def require_free_name(repo: Repository) -> None:
    """Raise ClawgitError for references below the name of the pending one, which keep git from making it."""
    name = reference(repo)
    place = repo.commondir / name
    words = f"{name} cannot be made: there are references beneath it"
    if any(path.is_file() for path in place.rglob("*")):
        raise file_unwritable(words, fix=regular_file.rename_aside(place))
    if beneath := next((ref_name for ref_name in repo.raw.references if ref_name.startswith(f"{name}/")), None):
        new_name = f"{name}.aside{beneath.removeprefix(name)}"
        fix = Command("git update-ref {} {} && git update-ref -d {}", new_name, beneath, beneath)
        raise file_unwritable(words, fix=fix)


def is_announced(repo: Repository, work: Work) -> bool:
    """Return whether the pending reference points at this work."""
    return references.target(repo, reference(repo)) == work.tip


def derive_work(repo: Repository, tip: Oid) -> Work:
    """Return the work that brings the current branch to `tip`, as far as the commits show it."""
    branch, head = repository.branch(repo) or "", repository.head(repo)
    start = commit_graph.common(repo, head, tip) if head else None
    paths = [] if start == tip else commit_chain.list_changed_paths(repo, start, tip)
    items = (
        PathChange(path, "exchange", repository.blob_id(repo, start, path), repository.blob_id(repo, tip, path))
        for path in paths
    )
    return Work(tip[:10], branch, start, tip, tuple(items))


def ensure_work_list(repo: Repository, work: Work) -> None:
    """Make sure that a pending work has its list: a displaced file without one is ignored."""
    home = folder(repo, work)
    if not (home / "list").exists():
        regular_file.make_folder(home)
        _write_list(repo, work)


def withdraw(repo: Repository) -> None:
    """Drop the pending reference: the work is done."""
    announce_step("drop pending")
    packed = repo.commondir / "packed-refs"
    if packed.exists() and reference(repo).encode() in packed.read_bytes():
        # libgit2 would lock the packed references, and a kill leave them locked for everybody. git outlives us.
        git(repo.commondir, "update-ref", "-d", reference(repo))
        return
    with contextlib.suppress(KeyError):
        repo.raw.references.delete(reference(repo))


def list_index_blobs(repo: Repository, work: Work) -> dict[str, Oid | None]:
    """Return the blobs that the index gets at the paths of a work, as its tip has them."""
    paths = [item.path for item in work.items if item.kind != "staged"]
    return {path: repository.blob_id(repo, work.tip, path) for path in paths}


def read_item_bytes(repo: Repository, oid: Oid | None) -> bytes | None:
    """Return the bytes behind a blob id of an item."""
    return None if oid is None else repository.blob(repo, oid)


def find_home(repo: Repository) -> Home:
    """Return the recorded owner of the works of this workspace."""
    root = os.fsencode(repo.root).decode("utf-8", "backslashreplace")
    return Home(locks.read_folder_id(repo), root, repo.gitdir.stat().st_ino)


def is_here(repo: Repository, home: Home | None) -> bool:
    """Return whether it was begun in this workspace, which may have been moved, or restored from a backup."""
    now = find_home(repo)
    return home is not None and home.id == now.id and (home.root == now.root or home.inode == now.inode)
