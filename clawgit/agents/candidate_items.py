"""Inbox items for statements that could be memories."""

import contextlib
import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta

from clawgit.agents import requested_memories
from clawgit.errors import ClawgitError, DiskError, file_unwritable
from clawgit.language import date_mentions, standing_rules
from clawgit.language.pasted import own_talk
from clawgit.language.sentences import count_words, sentences
from clawgit.llm import voices
from clawgit.memory.promote import find_category
from clawgit.messages.triage import MINER, Pattern, read_patterns, triage
from clawgit.reading import explicit_requests
from clawgit.reading.explicit_requests import LONGEST, LONGEST_QUOTE
from clawgit.safety import secrets
from clawgit.safety.redaction import redacted
from clawgit.sessions import chat_store
from clawgit.sessions.chat_store import ChatStore, Message
from clawgit.store.item import Item
from clawgit.text import evidence_pointer
from clawgit.text.entry import entries, make_name, normalise
from clawgit.workspace import correction_records
from clawgit.workspace.commit_message import fold_spaces
from clawgit.workspace.entries import files_of_plans
from clawgit.workspace.unkept_requests import message_of_mention
from clawgit.workspace.workspace import Workspace

WEEK = timedelta(days=7)
_MARK = "candidates read"
_MAX_A_DAY = 5
_REASON = "said, not asked for"
_MIN_WORDS = 6
_FLAGGED, _CALLED, _DATED, _NUMBERED = 8, 4, 2, 1


def refresh(workspace: Workspace) -> None:
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
    sessions, now = chats.sessions(), workspace.now()
    newest = max((summary.last or 0.0 for summary in sessions), default=0.0)
    mark = f"{len(sessions)} {newest} {workspace.head} {now.date()}"
    if not sessions or workspace.store.read_document(_MARK, str) == mark:
        return
    cited_ids = {message_of_mention(name) for row in workspace.rows().values() for name in row.mentions}
    paths = files_of_plans(workspace.memory_files, workspace.rows())
    texts = {normalise(entry.text) for path in paths for entry in entries(workspace.read(path) or "")}
    for item in workspace.store.read_items("open", kind="candidate", edits=False):
        if item.details.get("message") in cited_ids or normalise(item.title) in texts:
            workspace.store.decide(item.id, "closed", now)
    if voices.choose(workspace.config.value, os.environ, workspace.store).voice is None:
        messages = _list_new_messages(workspace, chats, cited_ids, now)
        for item in _choose(messages, read_patterns(workspace.config).patterns, now):
            workspace.store.open_item(item)
    workspace.store.save_document(_MARK, mark)


def _list_new_messages(workspace: Workspace, chats: ChatStore, cited_ids: set[str], now: datetime) -> Iterator[Message]:
    """Yield the operator's messages of the last week that no memory cites, and that made no correction."""
    first, last = (now - WEEK).timestamp(), now.timestamp()
    corrected = set()
    for correction in correction_records.list_records(workspace):
        with contextlib.suppress(ClawgitError):  # what somebody wrote by hand points anywhere
            said = evidence_pointer.parse(correction.record.fields.get("source", ""))
            corrected.add((said.id, said.event))
    recent = (summary for summary in chats.sessions() if summary.last is None or summary.last >= first)
    for message in (message for summary in recent for message in chats.messages(summary.session)):
        is_operators = message.role == "user" and message.origin == "operator"
        if is_operators and message.time and first <= message.time <= last:
            is_cited = message_of_mention(message.mention) in cited_ids
            if not is_cited and (message.session, message.event) not in corrected:
                yield message


def _choose(messages: Iterator[Message], patterns: Sequence[Pattern], now: datetime) -> Iterator[Item]:
    """Yield an item for the weightiest statement of each message, five of a day at most."""
    days: defaultdict[date, dict[str, tuple[int, Item]]] = defaultdict(dict)
    for message in messages:
        moment = datetime.fromtimestamp(message.time or 0.0, now.tzinfo)
        if best := max(_weigh_statements(message, moment, patterns), key=lambda pair: pair[0], default=None):
            days[moment.date()].setdefault(best[1].id, best)
    for candidates in days.values():
        heaviest = sorted(candidates.values(), key=lambda pair: (-pair[0], pair[1].opened, pair[1].id))
        yield from (item for _, item in heaviest[:_MAX_A_DAY])


def _weigh_statements(heard: Message, at: datetime, patterns: Sequence[Pattern]) -> Iterator[tuple[int, Item]]:
    """Yield the definite statements of the operator's own talk, with their weight.

    What triage flagged weighs most, then a category (T3), a date, a number. A standing order is the soul keeper's.
    """
    own, orders = own_talk(heard.text), list(standing_rules.rules(heard.text))
    if explicit_requests.is_withdrawn(own):
        return
    matches = triage(heard.text, patterns).matches
    message = message_of_mention(heard.mention)
    for sentence in sentences(own):
        if any(start <= sentence.start < end for start, end in orders):
            continue
        text = fold_spaces(heard.text[sentence.start : sentence.end])
        routes = {match.route for match in matches if sentence.start <= match.start < sentence.end}
        weight = _FLAGGED * (MINER in routes) + bool(routes - {MINER})
        weight += _CALLED * (find_category(sentence.own)[0] is not None)
        weight += _DATED * any(mention.sure for mention in date_mentions.find(sentence.own))
        weight += _NUMBERED * any(map(str.isdigit, sentence.own))
        is_fit = count_words(sentence.own) >= _MIN_WORDS and len(text) <= LONGEST and "\0" not in sentence.own
        is_secret = requested_memories.names_secret(text) or bool(secrets.scan(text))
        if weight and is_fit and not is_secret and not explicit_requests.is_question(sentence):
            details = {"message": message, "session": heard.session}
            source = heard.point_to(text[:LONGEST_QUOTE].strip()) or ""
            name = make_name(f"unkept\0{message}\0{text}")
            yield weight, Item(name, "candidate", redacted(text), at, _REASON, source, details=details)
