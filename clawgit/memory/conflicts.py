"""Records contradictions, and decides them."""

import contextlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, timedelta
from typing import Literal

from msgspec.structs import replace

from clawgit import errors, file_roles
from clawgit.errors import Advice, ClawgitError, Command
from clawgit.git import history, repository
from clawgit.memory.contradictions import explain_contradiction
from clawgit.memory.in_force import is_superseded
from clawgit.memory.view import Draft, View, find_entry, find_gravest, point_to
from clawgit.text import confidence, conflict, document
from clawgit.text.conflict import TWO_MACHINES, Conflict, Side, Winner
from clawgit.text.edit import append_block, bullet, remove_lines, replace_entry
from clawgit.text.entry import entries, entry_id, hash_entry, is_id, make_name, new_id, normalise, remove_clock
from clawgit.text.evidence_pointer import Pointer
from clawgit.text.evidence_pointer import format as format_pointer
from clawgit.text.similarity import is_same_note
from clawgit.text.unit import fold_line
from clawgit.workspace.change import Append, Change, Edit, Origin
from clawgit.workspace.commit_message import fold_spaces, shorten
from clawgit.workspace.correction_records import Standing
from clawgit.workspace.entries import Row
from clawgit.workspace.file_contents import clean_for_writing, hash_statement, to_text
from clawgit.workspace.memory_lines import MEMORY_ROLES, SECTIONS, MemoryLine, list_lines
from clawgit.workspace.workspace import Workspace

DETECTOR = "conflict-detector"
Rule = Literal["correction", "newer by 30 days", "open"]
Keep = Literal["a", "b", "both"]
_OLDER = timedelta(days=30)
_DATED = frozenset({"event", "knowledge", "decision"})
_MAX_SUBJECT_CHARS = 63
_MARKER = re.compile(r"[ \t]*(?:[-*+#|]|\d{1,9}[.)])")


# ---- what was found


def name_pair(*sides: MemoryLine | Side) -> str:
    """Return the id of a conflict by its two statements: the same on every machine, another for other words."""
    return make_name("\0".join(("conflict", *sorted(map(_hash_side, sides)))))


def _hash_side(side: MemoryLine | Side) -> str:
    return hash_statement(side.path, side.text)


def _list_equal_lines(view: View, side: MemoryLine, other: MemoryLine | None) -> list[MemoryLine]:
    """Return the entries in force with the words of a side, those of a file from its end.

    Left out are equal words below another title, with which they do not contradict the other side.
    """
    lines, key = list_lines(view.workspace, *MEMORY_ROLES), _hash_side(side)
    copies = [line for line in lines if _hash_side(line) == key and not is_superseded(line)]
    if other and explain_contradiction(side, other):
        copies = [line for line in copies if explain_contradiction(line, other)]
    return sorted(copies, key=lambda line: (line.path, -line.line))


def read_settled(view: View) -> dict[str, str]:
    """Return the pairs that are not to be reported again, by their id, and why."""
    repo, path = view.workspace.repo, file_roles.CONFLICTS
    undone: list[Conflict] = []
    for undo in history.walk_log(repo, path, containing="Clawgit-Undoes: ", named=False):
        for parent in undo.parents[:1] if undo.as_ours else ():
            undone += conflict.conflicts(to_text(repository.read(repo, parent, path)))
    current = conflict.conflicts(view.read(path) or "")
    pairs = [(record, "taken back before") for record in undone]
    pairs += [(record, "open already" if record.open else "settled before") for record in current]
    return {name_pair(*record.sides): reason for record, reason in pairs}


def date_line(workspace: Workspace, line: MemoryLine) -> date:
    """Return the date of an entry's words: the journal's day, else its first mention or its commit's."""
    return file_roles.journal_day(line.path) or line.first or workspace.now().date()


