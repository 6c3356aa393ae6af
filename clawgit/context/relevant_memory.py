"""The memories and corrections for a conversation."""

import json
import os
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from clawgit import file_roles
from clawgit.context import prompt_pieces
from clawgit.context.prompt_pieces import Piece, SourceFiles
from clawgit.context.receipt import KINDS, Asked, SessionKind
from clawgit.errors import Command, search_failed, setting_unapproved, source_unreadable
from clawgit.git import regular_file
from clawgit.memory import expiry, in_force
from clawgit.memory.value_exchange import Stored, exchange_value
from clawgit.outside.subprocess_runner import Bounds, OutsideError, run_program
from clawgit.safety.redaction import redact
from clawgit.search import blocks, corpus, question_words
from clawgit.search.answer import Answer, Hit
from clawgit.text import conflict, entry
from clawgit.text.conflict import SUPERSEDES, Correction
from clawgit.text.conflict import corrections as records
from clawgit.text.document import clip_lines
from clawgit.text.entry import normalise
from clawgit.workspace import entries, settings, shared_memory
from clawgit.workspace.commit_message import list_names, shorten
from clawgit.workspace.file_contents import lines_of, to_text
from clawgit.workspace.workspace import Workspace

if TYPE_CHECKING:
    from clawgit.sessions.chat_store import ChatStore


_MAX_NAMES = 20
_NAME = r"[^\W\d_a-z][\w'\u2019-]+"
_ENTITY = re.compile(
    r"[\"\u201c\u300c\u300e](?P<quoted>[^\"\u201d\u300d\u300f\n]{2,40})[\"\u201d\u300d\u300f]"
    r"|(?<!\w)@[\w.-]{2,40}|[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+"
    rf"|(?<!\w){_NAME}(?: {_NAME})*"
)


def entities(texts: Iterable[str]) -> list[str]:
    """Return names, addresses and quoted words, each once, in the order of their appearance.

    A name begins with a capital, several in a row are one; a stop word is none.
    """
    names: dict[str, str] = {}
    for match in (match for text in texts for match in _ENTITY.finditer(text)):
        words = (match["quoted"] or re.sub(r"['\u2019]s$", "", match[0])).split(" ")
        common = question_words.stop_words([word.lower() for word in words])
        while words and words[0].lower() in common:  # with a capital only for where it stands
            words.pop(0)
        name = " ".join(words)
        if name:
            names.setdefault(name.casefold(), name)
    return list(names.values())[:_MAX_NAMES]


_SPEAKER_LABEL = re.compile(
    r"^[ \t]*(?:[-*][ \t]+)?\**(user|human|operator|assistant|agent|ai|bot)\**[ \t]*:\**[ \t]*", re.IGNORECASE
)
_AGENT = ("assistant", "agent", "ai", "bot")
_TURNS = 6
_MIN_QUESTION_WORDS = 4
_LONGEST = 1500
_KINDS: dict[str, SessionKind] = {**{kind: kind for kind in KINDS}, "hook": "group"}

Turn = tuple[bool, str]
"""Whether somebody else than the agent says it, and what."""


class Talk(Struct, frozen=True):
    """A conversation: its kind, the questions to search for, and its names."""

    kind: SessionKind
    question: str
    names: tuple[str, ...]


def read_questions(request: Asked, store: "ChatStore | None") -> Talk:
    """Return the questions of a conversation. Raises ClawgitError for a session that is not kept."""
    turn_list, kind = turns(request.text), request.session_kind
    if request.session:
        session_id = request.session
        matches = [summary.session for summary in (store.sessions() if store else ())]
        matches = [session for session in matches if session.id.startswith(session_id)]
        exact = [session for session in matches if session.id == session_id] or matches
        if len(exact) != 1:
            words = f"several sessions begin with {session_id}" if matches else f"no session {session_id} is kept"
            raise search_failed(words, fix=Command("clawgit log --sessions"))
        session = exact[0]
        kind = _KINDS.get(session.kind, "main") if kind == "main" else kind  # where the store is stricter
        texts = [row for row in store.messages(session) if row.role != "tool" and row.text.strip()] if store else []
        turn_list = [*((row.role == "user", row.text) for row in texts[-_TURNS:]), *turn_list][-_TURNS:]
    names = entities((request.query, *(text for _, text in reversed(turn_list))))
    return Talk(kind, _choose_question(request, turn_list), tuple(names))


