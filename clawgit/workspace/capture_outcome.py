"""What a capture commits, and what it tells."""

import contextlib
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit.errors import ClawgitError
from clawgit.git import history, repository
from clawgit.git.paths import find_twins
from clawgit.git.repository import Oid
from clawgit.safety.secrets import Finding
from clawgit.text import entry
from clawgit.text.correction import REEMBEDDED, Correction, corrections
from clawgit.workspace import alarms, entries, entry_association, file_roles, grading, identity_policy
from clawgit.workspace.alarms import Alarm
from clawgit.workspace.file_contents import text_of
from clawgit.workspace.identity_policy import Touched
from clawgit.workspace.sidecar_rows import Table
from clawgit.workspace.write_guard import new_secrets
from clawgit.workspace.write_setting import Setting

if TYPE_CHECKING:
    from clawgit.workspace.change import Offered, StaleWrite
    from clawgit.workspace.risk import Risk


_MAX_COMMANDS = 3
"""Of so many hidden memories the way back is one command."""


class Taken(Struct, frozen=True, dict=True):
    """What a capture commits: the bytes of each path (None: no file).

    `trusted` is what each file held before others wrote to it, and `as_of` the commit where that stands. `refused` are
    files as others left them where that may not stand, and `offered` the proposals that it waits as. `stale` are writes
    of the agent that are merged with what it had not read, `arrived` the rows of entries that were removed and are
    back. `rows` counts the edited ones of the sidecar; `head` is the commit before the capture.
    """

    setting: Setting | None = None
    committed: Mapping[str, bytes | None] = field(default_factory=dict)
    files: Mapping[str, bytes | None] = field(default_factory=dict)
    trusted: Mapping[str, bytes | None] = field(default_factory=dict)
    as_of: Mapping[str, Oid | None] = field(default_factory=dict)
    refused: Mapping[str, bytes | None] = field(default_factory=dict)
    stale: "Mapping[str, StaleWrite]" = field(default_factory=dict)
    arrived: Mapping[str, entries.Row] = field(default_factory=dict)
    offered: "Mapping[str, Offered]" = field(default_factory=dict)
    rows: int = 0
    head: Oid | None = None

    @cached_property
    def found(self) -> Mapping[str, bytes | None]:
        """The files that differ from what is committed."""
        return {path: data for path, data in self.files.items() if data != self.committed[path]}

    @cached_property
    def changed(self) -> tuple[str, ...]:
        """The files that others changed, on disk or in commits of their own."""
        return tuple(path for path, data in self.final.items() if data != self.trusted.get(path))

    @cached_property
    def final(self) -> Mapping[str, bytes | None]:
        """The bytes of each path once the stale writes among them are merged."""
        return {**self.files, **{path: stale.text.encode() for path, stale in self.stale.items()}}

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """A sentence for each stale write."""
        return tuple(f"{path}: stale write, {count_lines(len(one.lines))} back" for path, one in self.stale.items())

    @property
    def secrets(self) -> Iterator[tuple[str, Finding]]:
        """The secrets that come with it, by path: only such as history holds already."""
        for path, data in self.found.items():
            yield from ((path, finding) for finding in new_secrets(path, self.committed[path], data))

    @cached_property
    def risks(self) -> "Mapping[str, Risk]":
        """The grade of each identity file that others changed."""
        return grading.graded(self.setting, *self._texts) if self.setting else {}

    @cached_property
    def alarms(self) -> tuple[Alarm, ...]:
        """What looks like an accident or an attack."""
        (before, after), runs = self._texts, self.setting.runs if self.setting else {}
        gone = [path for path in runs if self.files.get(path, b"") is None and self.trusted[path] is None]
        old = {path: text_of(next(history.versions(self.setting.repo, path, 2), None)) for path in gone if self.setting}
        as_of = {**self.as_of, **dict.fromkeys(old)}
        agents, said = text_of(self.agents), self.setting.trust.said if self.setting else lambda _: None
        raised = tuple(alarms.raised(old | before, {**dict.fromkeys(old), **after}, agents, said))
        told = {path for alarm in raised for path in alarm.paths}
        graded = {path: risk for path, risk in self.risks.items() if path not in told}
        alarmed = grading.alarmed(self.setting, graded, *self._texts) if self.setting else ()
        hostile = grading.hostile(self.setting, *self._texts) if self.setting else ()
        resettled = grading.resettled(self.setting, *self._texts) if self.setting else ()
        found = (
            *raised,
            *alarmed,
            *hostile,
            *resettled,
            *self._waiting(),
            *self._sidecar(),
            *self._records(),
            *self._hidden({path for alarm in raised for path in alarm.paths}),
            *self._twins(),
        )
        return tuple(
            replace(alarm, as_of=as_of.get(alarm.paths[0]), approved=self._approved(alarm.paths[0])) for alarm in found
        )

    @property
    def agents(self) -> bytes | None:
        """What AGENTS.md holds before the capture."""
        return repository.read(self.setting.repo, self.head, file_roles.AGENTS) if self.setting else None

    def _approved(self, path: str) -> bool:
        """Return whether the operator approved a text of a file."""
        return self.setting is not None and self.setting.trust.said(path) is not None

    @cached_property
    def boundaries(self) -> tuple[Touched, ...]:
        """What the operator approved and others weakened, or changed once more."""
        if not self.setting or not self.risks:
            return ()
        return tuple(identity_policy.touched(self.setting.trust, *self._texts, self.setting.operator()))

    def _waiting(self) -> Iterator[Alarm]:
        """Yield an alarm for each file whose edit may not stand."""
        for path, one in self.offered.items():
            what = "was rejected before, as" if one.rejected else "waits as"
            words = f"{path} was edited; the edit {what} {one.id}, and what stood there before is back"
            yield Alarm(words, (path,), cure=f"clawgit show {one.id}", level=one.level, key="alarm-capture")

    @cached_property
    def _texts(self) -> tuple[dict[str, str | None], dict[str, str | None]]:
        """What others changed: the texts before and after."""
        other = [path for path, data in self.files.items() if data != self.trusted[path] and path not in self.refused]
        return (
            {path: text_of(self.trusted[path]) for path in other},
            {path: text_of(self.files[path]) for path in other},
        )

    def _sidecar(self) -> Iterator[Alarm]:
        """Yield an alarm where somebody edited what only we write: what is known of entries beyond their words."""
        if self.rows:
            many = "1 row differs" if self.rows == 1 else f"{self.rows:,} rows differ"
            yield Alarm(f"{entries.PATH} was edited past clawgit: {many}", (entries.PATH,), key="alarm-entries-edited")

    def _hidden(self, told: Collection[str]) -> Iterator[Alarm]:
        """Yield an alarm for each memory file in which others hid entries, as in a comment: their words stand there."""
        if not self.setting:
            return
        table = Table(text_of(self.committed.get(entries.PATH)) or "")
        after = {path: text_of(data) for path, data in self.files.items()}
        for path in sorted({file_roles.MEMORY, file_roles.LOWER_MEMORY, *_memory_file(self.setting)} - set(told)):
            before = text_of(self.trusted.get(path)) if path in self.changed else None
            if before is None or after[path] is None:
                continue
            gone = entry_association.vanished(table, {path: before}, after)
            visible = "\n".join(found.text for found in entry.entries(after[path] or ""))
            first_lines = {name: words.split("\n")[0] for name, words in gone}
            names = [
                name for name, words in first_lines.items() if words in (after[path] or "") and words not in visible
            ]
            if names:
                many = "1 memory was" if len(names) == 1 else f"{len(names):,} memories were"
                cure = " && ".join(f"clawgit restore {name}" for name in names[:_MAX_COMMANDS])
                more = f"   # and so for {len(names) - _MAX_COMMANDS} more" if names[_MAX_COMMANDS:] else ""
                message = f"{path}: {many} hidden by others, as in a comment"
                yield Alarm(
                    message,
                    (path,),
                    self.as_of.get(path),
                    cure=cure + more,
                    level="low",
                    lasts=True,
                    key="alarm-capture",
                )

    def _twins(self) -> Iterator[Alarm]:
        """Yield an alarm for each new file whose name is another one's on other disks."""
        new = {path for path in self.changed if self.trusted.get(path) is None and self.files[path] is not None}
        if self.setting and self.head and new:
            names = new.union(repository.files(self.setting.repo, self.head))
            there = sorted(path for path in names if self.files.get(path, b"") is not None)
            twins = (twin for twin in find_twins(self.setting.repo.root, there) if not new.isdisjoint(twin.paths))
            yield from (
                Alarm(twin.message, twin.paths, cure=str(twin.fix), level="low", key=twin.key) for twin in twins
            )

    def _records(self) -> Iterator[Alarm]:
        """Yield an alarm where somebody wrote a correction past clawgit: it holds in every prompt."""
        before, after = (texts.get(file_roles.CORRECTIONS) for texts in self._texts)
        if not after:
            return
        known, rows = [_held(correction) for correction in corrections(before or "")], after.splitlines()
        if new := [
            correction for correction in corrections(after) if correction.fields and _held(correction) not in known
        ]:
            many = "1 record was" if len(new) == 1 else f"{len(new):,} records were"
            words = f"{file_roles.CORRECTIONS}: {many} written past clawgit, and would hold in every prompt"
            stood = set((before or "").splitlines())
            lines = (row for one in new for row in rows[one.line - 1 : one.end] if row.strip() and row not in stood)
            yield Alarm(words, (file_roles.CORRECTIONS,), lines=tuple(dict.fromkeys(lines)), key="alarm-capture")


def _memory_file(setting: Setting) -> tuple[str, ...]:
    with contextlib.suppress(ClawgitError):  # of CONFIG.md: whoever needs the value says so
        return (setting.config.memory_file,)
    return ()


def _held(one: Correction) -> tuple[str, dict[str, str]]:
    """Return what a record holds a prompt to: whether search has taken it up is none of it."""
    return one.id, {name: words for name, words in one.fields.items() if name != REEMBEDDED.casefold()}


def count_lines(count: int) -> str:
    """Return how many lines, in words."""
    return f"{count:,} line{'' if count == 1 else 's'}"
