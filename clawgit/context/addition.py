"""What clawgit adds to a turn of an OpenClaw agent."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING

from msgspec import Struct

from clawgit.context import known_corrections, relevance, relevant_memory, shared_files
from clawgit.context.context_files import Ground
from clawgit.context.prompt_check import read_prompt_file
from clawgit.context.prompt_pieces import Piece
from clawgit.context.receipt import Asked, SessionKind
from clawgit.context.relevance import Decision
from clawgit.errors import ClawgitError
from clawgit.search import ask
from clawgit.search.answer import Answer, Hit, Query
from clawgit.search.blocks import unmarked
from clawgit.text.entry import digest, normalise, without_scores
from clawgit.workspace import file_roles, openclaw_limits
from clawgit.workspace.report.report_parts import unseen

if TYPE_CHECKING:
    from clawgit.search.index import Sources
    from clawgit.workspace.workspace import Workspace

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
_LOG, MAX_LOGGED = "turns", 500
_OUTSIDE_MAIN = openclaw_limits.ORDER[:4]
"""What OpenClaw shows in other sessions than the owner's own."""
_RECORDS = (file_roles.CORRECTIONS, file_roles.CONFLICTS)


class Entry(Struct, frozen=True):
    """A line that is added; `line` is 0 where it has no place of its own."""

    path: str
    line: int
    text: str
    score: float = 1.0


class Addition(Struct, frozen=True):
    """What is added to a turn, "" for nothing, and the decisions that it rests on."""

    text: str
    entries: tuple[Entry, ...] = ()
    hint: bool = False
    decisions: tuple[Decision, ...] = ()


class LoggedTurn(Struct, frozen=True):
    """A turn of a session with the digests of the lines that it was given, and the day whose due items."""

    session: str
    given: tuple[str, ...] = ()
    due: str = ""


def add_to_turn(workspace: "Workspace", asked: Asked, sessions: "Sources | None" = None) -> Addition:
    """Return what is added to a turn; notes what its session was given.

    `query` is the message, else the last turn of `text` is; `session` only names the session. In a group, and for
    others than the owner, that is what their files say, and never a hint.
    """
    said = [turn for _, turn in relevant_memory.turns(Asked(asked.text), None)]
    message = (asked.query.strip() or (said[-1] if said else "")).strip()[-MAX_QUESTION_CHARS:]
    before = [turn for turn in said if turn.strip() != message][-_TURNS_BEFORE:]
    shared = asked.session_kind == "group"
    answer = search_for_turn(workspace, message, sessions, shared=shared) if message else Answer(())
    ground = Ground(workspace, None)
    concern = relevance.judge_message(message, answer)
    hits = list_candidates(workspace, answer, asked.session_kind, asked.shown)
    fit, rows = relevance.judge_lines(message, answer, hits, before)
    session = f"{asked.session} shared" if shared else asked.session  # nothing that others do changes the owner's turns
    log = _read_log(workspace, session)
    choice = _Choice(asked.text, [name for turn in log[session] for name in turn.given])
    due = [] if shared or asked.session_kind != "main" else _list_due_items(ground, log)
    choice.take(due, MAX_CHARS)
    if not shared:
        choice.take(_list_corrections(ground, message, answer, asked.session_kind), MAX_CHARS)
    if concern.passes:
        choice.take((_make_entry(ground, hit, score) for hit, score in rows), USUAL_CHARS)
    known = relevance.measure_strength(answer, (hit for hit in answer.results if hit not in hits))
    hint = (
        concern.passes and not (shared or choice.entries or rows) and known <= relevance.measure_strength(answer, hits)
    )
    text = "\n".join([*choice.lines, *([HINT] if hint else [])])
    if asked.session and workspace.managed:
        given = tuple(map(_hash_entry, choice.entries))
        day = ground.today.isoformat() if due and asked.session_kind == "main" else ""
        with suppress(ClawgitError):  # what cannot be noted keeps nobody from the answer
            workspace.store.append_rows(_LOG, [LoggedTurn(session, given, day)], MAX_LOGGED)
    return Addition(text, tuple(choice.entries), hint, (concern, fit))


def search_for_turn(
    workspace: "Workspace", message: str, sessions: "Sources | None" = None, *, shared: bool = False
) -> Answer:
    """Return what the memory has to a message, or with `shared` the files that others may hear of."""
    query = Query(message, MAX_HITS, 0.0, explain=True)
    return (
        shared_files.search_shared_files(workspace, query)
        if shared
        else ask.search(workspace, query, sessions=sessions)
    )


