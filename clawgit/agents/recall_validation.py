"""Hands messages to the recall validator."""

import contextlib
import json
import os
from collections.abc import Iterator, Mapping
from functools import cache, partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import to_builtins

from clawgit.agents import correction_candidates, running
from clawgit.agents import messages_to_read as agents_heard
from clawgit.agents.correction_candidates import Waiting
from clawgit.agents.messages_to_read import Heard, Step, Told
from clawgit.agents.recall_validator import LATE_DAYS, NAME, Looked, RecallValidator, look
from clawgit.agents.running import View
from clawgit.agents.validating.resolve import Candidate, Stored, Turn, is_called_for, resolve_statement
from clawgit.agents.validating.unclaimed import is_about_ability
from clawgit.errors import Advice, ClawgitError, text_missing
from clawgit.messages.patterns import VALIDATOR
from clawgit.messages.triage import Triage, triage
from clawgit.messages.workspace_patterns import known
from clawgit.outside.subprocess_runner import Bounds, run
from clawgit.text import correction as records
from clawgit.text import evidence_pointer
from clawgit.workspace import file_roles, run_ledger, write_guard
from clawgit.workspace.change import Change, Edit
from clawgit.workspace.correction_records import standing
from clawgit.workspace.memory import memories
from clawgit.workspace.memory_lines import find_line
from clawgit.workspace.reading_cursors import Cursor
from clawgit.workspace.settings import KEYS
from clawgit.workspace.workspace import Workspace

if TYPE_CHECKING:
    from clawgit.sessions.chat_store import ChatStore, Message
    from clawgit.workspace.change import Applied
    from clawgit.workspace.workspace import Workspace


REASON = "an agent says so; only the operator corrects"
_OPEN = "it does not say what is wrong"


def suggest(workspace: Workspace, text: str, about: str = "") -> Waiting:
    """File what an agent takes for a correction as a candidate, and return it as it stands; no memory changes.

    `about` is the id of the memory that is wrong, or its beginning. What was suggested before that day keeps what the
    operator decided of it. Raises ClawgitError for words that may not be kept, or an id that no memory has.
    """
    if not text.strip():
        raise text_missing("there is nothing that is true", fix=Advice('say both sides: "not Monday, Tuesday"'))
    write_guard.check_words(text, "the correction")
    workspace.require_managed()
    one = _waiting(workspace, text.strip(), about)
    correction_candidates.open_candidates(workspace.store, [one])
    return next((Waiting.of_item(item) for item in workspace.store.find_items(one.id)), one)


def _waiting(workspace: Workspace, text: str, about: str) -> Waiting:
    now = workspace.now()
    told = Told(Heard(text, "agent", now.timestamp()), triage(text, known(workspace.root).patterns))
    stored = [Stored(memory.id, memory.text) for memory in memories(workspace)]
    meant = find_line(workspace, about) if about else None
    outcome = resolve_statement(text, told.found, stored, Stored(meant.id, meant.text) if meant else None)
    trigger, sure = told.trigger
    said, true = (outcome.said, outcome.true) if outcome else ("", "")
    missing = "" if true else f"; {outcome.reason if isinstance(outcome, Candidate) else _OPEN}"
    entries = outcome.choices if isinstance(outcome, Candidate) else (outcome.entry,) if outcome else ()
    choices = tuple(entry.id for entry in entries if entry) or ((meant.id,) if meant else ())
    said = "" if meant and said == meant.text else said
    at = now.isoformat(timespec="seconds")
    return Waiting(told.name, at, text, f"{REASON}{missing}", said, true, choices, "", trigger, sure)


HANDLER = "recall_external_handler"
_SECONDS, _LARGEST = 5.0, 64 << 10
_BEFORE = 8
_NEAR = 86_400.0
_LATE = LATE_DAYS * _NEAR
_STEPS = 1_000


def heard(
    store: "ChatStore", text: str, session: str, now: float, *, vouched: bool = False
) -> tuple[Heard, tuple[Turn, ...]]:
    """Return a message as the conversations hold it, with the turns before it; as it is where they do not.

    `session` is an id, or the beginning of one that no other has. What a group says is nobody's to correct with, unless
    somebody who knows `vouched` for it that it is the operator's.
    """
    meant = [one.session for one in store.sessions() if session and one.session.id.startswith(session)]
    place = next((one for one in meant if one.id == session), meant[0] if len(meant) == 1 else None)
    name = place.id if place else session
    said = [one for one in store.saying("user", text) if not name or one.session == name]
    said = [one for one in said if one.origin == "operator"] if vouched else said
    found = next((one for one in said if one.time and abs(one.time - now) <= _NEAR), None)
    if found is None:
        group = place is not None and place.kind in ("group", "hook") and not vouched
        return Heard(text, "untrusted" if group else "operator", now, name), _turns(store, name, "") if name else ()
    told = Heard(found.text, found.origin, found.time, found.session, found.event)
    return told, _turns(store, found.session, found.event)