def decide_conflict(view: View, older: MemoryLine, newer: MemoryLine) -> tuple[Rule, MemoryLine | None]:
    """Return the first rule that fits (spec §5.4), and the winning entry: the operator's correction, then the newer.

    An entry from untrusted sources never wins; nor does one of an unknown author against the operator's. The newer one
    wins only over all copies of the older one.
    """
    records = view.corrections()
    refuted = [found.record.said for found in records if found.record.said]
    recorded = (line for line in (older, newer) if _is_operators(line) and _find_record(line, records))
    corrected = [line for line in recorded if not any(is_same_note(line.text, words) for words in refuted)]
    if len(corrected) == 1:
        return "correction", corrected[0]
    is_dated = not corrected and {older.tag, newer.tag} <= _DATED and older.mentions and _is_operators(newer)
    if is_dated and all(_gives_way(view.workspace, line, newer) for line in _list_equal_lines(view, older, newer)):
        return "newer by 30 days", newer
    return "open", None


def _gives_way(workspace: Workspace, line: MemoryLine, newer: MemoryLine) -> bool:
    """Return whether an entry gives way to a newer one: of memory files those that clawgit wrote."""
    is_old = date_line(workspace, newer) - date_line(workspace, line) >= _OLDER
    return is_old or line.origin == "untrusted" if line.role == "journal" else is_old and bool(line.mentions)


def _is_operators(line: MemoryLine) -> bool:
    return line.origin == "operator" and bool(line.mentions)


def _find_record(line: MemoryLine, records: Sequence[Standing]) -> Standing | None:
    """Return the record of an entry, by its words or its id."""
    for record in reversed(records):
        true = record.record.true
        is_about = line.id in record.record.about.replace(",", " ").split() and normalise(true) in normalise(line.text)
        if true and (is_about or is_same_note(line.text, true)):
            return record
    return None


def make_record(view: View, pair: tuple[MemoryLine, MemoryLine], reason: str, *, change: str = "") -> Change:
    """Return the change that records a contradiction, and takes the side out that gives way by a rule.

    `change` is its id.
    """
    workspace, records = view.workspace, view.corrections()
    older, newer = sorted(pair, key=lambda line: (date_line(workspace, line), line.path, line.line))
    dates = [date_line(workspace, line) for line in (older, newer)]
    rule, decided = decide_conflict(view, older, newer)
    time = f"{workspace.now():%Y-%m-%d %H:%M}"
    letter: Winner = "none" if decided is None else "a" if decided is older else "b"
    texts = (clean_for_writing(fold_spaces(line.text)) for line in (older, newer))
    parts = zip((older, newer), texts, dates, strict=True)
    sides = [Side(text, line.path, line.id, f"{day}", line.origin) for line, text, day in parts]
    reason = reason or "a model found that both cannot hold"
    answers = (f"{time} by {DETECTOR}: {letter} holds, by rule",) if decided else ()
    status, winners = ("resolved", (letter,)) if decided else ("open", ())
    name = name_pair(*sides)
    record = Conflict(name, time, sides[0], sides[1], reason, rule, status, winners, answers)
    origin = find_gravest(line.origin for line in pair)
    pointers = [point_to(view, line) for line in (older, newer)]
    if decided and (source_record := _find_record(decided, records)) and source_record.record.id:
        pointers.append(format_pointer(Pointer("correction", source_record.path, id=source_record.record.id)))
    draft = _Draft(view, record)
    for line in _list_equal_lines(view, older if decided is newer else newer, decided) if decided else ():
        draft.take_out(line)
    state = "decided" if decided else "open"
    # The words of others stay out of the subject.
    summary = f"conflict {record.id}, {state}" if origin == "untrusted" else f"conflict, {state}: {sides[1].text}"
    return Change(
        f"memory: {shorten(summary, _MAX_SUBJECT_CHARS)}",
        _explain(record, origin),
        (Append(file_roles.CONFLICTS, conflict.rendered(record), conflict.EMPTY_CONFLICTS), *draft.list_edits()),
        tuple(pointers),
        origin,
        DETECTOR,
        rows=tuple(draft.rows.values()),
        id=change or new_id(),
    )


def _explain(record: Conflict, origin: Origin) -> str:
    reason = f"Both cannot hold: {record.why}." if origin != "untrusted" else "Both cannot hold."
    if record.rule == "open":
        decision = f"clawgit accept {record.id} --only 1   # or 2, or 1,2 for both"
        return f"{reason} No rule decides, so both stay in force: {decision}"
    words = {
        "correction": "The operator's correction wins.",
        "newer by 30 days": f"{record.b.date} is younger than {record.a.date} by 30 days or more: the newer wins.",
    }
    return f"{reason} {words[record.rule]}"


