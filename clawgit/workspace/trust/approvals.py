"""What the operator approved, kept outside the workspace."""

import contextlib
import hashlib
import itertools
import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from msgspec import Struct, convert, field, to_builtins
from msgspec.json import encode
from msgspec.structs import replace

from clawgit.errors import ClawgitError, Command, file_unreadable, file_unwritable, no_room
from clawgit.git import regular_file, repository
from clawgit.git.repository import Oid
from clawgit.store.database import WORKSPACE_ID, StateStore
from clawgit.text.tokens import count

T = TypeVar("T")


class Approved(Struct, frozen=True):
    """What may stand in one identity file.

    `text` is what was approved (None: no file), by the operator or since by the policy; `said` what the operator
    approved in so many words: its lines are the protected ones. `asked` are the blobs that a command put there because
    its caller asked, against the policy: they stand, and are not approved. `earlier` are the blobs that were approved
    before, oldest first: a checkout of the past may bring them back.
    """

    text: str | None
    said: str | None
    asked: tuple[Oid, ...] = ()
    earlier: tuple[Oid, ...] = ()

    def succeeded(self, text: str | None, said: str | None) -> "Approved":
        """Return what holds once `text` is approved in place of this."""
        past = () if self.text is None or self.text == text else (repository.hash_blob(self.text.encode()),)
        return Approved(text, said, (), tuple(dict.fromkeys((*self.earlier, *past))))


class Trust(Struct, frozen=True):
    """What the operator approved of one workspace; `known` is False where nobody has approved anything yet.

    `files` are by path; `config` are the values of CONFIG.md's pinned keys that may be used.
    `command_files` are the hashes of the workspace's files that trusted commands of CONFIG.md name, by key.
    """

    known: bool = False
    files: Mapping[str, Approved] = field(default_factory=dict)
    config: Mapping[str, Any] = field(default_factory=dict)
    command_files: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def with_config(self, config: Mapping[str, Any], files: Mapping[str, Mapping[str, str]]) -> "Trust":
        """Return it with these values of CONFIG.md trusted, and what they name as commands."""
        kept = {name: held for name, held in self.command_files.items() if name not in config}
        return replace(self, config={**self.config, **config}, command_files={**kept, **files})

    def approved(self, path: str) -> str | None:
        """Return the approved text of a file, None where there is to be none."""
        return self.of(path).text

    def approves(self, path: str, text: str | None) -> bool:
        """Return whether `text` (None: no file) is what was approved."""
        return self.known and text == self.approved(path)

    def settled(self, path: str, text: str | None) -> bool:
        """Return whether `text` is what was approved, and nothing else was asked for since."""
        return self.approves(path, text) and not self.of(path).asked

    def admits(self, path: str, text: str | None) -> bool:
        """Return whether `text` may stand in a file: it is approved, or a caller asked for it."""
        if self.approves(path, text):
            return True
        asked = self.of(path).asked
        return text is not None and bool(asked) and repository.hash_blob(text.encode()) in asked

    def was_approved(self, path: str, blob: Oid) -> bool:
        """Return whether a file held `blob` with approval at some earlier time."""
        return blob in self.of(path).earlier

    def said(self, path: str) -> str | None:
        """Return what the operator approved of a file in so many words, None where that is no file."""
        return self.of(path).said

    def of(self, path: str) -> Approved:
        """Return what may stand in a file; of one that nobody approved, nothing."""
        return self.files.get(path, Approved(None, None))

    def cap(self, path: str, tokens: int) -> int:
        """Return how many tokens a file may have: `tokens`, or where it had more when approved, so many on top."""
        size = count(self.said(path) or "")
        return tokens if size <= tokens else size + tokens


_FILE = "trust.json"
_POLICY, _STRICT = "soul_policy", ("review", "locked")
_PRIVATE = 0o700
_ASKED = 2  # what stood there, and what was to stand there when a write was interrupted


