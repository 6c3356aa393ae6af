"""Lines added to a turn, and search of conversations."""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from clawgit import file_roles
from clawgit.context import relevance, relevant_memory
from clawgit.context.budget import assemble
from clawgit.context.prompt_pieces import Piece, SourceFiles
from clawgit.context.receipt import Asked, Assembled, LoggedTurn, SessionKind, log_turn, read_turns
from clawgit.context.relevance import Decision
from clawgit.errors import ClawgitError
from clawgit.git.regular_file import LARGEST_SEARCHED
from clawgit.openclaw import blank_forms
from clawgit.openclaw.blank_forms import find_unseen
from clawgit.search import ask, corpus, index, recall
from clawgit.search.answer import Answer, Hit, Query
from clawgit.search.blocks import unmarked
from clawgit.search.corpus import Sources
from clawgit.sessions import chat_store, envelope
from clawgit.store.calls import normalise_lines
from clawgit.text.entry import hash_entry, normalise, remove_scores
from clawgit.workspace import line_origins
from clawgit.workspace.commit_message import fold_spaces, shorten
from clawgit.workspace.line_writers import LineWriters

if TYPE_CHECKING:
    from clawgit.search.store import Progress
    from clawgit.sessions.chat_store import ChatStore, Summary
    from clawgit.store.entry_table import EntryRow
    from clawgit.workspace.config import Config
    from clawgit.workspace.workspace import Workspace


def follow_sessions(workspace: "Workspace", progress: "Progress | None" = None) -> bool:
    """Bring the index up to the kept sessions; return whether `sources` of CONFIG.md names them.

    Each is a file with a line for each message of the operator or the agent.
    """
    if not index.has_session_search(workspace):
        return False
    with chat_store.open_untainted(workspace, os.environ, reading=True) as store:
        summaries = {
            f"{corpus.SESSIONS}{summary.session.agent or 'main'}/{summary.session.id}": summary
            for summary in store.sessions()
        }
        # A session with the same number of messages and the same last one is not read again.
        stamps = {path: f"{path}:{summary.messages}:{summary.last}" for path, summary in summaries.items()}
        sessions = Sources(stamps, lambda path: (_render_session(store, summaries[path]), stamps[path]))
        with index.current(workspace, progress=progress, more=lambda: sessions):
            return True


def list_defaults(config: "Config") -> tuple[str, ...]:
    """Return a sentence for each value that lenient settings had to replace: memory is served whatever one says."""
    return tuple(f"{error.message}; the default is used: {error.fix}" for error in config.passed_over.values())


def search_all(
    workspace: "Workspace", query: Query, *, progress: "Progress | None" = None, shared: bool = True
) -> Answer:
    """Return the answer of the files and the kept sessions; for the past, and for deleted lines, of the files alone.

    A bad setting costs a note.
    """
    with workspace.lenient() as config:
        if not (query.as_of or query.deleted):
            follow_sessions(workspace, progress)
        answer = ask.answer_question(workspace, query, progress=progress, shared=shared)
        return replace(answer, notes=(*answer.notes, *list_defaults(config)))


def assemble_all(workspace: "Workspace", request: Asked, *, as_openclaw: bool = False) -> Assembled:
    """Return the context for a conversation, with the kept sessions; perhaps laid out as OpenClaw's prompt.

    A bad setting costs a warning.
    """
    with workspace.lenient() as config, ExitStack() as stack:
        follow_sessions(workspace)
        opened = chat_store.open_untainted(workspace, os.environ, reading=True) if request.session else None
        store = stack.enter_context(opened) if opened else None
        assembled = assemble(workspace, request, store, as_openclaw=as_openclaw)
        return replace(assembled, warnings=(*assembled.warnings, *list_defaults(config)))


def _render_session(store: "ChatStore", summary: "Summary") -> bytes:
    """Return a session as Markdown, a heading for each day; untrusted text from outside is left out."""
    rows: list[str] = []
    day = ""
    for message in store.messages(summary.session):
        if message.role == "tool" or message.origin == "untrusted" or not message.text.strip():
            continue
        if message.time is not None and (now := f"{datetime.fromtimestamp(message.time, UTC):%Y-%m-%d}") != day:
            day = now
            rows.append(f"# {day}")
        rows.append(f"{message.role}: {' '.join(message.text.split())}")
    return "\n".join(rows).encode("utf-8", "replace")


