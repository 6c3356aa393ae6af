"""The recall validator: corrects memories that the operator calls wrong."""

import contextlib
import json
import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache, partial
from itertools import chain
from pathlib import Path

from msgspec import Struct, field, to_builtins
from msgspec.structs import replace

from clawgit.agents import running
from clawgit.agents.running import Progress, View
from clawgit.errors import Advice, ClawgitError, text_missing
from clawgit.git import history
from clawgit.language.own_words import own_words
from clawgit.language.values import find_value_places
from clawgit.llm import voices
from clawgit.llm.model import ModelError
from clawgit.memory import correct
from clawgit.memory.corrected_values import (
    Correction,
    Doubt,
    SpokenTurn,
    Told,
    exchange_sides,
    has_claim,
    is_called_for,
    list_parts,
    read_correction,
    read_typed_sides,
)
from clawgit.memory.restated_values import REASON as RESTATED
from clawgit.memory.restated_values import Restatements
from clawgit.memory.value_exchange import Exchange, Stored, fit_row
from clawgit.messages import sides
from clawgit.messages.triage import VALIDATOR, Triage, read_patterns, triage
from clawgit.outside.subprocess_runner import Bounds, run_program
from clawgit.reading import backlog
from clawgit.reading.backlog import Backlog, Span, make_message
from clawgit.safety.redaction import redact
from clawgit.sessions import chat_store, session_follow
from clawgit.sessions.chat_store import ChatStore, Message
from clawgit.store.item import Item
from clawgit.text import evidence_pointer
from clawgit.text.entry import make_name, normalise
from clawgit.workspace import correction_records, file_contents, run_ledger
from clawgit.workspace.change import Applied, Change
from clawgit.workspace.correction_records import list_records
from clawgit.workspace.memory_lines import MemoryLine, find_line
from clawgit.workspace.settings import KEYS
from clawgit.workspace.workspace import Workspace

NAME = VALIDATOR
HANDLER = "recall_external_handler"
OF_AGENT = "an agent says so; only the operator corrects"
_DAY_SECONDS = 86_400.0
_LATE_SECONDS = 7 * _DAY_SECONDS
"""After so long nobody takes a remark for a correction of what is known: it may long be otherwise."""
_HANDLER_SECONDS, _MAX_HANDLER_BYTES = 5.0, 64 << 10
_TURNS_BEFORE = 8
_MAX_TITLE_CHARS = 2_000
_MAX_RESTATED = 5
"""Items a day for what only may have become untrue."""


class Looked(Struct, frozen=True):
    """The outcome of a message: a correction with its change, an item for the inbox, or the reason for neither."""

    correction: Correction | None = None
    change: Change | None = None
    item: Item | None = None
    skipped: str = ""


# ---- one message


def validate_message(view: View, remark: Told, now: datetime, restatements: Restatements | None = None) -> Looked:
    """Return the outcome of a message; only the operator's own words, said directly, correct anything.

    If it names no wrong value, `restatements` find the entries that it may have made untrue.
    """
    message = remark.heard
    if message.origin != "operator":
        return Looked(skipped="not the operator's")
    # A correction may name its subject only in the turns before it.
    words = " ".join((message.text, *(turn.text for turn in remark.before[-2:])))
    read = partial(read_correction, message.text, remark.found, remark.before, operator_names=view.workspace.called)
    outcome = correct.find_correction(view.workspace, words, read)
    if restatements and not (outcome and outcome.said):
        outcome = restatements.find(message.text, remark.before) or outcome
    if outcome is None:
        return Looked(skipped="corrects nothing")
    name, reason = _read_history(view, outcome, message)
    if reason:
        return Looked(skipped=reason)
    doubt = outcome
    if isinstance(outcome, Correction):
        try:
            return Looked(outcome, correct.make_correction(view, outcome, remark, name=name, agent=NAME))
        except ClawgitError as exc:
            doubt = Doubt(exc.message, outcome.said, outcome.true, outcome.choices)
    else:
        restatements = restatements or _read_entries_to_compare(view.workspace)
        doubt = restatements.add_nearest(outcome, message.text, remark.before)
    return Looked(item=make_item(remark, doubt, now))


def _look_at_parts(view: View, remark: Told, now: datetime, restatements: Restatements | None) -> Iterator[Looked]:
    """Yield the outcome of each correction in a message; its changes are undone one by one."""
    for text in list_parts(remark.heard.text):
        yield validate_message(view, replace(remark, heard=replace(remark.heard, text=text)), now, restatements)


