"""Tells what another machine purged, from what it left."""

import base64
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from clawgit.errors import Command, purge_nothing
from clawgit.git import history, phrase_forms, references, regular_file, repository
from clawgit.git.git_command import git
from clawgit.git.repository import Oid, Repository
from clawgit.workspace.purging import purged_objects, purged_twins
from clawgit.workspace.workspace import Workspace

PURGES = "refs/clawgit/purges/"
"""Below it stand heads of machines whose history was written anew by a purge."""
_HEADS = (PURGES, "refs/clawgit/remotes/")


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
    words, paths, known = set(_noted(workspace.repo)), dict[str, None](), set[Oid]()
    for head in dict.fromkeys(heads):
        held = set(purged_objects.reached(repo, ["HEAD"], purged_objects.of(repo, head), without=[head]))
        known |= held
        for pair in purged_twins.twins(repo, "HEAD", head) if purged_objects.of(repo, head) else ():
            if pair.other is None and pair.one in held:
                paths[pair.path] = None
            words |= purged_twins.gone(repo, pair)
    if not known and not words:
        raise purge_nothing("no other machine purged anything that is in the history here", fix=Command("clawgit sync"))
    forms = purged_twins.forms(words)
    left = [oid for oid in known if not _explained(workspace, oid, forms)]
    stay = {oid for path in paths for oid in history.list_blobs(repo, path)}
    return Elsewhere(forms, tuple(paths), len([oid for oid in left if oid not in stay]))


def note(repo: Repository, words: Iterable[bytes]) -> None:
    """Keep what a head that was not let in shows to have been purged there, until a purge here."""
    if found := sorted({*_noted(repo), *words}):
        place = _place(repo)
        regular_file.replace_state(place, b"".join(base64.b64encode(one) + b"\n" for one in found))


def forget(repo: Repository) -> None:
    """Drop what was kept."""
    _place(repo).unlink(missing_ok=True)


def noted(repo: Repository) -> bool:
    """Return whether anything was kept."""
    return any(_noted(repo))


def _noted(repo: Repository) -> Iterator[bytes]:
    with suppress(OSError, ValueError):
        for row in regular_file.read_words(_place(repo)):
            yield base64.b64decode(row, validate=True)


def _place(repo: Repository) -> Path:
    return repo.commondir / "clawgit/purged-elsewhere"


def _explained(workspace: Workspace, oid: Oid, forms: Sequence[bytes]) -> bool:
    """Return whether an object goes with these phrases; trees and commits go with what they lead to."""
    kind = git(workspace.root, "cat-file", "-t", oid).strip()
    return kind != b"blob" or phrase_forms.holds(repository.blob(workspace.repo, oid), forms)