class TrustStore:
    """The folder of one workspace below `$XDG_STATE_HOME/clawgit`, out of reach of what writes to the workspace.

    Whatever runs as the operator can write there, too; nothing that only writes to the workspace can.
    """

    def __init__(self, commondir: Path, environ: Mapping[str, str]) -> None:
        self._commondir, self._environ = commondir, environ

    @cached_property
    def folder(self) -> Path:
        """Where it lies: found once, since it stays while the workspace is moved."""
        return folder(self._commondir, self._environ)

    @property
    def file(self) -> Path:
        """The file that holds what was approved."""
        return self.folder / _FILE

    def read(self) -> Trust:
        """Return what was approved; nothing where there is no such file. Raises ClawgitError for a damaged one."""
        known = regular_file.parse_state(self.file, Trust)
        if known is None and os.path.lexists(self.file):
            raise file_unreadable(f"cannot read {self.file}", fix=Command("rm {} && clawgit trust", self.file))
        return known or Trust()

    def readable(self) -> Trust:
        """Return what was approved; nothing where that cannot be read: what is damaged approves nothing.

        Where another folder took the place of one that was approved, its stricter policy holds, and no approval.
        """
        with contextlib.suppress(ClawgitError):
            found = self.read()
            before = None if found.known else replaced(self._commondir, self._environ)
            known = regular_file.parse_state(before / _FILE, Trust) if before else None
            policy = known.config.get(_POLICY) if known else None
            return replace(found, config={_POLICY: policy, **found.config}) if policy in _STRICT else found
        return Trust()

    def not_inherited(self) -> str:
        """Return whose approvals do not count here, as the end of a sentence."""
        if replaced(self._commondir, self._environ):
            return "the folder that you approved is gone, and this one took its place, from a backup perhaps"
        return "a clone or a copy inherits no approvals"

    def follow_folder(self) -> None:
        """Note where the workspace lies now, so that its approvals are found wherever it is moved. Best effort."""
        with contextlib.suppress(OSError, ClawgitError):
            if self.file.exists():
                note(self._commondir, self.folder)

    def approve(
        self,
        texts: Mapping[str, str | None],
        config: Mapping[str, Any] | None = None,
        command_files: Mapping[str, Mapping[str, str]] | None = None,
    ) -> None:
        """Note that the operator approved these files (None: that there is none), and values of CONFIG.md.

        `command_files` are the hashes of the files that commands among the values name, by key.
        """

        def approved(old: Trust) -> Trust:
            said = {path: old.of(path).succeeded(text, text) for path, text in texts.items()}
            told = replace(old, known=True, files={**old.files, **said})
            return told.with_config(config or {}, command_files or {})

        self._change(approved)

    def take(self, document: Mapping[str, Any]) -> None:
        """Note what the operator approved in another clone."""
        known = convert(document, Trust)
        self._change(lambda _: known)

    def begin(self, texts: Mapping[str, str | None]) -> None:
        """Note that the operator approved these files, and forget whatever was known of a workspace at this place."""
        self._change(lambda _: Trust(known=True, files={path: Approved(text, text) for path, text in texts.items()}))

    def follow(self, texts: Mapping[str, str | None], found: Mapping[str, str | None] = MappingProxyType({})) -> None:
        """Note that these files changed under the policy; what the operator said remains. Best effort, as `ask`.

        `found` is what held, by path, the files that the operator himself changed: what he took out he says no more,
        and where there was nothing but what he said, he says all of it.
        """
        self._adjust({path: partial(_grown_to, text=text, found=found.get(path, text)) for path, text in texts.items()})

    def ask(self, blobs: Mapping[str, tuple[Oid, ...]]) -> None:
        """Note which blobs a caller's command puts into these files without approval."""
        self._adjust({path: partial(replace, asked=oids[-_ASKED:]) for path, oids in blobs.items()})

    def pin(self, config: Mapping[str, Any], command_files: Mapping[str, Mapping[str, str]] | None = None) -> None:
        """Note values of CONFIG.md that hold at once: stricter than those before, or typed by the operator."""
        if config:
            self._change(lambda old: old.with_config(config, command_files or {}))

    def note_unattended(self, act: str, when: datetime) -> None:
        """Note that something was approved without a terminal, for the digest. Best effort."""
        with contextlib.suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True, mode=_PRIVATE)
            regular_file.append_rows(self._unattended, ({"act": act, "when": when.isoformat()},))

    def unattended(self, since: datetime) -> Iterator[tuple[str, datetime]]:
        """Yield what was approved without a terminal after a moment, and when."""
        for row in regular_file.parse_rows(self._unattended, dict[str, str]):
            when = datetime.fromisoformat(row["when"]).astimezone()
            if when > since:
                yield row["act"], when

    @property
    def _unattended(self) -> Path:
        return self.folder / "unattended.jsonl"

    def read_note(self, name: str, schema: type[T], damaged: T) -> T | None:
        """Return what a file of this name beside the approvals holds, None where there is none."""
        with contextlib.suppress(OSError):
            data = regular_file.read_state(self.folder / name)
            return next(regular_file.parse_lines([data], schema), damaged)
        return None

    def keep_note(self, name: str, value: object) -> None:
        """Keep a value in a file of this name beside the approvals. Best effort."""
        with contextlib.suppress(OSError), self._locked():
            regular_file.replace_state(self.folder / name, encode(value, order="sorted"))

    def _adjust(self, changes: Mapping[str, Callable[[Approved], Approved]]) -> None:
        if not changes:
            return

        def changed(old: Trust) -> Trust | None:
            files = {path: change(old.of(path)) for path, change in changes.items()}
            same = all(old.files.get(path) == one for path, one in files.items())
            return None if same or not old.known else replace(old, files={**old.files, **files})

        self._change(changed)

    def _change(self, change: Callable[[Trust], Trust | None]) -> None:
        """Replace the file by what `change` makes of it; None leaves it."""
        try:
            with self._locked():
                new = change(self.readable())
                if new is not None:
                    document = {"workspace": str(self._commondir.resolve()), **to_builtins(new)}
                    text = json.dumps(document, ensure_ascii=False, indent=1, default=str)
                    regular_file.replace_state(self.file, text.encode(), durable=True)
        except OSError as exc:
            raise no_room(exc, self.folder) or file_unwritable(
                f"what was approved cannot be kept: {exc.filename}: {exc.strerror}",
                fix=Command("mkdir -p {} && ls -ld {}", self.folder, self.folder),
            ) from exc

    @contextmanager
    def _locked(self) -> Iterator[None]:
        self.folder.mkdir(parents=True, exist_ok=True, mode=_PRIVATE)
        with regular_file.locked(self.folder / "lock"):
            note(self._commondir, self.folder)
            yield


