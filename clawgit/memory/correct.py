"""Corrects every entry that states an old value."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import timedelta

from msgspec.structs import replace

from clawgit import file_roles
from clawgit.errors import Advice, Command, memory_changed, memory_shape, text_not_found
from clawgit.file_roles import is_dump, may_be_dump
from clawgit.language import sentences, values
from clawgit.language.values import content_words, places
from clawgit.memory import conflicts, in_force
from clawgit.memory.corrected_values import Correction, Doubt, Told, are_apart
from clawgit.memory.in_force import Relation, Rule, is_superseded, read_subject, read_words, relate, rules_of
from clawgit.memory.journal_notes import MARKER, find_note, is_note, list_partly_refuted, write_note
from clawgit.memory.restated_values import Restatements
from clawgit.memory.value_exchange import Exchange, Stored, exchange_value
from clawgit.memory.view import Draft, View, find_entry, point_to
from clawgit.messages import sides
from clawgit.store.item import Item
from clawgit.text import correction as records
from clawgit.text import document
from clawgit.text import entry as texts
from clawgit.text.entry import digest, entry_id, make_name, normalise
from clawgit.workspace import write_guard
from clawgit.workspace.change import Append, Change, Edit
from clawgit.workspace.commit_message import fold_spaces, shorten
from clawgit.workspace.correction_records import list_records
from clawgit.workspace.entries import Row
from clawgit.workspace.memory_lines import MEMORY_ROLES, MemoryLine, list_lines
from clawgit.workspace.workspace import Workspace

TAG = "correction"
MAX_CHOICES = 20
_IDENTITY_ROLES, _PROMPTS = ("identity", "instruction"), "agents/"
_RECENT = timedelta(days=14)
_MIN_STEM, _MIN_OWN_WORDS = 4, 2


def list_correctable(workspace: Workspace) -> list[MemoryLine]:
    """Return the entries of memory that can be corrected: those in force.

    Left out are the notes below refuted ones, and conversations that OpenClaw keeps word for word.
    """
    lines = [line for line in list_lines(workspace, *MEMORY_ROLES) if not is_superseded(line) and not is_note(line)]
    heads = {path: workspace.read_loosely(path) for path in {line.path for line in lines} if may_be_dump(path)}
    dumps = {path for path, text in heads.items() if is_dump(path, text.encode())}
    return [line for line in lines if line.path not in dumps]


def list_recent(workspace: Workspace) -> list[MemoryLine]:
    """Return the entries of memory and of two weeks of journals that can be corrected."""
    since = workspace.now().date() - _RECENT
    lines = list_correctable(workspace)
    return [line for line in lines if line.role != "journal" or (line.last and line.last >= since)]


def list_identity(workspace: Workspace) -> list[MemoryLine]:
    """Return the lines of the identity and of instructions that may state a fact: not the prompts of our agents."""
    return [line for line in list_lines(workspace, *_IDENTITY_ROLES) if not line.path.startswith(_PROMPTS)]


def list_restatable(workspace: Workspace) -> list[Stored]:
    """Return the entries that a message may make untrue: of memory, of two weeks of journals, of the identity."""
    return as_stored((*list_recent(workspace), *list_partly_refuted(workspace), *list_identity(workspace)))


def as_stored(lines: Iterable[MemoryLine]) -> list[Stored]:
    """Return entries in a comparable form; one of a journal that repeats another one is left out."""
    entries, keys = list[Stored](), set[str]()
    for line in sorted(lines, key=lambda item: item.role == "journal"):
        words = read_words(line)
        key = normalise(words)
        if line.role != "journal" or key not in keys:
            entries.append(Stored(line.id, words, " ".join(line.section[-1:])))
        keys.add(key)
    return entries


def _make_filter(words: Iterable[str]) -> Callable[[MemoryLine], bool]:
    """Return a fast test whether an entry or its heading may have one of some content words."""
    stems = {word[:_MIN_STEM] for word in words}

    def is_named(line: MemoryLine) -> bool:
        low = f"{line.text} {' '.join(line.section[-1:])}".casefold()
        return any(stem in low for stem in stems)

    return is_named


Outcome = Correction | Doubt | None


def find_correction(workspace: Workspace, words: str, read: Callable[[Sequence[Stored]], Outcome]) -> Outcome:
    """Return the result of `read` for the entries of memory files; if none fits, of journals, then of the identity.

    `words` are those of the message and of the turns before it: an entry of a journal has one of them.
    """
    lines = [*list_correctable(workspace), *list_partly_refuted(workspace)]
    outcome = first = read(as_stored(line for line in lines if line.role != "journal"))
    if not (outcome and outcome.choices):
        is_named = _make_filter(content_words(words))
        outcome = read(as_stored(line for line in lines if line.role != "journal" or is_named(line)))
    if isinstance(outcome, Correction) and outcome.choices:
        return outcome
    identity = read(as_stored(list_identity(workspace)))
    if isinstance(outcome, Doubt) and outcome.choices:
        is_equal = identity and (identity.said, identity.true) == (outcome.said, outcome.true)
        return replace(outcome, choices=(*outcome.choices, *identity.choices)) if identity and is_equal else outcome
    if isinstance(identity, Correction) and identity.choices:
        return Doubt("it is in a file of the identity", identity.said, identity.true, identity.choices)
    return first


def make_correction(
    view: View,
    correction: Correction,
    told: Told,
    *,
    name: str,
    agent: str | None,
    record: str = "",
    declined: Collection[str] | None = None,
) -> Change:
    """Return the change for a correction.

    Copies in MEMORY.md and topic files are changed in place, those of journals refuted with a line below each. If the
    operator chose the entries, `declined` are the ids of those that he did not choose, and only equal ones change with
    them. `record` is an older correction that this one continues. Raises ClawgitError if an entry is gone or cannot be
    changed, or the true value may not be kept.
    """
    for words in (correction.said, correction.true, correction.statement):
        write_guard.check_words(words, "the correction")
    lines = {line.id: line for line in (*list_lines(view.workspace, *MEMORY_ROLES), *list_identity(view.workspace))}
    if gone := [item.entry.id for item in correction.exchanges if item.entry.id not in lines]:
        raise memory_changed(f"there is no entry {gone[0]} any more", fix=Command("clawgit memory list"))
    heads = [(item, lines[item.entry.id]) for item in correction.exchanges]
    subject = heads[0][0].entry.text if heads else correction.subject
    statement = heads[0][0].statement if heads else correction.statement
    record = record or name
    rules = [Rule(record, subject, correction.said or subject, correction.true, statement)]
    for item, _ in heads:
        if not any(relate(item.entry.text, rule) for rule in rules):
            rules.append(Rule(record, item.entry.text, item.said, item.true, item.statement))
    parts = [*heads, *_list_copies(lines.values(), heads, rules, declined)]
    # What is not rewritten is of a journal, or of a file that OpenClaw's agent alone may write.
    refuted = [part for part in parts if view.workspace.theirs(part[1].path) or file_roles.journal_day(part[1].path)]
    draft = _Draft(view, record, told.heard.mention if told.heard.text else record)
    older = [item.record.id for item in view.corrections() if in_force.continues(rules[0], item.record)]
    draft.renew_notes(lines.values(), rules[0], older, statement or correction.true)
    draft.change_lines([part for part in parts if part not in refuted])
    # A sentence of a journal may name nobody (`She is moving`), and be about its day alone.
    new_memory = _find_own_sentence(told.heard.text, correction) if heads else statement
    if new_memory and not draft.texts and record == name:
        draft.add_statement(new_memory, correction.tag)
    for exchange, line in sorted(refuted, key=lambda part: (part[1].path, -part[1].line)):
        draft.refute_line(line, exchange.statement or correction.true, exchange)
    heard = told.heard
    turn = view.workspace.conversations(heard.session, heard.event) if heard.session else None
    evidence = heard.point_to() if turn and turn.text == heard.text else ""  # what can be cited
    fields = _list_fields(view, correction, told, parts, draft, older)
    other_fields = [pair for rule in rules[1:] for pair in ((records.WAS, rule.subject), (records.STANDS, rule.true))]
    block = records.format_record(name, f"{draft.now:%Y-%m-%d %H:%M}", (*fields.items(), *other_fields))
    edits: tuple[Edit | Append, ...] = draft.list_edits()
    if record == name:
        edits = (Append(file_roles.CORRECTIONS, block, records.BIRTH), *edits)
    edits += tuple(conflicts.close_settled(view, edits)) if agent is None else ()
    words = f"{correction.said} is now {correction.true}" if correction.said else correction.true
    return Change(
        f"memory: corrected: {shorten(fold_spaces(words), 60)}",
        f"The operator said: {write_guard.cleaned(fold_spaces(heard.text)[:160])}",
        edits,
        tuple(filter(None, (evidence, *(point_to(view, line) for _, line in heads[:1])))),
        "operator",
        agent,
        rows=tuple(draft.rows.values()),
        id=name,
    )


def _find_own_sentence(message: str, correction: Correction) -> str:
    """Return the operator's sentence with the true value alone, else the true side if it is long, "" for a value."""
    pairs = list(sides.find(message))
    clauses = [pair.clause for pair in pairs] if pairs else sentences.texts(message)
    plain_clauses = (text for text in clauses if not (correction.said and places(text, correction.said)))
    clause = next((text.strip(" .,;:!") for text in plain_clauses if places(text, correction.true)), "")
    if len(content_words(clause, (correction.true,))) >= _MIN_OWN_WORDS:
        return f"{clause[:1].upper()}{clause[1:]}."
    return correction.true if len(content_words(correction.true)) > _MIN_OWN_WORDS else ""


