"""The operator's approvals, and programs that others placed.

clawgit runs none of them, but git does, for any user who commits or looks here, and OpenClaw loads skills and hooks:
programs that came since the first look are reported until the operator has seen them. Filters are separate, since git
waits for the operator to accept them.
"""

import contextlib
import hashlib
import itertools
import json
import os
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from msgspec import Struct, convert, field, to_builtins
from msgspec.structs import replace

from clawgit import file_roles
from clawgit.errors import ClawgitError, Command, file_unwritable, find_disk_error
from clawgit.git import foreign_programs, paths, regular_file, repository
from clawgit.git.git_command import git
from clawgit.git.repository import Oid, Repository
from clawgit.store.database import WORKSPACE_ID, StateStore
from clawgit.text.entry import new_id
from clawgit.text.tokens import count
from clawgit.workspace.commit_message import list_names

T = TypeVar("T")


class Approved(Struct, frozen=True):
    """The approvals of one identity file.

    `text` is the approved text (None: no file), by the operator or since by the policy; `said` the one that the
    operator himself approved: its lines are the protected ones. `earlier` are the blobs that were approved before,
    oldest first: a checkout of the past may bring them back.
    """

    text: str | None
    said: str | None
    earlier: tuple[Oid, ...] = ()

    def succeeded(self, text: str | None, own_text: str | None) -> "Approved":
        """Return the approvals after `text` is approved in place of this."""
        past = () if self.text is None or self.text == text else (repository.hash_blob(self.text.encode()),)
        return Approved(text, own_text, tuple(dict.fromkeys((*self.earlier, *past))))


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


class _SavedTrust(Trust, frozen=True):
    """The file of the approvals, with the place of the repository, and the workspace's number in its file system.

    A deleted folder leaves its number to the next one: elsewhere `id` tells the two apart, which is in `state.db`, too.
    """

    workspace: str = ""
    inode: int = 0
    id: str = ""


class _OldPlace(Struct, frozen=True):
    inode: int = 0


_FILE, _UNATTENDED = "trust.json", "unattended.jsonl"
_POLICY, _STRICT = "soul_policy", ("review", "locked")