def _read_entries_to_compare(workspace: Workspace) -> Restatements:
    """Return the entries that a message may make untrue: of memory, of two weeks of journals, of the identity."""
    lines = (correct.list_recent(workspace), correct.list_partly_refuted(workspace))
    return Restatements(correct.as_stored(chain(*lines, correct.list_identity_lines(workspace))))


def _read_restatements(workspace: Workspace) -> Restatements | None:
    """Return the entries to compare messages with; None if a model reads them."""
    with contextlib.suppress(ModelError):
        if voices.find_voice(workspace.config.value, os.environ, workspace.store) is None:
            return _read_entries_to_compare(workspace)
    return None


def _read_history(view: View, outcome: Correction | Doubt, message: Message) -> tuple[str, str]:
    """Return the id of a correction, and the reason not to make it again, "" for none.

    The same words of a day about the same matter give the same id.
    """
    exchanges = outcome.exchanges if isinstance(outcome, Correction) else ()
    about, said = exchanges[0].entry.id if exchanges else "", (str(message.day), normalise(message.text))
    # `triage --act` may have heard it before its conversation was known.
    keys = ((*said, session, about, outcome.said, outcome.true) for session in (message.session, ""))
    name, *others = (make_name("\0".join(("correction", *parts))) for parts in keys)
    if about and message.day:
        line = find_line(view.workspace, about)
        if line.last and (line.last - message.day).days > 1:
            return name, "said before the memory was"
    records, pair = [item.record for item in view.corrections()], (outcome.said, outcome.true)
    recent = [item for item in records if item.at >= str(message.day or "")]
    sentences = {normalise(item.fields.get("sentence", "")) for item in recent}
    is_read_again = any(item.values == pair for item in recent) if all(pair) else said[1] in sentences
    # Who says it twice, or is read twice, is not asked.
    if any(record.id in (name, *others) for record in records) or (not exchanges and is_read_again):
        return name, "corrected already"
    changes = (f"Clawgit-Change: {key}" for key in dict.fromkeys((name, *others)) if isinstance(outcome, Correction))
    logs = (history.walk_log(view.workspace.repo, containing=change, named=False) for change in changes)
    return name, "taken back before" if any(next(iter(log), None) for log in logs) else ""


def make_item(remark: Told, doubt: Doubt, now: datetime) -> Item:
    """Return the item that asks about a message; each secret in it is named instead of shown."""
    trigger, sure = remark.trigger
    details = {
        "said": redact(doubt.said),
        "true": redact(doubt.true),
        "choices": list(doubt.choices[: correct.MAX_CHOICES]),
        "trigger": trigger,
        "trigger_confidence": sure,
        "session": remark.heard.session,
    }
    title = redact(file_contents.clean_for_writing(remark.heard.text)[:_MAX_TITLE_CHARS])
    source = remark.heard.point_to() or ""
    return Item(remark.name, "correction", title, now, doubt.reason, source, details=details)


def open_items(workspace: Workspace, items: Iterable[Item]) -> list[Item]:
    """Open each item that was never asked about, and return these. Raises ClawgitError."""
    fresh = {item.id: item for item in items if not workspace.store.find_items(item.id)}
    for item in fresh.values():
        workspace.store.open_item(item)
    return list(fresh.values())


def file_suggestion(workspace: Workspace, text: str, about: str = "") -> Item:
    """File an agent's suggested correction, and return its item; no memory changes.

    `about` is the id of the wrong memory, or its beginning. Raises ClawgitError for words that may not be kept, or an
    unknown id.
    """
    if not text.strip():
        raise text_missing("there is nothing that is true", fix=Advice('say both sides: "not Monday, Tuesday"'))
    file_contents.check_words(text, "the correction")
    workspace.require_managed()
    words = text.strip()
    message = make_message(words, "agent", workspace.now().timestamp())
    remark = Told(message, triage(words, read_patterns(workspace.config).patterns))
    line = find_line(workspace, about) if about else None
    outcome = resolve_correction(workspace, remark, about) or Doubt("it does not say what is wrong")
    wrong = "" if line and outcome.said == line.text else outcome.said
    missing = f"; {outcome.reason}" if isinstance(outcome, Doubt) and not outcome.true else ""
    choices = outcome.choices or ((line.id,) if line else ())
    item = make_item(remark, Doubt(f"{OF_AGENT}{missing}", wrong, outcome.true, choices), workspace.now())
    return next(iter(open_items(workspace, [item])), None) or workspace.store.find_items(item.id)[0]