def _choose_question(request: Asked, turn_list: list[Turn]) -> str:
    """Return what to search for: what is asked by name, else the last turn of who asks; "" for nothing.

    A turn of hardly any words is about what was said before it, which is searched for too.
    """
    if request.query.strip():
        return request.query.strip()
    texts = [text[-_LONGEST:] for theirs, text in turn_list if theirs] or [text[-_LONGEST:] for _, text in turn_list]
    if not texts or len(question_words.content(texts[-1])) >= _MIN_QUESTION_WORDS:
        return texts[-1] if texts else ""
    return " ".join((texts[-1], *(text[-_LONGEST:] for _, text in turn_list[-4:-1]))).strip()


def turns(text: str) -> list[Turn]:
    """Return the last turns of a text, `user: …` and `assistant: …` on lines of their own; else it is one."""
    result: list[Turn] = []
    for line in clip_lines(text.strip()).split("\n"):
        mark = _SPEAKER_LABEL.match(line)
        if mark:
            result.append((mark[1].casefold() not in _AGENT, line[mark.end() :]))
        elif result:
            result[-1] = result[-1][0], f"{result[-1][1]}\n{line}"
        elif line.strip():
            result.append((True, line))
    return result[-_TURNS:]


_MOST_LONGTERM = 12
"""What is due and shown in a place of its own, at the most; the rest stands among the memories."""


def list_longterm(ground: SourceFiles) -> list[Piece]:
    """Return the memories of the memory files in their order.

    Past plans are left out: a search finds them. The question has no influence: the same files give the same beginning
    of a prompt.
    """
    rows, result = entries.parse(ground.text(entries.PATH)).values(), list[Piece]()
    for path in ground.workspace.memory_files:
        plans = expiry.list_due(path, ground.text(path), rows, ground.today)
        past_plans = [plan.entry for plan in plans if plan.over(ground.today)]
        past_lines = {line for plan in past_plans for line in range(plan.start, plan.end + 1)}
        pieces = prompt_pieces.divide_file(ground, path)
        result += [piece for piece in pieces if not past_lines.issuperset(range(piece.start, piece.end + 1))]
    return result


def list_due_today(ground: SourceFiles, days: int = expiry.WEEK) -> list[Piece]:
    """Return the entries due today and in the `days` that begin with it, the soonest first, each below its day."""
    rows, today = entries.parse(ground.text(entries.PATH)), ground.today
    texts = {path: ground.text(path) for path in entries.files_of_plans(ground.workspace.memory_files, rows)}
    result = []
    for day, plan in expiry.list_coming(texts, rows, today, days)[:_MOST_LONGTERM]:
        first, last, day_text = plan.entry.start, plan.entry.end, f"{day:%A} {day}"
        text = "\n".join(ground.rows(plan.path)[first - 1 : last])
        heading = f"today, {day_text}" if day == today else day_text
        result.append(Piece(plan.path, first, last, text, heading, must=True))
    return result


def show_hits(ground: SourceFiles, answer: Answer, kind: SessionKind, records: Sequence[Piece]) -> list[Piece]:
    """Return the lines of the hits, the best first; of a correction what its record comes to."""
    hits = (hit for hit in answer.results if open_to(ground.workspace, hit, kind))
    places = {
        (piece.path, piece.start, piece.text): piece for piece in (make_piece(ground, hit, records) for hit in hits)
    }
    return [piece for piece in places.values() if piece.text.strip()]


def open_to(workspace: Workspace, hit: Hit, kind: SessionKind) -> bool:
    """Return whether a hit may be shown in a session of this kind.

    Outside of the operator's own conversation nothing is shown of USER.md, the memory files and other conversations.
    """
    path = shared_memory.locate_in_shared(hit.path) or hit.path
    if kind == "main":
        return True
    private = (file_roles.USER, file_roles.MEMORY, *workspace.memory_files)
    return not (file_roles.role_name(path) in private or path.startswith((corpus.SESSIONS, "/")))


def make_piece(ground: SourceFiles, hit: Hit, records: Sequence[Piece] = ()) -> Piece:
    """Return the lines of a hit, of a long line the sentences; of a correction the result of its record."""
    if hit.path == file_roles.CORRECTIONS:
        for record in records:
            if record.start <= hit.start <= record.end:
                return record
    heading = prompt_pieces.find_innermost(hit.heading)
    if hit.path.startswith((corpus.SESSIONS, "/", shared_memory.PREFIX)):
        return Piece(hit.path, hit.start, hit.end, redact(hit.text), heading)
    rows = ground.rows(hit.path)[hit.start - 1 : hit.end]
    is_long = len(rows) == 1 and len(rows[0]) > blocks.LARGEST
    text = prompt_pieces.mark_cuts(rows[0], hit.text) if is_long else "\n".join(rows).strip("\n")
    return Piece(hit.path, hit.start, hit.end, text, heading)


COMMAND, SOURCE = "crm_command", "external_context_source"
_BOUNDS = Bounds(2.0, 256 << 10)


