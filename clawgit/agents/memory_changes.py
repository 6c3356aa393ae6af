"""The changes that operations come to."""

import unicodedata
from collections.abc import Callable, Mapping
from datetime import date, datetime
from functools import partial, reduce
from typing import cast

from msgspec.structs import replace

from clawgit import file_roles
from clawgit.agents import conflict_detector, requested_memories
from clawgit.agents.running import View
from clawgit.errors import (
    Advice,
    already_set,
    budget_exceeded,
    id_unknown,
    memory_changed,
    memory_shape,
    path_role,
    source_tainted,
)
from clawgit.language import date_mentions
from clawgit.language.values import find_value_places
from clawgit.memory import correct, expiry, in_force
from clawgit.memory.corrected_values import Correction, Told
from clawgit.memory.value_exchange import Exchange, Stored
from clawgit.memory.view import Draft, find_entry
from clawgit.messages.triage import MINER, VALIDATOR, Pattern, triage
from clawgit.reading import checks
from clawgit.reading.backlog import make_message
from clawgit.reading.checks import VERBATIM, Decided
from clawgit.reading.operations import Act, Batch, Turn
from clawgit.sessions.chat_store import Message
from clawgit.text import confidence, document
from clawgit.text.edit import add_bullet, append_under, bullet, remove_lines, replace_entry
from clawgit.text.entry import Entry, entries, entry_id, hash_entry, normalise
from clawgit.text.tokens import count
from clawgit.workspace import commit_message, file_contents
from clawgit.workspace.change import Change, Origin
from clawgit.workspace.commit_message import fold_spaces
from clawgit.workspace.entries import Row
from clawgit.workspace.memory_lines import (
    SECTIONS,
    MemoryLine,
    find_topic_file,
    list_bullets,
    list_lines,
    require_readable,
)
from clawgit.workspace.workspace import Workspace

KEEPER = "soul-keeper"
LESSONS = "Lessons"
READ_AGAIN = Advice("export the next batch, or run it again: the file has moved on")
_MAX_SUBJECT_CHARS = 60
_MAX_QUOTES = 5
_JOURNAL_TAGS = ("knowledge", "event")
"""Requests with these tags are listed in the journal of their day as well (A3)."""
_ENDS = ".!\u3002\uff01 "


def read_message(workspace: Workspace, turn: Turn) -> Message:
    """Return a turn as in the conversations; nothing can cite one that they do not have."""
    message = workspace.conversations(turn.session, turn.event) if turn.session and turn.event else None
    time = datetime.fromisoformat(turn.time).timestamp() if turn.time else None
    if message:
        return make_message(message.text, cast("Origin", message.origin), time, turn.session, turn.event)
    return make_message(turn.text, "operator" if turn.by == "operator" else "unknown", time)


def find_cited(batch: Batch, decision: Decided) -> tuple[Turn, ...]:
    """Return the turns that an operation cites, its context last."""
    numbers = (*decision.operation.turns, *filter(None, (decision.operation.context,)))
    return tuple(turn for n in dict.fromkeys(numbers) if (turn := batch.turn(n)))


def make_change(view: View, batch: Batch, decision: Decided, patterns: tuple[Pattern, ...]) -> Change:
    """Return the change that an operation comes to. Raises ClawgitError where it cannot be made."""
    draft = _OperationDraft(view, batch, decision)
    makers: Mapping[Act, Callable[[], Change]] = {
        "add": draft.add,
        "replace": draft.reword,
        "merge": draft.reword,
        "retire": draft.retire,
        "soul": draft.edit_identity,
        "lesson": draft.add_lesson,
        "conflict": partial(conflict_detector.record_of_reading, view, batch, decision),
        "correct": partial(draft.correct, patterns),
    }
    return draft.mention(decision.same) if decision.same else makers[decision.operation.act]()


