"""Requests of the operator, word for word, and their flush."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

from clawgit import file_roles
from clawgit.agents import running
from clawgit.agents.running import Progress, Result, View
from clawgit.language import date_mentions, sentences
from clawgit.language.own_words import own_words, rules
from clawgit.language.values import content_words
from clawgit.messages.triage import BUILT_IN, MINER, VALIDATOR, Pattern, triage
from clawgit.reading import backlog
from clawgit.reading.backlog import Backlog
from clawgit.reading.explicit_requests import Finding, extract
from clawgit.reading.operations import Operation, Turn
from clawgit.safety import secrets
from clawgit.sessions.chat_store import ChatStore, Message
from clawgit.sessions.session_messages import Event
from clawgit.store.item import Item
from clawgit.text import confidence
from clawgit.text.edit import append_under, bullet
from clawgit.text.entry import entries, hash_entry, make_name, normalise
from clawgit.workspace import file_contents, memory_lines
from clawgit.workspace.change import Change, Edit
from clawgit.workspace.commit_message import fold_spaces, shorten
from clawgit.workspace.entries import Row
from clawgit.workspace.waiting_batches import Unkept, message_of_mention
from clawgit.workspace.workspace import Workspace

_MAX_TITLE_CHARS = 240
_SECRET = re.compile(r"\[([a-z][a-z0-9-]+)( [0-9a-f]{12})?\]")
"""A secret that is named instead of kept: no command may keep it."""
REMEMBERED = "Remembered"
"""The section of a journal that holds what the operator asked to remember on that day."""


def names_secret(text: str) -> bool:
    """Return whether a text names a secret that was left out of it."""
    matches = _SECRET.findall(text)
    names = {rule.name for rule in secrets.list_secret_rules()} if matches else set[str]()
    return any(fingerprint or name in names for name, fingerprint in matches)


def list_operations(turn: Turn, patterns: Sequence[Pattern]) -> tuple[Operation, ...]:
    """Return the lines that the requests of a turn come to by themselves: each sentence that asks, whole.

    A standing order is a line of the soul.
    """
    orders = {fold_spaces(turn.text[start:end]) for start, end in rules(turn.text)}
    texts: dict[str, tuple[Any, Any]] = {
        finding.text: ("lesson" if finding.kind == "lesson" else "add", finding.tag)
        for finding in list_requests(turn.text)
        if finding.text not in orders
    }
    if not texts:  # in the words of a pattern of the operator's own
        matches = triage(turn.text, patterns).matches
        starts = [match.start for match in matches if match.group == "custom" and match.route == MINER]
        for sentence in sentences.sentences(own_words(turn.text)) if starts else ():
            if any(sentence.start <= start < sentence.end for start in starts):
                texts[fold_spaces(turn.text[sentence.start : sentence.end])] = "add", "knowledge"
    return tuple(
        Operation(act, (turn.n,), text, "event" if tag == "knowledge" and date_mentions.days(text, turn.day) else tag)
        for text, (act, tag) in texts.items()
        if not names_secret(text)
    )


def list_requests(text: str) -> tuple[Finding, ...]:
    """Return the requests to keep something in a message of the operator's; a correction is the validator's."""
    return tuple(
        finding
        for finding in extract(text)
        if all(match.route != VALIDATOR for match in triage(finding.quote, BUILT_IN).matches)
    )


def list_orders(turn: Turn) -> tuple[Operation, ...]:
    """Return the standing orders of a turn as lines of the soul: each sentence whole and word for word (spec P2)."""
    spans = () if secrets.find_secrets(turn.text) else rules(turn.text)
    texts = (fold_spaces(turn.text[start:end]) for start, end in spans)
    return tuple(Operation("soul", (turn.n,), text, file=file_roles.SOUL) for text in texts if not names_secret(text))


def note_requests(view: View, notes: Iterable[tuple[Message, str]]) -> tuple[tuple[Edit, ...], tuple[Row, ...]]:
    """Return the edits that list requests in the journals of their days (A3), with their rows.

    A request that was listed before is left out, even if somebody has removed it since.
    """
    texts: dict[str, str] = {}
    rows: dict[str, Row] = {}
    now = view.workspace.now()
    for message, words in notes:
        text = file_contents.clean_for_writing(words)
        name = make_name("\0".join(("note", message_of_mention(message.mention), normalise(words))))
        if name in rows or name in view.rows() or secrets.find_secrets(text):
            continue
        moment = now if message.time is None else datetime.fromtimestamp(message.time, now.tzinfo)
        line, day = text if message.time is None else f"{moment:%H:%M} {text}", moment.date()
        path = view.workspace.journal_path(day)
        before = texts.get(path, view.read(path) or memory_lines.render_journal_head(day))
        if all(entry.text != line for entry in entries(before)):
            texts[path] = append_under(before, REMEMBERED, bullet(line), create=True)
            sure, mentions = confidence.base(message.origin), frozenset({message.mention})
            rows[name] = Row(name, path, hash_entry(line), "knowledge", message.origin, sure, day, day, mentions)
    edits = (Edit(path, view.read(path), text) for path, text in sorted(texts.items()))
    return tuple(edits), tuple(rows.values())


def find_uncovered(turn: Turn, operations: Iterable[Operation], patterns: Sequence[Pattern]) -> tuple[Operation, ...]:
    """Return the requests of a turn that no operation covers: half of the words of a request cover it.

    For the only request of a turn one word is enough, or an operation that removes something.
    """
    requests = list_operations(turn, patterns)
    answers = [operation for operation in operations if turn.n in operation.turns]
    if any(not operation.text and not operation.right for operation in answers):
        return ()
    answer_words = content_words("\n".join(f"{operation.text} {operation.right}" for operation in answers))
    pairs = [(request, content_words(request.text)) for request in requests]
    return tuple(
        request
        for request, words in pairs
        if len(words & answer_words) < (len(words) / 2 if len(requests) > 1 else min(len(words), 1))
    )


def make_item(turn: Turn, text: str, reason: str, now: datetime, *, dropped: bool) -> Item:
    """Return the item for a request of a turn that nothing was kept of; `dropped`: a reader gave the reason."""
    moment = datetime.fromisoformat(turn.time) if turn.time else None
    message = backlog.make_message(turn.text, "operator", moment.timestamp() if moment else None)
    title, day = shorten(fold_spaces(text), _MAX_TITLE_CHARS), (moment or now).date().isoformat()
    return Unkept(title, reason, day, now.isoformat(), message.mention, turn.session, dropped).as_item()


# ---- the flush of a conversation

FLUSH = "session-flush"
PART = 5_000
"""Messages that are read before what they gave is kept: of a longer conversation each part is a commit."""
_MAX_POINTERS, _MAX_SUBJECT_CHARS = 250, 60


class SessionFlush(running.Agent):
    """Notes the operator's decisions and requests of one conversation in the journals (spec H3, A6).

    Rules find them, no model. They go to the journal of their day, each line with `session:` evidence, all of it in one
    commit, or in one for 5,000 messages, from which it continues after a kill; existing notes are not repeated.
    """

    name = FLUSH
    store: ChatStore
    session: str

    def propose(self, view: View, now: datetime) -> Iterator[Change | Progress]:
        """Yield the change of each part, and how far was read."""
        read = backlog.load_read(view.workspace, FLUSH)
        unread_turns = Backlog(self.store, [read], now, is_wanted=lambda session: session.id == self.session)
        for talk, new in unread_turns.list_messages():
            for start in range(0, len(new), PART):
                part = new[start : start + PART]
                own = [message for message in part if message.role == "user" and message.origin == "operator"]
                pairs = [(message, finding) for message in own for finding in list_requests(message.text)]
                edits, rows = note_requests(view, [(message, finding.text) for message, finding in pairs])
                if edits:
                    texts = [finding.text for _, finding in pairs]
                    count = f"{len(texts)} requests of a conversation"
                    subject = shorten(fold_spaces(texts[0]), _MAX_SUBJECT_CHARS) if len(texts) == 1 else count
                    pointers = dict.fromkeys(message.point_to(finding.quote) for message, finding in pairs)
                    reason, evidence = "\n".join(f"- {text}" for text in texts), tuple(filter(None, pointers))
                    yield Change(
                        f"journal: {subject}", reason, edits, evidence[:_MAX_POINTERS], "operator", FLUSH, rows=rows
                    )
                yield Progress(len(own), reached=talk.reach(part[-1]))


def flush(workspace: Workspace, store: ChatStore, session: str) -> Result:
    """Note the requests of a session of the chat store before it is compacted; a killed flush is finished first.

    Raises ClawgitError; changes that landed before stay.
    """
    workspace.capture(())
    return running.apply(SessionFlush(store, session), workspace)


def list_kept_sentences(event: Event) -> list[str]:
    """Return the words of the operator's message that a flush would keep, letter for letter."""
    return [finding.quote for finding in list_requests(event.text)]