class TrustStore:
    """The folder of one workspace below `$XDG_STATE_HOME/clawgit`, out of reach of writers to the workspace.

    Programs of the operator can write there, too; a program that only writes to the workspace cannot. It belongs to one
    folder, wherever that is moved: another one in its place has no approvals.
    """

    def __init__(self, commondir: Path, environ: Mapping[str, str]) -> None:
        self._commondir = commondir.resolve()
        self._root = _find_root(self._commondir)
        home = environ.get("XDG_STATE_HOME") or str(Path(environ.get("HOME") or Path.home()) / ".local" / "state")
        digest = hashlib.sha256(os.fsencode(self._commondir)).hexdigest()[:12]
        self._usual = Path(home) / "clawgit" / f"{self._root.name}-{digest}"

    @cached_property
    def folder(self) -> Path:
        """Its folder, which need not be there yet."""
        inode = _read_inode(self._root)
        for home in (self._usual, *regular_file.list_folder(self._usual.parent)):
            saved = regular_file.parse_state(home / _FILE, _SavedTrust)
            if saved and saved.inode == inode:
                is_moved = saved.id == self._read_id() and inode != _read_inode(_find_root(Path(saved.workspace)))
                if home == self._usual or is_moved:
                    return home
        return self._usual

    @property
    def file(self) -> Path:
        """The file of the approvals."""
        return self.folder / _FILE

    def readable(self) -> Trust:
        """Return the approvals; none if unreadable: a damaged file approves nothing.

        If another folder took the place of the approved one, its stricter policy applies, and no approval.
        """
        saved = regular_file.parse_state(self.file, _SavedTrust) or _SavedTrust()
        # Until 0.3 the number was in a file of its own.
        old_place = None if saved.inode else regular_file.parse_state(self.folder / "place.json", _OldPlace)
        if (old_place or saved).inode == _read_inode(self._root):
            return Trust(saved.known, saved.files, saved.config, saved.command_files)
        policy = saved.config.get(_POLICY)
        return Trust(config={_POLICY: policy}) if policy in _STRICT else Trust()

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
        self._change(lambda _: convert(document, Trust))

    def begin(self, texts: Mapping[str, str | None]) -> None:
        """Record that the operator approved these files, and no other; a stricter policy of this place goes on."""
        files = {path: Approved(text, text) for path, text in texts.items()}

        def begin_anew(old: Trust) -> Trust:
            return Trust(known=True, files=files, config={key: old.config[key] for key in old.config if key == _POLICY})

        self._change(begin_anew)

    def follow(self, texts: Mapping[str, str | None], former: Mapping[str, str | None] = MappingProxyType({})) -> None:
        """Record changes of these files under the policy; the operator's own approvals remain.

        `former` is the former content, by path, of the files that the operator himself changed: lines that he removed
        are no longer his, and a file with nothing but his lines is all his.
        """

        def grow_files(old: Trust) -> Trust:
            grow = {path: partial(_grow, text=text, former=former.get(path, text)) for path, text in texts.items()}
            files = {**old.files, **{path: change(old.of(path)) for path, change in grow.items()}}
            return replace(old, files=files) if old.known else old

        if texts:
            self._change(grow_files)

    def pin(self, config: Mapping[str, Any], command_files: Mapping[str, Mapping[str, str]] | None = None) -> None:
        """Record values of CONFIG.md that apply at once: stricter than those before, or typed by the operator."""
        if config:
            self._change(lambda old: old.with_config(config, command_files or {}))

    def note_unattended(self, act: str, time: datetime) -> None:
        """Note that something was approved without a terminal, for the digest. Best effort."""
        with contextlib.suppress(OSError):
            self._make_folder()
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

    def _change(self, change: Callable[[Trust], Trust]) -> None:
        """Replace the file by the result of `change`, if that is another one."""
        try:
            with self._locked():
                old = self.readable()
                new = change(old)
                if new != old:
                    with contextlib.suppress(ClawgitError):
                        StateStore(self._commondir / "clawgit").save_document(WORKSPACE_ID, self._read_id() or new_id())
                    place = {"workspace": str(self._commondir), "inode": _read_inode(self._root), "id": self._read_id()}
                    document = {**place, **to_builtins(new)}
                    text = json.dumps(document, ensure_ascii=False, indent=1, default=str)
                    regular_file.replace_state(self.file, text.encode(), durable=True)
        except OSError as exc:
            raise find_disk_error(exc, self.folder) or file_unwritable(
                f"what was approved cannot be kept: {exc.filename}: {exc.strerror}",
                fix=Command("mkdir -p {} && ls -ld {}", self.folder, self.folder),
            ) from exc

    def _read_id(self) -> str:
        with contextlib.suppress(ClawgitError):
            return StateStore(self._commondir / "clawgit").read_document(WORKSPACE_ID, str) or ""
        return ""

    def _make_folder(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        self._make_folder()
        with regular_file.lock_file(self.folder / "lock"):
            yield


def _find_root(commondir: Path) -> Path:
    return commondir.parent if commondir.name == ".git" else commondir


def _read_inode(root: Path) -> int:
    """Return the number of a folder in its file system, 0 if it is gone."""
    with contextlib.suppress(OSError):
        return root.stat().st_ino
    return 0


def _grow(old: Approved, text: str | None, former: str | None) -> Approved:
    """Return the approvals of a file with the new `text`, made by the operator's change of `former`."""
    if former == text or old.said is None or former is None:
        return old.succeeded(text, text if former != text and former == old.said else old.said)
    if text is None or former == old.said:
        return old.succeeded(text, text)
    removed_lines = {*map(str.strip, former.split("\n"))} - {"", *map(str.strip, text.split("\n"))}
    return old.succeeded(text, "\n".join(row for row in old.said.split("\n") if row.strip() not in removed_lines))


FILE = "programs.json"
_LARGEST = 1 << 20
_SAMPLE = ".sample"
_SUBMODULES = ".gitmodules"
"""It names repositories that git fetches into the workspace, and what it does with them."""
_REPLACE_REFS = "refs/replace"
"""There git finds objects that it shows in the place of others."""
_ALTERNATES = "objects/info/alternates"
"""It names folders outside from which git takes objects: whoever has one can take history away."""
_EXTENSIONS = "./"
"""Begins the names of the workspace's own files, which git's hooks cannot have."""
_PLACES = ("skills", ".agents/skills", "hooks", "extensions", ".openclaw/hooks", ".openclaw/extensions")
_SETTINGS = (".env", ".envrc", ".mcp.json", ".npmrc", ".claude/settings.json", ".cursorrules")
"""What programs that are started in the workspace go by."""
_DESCRIBED = ("SKILL.md", "HOOK.md", "package.json", "openclaw.plugin.json")
_PASSED_OVER = frozenset({"node_modules", "__pycache__", ".git", ".venv"})
_MAX_DEPTH, _MAX_FILES = 3, 2_000


def list_arrived(repo: Repository, notes: TrustStore) -> dict[str, str]:
    """Return the programs that nobody has seen in this form, by name, with the fingerprint of each.

    There are none before the first record. A name is a hook's, as "hooks/pre-commit", a key of the configuration, as
    "core.pager", a file of git's, or a file of the workspace, as "./skills/mail/SKILL.md".
    """
    old_prints = _read_known_programs(notes)
    programs = sorted(_hash_programs(repo).items()) if old_prints is not None else []
    return {name: digest for name, digest in programs if digest and (old_prints or {}).get(name) != digest}


def record_first_programs(repo: Repository, notes: TrustStore) -> None:
    """Record the present programs, before the first record. Best effort: a full disk stops nobody."""
    if _read_known_programs(notes) is None:
        record_programs(notes, _hash_programs(repo))


def note_ours(repo: Repository, notes: TrustStore, names: Collection[str]) -> None:
    """Record the programs of these names as they are; nothing before the first record."""
    if _read_known_programs(notes) is not None:
        record_programs(notes, {name: digest for name, digest in _hash_programs(repo).items() if name in names})


def record_programs(notes: TrustStore, programs: Mapping[str, str]) -> None:
    """Record these programs as seen, with their fingerprints; others are still to be reported."""
    notes.keep_note(FILE, {**(_read_known_programs(notes) or {}), **programs})


def list_paths(came: Collection[str]) -> tuple[str, ...]:
    """Return the names as the operator knows them: files of the workspace by their paths."""
    return tuple(name.removeprefix(_EXTENSIONS) for name in came)


def describe_programs(came: Collection[str]) -> str:
    """Return a sentence on programs of these names."""
    pronoun = "it" if len(came) == 1 else "them"
    names = list_names(list_paths(came))
    return f"{names} came since you last looked: git, OpenClaw or its agent may run {pronoun} or go by {pronoun}"


def _hash_programs(repo: Repository) -> dict[str, str]:
    """Return the fingerprint of each program, by name."""
    settings = foreign_programs.list_own_programs(repo.root).items()
    texts = {key: value.encode("utf-8", "surrogateescape") for key, value in settings if not key.startswith("filter.")}
    # With these fields git looks for no object: one that is missing would be an error.
    fields = ("--format=%(objectname) %(refname)", "--sort=objectname")
    texts[_REPLACE_REFS] = git(repo.root, "for-each-ref", *fields, _REPLACE_REFS).strip()
    # Git runs no hook that is not executable, and its samples are not named as hooks.
    hooks = [file for file in regular_file.list_folder(repo.commondir / "hooks") if not file.name.endswith(_SAMPLE)]
    files = {f"hooks/{hook.name}": hook for hook in hooks if os.access(hook, os.X_OK) and not hook.is_dir()}
    files |= {_SUBMODULES: repo.root / _SUBMODULES, _ALTERNATES: repo.commondir / _ALTERNATES}
    files |= {f"{_EXTENSIONS}{path}": repo.root / path for path in filter(paths.is_text, _list_extensions(repo.root))}
    return {
        **{name: hashlib.sha256(text).hexdigest() for name, text in texts.items() if text},
        **{name: _hash_program_file(file) for name, file in files.items()},
    }


def _list_extensions(root: Path) -> Iterator[str]:
    """Yield the settings, skills and scripts, so many at most; a skill or hook may be a link to its folder."""
    yield from _SETTINGS
    items = itertools.chain.from_iterable(regular_file.list_folder(root / place) for place in _PLACES)
    programs = (item for item in items if item.name not in _PASSED_OVER)
    files = itertools.chain.from_iterable((item, *_list_program_files(item)) for item in programs)
    for file in itertools.islice(files, _MAX_FILES):
        # False below a folder that may not be entered, where `is_dir` raises.
        is_program = file.name in _DESCRIBED or file.name.endswith(file_roles.SCRIPTS) or os.access(file, os.X_OK)
        if is_program and not os.path.isdir(file):  # noqa: PTH112
            yield file.relative_to(root).as_posix()


def _list_program_files(item: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(item):
        is_deep = len(Path(folder).parts) - len(item.parts) >= _MAX_DEPTH
        folders[:] = [] if is_deep else sorted(name for name in folders if name not in _PASSED_OVER)
        yield from (Path(folder, name) for name in sorted(names))


def _hash_program_file(place: Path) -> str:
    """Return the fingerprint of a file, "" if there is none."""
    try:
        return hashlib.sha256(regular_file.read_regular_file(place, _LARGEST)).hexdigest()
    except FileNotFoundError:
        return ""
    except OSError:
        return "unreadable"


def _read_known_programs(notes: TrustStore) -> dict[str, str] | None:
    """Return the record, None if there is none; one that cannot be read is empty, so that all is reported."""
    return notes.read_note(FILE, dict[str, str], {})