class _OperationDraft(Draft):
    """The files of an operation as they become.

    `messages` are the cited ones, `mentions` their names, `days` theirs in order. `origin` is the operator only where
    he said all of them.
    """

    def __init__(self, view: View, batch: Batch, decision: Decided) -> None:
        super().__init__(view)
        self.workspace, self.batch, self.decision, self.operation = view.workspace, batch, decision, decision.operation
        self.name, self.memory_file = decision.name(batch), view.workspace.memory_file
        self.turns = [turn for n in decision.operation.turns if (turn := batch.turn(n))]
        self.messages = [read_message(view.workspace, turn) for turn in self.turns]
        self.mentions = frozenset(message.mention for message in self.messages)
        self.days = sorted(turn.day for turn in self.turns if turn.day) or [date.fromisoformat(batch.today)]
        is_operators = {message.origin for message in self.messages} == {"operator"}
        self.origin: Origin = "operator" if is_operators and decision.confidence >= confidence.OPERATOR else "agent"

    def _make_row(self, key: str, path: str, text: str, tag: str) -> Row:
        """Return the row of what is written, by which a run knows that something was made of these turns."""
        mentions = self.mentions or frozenset({self.name})
        first, last = self.days[0], self.days[-1]
        return Row(key, path, hash_entry(text), tag, self.origin, self.decision.confidence, first, last, mentions)

    def _make_change(
        self, room: str, subject: str, rows: tuple[Row, ...], agent: str = MINER, drops: tuple[str, ...] = ()
    ) -> Change:
        """Return the change, with the words that it rests on, and its evidence: each cited turn that has some."""
        quotes = self.decision.quotes
        reasons = [f'The operator said: "{_clean_statement(quote)}"' for quote in quotes[:_MAX_QUOTES]]
        reasons += [_clean_statement(self.operation.reason), f"Due {self.operation.due}." if self.operation.due else ""]
        pointers: dict[str | None, None] = {}
        for turn in find_cited(self.batch, self.decision):
            message = read_message(self.workspace, turn)
            sentences = [fold_spaces(quote) for quote in quotes if _fold_nfc(quote) in _fold_nfc(message.text)]
            pointers |= dict.fromkeys(map(message.point_to, sentences or [""]))
        return Change(
            f"{room}: {commit_message.shorten(fold_spaces(subject), _MAX_SUBJECT_CHARS)}",
            "\n".join(filter(None, reasons)),
            self.list_edits(),
            tuple(filter(None, pointers)),
            self.origin,
            agent,
            rows=rows,
            drops=drops,
            id=self.name,
        )

    def _date_text(self) -> str:
        """Return the text, with the day on which it is due behind it where it does not name that day."""
        text, due = self.operation.text, self.operation.due
        if not due or date.fromisoformat(due) in date_mentions.days(text, self.days[0]):
            return text
        plain = text.rstrip(_ENDS)
        return f"{plain} ({due}){text[len(plain) :]}"

    # ---- memories

    def add(self) -> Change:
        """Add a line.

        Raises ClawgitError for what was taken back before, or what cannot stand there.
        """
        operation, text = self.operation, self._date_text()
        tag = operation.tag or ("skill" if operation.act == "lesson" else "knowledge")
        if operation.due and tag == "knowledge":
            tag = "event"
        path, title = self.memory_file, _find_section(self.read(self.memory_file), operation.section) or SECTIONS[tag]
        if self.decision.aside:
            path = find_topic_file(self.workspace.root, title) or find_topic_file(self.workspace.root, SECTIONS[tag])
        key = entry_id(path, text)
        self._refuse_taken_back(key, text)
        if self.decision.aside:
            self._link(title, path)
        heading = "# Memory" if path == self.memory_file else f"# {title}"
        before = self.read(path)
        self.texts[path] = append_under(
            before if before.strip() else f"{heading}\n", title, bullet(text, tag), create=True
        )
        require_readable(path, text, self.texts[path])
        row = self._make_row(key, path, text, tag)
        messages = self.messages[:1] if self.decision.why == VERBATIM and tag in _JOURNAL_TAGS else []
        notes, rows = requested_memories.note_requests(self.view, [(message, text) for message in messages])
        change = self._make_change("memory", text, (row, *rows))
        return replace(change, edits=(*change.edits, *notes))

    def _link(self, title: str, path: str) -> None:
        """Have a section lead to the file of its topic, where it does not yet and the memory file has room."""
        text, line, free = self.read(self.memory_file), f"- More: [{path}]({path})", self.batch.free
        if f"]({path})" not in text and (free is None or free >= len(line)):
            whole = text if text.strip() else "# Memory\n"
            self.texts[self.memory_file] = append_under(whole, title, line, create=True)

    def _refuse_taken_back(self, key: str, text: str) -> None:
        """Raise ClawgitError for what the operator took back: these words, or all that was learnt from these turns."""
        rows = self.view.rows().values()
        present_ids = {line.id for line in list_bullets(self.workspace)}
        files = {self.memory_file, *self.workspace.memory_files}
        tombstones = [row for row in rows if row.status == "tombstone"]
        deleted = [row for row in rows if row.file in files and row.id not in present_ids]
        # A turn with a memory that still exists was not taken back.
        live = frozenset[str]().union(*(row.mentions for row in rows if row.id in present_ids))
        unlearnt = frozenset[str]().union(*(row.mentions for row in (*tombstones, *deleted))) - live
        is_unlearnt = bool(self.mentions) and self.mentions <= unlearnt
        if is_unlearnt or any(row.id == key or row.hash == hash_entry(text) for row in tombstones):
            raise source_tainted("what was learnt from this was taken back before", fix=Advice("leave it out"))

    def mention(self, name: str) -> Change:
        """Note that an entry was said once more: in the sidecar alone."""
        line = self._find_line(name)
        row = self._find_row(line)
        last = max(row.last or self.days[-1], self.days[-1])
        row = replace(row, last=last, mentions=row.mentions | self.mentions)
        return self._make_change("memory: mentioned again", line.text, (row,))

    def reword(self) -> Change:
        """Put better words in the place of an entry, or one line in the place of several.

        Raises ClawgitError where an entry is gone, stands elsewhere, or is not ours to change.
        """
        lines, spots, path = self._find_lines()
        text, before, first = self._date_text(), self.read(path), spots[0]
        if any(document.CLIPPED.search(spot.text) for spot in spots):
            raise memory_shape("an entry is too long to rewrite", fix=Advice("break it into several lines"))
        if first.kind == "row" and text.count("|") != first.text.count("|"):
            raise memory_shape(f"entry {lines[0].id} is a row of a table", fix=Advice("keep its cells, with | between"))
        tag = self.operation.tag or lines[0].tag or "knowledge"
        bullet_text = bullet(text, tag, first.status).removeprefix("- ")
        new = {"bullet": bullet_text, "row": f"| {text} |"}.get(first.kind, document.escape(text))
        after = remove_lines(before, [(spot.start, spot.end) for spot in spots[1:]])
        # The removal may have moved this line.
        after = replace_entry(after, next(entry for entry in entries(after) if entry.text == first.text), new)
        require_readable(path, text, after)
        self.texts[path] = after
        rows = [self._find_row(line) for line in lines]
        fresh = self._make_row(entry_id(path, text), path, text, tag)
        merged_row = replace(
            reduce(expiry.join_rows, rows, fresh),
            origin="operator" if any(row.origin == "operator" for row in rows) else fresh.origin,
            confidence=max(row.confidence for row in rows) if self.operation.act == "merge" else fresh.confidence,
        )
        # The new words can have the id of an old line.
        drops = tuple(row.id for row in rows if row.id != fresh.id)
        verb = "merged" if len(lines) > 1 else "reworded"
        return self._make_change(f"memory: {verb}", text, (merged_row,), drops=drops)

    def retire(self) -> Change:
        """Take entries out. Raises ClawgitError as `reword` does."""
        lines, spots, path = self._find_lines()
        self.texts[path] = remove_lines(self.read(path), [(spot.start, spot.end) for spot in spots])
        tombstones = (replace(self._find_row(line), status="tombstone", by=self.name) for line in lines)
        return self._make_change("memory: retired", lines[0].text, tuple(tombstones))

    def _find_line(self, name: str) -> MemoryLine:
        for line in list_lines(self.workspace, "memory"):
            if line.id == name:
                return line
        raise id_unknown(f"no memory file has entry {name}, and journals stay as they are", fix=READ_AGAIN)

    def _find_lines(self) -> tuple[list[MemoryLine], list[Entry], str]:
        """Return the entries of the operation, their places, and the one file that they stand in."""
        lines = [self._find_line(name) for name in dict.fromkeys(self.operation.entries)]
        if len({line.path for line in lines}) != 1:
            fix = Advice("name those of one file")
            raise path_role("the entries stand in several files, or there are none", fix=fix)
        path = lines[0].path
        if self.workspace.theirs(path):
            raise path_role(f"{path} is OpenClaw's to write", fix=Advice("correct it, or tell the agent"))
        return lines, [find_entry(self.read(path), line) for line in lines], path

    def _find_row(self, line: MemoryLine) -> Row:
        return self.view.rows().get(line.id) or Row(line.id, line.path, hash_entry(line.text), line.tag or "")

    # ---- corrections, the identity, lessons

    def correct(self, patterns: tuple[Pattern, ...]) -> Change:
        """Make a correction: its record, and the entries in their places, or the right value as a new one.

        Raises ClawgitError where an entry is gone or cannot be corrected in its place.
        """
        operation = self.operation
        newest = sorted(zip(self.turns, self.messages, strict=True), key=lambda pair: -pair[0].n)
        # The newest turn with the right value is the best evidence.
        message = next(
            (message for turn, message in newest if find_value_places(turn.text, operation.right)), newest[0][1]
        )
        exchanges = tuple(map(self._make_exchange, operation.entries))
        tag = operation.tag or ("event" if operation.due else "knowledge")
        statement = self._date_text() if operation.text and not exchanges else ""
        old = exchanges[0].said if exchanges else operation.wrong
        answers = "" if exchanges else self.decision.answers
        correction = Correction(old, operation.right, exchanges, statement, answers, tag)
        remark = Told(message, triage(message.text, patterns))
        return correct.make_correction(self.view, correction, remark, name=self.name, agent=VALIDATOR)

    def _make_exchange(self, name: str) -> Exchange:
        """Return what becomes of an entry: its wrong value is exchanged where it has it once, else all of it."""
        line = next((line for line in correct.list_correctable(self.workspace) if line.id == name), None)
        if line is None:
            raise memory_changed(f"there is no entry {name} any more", fix=READ_AGAIN)
        text = in_force.read_words(line)
        matches = find_value_places(text, self.operation.wrong)
        wrong = text[slice(*matches[0])] if len(matches) == 1 else text
        return Exchange(Stored(name, text), wrong, self.operation.right, checks.apply_correction(self.operation, text))

    def edit_identity(self) -> Change:
        """Change one line of the soul. Raises ClawgitError where the line is gone, or the cap is passed."""
        operation, path, text = self.operation, self.operation.file, fold_spaces(self.operation.text)
        before, subject = self.read(path), text
        if operation.line:
            old = self._find_shown(before)
            subject = text or f"drop: {old.text}"
            after = replace_entry(before, old, text) if text else remove_lines(before, [(old.start, old.end)])
        else:
            _refuse_known(path, before, text)
            after = add_bullet(before, operation.section, text)
        cap = self.workspace.trust.cap(path, self.workspace.config.value("soul_max_tokens"))
        # A file above its cap may still become shorter.
        if count(after) > max(cap, count(before)):
            raise budget_exceeded(f"{path} would exceed its {cap} tokens", fix=Advice("sharpen a line instead"))
        self.texts[path] = after
        rows = (self._make_row(self.name, path, text, "skill"),) if text else ()
        return self._make_change(file_roles.name_area(path), subject, rows, KEEPER)

    def _find_shown(self, text: str) -> Entry:
        """Return the entry that was a line when the batch was made, wherever it stands by now."""
        path, number = self.operation.file, self.operation.line
        soul_line = next(row for row in self.batch.soul if (row.file, row.line) == (path, number))
        matches = [entry for entry in entries(text) if fold_spaces(entry.text) == soul_line.text]
        if not matches:
            raise memory_changed(f"line {number} of {path} is not what it was", fix=READ_AGAIN)
        # Among equal lines the nearest one is meant.
        return min(matches, key=lambda entry: abs(entry.start - number))

    def add_lesson(self) -> Change:
        """List a lesson on how work is done: in `lessons_file`, else among the memories.

        Raises ClawgitError where it stands there already.
        """
        path, text = str(self.workspace.config.value("lessons_file")), fold_spaces(self.operation.text)
        if not path or self.workspace.config.soul_policy == "locked":
            return self.add()
        before = self.read(path)
        _refuse_known(path, before, text)
        whole = before or f"# {path.removesuffix('.md')}\n"
        self.texts[path] = append_under(whole, LESSONS, bullet(text), create=True)
        return self._make_change(file_roles.name_area(path), text, (self._make_row(self.name, path, text, "skill"),))


def _refuse_known(path: str, before: str, text: str) -> None:
    if any(normalise(entry.text) == normalise(text) for entry in entries(before)):
        raise already_set(f"{path} says so already", fix=Advice("leave it out"))


def _find_section(text: str, heading: str) -> str:
    """Return the title of a section that stands in a file already, "" where none or several are called so."""
    name = heading.rpartition(" / ")[2].strip().casefold()
    # A heading of level one is the title of the file.
    sections = (section for section in document.sections(text) if section.level > 1)
    titles = [section.title for section in sections if section.title.strip().casefold() == name]
    return titles[0] if len(titles) == 1 else ""


def _clean_statement(text: str) -> str:
    return file_contents.clean_for_writing(fold_spaces(text))


def _fold_nfc(text: str) -> str:
    return unicodedata.normalize("NFC", fold_spaces(text))
