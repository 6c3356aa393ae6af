"""Takes something out of everything that is kept."""

import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from msgspec import Struct, field

from clawgit.errors import ClawgitError, UsageError, quoted
from clawgit.git import history, phrase_forms, repository, rewriting
from clawgit.git.git_command import git
from clawgit.git.repository import Oid
from clawgit.git.rewriting import Order, Rewritten
from clawgit.safety import secrets
from clawgit.safety.paths import check
from clawgit.text.entry import digest, entries
from clawgit.workspace.change import Change, Edit
from clawgit.workspace.purging import purged_objects, renamed_commits
from clawgit.workspace.workspace import Workspace

_LARGEST = 64 << 20
_WORKER = "clawgit.workspace.purging.rewrite_worker"
_CACHES = ("cache",)
_IDS = re.compile(rb"\b[0-9a-f]{40}\b")
_BACKUP = "purge-backup"


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
    """All places of a phrase or a file; `told` names it without saying it."""

    told: str
    order: Order
    places: tuple[Place, ...] = ()
    objects: tuple[Oid, ...] = ()
    remotes: tuple[str, ...] = ()
    unreached: tuple[str, ...] = field(default=())

    @property
    def hash(self) -> str:
        """What was shown, in 12 hex digits."""
        told = "\0".join((self.told, *(f"{one.kind}:{one.name}:{one.count}" for one in self.places)))
        return sha256(told.encode("utf-8", "surrogateescape")).hexdigest()[:12]


class Purged(Struct, frozen=True):
    """What was done: commits that were rewritten, objects that went, files and messages that were changed."""

    commits: int
    objects: int
    files: int
    messages: int
    backup: str = ""


def phrase(text: str) -> tuple[bytes, ...]:
    """Return the forms of a phrase. Raises UsageError for one that is too short to be told from others."""
    data = text.strip("\r\n").encode("utf-8", "surrogateescape")
    if len(data) < phrase_forms.LEAST:
        raise UsageError(
            f"{len(data)} bytes stand by chance in many places: {phrase_forms.LEAST} are the least",
            fix="clawgit purge --text - < FILE   # with more of it",
        )
    return phrase_forms.forms(data)


def by_fingerprint(workspace: Workspace, wanted: str) -> tuple[bytes, ...]:
    """Return the forms of the secret that has a fingerprint, looked for in all objects. Raises ClawgitError."""
    listed = git(workspace.root, "cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)")
    for row in listed.decode().splitlines():
        oid, _, kind = row.partition(" ")
        if kind == "blob":
            text = repository.blob(workspace.repo, oid).decode("utf-8", "replace")
            for one in secrets.scan(text):
                if one.fingerprint.startswith(wanted):
                    return phrase_forms.forms(text[one.start : one.end].encode())
    raise ClawgitError(f"no secret in history has the fingerprint {wanted}", fix="clawgit doctor")


def find(workspace: Workspace, forms: Sequence[bytes], path: str = "", chats: Chats | None = None) -> Found:
    """Return all places of a phrase, or of a file; nothing is written."""
    if path:
        return _file(workspace, check(path))
    objects: list[tuple[Oid, str, bytes]] = list(rewriting.holding(workspace.root, forms))
    places = [
        Place("history", kind, sum(one[1] == kind for one in objects)) for kind in ("blob", "commit", "tag", "tree")
    ]
    places += [Place("file", name) for name in _tracked(workspace, forms)]
    places += [Place("kept", name) for name in _kept(workspace, forms)]
    if chats:
        places.append(Place("chat", "messages", chats(forms, really=False)))
    order = Order(tuple(forms), rows=_rows(objects, forms))
    told = f"a phrase of {min(map(len, forms))} bytes"
    remotes = tuple(git(workspace.root, "remote").decode().split())
    found = tuple(one for one in places if one.count)
    return Found(told, order, found, tuple(oid for oid, _, _ in objects), remotes, tuple(_unreached(workspace)))