_Part = tuple[Exchange, MemoryLine]


def _list_copies(
    lines: Collection[MemoryLine], heads: Sequence[_Part], rules: Iterable[Rule], declined: Collection[str] | None
) -> Iterator[_Part]:
    """Yield the exchanges of other entries that go against rules: copies, and lines of journals."""
    ids = {line.id for _, line in heads}.union(declined or ())
    for rule, line, relation in _relate_lines(lines, rules):
        is_equal = normalise(read_words(line)) == normalise(rule.subject)
        if line.id in ids or not (declined is None or is_equal):
            continue
        stored = Stored(line.id, read_words(line), " ".join(line.section[-1:]))
        is_apart = any(are_apart(stored, item.entry, (rule.wrong,)) for item, _ in heads)
        is_certain = line.role == "journal" or (line.role == "memory" and relation == "same" and not is_apart)
        start, end = in_force.find_statement(stored.text, rule) if line.role == "memory" and not is_apart else (0, 0)
        exchange = exchange_value(replace(stored, text=stored.text[start:end]), rule.wrong, rule.right)
        if exchange:
            text = f"{stored.text[:start]}{exchange.statement}{stored.text[end:]}"
            exchange = replace(exchange, entry=stored, statement=text)
        elif is_certain:
            whole = Exchange(stored, stored.text, rule.right, rule.true or rule.right)
            exchange = exchange_value(stored, rule.wrong, rule.right) or whole
        if exchange:
            ids.add(line.id)
            yield exchange, line