def close_moot(view: View, name: str = "") -> Change | None:
    """Return the change that closes the open records (or that one) with a side gone, out of force or reworded.

    Side B of two machines' wordings may be in its record alone: only B in the place of A closes such a record.
    """
    lines = list_lines(view.workspace, *MEMORY_ROLES)
    present = {(line.path, _hash_side(line)) for line in lines if not is_superseded(line)}

    def is_moot(record: Conflict) -> bool:
        if name not in ("", record.id):
            return False
        is_gone = {side: bool(side.path) and (side.path, _hash_side(side)) not in present for side in record.sides}
        if record.rule == TWO_MACHINES:
            return (is_gone[record.a] or record.a.nothing) and not is_gone[record.b]
        return any(is_gone.values())

    edit = _close_records(view, is_moot, f"by {DETECTOR}: a side is gone or reworded")
    reason = "A side of each is gone, out of force or reworded."
    return Change("memory: conflicts closed", reason, (edit,), agent=DETECTOR) if edit else None


def close_settled(view: View, edits: Iterable[Edit | Append]) -> Iterator[Edit]:
    """Yield the edits that close the open records of sides that these edits remove."""
    texts = {edit.path: edit.text for edit in edits if isinstance(edit, Edit) and edit.text}
    after = {path: {hash_statement(path, entry.text) for entry in entries(text)} for path, text in texts.items()}

    def is_corrected(record: Conflict) -> bool:
        sides = (record.a,) if record.rule == TWO_MACHINES else record.sides
        return any(side.path in after and _hash_side(side) not in after[side.path] for side in sides)

    yield from filter(None, [_close_records(view, is_corrected, "by operator: corrected")])


def _close_records(view: View, is_done: Callable[[Conflict], bool], words: str) -> Edit | None:
    """Return the edit that closes the open records with nothing left to decide."""
    before = text = view.read(file_roles.CONFLICTS) or ""
    for record in conflict.conflicts(text):
        if record.open and not record.disputed and is_done(record):
            text = conflict.close_records(text, record.id, "none", f"{view.workspace.now():%Y-%m-%d %H:%M} {words}")
    return Edit(file_roles.CONFLICTS, before, text) if text != before else None


# ---- what the operator decides


def find_conflict(view: View, name: str) -> Conflict:
    """Return the record with an id. Raises ClawgitError for none."""
    record = next((item for item in conflict.conflicts(view.read(file_roles.CONFLICTS) or "") if item.id == name), None)
    if record is None:
        raise errors.id_unknown(f"no conflict has the id {name}", fix=Command("clawgit inbox --kind {}", "conflict"))
    return record