def _read_for_entry(text: str, line: MemoryLine) -> Correction | Doubt:
    """Return the correction of one entry: `text` has both sides, or is the whole truth, which replaces its words."""
    about, pairs = Stored(line.id, line.text), list(sides.find_sides(own_words(text)))
    if exchange := next(filter(None, (exchange_sides(pair, about) for pair in pairs)), None):
        return Correction(exchange.said, exchange.true, (exchange,))
    for wrong, true in map(sides.read_pair, pairs):
        is_true = find_value_places(about.text, true) and not find_value_places(about.text, wrong)
        says = "says already what is true, and nothing that is wrong"
        reason = f"{about.id} {says}" if is_true else "it does not say which words of the memory are wrong"
        return Doubt(reason, wrong, true, () if is_true else (about.id,))
    whole = fit_row(line.text, text) if line.kind == "row" else text
    return Correction(about.text, whole, (Exchange(about, about.text, whole, whole),))


def resolve_correction(
    workspace: Workspace, remark: Told, about: str = "", pair: tuple[str, str] | None = None
) -> Correction | Doubt | None:
    """Return the correction in typed or suggested words.

    `about` is the beginning of the id of the wrong entry; `pair` are the wrong and the true side if both are known.
    """
    text = remark.heard.text.strip()
    if about:
        line = find_line(workspace, about)
        return _read_for_entry(text, line)
    outcome = correct.find_correction(workspace, text, partial(read_typed_sides, *pair)) if pair else None
    read = partial(read_correction, text, remark.found, (), operator_names=workspace.called, is_asked=True)
    outcome = outcome or correct.find_correction(workspace, text, read)
    if isinstance(outcome, Correction) or (pair and outcome and outcome.choices):
        return outcome
    doubt = outcome or Doubt("it does not say what is wrong")
    return _read_entries_to_compare(workspace).add_nearest(doubt, text, remark.before)


# ---- the messages


def read_message(
    store: ChatStore, text: str, session: str, now: float, *, vouched: bool = False
) -> tuple[Message, tuple[SpokenTurn, ...]]:
    """Return a message as in the conversations, with the turns before it; as it is if they lack it.

    `session` is an id, or the beginning of one that no other has. Words of a group correct nothing, unless a knowing
    caller `vouched` that they are the operator's.
    """
    sessions = [summary.session for summary in store.sessions() if session and summary.session.id.startswith(session)]
    place = next((candidate for candidate in sessions if candidate.id == session or len(sessions) == 1), None)
    name = place.id if place else session
    for message in store.saying("user", text):
        is_known = (
            message.time and abs(message.time - now) <= _DAY_SECONDS and message.session == (name or message.session)
        )
        if is_known and (message.origin == "operator" or not vouched):
            return message, _list_before(_list_spoken_messages(store, message.session), message.event)
    is_group = place is not None and place.kind in ("group", "hook") and not vouched
    before = _list_before(_list_spoken_messages(store, name), "") if name else ()
    return make_message(text, "untrusted" if is_group else "operator", now, name), before


def _list_spoken_messages(store: ChatStore, session: str) -> list[Message]:
    place = next((summary.session for summary in store.sessions() if summary.session.id == session), None)
    messages = store.messages(place) if place else ()
    talk_messages = (message for message in messages if message.role != "tool" and message.origin != "untrusted")
    return [message for message in talk_messages if message.text.strip()]


def _list_before(messages: list[Message], event: str) -> tuple[SpokenTurn, ...]:
    """Return the last turns before an event, those of the operator and of the agent."""
    index = next((number for number, message in enumerate(messages) if event and message.event == event), len(messages))
    turns = messages[max(0, index - _TURNS_BEFORE) : index]
    return tuple(SpokenTurn("operator" if turn.role == "user" else "agent", turn.text) for turn in turns)


# ---- the agent


