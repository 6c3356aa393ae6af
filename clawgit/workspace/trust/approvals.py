"""The operator's approvals, kept outside the workspace."""

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
from msgspec.structs import replace

from clawgit.errors import ClawgitError, Command, file_unwritable, find_disk_error
from clawgit.git import regular_file, repository
from clawgit.git.repository import Oid
from clawgit.store.database import WORKSPACE_ID, StateStore
from clawgit.text.tokens import count

T = TypeVar("T")


class Approved(Struct, frozen=True):
    """The approvals of one identity file.

    `text` is the approved text (None: no file), by the operator or since by the policy; `said` the one that the
    operator himself approved: its lines are the protected ones. `asked` are the blobs that a command put there at its
    caller's request, against the policy: they stay, and are not approved. `earlier` are the blobs that were approved
    before, oldest first: a checkout of the past may bring them back.
    """

    text: str | None
    said: str | None
    asked: tuple[Oid, ...] = ()
    earlier: tuple[Oid, ...] = ()

    def succeeded(self, text: str | None, own_text: str | None) -> "Approved":
        """Return the approvals after `text` is approved in place of this."""
        past = () if self.text is None or self.text == text else (repository.hash_blob(self.text.encode()),)
        return Approved(text, own_text, (), tuple(dict.fromkeys((*self.earlier, *past))))


class Trust(Struct, frozen=True):
    """The operator's approvals of one workspace; `known` is False before the first one.

    `files` are by path; `config` are the trusted values of CONFIG.md's pinned keys. `command_files` are the hashes of
    the workspace's files that trusted commands of CONFIG.md name, by key.
    """

    known: bool = False
    files: Mapping[str, Approved] = field(default_factory=dict)
    config: Mapping[str, Any] = field(default_factory=dict)
    command_files: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def with_config(self, config: Mapping[str, Any], files: Mapping[str, Mapping[str, str]]) -> "Trust":
        """Return it with these values of CONFIG.md trusted, and the files of their commands."""
        other_files = {name: hashes for name, hashes in self.command_files.items() if name not in config}
        return replace(self, config={**self.config, **config}, command_files={**other_files, **files})

    def approved(self, path: str) -> str | None:
        """Return the approved text of a file, None for no file."""
        return self.of(path).text

    def approves(self, path: str, text: str | None) -> bool:
        """Return whether `text` (None: no file) is approved."""
        return self.known and text == self.approved(path)

    def admits(self, path: str, text: str | None) -> bool:
        """Return whether `text` may stay in a file: it is approved, or a caller asked for it."""
        if self.approves(path, text):
            return True
        requested_oids = self.of(path).asked
        return text is not None and bool(requested_oids) and repository.hash_blob(text.encode()) in requested_oids

    def said(self, path: str) -> str | None:
        """Return the text of a file that the operator himself approved, None for no file."""
        return self.of(path).said

    def of(self, path: str) -> Approved:
        """Return the approvals of a file; empty ones for an unapproved file."""
        return self.files.get(path, Approved(None, None))

    def cap(self, path: str, tokens: int) -> int:
        """Return the token limit of a file: `tokens`, or so many on top of a larger approved text."""
        size = count(self.said(path) or "")
        return tokens if size <= tokens else size + tokens


class Place(Struct, frozen=True):
    """The folder of a workspace: its path, its identity in the system, and the id that we left in it, or ""."""

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


_FILE, _PLACE, _UNATTENDED = "trust.json", "place.json", "unattended.jsonl"
_POLICY, _STRICT = "soul_policy", ("review", "locked")
_PRIVATE = 0o700
_MAX_ASKED_BLOBS = 2  # what stood there, and what was to stand there when a write was interrupted


