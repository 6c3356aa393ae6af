"""Corrects every entry that states an old value."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from itertools import pairwise

from msgspec.structs import replace

from clawgit import file_roles
from clawgit.errors import Advice, Command, memory_changed, text_not_found
from clawgit.file_roles import is_dump, may_be_dump
from clawgit.language import sentences, values
from clawgit.language.values import content_words, find_value_places
from clawgit.memory import conflicts, in_force
from clawgit.memory.corrected_values import Correction, Doubt, Told, are_apart
from clawgit.memory.in_force import Rule, is_superseded, read_subject, read_words, relate, rules_of
from clawgit.memory.value_exchange import TAG, Exchange, Stored, exchange_value, fit_row, reword_entry
from clawgit.memory.view import Draft, View, find_entry, point_to
from clawgit.messages import sides
from clawgit.search import index
from clawgit.store.item import Item
from clawgit.text import conflict, document
from clawgit.text import entry as texts
from clawgit.text.entry import CLOCK, entry_id, hash_entry, make_name, normalise
from clawgit.workspace import file_contents, line_writers
from clawgit.workspace.change import Append, Change, Edit
from clawgit.workspace.commit_message import fold_spaces, shorten
from clawgit.workspace.correction_records import list_records
from clawgit.workspace.entries import Row
from clawgit.workspace.memory_lines import MEMORY_ROLES, MemoryLine, list_lines
from clawgit.workspace.workspace import Workspace

MAX_CHOICES = 20
_IDENTITY_ROLES, _PROMPTS = ("identity", "instruction"), "agents/"
_RECENT = timedelta(days=14)
_MIN_STEM, _MIN_OWN_WORDS = 4, 2
_MAX_NOTE_CHARS = 1000
_MARKER = re.compile(r"([ \t]*)((?:[-*+]|\d{1,9}[.)])[ \t]+)?")


# ---- entries


def is_note(line: MemoryLine) -> bool:
    """Return whether an entry is the line below a refuted one."""
    return line.role == "journal" and conflict.NOTE.match(f"- {line.text}") is not None


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


def list_partly_refuted(workspace: Workspace) -> Iterator[MemoryLine]:
    """Yield the refuted entries of journals, each with the words that are served: other sentences, and its note."""
    refuted = index.list_refuted(workspace)
    for line, after in pairwise((*list_lines(workspace, "journal"), None)):
        if line and is_superseded(line):
            is_below = after is not None and after.path == line.path and is_note(after)
            note = conflict.NOTE.match(f"- {after.text}") if after and is_below else None
            # Search serves these words, so a later correction must reach them.
            parts = (refuted.remove(line.path, line.text).strip(), note[1] if note else "")
            if text := " ".join(filter(None, parts)):
                yield replace(line, text=text)


def as_stored(lines: Iterable[MemoryLine]) -> list[Stored]:
    """Return entries in a comparable form, those of journals last; of copies, letter for letter, the first one."""
    entries = dict[tuple[object, ...], Stored]()
    for line in sorted(lines, key=lambda item: item.role == "journal"):
        entries.setdefault(_make_key(line), _to_stored(line))
    return list(entries.values())


def list_equal(workspace: Workspace, name: str) -> list[MemoryLine]:
    """Return the copies, letter for letter, of an entry: an acceptance changes them with it."""
    lines = [line for line in _list_all(workspace) if not is_superseded(line) and not is_note(line)]
    keys = {_make_key(line) for line in lines if line.id == name}
    return [line for line in lines if line.id != name and _make_key(line) in keys]


def _make_key(line: MemoryLine) -> tuple[object, ...]:
    """Return what copies have in common: the words, of a label the title too; lines of the identity are none.

    The title in a journal is a moment of the day.
    """
    words = read_words(line)
    is_label = line.role != "journal" and len(content_words(words)) <= _MIN_OWN_WORDS
    return normalise(words), line.section[-1:] if is_label else (), line.role in _IDENTITY_ROLES


def _list_all(workspace: Workspace) -> list[MemoryLine]:
    return [*list_lines(workspace, *MEMORY_ROLES), *list_identity_lines(workspace)]


def list_identity_lines(workspace: Workspace) -> list[MemoryLine]:
    """Return the lines of the identity and of instructions that may state a fact: not the prompts of our agents."""
    return [line for line in list_lines(workspace, *_IDENTITY_ROLES) if not line.path.startswith(_PROMPTS)]


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
    withheld = line_writers.list_withheld_places(workspace)
    lines = [*list_correctable(workspace), *list_partly_refuted(workspace)]
    lines.sort(key=lambda line: (line.path, line.line) in withheld)  # trusted lines before equal ones
    outcome = read(as_stored(line for line in lines if line.role != "journal"))
    if not isinstance(outcome, Correction):
        is_named = _make_filter(content_words(words))
        outcome = read(as_stored(line for line in lines if line.role != "journal" or is_named(line))) or outcome
    if isinstance(outcome, Correction) and outcome.choices:
        if withheld.isdisjoint((line.path, line.line) for line in lines if line.id in outcome.choices):
            return outcome
        reason = "somebody else had the agent write it, and your acceptance trusts all of it"
        return Doubt(reason, outcome.said, outcome.true, outcome.choices)
    identity = read(as_stored(list_identity_lines(workspace)))
    others = outcome.choices if outcome else ()
    is_other = outcome and others and identity and (outcome.said, outcome.true) != (identity.said, identity.true)
    if not (identity and identity.choices) or is_other:
        return outcome
    return Doubt("it is in a file of the identity", identity.said, identity.true, (*others, *identity.choices))


# ---- changes

_Part = tuple[Exchange, MemoryLine]


def make_correction(
    view: View,
    correction: Correction,
    told: Told,
    *,
    name: str,
    agent: str | None,
    record: str = "",
    is_chosen: bool = False,
) -> Change:
    """Return the change for a correction.

    Copies in MEMORY.md and topic files are changed in place, those of journals refuted with a line below each. If the
    operator chose the entries, only equal ones change with them. `record` is an older correction that this one
    continues. Raises ClawgitError if an entry is gone or cannot be changed, or the true value may not be kept.
    """
    for words in (correction.said, correction.true, correction.statement):
        file_contents.check_words(words, "the correction")
    lines = {line.id: line for line in _list_all(view.workspace)}
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
    withheld = line_writers.list_withheld_places(view.workspace)
    parts = [*heads, *_list_copies(lines.values(), heads, rules, withheld, is_chosen=is_chosen)]
    # What is not rewritten is of a journal, or of a file that OpenClaw's agent alone may write.
    refuted = [part for part in parts if view.workspace.theirs(part[1].path) or file_roles.journal_day(part[1].path)]
    draft = _Draft(view, record, told.heard.mention if told.heard.text else record)
    older = [item.record.id for item in view.corrections() if in_force.is_continuation(rules[0], item.record)]
    draft.renew_notes(lines.values(), rules[0])
    draft.refute_other_lines(rules)
    draft.change_lines([part for part in parts if part not in refuted])
    # A sentence of a journal may name nobody (`She is moving`), and be about its day alone.
    new_memory = _find_own_sentence(told.heard.text, correction) if heads else statement
    memories = {normalise(line.text) for line in lines.values() if line.role == "memory" and not is_superseded(line)}
    if new_memory and not draft.texts and record == name and normalise(new_memory) not in memories:
        draft.add_statement(new_memory, correction.tag)
    for exchange, line in sorted(refuted, key=lambda part: (part[1].path, -part[1].line)):
        draft.refute_line(line, exchange)
    heard = told.heard
    turn = view.workspace.conversations(heard.session, heard.event) if heard.session else None
    evidence = heard.point_to() if turn and heard.text in turn.text else ""
    edits: tuple[Edit | Append, ...] = draft.list_edits()
    if record == name:
        fields = _list_fields(view, correction, told, parts, draft, older)
        others = [pair for rule in rules[1:] for pair in ((conflict.WAS, rule.subject), (conflict.STANDS, rule.true))]
        block = conflict.format_record(name, f"{draft.now:%Y-%m-%d %H:%M}", (*fields.items(), *others))
        edits = (Append(file_roles.CORRECTIONS, block, conflict.EMPTY_CORRECTIONS), *edits)
    edits += tuple(conflicts.close_settled(view, edits)) if agent is None else ()
    words = f"{correction.said} is now " * bool(correction.said) + correction.true
    return Change(
        f"memory: corrected: {shorten(fold_spaces(words), 60)}",
        f"The operator said: {file_contents.clean_for_writing(fold_spaces(heard.text)[:160])}",
        edits,
        tuple(filter(None, (evidence, *(point_to(view, line) for _, line in heads[:1])))),
        "operator",
        agent,
        rows=tuple(draft.rows.values()),
        id=name,
    )


def _find_own_sentence(message: str, correction: Correction) -> str:
    """Return the operator's sentence with the true value alone, "" for a value."""
    clauses = [pair.clause for pair in sides.find_sides(message)] or sentences.texts(message)
    plain_clauses = (text for text in clauses if not (correction.said and find_value_places(text, correction.said)))
    clause = next((text.strip(" .,;:!") for text in plain_clauses if find_value_places(text, correction.true)), "")
    is_whole = len(content_words(clause, (correction.true,))) >= _MIN_OWN_WORDS
    return f"{clause[:1].upper()}{clause[1:]}." if is_whole else ""


