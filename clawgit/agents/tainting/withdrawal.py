"""Works out what takes back all that was taught."""

import contextlib
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import takewhile

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit.agents.tainting.taint_trail import SHORTEST, Step, Trail
from clawgit.errors import ClawgitError
from clawgit.git import history, repository
from clawgit.git.git_command import git
from clawgit.git.history import blame
from clawgit.text import correction, document
from clawgit.text.entry import Entry, digest, entries, flat, saying
from clawgit.text.merge import revert
from clawgit.workspace import entries as sidecar
from clawgit.workspace import file_roles, manifest, reading_cursors, records, taint_register
from clawgit.workspace.change import Edit
from clawgit.workspace.entries import Row
from clawgit.workspace.entry_association import bare
from clawgit.workspace.file_contents import loosely
from clawgit.workspace.workspace import Workspace

_PLAIN = re.compile(r"(?<![^\W_])[a-z]{4,}(?![^\W_])")
_WHOLE = 0.6
"""The share of a line that has to be what was taught for it to go from a file that nothing of it was seen to go to."""
_LARGEST = 8 << 20
"""Bytes of a file of another kind that are looked at."""
_RECORD = 2
"""The level of the heading of a record."""
_OURS = (sidecar.PATH, reading_cursors.PATH, taint_register.PATH, file_roles.FORMAT)


class Leaving(Struct, frozen=True):
    """A line that leaves; `path` and `line` are where it stands."""

    path: str
    line: int
    text: str


class Withdrawal(Struct):
    """What becomes of files and rows.

    `kept` are entries that stay for what else bears them out, `suspected` lines that stay and may say the same, by file
    and saying, with the reason.
    """

    edits: tuple[Edit, ...] = ()
    rows: tuple[Row, ...] = ()
    drops: tuple[str, ...] = ()
    left: list[Leaving] = field(default_factory=list)
    kept: list[Row] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    suspected: dict[tuple[str, str], str] = field(default_factory=dict)


def withdrawn(workspace: Workspace, trail: Trail, name: str) -> Withdrawal:
    """Return what takes back all that a trail found; `name` is the change that does it. Nothing is written."""
    return _Work(workspace, trail, name).done()