def _file(workspace: Workspace, path: str) -> Found:
    commits = [one.id for one in history.log(workspace.repo, path, start="--all", named=False)]
    if not commits:
        raise ClawgitError(f"no commit has a file {path}", fix=f"clawgit log {quoted(path)}")
    blobs = {oid for one in commits if (oid := repository.blob_id(workspace.repo, one, path))}
    places = [Place("history", "commit", len(commits)), Place("history", "blob", len(blobs))]
    places += [Place("file", path)] if (workspace.root / path).exists() else []
    remotes = tuple(git(workspace.root, "remote").decode().split())
    return Found(path, Order(paths=(path,)), tuple(places), tuple(sorted(blobs)), remotes, tuple(_unreached(workspace)))


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


def _tracked(workspace: Workspace, forms: Sequence[bytes]) -> Iterator[str]:
    """Yield the files of the workspace that hold it, ignored ones, too."""
    for folder, folders, names in os.walk(workspace.root):
        folders[:] = [one for one in folders if one != ".git"]
        for name in names:
            place = Path(folder) / name
            if _holds(place, forms) or phrase_forms.holds(os.fsencode(name), forms):
                yield place.relative_to(workspace.root).as_posix()


def _kept(workspace: Workspace, forms: Sequence[bytes]) -> Iterator[str]:
    """Yield the files beside the repository that hold it: state, displaced files, quarantine, caches."""
    ours = workspace.repo.commondir / "clawgit"
    for place in sorted(ours.rglob("*")):
        if place.is_file() and not place.is_symlink() and place.name != "chat.db" and _holds(place, forms):
            yield place.relative_to(ours).as_posix()


def _holds(place: Path, forms: Sequence[bytes]) -> bool:
    try:
        if place.is_symlink() or place.stat().st_size > _LARGEST:
            return False
        return phrase_forms.holds(place.read_bytes(), forms)
    except OSError:
        return False


def _unreached(workspace: Workspace) -> Iterator[str]:
    """Yield where we do not reach, so that the operator does."""
    common = workspace.repo.commondir
    if (common / "objects/info/alternates").exists():
        yield "the objects that this repository borrows from another: objects/info/alternates"
    worktrees = [one.name for one in (common / "worktrees").glob("*")] if (common / "worktrees").is_dir() else []
    if worktrees:
        yield f"other worktrees, with files of their own: {', '.join(worktrees)}"
    if workspace.host.owners(workspace.root):
        yield "OpenClaw's own transcripts and databases: openclaw memory forget"
    yield "backups, editors' copies and other clones; each clone has to be made anew"


def require_ready(workspace: Workspace) -> None:
    """Raise ClawgitError where history cannot be rewritten now: staged changes, a shallow clone."""
    if git(workspace.root, "diff", "--cached", "--name-only", "-z"):
        raise ClawgitError("there are staged changes", fix="git reset   # they stay in the files")
    if (workspace.repo.commondir / "shallow").exists():
        raise ClawgitError("this is a shallow clone: most of history is elsewhere", fix="git fetch --unshallow")


def purge(workspace: Workspace, found: Found, chats: Chats | None, *, keep: Path | None = None) -> Purged:
    """Take it out of everything that we reach; the caller holds nothing of the repository open for writing.

    Killed before the references move, nothing has happened; afterwards, called again, it does what is left. A bundle of
    what was lies at `keep`, or beside the state of this user until all is done.
    """
    require_ready(workspace)
    repo, forms = workspace.repo, found.order.phrases
    place = keep or _backup_place(workspace)
    note = repo.commondir / "clawgit" / _BACKUP
    note.parent.mkdir(parents=True, exist_ok=True)
    note.write_text(str(place))
    rewriting.backup(repo, place)
    disk = {one.name: _bytes(workspace.root / one.name) for one in found.places if one.kind == "file"}
    with rewriting.rewritten(repo, found.order, _WORKER) as done:
        every = enumerate(rewriting.stashes(repo))
        old = workspace.head
        stash = [(done.after.get(f"{rewriting.STASHES}{at}", oid), _plain(title, forms)) for at, (oid, title) in every]
        rewriting.swap(repo, done)
        _checkout(workspace, disk, old, found.order)
        maps = _keep_map(workspace, done)
    files = _rewrite_kept(workspace, forms, maps)
    rewriting.forget(repo, stash)
    messages = chats(forms, really=True) if chats and forms else 0
    _note_objects(workspace, found)
    left = [one for one in (find(workspace, forms, chats=chats).places if forms else ()) if one.kind != "file"]
    if left:
        words = f"it is left in {len(left)} places, such as {left[0].kind} {left[0].name}"
        raise ClawgitError(words, fix="clawgit purge --text - < FILE")
    if keep is None:
        place.unlink(missing_ok=True)
    note.unlink(missing_ok=True)
    moved = sum(old != new for old, new in done.commits.items())
    return Purged(moved, len(found.objects), files, messages, str(keep or ""))