class TrustStore:
    """The folder of one workspace below `$XDG_STATE_HOME/clawgit`, out of reach of writers to the workspace.

    Programs of the operator can write there, too; a program that only writes to the workspace cannot.
    """

    def __init__(self, commondir: Path, environ: Mapping[str, str]) -> None:
        self._commondir = commondir.resolve()
        self._root = self._commondir.parent if self._commondir.name == ".git" else self._commondir
        home = environ.get("XDG_STATE_HOME") or str(Path(environ.get("HOME") or Path.home()) / ".local" / "state")
        digest = hashlib.sha256(os.fsencode(self._commondir)).hexdigest()[:12]
        self._usual = Path(home) / "clawgit" / f"{self._root.name}-{digest}"

    @cached_property
    def folder(self) -> Path:
        """Its folder, which need not be there yet: looked up once, since it stays while the workspace is moved."""
        now, usual = self._find_place(), self._usual
        # The usual one may belong to what lay there before.
        others = (usual.with_name(f"{usual.name}-{now.inode}-{number}") for number in itertools.count())
        unused = (option for option in itertools.chain([usual], others) if not os.path.lexists(option / _PLACE))
        return next((home for home, place in self._list_noted() if place.same(now)), None) or next(unused)

    @property
    def file(self) -> Path:
        """The file of the approvals."""
        return self.folder / _FILE

    def readable(self) -> Trust:
        """Return the approvals; none if unreadable: a damaged file approves nothing.

        If another folder took the place of the approved one, its stricter policy applies, and no approval.
        """
        trust = regular_file.parse_state(self.file, Trust) or Trust()
        before = None if trust.known else self._find_replaced()
        old_trust = regular_file.parse_state(before / _FILE, Trust) if before else None
        policy = old_trust.config.get(_POLICY) if old_trust else None
        return replace(trust, config={_POLICY: policy, **trust.config}) if policy in _STRICT else trust

    def follow_folder(self) -> None:
        """Record the present place of the workspace, so that its approvals are found after a move. Best effort."""
        with contextlib.suppress(OSError, ClawgitError):
            if self.file.exists():
                self._note_place()

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
            new_files = {path: old.of(path).succeeded(text, text) for path, text in texts.items()}
            new_trust = replace(old, known=True, files={**old.files, **new_files})
            return new_trust.with_config(config or {}, command_files or {})

        self._change(approved)

    def take(self, document: Mapping[str, Any]) -> None:
        """Record the operator's approvals of another clone."""
        new_trust = convert(document, Trust)
        self._change(lambda _: new_trust)

    def begin(self, texts: Mapping[str, str | None]) -> None:
        """Record that the operator approved these files, and forget any former workspace at this place."""
        self._change(lambda _: Trust(known=True, files={path: Approved(text, text) for path, text in texts.items()}))

    def follow(self, texts: Mapping[str, str | None], former: Mapping[str, str | None] = MappingProxyType({})) -> None:
        """Record changes of these files under the policy; the operator's own approvals remain. Best effort, as `ask`.

        `former` is the former content, by path, of the files that the operator himself changed: lines that he removed
        are no longer his, and a file with nothing but his lines is all his.
        """
        self._adjust({path: partial(_grow, text=text, former=former.get(path, text)) for path, text in texts.items()})

    def ask(self, blobs: Mapping[str, tuple[Oid, ...]]) -> None:
        """Note which blobs a caller's command puts into these files without approval."""
        self._adjust({path: partial(replace, asked=oids[-_MAX_ASKED_BLOBS:]) for path, oids in blobs.items()})

    def pin(self, config: Mapping[str, Any], command_files: Mapping[str, Mapping[str, str]] | None = None) -> None:
        """Record values of CONFIG.md that apply at once: stricter than those before, or typed by the operator."""
        if config:
            self._change(lambda old: old.with_config(config, command_files or {}))

    def note_unattended(self, act: str, time: datetime) -> None:
        """Note that something was approved without a terminal, for the digest. Best effort."""
        with contextlib.suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True, mode=_PRIVATE)
            regular_file.append_rows(self.folder / _UNATTENDED, ({"act": act, "when": time.isoformat()},))

    def unattended(self, since: datetime) -> Iterator[tuple[str, datetime]]:
        """Yield the approvals without a terminal after a moment, with their times."""
        for row in regular_file.parse_rows(self.folder / _UNATTENDED, dict[str, str]):
            time = datetime.fromisoformat(row["when"]).astimezone()
            if time > since:
                yield row["act"], time

    def read_note(self, name: str, schema: type[T], damaged: T) -> T | None:
        """Return the content of a file of this name beside the approvals, None if there is none."""
        note = regular_file.parse_state(self.folder / name, schema)
        return damaged if note is None and os.path.lexists(self.folder / name) else note

    def keep_note(self, name: str, value: object) -> None:
        """Keep a value in a file of this name beside the approvals. Best effort."""
        with contextlib.suppress(OSError), self._locked():
            regular_file.save_state(self.folder / name, value)

    def _adjust(self, changes: Mapping[str, Callable[[Approved], Approved]]) -> None:
        def adjusted(old: Trust) -> Trust:
            files = {**old.files, **{path: change(old.of(path)) for path, change in changes.items()}}
            return replace(old, files=files) if old.known else old

        if changes:
            self._change(adjusted)

    def _change(self, change: Callable[[Trust], Trust]) -> None:
        """Replace the file by the result of `change`, if that is another one."""
        try:
            with self._locked():
                old = self.readable()
                new = change(old)
                if new != old:
                    document = {"workspace": str(self._commondir), **to_builtins(new)}
                    text = json.dumps(document, ensure_ascii=False, indent=1, default=str)
                    regular_file.replace_state(self.file, text.encode(), durable=True)
        except OSError as exc:
            raise find_disk_error(exc, self.folder) or file_unwritable(
                f"what was approved cannot be kept: {exc.filename}: {exc.strerror}",
                fix=Command("mkdir -p {} && ls -ld {}", self.folder, self.folder),
            ) from exc

    @contextmanager
    def _locked(self) -> Iterator[None]:
        self.folder.mkdir(parents=True, exist_ok=True, mode=_PRIVATE)
        with regular_file.locked(self.folder / "lock"):
            self._note_place()
            yield

    def _note_place(self) -> None:
        """Note which folder that of the workspace is now. Raises OSError and ClawgitError."""
        now, old_place = self._find_place(), regular_file.parse_state(self.folder / _PLACE, Place)
        if old_place == now and now.id:
            return
        if not now.id or old_place is None:
            # An id that came with a copy goes.
            StateStore(self._commondir / "clawgit").save_document(WORKSPACE_ID, os.urandom(16).hex())
            now = self._find_place()
        regular_file.save_state(self.folder / _PLACE, now)

    def _find_place(self) -> Place:
        status, identity = self._root.stat(), ""
        with contextlib.suppress(ClawgitError):
            identity = StateStore(self._commondir / "clawgit").read_document(WORKSPACE_ID, str) or ""
        return Place(str(self._commondir), status.st_dev, status.st_ino, identity)

    def _find_replaced(self) -> Path | None:
        """Return the folder of approvals of the former folder at this path, if there is another one now."""
        now = self._find_place()
        homes = (home for home, place in self._list_noted() if place.path == now.path and not place.same(now))
        return next(homes, None)

    def _list_noted(self) -> Iterator[tuple[Path, Place]]:
        """Yield the folders with the place of a workspace, the usual one first."""
        for home in itertools.chain([self._usual], regular_file.list_folder(self._usual.parent)):
            if place := regular_file.parse_state(home / _PLACE, Place):
                yield home, place


def _grow(old: Approved, text: str | None, former: str | None) -> Approved:
    """Return the approvals of a file with the new `text`, made by the operator's change of `former`."""
    if former == text or old.said is None or former is None:
        return old.succeeded(text, text if former != text and former == old.said else old.said)
    if text is None or former == old.said:
        return old.succeeded(text, text)
    removed_lines = {*map(str.strip, former.split("\n"))} - {"", *map(str.strip, text.split("\n"))}
    return old.succeeded(text, "\n".join(row for row in old.said.split("\n") if row.strip() not in removed_lines))