class _Draft(Draft):
    """The files and rows of a decision as they become."""

    def __init__(self, view: View, record: Conflict) -> None:
        super().__init__(view)
        self.record = record

    def find(self, side: Side) -> MemoryLine | None:
        """Return a side as it is, None when it is gone. Raises ClawgitError when its words have changed."""
        places = dict.fromkeys((*([side.path] if side.path else []), *self.view.workspace.memory_files))
        lines = [line for path in places for line in list_lines(self.view.workspace, *MEMORY_ROLES, paths=(path,))]
        key = _hash_side(side)
        matches = (line for line in lines if _hash_side(line) == key)
        match = min(matches, key=lambda line: line.id != side.id, default=None)
        if match is None and any(is_id(side.id) and line.id == side.id for line in lines):
            fix = Command("clawgit run conflict-detector --apply", note="looks at it again")
            if self.record.rule == TWO_MACHINES:
                fix = Command("clawgit reject {}", self.record.id, note="the files stay as they are")
            raise errors.memory_changed(f"{side.path}: “{shorten(side.text, 60)}” was reworded since", fix=fix)
        return match

    def take_out(self, line: MemoryLine) -> None:
        """Take an entry out of force; its line leaves the file, unless it is a journal or others are nested below."""
        text = self.read(line.path)
        entry = find_entry(text, line)
        behind = next((one for one in entries(text) if one.start > entry.start), entry)
        if file_roles.journal_day(line.path) is None and behind.depth <= entry.depth:
            self.texts[line.path] = remove_lines(text, [(entry.start, entry.end)])
        self.rows[line.id] = replace(self.view.find_row(line), status="superseded", by=self.record.id)

    def bring_back(self, side: Side) -> None:
        """Add a statement again that an earlier decision took out, as the record has it."""
        path = side.path if side.path and file_roles.journal_day(side.path) is None else self.view.workspace.memory_file
        words = remove_clock(side.path, side.text)
        row = self.view.rows().get(side.id) or Row(side.id or entry_id(path, words), path, hash_entry(words))
        self.add_line(words, row.tag, path=path)
        self.rows[row.id] = replace(row, file=path, hash=hash_entry(words), status="live", by=self.record.id)

    def reword(self, line: MemoryLine, words: str, found: Iterable[MemoryLine]) -> None:
        """Put other words in the place of an entry."""
        text = self.read(line.path)
        entry = find_entry(text, line)
        fresh = bullet(words, entry.tag, tuple(status for status in entry.status if status != "superseded"))
        self.texts[line.path] = replace_entry(text, entry, fresh.removeprefix("- "))
        self.rows[line.id] = self.merge_row(self.view.find_row(line), words, found)

    def settle_rows(self, winner: Keep) -> bool:
        """Settle sides that may be no entries, such as headings or rows; return whether side A is there.

        B takes the place of A, or comes right above it, in its form; the side that loses goes.
        """
        old, new = self.record.a, self.record.b
        if winner == "b" and (entry := self.find(old)):
            self.reword(entry, new.text, [entry])
            return True
        rows = document.split(self.read(old.path))
        index, other = (_find_row(rows, side) for side in (old, new))
        if index is None:
            return False
        line, removed_index = rows[index], {"a": other, "b": index if other is not None else None, "both": None}[winner]
        if winner == "b":
            rows[index] = line.replace(old.text, new.text)
        elif winner == "both" and other is None:
            ending = document.eol("".join(rows))
            addition = document.content(line.replace(old.text, new.text)) + ending
            # Without a blank line two paragraphs would be one.
            rows[index:index] = [addition, *([] if _MARKER.match(line) else [ending])]
        self.texts[old.path] = remove_lines(
            "".join(rows), [] if removed_index is None else [(removed_index + 1, removed_index + 1)]
        )
        if winner == "both" and (row := self.view.rows().get(new.id)):
            self.rows[row.id] = replace(row, file=old.path, hash=hash_entry(new.text), status="live", by=self.record.id)
        return True

    def merge_row(self, row: Row, words: str, found: Iterable[MemoryLine]) -> Row:
        """Return the row of an entry with other words that the operator gave for some others."""
        today = self.view.workspace.now().date()
        merged_rows = [self.view.find_row(line) for line in found]
        sources = row.sources.union(*({source.id, *source.sources} for source in merged_rows)) - {row.id}
        sure = confidence.base("operator")
        first = today if row.hash != hash_entry(words) else row.first
        row = replace(row, hash=hash_entry(words), origin="operator", confidence=sure, status="live", sources=sources)
        return replace(row, first=first, last=today, by=self.record.id)

    def supersede_correction(self, keep: Keep) -> None:
        """Record that the corrections to the words of the losing side are out of force."""
        if keep == "both":
            return
        winner, loser = self.record.sides if keep == "a" else self.record.sides[::-1]
        false, true = (remove_clock(side.path, side.text) for side in (loser, winner))
        time = f"{self.view.workspace.now():%Y-%m-%d %H:%M}"
        records = (item.record for item in self.view.corrections())
        ids = [record.id for record in records if normalise(record.true) == normalise(false)]
        if ids and true:
            values = {"Said": false, "True": true, conflict.WAS: false, conflict.STANDS: true}
            name = make_name(f"decided\0{self.record.id}\0{true}")
            fields = values | {
                conflict.ABOUT: winner.id,
                conflict.SUPERSEDES: ", ".join(ids),
                conflict.REEMBEDDED: "true",
            }
            text = self.read(file_roles.CORRECTIONS) or conflict.EMPTY_CORRECTIONS
            self.texts[file_roles.CORRECTIONS] = append_block(text, conflict.format_record(name, time, fields.items()))

    def make_change(self, winner: Winner, words: str) -> Change:
        """Return the change that closes the record."""
        record, path = self.record, file_roles.CONFLICTS
        time = f"{self.view.workspace.now():%Y-%m-%d %H:%M}"
        self.texts[path] = conflict.close_records(self.read(path), record.id, winner, f"{time} by operator: {words}")
        pointers = []
        for side in record.sides:
            with contextlib.suppress(ClawgitError):
                pointers += [point_to(self.view, line)] if (line := self.find(side)) else []
        subject = f"memory: conflict {record.id}: {shorten(words, 50)}"
        reason = f"The operator decided. A: {record.a.text}\nB: {record.b.text}"
        return Change(subject, reason, self.list_edits(), tuple(pointers), rows=tuple(self.rows.values()))


