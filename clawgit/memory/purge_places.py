"""Finds all places of a phrase, or of a file."""

import os
import re
import stat
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path

from msgspec import Struct, field

from clawgit.errors import Advice, Command, file_kind, file_missing, id_unknown, quote_shell, value_invalid
from clawgit.git import history, history_rewrite, repository
from clawgit.git.git_command import git
from clawgit.git.history_rewrite import Order
from clawgit.git.paths import check
from clawgit.git.repository import Oid
from clawgit.safety import secrets
from clawgit.store.database import NAME as STATE
from clawgit.store.item import LOG_NAME as LOG
from clawgit.text.entry import entries, hash_entry
from clawgit.text.evidence_pointer import rehash_quotes
from clawgit.workspace import records
from clawgit.workspace.approvals import TrustStore
from clawgit.workspace.commit_message import list_names
from clawgit.workspace.workspace import Workspace

MAX_BYTES = 256 << 20
"""A larger file is named, and not looked into."""
_DATABASES = (".db", ".sqlite", ".sqlite3", ".db-wal", ".db-shm")
_GITS = re.compile(r"(?:worktrees/[^/]+/)?(?:[A-Z_]+_(?:MSG|EDITMSG|RR)|description|info/(?:exclude|attributes))")
_HISTORY = ("objects", "refs", "logs")
_SIGNED = (b"-----BEGIN PGP SIGNATURE-----", b"-----BEGIN SSH SIGNATURE-----", b"-----BEGIN SIGNED MESSAGE-----")
_ARCHIVES = (b"PK\3\4", b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"7z\xbc\xaf", b"\x28\xb5\x2f\xfd", b"Rar!", b"\x89PNG")
_SQLITE_JOURNALS = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83", b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7")
_ENTRIES_HEADER = b"# clawgit entries"
_ENTRY_HASH = re.compile(rb"(?<=\t)[0-9a-f]{16}(?=\t)")


Chats = Callable[..., int]
"""`chats(forms, really=…)` returns how many messages have one of these, and takes it out of them, if `really`."""


class Place(Struct, frozen=True):
    """A kind of place, a name, and how often it is there."""

    kind: str
    name: str
    count: int = 1


class PurgePlaces(Struct, frozen=True):
    """All places of a phrase or a file; `told` names it without its words.

    `unreached` are places that the operator has to clean, and other notes.
    """

    told: str
    order: Order
    places: tuple[Place, ...] = ()
    objects: tuple[Oid, ...] = ()
    remotes: tuple[str, ...] = ()
    unreached: tuple[str, ...] = ()

    @property
    def hash(self) -> str:
        """The hash of the places and of the phrase or file, in 12 hex digits."""
        text = "\0".join((self.told, *(f"{place.kind}:{place.name}:{place.count}" for place in self.places)))
        sought = sha256(b"".join(sha256(phrase).digest() for phrase in self.order.phrases)).hexdigest()
        return sha256(f"{sought}\0{text}".encode("utf-8", "surrogateescape")).hexdigest()[:12]


class Files(Struct, frozen=True):
    """The files of all working trees, ignored ones, too: those to change, with their new places, and the others.

    `closed` have checksums of their own, `unread` cannot be read or are too large, `nested` are repositories within.
    """

    changed: list[tuple[Path, Path]] = field(default_factory=list)
    closed: list[Path] = field(default_factory=list)
    unread: list[Path] = field(default_factory=list)
    nested: list[Path] = field(default_factory=list)


