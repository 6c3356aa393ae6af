"""The objects that were purged, which nobody may bring back."""

from collections import Counter
from collections.abc import Collection, Iterable
from datetime import date
from itertools import chain

from clawgit import file_roles
from clawgit.git import phrase_forms
from clawgit.git.git_command import git, objects
from clawgit.git.repository import Oid, Repository

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


def list_reached(
    repo: Repository, commits: Iterable[Oid], ids: Collection[Oid], *, exclusions: Iterable[Oid] = ()
) -> list[Oid]:
    """Return the purged objects that commits reach."""
    if not ids:
        return []
    request = "".join(f"{oid}\n" for oid in (*commits, *(f"^{oid}" for oid in exclusions))).encode()
    output = git(repo.root, "rev-list", "--objects", "--stdin", stdin=request)
    return [oid for line in output.decode("utf-8", "replace").splitlines() if (oid := line.partition(" ")[0]) in ids]


def brings_back(repo: Repository, head: Oid, purged: Oid) -> int:
    """Return the number of objects in a head that were purged from another history.

    If both were purged, each of its own words, the register of one names no objects of the other: then the files of the
    same changes are compared.
    """
    register = read_register(repo, purged)
    if not register:
        return 0
    count = len(list_reached(repo, [head], register, exclusions=[purged]))
    return count or _count_fuller(repo, head, purged)


def _count_fuller(repo: Repository, head: Oid, purged: Oid) -> int:
    """Return the number of files of the same commits with words that the purged history marks as purged."""
    ours, theirs = _list_trees(repo, head, purged), _list_trees(repo, purged, head)
    pairs = "".join(f"{tree} {theirs[commit]}\n" for commit, tree in ours.items() if commit in theirs)
    words = ("diff-tree", "--stdin", "-r", "--no-renames", "--no-abbrev", "--diff-filter=M")
    output = git(repo.root, *words, stdin=pairs.encode(), timeout=_SECONDS).decode("utf-8", "replace")
    blobs = {(row.split(" ")[2], row.split(" ")[3]) for row in output.splitlines() if row.startswith(":")}
    texts = {oid: data for oid, (_, data) in objects(repo.root, sorted({*chain(*blobs)})).items()}
    return sum(_is_fuller(texts[our_blob], texts[other]) for our_blob, other in blobs)


def _is_fuller(our_data: bytes, other: bytes) -> bool:
    """Return whether a line of one file has words that the other one marks as purged."""
    lines, others = our_data.split(b"\n"), other.split(b"\n")
    pairs = zip(lines, others, strict=True) if len(lines) == len(others) else [(our_data, other)]
    mark = phrase_forms.GONE
    return any(mine != theirs and theirs.count(mark) >= max(1, mine.count(mark)) for mine, theirs in pairs)


def _list_trees(repo: Repository, start: Oid, base: Oid) -> dict[tuple[str, int], Oid]:
    """Return the trees of the commits of one history alone, by the parts of a commit that a purge leaves, and a number.

    Those are its times and the id of its change.
    """
    form = "--format=%T %at %ct %(trailers:key=Clawgit-Change,valueonly,separator=%x2C)"
    words = ("log", "--reverse", "--topo-order", form, start, f"^{base}", "--")
    rows = git(repo.root, *words, timeout=_SECONDS).decode().splitlines()
    commits, count = dict[tuple[str, int], Oid](), Counter[str]()
    for tree, _, commit in (row.partition(" ") for row in rows):
        count[commit] += 1
        commits[commit, count[commit]] = tree
    return commits
