"""The values of CONFIG.md."""

import codecs
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, cast
from zoneinfo import ZoneInfo

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit import file_roles
from clawgit.errors import Advice, ClawgitError, Command, Fix, file_unreadable, setting_invalid
from clawgit.git import foreign_programs, history, regular_file, repository
from clawgit.git.repository import Repository
from clawgit.text import markdown_settings, yaml_reader
from clawgit.text.confidence import Rules
from clawgit.text.spelling import nearest
from clawgit.workspace import settings
from clawgit.workspace.approvals import Trust
from clawgit.workspace.change import Change, Edit
from clawgit.workspace.commit_message import shorten
from clawgit.workspace.settings import Key

_MAX_EARLIER_VERSIONS = 100
_TITLE = "# Config\n"

Policy = Literal["evolve", "review", "locked"]


class Trusted(Struct, frozen=True):
    """The values that the operator trusts: how to read them, and the folder of the files that commands name."""

    read: Callable[[], Trust]
    root: Path


class Shown(Struct, frozen=True):
    """The state of one key: `line` is None for the default, `problem` is the reason that a value cannot be used.

    `untrusted` is the file's value, if it permits more than the operator trusts: `files` are then the hashes of the
    workspace's files that it names as a command, `changed` those that differ from an approved command's.
    """

    key: Key
    value: Any
    line: int | None
    problem: ClawgitError | None
    untrusted: Any = None
    files: Mapping[str, str] = field(default_factory=dict)
    changed: tuple[str, ...] = ()


