"""Fills the slots of a context within its budget."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import count
from math import inf
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from clawgit import file_roles
from clawgit.context import prompt_pieces, relevant_memory
from clawgit.context.prompt_pieces import Known, Piece, SourceFiles, join_ranges
from clawgit.context.receipt import KINDS, SLOTS, Asked, Assembled, Cut, Name, Slot
from clawgit.context.relevant_memory import Talk
from clawgit.errors import Advice, ClawgitError, Command, value_invalid
from clawgit.language.values import content_words
from clawgit.llm.model import fenced
from clawgit.openclaw import blank_forms
from clawgit.search.answer import Answer, span
from clawgit.text.entry import make_name, remove_scores
from clawgit.text.tokens import count_at_most
from clawgit.workspace.config import Config
from clawgit.workspace.workspace import Workspace

if TYPE_CHECKING:
    from clawgit.sessions.chat_store import ChatStore

SHOWN: tuple[Name, ...] = (
    *("identity", "profile", "longterm", "external", "due", "corrections", "recent", "crm", "recall"),
)
"""In the order of the text: what stays from one question to the next comes first, so that caches of prompts hold."""
FILLED: tuple[Name, ...] = (
    *("identity", "profile", "corrections", "due", "crm", "longterm", "external", "recent", "recall"),
)
"""In the order of filling: what a search finds may stand elsewhere already, so it comes last."""
SPARE: tuple[Name, ...] = ("recall", "recent", "corrections", "longterm", "crm")
"""Who gets what nobody fills: what is relevant goes before what is recent (spec §2)."""
WHOLE: tuple[Name, ...] = ("identity", "profile")
IDENTITY = (file_roles.SOUL, "IDENTITY.md")
RECALL_FLOOR = 0.25
"""Of what the identity leaves: the least of recall."""
CORRECTIONS_GROWTH = 2
"""So many times its size the corrections slot may grow to at the cost of lower ones."""
MAX_REFUSED = 200
"""Pieces that do not fit, after which no other is tried."""
MAX_CITED_CUTS = 20
MIN_HITS, TOKENS_PER_HIT = 40, 12
CUT_IDENTITY = "the identity does not fit whole; raise context_budget_tokens, or shorten SOUL.md"


def measure_sizes(config: Config, budget: int | None) -> tuple[int, dict[Name, int]]:
    """Return the whole budget and the size of each slot, in tokens.

    Another budget than that of CONFIG.md scales every slot. The external slot has what its key says; of the others the
    lowest are cut down where all come to more than is left.
    """
    usual = int(config.value("context_budget_tokens"))
    total = usual if budget is None else budget
    asked = {name: int(config.value(rule.key)) if rule.key else 0 for name, rule in SLOTS.items()}
    scaled = {name: size * total // (usual or 1) for name, size in asked.items()}
    sizes: dict[Name, int] = {"external": min(scaled["external"], total)}
    for name in SLOTS:
        sizes.setdefault(name, min(scaled[name], total - sum(sizes.values())))
    return total, sizes


class Want(Struct, frozen=True):
    """The claims of a slot, in tokens: its own `size`, all that it would take, and the part that it must have.

    Others may take its room down to `floor`.
    """

    size: int
    asked: int
    needed: int = 0
    floor: int = 0


def divide_budget(total: int, wants: Mapping[Name, Want]) -> dict[Name, int]:
    """Return the room of each slot, at most `total` together.

    No slot gets more than its own, unless it needs it: then from unused room, else from the lowest slot first (spec
    §6). What is left goes to slots that would take more.
    """
    rooms = {name: min(want.size, want.asked) for name, want in wants.items()}
    spare = total - sum(rooms.values())

    def give(name: Name, amount: int) -> None:
        nonlocal spare
        part = max(min(amount, spare), 0)
        rooms[name], spare = rooms[name] + part, spare - part

    names = list(SLOTS)
    for number, name in enumerate(names):
        needed = min(wants[name].needed, wants[name].asked)
        give(name, needed - rooms[name])
        # Only the identity takes more than half of a slot, and floors where nothing else is left.
        for has_floors in (True, False) if name == "identity" else (True,):
            for lower in reversed(names[number + 1 :]):
                own = min(wants[lower].size, wants[lower].asked)
                floor = max(wants[lower].floor if has_floors else 0, 0 if name == "identity" else (own + 1) // 2)
                part = max(min(rooms[lower] - min(floor, own), needed - rooms[name]), 0)
                rooms[lower], rooms[name] = rooms[lower] - part, rooms[name] + part
    for name in SPARE:
        give(name, wants[name].asked - rooms[name])
    return rooms


class Pack:
    """One slot while it is filled; `used` are its tokens, never more than the offered room.

    `asked` is the size of all its pieces, `left` are those that did not fit.
    """

    def __init__(self, name: Name, known_lines: Known) -> None:
        self.name, self.rule = name, SLOTS[name]
        self.pieces: list[Piece] = []
        self.left: list[Piece] = []
        self.used = self.asked = 0
        self.is_split = False
        self._known = known_lines
        self._opened: set[tuple[str, str]] = set()
        self._cuts: dict[str, list[Piece]] = defaultdict(list)

    def fill(self, pieces: Iterable[Piece], room: float) -> None:
        """Take the pieces that fit into `room` tokens, in this order."""
        self.left, size = list(pieces), -1
        while len(self.pieces) > size:
            size = len(self.pieces)
            self._offer(self.left, room)
            self.used = count_at_most(render_pack(self))  # together they cost less than one by one

    def _offer(self, pieces: Iterable[Piece], room: float) -> None:
        self.left = []
        for piece in pieces:
            if self.used >= room or len(self.left) > MAX_REFUSED:
                self.left.append(piece)
            elif (new := piece if self.name == "identity" else self._known.new(piece)) is None:
                self._cuts["said already"].append(piece)
            elif not self._take(new, room):
                parts = list(self._split(new))
                misfits = [part for part in parts if not self._take(part, room)]
                self.is_split |= bool(parts)
                self.left += misfits if len(misfits) < len(parts) else [new]

    def measure(self, pieces: Sequence[Piece], enough: int) -> int:
        """Return the tokens of pieces, the marks around them included; past `enough` by their length alone."""
        trial = Pack(self.name, Known())
        for number, piece in enumerate(pieces, 1):
            trial._take(piece, inf)
            if trial.used > enough:
                return (
                    trial.used
                    * sum(len(item.text) for item in pieces)
                    // sum(len(item.text) for item in pieces[:number])
                )
        return trial.used

    def _split(self, piece: Piece) -> Iterator[Piece]:
        """Yield the lines of a whole file, or the sentences of a long line."""
        if self.name in WHOLE and piece.end > piece.start:
            for number, row in enumerate(piece.text.split("\n"), piece.start):
                if row.strip():
                    yield replace(piece, start=number, end=number, text=row)
        elif "\n" not in piece.text:
            yield from prompt_pieces.split_line(piece)

    def _take(self, piece: Piece, room: float) -> bool:
        """Take a piece if it fits into `room` tokens; return whether it did."""
        # Otherwise a memory could pass for a title or a citation.
        piece = piece if self.name == "identity" else prompt_pieces.escape_titles(piece)
        price = sum(map(count_at_most, self._list_parts(piece)))
        if self.used + price > room:
            return False
        self.pieces.append(piece)
        self.used += price
        self._opened |= {("", ""), (piece.path, ""), (piece.path, piece.above)}
        self._known.add(piece.text)
        return True

    def _list_parts(self, piece: Piece) -> Iterator[str]:
        if ("", "") not in self._opened:
            yield f"# {self.rule.title}\n\n"
            # The code of the marks costs as much as one may.
            yield fenced("\n", lambda: "z1" * 5) if self.rule.foreign else ""
        if (piece.path, "") not in self._opened:
            yield f"[{piece.path}#]\n"
        if piece.above and (piece.path, piece.above) not in self._opened:
            yield f"### {piece.above}\n"
        yield f"{span(piece.start, piece.end)}, "
        yield f"{piece.text}\n"

    def list_shown(self) -> list[Piece]:
        """Return the pieces in the order of the text: that of their offer, or of the lines of each source."""
        if self.rule.ranked:
            return self.pieces
        order = {path: number for number, path in enumerate(dict.fromkeys(piece.path for piece in self.pieces))}
        return sorted(self.pieces, key=lambda piece: (order[piece.path], piece.start))

    def list_groups(self) -> Iterator[tuple[str, str, str]]:
        """Yield each source of the slot, its citation, and its shown text."""
        for path, pieces in prompt_pieces.group_by_path(self.list_shown()).items():
            spans = ", ".join(span(start, end) for start, end in join_ranges(pieces) if start)
            rows, heading = list[str](), ""
            for piece in pieces:
                rows += [f"### {piece.above}"] if piece.above not in ("", heading) else []
                rows.append(piece.text)
                heading = piece.above
            yield path, f"[{path}#{spans}]" if spans else f"[{path}]", "\n".join(rows)

    def make_slot(self, given: int, size: int, cuts: Iterable[Cut]) -> Slot:
        """Return the receipt of the slot; of many pieces that are left out for one reason the first ones by name."""
        all_cuts = list(cuts)
        for reason, pieces in {**self._cuts, "no room": self.left}.items():
            all_cuts += [Cut(piece.citation, reason) for piece in pieces[:MAX_CITED_CUTS]]
            if len(pieces) > MAX_CITED_CUTS:
                all_cuts.append(Cut(f"{len(pieces) - MAX_CITED_CUTS} more", reason))
        groups = prompt_pieces.group_by_path(self.list_shown()).items()
        ranges = ((path, lines) for path, pieces in groups for lines in join_ranges(pieces))
        sources = dict.fromkeys(f"{path}#{span(*lines)}" if lines[0] else path for path, lines in ranges)
        return Slot(self.name, self.asked, given, max(given - size, 0), self.used, tuple(all_cuts), tuple(sources))


def render_pack(pack: Pack) -> str:
    """Return the text of a slot, each source cited above its pieces; "" for an empty slot."""
    if not pack.pieces:
        return ""
    groups = "".join(f"{citation}\n{text}\n" for _, citation, text in pack.list_groups())
    return f"# {pack.rule.title}\n\n" + (f"{_fence(groups)}\n" if pack.rule.foreign else groups) + "\n"


def _fence(text: str) -> str:
    """Return text of others between marks; the same text has the same marks."""
    tries = count()
    return fenced(text, lambda: make_name(f"{next(tries)}\0{text}"))


class Material:
    """The pieces for each slot of a conversation, the first to be taken in front.

    `cuts` are the withheld parts and their reasons; `warnings` are sentences. An external failure costs its slot.
    """

    def __init__(self, ground: SourceFiles, talk: Talk, total: int, shown_paths: tuple[str, ...] = ()) -> None:
        self.ground, self.talk, self._total, self.shown = ground, talk, total, shown_paths
        self.cuts: list[tuple[Name, Cut]] = []
        self.warnings: list[str] = []

    def list_pieces(self, name: Name) -> list[Piece]:
        """Return the possible pieces of a slot; a file whose name could pass for lines of the context has none."""
        if self.talk.kind in SLOTS[name].withheld:
            self.cuts.append((name, Cut(name, f"not for a {self.talk.kind} session")))
            return []
        pieces = (piece for piece in self._makers[name]() if piece.path not in self.shown and piece.path.isprintable())
        return [replace(piece, text=remove_scores(piece.text)) for piece in pieces]

    @cached_property
    def _makers(self) -> dict[Name, Callable[[], list[Piece]]]:
        ground, talk = self.ground, self.talk
        return {
            "identity": lambda: prompt_pieces.trim_files(ground, IDENTITY),
            "profile": lambda: prompt_pieces.trim_files(ground, (file_roles.USER,)),
            "corrections": self._list_corrections,
            "recent": self._list_recent,
            "recall": lambda: relevant_memory.show_hits(ground, self._answer, talk.kind, self._records),
            "crm": lambda: self._ask_outside("crm", lambda: relevant_memory.read_profiles(ground.workspace, talk)),
            "due": lambda: relevant_memory.list_due_today(ground),
            "longterm": lambda: relevant_memory.list_longterm(ground),
            "external": lambda: self._ask_outside("external", lambda: relevant_memory.read_external(ground.workspace)),
        }

    def _list_recent(self) -> list[Piece]:
        """Return the pieces of journals, the newest first: today's last lines before its first."""
        paths = self.ground.journals(int(self.ground.workspace.config.value("memory_retention_hours")))
        return [piece for path in paths for piece in reversed(prompt_pieces.divide_file(self.ground, path))]

    def _list_corrections(self) -> list[Piece]:
        """Return the records that search does not serve yet, then open conflicts, then the rest."""
        undecided = relevant_memory.conflicts(self.ground)
        if undecided:
            words = f"{len(undecided)} memories contradict" if len(undecided) > 1 else "a memory contradicts"
            self.warnings.append(f"{words} another one, undecided: clawgit inbox --kind conflict")
        new = [record for record in self._records if record.must]
        return [*new, *undecided, *(record for record in self._records if not record.must)]

    @cached_property
    def _records(self) -> list[Piece]:
        strategy = str(self.ground.workspace.config.value("correction_overflow_strategy"))
        records = relevant_memory.corrections(self.ground, strategy)
        if strategy == "relevant":
            words = content_words(self.talk.question)
            records.sort(key=lambda piece: -len(words & content_words(piece.text)))
        if self.talk.kind != "main" or self.ground.commit:
            return records
        return [
            *relevant_memory.list_lost_changes(self.ground),
            *relevant_memory.list_correction_requests(self.ground, records),
        ]

    @cached_property
    def _answer(self) -> Answer:
        if not self.talk.question:
            return Answer(())
        answer = self.ground.find(self.talk.question, max(self._total // TOKENS_PER_HIT, MIN_HITS))
        self.warnings += [*([f"search: {answer.degraded}"] if answer.degraded else []), *answer.notes]
        return answer

    def _ask_outside(self, name: Name, make: Callable[[], list[Piece]]) -> list[Piece]:
        # A program outside the workspace has no answer for a past commit.
        if self.ground.commit:
            self.cuts.append((name, Cut(name, "knows the present alone")))
            return []
        try:
            return make()
        except ClawgitError as exc:
            self.cuts.append((name, Cut(name, exc.message)))
            self.warnings.append(f"{exc.message}: {exc.fix}" if exc.fix else exc.message)
            return []


def _measure_want(pack: Pack, pieces: Sequence[Piece], size: int, total: int, identity: int) -> Want:
    """Return the claims of a slot for its pieces, below so many tokens of the identity."""
    pack.asked = pack.measure(pieces, total)
    must = pieces if pack.name in WHOLE else [piece for piece in pieces if piece.must]
    needed, floor = pack.measure(must, total), 0
    if pack.name == "corrections":
        needed, floor = max(needed, min(pack.asked, CORRECTIONS_GROWTH * size)), size
    elif pack.name == "external":  # as much as its key says, neither less nor more
        pack.asked = floor = min(pack.asked, size)
    elif pack.name == "recall":
        floor = int(RECALL_FLOOR * max(total - identity, 0))
    return Want(size, pack.asked, needed, floor)


def fill_slots(material: Material, total: int, sizes: Mapping[Name, int]) -> tuple[dict[Name, Pack], dict[Name, int]]:
    """Return the filled slots, and the room that each of them got."""
    pieces = {name: material.list_pieces(name) for name in SLOTS}
    known_lines = Known()
    for path in material.shown:  # the prompt has these files already, so no slot repeats their lines
        known_lines.add(material.ground.text(path))
    packs, wants = {name: Pack(name, known_lines) for name in SLOTS}, dict[Name, Want]()
    for name, pack in packs.items():
        identity = wants["identity"].needed if wants else 0
        wants[name] = _measure_want(pack, pieces[name], sizes[name], total, identity)
    given = divide_budget(total, wants)

    def hand_on(target: Name, names: Iterable[Name]) -> None:
        for name in names:
            if name != target:
                given[target] += given[name] - packs[name].used
                given[name] = packs[name].used

    for number, name in enumerate(FILLED):
        if name == "recall" and pieces[name]:
            hand_on(name, FILLED[:number])
        packs[name].fill(pieces[name], given[name])
    for name in SPARE:
        if packs[name].left:
            hand_on(name, FILLED)
            packs[name].fill(packs[name].left, given[name])
    return packs, given


def assemble(
    workspace: Workspace, request: Asked, store: "ChatStore | None" = None, *, as_openclaw: bool = False
) -> Assembled:
    """Return the context for a conversation: the slots that fit its budget, and the receipt.

    Reads, and writes nothing. The same workspace, question and day give the same bytes. `as_openclaw` lays it out as
    OpenClaw's prompt, within the same budget. Raises UsageError for a budget below 0 or an unknown kind of session,
    ClawgitError for a missing session or `as_of`.
    """
    if request.budget is not None and request.budget < 0:
        raise value_invalid(f"invalid budget: {request.budget} tokens", fix=Command("clawgit context --budget 6000"))
    if request.session_kind not in KINDS:
        raise value_invalid(f"no session kind {request.session_kind!r}", fix=Advice(f"use one of: {', '.join(KINDS)}"))
    budget, _ = measure_sizes(workspace.config, request.budget)
    talk = relevant_memory.read_questions(request, store)
    ground = SourceFiles(workspace, request.as_of)
    room, assembled = budget, Assembled("", 0, 0, tuple(Slot(name) for name in SLOTS))
    # The headings of OpenClaw's layout cost tokens, too, so the text may need a smaller room.
    while room > 0:
        material = Material(ground, talk, room, request.shown)
        sizes = measure_sizes(workspace.config, room)[1]
        packs, given = fill_slots(material, room, sizes)
        is_lost = bool(packs["identity"].left) or packs["identity"].is_split
        text = "".join(render_pack(packs[name]) for name in SHOWN).rstrip("\n")
        text, is_cut = (f"{text}\n" if text else "", False) if not as_openclaw else _lay_out(workspace, packs)
        cuts = {name: [cut for slot, cut in material.cuts if slot == name] for name in SLOTS}
        slots = tuple(pack.make_slot(given[name], sizes[name], cuts[name]) for name, pack in packs.items())
        unread_notes = [f"{path} is left out: {reason}" for path, reason in ground.lost.items()]
        warnings = [*([CUT_IDENTITY] if is_lost else []), *unread_notes, *ground.notes.values(), *material.warnings]
        is_cut |= is_lost or any(path in ground.lost for path in IDENTITY)
        tokens = count_at_most(text)
        assembled = Assembled(text, tokens, budget, slots, tuple(dict.fromkeys(warnings)), is_cut)
        if tokens <= budget:
            return assembled
        room -= tokens - budget
    return replace(assembled, text="", tokens=0, budget=budget)


_BEGIN = "# Project Context\n\nThe following project context files have been loaded:\n"
_SOUL = "If SOUL.md is present, embody its persona and tone.\n"


def _lay_out(workspace: Workspace, packs: Mapping[Name, Pack]) -> tuple[str, bool]:
    """Return slots in OpenClaw's order and under its headings, each file within its caps, and whether identity is cut.

    SOUL.md, IDENTITY.md, USER.md and the memory file come first under their full paths, then the parts without a place
    in OpenClaw.
    """
    order = list(dict.fromkeys((*blank_forms.ORDER, workspace.memory_file)))
    limits = blank_forms.Limits()
    left, is_cut = limits.total, False
    files, others = dict[str, str](), list[str]()
    for name in SHOWN:
        title = f"## {packs[name].rule.title}\n\n"
        for path, citation, text in packs[name].list_groups():
            if path in order and name != "due":
                # Of a long file one slot has the beginning, and another the lines that a search found.
                files[path] = "\n".join(filter(None, (files.get(path), text)))
                continue
            others.append(f"{title}{citation}\n{_fence(text) if packs[name].rule.foreign else text}\n")
            title = ""
    rows = []
    for path in sorted(files, key=order.index):
        body = _cut_lines(path, files[path], min(limits.of(path), left))
        left -= blank_forms.length(body)
        is_cut |= body != files[path] and path in IDENTITY
        rows.append(f"## {workspace.root / path}\n\n{body}\n")
    begin = _BEGIN + (_SOUL if file_roles.SOUL in files else "")
    return "\n".join([begin, *rows, *others]) if rows or others else "", is_cut


def _cut_lines(path: str, text: str, room: int) -> str:
    """Return as many whole lines as OpenClaw shows, with its own mark if some are missing."""
    if blank_forms.length(text) <= room:
        return text
    mark = f"[...truncated, read {path} for full content...]"
    rows, left = [], room - blank_forms.length(mark) - 1
    for row in text.split("\n"):
        left -= blank_forms.length(row) + 1
        if left < 0:
            break
        rows.append(row)
    return "\n".join([*rows, mark])
