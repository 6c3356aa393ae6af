"""Keeps what the operator approved, outside the workspace."""

import contextlib
import fcntl
import json
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from clawgit.errors import ClawgitError, quoted
from clawgit.git.programs import Program
from clawgit.git.repository import Oid
from clawgit.workspace.trust import place
from clawgit.workspace.trust.trust import Approved, Trust

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
        return place.folder(self._commondir, self._environ)

    @property
    def file(self) -> Path:
        """The file that holds what was approved."""
        return self.folder / _FILE

    def read(self) -> Trust:
        """Return what was approved; nothing where there is no such file. Raises ClawgitError for a damaged one."""
        try:
            return _trust(json.loads(self.file.read_bytes()))
        except FileNotFoundError:
            return Trust()
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as exc:
            raise ClawgitError(
                f"{self.file} cannot be read: {exc}", fix=f"rm {quoted(self.file)} && clawgit trust"
            ) from exc

    def readable(self) -> Trust:
        """Return what was approved; nothing where that cannot be read: what is damaged approves nothing.

        Where another folder took the place of one that was approved, its stricter policy holds, and no approval.
        """
        with contextlib.suppress(ClawgitError):
            found = self.read()
            return found if found.known else replace(found, config={**self._policy_here(), **found.config})
        return Trust()

    def _policy_here(self) -> dict[str, Any]:
        """Return the policy of what lay at this path before, where that let less through than the usual one."""
        before = place.replaced(self._commondir, self._environ)
        with contextlib.suppress(OSError, ValueError, TypeError, KeyError, AttributeError):
            said = _trust(json.loads((before / _FILE).read_bytes())).config.get(_POLICY) if before else None
            return {_POLICY: said} if said in _STRICT else {}
        return {}

    def not_inherited(self) -> str:
        """Return whose approvals do not count here, as the end of a sentence."""
        if place.replaced(self._commondir, self._environ):
            return "the folder that you approved is gone, and this one took its place, from a backup perhaps"
        original = place.original(self._commondir, self._environ)
        if original:
            return f"it is a copy of {Path(original).parent}, and inherits no approvals"
        return "a clone or a copy inherits no approvals"

    def follow_folder(self) -> None:
        """Note where the workspace lies now, so that its approvals are found wherever it is moved. Best effort."""
        with contextlib.suppress(OSError):
            if self.file.exists():
                place.note(self._commondir, self.folder)

    def approve(self, texts: Mapping[str, str | None], config: Mapping[str, Any] | None = None) -> None:
        """Note that the operator approved these files (None: that there is none), and values of CONFIG.md."""

        def approved(old: Trust) -> Trust:
            said = {path: _known(old, path).succeeded(text, text) for path, text in texts.items()}
            return replace(old, known=True, files={**old.files, **said}, config={**old.config, **(config or {})})

        self._change(approved)

    def accept_programs(self, accepted: Iterable[Program]) -> None:
        """Note that git may run exactly these commands; an earlier command of the same name counts no longer."""
        new = {one.fingerprint: (one.key, one.value) for one in accepted}
        keys = {key for key, _ in new.values()}
        if new:
            self._change(lambda old: replace(old, programs={**_others(old.programs, keys), **new}))

    def begin(self, texts: Mapping[str, str | None]) -> None:
        """Note that the operator approved these files, and forget whatever was known of a workspace at this place."""
        self._change(lambda _: Trust(known=True, files={path: Approved(text, text) for path, text in texts.items()}))

    def follow(self, texts: Mapping[str, str | None]) -> None:
        """Note that these files changed at a low grade; what the operator said remains. Best effort, as for `ask`."""
        self._adjust({path: partial(_grown_to, text=text) for path, text in texts.items()})

    def ask(self, blobs: Mapping[str, tuple[Oid, ...]]) -> None:
        """Note which blobs a caller's command puts into these files without approval."""
        self._adjust({path: partial(replace, asked=oids[-_ASKED:]) for path, oids in blobs.items()})

    def pin(self, config: Mapping[str, Any]) -> None:
        """Note values of CONFIG.md that hold at once: stricter than those before, or typed by the operator."""
        if config:
            self._change(lambda old: replace(old, config={**old.config, **config}))

    def note_unattended(self, act: str, when: datetime) -> None:
        """Note that something was approved without a terminal, for the digest. Best effort."""
        with contextlib.suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True, mode=_PRIVATE)
            handle = os.open(self._unattended, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(json.dumps({"act": act, "when": when.isoformat()}) + "\n")

    def unattended(self, since: datetime) -> Iterator[tuple[str, datetime]]:
        """Yield what was approved without a terminal after a moment, and when."""
        with contextlib.suppress(OSError):
            for row in self._unattended.read_text("utf-8", "replace").splitlines():
                with contextlib.suppress(ValueError, KeyError, TypeError):
                    known = json.loads(row)
                    when = datetime.fromisoformat(known["when"]).astimezone()
                    if when > since:
                        yield str(known["act"]), when

    @property
    def _unattended(self) -> Path:
        return self.folder / "unattended.jsonl"

    def forget(self) -> None:
        """Take away the folder."""
        place.forget(self.folder)

    def _adjust(self, changes: Mapping[str, Callable[[Approved], Approved]]) -> None:
        if not changes:
            return

        def changed(old: Trust) -> Trust | None:
            files = {path: change(_known(old, path)) for path, change in changes.items()}
            same = all(old.files.get(path) == one for path, one in files.items())
            return None if same or not old.known else replace(old, files={**old.files, **files})

        self._change(changed)

    def _change(self, change: Callable[[Trust], Trust | None]) -> None:
        """Replace the file by what `change` makes of it; None leaves it."""
        try:
            with self._locked():
                new = change(self.readable())
                if new is not None:
                    self._write(new)
        except OSError as exc:
            raise ClawgitError(
                f"what was approved cannot be kept: {exc.filename}: {exc.strerror}",
                fix=f"mkdir -p {quoted(self.folder)} && ls -ld {quoted(self.folder)}",
            ) from exc

    def _write(self, trust: Trust) -> None:
        document = {"workspace": str(self._commondir.resolve()), **to_builtins(trust)}
        temporary = self.folder / f"trust.{os.urandom(4).hex()}.tmp"
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(document, file, ensure_ascii=False, indent=1, default=str)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(self.file)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        self.folder.mkdir(parents=True, exist_ok=True, mode=_PRIVATE)
        handle = os.open(self.folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            place.note(self._commondir, self.folder)
            yield
        finally:
            os.close(handle)


def _others(programs: Mapping[str, tuple[str, str]], keys: Collection[str]) -> dict[str, tuple[str, str]]:
    return {name: (key, value) for name, (key, value) in programs.items() if key not in keys}


def accepted_programs(commondir: Path) -> frozenset[str]:
    """Return the fingerprints of the programs that the operator accepted for the repository at `commondir`."""
    return frozenset(TrustStore(commondir, os.environ).readable().programs)


def _known(trust: Trust, path: str) -> Approved:
    return trust.files.get(path, Approved(None, None))


def _grown_to(old: Approved, text: str | None) -> Approved:
    return old.succeeded(text, old.said)


def _trust(known: Mapping[str, Any]) -> Trust:
    files = {
        str(path): Approved(
            _text(one["text"]),
            _text(one["said"]),
            tuple(map(str, one["asked"])),
            tuple(map(str, one.get("earlier", ()))),
        )
        for path, one in known["files"].items()
    }
    programs = {str(name): (str(key), str(value)) for name, (key, value) in known.get("programs", {}).items()}
    return Trust(bool(known["known"]), files, dict(known["config"]), programs)


def _text(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    raise TypeError(f"{value!r} is no text")
