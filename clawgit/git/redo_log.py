"""The redo log of one write."""

import contextlib
import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import pygit2
from msgspec import Struct, to_builtins
from msgspec.structs import replace

from clawgit.errors import BusyError
from clawgit.git import commit_chain, repository, worktree_files
from clawgit.git.git_command import git
from clawgit.git.repository import Oid, Repository
from clawgit.git.write_steps import reached

TURNS = 20
Kind = Literal["keep", "staged", "exchange", "append", "remove"]


class Item(Struct, frozen=True):
    """What one path is to become: blob ids before and after (None: no file), and the block of an append.

    A file to "keep" stays as it is; so does a "staged" one, and the index goes on holding `before` of it.
    """

    path: str
    kind: Kind
    before: Oid | None
    after: Oid | None
    block: str | None = None
    mode: int | None = None

    def entry(self, committed: Oid | None) -> Oid | None:
        """Return what the index is to hold when `committed` stands in HEAD."""
        return self.before if self.kind == "staged" else committed


class Work(Struct, frozen=True):
    """One write that is decided but not done: `branch` moves from `base` to `tip`.

    `name` is its folder under `displaced/`: file N there is what item N puts in place, and after the exchange what
    it displaced. `previous` is base and tip before the chain was made again.
    """

    name: str
    branch: str
    base: Oid | None
    tip: Oid
    items: tuple[Item, ...]
    previous: tuple[Oid | None, Oid] | None = None


def reference(repo: Repository) -> str:
    """Return the name of the pending reference; each linked working tree has its own."""
    return f"refs/clawgit/pending-{repo.gitdir.name}" if repo.linked else "refs/clawgit/pending"


def folder(repo: Repository, work: Work) -> Path:
    """Return the folder of the files that `work` places and displaces."""
    return repo.room / "displaced" / work.name


def temporary(repo: Repository, work: Work, number: int) -> Path:
    """Return the file that item `number` puts in place, later the one it displaced.

    It lies in the repository, or beside its target where that is another file system.
    """
    place = repo.root / work.items[number].path
    near = next(parent for parent in place.parents if parent.exists())
    if near.stat().st_dev == repo.room.stat().st_dev:
        return folder(repo, work) / str(number)
    return near / f".{place.name}.clawgit-{work.name}"


def slot(repo: Repository, work: Work, number: int, turn: int) -> Path:
    """Return what `temporary` does, or the file of a further `turn`, when the item had to be placed again."""
    first = temporary(repo, work, number)
    return first.with_name(f"{first.name}.{turn}") if turn else first


def taken(repo: Repository, work: Work, number: int) -> list[int]:
    """Return the turns of an item that hold a file, ascending."""
    first = temporary(repo, work, number)
    names = set(os.listdir(first.parent)) if first.parent.exists() else set()  # noqa: PTH208 - names are all it takes
    return [turn for turn in range(TURNS) if (f"{first.name}.{turn}" if turn else first.name) in names]


def free_slot(repo: Repository, work: Work, number: int) -> tuple[int, Path]:
    """Return the first turn that holds no file, and its place. Raises BusyError when others hold all of them open."""
    turn = next(iter(sorted(set(range(TURNS)) - set(taken(repo, work, number)))), None)
    if turn is None:
        raise BusyError(f"{work.items[number].path} is being written at every attempt", fix="try again in a moment")
    return turn, slot(repo, work, number, turn)


def expect(repo: Repository, work: Work, number: int, turn: int, data: bytes | None) -> None:
    """Note which bytes the exchange of this turn is expected to displace."""
    note = folder(repo, work) / f"{number}.{turn}.expected"
    note.write_text(str(repo.raw.create_blob(data)) if data is not None else "")


def expected(repo: Repository, work: Work, number: int, turn: int) -> Oid | None:
    """Return the blob id of what the exchange of this turn was expected to displace, None when nothing was."""
    note = folder(repo, work) / f"{number}.{turn}.expected"
    if not note.exists():
        return work.items[number].before
    return note.read_text() or None


def prepare(repo: Repository, work: Work, final: Mapping[str, bytes | None]) -> None:
    """Write all new contents to temporary files, then the list of them: without the list they count for nothing."""
    write_temporaries(repo, work, final)
    _write_list(repo, work)


