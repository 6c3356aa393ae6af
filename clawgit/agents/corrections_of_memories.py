"""Makes the change that corrects a memory."""

import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from itertools import chain

from msgspec.structs import replace

from clawgit.agents.detecting import past_statements
from clawgit.agents.messages_to_read import Told, quote
from clawgit.agents.running import View
from clawgit.agents.standing_corrections import rules, ruling
from clawgit.agents.validating.resolve import Correction
from clawgit.errors import Advice, ClawgitError, memory_shape
from clawgit.git import repository
from clawgit.messages.patterns import VALIDATOR
from clawgit.text import correction as records
from clawgit.text import document, evidence_pointer, line_edits
from clawgit.text import entry as texts
from clawgit.text.edit import append_under, bullet
from clawgit.text.entry import digest, entry_id, normalise
from clawgit.text.evidence_pointer import Pointer
from clawgit.workspace import commit_message, file_roles, write_guard
from clawgit.workspace.change import Append, Change, Edit
from clawgit.workspace.entries import Row
from clawgit.workspace.memory import SECTIONS, Memory, memories
from clawgit.workspace.workspace import Workspace

_TIME = re.compile(r"^\d{1,2}:\d{2} ")
TAG = "correction"


def corrected(
    view: View, outcome: Correction, told: Told, now: datetime, *, name: str, agent: str | None = VALIDATOR
) -> Change:
    """Return the change that makes a correction: its record, the entry and its copies in their places, their rows.

    Raises ClawgitError where an entry cannot be corrected in its place, or what is true may not be kept.
    """
    for words in (outcome.said, outcome.true, outcome.statement):
        write_guard.check_words(words, "the correction")
    parts = [(one, entry) for one in (outcome, *outcome.copies) if (entry := _entry(view, one))]
    entry = parts[0][1] if parts else None
    inside = [(one, place) for one, place in parts if not kept_as_it_is(view.workspace, place.path)]
    edits, rows, twins = _amend(view, inside, told, now, name)
    if outcome.statement and not inside:
        edit, row = _added(view, outcome, told, now, name)
        edits, rows = [edit] if edit else [], [row] if row else []
    fields = _fields(view, outcome, told, entry, rows[0] if rows else None)
    block = records.written(name, f"{now:%Y-%m-%d %H:%M}", fields)
    rows += [_refuted(view, place, name) for _, place in parts if kept_as_it_is(view.workspace, place.path)]
    known = {one.id for one in rows}
    rows += [one for one in _echoes(view, block, name) if one.id not in known]
    changes: tuple[Edit | Append, ...] = (Append(file_roles.CORRECTIONS, block, records.BIRTH), *edits)
    if agent is None:
        changes += tuple(past_statements.closed_by(view, changes, now))
    short = commit_message.shorten(
        commit_message.one_line(f"{outcome.said} is now {outcome.true}" if outcome.said else outcome.true), 60
    )
    return Change(
        f"memory: corrected: {short}",
        f"The operator said: {write_guard.cleaned(quote(told.heard.text))}",
        changes,
        tuple(_evidence(view.workspace, told, entry)),
        "operator",
        agent,
        rows=tuple(rows),
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
            words = _TIME.sub("", one.text)
            if _holds(one) and normalise(words) not in seen:
                seen.add(normalise(words))
                yield one, words


def _holds(one: Memory) -> bool:
    return one.status != "superseded"


def _days(view: View) -> tuple[date, ...]:
    today = view.workspace.now().date()
    return today, today - timedelta(days=1)


def kept_as_it_is(workspace: Workspace, path: str) -> bool:
    """Return whether a file is not rewritten: a journal, or what OpenClaw's agent alone may write."""
    return workspace.theirs(path) or file_roles.journal_day(path) is not None


def _echoes(view: View, record: str, name: str) -> Iterator[Row]:
    """Yield the rows of what the last journals say to the contrary of a record: it stays there, and holds no more."""
    known_rules = rules(records.corrections(record))
    known = {(one.file, one.hash): one for one in view.rows().values()}
    journals = [view.workspace.journal_path(day) for day in _days(view)] if known_rules else []
    for path in (journal for journal in journals if journal not in view.workspace.memory_files):
        text = ""
        with contextlib.suppress(ClawgitError):
            text = view.read(path) or ""
        for part in texts.entries(text):
            key = path, digest(part.text)
            row = known.get(key) or Row(entry_id(path, part.text, part.ordinal), *key)
            if row.status != "superseded" and ruling(_TIME.sub("", part.text), known_rules):
                yield replace(row, status="superseded", by=name)


def _amend(
    view: View, parts: Sequence[tuple[Correction, Memory]], told: Told, now: datetime, name: str
) -> tuple[list[Edit], list[Row], tuple[str, ...]]:
    """Return what puts entries right in their places, their rows, and the rows of bullets that said so already."""
    edits: dict[str, Edit] = {}
    rows: list[Row] = []
    drops: list[str] = []
    known = {(one.file, one.hash): one for one in view.rows().values()}
    for outcome, entry in parts:
        before = view.read(entry.path) or ""
        text = (edits[entry.path].text if entry.path in edits else before) or ""
        remark = records.remark(f"{now:%Y-%m-%d}", outcome.said or entry.text)
        edits[entry.path] = Edit(entry.path, before, _correct_line(text, entry, outcome, remark))
        row = view.rows().get(entry.id) or Row(entry.id, entry.path, digest(entry.text), entry.tag or "")
        rows.append(_row(row, outcome, told, now, name))
    for at, (outcome, entry) in enumerate(parts):
        text = edits[entry.path].text or ""
        twins = [one for one in texts.entries(text) if _same_bullet(text, one, outcome.statement)]
        said = [known[key] for twin in twins if (key := (entry.path, digest(twin.text))) in known]
        rows[at] = replace(rows[at], mentions=rows[at].mentions.union(*(one.mentions for one in said)))
        drops += [one.id for one in said if one.id not in {row.id for row in rows}]
        edits[entry.path] = replace(edits[entry.path], text=line_edits.without(text, twins))
    return list(edits.values()), rows, tuple(dict.fromkeys(drops))


def _same_bullet(text: str, one: texts.Entry, said: str) -> bool:
    """Return whether a bullet says just this, with no comment and nothing nested in it."""
    if one.kind != "bullet" or normalise(one.text) != normalise(said) or one.status or one.checked is not None:
        return False
    rows = text.splitlines()
    behind = rows[one.end] if one.end < len(rows) else ""
    return "<!--" not in "".join(rows[one.start - 1 : one.end]) and not behind.startswith((" ", "\t"))


def _added(view: View, outcome: Correction, told: Told, now: datetime, name: str) -> tuple[Edit | None, Row | None]:
    path = view.workspace.memory_file
    before = view.read(path)
    if any(normalise(entry.text) == normalise(outcome.statement) for entry in texts.entries(before or "")):
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
    older = [correction.record.id for correction in view.corrections() if entry and correction.record.about == entry.id]
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
    """Return whether searches here use vectors; words alone are served from the files themselves, at once."""
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


def _correct_line(text: str, place: Memory, outcome: Correction, remark: str) -> str:
    """Return `text` with an entry corrected in its place: its tag stays, `#correction` is the second, `remark` behind.

    Every other byte stays. Raises ClawgitError where the entry could not be read as its statement afterwards.
    """
    entry = next(one for one in texts.entries(text) if one.start == place.line)
    rows = document.split(text)
    block = "".join(rows[entry.start - 1 : entry.end])
    body = document.content(block) if entry.start == entry.end else block.rstrip("\r\n")
    plain = texts.without_comments(body)
    comments = body[len(plain.rstrip()) :].strip()
    core, tag, status = texts.split_tags(plain)
    said, true = (entry.text, outcome.statement) if entry.text in core else (outcome.said, outcome.true)
    new = core.replace(said, true) if said and core.count(said) == 1 else ""
    states = [one for one in dict.fromkeys((*status, TAG)) if one in texts.STATUS and one != "superseded"]  # it holds
    tags = [f"#{one}" for one in (tag, *states) if one]
    line = " ".join(part for part in (new, *tags, comments, remark) if part)
    after = "".join((*rows[: entry.start - 1], line + block[len(body) :], *rows[entry.end :]))
    held = (one for one in texts.entries(after) if TAG in one.status)
    if not new or not any(normalise(one.text) == normalise(outcome.statement) for one in held):
        raise memory_shape(
            f"line {entry.start} cannot be corrected in its place: {entry.text[:60]!r}",
            fix=Advice("edit it by hand, and say so: clawgit correct TEXT"),
        )
    return after