def read_profiles(workspace: Workspace, talk: Talk) -> list[Piece]:
    """Return the CRM command's profiles of the names in a conversation (spec P10).

    It is given `{"entities", "query", "session_kind"}` on stdin and prints a list of profiles, or an object that has
    one as `profiles`; a profile is a text, or an object with `name` and `profile`. Raises ClawgitError when it is not
    trusted, fails, takes too long or prints too much.
    """
    words = [str(word) for word in _read_trusted(workspace, COMMAND) or ()]
    if not words or not talk.names:
        return []
    fix = Command(f"clawgit config {COMMAND}")
    request = {"entities": talk.names, "query": talk.question, "session_kind": talk.kind}
    ended = run_program(words, json.dumps(request, ensure_ascii=False), _BOUNDS, os.environ, workspace.root)
    if ended.code:
        raise OutsideError("program-failed", f"{words[0]} ended with {ended.code}", fix=fix)
    try:
        document = json.loads(ended.output) if ended.output.strip() else []
    except (ValueError, RecursionError) as exc:
        raise source_unreadable(f"{words[0]} printed no JSON", fix=fix) from exc
    document = document.get("profiles") if isinstance(document, dict) else document
    if not isinstance(document, list):
        raise source_unreadable(f"{words[0]} printed no list of profiles", fix=fix)
    texts = (redact(_describe_profile(entry)).splitlines() for entry in document)
    rows = ("\n".join(row for row in lines if row.strip()).strip() for lines in texts)
    source = f"crm:{Path(words[0]).name}"
    return [Piece(f"{source}:{number}", 0, 0, text) for number, text in enumerate(rows, 1) if text]


def read_external(workspace: Workspace) -> list[Piece]:
    """Return the lines of the file that `external_context_source` names (spec P10). Raises ClawgitError."""
    value = _read_trusted(workspace, SOURCE)
    if not value:
        return []
    place = Path(os.path.normpath(workspace.root / Path(str(value)).expanduser()))
    try:
        text = to_text(regular_file.read_regular_file(place, _BOUNDS.largest)).replace("\0", " ").replace("\r\n", "\n")
    except OSError as exc:
        words = f"{value} cannot be read: {exc.strerror or exc}"
        raise source_unreadable(words, fix=Command("ls -l {}", value)) from exc
    rows = enumerate(redact(text).split("\n"), 1)
    return [Piece(str(value), number, number, row) for number, row in rows if row.strip()]


def _read_trusted(workspace: Workspace, key: str) -> Any:
    """Return a value of CONFIG.md that may be used. Raises ClawgitError for one that the operator has not approved."""
    setting = workspace.config.shown(settings.KEYS[key])
    if setting.problem:
        raise setting.problem
    if setting.untrusted is not None and not setting.value:
        words = f"names {list_names(setting.changed)}, which changed" if setting.changed else "is set"
        raise setting_unapproved(f"{key} {words}, and nobody approved it", fix=Command("clawgit trust"))
    return setting.value


def _describe_profile(value: Any) -> str:
    """Return a profile in words: its name and text, and the fields that it has besides."""
    if isinstance(value, list):
        return ", ".join(map(_describe_profile, value))
    if not isinstance(value, dict):
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    others = {
        key: entry for key, entry in value.items() if key not in ("name", "profile") and entry not in (None, "", [])
    }
    facts = "; ".join(f"{key}: {_describe_profile(entry)}" for key, entry in others.items())
    text = ". ".join(filter(None, (str(value.get("profile") or ""), facts)))
    return f"{value['name']}: {text}" if value.get("name") else text


_SIDE, _MAX_LATER = 160, 100


def corrections(ground: SourceFiles, strategy: str, since: str = "") -> list[Piece]:
    """Return the corrections that hold, the most important first, each on a line (spec §6).

    With the strategy `prioritize_unverified` those that search does not serve yet come first, then the newest. What is
    written in another way than by records is taken as it is, the last first. None is older than the day `since`.
    """
    text = ground.text(file_roles.CORRECTIONS)
    all_records = _read_records(text)
    if not all_records:
        undated = [] if since else reversed(prompt_pieces.divide_file(ground, file_roles.CORRECTIONS))
        return [piece for piece in undated if piece.text.lstrip()[:1] in "-*+|"]
    superseded_ids = {name for record in all_records for name in _list_superseded(record)}
    current = [
        record for record in all_records if (record.id not in superseded_ids or not record.id) and record.at >= since
    ]
    first = strategy == "prioritize_unverified"
    current.sort(key=lambda item: (item.at, item.line), reverse=True)
    # This sort is stable, so equal ones stay in the order of their age.
    current.sort(key=lambda correction: first and correction.embedded)
    latest = [(record.values[0].casefold(), record) for record in all_records[-_MAX_LATER:]]
    return [_piece(ground, record, latest, must=first and not record.embedded) for record in current]