def _turns(store: "ChatStore", session: str, event: str) -> tuple[Turn, ...]:
    """Return the last turns of a session before an event, those of the operator and of the agent."""
    return _until(_spoken(store, session), event)


def _spoken(store: "ChatStore", session: str) -> "list[Message]":
    one = next((one.session for one in store.sessions() if one.session.id == session), None)
    told = store.messages(one) if one else ()
    return [one for one in told if one.role != "tool" and one.origin != "untrusted" and one.text.strip()]


def _until(spoken: "list[Message]", event: str) -> tuple[Turn, ...]:
    at = next((at for at, one in enumerate(spoken) if one.event == event), len(spoken)) if event else len(spoken)
    turns = spoken[max(0, at - _BEFORE) : at]
    return tuple(Turn("operator" if turn.role == "user" else "agent", turn.text) for turn in turns)


def flagged(workspace: "Workspace", store: "ChatStore", answered: str) -> Iterator[Told]:
    """Yield the messages that triage flagged for the validator since the flag `answered`."""
    patterns = known(workspace.root).patterns
    for new in agents_heard.flagged(store, workspace.store, answered):
        seen = triage(new.heard.text, patterns, origin=new.heard.origin)
        if any(match.route == VALIDATOR for match in seen.matches):
            before = _turns(store, new.heard.session, new.heard.event) if new.heard.event else ()
            yield Told(new.heard, seen, before, Step(new.flag))


def said(workspace: "Workspace", store: "ChatStore", start: float | None) -> Iterator[Told | Step]:
    """Yield what the operator said since the validator last read, and could correct with; the rest in steps.

    What nobody looked at for a week is passed over: it may long be otherwise. `start` (seconds since 1970) asks for it.
    """
    patterns = known(workspace.root).patterns
    spoken = cache(partial(_spoken, store))
    since = workspace.now().timestamp() - _LATE if start is None else start
    passed = 0
    reached: dict[str, tuple[Cursor, int]] = {}
    for new in agents_heard.since(store, agents_heard.load(workspace, NAME), start):
        passed += 1
        if new.cursor:
            reached[new.cursor.session] = (new.cursor, new.count)
        step = Step(reached=tuple(reached.values()), read=passed)
        heard = new.heard
        late = heard.time is not None and heard.time < since
        found = triage(heard.text, patterns) if heard.origin == "operator" and not late else None
        if found and is_called_for(heard.text, found):
            before = _until(spoken(heard.session), heard.event) if heard.session else ()
            yield Told(heard, found, before, step)
        elif passed >= _STEPS:
            yield step
        else:
            continue
        passed, reached = 0, {}
    if passed:
        yield Step(reached=tuple(reached.values()), read=passed)


def open_candidates(workspace: "Workspace", store: "ChatStore") -> Iterator[Told]:
    """Yield the operator's messages of the last week that lacked something: what they correct may be known by now."""
    patterns = known(workspace.root).patterns
    since = workspace.now().timestamp() - _LATE
    for item in correction_candidates.read_candidates(workspace.store):
        one, when = Waiting.of_item(item), item.opened.timestamp()
        if item.state != "open" or one.reason.startswith(REASON) or when < since:
            continue
        meant = evidence_pointer.parse(one.source).id if one.source else ""
        message, before = heard(store, one.text, meant, when)
        told = Told(message, triage(message.text, patterns), before, Step(read=0))
        if told.name == one.id:
            yield told


def retry(workspace: "Workspace", store: "ChatStore") -> list[str]:
    """Try the open candidates again, and correct what they turn out to correct; return notes for people."""
    if not any(True for _ in open_candidates(workspace, store)):
        return []
    ran = RecallValidator(lambda: open_candidates(workspace, store))
    result = running.apply(ran, workspace)
    return [*result.notes, *(settle(workspace, ran) if result.applied else ())]


def agent(workspace: "Workspace", store: "ChatStore", start: float | None = None) -> RecallValidator:
    """Return the validator with all that was flagged for it, and said, since it last ran."""
    answered = agents_heard.load(workspace, NAME).answered
    return RecallValidator(lambda: chain(flagged(workspace, store, answered), said(workspace, store, start)))


def settle(workspace: "Workspace", ran: RecallValidator) -> list[str]:
    """File and settle the candidates of a run, tell the handler of abilities, note what search serves; return notes."""
    answer(workspace, ran.made)
    new = correction_candidates.open_candidates(workspace.store, ran.waiting)
    ids = {one.id for one in new}
    told = [told for told in ran.unsettled if is_about_ability(told.heard.text) and told.name in ids]
    notes = [hand_over(workspace, one) for one in told]
    notes += [f"{one.id}: {one.reason}; clawgit accept {one.id}" for one in new]
    return notes + embed(workspace)


