"""Withdraws the lines learnt from one source."""

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping
from hashlib import sha256
from itertools import takewhile

from msgspec import Struct, field
from msgspec.structs import replace
from rapidfuzz import fuzz

from clawgit import errors, file_roles
from clawgit.errors import ClawgitError, Command
from clawgit.git.git_command import git
from clawgit.memory import compact, expiry
from clawgit.memory.taint_trail import Source, Trail, read_source
from clawgit.text import conflict, document
from clawgit.text.edit import remove_lines
from clawgit.text.entry import Entry, entries, flatten, hash_entry, new_id, read_saying
from clawgit.workspace import entries as sidecar
from clawgit.workspace import manifest, reading_cursors, undo
from clawgit.workspace.change import Change, Edit
from clawgit.workspace.entries import Row
from clawgit.workspace.memory_lines import ALL_ROLES, MemoryLine, list_lines
from clawgit.workspace.records import TAINT_SUBJECT, TAINTED_PATH, Record, Taint, add_taint, parse_register
from clawgit.workspace.workspace import Workspace

_OURS = (sidecar.PATH, reading_cursors.CURSORS_PATH, TAINTED_PATH, file_roles.FORMAT)
_MIN_SAYING_CHARS = 24
"""Of a saying that is known again within a longer one, and in files that it was not seen to go to."""
_MIN_SHARE = 0.6
"""Of a line that holds what was taught, for it to leave with it."""
_MIN_SUMMARY_PERCENT = 55
"""Words that the summary of a day shares with a line that it tells."""


class LeavingLine(Struct, frozen=True):
    """A line that leaves; `path` and `line` are its place."""

    path: str
    line: int
    text: str


