"""Makes the change that corrects a memory."""

import contextlib
import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta
from itertools import chain

from msgspec.structs import replace

from clawgit.agents.detecting import past_statements
from clawgit.agents.messages_to_read import Told, quote
from clawgit.agents.running import View
from clawgit.agents.standing_corrections import rules, ruling
from clawgit.agents.validating import standalone_sentences
from clawgit.agents.validating.contradicting_words import Correction
from clawgit.agents.validating.matter import past_gloss
from clawgit.agents.validating.standalone_sentences import TAG, amended
from clawgit.errors import ClawgitError
from clawgit.git import repository
from clawgit.messages.patterns import VALIDATOR
from clawgit.text import correction as records
from clawgit.text import entry as texts
from clawgit.text import evidence_pointer, line_edits
from clawgit.text.edit import append_under, bullet
from clawgit.text.entry import digest, entry_id, normalise
from clawgit.text.evidence_pointer import Pointer
from clawgit.workspace import commit_message, file_roles, write_guard
from clawgit.workspace.change import Append, Change, Edit
from clawgit.workspace.entries import Row
from clawgit.workspace.memory import SECTIONS, Memory, memories
from clawgit.workspace.workspace import Workspace

_TIME = re.compile(r"^\d{1,2}:\d{2} ")


def corrected(
    view: View, outcome: Correction, told: Told, now: datetime, *, name: str, agent: str | None = VALIDATOR
) -> Change:
    """Return the change that makes a correction: its record, the entry in its place, the row of the sidecar.

    Raises ClawgitError where the entry cannot be corrected in its place, or what is true may not be kept.
    """
    for words in (outcome.said, outcome.true, outcome.statement):
        write_guard.check_words(words, "the correction")
    entry = _entry(view, outcome)
    edit, row = None, None
    rows: tuple[Row, ...] = ()
    twins: tuple[str, ...] = ()
    if entry and kept_as_it_is(view.workspace, entry.path):
        edit, row = _added(view, outcome, told, now, name)
        rows = (_refuted(view, entry, name),)
    elif entry:
        edit, row, twins = _amended(view, outcome, entry, told, now, name)
    elif outcome.statement:
        edit, row = _added(view, outcome, told, now, name)
    fields = _fields(view, outcome, told, entry, row)
    block = records.written(name, f"{now:%Y-%m-%d %H:%M}", fields)
    there = {one.id for one in rows}
    rows += tuple(one for one in _echoes(view, block, name) if one.id not in there)
    edits = (Append(file_roles.CORRECTIONS, block, records.BIRTH), *((edit,) if edit else ()))
    if agent is None:
        edits += tuple(past_statements.closed_by(view, edits, now))
    short = commit_message.shorten(
        commit_message.one_line(f"{outcome.said} is now {outcome.true}" if outcome.said else outcome.true), 60
    )
    return Change(
        f"memory: corrected: {short}",
        f"The operator said: {write_guard.cleaned(quote(told.heard.text))}",
        edits,
        tuple(_evidence(view.workspace, told, entry)),
        "operator",
        agent,
        rows=(*((row,) if row else ()), *rows),
        drops=twins,
        id=name,
    )


def _entry(view: View, outcome: Correction) -> Memory | None:
    if outcome.entry is None:
        return None
    every = chain(memories(view.workspace), *(noted(view, day) for day in _days(view)))
    return next((one for one in every if one.id == outcome.entry.id), None)


def noted(view: View, day: date) -> Iterator[Memory]:
    """Yield what the journal of a day holds, as memories; none where it cannot be read."""
    path = view.workspace.journal_path(day)
    if (view.workspace.root / path).is_file() and path not in view.workspace.memory_files:
        with contextlib.suppress(ClawgitError):
            yield from memories(view.workspace, path)


def known(view: View) -> Iterator[tuple[Memory, str]]:
    """Yield what can be corrected, each with its words: the memories, and what only the last journals say."""
    seen = set()
    for one in memories(view.workspace):
        if _holds(one):
            seen.add(normalise(one.text))
            yield one, one.text
    for day in _days(view):
        for one in noted(view, day):
            words = standalone_sentences.plainly(_TIME.sub("", one.text))
            if _holds(one) and normalise(words) not in seen:
                seen.add(normalise(words))
                yield one, words


def _holds(one: Memory) -> bool:
    return one.status != "superseded"


def _days(view: View) -> tuple[date, ...]:
    today = view.workspace.now().date()
    return today, today - timedelta(days=1)


def kept_as_it_is(workspace: Workspace, path: str) -> bool:
    """Tell whether a file is not rewritten: a journal, or what OpenClaw's agent alone may write."""
    return workspace.theirs(path) or file_roles.journal_day(path) is not None


def _echoes(view: View, record: str, name: str) -> Iterator[Row]:
    """Yield the rows of what the last journals say to the contrary of a record: it stays there, and holds no more."""
    known_rules = rules(records.corrections(record))
    for day in _days(view) if known_rules else ():
        path, listed = view.workspace.journal_path(day), set[str]()
        for one in noted(view, day):
            listed.add(digest(one.text))
            if _holds(one) and ruling(_TIME.sub("", one.text), known_rules):
                yield _refuted(view, one, name)
        for part in texts.entries(_written(view, path)) if path not in view.workspace.memory_files else ():
            if digest(part.text) not in listed and ruling(part.text, known_rules):
                row = Row(entry_id(path, part.text, part.ordinal), path, digest(part.text))
                yield replace(row, status="superseded", by=name)


def _written(view: View, path: str) -> str:
    with contextlib.suppress(ClawgitError):
        return view.read(path) or ""
    return ""