def _relate_lines(lines: Collection[MemoryLine], rules: Iterable[Rule]) -> Iterator[tuple[Rule, MemoryLine, Relation]]:
    """Yield the entries in force that relate to the wrong side of a rule, each with that rule."""
    for rule in rules:
        is_named = _make_filter(read_subject(rule) | content_words(rule.wrong))
        for line in lines:
            is_candidate = is_named(line) and not is_superseded(line) and not is_note(line)
            if is_candidate and (relation := relate(read_words(line), rule)):
                yield rule, line, relation


class _Draft(Draft):
    """The files and rows of a correction as they become."""

    def __init__(self, view: View, name: str, mention: str = "") -> None:
        super().__init__(view)
        self.name, self.mention, self.now = name, mention, view.workspace.now()

    def change_lines(self, parts: Iterable[tuple[Exchange, MemoryLine]]) -> None:
        """Change entries in their places."""
        for exchange, line in sorted(parts, key=lambda part: (part[1].path, -part[1].line)):
            text = self.read(line.path)
            self.texts[line.path] = _reword(text, find_entry(text, line), exchange)
            self.rows[line.id] = self._make_row(self.view.find_row(line), exchange.statement)

    def add_statement(self, statement: str, tag: str) -> None:
        """Add the true sentence as a new entry, unless the memory file has it."""
        before = self.read(self.view.workspace.memory_file)
        if any(normalise(entry.text) == normalise(statement) for entry in texts.entries(before)):
            return
        path = self.add_line(statement, tag, TAG)
        row = Row(entry_id(path, statement), path, digest(statement), tag, first=self.now.date())
        self.rows[row.id] = self._make_row(row, statement)

    def refute_line(self, line: MemoryLine, statement: str, exchange: Exchange | None = None) -> None:
        """Take an entry out of force; in a journal with a note below it, or with the `exchange` in its note."""
        self.rows[line.id] = replace(self.view.find_row(line), status="superseded", by=self.name)
        if file_roles.journal_day(line.path):
            self.texts[line.path] = write_note(self.read(line.path), line, self.now, statement, self.name, exchange)

    def renew_notes(self, lines: Collection[MemoryLine], rule: Rule, older: Collection[str], statement: str) -> None:
        """Put a new value below the refuted lines of journals, by the `older` corrections or in shared notes."""
        noted_paths = {line.path for line in lines if is_note(line) and places(line.text, rule.wrong)}
        for line in (line for line in lines if line.role == "journal" and is_superseded(line)):
            if self.view.find_row(line).by in older:
                self.renew_note(line, statement, rule)
            elif line.path in noted_paths:
                self.change_note(line, rule)

    def renew_note(self, line: MemoryLine, statement: str, rule: Rule) -> None:
        """Put the new value below a refuted line of a journal; a line without a wrong value is in force again."""
        words, text = read_words(line), self.read(line.path)
        values = {rule.wrong, *(item.record.values[0] for item in self.view.corrections())} - {""}
        has_wrong = any(places(words, value) for value in values if not in_force.is_equal(value, rule.right))
        if normalise(words) == normalise(statement) or (places(words, rule.right) and not has_wrong):
            self.rows[line.id] = replace(self.view.find_row(line), status="live", by="")
            self.texts[line.path] = write_note(text, line, self.now, "", self.name)
        else:
            note = find_note(text, find_entry(text, line))[1]
            shared = note[1] if note and len(sentences.texts(note[1])) > 1 else ""
            self.refute_line(line, statement, exchange_value(Stored("", shared), rule.wrong, rule.right))

    def change_note(self, line: MemoryLine, rule: Rule) -> None:
        """Put a new value into the note below a line that another correction refuted, too."""
        text = self.read(line.path)
        note = find_note(text, find_entry(text, line))[1]
        is_wrong = note is not None and any(relate(words, rule) for words in sentences.texts(note[1]))
        if note and is_wrong and (exchange := exchange_value(Stored("", note[1]), rule.wrong, rule.right)):
            self.texts[line.path] = write_note(text, line, self.now, exchange.statement, self.name, exchange)

    def _make_row(self, row: Row, statement: str) -> Row:
        return replace(
            row,
            hash=digest(statement),
            origin="operator",
            confidence=1.0,
            first=row.first or self.now.date(),
            last=self.now.date(),
            mentions=row.mentions | {self.mention},
            status="live",
            by=self.name,
        )