def write_temporaries(repo: Repository, work: Work, final: Mapping[str, bytes | None]) -> None:
    """Write all new contents to temporary files."""
    reached("temporary files")
    home = folder(repo, work)
    home.mkdir(parents=True)
    for number, item in enumerate(work.items):
        data = final[item.path]
        if item.kind == "exchange" and data is not None:
            worktree_files.write_temporary(temporary(repo, work, number), data, item.mode, twin=repo.root / item.path)


def _write_list(repo: Repository, work: Work) -> None:
    home = folder(repo, work)
    (home / "list.new").unlink(missing_ok=True)
    worktree_files.write_temporary(
        home / "list.new", (json.dumps(to_builtins(work), ensure_ascii=False) + "\n").encode(), None
    )
    (home / "list.new").rename(home / "list")
    worktree_files.sync_folder(home)


def discard(repo: Repository, work: Work) -> None:
    """Forget a write that has touched nothing."""
    for number in range(len(work.items)):
        temporary(repo, work, number).unlink(missing_ok=True)
    shutil.rmtree(folder(repo, work), ignore_errors=True)


def announce(repo: Repository, work: Work) -> None:
    """Point the pending reference at the chain's tip: from here it is finished, by us or by whoever comes next."""
    if work.previous is not None:
        _write_list(repo, work)
    reached("pending")
    repo.raw.references.create(reference(repo), pygit2.Oid(hex=work.tip), force=True)


def stands(repo: Repository, work: Work) -> bool:
    """Tell whether the pending reference points at this work."""
    try:
        return str(repo.raw.references[reference(repo)].target) == work.tip
    except KeyError:
        return False


def announced(repo: Repository) -> Work | None:
    """Return the work that is pending in this working tree, if any.

    When its folder has been deleted by hand, what is to be done is read off the commits.
    """
    try:
        tip = str(repo.raw.references[reference(repo)].target)
    except KeyError:
        return None
    for work in listed(repo)[0]:
        if work.tip == tip:
            return work
        if work.previous and work.previous[1] == tip:
            return replace(work, base=work.previous[0], tip=tip, previous=None)
    return derived(repo, tip)


def derived(repo: Repository, tip: Oid) -> Work:
    """Return the work that brings the branch at hand to `tip`, as far as the commits tell."""
    branch, head = repository.branch(repo) or "", repository.head(repo)
    base = repo.raw.merge_base(pygit2.Oid(hex=head), pygit2.Oid(hex=tip)) if head else None
    start = str(base) if base else None
    paths = [] if start == tip else commit_chain.changed(repo, start, tip)
    items = (
        Item(path, "exchange", repository.blob_id(repo, start, path), repository.blob_id(repo, tip, path))
        for path in paths
    )
    return Work(tip[:10], branch, start, tip, tuple(items))


def keep(repo: Repository, work: Work) -> None:
    """Make sure that the list of a pending work is there: what is displaced without one counts for nothing."""
    home = folder(repo, work)
    if not (home / "list").exists():
        home.mkdir(parents=True, exist_ok=True)
        _write_list(repo, work)


def withdraw(repo: Repository) -> None:
    """Drop the pending reference: the work is done."""
    reached("drop pending")
    packed = repo.commondir / "packed-refs"
    if packed.exists() and reference(repo).encode() in packed.read_bytes():
        # libgit2 would lock the packed references, and a kill leave them locked for everybody. git outlives us.
        git(repo.commondir, "update-ref", "-d", reference(repo))
        return
    with contextlib.suppress(KeyError):
        repo.raw.references.delete(reference(repo))


def listed(repo: Repository) -> tuple[list[Work], list[Path]]:
    """Return the works whose displaced files still lie here, and the folders that never got a list."""
    works: list[Work] = []
    empty: list[Path] = []
    for home in sorted((repo.room / "displaced").glob("*/")):
        try:
            works.append(_work((home / "list").read_text("utf-8")))
        except FileNotFoundError:
            empty.append(home)
    return works, empty


def contents(repo: Repository, oid: Oid | None) -> bytes | None:
    """Return the bytes behind a blob id of an item."""
    return None if oid is None else repository.blob(repo, oid)


def _work(text: str) -> Work:
    values = json.loads(text)
    items = tuple(Item(**item) for item in values.pop("items"))
    previous = values.pop("previous")
    return Work(**values, items=items, previous=tuple(previous) if previous else None)