def answer(workspace: "Workspace", made: Mapping[str, str]) -> None:
    """Settle the candidates that have become corrections since, when more of the conversation was known."""
    there = {one.record.id for one in standing(workspace.root, workspace.read)}
    for item in correction_candidates.read_candidates(workspace.store):
        if item.state == "open" and made.get(item.id) in there:
            workspace.store.decide(item.id, "accepted", workspace.now())


def act(
    workspace: "Workspace", store: "ChatStore", text: str, found: Triage, session: str, *, vouched: bool = False
) -> "tuple[Looked, Applied | None, list[str]]":
    """Have the validator look at a message at once, and do what comes of it; with notes for people."""
    message, before = heard(store, text, session, workspace.now().timestamp(), vouched=vouched)
    looked = look(View(workspace), Told(message, found, before), workspace.now())
    notes: list[str] = []
    started = workspace.now().isoformat()
    applied = workspace.apply(looked.change) if looked.change else None
    if applied and applied.commit:
        with contextlib.suppress(ClawgitError):  # it has landed
            run_ledger.note(
                workspace.store, run_ledger.Ran(NAME, started, workspace.now().isoformat(), 1, 1, (applied.commit,))
            )
    if looked.waiting:
        if is_about_ability(message.text):
            notes.append(hand_over(workspace, Told(message, found, before)))
        correction_candidates.open_candidates(workspace.store, [looked.waiting])
    if applied and applied.commit and looked.change:
        answer(workspace, {Told(message, found).name: looked.change.id})
        notes += embed(workspace, looked.change.id)
    return looked, applied, notes


def hand_over(workspace: "Workspace", told: Told) -> str:
    """Tell the handler of CONFIG.md of a forgotten ability; return what came of it, in a sentence (spec P10)."""
    handler = str(workspace.config.value(HANDLER))
    if workspace.config.shown(KEYS[HANDLER]).changed:
        return (
            f"this is about an ability, no memory; {HANDLER} changed since you approved it, and is off: clawgit trust"
        )
    if not handler:
        return f"this is about an ability, no memory; {HANDLER} of CONFIG.md names nobody who would hear of it"
    said = {
        "text": told.heard.text,
        "session": told.heard.session,
        "event": told.heard.event,
        "trigger": told.trigger[0],
        "trigger_confidence": told.trigger[1],
        "turns": [to_builtins(one) for one in told.before],
    }
    try:
        place = Path(handler).expanduser()
        words = [str(place if place.is_absolute() else workspace.root / place)]
        ended = run(words, json.dumps(said, ensure_ascii=False), Bounds(_SECONDS, _LARGEST), os.environ, workspace.root)
    except ClawgitError as exc:
        return f"{HANDLER}: {exc.message}"
    return f"{HANDLER}: {handler} ended with {ended.code}" if ended.code else f"{HANDLER}: {handler} heard of it"


def embed(workspace: "Workspace", *names: str) -> list[str]:
    """Note on these records (none: on all) that search serves them, once it does; return what is worth telling.

    The commit of it is no change by itself: an undo goes past it, and takes it back with the correction.
    """
    text = workspace.read(file_roles.CORRECTIONS) or ""
    open_ = [correction for correction in records.corrections(text) if correction.id and not correction.embedded]
    wanted = [one for one in open_ if not names or one.id in names]
    done = [one.id for one in wanted if served(workspace, one)]
    after = records.embedded(text, *done)
    if after != text:
        subject = f"memory: search serves {len(done)} correction{'s' if len(done) > 1 else ''}"
        edit = Edit(file_roles.CORRECTIONS, text, after)
        workspace.apply(Change(subject, edits=(edit,), origin="agent", agent=NAME, id=""))
    late = [one.id for one in wanted if one.id not in done]
    return [
        f"search does not serve {', '.join(late)} yet; clawgit memory index, then clawgit run {NAME} --apply"
    ] * bool(late)


def served(workspace: "Workspace", record: records.Correction) -> bool:
    """Return whether the search of this machine answers with what is true."""
    from clawgit.search import enhanced  # noqa: PLC0415 - loads what a search needs
    from clawgit.search.answer import Query  # noqa: PLC0415

    wanted = " ".join((record.true or record.said).split()).casefold()
    try:
        answer = enhanced.search(workspace, Query(record.true, least=0.0, most=10), None)
    except ClawgitError:
        return False
    return not answer.degraded and any(wanted in " ".join(hit.snippet.split()).casefold() for hit in answer.results)