def _reword(text: str, entry: texts.Entry, exchange: Exchange) -> str:
    """Return a text with an entry corrected in its place; its tag stays, and a bullet gets `#correction`.

    Every other byte stays. Raises ClawgitError if the entry could not be read as its statement afterwards.
    """
    rows = document.split(text)
    block = "".join(rows[entry.start - 1 : entry.end])
    body = document.content(block) if entry.start == entry.end else block.rstrip("\r\n")
    plain = texts.remove_comments(body)
    comments = body[len(plain.rstrip()) :].strip()
    core, tag, status = texts.split_tags(plain)
    wrapped = re.search(r"\s+".join(map(re.escape, exchange.said.split())), core)
    said = wrapped[0] if wrapped else exchange.said
    parts = exchange.rows if "\n" not in said else ()
    pairs = ((entry.text, exchange.statement), *parts, (said, exchange.true))
    if exchange.said == entry.text and (marker := MARKER.match(core)):  # all of it, however it was wrapped
        pairs = ((core[marker.end() :], exchange.statement),)
    new = next((core.replace(old, true) for old, true in pairs if old and core.count(old) == 1), "")
    states = [state for state in (*status, *([TAG] if entry.kind == "bullet" else ())) if state != "superseded"]
    tags = [f"#{name}" for name in dict.fromkeys((tag, *states)) if name]
    line = " ".join(part for part in (new, *tags, comments) if part)
    after = "".join((*rows[: entry.start - 1], line + block[len(body) :], *rows[entry.end :]))
    if not new or not any(normalise(item.text) == normalise(exchange.statement) for item in texts.entries(after)):
        raise memory_shape(
            f"line {entry.start} cannot be corrected in its place: {entry.text[:60]!r}",
            fix=Advice("edit it by hand, and say so: clawgit correct TEXT"),
        )
    return after


