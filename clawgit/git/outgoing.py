"""Commits that a push gives away."""

from collections.abc import Iterable

from msgspec import Struct

from clawgit.errors import Command, git_output
from clawgit.git import churn, repository
from clawgit.git.git_command import git
from clawgit.git.repository import Oid, Repository


class Update(Struct, frozen=True):
    """A reference that is pushed: its name at the other side, the object that it leads to here, and the one there.

    `local` is None for a deletion, `remote` for a reference that is new there.
    """

    name: str
    local: Oid | None
    remote: Oid | None


def updates(lines: str) -> list[Update]:
    """Return what git tells a pre-push hook: LOCAL-REF OBJECT REMOTE-REF OBJECT, a line each.

    Raises ClawgitError for anything else.
    """
    found = []
    for line in lines.splitlines():
        fields = line.split(" ")
        if len(fields) != 4:  # noqa: PLR2004 - as the docstring says
            raise git_output(f"unreadable line from git push: {line!r}", fix=Command("git push --no-verify"))
        found.append(Update(fields[2], _object(fields[1]), _object(fields[3])))
    return found


def _object(name: str) -> Oid | None:
    return name if name.strip("0") else None


def commits(repo: Repository, remote: str, pushed: Iterable[Update]) -> list[Oid]:
    """Return the commits that `remote`, a name or an address, is not known to have, newest first.

    It has what its references lead to, as far as these are here, and what was last fetched from it or pushed to it.
    """
    wanted = list(pushed)
    given = [update.local for update in wanted if update.local]
    if not given:
        return []
    if repo.bare:  # a server has what any of its references leads to
        return churn.reachable(repo, *given, "--not", "--all")
    theirs = _present(repo, [update.remote for update in wanted if update.remote])
    tracked = repository.list_references(repo.root, "refs/remotes/").items()
    theirs += [oid for name, oid in tracked if name.startswith(f"refs/remotes/{remote}/")]
    return churn.reachable(repo, *given, *(f"^{oid}" for oid in dict.fromkeys(theirs)))


def _present(repo: Repository, oids: Iterable[Oid]) -> list[Oid]:
    """Return those objects that are here: the other side may have moved on since we last looked."""
    asked = "".join(f"{oid}\n" for oid in oids)
    told = git(repo.root, "cat-file", "--batch-check=%(objectname)", stdin=asked.encode()) if asked else b""
    return [row for row in told.decode().splitlines() if not row.endswith(" missing")]
