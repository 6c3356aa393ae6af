"""Tells what another machine purged, from what it left."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from msgspec import Struct

from clawgit.errors import ClawgitError
from clawgit.git import phrase_forms, references, repository
from clawgit.git.git_command import git
from clawgit.git.repository import Oid
from clawgit.workspace.purging import purged_objects
from clawgit.workspace.workspace import Workspace

PURGES = "refs/clawgit/purges/"
"""Below it stand heads of machines whose history was written anew by a purge."""
_HEADS = (PURGES, "refs/clawgit/remotes/")
_SECONDS = 600.0
_MOST = 20
_FORM = "%x01%at %ct %(trailers:key=Clawgit-Change,valueonly,separator=%x2C)"

_Touch = tuple[str, Oid, Oid]
"""A file that a commit touched, with its blob before and after; zeros for no file."""


class Elsewhere(Struct, frozen=True):
    """What other machines purged and this one still has: forms of phrases, files, and how many objects that leaves."""

    forms: tuple[bytes, ...] = ()
    paths: tuple[str, ...] = ()
    unknown: int = 0


def purged(workspace: Workspace) -> Elsewhere:
    """Return what is to be purged here because another machine did.

    A commit that was rewritten is held against the one here that it was: what stands in place of a phrase tells which
    words are gone. Nothing is written. Raises ClawgitError where no machine purged anything that is here.
    """
    repo = workspace.repo
    heads = [
        oid for name in references.ours(repo) if name.startswith(_HEADS) and (oid := references.target(repo, name))
    ]
    forms, paths, known = dict[bytes, None](), dict[str, None](), set[Oid]()
    for head in dict.fromkeys(heads):
        text = (repository.read(repo, head, purged_objects.PATH) or b"").decode("utf-8", "replace")
        held = set(purged_objects.reached(repo, ["HEAD"], purged_objects.parse(text), without=[head]))
        known |= held
        if held:
            _compare(workspace, head, held, forms, paths)
    if not known:
        raise ClawgitError("no other machine purged anything that is in the history here", fix="clawgit sync")
    some = tuple(sorted(forms, key=len, reverse=True))
    left = [oid for oid in known if not _explained(workspace, oid, some)]
    stay = {oid for path in paths for oid in _blobs(workspace, path)}
    return Elsewhere(some, tuple(paths), len([oid for oid in left if oid not in stay]))


def _compare(workspace: Workspace, head: Oid, held: set[Oid], forms: dict[bytes, None], paths: dict[str, None]) -> None:
    theirs = dict(_commits(workspace, head))
    names = {path for touches in theirs.values() for path, _, _ in touches}
    for key, touches in _commits(workspace, "HEAD"):
        if key not in theirs:
            continue
        new = {path: (before, after) for path, before, after in theirs[key]}
        for path, before, after in touches:
            for at, oid in enumerate((before, after)):
                if oid not in held or phrase_forms.holds(repository.blob(workspace.repo, oid), tuple(forms)):
                    continue
                if path in new and new[path][at].strip("0"):
                    there = repository.blob(workspace.repo, new[path][at])
                    forms |= dict.fromkeys(_gone(repository.blob(workspace.repo, oid), there))
                elif path not in names:
                    paths[path] = None


def _commits(workspace: Workspace, start: str) -> Iterator[tuple[tuple[str, int], list[_Touch]]]:
    """Yield the files that each commit touched, by what a purge leaves alone of it: its times, and the change's id."""
    words = ("log", "--raw", "--no-abbrev", "--no-renames", "--root", "--reverse", "--topo-order", f"--format={_FORM}")
    told = git(workspace.root, "-c", "core.quotePath=false", *words, start, "--", timeout=_SECONDS)
    count = defaultdict[str, int](int)
    for block in told.decode("utf-8", "surrogateescape").split("\x01")[1:]:
        name, *rows = block.split("\n")
        count[name] += 1
        cells = [row.split("\t") for row in rows if row.startswith(":") and row.count("\t") == 1]
        yield (name, count[name]), [(path, *_ids(head)) for head, path in cells]


def _ids(head: str) -> tuple[Oid, Oid]:
    _, _, before, after, _ = head.split(" ", 4)
    return before, after


def _gone(old: bytes, new: bytes) -> tuple[bytes, ...]:
    """Return the forms of the words that `[purged]` stands in place of; nothing where that cannot be told for sure."""
    parts = new.split(phrase_forms.GONE)
    if not 1 < len(parts) <= _MOST:
        return ()
    match = re.fullmatch(b"(.+?)".join(map(re.escape, parts)), old, re.DOTALL)
    words = {one for one in match.groups() if one != phrase_forms.GONE} if match else set()
    found = tuple(form for one in words if len(one) >= phrase_forms.LEAST for form in phrase_forms.forms(one))
    return found if found and phrase_forms.without(old, _longest_first(found)) == new else ()


def _longest_first(forms: Sequence[bytes]) -> tuple[bytes, ...]:
    return tuple(sorted(dict.fromkeys(forms), key=len, reverse=True))


def _explained(workspace: Workspace, oid: Oid, forms: Sequence[bytes]) -> bool:
    """Tell whether an object goes with these phrases; trees and commits go with what they lead to."""
    kind = git(workspace.root, "cat-file", "-t", oid).strip()
    return kind != b"blob" or phrase_forms.holds(repository.blob(workspace.repo, oid), forms)


def _blobs(workspace: Workspace, path: str) -> set[Oid]:
    return {
        oid for _, touches in _commits(workspace, "HEAD") for name, *both in touches if name == path for oid in both
    }