def _list_fields(
    view: View,
    correction: Correction,
    told: Told,
    parts: Sequence[tuple[Exchange, MemoryLine]],
    draft: _Draft,
    older: Sequence[str],
) -> Mapping[str, str]:
    exchange, line = parts[0] if parts else (None, None)
    older = [*older, *(item.record.id for item in view.corrections() if line and item.record.about == line.id)]
    places_of_lines = [f"{copy.path}:{copy.line}" for _, copy in parts]
    about = line.id if line else next(iter(draft.rows), "")
    return {
        records.SENTENCE: write_guard.cleaned(fold_spaces(told.heard.text)[:2000]),
        records.TRIGGER: write_guard.cleaned(told.trigger[0].strip(" ,") or fold_spaces(told.heard.text)[:160]),
        records.SURE: told.trigger[1],
        "Said": correction.said,
        "True": correction.true,
        records.WAS: exchange.entry.text if exchange else "",
        records.ANSWERS: "" if exchange else write_guard.cleaned(correction.subject),
        records.STANDS: exchange.statement if exchange else correction.statement,
        records.ABOUT: about,
        records.LINES: ", ".join(places_of_lines[:MAX_CHOICES]),
        records.LEFT_IN: line.path if line and view.workspace.theirs(line.path) else "",
        records.SUPERSEDES: older[-1] if older else "",
        records.SOURCE: write_guard.cleaned(told.heard.point_to() or ""),
        records.REEMBEDDED: "true",
    }


def make_doubtful_item(workspace: Workspace, name: str, shown_ids: Collection[str] = ()) -> Item | None:
    """Return one item for the entries that may repeat the wrong side of a correction; None if there are none.

    Entries that were shown before, by `shown_ids`, are decided.
    """
    rule = next((rule for rule in rules_of(workspace) if rule.id == name), None)
    if rule is None:
        return None
    lines = [line for line in _list_all(workspace) if not is_superseded(line) and not is_note(line)]
    found = (item.record for item in list_records(workspace) if item.record.id == name)
    sentence = next((record.fields.get(records.SENTENCE.casefold(), "") for record in found), "")
    is_named = _make_filter(content_words(sentence))
    related = (line for line in lines if line.id not in shown_ids and is_named(line))
    holders = as_stored(line for line in related if _has_values(read_words(line), rule.wrong))
    doubtful = Restatements(holders).add_nearest(Doubt(""), sentence, (), MAX_CHOICES).choices
    if not doubtful:
        return None
    count = "1 line says" if len(doubtful) == 1 else f"{len(doubtful)} lines say"
    name = make_name("\0".join(("doubtful", rule.id, *shown_ids)))
    return _make_item(workspace, name, rule, doubtful, f"{count} the old value, perhaps of something else")


def _has_values(text: str, wrong: str) -> bool:
    """Return whether a text has a wrong side, or each of its values in any writing: `Wednesday 16:30`."""
    if places(text, wrong):
        return True
    expected = [value for value in values.find(wrong) if value.kind != "name"]
    known = values.find(text) if len(expected) > 1 else []
    return len(expected) > 1 and all(any(values.equal(value, other) for other in known) for value in expected)