class Report(Struct):
    """The lines learnt from a source, and a preview of their withdrawal; nothing is written.

    `direct` changes name the source, `derived` ones rest on those. `kept` are entries that stay for other evidence,
    `suspected` lines that stay and may repeat them, by file and words, with the reason. `name` is the change of the
    withdrawal.
    """

    source: Source
    name: str
    direct: list[Record] = field(default_factory=list)
    derived: list[Record] = field(default_factory=list)
    edits: tuple[Edit, ...] = ()
    rows: tuple[Row, ...] = ()
    leaving: list[LeavingLine] = field(default_factory=list)
    kept: list[Row] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    suspected: dict[tuple[str, str], str] = field(default_factory=dict)
    sayings: frozenset[str] = frozenset()
    turns: frozenset[str] = frozenset()

    @property
    def hash(self) -> str:
        """The hash of the preview, in 12 hex digits: another one for another preview."""
        parts = [self.source.spelled]
        parts += [f"{edit.path}\0{edit.base}\0{edit.text}" for edit in self.edits]
        parts += sorted(f"{row.id}\0{row.status}\0{sorted(row.mentions)}" for row in self.rows)
        return sha256("\0\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:12]


def list_tainted_lines(workspace: Workspace, named: str, since: str = "") -> Report:
    """Return the lines learnt from a source. Raises UsageError for an invalid name."""
    trail = Trail(workspace, read_source(workspace, named, since))
    return _Withdrawal(workspace, trail).plan()


class _Withdrawal:
    """The files and rows as they become: the changes are undone, the newest first, then the lines that are left go."""

    def __init__(self, workspace: Workspace, trail: Trail) -> None:
        self._workspace, self._trail = workspace, trail
        self._texts: dict[str, str | None] = {}
        self._rows = dict(workspace.rows())
        direct = [step for step in trail.steps if step.commit in trail.direct]
        derived = [step for step in trail.steps if step.commit not in trail.direct]
        self._report = Report(trail.source, new_id(), direct, derived)
        self._changes = {step.change for step in trail.steps if step.change}
        self._long = sorted(text for text in trail.sayings if len(text) >= _MIN_SAYING_CHARS)
        # Entries that the source taught and something clean mentions stay.
        self._clean = {row.id for row in self._rows.values() if row.status != "tombstone" and self._has_other(row)}
        self._safe = {(self._rows[key].file, self._rows[key].hash) for key in self._clean}

    def _has_other(self, row: Row) -> bool:
        trail = self._trail
        tainted = trail.mentions | trail.brought.get(row.id, ("", frozenset[str]()))[1]
        return bool(row.mentions & tainted) and bool(row.mentions - tainted - self._changes - trail.partly)

    def plan(self) -> Report:
        for step in self._trail.steps:
            self._undo(step)
        names = git(self._workspace.root, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split(b"\0")
        all_paths = {
            *map(os.fsdecode, filter(None, names)),
            *self._texts,
            *set[str]().union(*self._trail.sayings.values()),
        }
        holding = [path for path in sorted(all_paths) if self._may_hold(path)]
        lines: defaultdict[str, dict[str, MemoryLine]] = defaultdict(dict)
        for line in list_lines(self._workspace, *ALL_ROLES, paths=tuple(holding)) if holding else ():
            lines[line.path].setdefault(hash_entry(line.text), line)
        for path in holding:
            self._sweep(path, lines[path])
        result, before = self._report, {path: self._workspace.read(path) for path in self._texts}
        result.edits = tuple(
            Edit(path, text, _lift_nested(text or "", after) if after else after)
            for path, after in self._texts.items()
            if (text := before[path]) != after
        )
        self._settle_rows()
        result.leaving = [line for edit in result.edits for line in _list_leaving(edit)]
        result.sayings, result.turns = frozenset(self._trail.sayings), frozenset(self._trail.turns)
        return result

    def _undo(self, step: Record) -> None:
        """Undo a change in its files and rows; an entry that is borne out stays, and only loses a mention."""
        workspace = self._workspace
        parent = next(iter(self._trail.commits[self._trail.numbers[step.commit]].parents), None)
        clean_files = {self._rows[key].file for key in self._clean if self._brings(step, key)}
        for path in step.files:
            if path in _OURS or manifest.kind(path) == "view" or path in clean_files:
                continue
            try:
                edit = undo.take_back_file(workspace, parent, step, path, self._read)
            except undo.ConflictError:
                words = f"what {step.commit[:10]} took out may not be back, since its place is gone"
                self._report.notes.append(f"{path}: {words}: git show {step.commit[:10]}")
            else:
                self._texts |= {edit.path: edit.text} if edit else {}
        undone = undo.take_back_rows(workspace, parent, step.commit, self._rows)
        self._rows |= {row.id: row for row in [*undone] if row.id not in self._clean}

    def _brings(self, step: Record, key: str) -> bool:
        return self._trail.brought.get(key, ("",))[0] == step.commit

    def _read(self, path: str) -> str | None:
        if path not in self._texts:
            self._texts[path] = self._workspace.read(path)
        return self._texts[path]

    def _may_hold(self, path: str) -> bool:
        """Return whether a file was changed by the undo, or has a learnt line or the words of a long one."""
        if path in _OURS or manifest.kind(path) == "view":
            return False
        if path in self._texts or any(path in files for files in self._trail.sayings.values()):
            return True
        plain = flatten(self._workspace.read_loosely(path))
        return any(words in plain for words in self._long)

    def _sweep(self, path: str, lines: Mapping[str, MemoryLine]) -> None:
        """Remove the remaining lines from a file; lines that only contain the words are suspected."""
        try:
            text = self._read(path)
        except ClawgitError:
            self._suspect(path, self._workspace.read_loosely(path), "is not valid UTF-8")
            return
        if text is None:
            return
        if path == file_roles.CONFLICTS:
            sayings = self._trail.sayings.keys()
            records = [
                item
                for item in conflict.conflicts(text)
                if {read_saying(item.a.text), read_saying(item.b.text)} & sayings
            ]
            self._texts[path] = remove_lines(text, [(record.start, record.end) for record in records])
        elif path == file_roles.CORRECTIONS:
            if any(words in flatten(text) for words in self._long):
                self._report.notes.append(f"{path} refutes what was taught, and keeps its words")
        elif self._workspace.find_role(path) is None:
            self._suspect(path, text, "holds the words, and is no file of memory")
        else:
            all_entries, rows = entries(text), document.split(text)
            removals = [entry for entry in all_entries if self._leaves(path, entry, lines.get(hash_entry(entry.text)))]
            exact = self._trail.exact if path == self._trail.source.name else set[str]()
            numbers = {number for number, row in enumerate(rows, 1) if document.content(row) in exact}
            numbers.update(number for entry in removals for number in range(entry.start, entry.end + 1))
            self._texts[path] = "".join(row for number, row in enumerate(rows, 1) if number not in numbers)
            entry_numbers = numbers | {number for entry in all_entries for number in range(entry.start, entry.end + 1)}
            rest = "".join(row for number, row in enumerate(rows, 1) if number not in entry_numbers)
            self._suspect(path, rest, "holds the words")

    def _suspect(self, path: str, text: str, reason: str) -> None:
        plain = flatten(text)
        if words := next((item for item in self._long if item in plain), ""):
            self._report.suspected[path, words] = reason

    def _leaves(self, path: str, entry: Entry, line: MemoryLine | None) -> bool:
        """Return whether an entry hardly has more than the lines learnt before it, and the operator did not write it.

        One that came later and has more, or is the operator's own, is to be looked at.
        """
        trail, words, plain = self._trail, read_saying(entry.text), flatten(entry.text)
        commit = line.changed.commit if line and line.changed else ""
        number = trail.numbers.get(commit, len(trail.commits))
        if (path, hash_entry(entry.text)) in self._safe or number < trail.first:
            return False
        is_exact = path in trail.sayings.get(words, ()) or (words in trail.sayings and words in self._long)
        length = max((len(item) for item in self._long if item in plain), default=0)
        birth, reason = line.birth.commit if line and line.birth else "", ""
        record = trail.records[number] if number < len(trail.commits) else None
        if record and (is_exact or length) and self._is_operators(record):
            reason = "the operator wrote it"
        elif not is_exact and 0 < length < _MIN_SHARE * len(plain):
            reason = "holds the words among others"
        elif not (is_exact or length):
            # The compactor's model sums up a day with the learnt lines in other words.
            is_summary = record and path.startswith(compact.FOLDER) and record.agent == expiry.COMPACTOR
            if is_summary and any(fuzz.token_set_ratio(plain, item) >= _MIN_SUMMARY_PERCENT for item in self._long):
                return True
            if birth not in {step.commit for step in trail.steps}:
                return False
            reason = f"took the place of a line in {birth[:10]}"
        if reason:
            self._report.suspected[path, words] = reason
        return not reason

    def _is_operators(self, record: Record) -> bool:
        """Return whether a command of the operator's own made a commit, which rests on nothing else."""
        is_own = record.origin == "operator" and record.agent is None and bool(record.change)
        return is_own and not record.evidence and record not in self._trail.steps

    def _settle_rows(self) -> None:
        """Update the rows after the files: the row of a lost line is gone, others lose the mention of the source."""
        keys = {
            edit.path: {hash_entry(entry.text) for entry in entries(edit.text or "")} for edit in self._report.edits
        }
        rows = self._workspace.rows()
        for key, row in self._rows.items():
            mentions = row.mentions - self._trail.mentions
            is_less = mentions != row.mentions
            has_left = row.file in keys and row.hash not in keys[row.file]
            if row.status != "tombstone" and (has_left or (is_less and not mentions)):
                self._rows[key] = replace(row, mentions=mentions, status="tombstone", by=self._report.name)
            elif is_less:
                self._rows[key] = replace(row, mentions=mentions)
        self._report.rows = tuple(row for key, row in self._rows.items() if rows.get(key) != row)
        clean_rows = (row for row in self._report.rows if row.id in self._clean)
        self._report.kept = [row for row in clean_rows if row.status != "tombstone"]


def _list_leaving(edit: Edit) -> Iterator[LeavingLine]:
    """Yield the lines that an edit takes out of a file."""
    left = [row.strip() for row in (edit.text or "").split("\n")]
    for number, row in enumerate((edit.base or "").split("\n"), 1):
        if row.strip() in left:
            left.remove(row.strip())
        elif row.strip():
            yield LeavingLine(edit.path, number, row.rstrip("\r"))


def _lift_nested(before: str, after: str) -> str:
    """Return a text in which the nested lines of a removed bullet take its place, unless another one is there."""
    rows, all_entries = document.split(before), entries(before)
    left = {hash_entry(entry.text) for entry in all_entries} - {hash_entry(entry.text) for entry in entries(after)}
    for number, entry in enumerate(all_entries):
        if entry.kind != "bullet" or hash_entry(entry.text) not in left:
            continue
        nested_entries = [*takewhile(lambda other: other.depth > entry.depth, all_entries[number + 1 :])]  # noqa: B023
        nested = rows[entry.end : nested_entries[-1].end] if nested_entries else []
        start = after.find("".join(nested)) if nested else -1
        upper_line = after[:start].rstrip("\n").rpartition("\n")[2]
        if start >= 0 and upper_line in map(document.content, rows):
            width = _count_indent(nested[0]) - _count_indent(rows[entry.start - 1])
            outdented = "".join(row[min(width, _count_indent(row)) :] for row in nested)
            after = after[:start] + outdented + after[start + len("".join(nested)) :]
    return after


def _count_indent(row: str) -> int:
    return len(row) - len(row.lstrip(" \t"))


def list_taints(workspace: Workspace) -> list[Taint]:
    """Return the tainted sources, the oldest first."""
    register = parse_register(workspace.read(TAINTED_PATH) or "")
    return sorted(register.taints.values(), key=lambda taint: taint.when)


def make_change(workspace: Workspace, found: Report, why: str = "") -> Change:
    """Return the change that takes it all back, and has nothing be learnt from it any more.

    Raises ClawgitError for a source that is tainted already.
    """
    name = found.source.spelled
    steps = (*found.direct, *found.derived)
    previous = next((taint for taint in list_taints(workspace) if taint.source == name), None)
    if previous and not (steps or found.sayings or found.rows or found.edits):
        fix = Command("clawgit undo {}", previous.id, note="lifts the taint")
        raise errors.already_set(f"{name} is tainted", fix=fix)
    text, author = workspace.read(TAINTED_PATH), workspace.operator[0]
    taint = Taint(found.name, name, workspace.now().isoformat(timespec="seconds"), author, why)
    changes = {step.change for step in steps if step.change}
    after = add_taint(text or "", taint, found.turns, found.sayings, changes)
    count = len(found.leaving)
    return Change(
        f"{TAINT_SUBJECT}{count} line{'' if count == 1 else 's'} of {name} taken back",
        why or f"{name} is not to be trusted, and neither is what it taught.",
        (*found.edits, Edit(TAINTED_PATH, text, after)),
        rows=found.rows,
        drops=tuple(row.id for row in found.rows),
        id=found.name,
    )
