"""What was compacted before, and is there again."""

from collections import Counter

from msgspec import Struct, field

from clawgit.agents.compacting import sources
from clawgit.agents.compacting.journals import Journal
from clawgit.git import history, repository
from clawgit.text.correction import corrections
from clawgit.text.entry import entries
from clawgit.text.identity import digest
from clawgit.workspace import manifest, scope
from clawgit.workspace.contents import loosely
from clawgit.workspace.workspace import Workspace

NAME = "memory-compactor"


class Before(Struct):
    """What former runs took away or archived: whoever brought it back wants it where it is.

    `journals` are the texts that were removed, by path, `archived` paths and versions that went into an archive,
    `entries` how many of a memory were left, by its hash, `records` ids of corrections.
    """

    journals: dict[str, list[str]] = field(default_factory=dict)
    archived: dict[str, set[tuple[str, str]]] = field(default_factory=dict)
    entries: dict[str, int] = field(default_factory=dict)
    records: set[str] = field(default_factory=set)

    def took(self, one: Journal) -> bool:
        """Tell whether a journal was removed before, and what it said then stands there again."""
        said = one.text.strip()
        return any(text.strip() in said if text.strip() else not said for text in self.journals.get(one.path, ()))

    def brought_back(self, text: str) -> frozenset[str]:
        """Return the hashes of the memories of which more stand in `text` than a former run left."""
        standing = Counter(digest(one.text) for one in entries(text))
        return frozenset(one for one, left in self.entries.items() if standing[one] > left)

    def taken_back(self, one: Journal, archive: str, now: str) -> bool:
        """Tell whether somebody took a journal, as it is, out of an archive that holds `now`."""
        mark = (one.path, one.blob)
        return mark in self.archived.get(archive, ()) and mark not in sources.named(now)


def before(workspace: Workspace) -> Before:
    """Return what the commits of former runs took away and archived."""
    found = Before()
    for commit in history.log(workspace.repo, containing=f"Clawgit-Agent: {NAME}"):
        parent = commit.parents[0] if commit.parents else None
        for path in commit.paths:
            was, now = (repository.read(workspace.repo, oid, path) for oid in (parent, commit.id))
            if was is not None and now is None and manifest.kind(path) == "journal":
                found.journals.setdefault(path, []).append(loosely(was))
            else:
                _note(found, path, loosely(was), loosely(now))
    return found


def _note(found: Before, path: str, was: str, now: str) -> None:
    kind = manifest.kind(path)
    if kind == "archive":
        found.archived.setdefault(path, set()).update(sources.named(now) - sources.named(was))
    elif path == scope.CORRECTIONS:
        ids = ({one.id for one in corrections(text)} for text in (was, now))
        found.records |= next(ids) - next(ids)
    elif kind == "memory":
        old, new = (Counter(digest(one.text) for one in entries(text)) for text in (was, now))
        for one in old - new:
            found.entries[one] = min(new[one], found.entries.get(one, new[one]))
