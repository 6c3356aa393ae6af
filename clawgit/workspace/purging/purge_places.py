"""Finds where a phrase, or a file, stands."""

import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from clawgit.errors import Advice, Command, file_kind, file_missing, id_unknown, quoted, value_invalid
from clawgit.git import history, phrase_forms, repository, rewriting
from clawgit.git.git_command import git
from clawgit.git.paths import check
from clawgit.git.repository import Oid
from clawgit.git.rewriting import Order
from clawgit.safety import secrets
from clawgit.store.database import NAME as STATE
from clawgit.store.decisions_log import NAME as LOG
from clawgit.text.entry import digest, entries
from clawgit.workspace import renamed_commits
from clawgit.workspace.purging import file_phrases, needed_words
from clawgit.workspace.trust import trust_place
from clawgit.workspace.workspace import Workspace

_DATABASES = (".db", ".sqlite", ".sqlite3", ".db-wal", ".db-shm")
_GITS = re.compile(r"(?:worktrees/[^/]+/)?(?:[A-Z_]+_(?:MSG|EDITMSG|RR)|description|info/(?:exclude|attributes))")
_HISTORY = ("objects", "refs", "logs")
_SIGNED = (b"-----BEGIN PGP SIGNATURE-----", b"-----BEGIN SSH SIGNATURE-----", b"-----BEGIN SIGNED MESSAGE-----")
_MAX_NAMES = 5


class Chats(Protocol):
    """The chat store, as far as a purge asks it."""

    def __call__(self, forms: Sequence[bytes], *, really: bool) -> int:
        """Return how many messages hold one of these; really: take it out of them, and write the file anew."""


class Place(Struct, frozen=True):
    """Where it stands: a kind of place, a name, and how often."""

    kind: str
    name: str
    count: int = 1


class Found(Struct, frozen=True):
    """All places of a phrase or a file; `told` names it without saying it.

    `unreached` are places that are the operator's to clean, and what else they should know.
    """

    told: str
    order: Order
    places: tuple[Place, ...] = ()
    objects: tuple[Oid, ...] = ()
    remotes: tuple[str, ...] = ()
    unreached: tuple[str, ...] = ()

    @property
    def hash(self) -> str:
        """What was shown, and of which phrase or file, in 12 hex digits."""
        told = "\0".join((self.told, *(f"{place.kind}:{place.name}:{place.count}" for place in self.places)))
        sought = sha256(b"".join(sha256(one).digest() for one in self.order.phrases)).hexdigest()
        return sha256(f"{sought}\0{told}".encode("utf-8", "surrogateescape")).hexdigest()[:12]