def _list_copies(
    lines: Collection[MemoryLine],
    heads: Sequence[_Part],
    rules: Iterable[Rule],
    withheld: Collection[tuple[str, int]],
    *,
    is_chosen: bool,
) -> Iterator[_Part]:
    """Yield the exchanges of other entries that go against rules: copies, and lines of journals.

    A journal may tell of a payment on its day, so the price in it is no copy.
    """
    ids, keys = {line.id for _, line in heads}, {_make_key(line) for _, line in heads}
    lines = [line for line in lines if (line.path, line.line) not in withheld]
    for rule in rules:
        is_named = _make_filter(read_subject(rule) | content_words(rule.wrong))
        amounts = (value for value in values.find_values(rule.subject) if find_value_places(rule.wrong, value.text))
        is_price = any(value.kind.partition(" ")[2] in _MONEY for value in amounts)
        for line in lines:
            if line.id in ids or not is_named(line) or is_superseded(line) or is_note(line):
                continue
            stored, relation = _to_stored(line), relate(read_words(line), rule)
            if is_chosen:
                is_copy = _make_key(line) in keys
            elif line.role == "journal":
                own_words = content_words(stored.text, (rule.wrong, rule.right)) - read_subject(rule)
                is_copy = bool(relation) and not (is_price and own_words)
            else:
                is_same = line.role == "memory" and relation == "same"
                without = () if rule.is_whole else (rule.wrong,)
                is_copy = is_same and not any(are_apart(stored, item.entry, without) for item, _ in heads)
            if is_copy:
                ids.add(line.id)
                whole = Exchange(stored, stored.text, rule.right, rule.true or rule.right)
                yield exchange_value(stored, rule.wrong, rule.right) or whole, line


