"""Cuts a Markdown text, or a conversation, into chunks."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date

from msgspec import Struct
from msgspec.structs import replace

from clawgit.language.iso_dates import parse_date
from clawgit.search import blocks
from clawgit.search.blocks import ATX, BETWEEN, SIZES, Block, Row, Sizes
from clawgit.search.blocks import blocks as plain

_CLOCK = r"(?:\[?\d{1,2}:\d{2}(?::\d{2})?\]?[ \t]+)?(?:\[[^\]\n]{4,40}\][ \t]+)?"
_NAME = r"(?:\*\*|__|<)?(?P<name>[^\W\d_][\w .'-]{0,30}?)(?:\*\*|__|>)?[ \t]*(?:\([^)\n]{1,20}\))?"
_TURN = re.compile(rf"[ \t]*(?:[-*+][ \t]+)?{_CLOCK}{_NAME}[:\uff1a](?:\*\*|__)?(?:[ \t]+|$)(?P<said>.*)")
_FEWEST = 4
_MOST_IMPORTANT = 10
_MOST_SPEAKERS = 12
_SHARE = 0.5
_SHORT = 320
_ROLES = {
    "user": "user",
    "human": "user",
    "me": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "bot": "assistant",
}


class Talk(Struct, frozen=True):
    """Who speaks in a file; `short` tells that three turns in four are lines rather than letters."""

    speakers: frozenset[str]
    short: bool


def talk_in(lines: Sequence[Row]) -> Talk | None:
    """Return who speaks, if the file is a conversation: a few names that open line after line."""
    turns = [(row.text, match["name"]) for row in lines if (match := _turn(row.text)) and not ATX.match(row.text)]
    if len(turns) < 2:  # noqa: PLR2004 - a question and its answer
        return None
    said = [row.text for row in lines if row.text.strip() and not ATX.match(row.text)]
    names = Counter(name for _, name in turns)
    roles = {name for name in names if name.lower() in _ROLES}
    speakers = frozenset(roles if len(roles) > 1 else (name for name in names if names[name] > 1 or name in roles))
    spoken = [len(text) for text, name in turns if name in speakers]
    if len(spoken) < _FEWEST and len(roles) < 2:  # noqa: PLR2004 - a question and its answer
        return None
    if not 1 < len(speakers) <= _MOST_SPEAKERS or (len(spoken) < _SHARE * len(said) and len(roles) < 2):  # noqa: PLR2004
        return None
    long = sorted(spoken)[len(spoken) * 3 // 4]
    return Talk(speakers, long < _SHORT and len(spoken) >= _SHARE * len(said))


def _turn(line: str) -> "re.Match[str] | None":
    """Return how a line names who says it; most have no colon, and are passed over at once."""
    return _TURN.match(line) if ":" in line or "\uff1a" in line else None


def turn_blocks(lines: Sequence[Row], who: Talk) -> Iterator[Block]:
    """Yield the blocks of a conversation; what a speaker goes on to say below a turn stays theirs."""
    speaker = ""
    group: list[Row] = []
    for row in lines:
        turn = _turn(row.text)
        named = turn["name"] if turn and turn["name"] in who.speakers else ""
        if named or ATX.match(row.text):
            yield from _spoken(group, speaker)
            speaker, group = named, [row]
            if not named:
                yield from plain(group)
                group = []
        else:
            group.append(row)
    yield from _spoken(group, speaker)


def _spoken(group: list[Row], speaker: str) -> Iterator[Block]:
    """Yield what one turn comes to: one block, or several where the speaker wrote a letter."""
    while group and not group[-1].text.strip():
        group = group[:-1]
    if not group:
        return
    if not speaker:
        yield from plain(group)
    elif len(group) == 1:
        yield Block("turn", (group[0],), speaker=speaker)
    else:
        for block in plain(group):  # headings inside it are words like any other
            kind = "paragraph" if block.kind == "heading" else block.kind
            kind = "turn" if block.rows[0] is group[0] else kind
            yield Block(kind, block.rows, above=block.above, speaker=speaker)


def voice(speaker: str) -> str:
    """Return the word by which a speaker is named: a first name in lower case, or a role."""
    first = next(iter(speaker.split()), "").strip("*_<>:.,'").lower()
    return _ROLES.get(first, first)


def unspoken(text: str, speaker: str) -> str:
    """Return what is said in a turn, without who says it; `- Error: …` in somebody's list stays whole."""
    match = _TURN.match(text)
    return text[match.start("said") :] if match and match["name"] == speaker else text