def read_phrase(text: str | bytes) -> tuple[bytes, ...]:
    """Return the forms of a phrase, or of the bytes of a file with nothing else in it.

    Raises UsageError for one that is too short to be distinct.
    """
    data = history_rewrite.read_phrase(text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape"))
    if len(data) < history_rewrite.LEAST:
        words = f"{len(data)} bytes stand by chance in many places: {history_rewrite.LEAST} are the least"
        raise value_invalid(words, fix=Advice("clawgit purge --text - < FILE   # with more of it"))
    return history_rewrite.forms(data)


def find_fingerprint(workspace: Workspace, wanted: str) -> tuple[bytes, ...]:
    """Return the forms of the secret of a fingerprint, looked for in all objects. Raises ClawgitError."""
    for _, _, data in history_rewrite.find_objects(workspace.root, (b"",), ("blob", "commit", "tag")):
        text = data.decode("utf-8", "replace")
        for finding in secrets.find_secrets(text):
            if finding.fingerprint.startswith(wanted):
                return history_rewrite.forms(text[finding.start : finding.end].encode())
    raise id_unknown(f"no secret in history has the fingerprint {wanted}", fix=Command("clawgit doctor"))


def find_purge_places(
    workspace: Workspace, forms: Sequence[bytes], path: str = "", chats: Chats | None = None
) -> PurgePlaces:
    """Return all places of a phrase, or of a file; nothing is written."""
    remotes = tuple(git(workspace.root, "remote").decode().split())
    if path:
        return _find_file(workspace, check(path), remotes)
    objects = list(history_rewrite.find_objects(workspace.root, forms))
    kinds = Counter(kind for _, kind, _ in objects)
    names = history_rewrite.rename_files(workspace.repo, forms) if kinds["tree"] else {}
    rename_rows = partial(rename_entries, renamed=_rename_entries_of(objects, forms))
    order = Order(tuple(forms), names=names, rewrite_blob=rename_rows, rewrite_message=rehash_quotes)
    files = scan_files(workspace, order)
    references = repository.list_references(workspace.root)
    state_files, not_ours = list_kept(workspace)
    places = (
        *(Place("history", kind, kinds[kind]) for kind in ("blob", "commit", "tag", "tree")),
        *(Place("reference", name) for name in references if history_rewrite.rename_reference(name, forms) != name),
        *(Place("file", str(place)) for place, _ in files.changed),
        *(
            Place("kept", name)
            for name, place in state_files
            if history_rewrite.has_phrase(read_state_file(place), forms)
        ),
        Place("kept", STATE, rewrite_state(workspace, forms)),
        Place("chat", "messages", chats(forms, really=False) if chats else 0),
    )
    git_files = (place for place in not_ours if history_rewrite.has_phrase(read_state_file(place), forms))
    unreached = [f"git's own {place}, which is yours to edit" for place in git_files]
    if archives := sum(kind == "blob" and is_closed(data) for _, kind, data in objects):
        unreached.append(f"{archives} archives and pictures of history will not open any more: --keep-backup FILE")
    unreached += [*_list_unreached(workspace, files), "compressed files, which are not looked into"]
    title, oids = f"a text of {min(map(len, forms))} bytes", tuple(oid for oid, _, _ in objects)
    return PurgePlaces(title, order, tuple(place for place in places if place.count), oids, remotes, tuple(unreached))


def _find_file(workspace: Workspace, path: str, remotes: tuple[str, ...]) -> PurgePlaces:
    words = ("log", "--all", "--reflog", "-m", "--root", "--no-renames", "--format=", "-z", "--name-only")
    names = git(workspace.root, *words, "--", path).split(b"\0")
    file_paths = [checkout.root / path for checkout in repository.list_checkouts(workspace.repo)]
    # Of a folder, present or former, everything below it would go.
    is_folder = any(os.fsdecode(name.strip(b"\n")).startswith(f"{path}/") for name in names)
    if is_folder or any(place.is_dir() for place in file_paths):
        fix = f"clawgit purge --path FILE   # each by itself; git log --name-only -- {quote_shell(path)} lists them"
        raise file_kind(f"{path} is a folder, or was one", fix=Advice(fix))
    commits = [commit.id for commit in history.walk_log(workspace.repo, path, start="--all", named=False)]
    if not commits:
        raise file_missing(f"no commit has a file {path}", fix=Command("clawgit log {}", path))
    blobs = {oid for commit in commits if (oid := repository.blob_id(workspace.repo, commit, path))}
    items = sum(path in item.paths for item in workspace.store.read_items(edits=False))
    places = (
        Place("history", "commit", len(commits)),
        Place("history", "blob", len(blobs)),
        *(Place("file", str(place)) for place in file_paths if place.exists()),
        *((Place("kept", STATE, items),) if items else ()),
    )
    copies = "copies under other names, and quotes: clawgit purge --text - < FILE looks for these"
    unreached = (copies, *_list_unreached(workspace, scan_files(workspace, Order())))
    return PurgePlaces(path, Order(paths=(path,)), places, tuple(sorted(blobs)), remotes, unreached)


def _rename_entries_of(objects: Sequence[tuple[Oid, str, bytes]], forms: Sequence[bytes]) -> dict[str, str]:
    """Return the new hashes of the entries that lose words, by the old ones."""
    renamed: dict[str, str] = {}
    for _, kind, data in objects:
        if kind == "blob" and b"\0" not in data:
            after = history_rewrite.remove_phrases(data, forms)
            olds, news = (entries(text.decode("utf-8", "replace")) for text in (data, after))
            if len(olds) == len(news):
                renamed |= {hash_entry(old.text): hash_entry(new.text) for old, new in zip(olds, news, strict=True)}
    return {old: new for old, new in renamed.items() if old != new}


def rename_entries(data: bytes, renamed: Mapping[str, str]) -> bytes:
    """Return a table of entries with the new hashes of these; any other file as it is."""
    if not renamed or not data.startswith(_ENTRIES_HEADER):
        return data
    return _ENTRY_HASH.sub(lambda match: renamed.get(match[0].decode(), match[0].decode()).encode(), data)


def scan_files(workspace: Workspace, order: Order) -> Files:
    """Look through the files of each working tree; an empty folder counts as a file."""
    files, roots = Files(), {checkout.root for checkout in repository.list_checkouts(workspace.repo)} | {workspace.root}
    for root in sorted(roots):
        for place in _walk(root, files):
            name = place.relative_to(root).as_posix()
            plain = order.names.get(name) or os.fsdecode(
                history_rewrite.remove_phrases(os.fsencode(name), order.phrases)
            )
            try:
                data = read_file(place)
            except OSError:
                files.unread.append(place)
                data = b""
            has_phrase = clean_file(data, order) != data
            if has_phrase and is_closed(data):
                files.closed.append(place)
            if plain != name or (has_phrase and not is_closed(data)):
                files.changed.append((place, root / plain))
    files.nested[:] = [place for place in files.nested if place not in roots]
    return files


def _walk(root: Path, files: Files) -> Iterator[Path]:
    for folder, folders, names in os.walk(root, onerror=lambda exc: files.unread.append(Path(exc.filename))):
        subfolders = [Path(folder, name) for name in sorted(folders) if name != ".git"]
        links = [place for place in subfolders if place.is_symlink()]
        nested = [place for place in subfolders if place not in links and os.path.lexists(place / ".git")]
        files.nested.extend(nested)
        folders[:] = [place.name for place in subfolders if place not in (*links, *nested)]
        yield from (*(Path(folder, name) for name in sorted(names) if name != ".git"), *links)
        if not names and not subfolders and folder != str(root):
            yield Path(folder)


def read_file(place: Path) -> bytes:
    """Return the bytes of a file, or the target of a link; nothing for a folder or a pipe. Raises OSError."""
    status = place.lstat()
    if stat.S_ISLNK(status.st_mode):
        return os.fsencode(place.readlink())
    if stat.S_ISREG(status.st_mode) and status.st_size > MAX_BYTES:
        raise OSError(f"{place} is too large")
    return place.read_bytes() if stat.S_ISREG(status.st_mode) else b""


def clean_file(data: bytes, order: Order) -> bytes:
    """Return the bytes of a file without the phrase, as its new history has them."""
    return order.rewrite_blob(history_rewrite.remove_phrases(data, order.phrases)) if order.phrases else data


def is_closed(data: bytes) -> bool:
    """Return whether a file has checksums of its own: it would not open after a change from outside."""
    return data.startswith((*_ARCHIVES, *_SQLITE_JOURNALS))


def list_kept(workspace: Workspace) -> tuple[list[tuple[str, Path]], list[Path]]:
    """Return the files beside history that are ours to change (state, approvals, bugs), named, and git's own ones.

    Databases are neither: caches are dropped, and the stores are asked.
    """
    common, own_files, not_ours = workspace.repo.commondir, list[tuple[str, Path]](), list[Path]()
    trusted = TrustStore(common, os.environ).folder
    for top, prefix in ((common, ""), (trusted, f"{trusted.name}/"), (trusted.parent / "bugs", "bugs/")):
        for place in sorted(file for file in top.rglob("*") if file.is_file() and not file.is_symlink()):
            name = place.relative_to(top).as_posix()
            parts = name.split("/")
            of_clawgit = prefix or ("clawgit" in parts[:3] and parts[0] not in _HISTORY)
            if name.endswith(_DATABASES) or parts[-1] in ("index", LOG) or "cache" in parts or "/purge-" in name:
                continue
            if of_clawgit or _GITS.fullmatch(name):
                own_files.append((prefix + name, place))
            elif parts[0] not in _HISTORY:
                not_ours.append(place)
    return own_files, not_ours


def read_state_file(place: Path) -> bytes:
    """Return the bytes of a file, none if it cannot be read."""
    try:
        return place.read_bytes()
    except OSError:
        return b""


def rewrite_state(
    workspace: Workspace, forms: Sequence[bytes], ids: Callable[[bytes], bytes] = bytes, *, really: bool = False
) -> int:
    """Count the values of `state.db` with a phrase; really: take it out of them, and map the `ids` of objects."""

    def rewrite(text: str) -> str:
        data = text.encode("utf-8", "surrogateescape")
        return ids(history_rewrite.remove_phrases(data, forms)).decode("utf-8", "surrogateescape")

    return workspace.store.rewrite_texts(rewrite, really=really, exempt_document=records.RENAMED)


def _list_unreached(workspace: Workspace, files: Files) -> Iterator[str]:
    """Yield the places that are left to the operator, and the losses."""
    if signed := sum(1 for _ in history_rewrite.find_objects(workspace.root, _SIGNED, ("commit", "tag"))):
        yield f"signatures are lost: {signed} signed commits and tags sign what was"
    yield from (f"{place}, which has it, and would not open if it was changed: make it anew" for place in files.closed)
    if files.unread:
        names = list_names(map(quote_shell, files.unread), 5)
        yield f"files that this user may not read, or over {MAX_BYTES >> 20} MB: {names}"
    if files.nested:
        nested = (place.relative_to(workspace.root) for place in files.nested if place.is_relative_to(workspace.root))
        yield f"repositories within this one, with a history of their own: {', '.join(map(str, nested))}"
    if workspace.host.owners(workspace.root):
        yield "OpenClaw's own transcripts and databases: openclaw memory forget"
    yield "backups, editors' copies and other clones; each clone has to be made anew"