def _amended(
    view: View, outcome: Correction, entry: Memory, told: Told, now: datetime, name: str
) -> tuple[Edit, Row, tuple[str, ...]]:
    """Return what puts an entry right in its place, its row, and the rows of bullets that said so already: they go."""
    before = view.read(entry.path) or ""
    here = next(one for one in texts.entries(before) if one.start == entry.line)
    said, true = _exchanged(outcome)
    remark = records.remark(f"{now:%Y-%m-%d}", outcome.said or entry.text)
    after = amended(before, here, said, true, outcome.statement, remark)
    row = view.rows().get(entry.id) or Row(entry.id, entry.path, digest(entry.text), entry.tag or "")
    twins = [
        one for one in texts.entries(after) if one.start != here.start and _same_bullet(after, one, outcome.statement)
    ]
    known = {(one.file, one.hash): one for one in view.rows().values()}
    told_twice = [known[key] for one in twins if (key := (entry.path, digest(one.text))) in known]
    made = _row(row, outcome, told, now, name)
    made = replace(made, mentions=made.mentions.union(*(one.mentions for one in told_twice)))
    gone = tuple(one.id for one in told_twice if one.id != row.id)
    return Edit(entry.path, before, line_edits.without(after, twins)), made, gone


def _same_bullet(text: str, one: texts.Entry, said: str) -> bool:
    """Tell whether a bullet says just this, with no comment and nothing nested in it."""
    if one.kind != "bullet" or normalise(one.text) != normalise(said) or one.status or one.checked is not None:
        return False
    rows = text.splitlines()
    behind = rows[one.end] if one.end < len(rows) else ""
    return "<!--" not in "".join(rows[one.start - 1 : one.end]) and not behind.startswith((" ", "\t"))


def _exchanged(outcome: Correction) -> tuple[str, str]:
    """Return what of the memory goes, and what stands there instead, as the statement has it."""
    if outcome.entry is None or not outcome.said or outcome.said == outcome.entry.text:
        return "", outcome.true
    text = outcome.entry.text
    start = text.find(outcome.said)
    end = past_gloss(text, start + len(outcome.said))
    return text[start:end], outcome.statement[start : len(outcome.statement) - (len(text) - end)]


def _added(view: View, outcome: Correction, told: Told, now: datetime, name: str) -> tuple[Edit | None, Row | None]:
    path = view.workspace.memory_file
    before = view.read(path)
    if any(normalise(one.text) == normalise(outcome.statement) for one in texts.entries(before or "")):
        return None, None
    line = bullet(outcome.statement, outcome.tag, (TAG,))
    after = append_under(before or "# Memory\n", SECTIONS[outcome.tag], line, create=True)
    row = Row(entry_id(path, outcome.statement), path, digest(outcome.statement), outcome.tag, first=now.date())
    return Edit(path, before, after), _row(row, outcome, told, now, name)


def _refuted(view: View, entry: Memory, name: str) -> Row:
    """Return the row of an entry that stays where it is, since OpenClaw's agent alone may write there."""
    row = view.rows().get(entry.id) or Row(entry.id, entry.path, digest(entry.text), entry.tag or "")
    return replace(row, status="superseded", by=name)


def _row(row: Row, outcome: Correction, told: Told, now: datetime, name: str) -> Row:
    return replace(
        row,
        hash=digest(outcome.statement),
        origin="operator",
        confidence=1.0,
        first=row.first or now.date(),
        last=now.date(),
        mentions=row.mentions | {told.heard.mention if told.heard.text else name},
        status="live",
        by=name,
    )


def _fields(view: View, outcome: Correction, told: Told, entry: Memory | None, row: Row | None) -> Mapping[str, str]:
    trigger, sure = told.trigger
    older = [one.record.id for one in view.corrections() if entry and one.record.about == entry.id]
    return {
        records.TRIGGER: write_guard.cleaned(trigger.strip(" ,") or quote(told.heard.text)),
        records.SURE: sure,
        "Said": outcome.said,
        "True": outcome.true,
        records.WAS: outcome.entry.text if entry and outcome.entry else "",
        records.ANSWERS: "" if entry else write_guard.cleaned(outcome.subject),
        records.STANDS: outcome.statement,
        records.ABOUT: row.id if row else "",
        records.LEFT_IN: entry.path if entry and view.workspace.theirs(entry.path) else "",
        records.SUPERSEDES: older[-1] if older else "",
        records.SOURCE: write_guard.cleaned(told.heard.pointer(quote(told.heard.text)) or ""),
        records.REEMBEDDED: "false" if embeds(view.workspace) else "true",
    }


def embeds(workspace: Workspace) -> bool:
    """Tell whether searches here use vectors; words alone are served from the files themselves, at once."""
    tier, embedder = workspace.config.value("search_tier"), workspace.config.value("embedder")
    return bool(tier == "enhanced" or (tier == "auto" and embedder))


def _evidence(workspace: Workspace, told: Told, entry: Memory | None) -> Iterator[str]:
    heard = told.heard
    if heard.session and (turn := workspace.conversations(heard.session, heard.event)) and turn.text == heard.text:
        pointer = heard.pointer(quote(heard.text))
        yield from (pointer,) if pointer else ()
    if entry is None:
        return
    held = (repository.read(workspace.repo, workspace.head, entry.path) or b"").decode("utf-8", "replace")
    if any(one.start == entry.line and one.text == entry.text for one in texts.entries(held)):  # else nothing cites it
        yield evidence_pointer.format(Pointer("lines", entry.path, entry.line, entry.line))