class Config(Struct, frozen=True, dict=True):
    """The settings of the first yaml block of CONFIG.md; `first` is the line of the file that the block begins on.

    Every value raises ClawgitError with file:line when it, or the block, or the whole file (`unreadable`), cannot be
    used. `text` is that of the file: further blocks, and keys outside of all, do not count. `trusted` are the pinned
    keys that the operator trusts (None: nothing). `is_lenient`: a bad value, or a bad block, counts as the default.
    """

    block: str = ""
    first: int = 1
    text: str = ""
    unreadable: ClawgitError | None = None
    trusted: Trusted | None = None
    is_lenient: bool = False

    @property
    def zone(self) -> ZoneInfo | None:
        """The operator's time zone; None is the system's."""
        name = self.value("timezone")
        return ZoneInfo(name) if name else None

    @property
    def captured_globs(self) -> tuple[str, ...]:
        """Globs of files beyond the usual that are captured."""
        return tuple(str(glob) for glob in self.value("capture"))

    @property
    def soul_policy(self) -> Policy:
        """The policy for changes of the identity; if the block is unreadable, the last trusted one."""
        try:
            return cast("Policy", self.value("soul_policy"))
        except ClawgitError:
            return cast("Policy", self._pinned(settings.KEYS["soul_policy"]))

    @property
    def confidence(self) -> Rules:
        """How confidence grows and fades (spec §8)."""
        names = ("boost_per_mention", "decay_amount", "decay_interval_days", "floor")
        boost, decay, interval, floor = (self.value(f"confidence_{name}") for name in names)
        return Rules(boost=boost, decay=decay, interval_days=interval, floor=floor)

    def value(self, name: str) -> Any:
        """Return the value of a key, or its default."""
        setting = self.shown(settings.KEYS[name])
        if setting.problem:
            raise setting.problem
        return setting.value

    def shown(self, key: Key) -> Shown:
        """Return the state of a key. Raises ClawgitError only when the whole block cannot be read."""
        setting = self.written(key)
        if key.looser is None or setting.problem:
            return setting
        trusted = self._pinned(key)
        if key.runs:
            return self._runnable(setting, trusted)
        is_looser = key.looser(trusted, setting.value)
        return replace(setting, value=trusted, untrusted=setting.value) if is_looser else setting

    def _runnable(self, setting: Shown, trusted: Any) -> Shown:
        """Return the state of a command: a trusted one counts with its files as they were trusted."""
        key, value = setting.key, setting.value
        now, before = self._hash_files(key, trusted), self._trust.command_files.get(key.name, {})
        names = sorted(now.keys() | before.keys()) if value == trusted else ()
        changed = tuple(
            name for name in names if now.get(name) != before.get(name) or now[name] == foreign_programs.UNREADABLE
        )
        if not value or not (changed or (key.looser and key.looser(trusted, value))):
            return setting
        current, files = key.default if changed else trusted, self._hash_files(key, value)
        return replace(setting, value=current, untrusted=value, files=files, changed=changed)

    def _hash_files(self, key: Key, value: Any) -> Mapping[str, str]:
        """Return the hashes of the files of the workspace that a command names."""
        words = settings.command_words(key, value)
        return foreign_programs.hash_command_files(self.trusted.root, words) if self.trusted else {}

    def _pinned(self, key: Key) -> Any:
        """Return the trusted value of a pinned key: the default, unless the operator trusted another."""
        value = self._trust.config.get(key.name, key.default)
        return value if key.kind.fits(value) else key.default

    @property
    def _trust(self) -> Trust:
        return self.trusted.read() if self.trusted else Trust()

    def stricter(self) -> dict[str, Any]:
        """Return the pinned keys that are set to give less leave than the operator trusts. They need no trust."""
        rows = [(key, self.shown(key)) for key in settings.KEYS.values() if key.looser and key.name in self.block]
        return {
            key.name: setting.value
            for key, setting in rows
            if not setting.problem and setting.untrusted is None
            if key.looser and key.looser(setting.value, self._pinned(key))
        }

    def untrusted(self) -> tuple[Shown, ...]:
        """Return the pinned keys with unused values."""
        return tuple(setting for setting in self.every() if setting.untrusted is not None)

    @cached_property
    def lenient(self) -> "Config":
        """The same settings with defaults for bad values, for what reads memory and for reports."""
        return replace(self, is_lenient=True)

    @cached_property
    def passed_over(self) -> dict[str, ClawgitError]:
        """The problems of values that were asked for, and count as their defaults, by their message."""
        return {}

    def written(self, key: Key) -> Shown:
        """Return a key as the file has it."""
        try:
            setting = self._find(key)
        except ClawgitError as exc:
            if not self.is_lenient:
                raise
            setting = Shown(key, key.default, None, exc)
        if not (self.is_lenient and setting.problem):
            return setting
        self.passed_over[setting.problem.message] = setting.problem
        return Shown(key, key.default, None, None)

    def _find(self, key: Key) -> Shown:
        if self.unreadable:
            raise self.unreadable
        # A key that the block does not even name needs no YAML, which takes 20 ms to load.
        if not self.block or not any(name in self.block for name in settings.names(key)):
            return Shown(key, key.default, None, None)
        values, lines = self._parsed
        name = settings.choose_name(key, values)
        if name is None:
            return Shown(key, key.default, None, None)
        line, value = lines.get(name, self.first), values[name]
        fits = key.kind.fits(value)
        words = f"{name}: {shorten(repr(value), 80)} is not {key.kind.words}"
        return Shown(key, value, line, None if fits else self._error(line, words, settings.repair(key, value)))

    def find_name(self, key: Key) -> str:
        """Return the name of a key that counts, of those on lines of their own; its own if there is none."""
        values = {name: value for name, value in self._parsed[0].items() if name in self.standing}
        first = next((name for name in settings.names(key) if name in values), key.name)
        return settings.choose_name(key, values) or first

    @property
    def standing(self) -> frozenset[str]:
        """The keys on lines of their own, known or not."""
        if self.unreadable:
            raise self.unreadable
        return frozenset(self._parsed[1])

    def every(self) -> tuple[Shown, ...]:
        """Return the state of all keys."""
        return tuple(self.shown(key) for key in settings.KEYS.values())

    def problems(self) -> tuple[ClawgitError, ...]:
        """Return all problems: bad values, unknown keys, ignored lines. Never raises."""
        if self.unreadable:
            return (self.unreadable,)
        try:
            bad = [setting.problem for setting in self.every() if setting.problem]
            return (*bad, *self._odd_keys(), *self.odd_places())
        except ClawgitError as exc:
            return (exc, *self.odd_places())

    def _odd_keys(self) -> Iterator[ClawgitError]:
        values, lines = self._parsed
        for name in values:
            line = lines.get(name, self.first)
            own = settings.ALIASES.get(name)
            if own in values:
                yield self._error(line, f"{name} is another name of {own}", Advice("delete one of them"))
            elif name in settings.GONE:
                yield self._error(line, f"{name} has no effect any more: {settings.GONE[name]}", Advice("delete it"))
            elif own is None and name not in settings.KEYS:
                suggestions = nearest(name, settings.KEYS, 1)
                listing = Command("clawgit config", note="lists every key")
                fix = Advice(f"call it {suggestions[0]}") if suggestions else listing
                yield self._error(line, f"{name} is no key of clawgit: it has no effect", fix)

    def odd_places(self, *names: str) -> Iterator[ClawgitError]:
        """Yield the blocks that do not count, and the keys, of these `names` if there are any, outside of all."""
        advice = Advice(f"move it there, to line {self.first}" if self.block else "put ```yaml above it, and ``` below")
        for block in markdown_settings.blocks(self.text, settings.NAMES)[1:]:
            yield self._error(block.line - 1, "only the first yaml block counts", advice)
        for name, line in markdown_settings.list_stray_keys(self.text, settings.NAMES):
            if not names or name in names:
                yield self._error(line, f"{name} is outside of the yaml block and has no effect", advice)

    def _error(self, line: int, words: str, fix: Fix) -> ClawgitError:
        return setting_invalid(f"{file_roles.CONFIG}:{line}: {words}", fix=fix, paths=(f"{file_roles.CONFIG}:{line}",))

    @cached_property
    def _parsed(self) -> tuple[dict[str, Any], dict[str, int]]:
        """Values by key, and the line of the file for each."""
        try:
            values, lines = markdown_settings.parse_settings(self.block)
        except yaml_reader.BlockError as exc:
            raise _unusable(exc, self.first) from exc
        return values, {key: self.first + line - 1 for key, line in lines.items()}