class Chunk(Struct, frozen=True, gc=False):
    """What a search can find: lines `start` to `end` (from 1, both inside) and what they say.

    `text` has no comments; `trail` are the headings above, the parents of a nested bullet, the head of a table.
    `speaker` said it where the file is a conversation; `chat` tells that its turns are short lines.
    `day` is the one that the nearest heading names. `triggers`, `importance` (1 to 10, 0 where it is not said) and
    `project` are what comments of OpenClaw's say of its lines.
    """

    start: int
    end: int
    text: str
    trail: str = ""
    speaker: str = ""
    chat: bool = False
    day: date | None = None
    triggers: str = ""
    importance: int = 0
    project: str = ""


def chunks(text: str, tokens: int = SIZES.tokens, overlap: int = SIZES.overlap) -> tuple[Chunk, ...]:
    """Return the chunks of a file in order, as long as `Sizes` says.

    Where one begins depends on the structure around it alone, so that lines added above move nothing else.
    """
    rows = blocks.rows(text)
    talk = talk_in(rows)
    found = _chunks(turn_blocks(rows, talk) if talk else blocks.blocks(rows), talk, Sizes(tokens, overlap))
    notes = _notes(text) if "<!--" in text else {}
    return tuple(_noted(one, notes) for one in found) if notes else tuple(found)


_NOTE = re.compile(r"<!--\s*(trigger|importance|project)\s*:\s*([^>]*?)\s*-->", re.IGNORECASE)


def _notes(text: str) -> dict[int, list[tuple[str, str]]]:
    """Return what the comments of OpenClaw's say, by the number of their line (its `memory-entry annotations`)."""
    lines = enumerate(text.split("\n"), 1)
    found = {at: [(name.lower(), said) for name, said in _NOTE.findall(line)] for at, line in lines if "<!--" in line}
    return {at: said for at, said in found.items() if said}


def _noted(one: Chunk, notes: dict[int, list[tuple[str, str]]]) -> Chunk:
    mine = [note for at in range(one.start, one.end + 1) for note in notes.get(at, ())]
    if not mine:
        return one
    triggers = " ".join(said.replace(",", " ") for name, said in mine if name == "trigger")
    marks = [int(said) for name, said in mine if name == "importance" and re.fullmatch("[0-9]{1,3}", said)]
    project = next((said for name, said in mine if name == "project"), "")
    return replace(one, triggers=triggers, importance=min(max(marks, default=0), _MOST_IMPORTANT), project=project)


def _chunks(found: Iterator[Block], talk: Talk | None, sizes: Sizes) -> Iterator[Chunk]:
    heads: dict[int, str] = {}
    days: dict[int, date] = {}
    titles = ""
    day: date | None = None
    turns = "turn" if talk and talk.short else ""
    for block in found:
        if block.kind == "heading":
            _enter(block, heads, days)
            titles, day = BETWEEN.join([heads[level] for level in sorted(heads)]), days[max(days)] if days else None
            if block.level == 1 or not block.rows[1:]:
                continue
            block = Block("paragraph", block.rows[:-1])  # noqa: PLW2901 - a rule was meant as often as a heading
        above = BETWEEN.join((*([titles] if heads else []), *block.above)) if block.above else titles
        chat = block.kind == turns
        for piece in blocks.pieces(block, sizes):
            yield Chunk(piece.start, piece.end, piece.text, above, block.speaker if talk else "", chat, day)


def _enter(block: Block, heads: dict[int, str], days: dict[int, date]) -> None:
    """Note a heading, and forget those that it ends."""
    for level in [level for level in heads if level >= block.level]:
        del heads[level]
        days.pop(level, None)
    title = block.text
    heads[block.level] = title
    found = blocks.DAY.search(title)
    day = parse_date(found[0]) if found else None
    if day:
        days[block.level] = day
