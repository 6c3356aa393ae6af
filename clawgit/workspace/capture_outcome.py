"""What a capture commits, and what it tells."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit.errors import quoted
from clawgit.git.repository import Oid
from clawgit.safety.secrets import Finding
from clawgit.text.correction import REEMBEDDED, Correction, corrections
from clawgit.workspace import alarms, entries, file_roles, grading, identity_policy
from clawgit.workspace.alarms import Alarm
from clawgit.workspace.file_contents import loosely, text_of
from clawgit.workspace.identity_policy import Touched
from clawgit.workspace.stale_write import Healed
from clawgit.workspace.write_guard import new_secrets
from clawgit.workspace.write_setting import Setting

if TYPE_CHECKING:
    from clawgit.workspace.change import Offered
    from clawgit.workspace.risk import Risk


class Taken(Struct, frozen=True, dict=True):
    """What a capture commits: the bytes of each path (None: no file), and what was made of stale writes.

    `trusted` is what each file held before others wrote to it, and `as_of` the commit where that stands. `written` are
    the bytes that a stale writer wrote, where something was put back into them. `refused` are files as others left
    them where that may not stand, and `offered` the proposals that it waits as. `rows` counts the edited ones of the
    sidecar.
    """

    setting: Setting | None = None
    committed: Mapping[str, bytes | None] = field(default_factory=dict)
    files: Mapping[str, bytes | None] = field(default_factory=dict)
    trusted: Mapping[str, bytes | None] = field(default_factory=dict)
    stale: Mapping[str, Healed] = field(default_factory=dict)
    written: Mapping[str, bytes] = field(default_factory=dict)
    as_of: Mapping[str, Oid | None] = field(default_factory=dict)
    refused: Mapping[str, bytes | None] = field(default_factory=dict)
    offered: "Mapping[str, Offered]" = field(default_factory=dict)
    rows: int = 0

    @cached_property
    def found(self) -> Mapping[str, bytes | None]:
        """The files that differ from what is committed."""
        return {path: data for path, data in self.files.items() if data != self.committed[path]}

    @cached_property
    def told(self) -> Mapping[str, Healed]:
        """The stale writes among them, by path."""
        return {
            path: found
            for path, found in self.stale.items()
            if found.back or found.missing or found.went_back or found.doubts
        }

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """A sentence for each file of which somebody wrote an older version back."""
        told = [words for path, healed in self.stale.items() for words in _told(path, healed)]
        return (*told, *(words for path in self.written for words in self._left_out(path)))

    def _left_out(self, path: str) -> Iterator[str]:
        """Tell how many lines of a stale writer others had changed or deleted meanwhile."""
        wrote, stands = (Counter(loosely(data).split("\n")) for data in (self.written[path], self.files[path]))
        if count := sum((wrote - stands).values()):
            yield f"{path} was written with {count_lines(count)} that others had changed or deleted; they are left out"

    @property
    def secrets(self) -> Iterator[tuple[str, Finding]]:
        """The secrets that come with it, by path: only such as history holds already."""
        for path, data in self.found.items():
            yield from ((path, finding) for finding in new_secrets(self.committed[path], data))

    @cached_property
    def risks(self) -> "Mapping[str, Risk]":
        """The grade of each identity file that others changed."""
        return grading.graded(self.setting, *self._texts) if self.setting else {}

    @cached_property
    def alarms(self) -> tuple[Alarm, ...]:
        """What looks like an accident or an attack."""
        gone_back = [path for path, healed in self.stale.items() if healed.went_back]
        raised = tuple(alarms.raised(*self._texts, gone_back))
        lacking = tuple(self._lacking(path, one) for path, one in self.stale.items() if one.missing)
        told = {path for alarm in raised for path in alarm.paths}
        graded = {path: risk for path, risk in self.risks.items() if path not in told}
        alarmed = grading.alarmed(self.setting, graded, *self._texts) if self.setting else ()
        hostile = grading.hostile(self.setting, *self._texts) if self.setting else ()
        resettled = grading.resettled(self.setting, *self._texts) if self.setting else ()
        found = (
            *raised,
            *lacking,
            *alarmed,
            *hostile,
            *resettled,
            *self._waiting(),
            *self._sidecar(),
            *self._records(),
        )
        return tuple(
            replace(alarm, as_of=self.as_of.get(alarm.paths[0]), approved=self._approved(alarm.paths[0]))
            for alarm in found
        )

    def _approved(self, path: str) -> bool:
        """Tell whether the operator approved a text of a file."""
        return self.setting is not None and self.setting.trust.said(path) is not None

    @cached_property
    def boundaries(self) -> tuple[Touched, ...]:
        """What the operator approved and others weakened, or changed once more."""
        if not self.setting or not self.risks:
            return ()
        return tuple(identity_policy.touched(self.setting.trust, *self._texts, self.setting.operator()))

    def _lacking(self, path: str, one: Healed) -> Alarm:
        """Return an alarm that shows what is missing: to bring the whole file back would drop what its writer wrote."""
        cure = f"git diff {(self.as_of.get(path) or 'HEAD')[:10]} -- {quoted(path)}"
        return Alarm(_lacks(path, one), (path,), cure=cure, lasts=True)

    def _waiting(self) -> Iterator[Alarm]:
        """Yield an alarm for each file whose edit may not stand."""
        for path, one in self.offered.items():
            what = "was rejected before, as" if one.rejected else "waits as proposal"
            words = f"{path} was edited; the edit {what} {one.id}, and what stood there before is back"
            yield Alarm(words, (path,), cure=f"clawgit soul review {one.id}", level=one.level)

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
            yield Alarm(f"{entries.PATH} was edited past clawgit: {many}", (entries.PATH,))

    def _records(self) -> Iterator[Alarm]:
        """Yield an alarm where somebody wrote a correction past clawgit: it holds in every prompt."""
        before, after = (texts.get(file_roles.CORRECTIONS) for texts in self._texts)
        if not after:
            return
        known, rows = [_held(one) for one in corrections(before or "")], after.splitlines()
        if new := [one for one in corrections(after) if one.fields and _held(one) not in known]:
            many = "1 record was" if len(new) == 1 else f"{len(new):,} records were"
            words = f"{file_roles.CORRECTIONS}: {many} written past clawgit, and would hold in every prompt"
            stood = set((before or "").splitlines())
            lines = (row for one in new for row in rows[one.line - 1 : one.end] if row.strip() and row not in stood)
            yield Alarm(words, (file_roles.CORRECTIONS,), lines=tuple(dict.fromkeys(lines)))


def _held(one: Correction) -> tuple[str, dict[str, str]]:
    """Return what a record holds a prompt to: whether search has taken it up is none of it."""
    return one.id, {name: words for name, words in one.fields.items() if name != REEMBEDDED.casefold()}


def _told(path: str, healed: Healed) -> Iterator[str]:
    if healed.back:
        yield f"{path} got back {count_lines(len(healed.back))} that its writer had not seen"
    if healed.missing:
        yield _lacks(path, healed)
    if healed.went_back:
        yield f"{path} went back to an older version"


def _lacks(path: str, healed: Healed) -> str:
    return f"{path} lacks {count_lines(len(healed.missing))} that its writer may not have seen"


def count_lines(count: int) -> str:
    """Return how many lines, in words."""
    return f"{count:,} line{'' if count == 1 else 's'}"