def phrase(text: str | bytes) -> tuple[bytes, ...]:
    """Return the forms of a phrase, or of the bytes of a file that holds it alone.

    Raises UsageError for one that is too short to be told from others.
    """
    data = phrase_forms.read(text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape"))
    if len(data) < phrase_forms.LEAST:
        raise value_invalid(
            f"{len(data)} bytes stand by chance in many places: {phrase_forms.LEAST} are the least",
            fix=Advice("clawgit purge --text - < FILE   # with more of it"),
        )
    return phrase_forms.forms(data)


def by_fingerprint(workspace: Workspace, wanted: str) -> tuple[bytes, ...]:
    """Return the forms of the secret that has a fingerprint, looked for in all objects. Raises ClawgitError."""
    _list_names = git(workspace.root, "cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)")
    for row in _list_names.decode().splitlines():
        oid, _, kind = row.partition(" ")
        if kind == "blob":
            text = repository.blob(workspace.repo, oid).decode("utf-8", "replace")
            for one in secrets.scan(text):
                if one.fingerprint.startswith(wanted):
                    return phrase_forms.forms(text[one.start : one.end].encode())
    raise id_unknown(f"no secret in history has the fingerprint {wanted}", fix=Command("clawgit doctor"))


def find(workspace: Workspace, forms: Sequence[bytes], path: str = "", chats: Chats | None = None) -> Found:
    """Return all places of a phrase, or of a file; nothing is written."""
    if path:
        return _file(workspace, check(path))
    objects: list[tuple[Oid, str, bytes]] = list(rewriting.holding(workspace.root, forms))
    kinds = ("blob", "commit", "tag", "tree")
    places = [Place("history", kind, sum(one[1] == kind for one in objects)) for kind in kinds]
    references = rewriting.references(workspace.repo)
    places += [Place("reference", name) for name in references if rewriting.renamed(name, forms) != name]
    places += [Place("file", str(place)) for place, _ in files(workspace, forms, {})]
    places += [Place("kept", name) for name, place in kept(workspace) if _holds(place, forms)]
    places.append(Place("kept", STATE, rewrite_state(workspace, forms)))
    if chats:
        places.append(Place("chat", "messages", chats(forms, really=False)))
    named = any(kind == "tree" for _, kind, _ in objects)
    names = rewriting.names(workspace.repo, forms) if named else {}
    order = Order(tuple(forms), rows=_rows(objects, forms), names=names)
    told = f"a phrase of {min(map(len, forms))} bytes"
    unreached = (
        *_ours_to_name(workspace, forms),
        *_find_broken(objects),
        *_find_unreached(workspace, forms),
    )
    ids = tuple(oid for oid, _, _ in objects)
    return Found(told, order, tuple(one for one in places if one.count), ids, _remotes(workspace), unreached)


def _file(workspace: Workspace, path: str) -> Found:
    needed_words.require_not_ours(path)
    _require_file(workspace, path)
    commits = [one.id for one in history.log(workspace.repo, path, start="--all", named=False)]
    if not commits:
        raise file_missing(f"no commit has a file {path}", fix=Command("clawgit log {}", path))
    blobs = {oid for commit in commits if (oid := repository.blob_id(workspace.repo, commit, path))}
    places = [Place("history", "commit", len(commits)), Place("history", "blob", len(blobs))]
    trees = rewriting.checkouts(workspace.repo)
    places += [Place("file", str(tree.root / path)) for tree in trees if (tree.root / path).exists()]
    if items := sum(path in item.paths for item in workspace.store.read_items(edits=False)):
        places.append(Place("kept", STATE, items))
    copies = "copies of it under other names, and what quotes it: clawgit purge --text - < FILE looks for these"
    unreached = (copies, *_find_unreached(workspace, ()))
    return Found(path, Order(paths=(path,)), tuple(places), tuple(sorted(blobs)), _remotes(workspace), unreached)


def _remotes(workspace: Workspace) -> tuple[str, ...]:
    return tuple(git(workspace.root, "remote").decode().split())


def _rows(objects: Sequence[tuple[Oid, str, bytes]], forms: Sequence[bytes]) -> Mapping[str, str]:
    """Return the hashes of the entries that lose words, old to new."""
    found: dict[str, str] = {}
    for _, kind, data in objects:
        if kind != "blob" or b"\0" in data:
            continue
        before, after = (text.decode("utf-8", "replace") for text in (data, phrase_forms.without(data, forms)))
        olds, news = entries(before), entries(after)
        if len(olds) == len(news):
            found |= {digest(old.text): digest(new.text) for old, new in zip(olds, news, strict=True)}
    return {old: new for old, new in found.items() if old != new}


def files(workspace: Workspace, forms: Sequence[bytes], names: Mapping[str, str]) -> Iterator[tuple[Path, Path]]:
    """Yield the files of each working tree that hold it, ignored ones, too, with what they should be called.

    `names` are those that history calls otherwise. An empty folder is one. A file with checksums of its own keeps what
    it holds.
    """
    for root, place in walk_trees(workspace):
        told = place.relative_to(root).as_posix()
        plain = names.get(told) or os.fsdecode(phrase_forms.without(os.fsencode(told), forms))
        if plain != told or (_holds(place, forms) and not _checked(place)):
            yield place, root / plain


def kept(workspace: Workspace) -> Iterator[tuple[str, Path]]:
    """Yield the files beside history that are ours to change, with a name: state, displaced files, approvals, bugs.

    Databases are not: caches are dropped, and the chat store is asked.
    """
    common = workspace.repo.commondir
    for place in sorted(common.rglob("*")):
        name = place.relative_to(common).as_posix()
        if _plain(place) and (_is_state(name) or _GITS.fullmatch(name)) and "/purge-" not in name:
            yield name, place
    trusted = trust_place.folder(common, os.environ)
    for folder in (trusted, trusted.parent / "bugs"):
        for place in sorted(folder.rglob("*")):
            if _plain(place):
                yield f"{folder.name}/{place.relative_to(folder).as_posix()}", place


def rewrite_state(
    workspace: Workspace, forms: Sequence[bytes], ids: Callable[[bytes], bytes] = bytes, *, really: bool = False
) -> int:
    """Count the values of `state.db` that hold a phrase; really: take it out of them, and map the `ids` of objects."""

    def rewrite(text: str) -> str:
        data = text.encode("utf-8", "surrogateescape")
        return ids(phrase_forms.without(data, forms)).decode("utf-8", "surrogateescape")

    return workspace.store.rewrite_texts(rewrite, really=really, without=renamed_commits.NAME)


def _is_state(name: str) -> bool:
    parts = name.split("/")
    return parts[-1] != LOG and "clawgit" in parts[:3] and "cache" not in parts and parts[0] not in _HISTORY


def _plain(place: Path) -> bool:
    return place.is_file() and not place.is_symlink() and not place.name.endswith(_DATABASES)


def _ours_to_name(workspace: Workspace, forms: Sequence[bytes]) -> Iterator[str]:
    """Yield the files of git's own that hold it, and which nobody but their owner should change."""
    common = workspace.repo.commondir
    for place in sorted(common.rglob("*")):
        name = place.relative_to(common).as_posix()
        ours = name.startswith(_HISTORY) or _is_state(name) or _GITS.fullmatch(name) or "/cache/" in name
        if not ours and place.name not in ("index", LOG) and _plain(place) and _holds(place, forms):
            yield f"git's own {place}, which holds it, and is yours to edit"


def _holds(place: Path, forms: Sequence[bytes]) -> bool:
    try:
        return file_phrases.holds(place, forms)
    except OSError:
        return False


def _checked(place: Path) -> bool:
    try:
        return file_phrases.checked(place)
    except OSError:
        return False


def _require_file(workspace: Workspace, path: str) -> None:
    """Raise UsageError for what is a folder, or was one: all below it would go."""
    words = ("log", "--all", "--reflog", "-m", "--root", "--no-renames", "--format=", "-z", "--name-only")
    told = git(workspace.root, *words, "--", path)
    below = any(os.fsdecode(one.strip(b"\n")).startswith(f"{path}/") for one in told.split(b"\0"))
    if below or any((checkout.root / path).is_dir() for checkout in rewriting.checkouts(workspace.repo)):
        fix = f"clawgit purge --path FILE   # each by itself; git log --name-only -- {quoted(path)} lists them"
        raise file_kind(f"{path} is a folder, or was one", fix=Advice(fix))


def _find_unreached(workspace: Workspace, forms: Sequence[bytes]) -> Iterator[str]:
    """Yield where we do not reach, so that the operator does, and what is lost."""
    signed = [kind for _, kind, _ in rewriting.holding(workspace.root, _SIGNED, kinds=("commit", "tag"))]
    if signed:
        yield f"signatures are lost: {len(signed)} signed commits and tags sign what was"
    yield from _find_unreachable_files(workspace, forms)
    if forms:
        yield "compressed files, which are not looked into"
    if within := [one for one in _find_repositories(workspace) if one]:
        yield f"repositories within this one, with a history of their own: {', '.join(within)}"
    if workspace.host.owners(workspace.root):
        yield "OpenClaw's own transcripts and databases: openclaw memory forget"
    yield "backups, editors' copies and other clones; each clone has to be made anew"


def _find_unreachable_files(workspace: Workspace, forms: Sequence[bytes]) -> Iterator[str]:
    """Yield the files that hold it and have checksums, and those that could not be read."""
    closed: list[Path] = []
    for _, place in walk_trees(workspace, closed.append) if forms else ():
        try:
            if file_phrases.checked(place) and file_phrases.holds(place, forms):
                yield f"{place}, which holds it and would not open if it was changed from outside: make it anew"
            elif stat.S_ISREG(place.lstat().st_mode) and not os.access(place, os.R_OK):
                closed.append(place)
        except OSError:
            closed.append(place)
    if closed:
        yield f"what this user may not read: {_list_names(closed)}"


def _list_names(places: Sequence[object]) -> str:
    """Return names for a person, the first ones where there are many."""
    more = f" and {len(places) - _MAX_NAMES} more" if len(places) > _MAX_NAMES else ""
    return ", ".join(quoted(one) for one in places[:_MAX_NAMES]) + more


def _find_broken(objects: Sequence[tuple[str, str, bytes]]) -> Iterator[str]:
    """Yield what of history will not open any more."""
    if many := sum(kind == "blob" and file_phrases.checked_bytes(data) for _, kind, data in objects):
        yield f"{many} files of history with checksums of their own, which will not open any more: --keep-backup FILE"


def _find_repositories(workspace: Workspace) -> Iterator[str]:
    """Yield the folders of submodules and nested repositories."""
    trees = {checkout.root for checkout in rewriting.checkouts(workspace.repo)}
    for folder, folders, _ in os.walk(workspace.root):
        place = Path(folder)
        if place not in trees and os.path.lexists(place / ".git"):
            folders.clear()
            yield place.relative_to(workspace.root).as_posix()
        folders[:] = sorted(one for one in folders if one != ".git")


def walk_trees(workspace: Workspace, closed: Callable[[Path], object] | None = None) -> Iterator[tuple[Path, Path]]:
    """Yield the files and links of each working tree, ignored ones, too, after the folder of their tree.

    A folder is yielded where it is empty; repositories within are not looked at. `closed` is told of a folder that this
    user may not list.
    """
    inside = {checkout.root for checkout in rewriting.checkouts(workspace.repo)} | {workspace.root}
    for root in sorted(inside):
        for folder, folders, there in os.walk(root, onerror=lambda exc: closed and closed(Path(exc.filename))):
            links = [one for one in folders if (Path(folder) / one).is_symlink()]
            others = sorted(set(folders) - set(links))
            folders[:] = [
                other for other in others if other != ".git" and not os.path.lexists(Path(folder) / other / ".git")
            ]
            for name in sorted((*there, *links)) or ([""] if not folders and folder != str(root) else []):
                if name != ".git":
                    yield root, Path(folder) / name