def search_shared_files(workspace: "Workspace", query: Query) -> Answer:
    """Return the answer of the files of `shared_files`, from an index with nothing else in it."""
    refuted = index.list_refuted(workspace)

    def read(path: str) -> tuple[bytes, str] | None:
        with suppress(ClawgitError):
            data = line_origins.read_servable(workspace, path, limit=LARGEST_SEARCHED)[0] or b""
            return refuted.remove_from(path, data), ""
        return None

    paths = envelope.list_shared_files(workspace)
    sources = Sources(dict.fromkeys(paths, ""), read)
    return recall.search_sources(workspace, "shared.db", lambda: sources, query) if paths else Answer(())


_Line = TypeVar("_Line", Hit, Piece)


class TrustedLines:
    """The lines of a workspace that its owner's agent may be shown unasked, computed on demand.

    `is_live`: the plugin has reported every call up to now.
    """

    def __init__(self, workspace: "Workspace", *, is_live: bool = False) -> None:
        self._workspace = workspace
        self._writers = LineWriters(workspace, is_live=is_live)

    def omit(self, lines: "Iterable[_Line]") -> "list[_Line]":
        """Return the trusted lines; of files that OpenClaw does not trust only the owner's words."""
        all_lines = list(lines)
        if not all_lines or not self._workspace.managed:
            return all_lines
        with self._workspace.open_table() as table:
            finds = [table.find(paths=(line.path,), lines=(line.start, line.end)) for line in all_lines]
            changes = [[self._writers.trace(table, row) for row in rows] for rows in finds]
        return [line for line, rows in zip(all_lines, changes, strict=True) if self._is_trusted(line, rows)]

    def _is_trusted(self, line: Hit | Piece, rows: "Sequence[EntryRow]") -> bool:
        words = normalise_lines(line.text)
        rows = [row for row in rows if normalise_lines(row.text) in words]  # what is not committed yet has none
        if all(map(self._writers.is_vouched, rows)) and rows:
            return True
        if line.path in self._untrusted:
            return False
        if not rows:
            # Not the line's own text, in which a secret is not shown.
            text = "\n".join(self._workspace.read_loosely(line.path).split("\n")[line.start - 1 : line.end])
            return self._writers.is_trusted(line.path, text or line.text, None)
        # None if history does not go back to the commit.
        others = (row for row in rows if row.changed and not self._writers.is_vouched(row))
        return all(self._writers.is_trusted(row.source, row.text, row.changed) for row in others)

    @cached_property
    def _untrusted(self) -> frozenset[str]:
        records = self._workspace.host.ledger(self._workspace.root).records
        return frozenset(record.path for record in records if record.writer != "agent")


HINT = "The owner's memory may have this: use `search`."
MAX_ENTRIES = 8
MAX_CHARS, USUAL_CHARS = 3_800, 1_500
"""No addition is longer than the first, the frame around it left out; lines of memory end at the second."""
MAX_ENTRY_CHARS = 700
MAX_QUESTION_CHARS = 1_500
REPEATED_TURNS = 10
MAX_HITS = 20
CORRECTION_DAYS = 7
_CONCERNS = 0.75
"""How rare the words are that a correction shares with the message that it concerns."""
_TURNS_BEFORE = 2
_FIRST_TURNS, _HANDOFF_HOURS, _MAX_HANDED_OVER = 2, 48, 4
"""The handoff of the conversation before is given in the first turn, in the second where it was not written yet."""
_OUTSIDE_MAIN = blank_forms.ORDER[:4]
"""What OpenClaw shows in other sessions than the owner's own."""


class AddedLine(Struct, frozen=True):
    """A line that is added; `line` is 0 if it has no place of its own."""

    path: str
    line: int
    text: str
    score: float = 1.0


class Addition(Struct, frozen=True):
    """The addition to a turn, "" for nothing, and the decisions that it rests on."""

    text: str
    entries: tuple[AddedLine, ...] = ()
    hint: bool = False
    decisions: tuple[Decision, ...] = ()


