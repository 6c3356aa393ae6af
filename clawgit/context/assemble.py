"""Assembles the context of a conversation."""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit import file_roles
from clawgit.context import prompt_pieces, relevance, relevant_memory, token_budget
from clawgit.context.pack import Pack, fence_foreign, groups_of, rendered
from clawgit.context.prompt_pieces import Ground, Known, Piece
from clawgit.context.receipt import KINDS, Asked, Assembled, Cut, Part, Slot
from clawgit.context.relevant_memory import Talk
from clawgit.context.token_budget import NAMES, SHOWN, Name, Want, share
from clawgit.errors import Advice, ClawgitError, Command, setting_unapproved, source_unreadable, value_invalid
from clawgit.git import regular_file
from clawgit.language.values import content_words
from clawgit.openclaw import openclaw_limits
from clawgit.outside.subprocess_runner import Bounds, OutsideError, run
from clawgit.safety.redaction import redacted
from clawgit.search.answer import Answer
from clawgit.text.entry import remove_scores
from clawgit.text.tokens import count_at_most
from clawgit.workspace import settings
from clawgit.workspace.commit_message import list_names
from clawgit.workspace.file_contents import loosely
from clawgit.workspace.workspace import Workspace

if TYPE_CHECKING:
    from clawgit.search.index import Sources
    from clawgit.sessions.chat_store import ChatStore

COMMAND, SOURCE = "crm_command", "external_context_source"
_FIX = Command(f"clawgit config {COMMAND}")
_SECONDS = 2.0
_LARGEST = 256 << 10
_NAME, _PROFILE = "name", "profile"


def profiles(workspace: Workspace, talk: Talk, question: str) -> list[Piece]:
    """Return the CRM command's profiles of the names in a conversation (spec P10).

    It is given `{"entities", "query", "session_kind"}` on stdin and prints a list of profiles, or an object that has
    one as `profiles`; a profile is a text, or an object with `name` and `profile`. Raises ClawgitError when it is not
    trusted, fails, takes too long or prints too much.
    """
    words = _trusted(workspace, COMMAND)
    if not words or not talk.names:
        return []
    request = {"entities": talk.names, "query": question, "session_kind": talk.kind}
    bounds = Bounds(_SECONDS, _LARGEST)
    ended = run(
        [str(word) for word in words], json.dumps(request, ensure_ascii=False), bounds, os.environ, workspace.root
    )
    if ended.code:
        raise OutsideError("program-failed", f"{words[0]} ended with {ended.code}", fix=_FIX)
    try:
        document = json.loads(ended.output) if ended.output.strip() else []
    except (ValueError, RecursionError) as exc:
        raise source_unreadable(f"{words[0]} printed no JSON", fix=_FIX) from exc
    document = document.get("profiles") if isinstance(document, dict) else document
    if not isinstance(document, list):
        raise source_unreadable(f"{words[0]} printed no list of profiles", fix=_FIX)
    texts = (redacted(_describe_profile(entry)).splitlines() for entry in document)
    rows = ("\n".join(row for row in lines if row.strip()).strip() for lines in texts)
    source = f"crm:{Path(str(words[0])).name}"
    return [Piece(f"{source}:{number}", 0, 0, text) for number, text in enumerate(rows, 1) if text]


def external(workspace: Workspace) -> list[Piece]:
    """Return the lines of the file that `external_context_source` names (spec P10). Raises ClawgitError."""
    value = _trusted(workspace, SOURCE)
    if not value:
        return []
    place = Path(os.path.normpath(workspace.root / Path(str(value)).expanduser()))
    try:
        text = loosely(regular_file.read(place, _LARGEST)).replace("\0", " ").replace("\r\n", "\n")
    except OSError as exc:
        words = f"{value} cannot be read: {exc.strerror or exc}"
        raise source_unreadable(words, fix=Command("ls -l {}", value)) from exc
    return list(prompt_pieces.lines(str(value), redacted(text)))


