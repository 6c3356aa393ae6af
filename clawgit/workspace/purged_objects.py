"""The objects that were purged, which nobody may bring back."""

from collections.abc import Collection, Iterable, Mapping
from datetime import date

from clawgit import file_roles
from clawgit.git.git_command import git
from clawgit.git.repository import Oid, Repository

PATH = file_roles.PURGED
HEADER = "# clawgit purged 1"


def parse_purged(text: str) -> dict[Oid, Oid]:
    """Return the objects, each with the one in its place; "" for none, or an unknown one."""
    rows = (line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))
    return {row[0]: row[2] if len(row) > 2 else "" for row in rows}  # noqa: PLR2004 - object, day, new object


def read_register(repo: Repository, commit: Oid = "HEAD") -> dict[Oid, Oid]:
    """Return the content of a commit's register; without libgit2, as every push waits for it."""
    text = git(repo.root, "cat-file", "--batch", stdin=f"{commit}:{PATH}\n".encode())
    return parse_purged(text.partition(b"\n")[2].decode("utf-8", "replace"))


def with_objects(text: str, objects: Mapping[Oid, Oid], day: date) -> str:
    """Return the register with more objects, sorted by id."""
    rows = {line.split("\t")[0]: line for line in text.splitlines() if line and not line.startswith("#")}
    rows = {old: f"{old}\t{day}\t{new}".rstrip("\t") for old, new in objects.items()} | rows
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

    If both purged an object, each of its own words, the one that took its place in the head has those of the other.
    """
    register = read_register(repo, purged)
    if not register:
        return 0
    own = read_register(repo, head)
    replacements = {new for old, new in own.items() if new and register.get(old, new) != new}
    return len(list_reached(repo, [head], {*register} | replacements, exclusions=[purged]))