def _grown_to(old: Approved, text: str | None, found: str | None) -> Approved:
    """Return what holds once a file holds `text`, which its change, if the operator's own, made of what it `found`."""
    if found == text or old.said is None or found is None:
        return old.succeeded(text, text if found != text and found == old.said else old.said)
    if text is None or found == old.said:
        return old.succeeded(text, text)
    gone = {*map(str.strip, found.split("\n"))} - {"", *map(str.strip, text.split("\n"))}
    return old.succeeded(text, "\n".join(row for row in old.said.split("\n") if row.strip() not in gone))


_PLACE = "place.json"


class Place(Struct, frozen=True):
    """The folder of a workspace: where it lies, what the system knows it by, and the id that we left in it, or ""."""

    path: str
    device: int
    inode: int
    id: str

    def same(self, other: "Place") -> bool:
        """Return whether two of them, one of them noted earlier, are one folder.

        Devices may be numbered anew when the machine starts; then the path has to be the same.
        """
        if self.inode != other.inode:
            return False
        return self.path == other.path or (self.device == other.device and self.id == other.id != "")


def standing(commondir: Path, *, with_id: bool = True) -> Place:
    """Return the folder of a workspace as it is now; without its id no database is opened."""
    spot = commondir.resolve()
    root = spot.parent if spot.name == ".git" else spot
    status = root.stat()
    return Place(str(spot), status.st_dev, status.st_ino, _id(spot) if with_id else "")


def folder(commondir: Path, environ: Mapping[str, str]) -> Path:
    """Return the folder of one workspace below `$XDG_STATE_HOME/clawgit`; it need not be there yet."""
    usual = _usual(commondir, environ)
    if (noted := _noted(usual)) and noted.same(standing(commondir, with_id=False)):
        return usual
    now = standing(commondir)
    moved = next((one for one, noted in _all(usual.parent) if noted.same(now)), None)
    # The usual one may belong to what lay there before.
    others = (usual.with_name(f"{usual.name}-{now.inode}-{number}") for number in itertools.count())
    return moved or next(one for one in itertools.chain([usual], others) if not os.path.lexists(one / _PLACE))


def note(commondir: Path, where: Path) -> None:
    """Note in `where`, the folder of a workspace, which folder that is now. Raises OSError and ClawgitError."""
    now = standing(commondir)
    known = _noted(where)
    if known == now and now.id:
        return
    if not now.id or known is None:
        # An id that came with a copy goes.
        StateStore(commondir.resolve() / "clawgit").save_document(WORKSPACE_ID, os.urandom(16).hex())
        now = standing(commondir)
    regular_file.save_state(where / _PLACE, now)


def replaced(commondir: Path, environ: Mapping[str, str]) -> Path | None:
    """Return the folder of approvals of what lay at this path before, where another folder lies there now."""
    usual, now = _usual(commondir, environ), standing(commondir)
    if (noted := _noted(usual)) and noted.path == now.path and not noted.same(now):
        return usual
    return next((one for one, noted in _all(usual.parent) if noted.path == now.path and not noted.same(now)), None)


def _usual(commondir: Path, environ: Mapping[str, str]) -> Path:
    """Return the folder that is named by where the workspace lies."""
    place = commondir.resolve()
    name = (place.parent if place.name == ".git" else place).name
    home = environ.get("XDG_STATE_HOME") or str(Path(environ.get("HOME") or Path.home()) / ".local" / "state")
    return Path(home) / "clawgit" / f"{name}-{hashlib.sha256(os.fsencode(place)).hexdigest()[:12]}"


def _all(home: Path) -> Iterator[tuple[Path, Place]]:
    """Yield what is noted of every workspace."""
    with contextlib.suppress(OSError):
        for one in sorted(home.iterdir()):
            if noted := _noted(one):
                yield one, noted


def _noted(where: Path) -> Place | None:
    """Return which folder it was when that was noted, None where nothing is, or nothing legible."""
    return regular_file.parse_state(where / _PLACE, Place)


def _id(commondir: Path) -> str:
    with contextlib.suppress(ClawgitError):
        return StateStore(commondir / "clawgit").read_document(WORKSPACE_ID, str) or ""
    return ""