def _plain(text: str, forms: Sequence[bytes]) -> str:
    return phrase_forms.without(text.encode("utf-8", "surrogateescape"), forms).decode("utf-8", "replace")


def _backup_place(workspace: Workspace) -> Path:
    base = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state")
    return base / "clawgit" / "purge" / f"{workspace.root.name}-{os.getpid()}.bundle"


def _bytes(place: Path) -> bytes:
    try:
        return place.read_bytes()
    except OSError:
        return b""


def _checkout(workspace: Workspace, disk: Mapping[str, bytes], old: Oid | None, order: Order) -> None:
    """Bring index and files to what history says now; what somebody wrote meanwhile only loses the phrase."""
    root, forms = workspace.root, order.phrases
    told = git(root, "diff", "--name-only", "-z", "--no-renames", old, "HEAD") if old else b""
    changed = [os.fsdecode(one) for one in told.split(b"\0") if one]
    for name in changed:
        if _bytes(root / name) == (repository.read(workspace.repo, old, name) or b""):
            _put(root / name, repository.read(workspace.repo, workspace.head, name))
    for name, data in disk.items():
        target = root / os.fsdecode(phrase_forms.without(os.fsencode(name), forms))
        if name in order.paths:
            (root / name).unlink(missing_ok=True)
        elif _holds(root / name, forms) or (target != root / name and (root / name).exists()):
            _put(target, phrase_forms.without(data, forms))
            if target != root / name:
                (root / name).unlink(missing_ok=True)
    git(root, "reset", "--quiet", "--mixed")


def _put(place: Path, data: bytes | None) -> None:
    """Write a file in one step, with the mode that it had; None: no file."""
    if data is None:
        place.unlink(missing_ok=True)
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    temporary = place.with_name(f".{os.getpid()}.purge")
    temporary.write_bytes(data)
    if place.exists():
        shutil.copymode(place, temporary)
    temporary.replace(place)


def _keep_map(workspace: Workspace, done: Rewritten) -> Mapping[bytes, bytes]:
    """Keep which commits became which; return the ids of all objects that have others now."""
    moved = {old: new for old, new in done.commits.items() if old != new}
    renamed_commits.keep(workspace.state, moved)
    return {old.encode(): new.encode() for old, new in (moved | dict(done.blobs)).items()}


def _rewrite_kept(workspace: Workspace, forms: Sequence[bytes], maps: Mapping[bytes, bytes]) -> int:
    """Take it out of what is kept beside the repository, and have old ids there be the new ones; drop caches."""
    ours = workspace.repo.commondir / "clawgit"
    for name in _CACHES:
        shutil.rmtree(ours / name, ignore_errors=True)
    changed = 0
    for place in sorted(ours.rglob("*")):
        database = place.suffix in (".db", ".sqlite")
        if not place.is_file() or place.is_symlink() or database or place.name == renamed_commits.NAME:
            continue
        data = place.read_bytes()
        after = phrase_forms.without(data, forms)
        if b"\0" not in after[:8000] and len(after) <= _LARGEST:
            after = _IDS.sub(lambda match: maps.get(match[0], match[0]), after)
        if after != data:
            place.write_bytes(after)
            changed += 1
    return changed


def _note_objects(workspace: Workspace, found: Found) -> None:
    """Write down which objects went, so that nobody brings one back."""
    before = workspace.read(purged_objects.PATH)
    after = purged_objects.with_objects(before or "", found.objects, workspace.now().date())
    if after != before:
        why = "What reaches one of these objects is refused: it was purged."
        workspace.apply(Change("workspace: objects that were purged", why, (Edit(purged_objects.PATH, before, after),)))
