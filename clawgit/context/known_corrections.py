"""What was remembered wrongly, and what is undecided."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from msgspec.structs import replace

from clawgit.context import prompt_pieces
from clawgit.context.prompt_pieces import Ground, Piece
from clawgit.safety.redaction import redacted
from clawgit.text import conflict
from clawgit.text.correction import SUPERSEDES, Correction
from clawgit.text.correction import corrections as records
from clawgit.text.entry import Entry, entries, normalise
from clawgit.workspace import file_roles
from clawgit.workspace.commit_message import shorten
from clawgit.workspace.file_contents import lines_of

_SIDE = 160


def corrections(ground: Ground, strategy: str, rank: Mapping[int, int], since: str = "") -> list[Piece]:
    """Return the corrections that hold, the most important first, each on a line (spec §6).

    By `strategy`: those that search does not serve yet come first, then the newest (`prioritize_unverified`); the
    newest alone (`newest`); or those that the question is about, then the newest (`relevant`). `rank` are the lines of
    CORRECTIONS.md that a search found, by their order. What is written in another way than by records is taken as it
    is, the last first. None is older than the day `since`.
    """
    text = ground.text(file_roles.CORRECTIONS)
    found = _read_records(text)
    if not found:
        undated = [] if since else reversed(prompt_pieces.pieces(ground, file_roles.CORRECTIONS))
        return [one for one in undated if one.text.lstrip()[:1] in "-*+|"]
    gone = {name for one in found for name in _list_superseded(one)}
    kept = [one for one in found if (one.id not in gone or not one.id) and one.at >= since]
    first, far = strategy == "prioritize_unverified", len(text)

    def order(one: Correction) -> int:
        if strategy == "relevant":
            return min((rank[line] for line in range(one.line, one.end + 1) if line in rank), default=far)
        return int(one.embedded and first)

    kept.sort(key=lambda one: (one.at, one.line), reverse=True)
    kept.sort(key=order)
    return [_piece(ground, one, must=first and not one.embedded) for one in kept]


def asking(ground: Ground, found: Sequence[Piece]) -> list[Piece]:
    """Return corrections, each with the request to mend what OpenClaw's own file still says to the contrary.

    Only the agent can write there without OpenClaw holding the file back. What the agent has mended is not asked for.
    """
    known = _read_records(ground.text(file_roles.CORRECTIONS))
    by_id = {one.id: one for one in known if one.id}
    paths = {one.left_in for one in known if one.left_in and ground.workspace.theirs(one.left_in)}
    files = {path: entries(ground.standing(path)) for path in paths}
    chains = {one.line: _chain(one, by_id) for one in known}
    return [_asked(piece, chains.get(piece.start, []), files) for piece in found] if files else list(found)


def lost_changes(ground: Ground) -> list[Piece]:
    """Return requests to change a file that only the agent may write, as the restorations that wait would."""
    pieces = []
    for item in ground.workspace.store.read_items("open", kind="restore"):
        if item.is_expired(ground.workspace.now()):
            continue
        for path, (before, after) in item.texts.items():
            if ground.workspace.theirs(path) and (
                words := _change_of(ground.standing(path), before or "", after or "")
            ):
                ask = "Please make this change with your own edit tool, unless the user made the lines so."
                pieces.append(Piece(path, 0, 0, redacted(f"- {path} {words}. {ask}"), must=True))
    return pieces


def _change_of(standing: str, before: str, after: str) -> str:
    """Return what a file needs to become as an item has it; empty where nothing is left to do."""
    old, new, lines = lines_of(before), lines_of(after), lines_of(standing)
    missing = [line for line in after.split("\n") if line.strip() in new - old - lines]
    surplus = [line for line in before.split("\n") if line.strip() in (old - new) & lines]
    parts = (("lacks these lines", missing), ("has these lines too many", surplus))
    return " and ".join(f"{words}: {' '.join(some)!r}" for words, some in parts if some)


def _chain(one: Correction, by_id: Mapping[str, Correction]) -> list[Correction]:
    """Return a record and those that it supersedes, the newest first."""
    found = [one]
    for older in found:
        found += [by_id[name] for name in _list_superseded(older) if name in by_id and by_id[name] not in found]
    return found


def _list_superseded(one: Correction) -> list[str]:
    return one.fields.get(SUPERSEDES.casefold(), "").replace(",", " ").split()


def _asked(piece: Piece, chain: Sequence[Correction], files: Mapping[str, Sequence[Entry]]) -> Piece:
    for one in chain:
        line = next((e.start for e in files.get(one.left_in, ()) if normalise(e.text) == normalise(one.said)), 0)
        if line:
            words = f"{one.left_in}:{line} still says: {one.said!r}. Please correct that line with your own edit tool."
            return replace(piece, text=f"{piece.text} {words}", must=True)
    return piece


def conflicts(ground: Ground) -> list[Piece]:
    """Return the open conflicts, the newest first, each on a line."""
    found = [one for one in conflict.conflicts(ground.text(file_roles.CONFLICTS)) if one.open]
    found.sort(key=lambda one: (one.found, one.start), reverse=True)
    return [
        Piece(file_roles.CONFLICTS, one.start, one.end, f"- Undecided ({one.id}), rely on neither: {sides}", must=True)
        for one in found
        for sides in [" or ".join(repr(shorten(side.text, _SIDE)) for side in (one.a, one.b))]
    ]


_read_records = lru_cache(maxsize=4)(records)


def _piece(ground: Ground, one: Correction, *, must: bool) -> Piece:
    rows = ground.rows(file_roles.CORRECTIONS)[one.line : one.end]
    words = f"- {one.true}" if one.true else "\n".join(rows).strip("\n")
    value = one.values[0]
    if one.true and value and value != one.subject:  # a whole sentence that is wrong would be read as one that holds
        words += f" (not: {value})"
    return Piece(file_roles.CORRECTIONS, one.line, one.end, words + (f" [{one.at}]" if one.at else ""), must=must)