class _Work:
    def __init__(self, workspace: Workspace, trail: Trail, name: str) -> None:
        self._workspace, self._trail, self._name = workspace, trail, name
        self._rows = workspace.rows()
        self._texts: dict[str, str | None] = {}
        self._found = Withdrawal(suspected=dict(trail.suspected))
        self._long = sorted(said for said in trail.sayings if len(said) >= SHORTEST)
        self._clean = {row.id: row for row in self._rows.values() if self._borne_out(row)}
        self._safe = {(row.file, row.hash) for row in self._clean.values()}

    def done(self) -> Withdrawal:
        """Work all of it out."""
        changed: dict[str, Row] = {}
        for step in self._trail.steps:
            changed |= self._rows_of(step)
            for path in self._paths(step):
                self._revert(step, path)
        for path in self._list_holding():
            self._sweep(path)
        edits = [(path, self._workspace.read(path), text) for path, text in self._texts.items()]
        self._found.edits = tuple(
            Edit(path, before, _lifted(before or "", after) if after else after)
            for path, before, after in edits
            if before != after
        )
        changed |= {row.id: row for row in self._lost(changed)}
        changed = {key: self._standing(row) for key, row in changed.items()}
        self._found.left = [line for edit in self._found.edits for line in _list_leaving(edit)]
        for line in self._found.left:
            self._found.suspected.pop((line.path, saying(line.text)), None)
        self._found.rows = tuple(changed.values())
        self._found.drops = tuple(changed)
        self._found.kept = [row for row in changed.values() if row.id in self._clean and row.status != "tombstone"]
        return self._found

    def _borne_out(self, row: Row) -> bool:
        """Return whether something clean mentions an entry that the source taught."""
        trail, came = self._trail, self._trail.brought.get(row.id, frozenset())
        if row.status == "tombstone" or not row.mentions & (trail.mentions | came):
            return False
        return bool(row.mentions - trail.mentions - trail.changes - trail.partly - came)

    def _now(self, path: str) -> str | None:
        if path not in self._texts:
            self._texts[path] = self._workspace.read(path)
        return self._texts[path]

    def _paths(self, step: Step) -> Iterator[str]:
        for path in step.record.files:
            if path not in _OURS and manifest.kind(path) != "view":
                yield path

    def _revert(self, step: Step, path: str) -> None:
        """Take a change back in one file: by its inverse, else line by line."""
        repo = self._workspace.repo
        before, after = (repository.read(repo, commit, path) for commit in (step.parent, step.commit))
        was, then, now = loosely(before), loosely(after), self._now(path)
        if now is None or was == then or self._keeps(path, was, then):
            return
        if now == then and before is None:
            self._texts[path] = None
            return
        if path == file_roles.CORRECTIONS:
            then = correction.embedded(then, *(one.id for one in correction.corrections(now) if one.embedded))
        merged = revert(was, then, now)
        if not merged.conflicts:
            self._texts[path] = merged.text
            return
        new = {saying(row) for row in then.split("\n")} - {saying(row) for row in was.split("\n")} - {""}
        self._texts[path] = self._without(path, now, new)
        if lost := [row for row in was.split("\n") if row.strip() and row not in then and row not in now]:
            many = f"{len(lost)} line{'' if len(lost) == 1 else 's'}"
            self._found.notes.append(
                f"{path}: {many} that {step.commit[:10]} took out did not go back, since the place is gone: "
                f"git show {step.commit[:10]}"
            )

    def _keeps(self, path: str, was: str, then: str) -> bool:
        """Return whether an entry that a change brought stays."""
        if all(path != file for file, _ in self._safe):
            return False
        new = set(then.split("\n")) - set(was.split("\n"))
        return any((path, digest(entry.text)) in self._safe for row in new for entry in entries(row))

    def _rows_of(self, step: Step) -> dict[str, Row]:
        """Return the rows as they were before a change; an entry that is borne out only loses a mention."""
        repo, found = self._workspace.repo, {}
        before, after = (
            sidecar.parse(loosely(repository.read(repo, commit, sidecar.PATH))) if commit else {}
            for commit in (step.parent, step.commit)
        )
        new = {row.file for key, row in after.items() if key not in before}
        texts = {path: loosely(repository.read(repo, step.parent, path)) if step.parent else "" for path in new}
        stood = {key: row for path, text in texts.items() for key, row in bare(path, text).items()}
        for key, row in after.items():
            now = self._rows.get(key)
            if now is None or row == before.get(key):
                continue
            back = sidecar.taken_back(before.get(key, stood.get(key)), row, now)
            found[key] = self._less(now) if key in self._clean else back
        return found | {key: row for key, row in before.items() if key not in after and key not in self._rows}

    def _standing(self, row: Row) -> Row:
        """Return a row as it is, as long as its entry stands."""
        if row.status == "tombstone" or row.file not in self._texts:
            return row
        stands = any(digest(entry.text) == row.hash for entry in entries(self._texts[row.file] or ""))
        return row if stands else replace(row, status="tombstone", by=self._name)

    def _less(self, row: Row) -> Row:
        return replace(row, mentions=row.mentions - self._trail.mentions)

    def _lost(self, changed: Mapping[str, Row]) -> Iterator[Row]:
        """Yield the rows of entries that went with their lines, and those that only lose a mention."""
        gone: dict[str, set[str]] = {}
        for edit in self._found.edits:
            there = {digest(entry.text) for entry in entries(edit.text or "")}
            gone[edit.path] = {digest(entry.text) for entry in entries(edit.base or "")} - there
        for row in self._rows.values():
            if row.id in changed:
                continue
            if row.hash in gone.get(row.file, ()) and row.status != "tombstone":
                yield replace(row, status="tombstone", by=self._name)
            elif row.mentions & self._trail.mentions:
                less = self._less(row)
                yield less if less.mentions or row.status == "tombstone" else replace(row, status="tombstone")

    def _list_holding(self) -> list[str]:
        """Return the files that hold a saying: those that it went to, and those that hold the words of a long one."""
        known = [path for path in {**self._trail.places, **self._trail.exact} if self._now(path)]
        if not self._long:
            return known
        words = "".join(f"{word}\n" for word in sorted(set(map(_find_telling_word, self._long)))).encode()
        try:
            output = git(self._workspace.root, "grep", "-z", "-l", "-i", "-F", "-f", "-", "--untracked", stdin=words)
        except ClawgitError:
            output = b""  # git says so where nothing is found
        others = [name.decode("utf-8", "surrogateescape") for name in output.split(b"\0") if name]
        others = [path for path in others if path not in _OURS and manifest.kind(path) != "view"]
        return [path for path in dict.fromkeys((*known, *others)) if path in known or self._is_memory(path)]

    def _is_memory(self, path: str) -> bool:
        """Return whether a file's lines can go one by one; what holds the words in another is to be looked at."""
        if path.endswith(".md"):
            with contextlib.suppress(ClawgitError):
                return self._now(path) is not None
        with (self._workspace.root / path).open("rb") as file:
            text = flat(loosely(file.read(_LARGEST)))
        if said := next((said for said in self._long if said in text), ""):
            why = "holds the words, and is no file of memory" if not path.endswith(".md") else "is not valid UTF-8"
            self._found.suspected[path, said] = why
        return False

    def _sweep(self, path: str) -> None:
        text = self._now(path)
        if text is None:
            return
        own, exact = self._trail.places.get(path, {}).keys(), self._trail.exact.get(path, set())
        sayings = {said for row in text.split("\n") if (said := saying(row))}
        holding = {said for said in sayings if any(one in said for one in self._long)}
        wanted = (sayings & own) | {said for said in holding - own if self._is_copy(path, text, said)}
        plain = flat(text)
        broken = [one for one in self._long if one in plain and not any(one in said for said in holding)]
        if manifest.kind(path) in ("conflicts", "corrections"):
            self._texts[path] = self._without_records(path, text, wanted)
        elif wanted or broken or exact:
            self._texts[path] = self._without(path, text, wanted, broken, exact)

    def _is_copy(self, path: str, text: str, said: str) -> bool:
        """Return whether a line hardly says more than what was taught before it, and the operator did not write it.

        One that came later and is none is to be looked at.
        """
        if path in self._trail.places:
            return True
        first, commit = self._trail.begins, self._find_commit(path, text, said)
        if first and commit and first != commit and repository.reaches(self._workspace.repo, first, commit):
            return False
        if max(len(one) for one in self._long if one in said) < _WHOLE * len(said):
            self._found.suspected[path, said] = "holds the words among others"
        elif commit and self._is_operators(commit):
            self._found.suspected[path, said] = "the operator wrote it"
        else:
            return True
        return False

    def _is_operators(self, commit: str) -> bool:
        """Return whether a command of the operator's own made a commit, which rests on nothing else."""
        if commit in {step.commit for step in self._trail.steps}:
            return False
        record = records.record(history.commit(self._workspace.repo, commit))
        return record.origin == "operator" and record.agent is None and bool(record.change) and not record.evidence

    def _find_commit(self, path: str, text: str, said: str) -> str | None:
        """Return the commit that brought a line into a file, None if it is on disk alone."""
        number = next(at for at, row in enumerate(text.split("\n"), 1) if saying(row) == said)
        try:
            (line,) = blame(self._workspace.repo, path, None, (number, number))
        except (ClawgitError, ValueError):
            return None
        return line.commit

    def _without(
        self,
        path: str,
        text: str,
        sayings: set[str],
        broken: Iterable[str] = (),
        named: Collection[str] = (),
    ) -> str:
        """Return a text without the entries that say these, in their place what stood there before."""
        rows = document.split(text)
        away: dict[int, list[str]] = {}
        for one in entries(text):
            said = saying(document.content(rows[one.start - 1])), flat(one.text)
            if (path, digest(one.text)) in self._safe:
                continue
            if said[0] in sayings or any(each in said[1] for each in broken):
                for number in range(one.start, one.end + 1):
                    away.setdefault(number, [])
                back = self._trail.instead.get((path, said[0]), [])
                away[one.start] = [row for row in back if saying(row) not in self._trail.sayings]
        for number, row in enumerate(map(document.content, rows), 1):
            meant = saying(row) in sayings and not row.startswith("#")
            safe = any((path, digest(entry.text)) in self._safe for entry in entries(row))
            if number not in away and (row in named or (meant and not safe)):
                away[number] = []
        return "".join(
            piece
            for number, row in enumerate(rows, 1)
            for piece in ([_ended(one) for one in away[number]] if number in away else [row])
        )

    def _without_records(self, path: str, text: str, sayings: set[str]) -> str:
        """Return a file of records without those that repeat what was said; a clean correction of it stays."""
        if manifest.kind(path) == "corrections":
            if sayings:
                self._found.notes.append(f"{path} refutes what was taught, and keeps its words")
            return text
        rows, away = document.split(text), set[int]()
        for one in document.sections(text):
            mine = range(one.line, one.end + 1)
            if one.level == _RECORD and any(saying(document.content(rows[number - 1])) in sayings for number in mine):
                away.update(mine)
        return "".join(row for number, row in enumerate(rows, 1) if number not in away)


