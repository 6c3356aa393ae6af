"""Believes redo logs of this workspace; sets others aside."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pygit2
from msgspec import Struct
from msgspec.structs import replace

from clawgit.errors import Advice, ClawgitError, Command, Fix, quote_shell
from clawgit.git import paths, redo_log, references, regular_file, repository, worktree_files
from clawgit.git.redo_log import Work
from clawgit.git.repository import Oid, Repository

_NAME = re.compile(r"[0-9a-f]{10}")


class Refused(Struct, frozen=True):
    """An untrusted entry among the redo logs, and the reason; `tip` is the commit that it names, if legible."""

    place: Path
    why: str
    tip: Oid | None = None


class Logs(Struct, frozen=True):
    """The works with displaced files, the folders that never got a list, and the entries that are not trusted."""

    works: tuple[Work, ...]
    empty: tuple[Path, ...]
    refused: tuple[Refused, ...]


def read_redo_logs(repo: Repository) -> Logs:
    """Return the redo logs; a work that disagrees with the repository is not trusted."""
    entries = [_read_log(repo, place) for place in sorted((repo.room / "displaced").glob("*"))]
    return Logs(
        tuple(entry for entry in entries if isinstance(entry, Work)),
        tuple(entry for entry in entries if isinstance(entry, Path)),
        tuple(entry for entry in entries if isinstance(entry, Refused)),
    )


def find_announced_work(repo: Repository) -> Work | None:
    """Return the work that is pending in this working tree, if there is one that is trusted.

    When its folder has been deleted by hand, the work is derived from the commits.
    """
    return _announced(repo, read_redo_logs(repo)) if _tip(repo) is not None else None


def has_unfinished_work(repo: Repository) -> bool:
    """Return whether the next command that writes has to finish a work, or to set one aside."""
    return _tip(repo) is not None or bool(read_redo_logs(repo).refused)


def _announced(repo: Repository, redo_logs: Logs) -> Work | None:
    tip = _tip(repo)
    if tip is None or not _is_commit(repo, tip):
        return None
    # A kill between list and reference leaves the reference on the former tip.
    undone = [replace(work, base=work.previous[0], tip=work.previous[1]) for work in redo_logs.works if work.previous]
    work = next((work for work in (*redo_logs.works, *undone) if work.tip == tip), None)
    if work is None:
        if any(log.tip in (tip, None) for log in redo_logs.refused):
            return None
        work = redo_log.derive_work(repo, tip)
    if any((repo.root / item.path).is_symlink() for item in work.items) or _flaw(repo, work):
        return None
    return work if work.base is None or references.target(repo, f"refs/heads/{work.branch}") else None


def _tip(repo: Repository) -> Oid | None:
    """Return the target of the pending reference, None without one; it need not be a commit."""
    try:
        return references.target(repo, redo_log.reference(repo))
    except (ValueError, OSError, pygit2.GitError):
        return ""


def _is_commit(repo: Repository, oid: Oid) -> bool:
    return re.fullmatch("[0-9a-f]{40}", oid) is not None and isinstance(repo.raw.get(oid), pygit2.Commit)


def _read_log(repo: Repository, place: Path) -> Work | Path | Refused:
    if not _NAME.fullmatch(place.name) or place.is_symlink() or not place.is_dir():
        return Refused(place, "it is none by its name")
    if not os.path.lexists(place / "list"):
        return place
    work = regular_file.parse_state(place / "list", Work)
    if work is None or work.name != place.name:
        return Refused(place, "its list is damaged, or not ours")
    # A copied .git brings redo logs of another folder: replaying them here would write that folder's lines.
    if not redo_log.is_here(repo, work.home):
        return Refused(place, "it was not written in this workspace", work.tip)
    reason = _flaw(repo, work)
    return Refused(place, reason, work.tip) if reason else work


def _flaw(repo: Repository, work: Work) -> str:
    """Return the reason that a work may not be done: it leads elsewhere, or differs from its commits; "" for none."""
    try:
        for item in work.items:
            # A file that is deleted may have a name that no file could get today.
            path = item.path if item.after else re.sub(rf"[\\:]|{paths.CONTROL}", "-", item.path)
            if paths.check(path) != path:
                return f"{item.path!r} is no path of a file"
            worktree_files.locate(repo, item.path)
        if not pygit2.reference_is_valid_name(f"refs/heads/{work.branch}"):
            return "it names no branch"
        return _disagreement(repo, work)
    except ClawgitError as exc:
        return exc.message
    except (KeyError, ValueError, AttributeError, pygit2.GitError):
        return "not all of its commits are here"


def _disagreement(repo: Repository, work: Work) -> str:
    """Return the difference between the items of a work and the files of its commits; "" for none."""
    base, tip = work.planned or work.previous or (work.base, work.tip)
    for start, end in {(work.base, work.tip), (base, tip)}:
        if start and not repository.reaches(repo, end, start):
            return f"{end[:10]} is no commit of a write that starts at {start}"
    flawed = (item.path for item in work.items if item.after != repository.blob_id(repo, tip, item.path))
    path = next(flawed, None)
    return f"{path} is not what its commits say" if path else ""


# ---- what is set aside


def set_aside(repo: Repository) -> tuple[str, ...]:
    """Move entries that are not trusted to `rejected/`, and return a sentence for each. The caller has our lock.

    Their commits stay: a reference leads to them.
    """
    redo_logs, tip = read_redo_logs(repo), _tip(repo)
    pending = tip is not None and _announced(repo, redo_logs) is None
    refusals = list(redo_logs.refused)
    if pending:
        reason = "its branch is gone, or one of its files is a link"
        refusals += [
            Refused(redo_log.folder(repo, work), reason, work.tip) for work in redo_logs.works if work.tip == tip
        ]
    rejected = repo.room / "rejected"
    for log in refusals:
        name = log.place.name
        if not _NAME.fullmatch(name) or os.path.lexists(rejected / name):
            name = os.urandom(5).hex()
        orphan = tip if pending and log.tip in (tip, None) else log.tip
        if orphan and _is_commit(repo, orphan) and not repository.reaches(repo, repository.head(repo), orphan):
            # The reference comes first: git would collect a commit without one.
            references.set_reference(repo, _prefix_of_set_aside(repo) + name, orphan)
        rejected.mkdir(exist_ok=True)
        log.place.rename(rejected / name)
        worktree_files.sync_folder(rejected)
    if pending:
        if tip and _is_commit(repo, tip) and tip not in _references(repo).values():
            references.set_reference(repo, _prefix_of_set_aside(repo) + os.urandom(5).hex(), tip)
        if tip:
            redo_log.withdraw(repo)
        else:  # no reference that git could read, or drop
            rejected.mkdir(exist_ok=True)
            (repo.commondir / redo_log.reference(repo)).rename(rejected / os.urandom(5).hex())
    return tuple(f"a redo log was set aside: {log.why}; see clawgit doctor" for log in refusals)


def _prefix_of_set_aside(repo: Repository) -> str:
    return f"{redo_log.reference(repo).replace('pending', 'set-aside', 1)}/"


def _references(repo: Repository) -> dict[str, Oid]:
    """Return the commits of entries that were set aside, by name."""
    names = (name for name in references.list_our_references(repo) if name.startswith(_prefix_of_set_aside(repo)))
    return {name.rpartition("/")[2]: references.target(repo, name) or "" for name in names}


def list_rejected(repo: Repository) -> Iterator[tuple[str, Fix]]:
    """Yield a sentence on each thing that was set aside, and the command that lands its commits, and forgets it."""
    folders, commits = dict.fromkeys((repo.room, repo.commondir / "clawgit")), _references(repo)
    places = {place.name: place for folder in folders for place in sorted((folder / "rejected").glob("*"))}
    for name in dict.fromkeys((*commits, *places)):
        rest = [f"rm -r {quote_shell(places[name])}"] if name in places else []
        if name not in commits:
            words = f"{places[name]} was set aside: it is not what clawgit left there"
            yield words, Command("ls -lR {}", places[name], note=f"then: {rest[0]}")
            continue
        reference = _prefix_of_set_aside(repo) + name
        words = f"a write ({commits[name][:10]}) was set aside: its redo log is not one of this workspace"
        steps = [f"git -c merge.default=union merge --no-edit {reference}", f"git update-ref -d {reference}", *rest]
        yield words, Advice(f"clawgit capture; {' && '.join(steps)}")