def _trusted(workspace: Workspace, key: str) -> Any:
    """Return a value of CONFIG.md that may be used. Raises ClawgitError for one that the operator has not approved."""
    setting = workspace.config.shown(settings.KEYS[key])
    if setting.problem:
        raise setting.problem
    if setting.untrusted is not None and not setting.value:
        words = f"names {list_names(setting.changed)}, which changed" if setting.changed else "is set"
        raise setting_unapproved(f"{key} {words}, and nobody approved it", fix=Command("clawgit trust"))
    return setting.value


def _describe_profile(entry: Any) -> str:
    """Return a profile in words: its name and text, and the fields that it has besides."""
    if not isinstance(entry, dict):
        return _render_value(entry)
    others = (key for key, value in entry.items() if key not in (_NAME, _PROFILE) and value not in (None, "", []))
    facts = "; ".join(f"{key}: {_render_value(entry[key])}" for key in others)
    text = ". ".join(filter(None, (str(entry.get(_PROFILE) or ""), facts)))
    return f"{entry[_NAME]}: {text}" if entry.get(_NAME) else text


def _render_value(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_render_value, value))
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


IDENTITY = (file_roles.SOUL, "IDENTITY.md")
_OWN = ("group", "subagent", "cron", "heartbeat")
WITHHELD: dict[Name, tuple[str, ...]] = {
    "profile": _OWN,
    "longterm": _OWN,
    "due": _OWN,
    **dict.fromkeys(("corrections", "crm", "external", "recent", "recall"), ("group",)),
}
"""The sessions that do not get a slot (as OpenClaw has it); what a group hears is the identity alone."""


_MIN_HITS = 40
_TOKENS_PER_HIT = 12
_RECALL_FLOOR = 0.25  # of what the identity leaves
"""Tokens of the shortest lines that are worth finding, for how many hits to ask for."""