_MONEY = frozenset(values.symbols().get(sign, "") for sign in values.MONEY)


def _to_stored(line: MemoryLine) -> Stored:
    return Stored(line.id, read_words(line), " ".join(line.section[-1:]))


class _Draft(Draft):
    """The files and rows of a correction as they become."""

    def __init__(self, view: View, name: str, mention: str = "") -> None:
        super().__init__(view)
        self.name, self.mention, self.now = name, mention, view.workspace.now()

    def change_lines(self, parts: Iterable[_Part]) -> None:
        """Change entries in their places."""
        for exchange, line in sorted(parts, key=lambda part: (part[1].path, -part[1].line)):
            text = self.read(line.path)
            self.texts[line.path] = reword_entry(text, find_entry(text, line), exchange)
            self.rows[line.id] = self._make_row(self.view.find_row(line), exchange.statement)

    def add_statement(self, statement: str, tag: str) -> None:
        """Add the true sentence as a new entry."""
        path = self.add_line(statement, tag, TAG)
        row = Row(entry_id(path, statement), path, hash_entry(statement), tag, first=self.now.date())
        self.rows[row.id] = self._make_row(row, statement)

    def refute_line(self, line: MemoryLine, exchange: Exchange) -> None:
        """Take an entry out of force; in a journal with a note of the present value below it.

        A note of an earlier correction has both values afterwards. If the line says what is true, it is in force.
        """
        self.rows[line.id] = replace(self.view.find_row(line), status="superseded", by=self.name)
        if not file_roles.journal_day(line.path):
            return
        text = self.read(line.path)
        entry = find_entry(text, line)
        end, note = _find_note(text, entry)
        old = note[1] if note else ""
        changed = exchange_value(Stored("", old), exchange.said, exchange.true) if old else None
        clock = CLOCK.match(line.text)
        statement = changed.statement if changed else ""
        if not changed:
            new = _list_new_sentences((line.text, old), exchange.statement or exchange.true)
            is_first = clock and not old and new[:1] == _list_new_sentences((), exchange.statement)[:1]
            words = " ".join(new) or ("" if old else exchange.statement)
            statement = " ".join(filter(None, (old, f"{clock[0]}{words}" if clock and is_first else words)))
        if normalise(CLOCK.sub("", statement)) == normalise(read_words(line)):
            self.rows[line.id] = replace(self.rows[line.id], status="live", by="")
            statement = ""
        self._write_note(text, line.path, entry, end, note is not None, statement)

    def _write_note(self, text: str, path: str, entry: texts.Entry, end: int, has_note: bool, statement: str) -> None:  # noqa: FBT001
        rows, ending = document.split(text), document.eol(text)
        marker = _MARKER.match(rows[entry.start - 1]) if entry.kind == "bullet" else None
        indent = marker[1] + " " * len(marker[2] or "- ") if marker else "  "
        words = document.escape(shorten(fold_spaces(file_contents.clean_for_writing(statement)), _MAX_NOTE_CHARS))
        row = f"{indent}- Corrected {self.now:%Y-%m-%d}: {words} ({file_roles.CORRECTIONS}#{self.name}){ending}"
        if not document.end_of(rows[end - 1]):
            rows[end - 1] += ending
        self.texts[path] = "".join((*rows[:end], row if statement else "", *rows[end + has_note :]))

    def renew_notes(self, lines: Iterable[MemoryLine], rule: Rule) -> None:
        """Put a new value into the notes below refuted lines of journals."""
        for line in (line for line in lines if line.role == "journal" and is_superseded(line)):
            text = self.read(line.path)
            note = _find_note(text, find_entry(text, line))[1] if rule.wrong in text else None
            if note and any(relate(words, rule) for words in (note[1], *sentences.texts(note[1]))):
                self.refute_line(line, Exchange(_to_stored(line), rule.wrong, rule.right, rule.true or rule.right))

    def refute_other_lines(self, rules: Sequence[Rule]) -> None:
        """Take headings, quotations and code with a wrong side out of force, unserved; those that are true return."""
        for path, _, row in in_force.list_other_lines(self.view.workspace, rules):
            words = texts.mark_other_line(row)
            name = entry_id(path, words)
            self.rows[name] = Row(name, path, hash_entry(words), status="superseded", by=self.name)
        statements = (text for rule in rules for text in (rule.true, rule.true.rstrip(".!。")))
        hashes = {hash_entry(texts.mark_other_line(text)) for text in statements}
        for former in self.view.workspace.rows().values():
            if former.status == "superseded" and former.hash in hashes:
                self.rows[former.id] = replace(former, status="live", by="")

    def _make_row(self, row: Row, statement: str) -> Row:
        return replace(
            row,
            hash=hash_entry(statement),
            origin="operator",
            confidence=1.0,
            first=row.first or self.now.date(),
            last=self.now.date(),
            mentions=row.mentions | {self.mention},
            status="live",
            by=self.name,
        )


