"""Withdraws the lines learnt from one source."""

import contextlib
import re
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
from clawgit.memory.taint_trail import Source, Step, Trail, read_source
from clawgit.text import conflict, document
from clawgit.text.edit import remove_lines
from clawgit.text.entry import Entry, digest, entries, flat, new_id, saying
from clawgit.workspace import entries as sidecar
from clawgit.workspace import manifest, reading_cursors, taint_register, undo
from clawgit.workspace.change import Change, Edit
from clawgit.workspace.entries import Row
from clawgit.workspace.memory_lines import ALL_ROLES, MemoryLine, list_lines
from clawgit.workspace.records import Record
from clawgit.workspace.taint_register import Taint
from clawgit.workspace.workspace import Workspace

_OURS = (sidecar.PATH, reading_cursors.PATH, taint_register.PATH, file_roles.FORMAT)
_MIN_SAYING_CHARS = 24
"""Of a saying that is known again within a longer one, and in files that it was not seen to go to."""
_MIN_SHARE = 0.6
"""Of a line that holds what was taught, for it to leave with it."""
_MIN_SUMMARY_PERCENT = 55
"""Words that the summary of a day shares with a line that it tells."""
_PLAIN_WORD = re.compile(r"(?<![^\W_])[a-z]{4,}(?![^\W_])")


class LeavingLine(Struct, frozen=True):
    """A line that leaves; `path` and `line` are its place."""

    path: str
    line: int
    text: str


