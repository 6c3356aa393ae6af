"""Inbox items: candidates for memories, accepting and rejecting."""

import contextlib
import os
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from msgspec.structs import replace

from clawgit import errors, file_roles
from clawgit.agents import recall_validator, requested_memories
from clawgit.agents.running import View
from clawgit.errors import Advice, ClawgitError, Command, DiskError, file_unwritable
from clawgit.language import date_mentions, own_words
from clawgit.language.own_words import own_talk
from clawgit.language.sentences import count_words, sentences
from clawgit.language.values import find_value_places
from clawgit.llm import voices
from clawgit.memory import conflicts, correct
from clawgit.memory.corrected_values import Correction, Told
from clawgit.memory.in_force import ONLY_ANSWER
from clawgit.memory.promote import find_category
from clawgit.memory.restated_values import REASON as RESTATED
from clawgit.memory.value_exchange import Stored, exchange_value
from clawgit.messages.triage import Pattern, read_patterns, triage
from clawgit.reading import explicit_requests
from clawgit.reading.backlog import make_message
from clawgit.reading.explicit_requests import LONGEST, LONGEST_QUOTE
from clawgit.safety import secrets
from clawgit.safety.redaction import redact
from clawgit.sessions import chat_store
from clawgit.sessions.chat_store import ChatStore, Message
from clawgit.store.item import Item, Kind
from clawgit.text import evidence_pointer
from clawgit.text.conflict import SENTENCE
from clawgit.text.entry import entries, make_name, new_id, normalise
from clawgit.workspace import decide, inbox, memory_lines, trust_review
from clawgit.workspace.change import Applied, Change
from clawgit.workspace.commit_message import fold_spaces
from clawgit.workspace.correction_records import list_records
from clawgit.workspace.entries import files_of_plans
from clawgit.workspace.memory_lines import find_line
from clawgit.workspace.waiting_batches import message_of_mention
from clawgit.workspace.workspace import Workspace

_CONFLICT_SIDES: Mapping[frozenset[int], conflicts.Keep] = {
    frozenset({1}): "a",
    frozenset({2}): "b",
    frozenset({1, 2}): "both",
}

Choice = dict[str, Any]


def view(workspace: Workspace, item: Item, picks: Collection[int] = (), text: str | None = None) -> decide.View:
    """Return an item with its changes, as `decide.view` does, and its choices."""
    return replace(decide.view(workspace, item, picks, text), choices=tuple(list_choices(workspace, item)))


def list_choices(workspace: Workspace, item: Item) -> list[Choice]:
    """Return the choices of `accept --only`, if an item is no single change: statements, or memories."""
    if item.kind == "conflict":
        return [{"number": number, "text": item.details[side]} for number, side in enumerate("ab", 1)]
    sides = [str(item.details.get(key, "")) for key in ("said", "true")]
    return [
        {"number": number, "id": name, **_describe_memory(workspace, name, *sides)}
        for number, name in enumerate(item.details.get("choices", ()), 1)
    ]


def _describe_memory(workspace: Workspace, name: str, wrong: str, true: str) -> Choice:
    """Return the place and the text of a memory, its text once corrected, and the copies that change with it."""
    try:
        line = find_line(workspace, name)
    except ClawgitError:
        return {"at": None, "text": None, "becomes": None, "copies": []}
    exchange = exchange_value(Stored(line.id, line.text), wrong, true) if wrong and true else None
    copies = [f"{copy.path}:{copy.line}" for copy in correct.list_equal(workspace, line.id)]
    # A row is shown as it has to be typed.
    sides = (line.text, exchange and exchange.statement)
    text, becomes = (f"| {words} |" if words and line.kind == "row" else words for words in sides)
    place = f"{line.path}:{line.line}"
    return {"at": place, "text": redact(text or ""), "becomes": becomes and redact(becomes), "copies": copies}


def require_possible(workspace: Workspace, item: Item, only: Collection[int], text: str | None) -> None:
    """Raise ClawgitError if an item that waits cannot be accepted so: before anybody is asked about it."""
    if item.state == "open" and (plan := _PLANS.get(item.kind)):
        plan(workspace, item, only, text)


