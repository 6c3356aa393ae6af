"""The objects that were purged, which nobody may bring back."""

from collections.abc import Collection, Iterable, Mapping
from datetime import date
from types import MappingProxyType

from clawgit.git import repository
from clawgit.git.git_command import git
from clawgit.git.repository import Oid, Repository
from clawgit.workspace import file_roles

PATH = file_roles.PURGED
HEADER = "# clawgit purged 1"


def parse(text: str) -> frozenset[Oid]:
    """Return the ids of the objects."""
    return frozenset(line.split("\t")[0] for line in text.splitlines() if line and not line.startswith("#"))


def committed(repo: Repository) -> frozenset[Oid]:
    """Return the ids of HEAD's register; without libgit2, as every push waits for it."""
    return of(repo, "HEAD")


def of(repo: Repository, commit: Oid, more: Mapping[str, str] = MappingProxyType({})) -> frozenset[Oid]:
    """Return the ids of a commit's register; `more` says where git reads objects from."""
    if not more and commit != "HEAD":
        return parse((repository.read(repo, commit, PATH) or b"").decode("utf-8", "replace"))
    told = git(repo.root, "cat-file", "--batch", stdin=f"{commit}:{PATH}\n".encode(), more=more)
    return parse(told.partition(b"\n")[2].decode("utf-8", "replace"))


def with_objects(text: str, oids: Iterable[Oid], day: date) -> str:
    """Return the register with more objects, sorted by id."""
    rows = {line.split("\t")[0]: line for line in text.splitlines() if line and not line.startswith("#")}
    rows = {oid: f"{oid}\t{day}" for oid in oids} | rows
    return "".join(f"{line}\n" for line in (HEADER, *(rows[oid] for oid in sorted(rows)))) if rows else text


def reached(
    repo: Repository,
    wanted: Iterable[Oid],
    known: Collection[Oid],
    *,
    without: Iterable[Oid] = (),
    more: Mapping[str, str] = MappingProxyType({}),
) -> list[Oid]:
    """Return the purged objects that commits reach."""
    if not known:
        return []
    starts = [*wanted, *(f"^{one}" for one in without)]
    asked = "".join(f"{one}\n" for one in starts).encode()
    told = git(repo.root, "rev-list", "--objects", "--stdin", stdin=asked, more=more)
    return [oid for line in told.decode("utf-8", "replace").splitlines() if (oid := line.partition(" ")[0]) in known]
