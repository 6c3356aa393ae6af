"""Items for statements of the operator that could be memories."""

import contextlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date, datetime

from clawgit.agents import requested_memories
from clawgit.errors import ClawgitError
from clawgit.language import date_mentions, standing_rules
from clawgit.language.pasted import own_talk
from clawgit.language.sentences import count_words, sentences
from clawgit.memory.promote import find_category
from clawgit.messages.triage import MINER, Pattern, triage
from clawgit.messages.workspace_patterns import read_patterns
from clawgit.reading import explicit_requests
from clawgit.reading.explicit_requests import LONGEST, LONGEST_QUOTE
from clawgit.safety import secrets
from clawgit.safety.redaction import redacted
from clawgit.sessions.chat_store import ChatStore, Message
from clawgit.store.item import Item
from clawgit.text import evidence_pointer
from clawgit.text.entry import entries, make_name, normalise
from clawgit.workspace import correction_records
from clawgit.workspace.commit_message import fold_spaces
from clawgit.workspace.entries import files_of_plans
from clawgit.workspace.unkept_requests import message_of_mention
from clawgit.workspace.workspace import Workspace

A_DAY = 5
"""So many are listed of a day."""
_REASON = "said, not asked for"
_LEAST = 6
_FLAGGED, _CALLED, _DATED, _NUMBERED = 8, 4, 2, 1


def list_cited(workspace: Workspace) -> set[str]:
    """Return the messages that memories cite."""
    return {message_of_mention(name) for row in workspace.rows().values() for name in row.mentions}


def list_texts(workspace: Workspace) -> set[str]:
    """Return the normalised entries of MEMORY.md and the plans."""
    paths = files_of_plans(workspace.memory_files, workspace.rows())
    return {normalise(entry.text) for path in paths for entry in entries(workspace.read(path) or "")}


def list_candidates(workspace: Workspace, store: ChatStore, start: datetime, end: datetime) -> list[Item]:
    """Return items for messages between two moments that may be worth keeping, five of a day at most.

    From the operator's own talk: of each message the statement that triage flagged, else one of a category (T3), or
    with a date or a number. Statements that a memory cites already, or that made a correction, are left out. Writes
    nothing.
    """
    patterns = read_patterns(workspace.config).patterns
    cited_ids = list_cited(workspace)
    corrected = set()
    for one in correction_records.list_records(workspace):
        with contextlib.suppress(ClawgitError):  # what somebody wrote by hand points anywhere
            said = evidence_pointer.parse(one.record.fields.get("source", ""))
            corrected.add((said.id, said.event))
    days: defaultdict[date, dict[str, tuple[int, Item]]] = defaultdict(dict)
    for message in _list_heard_messages(store, start, end):
        if message_of_mention(message.mention) in cited_ids or (message.session, message.event) in corrected:
            continue
        moment = datetime.fromtimestamp(message.time or 0.0, start.tzinfo)
        if best := max(_statements(message, moment, patterns), key=lambda pair: pair[0], default=None):
            days[moment.date()].setdefault(best[1].id, best)
    items: list[Item] = []
    for candidates in days.values():
        heaviest = sorted(candidates.values(), key=lambda pair: (-pair[0], pair[1].opened, pair[1].id))
        items += [item for _, item in heaviest[:A_DAY]]
    return items


def _list_heard_messages(store: ChatStore, start: datetime, end: datetime) -> Iterator[Message]:
    first, last = start.timestamp(), end.timestamp()
    for summary in store.sessions():
        if summary.last is not None and summary.last < first:
            continue
        for message in store.messages(summary.session):
            is_operators = message.role == "user" and message.origin == "operator"
            if is_operators and message.time and first <= message.time <= last:
                yield message


def _statements(heard: Message, at: datetime, patterns: Sequence[Pattern]) -> Iterator[tuple[int, Item]]:
    """Yield the definite statements of a message, with their weight.

    A standing order is the soul keeper's.
    """
    own = own_talk(heard.text)
    orders = list(standing_rules.rules(heard.text))
    if explicit_requests.is_withdrawn(own):
        return
    matches = triage(heard.text, patterns).matches
    flags = [match.start for match in matches if match.route == MINER]
    doubts = [match.start for match in matches if match.route != MINER]
    for sentence in sentences(own):
        if any(start <= sentence.start < end for start, end in orders):
            continue
        text = fold_spaces(heard.text[sentence.start : sentence.end])
        weight = _FLAGGED * any(sentence.start <= flag < sentence.end for flag in flags)
        weight += any(sentence.start <= doubt < sentence.end for doubt in doubts)
        weight += _CALLED * (find_category(sentence.own)[0] is not None)
        weight += _DATED * any(mention.sure for mention in date_mentions.find(sentence.own))
        weight += _NUMBERED * any(map(str.isdigit, sentence.own))
        unfit = count_words(sentence.own) < _LEAST or len(text) > LONGEST or explicit_requests.is_question(sentence)
        is_secret = requested_memories.names_secret(text) or bool(secrets.scan(text))
        if not weight or unfit or "\0" in sentence.own or is_secret:
            continue
        message, source = message_of_mention(heard.mention), heard.point_to(text[:LONGEST_QUOTE].strip()) or ""
        name, details = make_name(f"unkept\0{message}\0{text}"), {"message": message, "session": heard.session}
        yield weight, Item(name, "candidate", redacted(text), at, _REASON, source, details=details)