def accept_candidate(
    workspace: Workspace, item: Item, digest: str = "", only: Collection[int] = (), text: str | None = None
) -> Applied:
    """Accept an item: one commit. Raises ClawgitError.

    `digest` is the hash of what was shown ("" for nothing), `only` the numbers of the chosen hunks, sides or memories,
    `text` the operator's own words instead.
    """

    def act(current: Item) -> Applied:
        if item.kind == "settings":
            return _accept_setting(workspace, current, digest)
        plan = _PLANS.get(item.kind)
        if plan is None:
            return decide.land_files(workspace, current, digest, only, text)
        if digest and digest != view(workspace, current).digest:
            raise decide.make_outdated(current)
        return workspace.apply(plan(workspace, current, only, text))

    is_correction = item.kind == "correction"
    answer = f"{ONLY_ANSWER}{','.join(map(str, sorted(only)))}" if only and is_correction else ""
    applied = decide.land_item(workspace, item.id, act, answer)
    if is_correction:
        name, shown_ids = str(item.details.get("record") or applied.change), item.details.get("choices", ())
        # Who leaves a line out has decided about the less likely ones, too.
        is_all = not only or len(set(only)) == len(shown_ids)
        is_cut = "record" not in item.details or len(shown_ids) >= correct.MAX_CHOICES
        notes = recall_validator.ask_about_rest(workspace, name, shown_ids=shown_ids, is_asking=is_all and is_cut)
        return replace(applied, notes=(*applied.notes, *notes))
    trust_review.discard(workspace.repo, item.id)
    return applied


def reject_candidate(workspace: Workspace, item: Item, reason: str = "") -> tuple[Item, Applied | None]:
    """Reject an item: nothing of it lands, and it is not asked again. Raises ClawgitError.

    Returns the decided item, and the commit that notes that both sides of a contradiction stay.
    """
    if item.kind == "settings":
        key = str(item.details["key"])
        fix = Advice(f"clawgit config {key} VALUE   # the one that you want")
        raise errors.option_missing(f"{key} in CONFIG.md is not used; what should it say?", fix=fix)
    if item.kind != "conflict":
        return decide.reject_item(workspace, item.id, reason), None

    def dismiss(_: Item) -> Applied:
        view = View(workspace)
        return workspace.apply(conflicts.dismiss(view, conflicts.find_conflict(view, item.id)))

    applied = decide.land_item(workspace, item.id, dismiss)
    return inbox.find_item(workspace, item.id), applied


def _add_candidate(workspace: Workspace, item: Item, only: Collection[int], text: str | None) -> Change:  # noqa: ARG001
    evidence = (item.source,) if item.source else ()
    return memory_lines.make_addition(workspace, text or item.title, evidence=evidence).change


def _decide_conflict(workspace: Workspace, item: Item, only: Collection[int], text: str | None) -> Change:
    view = View(workspace)
    record = conflicts.find_conflict(view, item.id)
    if text is not None and only:
        fix = Command("clawgit show {}", item.id)
        raise errors.options_conflict("--text takes the place of both statements: leave --only out", fix=fix)
    if text is not None:
        return conflicts.merge(view, record, text)
    side = _CONFLICT_SIDES.get(frozenset(only))
    if side is None:
        fix = Command("clawgit accept {} --only 1", item.id, note="or 2, or 1,2 for both")
        raise errors.option_missing("two statements contradict each other: which one stays?", fix=fix)
    try:
        return conflicts.keep_side(view, record, side)
    except ClawgitError:
        # Without its other side there is nothing to decide any more.
        if (moot := conflicts.close_moot(view, record.id)) is None:
            raise
        workspace.apply(moot)
        words = f"{item.id} is closed: a side of it is gone or reworded"
        raise errors.item_outdated(words, fix=Command("clawgit show {}", item.id)) from None


def _correct(workspace: Workspace, item: Item, only: Collection[int], text: str | None) -> Change:
    """Return the change of the chosen entries: a new value in each, or the operator's words instead."""
    wrong, true = str(item.details.get("said", "")), text or str(item.details.get("true", ""))
    choices, record = item.details.get("choices", ()), str(item.details.get("record", ""))
    if not any(map(str.isalnum, true)) or not (choices or text):
        numbers = f" --only {','.join(map(str, sorted(only))) or '1'}" if choices else ""
        advice = f'clawgit accept {item.id}{numbers} --text "…"   # the whole line as it is true'
        raise errors.text_missing("it is not known what is true", fix=Advice(advice))
    decide.require_numbers(item, only, len(choices))
    names = [name for number, name in enumerate(choices, 1) if not only or number in only]
    if len(choices) > 1 and not only:
        options = "; ".join(f"{number} {name}" for number, name in enumerate(choices, 1))
        fix = Command("clawgit show {}", item.id, note="and accept it with --only N, or several: --only 1,2")
        raise errors.correction_ambiguous(f"it may be about several memories: {options}", fix=fix)
    if text and len(names) > 1 and not wrong:
        fix = Command("clawgit accept {} --only 1", item.id)
        raise errors.options_conflict("--text is the whole of one line", fix=fix)
    partly_refuted = {line.id: line for line in correct.list_partly_refuted(workspace)}
    lines = (partly_refuted.get(name) or find_line(workspace, name) for name in names)
    exchanges = tuple(correct.require_exchange(line, wrong, true, is_text=bool(text)) for line in lines)
    if exchanges and all(normalise(exchange.statement) == normalise(exchange.entry.text) for exchange in exchanges):
        raise errors.already_set("these lines say so already", fix=Command("clawgit reject {}", item.id))
    wrong, true = (exchanges[0].said, exchanges[0].true) if exchanges else (wrong, true)
    fields = (row.record.fields for row in list_records(workspace) if row.record.id == record)
    sentences = filter(None, (labels.get(SENTENCE.casefold()) for labels in fields))
    remark = read_typed_message(workspace, next(sentences, item.title), item.source)
    correction = Correction(wrong, true, exchanges, "" if exchanges or text is None else text)
    view, name = View(workspace), new_id()
    return correct.make_correction(view, correction, remark, name=name, agent=None, record=record, is_chosen=True)