class RecallValidator(running.Agent):
    """Works through the messages since its last run, flagged first (spec P3).

    `start` (seconds since 1970) makes it look at everything from then on. `asked` has the open questions afterwards,
    with their messages: the caller files them. `made` has the corrections, by the items that their messages may have
    been before.
    """

    name = NAME
    store: ChatStore
    start: float | None = None
    asked: list[tuple[Item, Told]] = field(default_factory=list)
    made: dict[str, str] = field(default_factory=dict)

    def propose(self, view: View, now: datetime) -> Iterator[Change | Progress]:
        """Yield the change of each correction, then how far is read.

        What is older than a week is passed over, unless it was flagged or is asked for: it may long be otherwise.
        """
        workspace, skipped = view.workspace, Counter[str]()
        restatements, spans = _read_restatements(workspace), dict[str, tuple[Span, ...]]()
        flag, read = "", 0
        patterns, before_run = read_patterns(workspace.config).patterns, backlog.load_read(workspace, NAME)
        read_session = cache(partial(_list_spoken_messages, self.store))
        since = now.timestamp() - _LATE_SECONDS if self.start is None else self.start
        flagged = backlog.list_flagged(self.store, workspace.store, before_run.answered)

        def list_new() -> Iterator[tuple[str, Message]]:
            for talk, messages in Backlog(self.store, [before_run], now, start=self.start).list_messages():
                spans.update(talk.reach())
                yield from (("", message) for message in messages)

        for name, current in chain(flagged, list_new()):
            flag, read = name or flag, read + 1
            is_late = not name and current.time is not None and current.time < since
            triage_result = triage(current.text, patterns) if current.origin == "operator" and not is_late else None
            if triage_result is None or not (restatements or is_called_for(current.text, triage_result)):
                continue
            before = _list_before(read_session(current.session), current.event) if current.session else ()
            remark = Told(current, triage_result, before)
            for finding in _look_at_parts(view, remark, now, restatements):
                if finding.change:
                    self.made[remark.name] = finding.change.id
                    yield finding.change
                elif finding.item and finding.item.reason == RESTATED and not self._has_room(workspace, now):
                    skipped["enough for a day"] += 1
                else:
                    self.asked += [(finding.item, remark)] if finding.item else []
                    skipped[finding.skipped or "candidate"] += 1
        yield Progress(read, skipped, spans, flag)

    def _has_room(self, workspace: Workspace, now: datetime) -> bool:
        """Return whether today another item may ask about possibly untrue entries."""
        items = (*workspace.store.read_items("open", edits=False), *(item for item, _ in self.asked))
        return sum(item.reason == RESTATED and item.opened.date() == now.date() for item in items) < _MAX_RESTATED


def settle_run(workspace: Workspace, agent: RecallValidator) -> list[str]:
    """File and settle the questions of a run, inform the handler of abilities, and finish; return notes for people."""
    settle_questions(workspace, agent.made)
    new, notes = _open_questions(workspace, agent.asked)
    notes += [f"{item.id}: {item.reason}; clawgit show {item.id}" for item in new]
    return notes + ask_about_rest(workspace, *agent.made.values())


def _open_questions(workspace: Workspace, questions: Sequence[tuple[Item, Told]]) -> tuple[list[Item], list[str]]:
    """Open the items that were never asked about; return them, and the handler's outcomes for forgotten abilities.

    A reminder of a tool, a script or a skill corrects no memory (spec §5.3): what the handler heard waits for nobody.
    """
    new = open_items(workspace, [item for item, _ in questions])
    abilities = [pair for pair in questions if pair[0] in new and has_claim("ability", pair[1].heard.text)]
    notes = [hand_over(workspace, *pair) for pair in abilities]
    waiting_ids = {item.id for item in workspace.store.read_items("open", kind="correction", edits=False)}
    return [item for item in new if item.id in waiting_ids], notes


def settle_questions(workspace: Workspace, change_ids: Mapping[str, str]) -> None:
    """Settle the questions that have become corrections since, when more of the conversation was known."""
    present = {record.record.id for record in list_records(workspace)}
    for item in workspace.store.read_items("open", kind="correction", edits=False):
        if change_ids.get(item.id) in present:
            workspace.store.decide(item.id, "accepted", workspace.now())


def act_on_message(
    workspace: Workspace, text: str, triage_result: Triage, session: str, *, vouched: bool = False
) -> tuple[Looked, Applied | None, list[str]]:
    """Have the validator look at a message at once, and do what comes of it; with notes for people.

    Brings in the conversations before: what was said just before it counts.
    """
    session_follow.follow_host(workspace)
    with chat_store.open_untainted(workspace, os.environ, reading=True) as store:
        message, before = read_message(store, text, session, workspace.now().timestamp(), vouched=vouched)
        return _act(workspace, Told(message, triage_result, before), _read_restatements(workspace))