def _list_leaving(edit: Edit) -> Iterator[Leaving]:
    """Yield the lines that an edit takes out of a file."""
    left = Counter(row.strip() for row in (edit.text or "").split("\n"))
    for number, row in enumerate((edit.base or "").split("\n"), 1):
        left[row.strip()] -= 1
        if row.strip() and left[row.strip()] < 0:
            yield Leaving(edit.path, number, row.rstrip("\r"))


def _lifted(before: str, after: str) -> str:
    """Return a text in which what stood below a bullet that went stands in its place, and below none that stood there.

    Below one that stands again in the place of another it stays.
    """
    others = {(entry.text, entry.ordinal) for entry in entries(before)}
    was = {(one.text, one.ordinal): above for one, above in _below(before)}
    rows = document.split(after)
    now = list(_below(after))
    for at, (one, above) in enumerate(now):
        stood = was.get((one.text, one.ordinal))
        if stood is None or (above and (above.text == stood.text or (above.text, above.ordinal) not in others)):
            continue
        tree = [one, *(other for other, _ in takewhile(lambda pair: pair[0].depth > one.depth, now[at + 1 :]))]  # noqa: B023
        less = _indent(rows[one.start - 1]) - _indent(document.split(before)[stood.start - 1])
        for number in (number for other in tree for number in range(other.start - 1, other.end)):
            rows[number] = rows[number][min(max(less, 0), _indent(rows[number])) :]
    return "".join(rows)


def _below(text: str) -> Iterator[tuple[Entry, Entry | None]]:
    """Yield the bullets that stand below others, each with the one above it."""
    above: list[Entry] = []
    for one in entries(text):
        if one.kind != "bullet":
            above = []
            continue
        above = [other for other in above if other.depth < one.depth]
        if one.depth > 1:
            yield one, above[-1] if above else None
        above.append(one)


def _indent(row: str) -> int:
    return len(row) - len(row.lstrip(" \t"))


def _find_telling_word(said: str) -> str:
    """Return the longest plain word of a saying, by which git finds it however its letters are written."""
    return max(_PLAIN.findall(said), key=lambda word: ("ss" not in word, len(word)), default=said)


def _ended(row: str) -> str:
    return row if row.endswith("\n") else row + "\n"