def add_to_turn(workspace: "Workspace", request: Asked, *, missed: int = 0, is_live: bool = False) -> Addition:
    """Return the addition to a turn; notes the lines given to its session, and the number of `missed` turns before.

    `query` is the message, else the last turn of `text`; `session` only names the session. In a group, and for others
    than the owner, it comes from shared files, and never with a hint. `is_live`: the plugin has reported every call up
    to now.
    """
    spoken_turns = relevant_memory.turns(request.text)
    turns = [turn for _, turn in spoken_turns]
    message = (request.query.strip() or (turns[-1] if turns else "")).strip()[-MAX_QUESTION_CHARS:]
    before = [turn for turn in turns if turn.strip() != message][-_TURNS_BEFORE:]
    kind, shared = request.session_kind, request.session_kind == "group"
    trusted = TrustedLines(workspace, is_live=is_live)
    query, ground, answer = Query(message, MAX_HITS, 0.0, explain=True), SourceFiles(workspace, None), Answer(())
    if message and shared:
        answer = search_shared_files(workspace, query)
    elif message:
        answer = search_all(workspace, query)
        # Before both decisions: a line of somebody else's must not open the owner's turn.
        answer = replace(answer, results=tuple(trusted.omit(hit for hit in answer.results if hit.trusted)))
    hits = list_candidates(ground, answer, kind, request.shown)
    concern = relevance.judge_message(message, answer)
    fit, rows = relevance.judge_lines(message, answer, hits, before)
    others = (hit for hit in answer.results if hit not in hits and hit.path != file_roles.CORRECTIONS)
    other_strength = relevance.measure_strength(
        answer, (other for other in others if relevant_memory.open_to(workspace, other, kind))
    )
    session = f"{request.session} shared" if shared else request.session  # others never change the owner's turns
    log = read_turns(workspace.store, session, missed)
    choice = _Choice(request.text, [name for turn in log[session][-REPEATED_TURNS:] for name in turn.given])
    today, due = ground.today.isoformat(), list[AddedLine]()
    # One turn a day gets the due items.
    if kind == "main" and not any(turn.due == today for turns in log.values() for turn in turns):
        pieces = trusted.omit(relevant_memory.list_due_today(ground, days=1))
        due = [AddedLine(piece.path, piece.start, f"Due today: {_shorten_entry(piece.text)}") for piece in pieces]
    choice.take(due, MAX_CHARS)
    if kind == "main" and request.session and sum(not theirs for theirs, _ in spoken_turns) < _FIRST_TURNS:
        names = {name for turns in log.values() for turn in turns for name in turn.given}
        # A hand-off is added once, in all sessions together.
        left = _list_handoff(ground)
        choice.take([] if names & {hash_entry(entry.text) for entry in left} else left, USUAL_CHARS)
    choice.take([] if shared else _list_corrections(ground, trusted, message, answer, kind), MAX_CHARS)
    if concern.passes:  # a line of the prompt that fits better leaves no need of another
        better = (pair for pair in rows if relevance.measure_strength(answer, pair[:1]) >= other_strength)
        choice.take((_make_entry(ground, hit, score) for hit, score in better), USUAL_CHARS)
    is_open = concern.passes and not (shared or choice.lines or rows)
    hint = is_open and other_strength <= relevance.measure_strength(answer, hits)
    if request.session and workspace.managed:
        day = today if due else ""
        places = tuple((entry.path, entry.line) for entry in choice.entries)
        now = workspace.now().isoformat(timespec="seconds")
        turn = LoggedTurn(session, tuple(hash_entry(entry.text) for entry in choice.entries), day, missed, places, now)
        with suppress(ClawgitError):  # what cannot be noted keeps nobody from the answer
            log_turn(workspace.store, turn)
    text = "\n".join([*choice.lines, *([HINT] if hint else [])])
    return Addition(text, tuple(choice.entries), hint, (concern, fit))