def make_arrival_items(workspace: Workspace, arrivals: Iterable[tuple[MemoryLine, Rule]]) -> Iterator[Item]:
    """Yield an item for each correction with lines of memory files, which the agent reads, against it."""
    lines = defaultdict[Rule, list[str]](list)
    for line, rule in arrivals:
        if line.role != "journal":
            lines[rule].append(line.id)
    for rule, names in lines.items():
        count = "1 line says" if len(names) == 1 else f"{len(names)} lines say"
        name = make_name("\0".join(("arrival", rule.id, *names)))
        yield _make_item(workspace, name, rule, names, f"{count} the old value again; acceptance corrects it there")


def _make_item(workspace: Workspace, name: str, rule: Rule, names: Sequence[str], reason: str) -> Item:
    """Return the item that lets the operator choose the entries to correct by a rule."""
    details = {"said": rule.wrong, "true": rule.right, "choices": list(names[:MAX_CHOICES]), "record": rule.id}
    title = write_guard.cleaned(f"{rule.wrong} is now {rule.right}: {fold_spaces(rule.subject)}")
    return Item(name, "correction", title, workspace.now(), reason, rule.id, details=details)


def _list_all(workspace: Workspace) -> list[MemoryLine]:
    return [*list_lines(workspace, *MEMORY_ROLES), *list_identity(workspace)]


def list_headings(workspace: Workspace, name: str) -> Iterator[str]:
    """Yield the places of headings, quotations and code with the wrong side of a correction: they stay as they are."""
    values = [(rule.wrong.casefold(), rule) for rule in rules_of(workspace) if rule.id == name]
    for path in sorted({line.path for line in _list_all(workspace)}) if values else ():
        text = workspace.read_loosely(path)
        rows = ((number, row.strip("#>` \t\r\n")) for number, row in enumerate(document.split(text), 1))
        numbers = [
            number
            for number, row in rows
            if any(wrong in row.casefold() and relate(row, rule) for wrong, rule in values)
        ]
        found = texts.entries(text) if numbers else ()  # parsing takes longer
        entry_rows = {number for entry in found for number in range(entry.start, entry.end + 1)}
        yield from (f"{path}:{number}" for number in numbers if number not in entry_rows)


def refute_arrivals(view: View, arrivals: Sequence[tuple[MemoryLine, Rule]], agent: str) -> Change:
    """Return the change that takes entries out of force which others wrote against corrections.

    Memory files stay as they are; journals get a note of the present value below each line.
    """
    names = ", ".join(dict.fromkeys(rule.id for _, rule in arrivals))
    draft = _Draft(view, "")
    for line, rule in sorted(arrivals, key=lambda pair: (pair[0].path, -pair[0].line)):
        draft.name = rule.id
        exchange = exchange_value(Stored(line.id, read_words(line)), rule.wrong, rule.right)
        draft.refute_line(line, exchange.statement if exchange else rule.true or rule.right)
    count = "1 line" if len(arrivals) == 1 else f"{len(arrivals)} lines"
    subject, reason = f"memory: {count} out of force", f"The operator corrected that: {names}"
    return Change(subject, reason, draft.list_edits(), agent=agent, rows=tuple(draft.rows.values()))


def require_exchange(line: MemoryLine, said: str, true: str, *, is_text: bool = False) -> Exchange:
    """Return the exchange of an entry that the operator chose: of its value, or of all of it if none is known.

    `is_text`: he typed what is true, and if that has most of the other words of the entry, it is the whole of it.
    Raises ClawgitError if the entry would lose its words, or have some twice.
    """
    entry = Stored(line.id, read_words(line))
    others = content_words(entry.text, (said,)) - content_words(said)
    if not said or (is_text and 2 * len(others & content_words(true)) > len(others)):
        return Exchange(entry, entry.text, true, true)
    exchange = exchange_value(entry, said, true)
    if exchange is None or (is_text and others & content_words(exchange.true)):
        raise text_not_found(
            f"{true!r} cannot take the place of {said!r} in {line.id}: {line.text}",
            fix=Advice(f'clawgit correct "…" --about {line.id}   # the whole truth, in its place'),
        )
    return exchange