def retry_open_questions(workspace: Workspace, store: ChatStore) -> list[str]:
    """Look again at the open questions of the last week: their targets may be known by now; return notes."""
    notes: list[str] = []
    since = workspace.now().timestamp() - _LATE_SECONDS
    for item in workspace.store.read_items("open", kind="correction", edits=False):
        opening_time = item.opened.timestamp()
        if item.reason.startswith(OF_AGENT) or "record" in item.details or opening_time < since:
            continue
        session = evidence_pointer.parse_pointer(item.source).id if item.source else ""
        message, before = read_message(store, item.title, session, opening_time)
        remark = Told(message, triage(message.text, read_patterns(workspace.config).patterns), before)
        notes += _act(workspace, remark, None)[2] if remark.name == item.id else ()
    return notes


def _act(
    workspace: Workspace, remark: Told, restatements: Restatements | None
) -> tuple[Looked, Applied | None, list[str]]:
    """Return the first outcome of a message that has a change, else the first one; with notes for people."""
    outcomes, notes = list[tuple[Looked, Applied | None]](), list[str]()
    view, started = View(workspace), workspace.now().isoformat()
    for finding in _look_at_parts(view, remark, workspace.now(), restatements):
        applied = workspace.apply(finding.change) if finding.change else None
        new, handler_notes = _open_questions(workspace, [(finding.item, remark)] if finding.item else [])
        notes += handler_notes
        outcomes.append((finding if new or not handler_notes else replace(finding, item=None), applied))
        if applied and applied.commit and finding.change:
            view.renew()
            with contextlib.suppress(ClawgitError):  # it has landed
                ran = run_ledger.Ran(NAME, started, workspace.now().isoformat(), 1, 1, (applied.commit,))
                run_ledger.note(workspace.store, ran)
            settle_questions(workspace, {remark.name: finding.change.id})
            notes += ask_about_rest(workspace, finding.change.id)
    return *next((pair for pair in outcomes if pair[1]), outcomes[0]), notes


def ask_about_rest(
    workspace: Workspace, *names: str, shown_ids: Collection[str] = (), is_asking: bool = True
) -> list[str]:
    """Open an item for the open part of each correction, without the entries `shown_ids`; return notes for people.

    Without `is_asking`, the operator has decided about all lines already.
    """
    doubtful = (correct.make_doubtful_item(workspace, name, shown_ids) for name in names if is_asking)
    items = [item for item in doubtful if item]
    notes = [f"{item.reason}: clawgit show {item.id}" for item in open_items(workspace, items)]
    headings = ", ".join(place for name in names for place in correct.list_headings(workspace, name))
    notes += [f"headings, quotations and code stay as they are: {headings}"] if headings else []
    correction_records.note_records(workspace)
    return notes


def hand_over(workspace: Workspace, item: Item, remark: Told) -> str:
    """Inform the handler of CONFIG.md of a forgotten ability; return the outcome, in a sentence (spec P10).

    Once it has heard, an item without memories to correct is closed.
    """
    handler, heard = str(workspace.config.value(HANDLER)), remark.heard
    if workspace.config.shown(KEYS[HANDLER]).changed:
        return f"{HANDLER} changed since you approved it, and is off: clawgit trust"
    if not handler:
        return f"this is about an ability, no memory; {HANDLER} of CONFIG.md names nobody who would hear of it"
    report = {"text": heard.text, "session": heard.session, "event": heard.event, "turns": to_builtins(remark.before)}
    report |= {"trigger": remark.trigger[0], "trigger_confidence": remark.trigger[1]}
    try:
        words = [str(workspace.root / Path(handler).expanduser())]
        bounds = Bounds(_HANDLER_SECONDS, _MAX_HANDLER_BYTES)
        ended = run_program(words, json.dumps(report, ensure_ascii=False), bounds, os.environ, workspace.root)
    except ClawgitError as exc:
        return f"{HANDLER}: {exc.message}"
    if ended.code:
        return f"{HANDLER}: {handler} ended with {ended.code}"
    if not item.details["choices"]:
        workspace.store.decide(item.id, "closed", workspace.now())
    return f"{HANDLER}: {handler} heard of it"