def list_candidates(ground: SourceFiles, answer: Answer, kind: SessionKind, shown_paths: Sequence[str]) -> list[Hit]:
    """Return the hits that may be added: open to the session, and not in the visible part of the files `shown_paths`.

    Records of corrections are added by themselves.
    """
    if kind == "group":
        return [hit for hit in answer.results if hit.path not in shown_paths]
    texts = {path: ground.standing(path) for path in shown_paths if kind == "main" or path in _OUTSIDE_MAIN}
    # OpenClaw cuts long files in the prompt, so the agent does not see the lines of a gap.
    for gap in find_unseen(texts, ground.workspace.host.limits(ground.workspace.root)):
        rows = texts[gap.path].split("\n")
        texts[gap.path] = "\n".join([*rows[: gap.first - 1], *rows[gap.last :]])
    visible = [normalise(text) for text in texts.values()]
    hits = (hit for hit in answer.results if relevant_memory.open_to(ground.workspace, hit, kind))
    others = (hit for hit in hits if hit.path != file_roles.CORRECTIONS and hit.path.isprintable())
    return [hit for hit in others if not any(normalise(hit.text) in text for text in visible)]


class _Choice:
    """The entries of an addition while it is made; none is repeated, nor one that was `given` before."""

    def __init__(self, conversation: str, names: Iterable[str]) -> None:
        self.entries: list[AddedLine] = []
        self.lines: list[str] = []
        self._names = set(names)
        self._conversation = normalise(conversation)
        self._size = 0

    def take(self, entries: Iterable[AddedLine], room: int) -> None:
        """Take entries, the first ones first, as long as all of them have at most `room` characters."""
        for entry in entries:
            line = f"- {entry.text} [{entry.path}{f'#L{entry.line}' if entry.line else ''}]"
            name, size = hash_entry(entry.text), self._size + len(line) + 1
            is_new = name not in self._names and normalise(entry.text) not in self._conversation
            if entry.text and is_new and size <= room and len(self.entries) < MAX_ENTRIES:
                self.entries.append(entry)
                self.lines.append(line)
                self._names.add(name)
                self._size = size


def _make_entry(ground: SourceFiles, hit: Hit, score: float) -> AddedLine:
    piece = relevant_memory.make_piece(ground, hit)
    text = _shorten_entry(piece.text)
    if text and piece.above and piece.above.casefold() not in text.casefold():
        text = f"{piece.above}: {text}"
    return AddedLine(piece.path, piece.start, text, round(score, 3))


def _shorten_entry(text: str) -> str:
    return shorten(fold_spaces(unmarked(remove_scores(text))), MAX_ENTRY_CHARS)


def _list_corrections(
    ground: SourceFiles, trusted: TrustedLines, message: str, answer: Answer, kind: SessionKind
) -> Iterator[AddedLine]:
    """Yield requests to the agent to correct a file, then recent corrections and conflicts on the message."""
    requests: list[Piece] = []
    if kind == "main":
        all_corrections = relevant_memory.corrections(ground, "newest")
        requests = [piece for piece in relevant_memory.list_correction_requests(ground, all_corrections) if piece.must]
        requests = [*relevant_memory.list_lost_changes(ground), *requests]
    since = (ground.today - timedelta(CORRECTION_DAYS)).isoformat()
    recent = [*relevant_memory.corrections(ground, "newest", since), *relevant_memory.conflicts(ground)]
    fit = (piece for piece in recent if relevance.measure_overlap(message, answer, piece.text) >= _CONCERNS)
    for piece in {(item.path, item.start): item for item in (*trusted.omit(fit), *requests)}.values():
        yield AddedLine(piece.path, piece.start, fold_spaces(unmarked(piece.text)))


def _list_handoff(ground: SourceFiles) -> list[AddedLine]:
    """Return the handoff of the last conversation of today or yesterday."""
    from clawgit.sessions import conversation_handoff  # noqa: PLC0415 - where a conversation begins

    texts = {path: ground.text(path) for path in ground.journals(_HANDOFF_HOURS)}
    handoffs = (path for path, text in texts.items() if conversation_handoff.MARK.match(text))
    newest = max(handoffs, key=lambda path: conversation_handoff.order(texts[path]), default="")
    if not newest or not conversation_handoff.is_ours(ground.workspace, newest, own=True):
        return []
    citations = [
        AddedLine(newest, number, _shorten_entry(f"Last conversation: {row.partition('] ')[2]}"))
        for number, row in enumerate(texts[newest].split("\n"), 1)
        if row.startswith("[session:")
    ]
    return citations[-_MAX_HANDED_OVER:]