def _find_note(text: str, entry: texts.Entry) -> tuple[int, re.Match[str] | None]:
    """Return the last line of an entry, from 1, or of its table, and the note below it."""
    rows = document.split(text)
    end = next(number for number in range(entry.end, 0, -1) if not document.is_blank(rows[number - 1]))
    if entry.kind == "row":  # a line below would end the table
        ends = [item.end for item in texts.entries(text) if item.kind == "row" and item.start >= entry.start]
        end = next(number for number in ends if number + 1 not in ends)
    return end, conflict.NOTE.match(rows[end]) if end < len(rows) else None


def _list_new_sentences(texts_before: Iterable[str], statement: str) -> list[str]:
    """Return the sentences of a statement that no text before has, without the times of day in front of them."""
    plain_texts = (CLOCK.sub("", fold_spaces(text)) for text in texts_before)
    known_texts = {sentence for text in plain_texts for sentence in sentences.texts(text)}
    return [text for text in sentences.texts(CLOCK.sub("", fold_spaces(statement))) if text not in known_texts]


def _list_fields(
    view: View, correction: Correction, told: Told, parts: Sequence[_Part], draft: _Draft, older: Sequence[str]
) -> Mapping[str, str]:
    exchange, line = parts[0] if parts else (None, None)
    older = [*older, *(item.record.id for item in view.corrections() if line and item.record.about == line.id)]
    sentence = file_contents.clean_for_writing(fold_spaces(told.heard.text)[:2000])
    return {
        conflict.SENTENCE: sentence,
        conflict.TRIGGER: file_contents.clean_for_writing(told.trigger[0].strip(" ,")) or sentence[:160],
        conflict.SURE: told.trigger[1],
        "Said": correction.said,
        "True": correction.true,
        conflict.WAS: exchange.entry.text if exchange else "",
        conflict.ANSWERS: "" if exchange else file_contents.clean_for_writing(correction.subject),
        conflict.STANDS: exchange.statement if exchange else correction.statement,
        conflict.ABOUT: line.id if line else next(iter(draft.rows), ""),
        conflict.LINES: ", ".join(f"{copy.path}:{copy.line}" for _, copy in parts[:MAX_CHOICES]),
        conflict.LEFT_IN: line.path if line and view.workspace.theirs(line.path) else "",
        conflict.SUPERSEDES: older[-1] if older else "",
        conflict.SOURCE: file_contents.clean_for_writing(told.heard.point_to() or ""),
        conflict.REEMBEDDED: "true",
    }