def _find_row(rows: Sequence[str], side: Side) -> int | None:
    """Return the index of the only line with the words of a side."""
    words, text = [fold_line(document.content(row)).lstrip("#- ") for row in rows], fold_line(side.text).lstrip("#- ")
    index = words.index(text) if words.count(text) == 1 else None
    return index if index is not None and side.text in rows[index] else None


def keep_side(view: View, record: Conflict, winner: Keep) -> Change:
    """Return the change that closes a conflict: the other side leaves its file, or both stay.

    Raises ClawgitError for a winner that is gone, or a side that was reworded since.
    """
    draft, sides = _Draft(view, record), {"a": record.a, "b": record.b}
    words = "both stay" if winner == "both" else f"{winner.upper()} holds"
    draft.supersede_correction(winner)
    is_left_out = record.rule == TWO_MACHINES and draft.find(record.b) is None
    if is_left_out and not record.b.nothing and draft.settle_rows(winner):
        return draft.make_change(winner, words)
    for letter, side in sides.items():
        if side.nothing:
            continue
        line, stays = draft.find(side), winner in (letter, "both")
        if line is None and stays and (record.disputed or is_left_out):
            draft.bring_back(side)
        elif line is None and stays:
            command = Command("clawgit restore {}" if side.id else "clawgit remember {}", side.id or side.text)
            raise errors.memory_changed(f"{letter.upper()} is gone: “{shorten(side.text, 60)}”", fix=command)
        elif line and not stays:
            for copy in _list_equal_lines(view, line, draft.find(sides[winner])):
                draft.take_out(copy)
        elif line and is_superseded(line):
            draft.rows[line.id] = replace(view.find_row(line), status="live", by=record.id)
    return draft.make_change(winner, words)


def dismiss(view: View, record: Conflict) -> Change:
    """Return the change that closes a conflict as none: its sides stay, also if they are reworded or gone."""
    draft, present_ids = _Draft(view, record), set[str]()
    for side in record.sides:
        with contextlib.suppress(ClawgitError):
            line = draft.find(side)
            present_ids |= {line.id} if line else set()
            if line and is_superseded(line):
                draft.rows[line.id] = replace(view.find_row(line), status="live", by=record.id)
    # Of two machines' wordings the second one may be in the record alone.
    winner: Winner = "a" if record.rule == TWO_MACHINES and len(present_ids) <= 1 else "both"
    return draft.make_change(winner, conflict.UNCHANGED)


def merge(view: View, record: Conflict, text: str) -> Change:
    """Return the change that replaces both sides by other words.

    They take the place of the first side that is in a memory file, else they become a new memory; lines of journals are
    superseded. Raises ClawgitError if Markdown could not store them, or without words.
    """
    words = fold_spaces(text)
    if not normalise(words):
        raise errors.text_missing("no merged text", fix=Advice(f'clawgit accept {record.id} --text "…"'))
    if "<!--" in words:
        raise errors.memory_shape("the text is not one entry", fix=Advice("leave out tags, comments and line breaks"))
    draft = _Draft(view, record)
    lines = [line for side in record.sides if (line := draft.find(side))]
    target = next((line for line in lines if file_roles.journal_day(line.path) is None), None)
    for line in lines:
        if line is not target:
            draft.take_out(line)
    if target:
        draft.reword(target, words, lines)
    else:
        tag = next((line.tag for line in lines if line.tag in SECTIONS), None) or "knowledge"
        path = draft.add_line(words, tag)
        row = Row(entry_id(path, words), path, "", tag)
        draft.rows[row.id] = draft.merge_row(row, words, lines)
    return draft.make_change("merged", f"merged into “{shorten(words, 80)}”")