def read_typed_message(workspace: Workspace, text: str, source: str = "") -> Told:
    """Return the operator's words at the command line, or those of an item with a `source`, as a message."""
    triage_result = triage(text, read_patterns(workspace.config).patterns)
    session, _, event = _read_place(source).partition("#")
    return Told(make_message(text, "operator", workspace.now().timestamp(), session, event), triage_result)


def _accept_setting(workspace: Workspace, item: Item, digest: str) -> Applied:
    """Approve a value of CONFIG.md, as it is."""
    keys = tuple(key for key in trust_review.list_keys(workspace) if inbox.name_of_setting(key) == item.id)
    if not keys or digest != decide.view(workspace, item).digest:
        raise decide.make_outdated(item)
    trust_review.approve_review(workspace, trust_review.Review(known=True, files=(), keys=keys))
    capture = workspace.capture((file_roles.CONFIG,))
    notes = (*capture.notes, f"{item.details['key']} counts now as CONFIG.md has it")
    return Applied(capture.commit, (capture.commit or "")[:10], capture.files, notes=notes)


_PLANS: Mapping[Kind, Callable[[Workspace, Item, Collection[int], str | None], Change]] = {
    "conflict": _decide_conflict,
    "correction": _correct,
    "candidate": _add_candidate,
}


# ---- candidates

_WEEK = timedelta(days=7)
_MARK = "candidates read"
_MAX_A_DAY = 5
_MIN_WORDS = 6
_FLAGGED, _CATEGORIZED, _NUMBERED = 4, 2, 1


def refresh_candidates(workspace: Workspace) -> None:
    """Open items for messages of the last week, and close those that a memory or a correction has answered.

    With a model nothing is opened: it proposes. Without new messages nothing is read, and without a writable store
    nothing is opened. Raises ClawgitError.
    """
    try:
        if workspace.managed:
            with chat_store.open_untainted(workspace, os.environ, reading=True) as chats:
                _refresh(workspace, chats)
    except ClawgitError as exc:
        if not isinstance(exc, DiskError) and exc.key != file_unwritable.name:
            raise


def _refresh(workspace: Workspace, chats: ChatStore) -> None:
    sessions, items, now = chats.sessions(), workspace.store.read_items(edits=False), workspace.now()
    newest = max((summary.last or 0.0 for summary in sessions), default=0.0)
    # OpenClaw may name the speaker of a message after the message has been read.
    operators = sum(summary.operators for summary in sessions)
    mark = f"{len(sessions)} {operators} {newest} {workspace.head} {now.date()} {Counter(item.state for item in items)}"
    # With the same mark, neither the messages nor the memory nor the items nor the day have changed.
    if not sessions or workspace.store.read_document(_MARK, str) == mark:
        return
    rows = workspace.rows()
    cited_ids = {message_of_mention(name) for row in rows.values() for name in row.mentions}
    paths = files_of_plans(workspace.memory_files, rows)
    texts = {normalise(entry.text) for path in paths for entry in entries(workspace.read(path) or "")}
    taken = _list_taken_statements(workspace, items)

    def is_answered(item: Item) -> bool:
        # A correction is cited, too, and the rest of its message may be new.
        is_cited = item.details.get("message") in cited_ids and _read_place(item.source) not in taken
        return is_cited or normalise(item.title) in texts or _is_taken(item, taken)

    for item in (item for item in items if item.state == "open" and item.kind == "candidate"):
        if is_answered(item):
            workspace.store.decide(item.id, "closed", now)
    if voices.choose(workspace.config.value, os.environ, workspace.store).voice is None:
        patterns = read_patterns(workspace.config).patterns
        # The weightiest statement of each message is a candidate, five of a day at most.
        days: defaultdict[date, dict[str, tuple[int, Item]]] = defaultdict(dict)
        for message in _list_recent_messages(chats, now):
            moment = datetime.fromtimestamp(message.time or 0.0, now.tzinfo)
            rest = (pair for pair in _weigh_statements(message, moment, patterns) if not _is_taken(pair[1], taken))
            best = max(rest, key=lambda pair: pair[0], default=None)
            if best and not is_answered(best[1]):
                days[moment.date()].setdefault(best[1].id, best)
        for candidates in days.values():
            heaviest = sorted(candidates.values(), key=lambda pair: (-pair[0], pair[1].opened, pair[1].id))
            for _, item in heaviest[:_MAX_A_DAY]:
                workspace.store.open_item(item)
    workspace.store.save_document(_MARK, mark)