def list_candidates(workspace: "Workspace", answer: Answer, kind: SessionKind, shown: Sequence[str]) -> list[Hit]:
    """Return the hits that may be added: open to the session, and in no part of the files `shown` that the prompt has.

    Records of corrections are added by themselves.
    """
    if kind == "group":
        return [hit for hit in answer.results if hit.path not in shown]
    names = [name for name in shown if kind == "main" or name in _OUTSIDE_MAIN]
    texts = {name: read_prompt_file(workspace, name) for name in names if name in openclaw_limits.ORDER}
    gaps = {gap.path: gap for gap in unseen(texts, workspace.host.caps(workspace.root).limits)}

    def is_shown(hit: Hit) -> bool:
        gap = gaps.get(hit.path)
        return hit.path in names and not (gap and gap.first <= hit.start and hit.end <= gap.last)

    open_hits = (hit for hit in answer.results if relevant_memory.open_to(workspace, hit, kind))
    return [hit for hit in open_hits if hit.path not in _RECORDS and hit.path.isprintable() and not is_shown(hit)]


class _Choice:
    """The entries of an addition while it is made; nothing stands twice, nor again after it was `given`."""

    def __init__(self, conversation: str, given: Iterable[str]) -> None:
        self.entries: list[Entry] = []
        self.lines: list[str] = []
        self._names = set(given)
        self._conversation = normalise(conversation)
        self._size = 0

    def take(self, entries: Iterable[Entry], room: int) -> None:
        """Take entries, the first ones first, as long as all of them have at most `room` characters."""
        for entry in entries:
            line = f"- {entry.text} [{entry.path}{f'#L{entry.line}' if entry.line else ''}]"
            name, size = _hash_entry(entry), self._size + len(line) + 1
            is_new = name not in self._names and normalise(entry.text) not in self._conversation
            if entry.text and is_new and size <= room and len(self.entries) < MAX_ENTRIES:
                self.entries.append(entry)
                self.lines.append(line)
                self._names.add(name)
                self._size = size


def _hash_entry(entry: Entry) -> str:
    return digest(entry.text)


def _make_entry(ground: Ground, hit: Hit, score: float) -> Entry:
    piece = relevant_memory.piece_of_hit(ground, hit, ())
    text = _flatten(piece.parts[0] if piece.parts else piece.text)
    if text and piece.above and piece.above.casefold() not in text.casefold():
        text = f"{piece.above}: {text}"
    return Entry(piece.path, piece.start, text, round(score, 3))


def _flatten(text: str) -> str:
    line = " ".join(unmarked(without_scores(text)).split())
    return line if len(line) <= MAX_ENTRY_CHARS else f"{line[: MAX_ENTRY_CHARS - 1].rstrip()}\u2026"


def _list_corrections(ground: Ground, message: str, answer: Answer, kind: SessionKind) -> Iterator[Entry]:
    """Yield what the agent is asked to mend, then corrections of the last days and conflicts that concern a message."""
    asked: list[Piece] = []
    if kind == "main":
        every = known_corrections.corrections(ground, "newest", {})
        asked = [piece for piece in known_corrections.asking(ground, every) if piece.must]
        asked = [*known_corrections.lost_changes(ground), *asked]
    since = ground.today - timedelta(CORRECTION_DAYS)
    recent = known_corrections.corrections(ground, "newest", {}, since.isoformat())
    others = [piece for piece in recent if piece.start not in {one.start for one in asked}]
    for piece in (*others, *known_corrections.conflicts(ground)):
        if relevance.measure_overlap(message, answer, piece.text) >= _CONCERNS:
            asked.append(piece)
    for piece in asked:
        yield Entry(piece.path, piece.start, " ".join(unmarked(piece.text).split()))


def _list_due_items(ground: Ground, log: "dict[str, list[LoggedTurn]]") -> list[Entry]:
    """Return what is due today, unless a turn of today had it."""
    today = ground.today.isoformat()
    if any(turn.due == today for turns in log.values() for turn in turns):
        return []
    pieces = relevant_memory.due(ground, days=1)
    return [Entry(piece.path, piece.start, f"Due today: {_flatten(piece.text)}") for piece in pieces]


def _read_log(workspace: "Workspace", session: str) -> "dict[str, list[LoggedTurn]]":
    """Return the last turns of each session, of this one at least none."""
    log: dict[str, list[LoggedTurn]] = {session: []}
    for turn in workspace.store.read_rows(_LOG, LoggedTurn):
        log.setdefault(turn.session, []).append(turn)
    return {name: turns[-REPEATED_TURNS:] for name, turns in log.items()}
