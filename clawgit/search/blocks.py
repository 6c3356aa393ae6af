"""Scans Markdown and conversations, and cuts them into chunks."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import zip_longest

from msgspec import Struct
from msgspec.structs import replace

from clawgit.language.iso_dates import parse_date
from clawgit.text import document
from clawgit.text.front_matter import read_front_matter

BETWEEN = " \u203a "
DAY = re.compile(r"\b(?:19|20)\d\d-[01]\d-[0-3]\d\b")

ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_BOLD = re.compile(r"(?:\*\*|__)([^*_]{1,80})(?:\*\*|__):?[ \t]*$")
_BULLET = re.compile(r"([ \t]*)(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)")
_CHECKBOX = re.compile(r"\[[ xX]\][ \t]+")
_LINES_ABOVE = document.ABOVE.count("\n")
_EMPTY = ("blank", "rule", "comment")
_BOLD_LEVEL = 7
_NESTED = 4


class Row(Struct, frozen=True, gc=False):
    """One line without its end and without comments; `number` counts from 1."""

    number: int
    text: str


class Block(Struct, frozen=True, gc=False):
    """Lines that say one thing. `above` are the parents of a nested bullet, or the head of a table."""

    kind: str
    rows: tuple[Row, ...]
    level: int = 0
    above: tuple[str, ...] = ()
    speaker: str = ""

    @property
    def text(self) -> str:
        """What the lines say; of a heading its title."""
        said = "\n".join(row.text for row in self.rows)
        if self.kind != "heading":
            return said
        first = " ".join(row.text for row in self.rows[:-1] or self.rows)
        found = ATX.match(first) or _BOLD.match(first)
        return (found[found.lastindex or 0] if found and found.lastindex else first).strip(" \t#*_:")


def rows(text: str) -> list[Row]:
    """Return the lines, without front matter and comments; what a comment leaves empty counts as blank."""
    first = read_front_matter(text).lines
    return [Row(number, line) for number, line in enumerate(_uncommented(text)[first:], first + 1)]


def shown(text: str) -> list[str]:
    """Return every line as `rows` has it, those of front matter empty."""
    first = read_front_matter(text).lines
    return [""] * first + _uncommented(text)[first:]


def _uncommented(text: str) -> list[str]:
    """Return the lines with HTML comments outside of code blanked out. One that nobody closes is text."""
    fenced = document.fenced_lines(text)
    lines = text.removeprefix("\ufeff").replace("\0", " ").split("\n")
    last = max((at for at, line in enumerate(lines) if "-->" in line), default=-1) if "<!--" in text else -1
    open_ = False
    for at, line in enumerate(lines[: last + 1]):
        if at + 1 not in fenced:
            lines[at], open_ = _outside(line, open_=open_, closed=at < last)
    return [document.clip_line(line.rstrip("\r \t")) for line in lines]


def _outside(line: str, *, open_: bool, closed: bool) -> tuple[str, bool]:
    """Return what of a line is outside of comments, and whether one is left open, which a later line has `closed`."""
    kept, at = "", 0
    while at < len(line):
        if open_:
            end = line.find("-->", at)
            if end < 0:
                return kept, True
            at, open_ = end + 3, False
            continue
        start = line.find("<!--", at)
        coded = start >= 0 and line.count("`", 0, start) % 2
        if start < 0 or coded or not (closed or "-->" in line[start:]):
            return kept + line[at:], False
        kept += line[at:start]
        at, open_ = start + 4, True
    return kept, open_


def blocks(lines: Sequence[Row]) -> Iterator[Block]:
    """Yield headings, bullets with what is nested in them, rows of tables, code and paragraphs."""
    found: list[document.Block] = []
    for block in document.parse(document.ABOVE + "\n".join(row.text for row in lines)).blocks[2:]:
        is_nested = block.kind == "continuation" or (block.kind == "bullet" and block.level > 1)
        if is_nested and found:
            found[-1] = replace(found[-1], end=block.end)
        elif block.kind not in _EMPTY:
            found.append(block)
    head = ""
    for block, after in zip_longest(found, found[1:]):
        first = block.start - 1 - _LINES_ABOVE
        some = tuple(lines[first : block.end - _LINES_ABOVE])
        if block.kind == "table_head":
            head = " ".join(some[0].text.replace("|", " ").split())
            if not after or after.kind != "row":
                yield Block("row", some[:1])
        elif block.kind == "row":
            yield Block("row", some, above=(head,))
        elif block.kind in ("heading", "bullet", "fence"):
            yield Block("code" if block.kind == "fence" else block.kind, some, block.level)
        elif _BOLD.match(some[0].text) and not (first and lines[first - 1].text.strip()):
            yield Block("heading", some[:1], _BOLD_LEVEL)
            yield from [Block("paragraph", some[1:])] if some[1:] else ()
        else:
            yield Block("paragraph", some)


def unmarked(line: str) -> str:
    """Return what a bullet says: no marker, no checkbox."""
    marker = _BULLET.match(line)
    said = line[marker.end() :] if marker else line.strip(" \t")
    box = _CHECKBOX.match(said)
    return said[box.end() :] if box else said


def marked(line: str) -> int | None:
    """Return how deep a bullet stands; None for a line that begins none."""
    found = _BULLET.match(line)
    return len(found[1].expandtabs(_NESTED)) if found else None


LARGEST, LARGEST_CODE = 480, 1600
"""Letters of a piece: a longer limit finds less of long messages, a shorter one less of turns."""
_SENTENCE = re.compile(r"(?<=[.!?…;:])\s+|(?<=[\u3002\uff01\uff1f\uff1b])")


class Piece(Struct, frozen=True, gc=False):
    """A part of a block that says enough to be found; several may stand on one long line."""

    start: int
    end: int
    text: str


def pieces(block: Block) -> Iterator[Piece]:
    """Yield the pieces of a block: all of it where it is short, else by bullets, lines, sentences, letters."""
    most = LARGEST_CODE if block.kind == "code" else LARGEST
    if sum([len(row.text) + 1 for row in block.rows]) <= most:
        yield _piece(block.rows)
        return
    for rows in _groups(block, most):
        if len(rows) == 1 and len(rows[0].text) > most:
            number = rows[0].number
            yield from (Piece(number, number, text) for text in sentences(rows[0].text, most))
        else:
            yield _piece(rows)


def _piece(rows: tuple[Row, ...]) -> Piece:
    said = "\n".join([row.text for row in rows]) if len(rows) > 1 else rows[0].text
    return Piece(rows[0].number, rows[-1].number, said.strip())


def _groups(block: Block, most: int) -> Iterator[tuple[Row, ...]]:
    """Yield lines that stand together: a new bullet or a blank line begins another group, and so does a full one."""
    group: list[Row] = []
    size, blank = 0, False
    for row in block.rows:
        if not row.text.strip():
            blank = True
            continue
        begins = blank or (block.kind != "code" and marked(row.text) is not None)
        if group and ((begins and size > most // 3) or size + len(row.text) > most):
            yield tuple(group)
            group, size = [], 0
        group.append(row)
        size, blank = size + len(row.text) + 1, False
    if group:
        yield tuple(group)


def sentences(line: str, most: int) -> Iterator[str]:
    """Yield parts of a long line, each of at most so many letters: sentences where there are any, else words."""
    held = ""
    for said in _SENTENCE.split(line):
        if held and len(held) + len(said) >= most:
            yield held
            held = ""
        held = f"{held} {said}" if held else said
        while len(held) > most:
            cut = held.rfind(" ", most // 2, most)
            cut = cut if cut > 0 else most
            yield held[:cut]
            held = held[cut:].lstrip()
    if held.strip():
        yield held


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
                yield from blocks(group)
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
        yield from blocks(group)
    elif len(group) == 1:
        yield Block("turn", (group[0],), speaker=speaker)
    else:
        for block in blocks(group):  # headings inside it are words like any other
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


def chunks(text: str) -> tuple[Chunk, ...]:
    """Return the chunks of a file in order.

    Where one begins depends on the structure around it alone, so that lines added above move nothing else.
    """
    said = rows(text)
    talk = talk_in(said)
    found = _chunks(turn_blocks(said, talk) if talk else blocks(said), talk)
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


def _chunks(found: Iterator[Block], talk: Talk | None) -> Iterator[Chunk]:
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
        for piece in pieces(block):
            yield Chunk(piece.start, piece.end, piece.text, above, block.speaker if talk else "", chat, day)


def _enter(block: Block, heads: dict[int, str], days: dict[int, date]) -> None:
    """Note a heading, and forget those that it ends."""
    for level in [level for level in heads if level >= block.level]:
        del heads[level]
        days.pop(level, None)
    title = block.text
    heads[block.level] = title
    found = DAY.search(title)
    day = parse_date(found[0]) if found else None
    if day:
        days[block.level] = day