def _read_place(source: str) -> str:
    """Return the session and the event that evidence points at, "" for anything else."""
    with contextlib.suppress(ClawgitError):  # what somebody wrote by hand points anywhere
        pointer = evidence_pointer.parse_pointer(source)
        return f"{pointer.id}#{pointer.event}" if pointer.event else ""
    return ""


def _list_taken_statements(workspace: Workspace, items: Sequence[Item]) -> Mapping[str, Sequence[str]]:
    """Return the statements that made a correction, or may make one, or were asked for, by their message's id or place.

    Of a message with a correction that is the first sentence with most of its sides.
    """
    taken: defaultdict[str, list[str]] = defaultdict(list)
    records = [(row.record.fields, row.record.fields.get("sentence", "")) for row in list_records(workspace)]
    for item in items:
        if item.details.get("asked") and item.details["message"]:
            taken[str(item.details["message"])].append(normalise(item.title))
        is_doubt = item.kind == "correction" and item.details.get("choices") and item.reason != RESTATED
        if is_doubt and item.state != "closed":
            records.append(({**item.details, "source": item.source}, item.title))
    for fields, message in records:
        if place := _read_place(str(fields.get("source", ""))):
            sides = [str(fields[key]) for key in ("said", "true", "trigger") if fields.get(key)]
            texts = [message[sentence.start : sentence.end] for sentence in sentences(message)]
            ranks = [sum(bool(find_value_places(text, side)) for side in sides) for text in texts]
            taken[place].append(normalise(texts[ranks.index(max(ranks))] if any(ranks) else message))
    return taken


def _is_taken(item: Item, taken: Mapping[str, Sequence[str]]) -> bool:
    title, message_id = normalise(item.title), "" if item.details.get("asked") else str(item.details.get("message"))
    statements = (*taken.get(_read_place(item.source), ()), *taken.get(message_id, ()))
    return any(text in title or title in text for text in statements)


def _list_recent_messages(chats: ChatStore, now: datetime) -> Iterator[Message]:
    """Yield the operator's messages of the last week."""
    first, last = (now - _WEEK).timestamp(), now.timestamp()
    recent = (summary for summary in chats.sessions() if summary.last is None or summary.last >= first)
    for message in (message for summary in recent for message in chats.messages(summary.session)):
        is_recent = message.time is not None and first <= message.time <= last
        if is_recent and message.role == "user" and message.origin == "operator":
            yield message


def _weigh_statements(remark: Message, moment: datetime, patterns: Sequence[Pattern]) -> Iterator[tuple[int, Item]]:
    """Yield the definite statements of the operator's own talk, with their weight.

    A flag of triage weighs most, then a category (T3), then a date or number. A standing order is the soul keeper's.
    """
    own, orders = own_talk(remark.text), list(own_words.rules(remark.text))
    if explicit_requests.is_withdrawn(own):
        return
    starts = [match.start for match in triage(remark.text, patterns).matches]
    message = message_of_mention(remark.mention)
    for sentence in sentences(own):
        text = fold_spaces(remark.text[sentence.start : sentence.end])
        is_order = any(start <= sentence.start < end for start, end in orders)
        is_fit = count_words(sentence.own) >= _MIN_WORDS and len(text) <= LONGEST and "\0" not in sentence.own
        is_secret = requested_memories.names_secret(text) or bool(secrets.find_secrets(text))
        weight = _FLAGGED * any(sentence.start <= start < sentence.end for start in starts)
        weight += _CATEGORIZED * (find_category(sentence.own)[0] is not None)
        is_dated = any(mention.sure for mention in date_mentions.find_dates(sentence.own))
        weight += _NUMBERED * (is_dated or any(map(str.isdigit, sentence.own)))
        if weight and is_fit and not (is_order or is_secret or explicit_requests.is_question(sentence)):
            details = {"message": message, "session": remark.session}
            source = remark.point_to(text[:LONGEST_QUOTE].strip()) or ""
            name, reason = make_name(f"unkept\0{message}\0{text}"), "said, and kept nowhere"
            yield weight, Item(name, "candidate", redact(text), moment, reason, source, details=details)