def list_correction_requests(ground: SourceFiles, piece_list: Sequence[Piece]) -> list[Piece]:
    """Return corrections, each with the request to correct a contrary line in OpenClaw's own file.

    Only the agent can write there without OpenClaw holding the file back. Corrected lines are not asked for.
    """
    all_records = _read_records(ground.text(file_roles.CORRECTIONS))
    by_id = {record.id: record for record in all_records if record.id}
    paths = {record.left_in for record in all_records if record.left_in and ground.workspace.theirs(record.left_in)}
    lines = {
        (path, normalise(item.text)): item.start
        for path in paths
        for item in reversed(entry.entries(ground.standing(path)))
    }
    requests = {}
    for record in all_records if lines else ():
        chain = [record]  # with those that it supersedes, the newest first
        for older in chain:
            chain += [by_id[name] for name in _list_superseded(older) if name in by_id and by_id[name] not in chain]
        wrong = next((older for older in chain if (older.left_in, normalise(older.said)) in lines), None)
        if wrong:
            place = f"{wrong.left_in}:{lines[wrong.left_in, normalise(wrong.said)]}"
            words = f"{place} still says: {wrong.said!r}. Please correct that line with your own edit tool."
            requests[record.line] = words
    return [
        replace(piece, text=f"{piece.text} {requests[piece.start]}", must=True) if piece.start in requests else piece
        for piece in piece_list
    ]


def list_lost_changes(ground: SourceFiles) -> list[Piece]:
    """Return requests to change a file that only the agent may write, as the restorations that wait would."""
    pieces = []
    for item in ground.workspace.store.read_items("open", kind="restore"):
        if item.is_expired(ground.workspace.now()):
            continue
        for path, (before, after) in item.texts.items():
            old, new, lines = lines_of(before or ""), lines_of(after or ""), lines_of(ground.standing(path))
            missing = [line for line in (after or "").split("\n") if line.strip() in new - old - lines]
            surplus = [line for line in (before or "").split("\n") if line.strip() in (old - new) & lines]
            parts = (("lacks these lines", missing), ("has these lines too many", surplus))
            words = " and ".join(f"{words}: {' '.join(group)!r}" for words, group in parts if group)
            if words and ground.workspace.theirs(path):
                ask = "Please make this change with your own edit tool, unless the user made the lines so."
                pieces.append(Piece(path, 0, 0, redact(f"- {path} {words}. {ask}"), must=True))
    return pieces


def _list_superseded(record: Correction) -> list[str]:
    return record.fields.get(SUPERSEDES.casefold(), "").replace(",", " ").split()


def conflicts(ground: SourceFiles) -> list[Piece]:
    """Return the open conflicts, the newest first, each on a line."""
    open_conflicts = [record for record in conflict.conflicts(ground.text(file_roles.CONFLICTS)) if record.open]
    open_conflicts.sort(key=lambda record: (record.found, record.start), reverse=True)
    pieces = []
    for record in open_conflicts:
        sides = " or ".join(repr(shorten(side.text, _SIDE)) for side in record.sides)
        words = f"- Undecided ({record.id}), rely on neither: {sides}"
        pieces.append(Piece(file_roles.CONFLICTS, record.start, record.end, words, must=True))
    return pieces


_read_records = lru_cache(maxsize=4)(records)


def _read_present_sentence(record: Correction, latest: Sequence[tuple[str, Correction]]) -> str:
    """Return the true sentence of a record with the values of later records, of the `latest` by their wrong value."""
    sentence = record.true
    low = sentence.casefold()
    for wrong, later in latest:
        # The test of letters is fast, and most records are about something else.
        if wrong and wrong in low and later.line > record.line:
            rule = next((rule for rule in in_force.list_rules(later) if in_force.relate(sentence, rule)), None)
            exchange = exchange_value(Stored("", sentence), rule.wrong, rule.right) if rule else None
            sentence = exchange.statement if exchange else sentence
            low = sentence.casefold()
    return sentence


def _piece(ground: SourceFiles, record: Correction, latest: Sequence[tuple[str, Correction]], *, must: bool) -> Piece:
    rows = ground.rows(file_roles.CORRECTIONS)[record.line : record.end]
    present = _read_present_sentence(record, latest)
    words = f"- {present}" if present else "\n".join(rows).strip("\n")
    value = record.values[0]
    if (
        record.true and value and value != record.subject
    ):  # a whole sentence that is wrong would be read as one that holds
        words += f" (not: {value})"
    return Piece(
        file_roles.CORRECTIONS, record.line, record.end, words + (f" [{record.at}]" if record.at else ""), must=must
    )