class Material:
    """The pieces for each slot of a conversation, the first to be taken in front.

    `cuts` are the withheld parts and their reasons; `warnings` are sentences. An external failure costs its slot.
    """

    def __init__(self, ground: Ground, talk: Talk, total: int, shown_paths: tuple[str, ...] = ()) -> None:
        self.ground, self.talk, self._total, self.shown = ground, talk, total, shown_paths
        self.cuts: list[Cut] = []
        self.warnings: list[str] = []

    def pieces(self, name: Name) -> list[Piece]:
        """Return the possible pieces of a slot; a file whose name could pass for lines of the context has none."""
        if self.talk.kind in WITHHELD.get(name, ()):
            self.cuts.append(Cut(name, f"not for a {self.talk.kind} session"))
            return []
        pieces = (piece for piece in self._makers[name]() if piece.path not in self.shown and piece.path.isprintable())
        return [
            piece if (text := remove_scores(piece.text)) == piece.text else replace(piece, text=text)
            for piece in pieces
        ]

    @property
    def _makers(self) -> dict[Name, Callable[[], list[Piece]]]:
        ground, workspace, question = self.ground, self.ground.workspace, self.talk.question
        return {
            "identity": lambda: prompt_pieces.whole(ground, IDENTITY),
            "profile": lambda: prompt_pieces.whole(ground, (file_roles.USER,)),
            "corrections": self._corrections,
            "recent": self._recent,
            "recall": lambda: relevant_memory.pieces(ground, self._answer, self.talk.kind, self._records),
            "crm": lambda: self._outside("crm", lambda: profiles(workspace, self.talk, question)),
            "due": lambda: relevant_memory.due(ground),
            "longterm": lambda: relevant_memory.longterm(ground),
            "external": lambda: self._outside("external", lambda: external(workspace)),
        }

    def _recent(self) -> list[Piece]:
        """Return the pieces of journals, the newest first: today's last lines before its first."""
        paths = self.ground.journals(int(self.ground.workspace.config.value("memory_retention_hours")))
        return [piece for path in paths for piece in reversed(prompt_pieces.pieces(self.ground, path))]

    def _corrections(self) -> list[Piece]:
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
            question = self.talk.question
            words = content_words(question)
            records.sort(key=lambda piece: -len(words & content_words(piece.text)))
            records.sort(key=lambda piece: -relevance.measure_overlap(question, self._answer, piece.text))
        if self.talk.kind != "main" or self.ground.commit:
            return records
        return [*relevant_memory.list_lost_changes(self.ground), *relevant_memory.asking(self.ground, records)]

    @cached_property
    def _answer(self) -> Answer:
        if not self.talk.question:
            return Answer(())
        answer = self.ground.find(self.talk.question, max(self._total // _TOKENS_PER_HIT, _MIN_HITS))
        self.warnings += [*([f"search: {answer.degraded}"] if answer.degraded else []), *answer.notes]
        return answer

    def _outside(self, name: Name, make: Callable[[], list[Piece]]) -> list[Piece]:
        # A program outside the workspace has no answer for a past commit.
        if self.ground.commit:
            self.cuts.append(Cut(name, "knows the present alone"))
            return []
        try:
            return make()
        except ClawgitError as exc:
            self.cuts.append(Cut(name, exc.message))
            self.warnings.append(f"{exc.message}: {exc.fix}" if exc.fix else exc.message)
            return []


FOREIGN = ("crm", "external")
RANKED = ("corrections", "due")
GUEST: Name = "external"
_LAST: tuple[Name, ...] = ("recent", "recall")
_ORDER: tuple[Name, ...] = (*(name for name in NAMES if name not in _LAST), *_LAST)
"""Who is filled first: a search may find what stands elsewhere already, so it comes last, and gets what is left."""
_SPARE: tuple[Name, ...] = ("recall", "recent", "corrections", "longterm", "crm")
"""Who gets what nobody fills: what is relevant goes before what is recent (spec §2)."""


_TWICE = 2
"""How much of its own size the corrections slot may grow to at the cost of others, for those that search serves."""


class Filling(Struct):
    """The slots of one context while they are filled."""

    material: Material
    total: int
    sizes: Mapping[Name, int]
    packs: dict[Name, Pack] = field(default_factory=dict)
    given: dict[Name, int] = field(default_factory=dict)
    asked: dict[Name, int] = field(default_factory=dict)
    left: dict[Name, list[Piece]] = field(default_factory=dict)
    lost_identity: bool = False

    def fill(self) -> None:
        """Fill every slot up to its room, then give the unused room to those that would take more."""
        pieces = {name: self.material.pieces(name) for name in NAMES}
        texts = Known()
        # The prompt has these files already, so no slot repeats their lines.
        for path in self.material.shown:
            texts.add(self.material.ground.text(path))
        for name in NAMES:
            title, is_ranked, own = token_budget.KINDS[name].title, name in RANKED, name == "identity"
            self.packs[name] = Pack(title, texts, ranked=is_ranked, foreign=name in FOREIGN, identity=own)
        wants = {name: self._want(name, pieces[name]) for name in NAMES}
        left = max(self.total - wants["identity"].needed, 0)
        wants["recall"] = replace(wants["recall"], floor=int(_RECALL_FLOOR * left))
        wants["corrections"] = replace(wants["corrections"], floor=self.sizes["corrections"])
        self.given = share(self.total, wants, _SPARE)
        for name in _ORDER:
            # Recall is the last in this order, so the unused room of all others is known.
            if name == "recall" and pieces[name]:
                self._hand_on(name)
            self.left[name] = self._filled(name, pieces[name])
        for name in _SPARE:
            if self.left[name]:
                self._hand_on(name)
                self.left[name] = self.packs[name].fill(self.left[name], self.given[name])

    def _want(self, name: Name, pieces: list[Piece]) -> Want:
        self.asked[name] = measured(self.packs[name], pieces, self.total)
        size, minimum = self.sizes[name], self.asked[name]
        if name not in ("identity", "profile"):
            minimum = measured(self.packs[name], [piece for piece in pieces if piece.must], self.total)
        if name == "corrections":
            minimum = max(minimum, min(self.asked[name], _TWICE * size))
        if name == GUEST:  # as much as its key says, neither less nor more
            return Want(size, min(self.asked[name], size), min(self.asked[name], size), guest=True)
        return Want(size, self.asked[name], minimum, whole=name == "identity")

    def _hand_on(self, target: Name) -> None:
        """Give a slot the unused room of the others that are filled already."""
        for name, pack in self.packs.items():
            if name != target and name in self.left:
                self.given[target] += self.given[name] - pack.used
                self.given[name] = pack.used

    def _filled(self, name: Name, pieces: list[Piece]) -> list[Piece]:
        """Fill a slot up to its room; return the pieces that did not fit."""
        pack, room, ground = self.packs[name], self.given[name], self.material.ground
        if name != "identity":
            left = pack.fill(pieces, room)
            by_piece = name == "profile" and left
            return pack.fill(prompt_pieces.pieces(ground, file_roles.USER), room) if by_piece else left
        result = []
        for piece in pieces:  # line by line if it does not fit: nothing of it is left out unnoticed
            if not pack.take(piece, room):
                self.lost_identity = True
                result += pack.fill(prompt_pieces.lines(piece.path, ground.text(piece.path)), room)
        return result

    def slot(self, name: Name, text: str) -> Slot:
        """Return the receipt of a slot, which comes to this text."""
        pack, room = self.packs[name], self.given[name]
        for piece in self.left[name]:
            pack.cut(piece, "no room")
        cuts = (cut for cut in self.material.cuts if cut.what == name)
        stolen = max(room - self.sizes[name], 0)
        return Slot(name, self.asked[name], room, stolen, count_at_most(text), (*cuts, *pack.cuts()), pack.sources)


def measured(pack: Pack, pieces: list[Piece], enough: int) -> int:
    """Return the tokens of pieces, the marks around them included; past `enough` tokens by their length alone."""
    trial = Pack(pack.title, Known(), foreign=pack.foreign, identity=pack.identity)
    for number, piece in enumerate(pieces):
        trial.take(piece, inf)
        if trial.used > enough:
            length = sum(len(item.text) for item in pieces[: number + 1])
            return int(trial.used * sum(len(item.text) for item in pieces) / max(length, 1))
    return trial.used


CUT = "the identity does not fit whole; raise context_budget_tokens, or shorten SOUL.md"


def assemble(
    workspace: Workspace, request: Asked, store: "ChatStore | None" = None, sessions: "Sources | None" = None
) -> Assembled:
    """Return the context for a conversation: the slots that fit its budget, and the receipt.

    The rules are those of spec §6 and §10. Reads, and writes nothing. The same workspace, question and day give the
    same bytes. `sessions` are as in `recall.search_files`. Raises UsageError for a budget below 0 or an unknown kind of
    session, ClawgitError for a session or an `as_of` that there is not.
    """
    return put_together(workspace, request, store, sessions)[0]


def put_together(
    workspace: Workspace, request: Asked, store: "ChatStore | None", sessions: "Sources | None"
) -> tuple[Assembled, Iterator[Part]]:
    """Return the result of `assemble`, and yield the parts of its text, in order."""
    if request.budget is not None and request.budget < 0:
        raise value_invalid(f"invalid budget: {request.budget} tokens", fix=Command("clawgit context --budget 6000"))
    if request.session_kind not in KINDS:
        raise value_invalid(f"no session kind {request.session_kind!r}", fix=Advice(f"use one of: {', '.join(KINDS)}"))
    total, sizes = token_budget.sizes(workspace.config, request.budget)
    talk = relevant_memory.read(request, store)
    ground = Ground(workspace, request.as_of, sessions)
    if total == 0:
        return Assembled("", 0, 0, tuple(Slot(name) for name in NAMES)), iter(())
    material = Material(ground, talk, total, request.shown)
    filling = Filling(material, total, sizes)
    filling.fill()
    texts = {name: rendered(filling.packs[name]) for name in NAMES}
    text = "".join(texts[name] for name in SHOWN).rstrip("\n")  # what stays the longest first
    text = f"{text}\n" if text else ""
    is_cut = filling.lost_identity or any(path in ground.lost for path in IDENTITY)
    unread_notes = [f"{path} is left out: {reason}" for path, reason in ground.lost.items()]
    warnings = [*([CUT] if filling.lost_identity else []), *unread_notes, *ground.notes.values(), *material.warnings]
    parts = (
        Part(name, pack.title, path, citation, fence_foreign(body) if pack.foreign else body)
        for name, pack in ((name, filling.packs[name]) for name in SHOWN)
        for path, citation, body in groups_of(pack)
    )
    slots = tuple(filling.slot(name, text) for name, text in texts.items())
    return Assembled(text, count_at_most(text), total, slots, tuple(dict.fromkeys(warnings)), is_cut), parts


_BEGIN = "# Project Context\n\nThe following project context files have been loaded:\n"
_SOUL = "If SOUL.md is present, embody its persona and tone.\n"
_TRIES = 8


def project_context(
    workspace: Workspace, request: Asked, store: "ChatStore | None" = None, sessions: "Sources | None" = None
) -> Assembled:
    """Return the result of `assemble` in OpenClaw's order and under its headings, each file within its caps.

    SOUL.md, IDENTITY.md, USER.md and the memory file come first under their full paths, then the parts without a place
    in OpenClaw. The budget applies to this text, too.
    """
    assembled, parts = put_together(workspace, request, store, sessions)
    total = room = assembled.budget
    # The headings of this layout cost tokens, too, so the text may need a smaller budget.
    for _ in range(_TRIES):
        layout = _lay_out(workspace, assembled, parts)
        if layout.tokens <= total:
            return replace(layout, budget=total)
        room = max(room - (layout.tokens - total), 0)
        assembled, parts = put_together(workspace, replace(request, budget=room), store, sessions)
    return replace(assembled, text="", tokens=0, budget=total)


def _lay_out(workspace: Workspace, assembled: Assembled, parts: Iterable[Part]) -> Assembled:
    all_parts, order = list(parts), list(dict.fromkeys((*openclaw_limits.ORDER, workspace.memory_file)))
    files = [part for part in all_parts if part.path in order and part.slot != "due"]
    others = [part for part in all_parts if part not in files]
    files.sort(key=lambda part: order.index(part.path))
    limits = openclaw_limits.Limits()
    left = limits.total
    rows, cut = [], assembled.cut_identity
    for part in files:
        body = _within(part, min(limits.of(part.path), left))
        left -= openclaw_limits.length(body)
        cut |= body != part.text and part.slot == "identity"
        rows.append(f"## {workspace.root / part.path}\n\n{body}\n")
    slot = ""
    for part in others:
        rows.append((f"## {part.title}\n\n" if part.slot != slot else "") + f"{part.cited}\n{part.text}\n")
        slot = part.slot
    begin = _BEGIN + (_SOUL if any(part.path == "SOUL.md" for part in files) else "")
    text = "\n".join([begin, *rows]) if rows else ""
    return replace(assembled, text=text, tokens=count_at_most(text), cut_identity=cut)


def _within(part: Part, room: int) -> str:
    """Return as many whole lines as OpenClaw shows, with its own mark if some are missing."""
    if openclaw_limits.length(part.text) <= room:
        return part.text
    mark = f"[...truncated, read {part.path} for full content...]"
    rows, left = [], room - openclaw_limits.length(mark) - 1
    for row in part.text.split("\n"):
        left -= openclaw_limits.length(row) + 1
        if left < 0:
            break
        rows.append(row)
    return "\n".join([*rows, mark])