def refute_arrivals(view: View, arrivals: Sequence[tuple[MemoryLine, Rule]], agent: str) -> Change:
    """Return the change that takes entries out of force which others wrote against corrections.

    Memory files stay as they are; journals get a note of the present value below each line.
    """
    names = ", ".join(dict.fromkeys(rule.id for _, rule in arrivals))
    draft = _Draft(view, "")
    for line, rule in sorted(arrivals, key=lambda pair: (pair[0].path, -pair[0].line)):
        draft.name, stored = rule.id, _to_stored(line)
        whole = Exchange(stored, rule.wrong, rule.right, rule.true or rule.right)
        draft.refute_line(line, exchange_value(stored, rule.wrong, rule.right) or whole)
    subject = f"memory: {len(arrivals)} line{'s' * (len(arrivals) > 1)} out of force"
    reason = f"The operator corrected that: {names}"
    return Change(subject, reason, draft.list_edits(), agent=agent, rows=tuple(draft.rows.values()))


def require_exchange(line: MemoryLine, said: str, true: str, *, is_text: bool = False) -> Exchange:
    """Return the exchange of an entry that the operator chose: of its value, or of all of it if none is known.

    `is_text`: he typed what is true. That is the whole of it if it has most of the other words of the entry, or ends
    as a sentence.
    Raises ClawgitError if the entry would lose its words, or have some twice.
    """
    entry = _to_stored(line)
    others = content_words(entry.text, (said,)) - content_words(said)
    is_whole = 2 * len(others & content_words(true)) > len(others) or (" " in true and true.rstrip()[-1] in ".!?。")
    if not said or (is_text and is_whole):
        whole = fit_row(entry.text, true) if line.kind == "row" else true
        return Exchange(entry, entry.text, whole, whole)
    exchange = exchange_value(entry, said, true)
    if exchange is None or (is_text and others & content_words(exchange.true)):
        fix = Advice(f'clawgit correct "…" --about {line.id}   # the whole truth, in its place')
        raise text_not_found(f"{true!r} cannot take the place of {said!r} in {line.id}: {line.text}", fix=fix)
    return exchange