def load_config(root: Path, trusted: Trusted | None = None) -> Config:
    """Return the settings of CONFIG.md; none without such a file or block. An unreadable one is marked so."""
    place = root / file_roles.CONFIG
    fix: Fix
    try:
        data = regular_file.read_regular_file(place, yaml_reader.MAX_CONFIG_BYTES)
    except OSError as exc:
        if not os.path.lexists(place):
            return Config(trusted=trusted)
        words = f"cannot be read, so what it says is unknown: {exc.strerror}"
        fix = regular_file.way_out(root, file_roles.CONFIG)
    else:
        if data[:2] not in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
            return read_config(data.decode("utf-8", "replace"), trusted)
        words, name = "is UTF-16, and not UTF-8", file_roles.CONFIG
        fix = Advice(f"iconv -f UTF-16 -t UTF-8 {name} > config.tmp && mv config.tmp {name}")
    return Config(trusted=trusted, unreadable=setting_invalid(f"{file_roles.CONFIG}:1: {words}", fix=fix))


def read_config(text: str, trusted: Trusted | None = None) -> Config:
    """Return the settings of a CONFIG.md of this text."""
    first = next(iter(markdown_settings.blocks(text, settings.NAMES)), markdown_settings.Block("", 0, 1))
    refusal = None
    try:
        if first.text:
            yaml_reader.compose_yaml(first.text)
    except yaml_reader.RefusedError as exc:
        refusal = _unusable(exc, first.line)
    except yaml_reader.BlockError:  # it only affects the keys that it names
        pass
    return Config(first.text, first.line, text, refusal, trusted)


def is_readable(text: str) -> bool:
    """Return whether the settings of a CONFIG.md of this text can be read; single values may be wrong."""
    try:
        return read_config(text).standing is not None
    except ClawgitError:
        return False


def load_last_readable(repo: Repository, trusted: Trusted | None = None) -> Config:
    """Return the settings of CONFIG.md; if it is unreadable, those of its newest readable version in history.

    Captures and the runner go on with that: an edit of CONFIG.md must not keep others from being committed.
    """
    config = load_config(repo.root, trusted)
    if config.unreadable is None:
        return config
    for commit in history.walk_log(repo, file_roles.CONFIG, limit=_MAX_EARLIER_VERSIONS, named=False):
        with suppress(ClawgitError):  # of a version that cannot be read either
            data = repository.read(repo, commit.id, file_roles.CONFIG)
            if data is not None and is_readable(text := data.decode("utf-8", "replace")):
                return read_config(text, trusted)
    return Config(trusted=trusted)


def change(text: str | None, key: Key, value: Any, trusted: Trusted | None = None) -> tuple[Change, Config]:
    """Return the change that sets `key` in a CONFIG.md of this text (None: no file), and the new settings.

    Only the bytes of the value change. Raises ClawgitError for a block that cannot be read or changed by a program.
    """
    before = read_config(text or "", trusted)
    setting = before.written(key)
    # In Python `1 == True`, so the types are compared, too.
    if setting.line is not None and setting.value == value and type(setting.value) is type(value):
        after = text
    else:
        try:
            after = markdown_settings.with_value(text or "", before.find_name(key), value, _TITLE, settings.NAMES)
        except yaml_reader.BlockError as exc:
            raise _unusable(exc, before.first) from exc
    display = (settings.show_map(value) if isinstance(value, dict) else str(value)) or "nothing"
    subject = f"config: set {key.name} to {display}"
    return Change(subject, edits=(Edit(file_roles.CONFIG, text, after),)), read_config(after or "", trusted)


def _unusable(exc: yaml_reader.BlockError, first: int) -> ClawgitError:
    line = first + exc.line - 1
    place = f"{file_roles.CONFIG}:{line}"
    fix = Advice(f"edit line {line} of {file_roles.CONFIG} by hand")
    return file_unreadable(f"{place}: {exc}", fix=fix, paths=(place,))