class Report(Struct):
    """The lines learnt from a source, and a preview of their withdrawal; nothing is written.

    `kept` are entries that stay for other evidence, `suspected` lines that stay and may repeat them, by file and words,
    with the reason. `name` is the change of the withdrawal.
    """

    source: Source
    name: str
    steps: tuple[Step, ...] = ()
    edits: tuple[Edit, ...] = ()
    rows: tuple[Row, ...] = ()
    leaving: list[LeavingLine] = field(default_factory=list)
    kept: list[Row] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    suspected: dict[tuple[str, str], str] = field(default_factory=dict)
    sayings: frozenset[str] = frozenset()
    turns: frozenset[str] = frozenset()

    @property
    def direct(self) -> list[Record]:
        """The changes that name the source."""
        return [step.record for step in self.steps if step.is_direct]

    @property
    def derived(self) -> list[Record]:
        """The changes that rest on those."""
        return [step.record for step in self.steps if not step.is_direct]

    @property
    def hash(self) -> str:
        """The hash of the preview, in 12 hex digits: another one for another preview."""
        parts = [self.source.spelled]
        parts += [f"{edit.path}\0{edit.base}\0{edit.text}" for edit in self.edits]
        parts += sorted(f"{row.id}\0{row.status}\0{sorted(row.mentions)}" for row in self.rows)
        return sha256("\0\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:12]


def report(workspace: Workspace, named: str, since: str = "") -> Report:
    """Return the lines learnt from a source. Raises UsageError for an invalid name."""
    trail = Trail(workspace, read_source(workspace, named, since))
    return _Withdrawal(workspace, trail).plan()


class _Withdrawal:
    """The files and rows as they become: the changes are undone, the newest first, then the lines that are left go."""

    def __init__(self, workspace: Workspace, trail: Trail) -> None:
        self._workspace, self._trail = workspace, trail
        self._texts: dict[str, str | None] = {}
        self._rows = dict(workspace.rows())
        self._report = Report(trail.source, new_id(), tuple(trail.steps))
        self._long = sorted(text for text in trail.sayings if len(text) >= _MIN_SAYING_CHARS)
        self._clean = {row.id for row in self._rows.values() if self._is_borne_out(row)}
        self._safe = {(self._rows[key].file, self._rows[key].hash) for key in self._clean}

    def plan(self) -> Report:
        for step in self._trail.steps:
            self._undo(step)
        holding = self._list_holding()
        lines: defaultdict[str, dict[str, MemoryLine]] = defaultdict(dict)
        for line in list_lines(self._workspace, *ALL_ROLES, paths=tuple(holding)) if holding else ():
            lines[line.path].setdefault(digest(line.text), line)
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
        result.kept = [row for row in result.rows if row.id in self._clean and row.status != "tombstone"]
        result.sayings, result.turns = frozenset(self._trail.sayings), frozenset(self._trail.turns)
        return result

    def _is_borne_out(self, row: Row) -> bool:
        """Return whether something clean mentions an entry that the source taught."""
        trail = self._trail
        _, came = trail.brought.get(row.id, ("", frozenset[str]()))
        if row.status == "tombstone" or not row.mentions & (trail.mentions | came):
            return False
        changes = {step.record.change for step in trail.steps}
        return bool(row.mentions - trail.mentions - changes - trail.partly - came)

    def _read(self, path: str) -> str | None:
        if path not in self._texts:
            self._texts[path] = self._workspace.read(path)
        return self._texts[path]

    def _undo(self, step: Step) -> None:
        """Undo a change in its files and rows; an entry that is borne out stays, and only loses a mention."""
        workspace, record = self._workspace, step.record
        for path in record.files:
            brought = [self._trail.brought.get(key, ("",))[0] for key in self._clean if self._rows[key].file == path]
            if path in _OURS or manifest.kind(path) == "view" or record.commit in brought:
                continue
            try:
                edit = undo.take_back_file(workspace, step.parent, record, path, self._read)
            except undo.ConflictError:
                words = f"what {record.commit[:10]} took out may not be back, since its place is gone"
                self._report.notes.append(f"{path}: {words}: git show {record.commit[:10]}")
            else:
                self._texts |= {edit.path: edit.text} if edit else {}
        for row in undo.take_back_rows(workspace, step.parent, record.commit, self._rows):
            if row.id not in self._clean:
                self._rows[row.id] = row

    def _list_holding(self) -> list[str]:
        """Return the files that a saying went to, and those with the words of a long one."""
        saying_paths = [path for files in self._trail.sayings.values() for path in sorted(files)]
        plain = {text: _PLAIN_WORD.findall(text) for text in self._long}
        words = {max(plain[text], key=lambda word: ("ss" not in word, len(word)), default=text) for text in plain}
        patterns = "".join(f"{word}\n" for word in sorted(words)).encode()
        output = b""
        with contextlib.suppress(ClawgitError):  # git says so where nothing is found
            arguments = ("grep", "-z", "-l", "-i", "-F", "-f", "-", "--untracked")
            output = git(self._workspace.root, *arguments, stdin=patterns) if words else b""
        others = [name.decode("utf-8", "surrogateescape") for name in output.split(b"\0") if name]
        all_paths = dict.fromkeys((*saying_paths, *self._texts, *others))
        return [path for path in all_paths if path not in _OURS and manifest.kind(path) != "view"]

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
            self._texts[path] = self._remove_records(text)
        elif path == file_roles.CORRECTIONS:
            if any(sentence in flat(text) for sentence in self._long):
                self._report.notes.append(f"{path} refutes what was taught, and keeps its words")
        elif self._workspace.find_role(path) is None:
            self._suspect(path, text, "holds the words, and is no file of memory")
        else:
            all_entries = entries(text)
            removals = [entry for entry in all_entries if self._leaves(path, entry, lines.get(digest(entry.text)))]
            spans = [(entry.start, entry.end) for entry in removals]
            rows = document.split(text)
            exact = self._trail.exact if path == self._trail.source.name else set[str]()
            spans += [(number, number) for number, row in enumerate(rows, 1) if document.content(row) in exact]
            numbers = {number for start, end in spans for number in range(start, end + 1)}
            self._texts[path] = "".join(row for number, row in enumerate(rows, 1) if number not in numbers)
            entry_numbers = numbers | {number for entry in all_entries for number in range(entry.start, entry.end + 1)}
            rest = "".join(row for number, row in enumerate(rows, 1) if number not in entry_numbers)
            self._suspect(path, rest, "holds the words")

    def _suspect(self, path: str, text: str, reason: str) -> None:
        plain = flat(text)
        if words := next((item for item in self._long if item in plain), ""):
            self._report.suspected[path, words] = reason

    def _leaves(self, path: str, entry: Entry, line: MemoryLine | None) -> bool:
        """Return whether an entry hardly has more than the lines learnt before it, and the operator did not write it.

        One that came later and has more, or is the operator's own, is to be looked at.
        """
        trail, words, plain = self._trail, saying(entry.text), flat(entry.text)
        commit = line.changed.commit if line and line.changed else None
        number = trail.numbers.get(commit or "", len(trail.commits))
        if (path, digest(entry.text)) in self._safe or number < trail.first:
            return False
        is_exact = path in trail.sayings.get(words, ()) or (words in trail.sayings and words in self._long)
        length = max((len(item) for item in self._long if item in plain), default=0)
        birth, reason = line.birth.commit if line and line.birth else "", ""
        if (is_exact or length) and self._is_operators(commit):
            reason = "the operator wrote it"
        elif not is_exact and 0 < length < _MIN_SHARE * len(plain):
            reason = "holds the words among others"
        elif not (is_exact or length or self._is_summary(path, plain, number)):
            if birth not in {step.record.commit for step in trail.steps}:
                return False
            reason = f"took the place of a line in {birth[:10]}"
        if reason:
            self._report.suspected[path, words] = reason
        return not reason

    def _is_summary(self, path: str, plain: str, number: int) -> bool:
        """Return whether an entry is a model's sentence on a day with the learnt lines."""
        if not path.startswith(compact.FOLDER) or number >= len(self._trail.commits):
            return False
        is_compactors = self._trail.records[number].agent == expiry.COMPACTOR
        return is_compactors and any(fuzz.token_set_ratio(plain, item) >= _MIN_SUMMARY_PERCENT for item in self._long)

    def _is_operators(self, commit: str | None) -> bool:
        """Return whether a command of the operator's own made a commit, which rests on nothing else."""
        number = self._trail.numbers.get(commit or "")
        if number is None or commit in {step.record.commit for step in self._trail.steps}:
            return False
        record = self._trail.records[number]
        return record.origin == "operator" and record.agent is None and bool(record.change) and not record.evidence

    def _remove_records(self, text: str) -> str:
        """Return CONFLICTS.md without the records of learnt lines."""
        sayings = self._trail.sayings.keys()
        records = [item for item in conflict.conflicts(text) if {saying(item.a.text), saying(item.b.text)} & sayings]
        return remove_lines(text, [(record.start, record.end) for record in records])

    def _settle_rows(self) -> None:
        """Update the rows after the files: the row of a lost line is gone, others lose the mention of the source."""
        keys = {edit.path: {digest(entry.text) for entry in entries(edit.text or "")} for edit in self._report.edits}
        tainted, rows = self._trail.mentions, self._workspace.rows()
        for key, row in self._rows.items():
            mentions = row.mentions - tainted
            has_left = row.file in keys and row.hash not in keys[row.file]
            if row.status != "tombstone" and (has_left or (mentions != row.mentions and not mentions)):
                self._rows[key] = replace(row, mentions=mentions, status="tombstone", by=self._report.name)
            elif mentions != row.mentions:
                self._rows[key] = replace(row, mentions=mentions)
        self._report.rows = tuple(row for key, row in self._rows.items() if rows.get(key) != row)


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
    left = {digest(entry.text) for entry in all_entries} - {digest(entry.text) for entry in entries(after)}
    for number, entry in enumerate(all_entries):
        if entry.kind != "bullet" or digest(entry.text) not in left:
            continue
        depths = takewhile(entry.depth.__lt__, (other.depth for other in all_entries[number + 1 :]))
        nested_entries = all_entries[number + 1 : number + 1 + len([*depths])]
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


# ---- the register


def list_taints(workspace: Workspace) -> list[Taint]:
    """Return the tainted sources, the oldest first."""
    register = taint_register.parse(workspace.read(taint_register.PATH) or "")
    return sorted(register.taints.values(), key=lambda taint: taint.when)


def make_change(workspace: Workspace, found: Report, why: str = "") -> Change:
    """Return the change that takes it all back, and has nothing be learnt from it any more.

    Raises ClawgitError for a source that is tainted already.
    """
    name = found.source.spelled
    previous = next((taint for taint in list_taints(workspace) if taint.source == name), None)
    if previous and not (found.steps or found.sayings or found.rows or found.edits):
        fix = Command("clawgit undo {}", previous.id, note="lifts the taint")
        raise errors.already_set(f"{name} is tainted", fix=fix)
    text, author = workspace.read(taint_register.PATH), workspace.operator[0]
    taint = Taint(found.name, name, workspace.now().isoformat(timespec="seconds"), author, why)
    changes = {step.record.change for step in found.steps if step.record.change}
    after = taint_register.add_taint(text or "", taint, found.turns, found.sayings, changes)
    count = len(found.leaving)
    return Change(
        f"{taint_register.SUBJECT}{count} line{'' if count == 1 else 's'} of {name} taken back",
        why or f"{name} is not to be trusted, and neither is what it taught.",
        (*found.edits, Edit(taint_register.PATH, text, after)),
        rows=found.rows,
        drops=tuple(row.id for row in found.rows),
        id=found.name,
    )