# ---- items


def make_doubtful_item(workspace: Workspace, name: str, shown_ids: Collection[str] = ()) -> Item | None:
    """Return one item for the entries that may repeat the wrong side of a correction; None if there are none.

    Entries that were shown before, by `shown_ids`, are decided.
    """
    record = next((item.record for item in list_records(workspace) if item.record.id == name), None)
    rule = next(in_force.list_rules(record), None) if record else None
    if record is None or rule is None:
        return None
    sentence = record.fields.get(conflict.SENTENCE.casefold(), "")
    words = content_words(sentence)
    is_named = _make_filter(words)
    lines = [line for line in _list_all(workspace) if not is_superseded(line) and not is_note(line)]
    related = (line for line in lines if line.id not in shown_ids and (not words or is_named(line)))
    holders = as_stored(line for line in related if _has_values(read_words(line), rule.wrong))
    reason = "the old value, perhaps of something else"
    return _make_item(workspace, "doubtful", rule, [entry.id for entry in holders], reason) if holders else None


def _has_values(text: str, wrong: str) -> bool:
    """Return whether a text has a wrong side, or its words and each of its values in any writing, and not as denied."""
    expected = [value for value in values.find_values(wrong) if value.kind != "name"]
    known, words = values.find_values(text), content_words(wrong, [value.text for value in expected])
    has_all = all(any(values.equal(value, other) for other in known) for value in expected)
    is_said = bool(find_value_places(text, wrong)) or (bool(expected) and has_all and words <= content_words(text))
    return is_said and all(_has_values(pair.positive, wrong) for pair in sides.find_sides(text))


def make_arrival_items(workspace: Workspace, arrivals: Iterable[tuple[MemoryLine, Rule]]) -> Iterator[Item]:
    """Yield an item for each correction with lines of memory files, which the agent reads, against it."""
    lines = defaultdict[Rule, list[str]](list)
    for line, rule in arrivals:
        if line.role != "journal":
            lines[rule].append(line.id)
    for rule, names in lines.items():
        yield _make_item(workspace, "arrival", rule, names, "the old value again; acceptance corrects it there")


def _make_item(workspace: Workspace, kind: str, rule: Rule, names: Sequence[str], reason: str) -> Item:
    """Return the item that lets the operator choose the entries to correct by a rule."""
    count = "1 line says" if len(names) == 1 else f"{len(names)} lines say"
    details = {"said": rule.wrong, "true": rule.right, "choices": list(names[:MAX_CHOICES]), "record": rule.id}
    title = file_contents.clean_for_writing(f"{rule.wrong} is now {rule.right}: {fold_spaces(rule.subject)}")
    name = make_name("\0".join((kind, rule.id, *names)))
    return Item(name, "correction", title, workspace.now(), f"{count} {reason}", rule.id, details=details)


def list_headings(workspace: Workspace, name: str) -> Iterator[str]:
    """Yield the places of headings, quotations and code with the wrong side of a correction: they stay as they are."""
    rules = [rule for rule in rules_of(workspace) if rule.id == name]
    yield from (f"{path}:{number}" for path, number, _ in in_force.list_other_lines(workspace, rules))
