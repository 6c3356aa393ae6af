"""The objects that were purged, which nobody may bring back."""

from collections import Counter
from collections.abc import Collection, Iterable
from datetime import date
from itertools import chain

from clawgit.git import phrase_forms
from clawgit.git.git_command import git, objects
from clawgit.git.repository import Oid, Repository
from clawgit.workspace import file_roles

PATH = file_roles.PURGED
HEADER = "# clawgit purged 1"
_SECONDS = 600.0


def parse(text: str) -> frozenset[Oid]:
    """Return the ids of the objects."""
    return frozenset(line.split("\t")[0] for line in text.splitlines() if line and not line.startswith("#"))


def read_register(repo: Repository, commit: Oid = "HEAD") -> frozenset[Oid]:
    """Return the ids of a commit's register; without libgit2, as every push waits for it."""
    text = git(repo.root, "cat-file", "--batch", stdin=f"{commit}:{PATH}\n".encode())
    return parse(text.partition(b"\n")[2].decode("utf-8", "replace"))


def with_objects(text: str, oids: Iterable[Oid], day: date) -> str:
    """Return the register with more objects, sorted by id."""
    rows = {line.split("\t")[0]: line for line in text.splitlines() if line and not line.startswith("#")}
    rows = {oid: f"{oid}\t{day}" for oid in oids} | rows
    return "".join(f"{line}\n" for line in (HEADER, *(rows[oid] for oid in sorted(rows)))) if rows else text


def reached(
    repo: Repository, wanted: Iterable[Oid], known: Collection[Oid], *, without: Iterable[Oid] = ()
) -> list[Oid]:
    """Return the purged objects that commits reach."""
    if not known:
        return []
    asked = "".join(f"{one}\n" for one in (*wanted, *(f"^{one}" for one in without))).encode()
    listed = git(repo.root, "rev-list", "--objects", "--stdin", stdin=asked)
    return [oid for line in listed.decode("utf-8", "replace").splitlines() if (oid := line.partition(" ")[0]) in known]


def brings_back(repo: Repository, head: Oid, purged: Oid) -> int:
    """Return how many objects a head has of those that were purged from another history.

    Where both were purged, each of its own words, the register of the one names no objects of the other: then the files
    of the same changes are compared.
    """
    known = read_register(repo, purged)
    if not known:
        return 0
    held = len(reached(repo, [head], known, without=[purged]))
    return held or _count_fuller(repo, head, purged)


def _count_fuller(repo: Repository, head: Oid, purged: Oid) -> int:
    """Return how many files of the same commits have words in the place of which the purged history says so."""
    ours, theirs = _list_trees(repo, head, purged), _list_trees(repo, purged, head)
    pairs = "".join(f"{tree} {theirs[commit]}\n" for commit, tree in ours.items() if commit in theirs)
    words = ("diff-tree", "--stdin", "-r", "--no-renames", "--no-abbrev", "--diff-filter=M")
    listed = git(repo.root, *words, stdin=pairs.encode(), timeout=_SECONDS).decode("utf-8", "replace")
    blobs = {(row.split(" ")[2], row.split(" ")[3]) for row in listed.splitlines() if row.startswith(":")}
    texts = {oid: data for oid, (_, data) in objects(repo.root, sorted({*chain(*blobs)})).items()}
    return sum(_is_fuller(texts[one], texts[other]) for one, other in blobs)


def _is_fuller(one: bytes, other: bytes) -> bool:
    """Return whether a line of one file has words in the place of which the other one says that they were purged."""
    lines, others = one.split(b"\n"), other.split(b"\n")
    pairs = zip(lines, others, strict=True) if len(lines) == len(others) else [(one, other)]
    gone = phrase_forms.GONE
    return any(mine != theirs and theirs.count(gone) >= max(1, mine.count(gone)) for mine, theirs in pairs)


def _list_trees(repo: Repository, start: Oid, without: Oid) -> dict[tuple[str, int], Oid]:
    """Return the trees of the commits of one history alone, by what a purge leaves of a commit, and a number.

    That are its times and the id of its change.
    """
    form = "--format=%T %at %ct %(trailers:key=Clawgit-Change,valueonly,separator=%x2C)"
    words = ("log", "--reverse", "--topo-order", form, start, f"^{without}", "--")
    listed = git(repo.root, *words, timeout=_SECONDS).decode().splitlines()
    commits, count = dict[tuple[str, int], Oid](), Counter[str]()
    for tree, _, commit in (row.partition(" ") for row in listed):
        count[commit] += 1
        commits[commit, count[commit]] = tree
    return commits
