"""Scans Markdown and conversations, and cuts them into chunks."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import zip_longest

from msgspec import Struct
from msgspec.structs import replace

from clawgit.language.dates import parse_date
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
    """Lines with one statement. `above` are the parents of a nested bullet, or the head of a table."""

    kind: str
    rows: tuple[Row, ...]
    level: int = 0
    above: tuple[str, ...] = ()
    speaker: str = ""

    @property
    def text(self) -> str:
        """The text of the lines; of a heading its title."""
        body = "\n".join(row.text for row in self.rows)
        if self.kind != "heading":
            return body
        first = " ".join(row.text for row in self.rows[:-1] or self.rows)
        match = ATX.match(first) or _BOLD.match(first)
        return (match[match.lastindex or 0] if match and match.lastindex else first).strip(" \t#*_:")


def rows(text: str) -> list[Row]:
    """Return the lines, without front matter and comments; a line emptied by that counts as blank."""
    first = read_front_matter(text).lines
    return [Row(number, line) for number, line in enumerate(_uncommented(text)[first:], first + 1)]


def list_visible_rows(text: str) -> list[str]:
    """Return every line as `rows` has it, those of front matter empty."""
    first = read_front_matter(text).lines
    return [""] * first + _uncommented(text)[first:]


def _uncommented(text: str) -> list[str]:
    """Return the lines with HTML comments outside of code blanked out. One that nobody closes is text."""
    fenced = document.fenced_lines(text)
    lines = text.removeprefix("\ufeff").replace("\0", " ").split("\n")
    last = max((number for number, line in enumerate(lines) if "-->" in line), default=-1) if "<!--" in text else -1
    open_ = False
    for number, line in enumerate(lines[: last + 1]):
        if number + 1 not in fenced:
            lines[number], open_ = _outside(line, open_=open_, closed=number < last)
    return [document.clip_line(line.rstrip("\r \t")) for line in lines]


def _outside(line: str, *, open_: bool, closed: bool) -> tuple[str, bool]:
    """Return the part of a line outside of comments, and whether one is left open that a later line has `closed`."""
    outside, offset = "", 0
    while offset < len(line):
        if open_:
            end = line.find("-->", offset)
            if end < 0:
                return outside, True
            offset, open_ = end + 3, False
            continue
        start = line.find("<!--", offset)
        coded = start >= 0 and line.count("`", 0, start) % 2
        if start < 0 or coded or not (closed or "-->" in line[start:]):
            return outside + line[offset:], False
        outside += line[offset:start]
        offset, open_ = start + 4, True
    return outside, open_


def blocks(lines: Sequence[Row]) -> Iterator[Block]:
    """Yield headings, bullets with their nested ones, rows of tables, code and paragraphs."""
    block_list: list[document.Block] = []
    for block in document.parse(document.ABOVE + "\n".join(row.text for row in lines)).blocks[2:]:
        is_nested = block.kind == "continuation" or (block.kind == "bullet" and block.level > 1)
        if is_nested and block_list:
            block_list[-1] = replace(block_list[-1], end=block.end)
        elif block.kind not in _EMPTY:
            block_list.append(block)
    head = ""
    for block, after in zip_longest(block_list, block_list[1:]):
        first = block.start - 1 - _LINES_ABOVE
        block_rows = tuple(lines[first : block.end - _LINES_ABOVE])
        if block.kind == "table_head":
            head = " ".join(block_rows[0].text.replace("|", " ").split())
            if not after or after.kind != "row":
                yield Block("row", block_rows[:1])
        elif block.kind == "row":
            yield Block("row", block_rows, above=(head,))
        elif block.kind in ("heading", "bullet", "fence"):
            yield Block("code" if block.kind == "fence" else block.kind, block_rows, block.level)
        elif _BOLD.match(block_rows[0].text) and not (first and lines[first - 1].text.strip()):
            yield Block("heading", block_rows[:1], _BOLD_LEVEL)
            yield from [Block("paragraph", block_rows[1:])] if block_rows[1:] else ()
        else:
            yield Block("paragraph", block_rows)


def unmarked(line: str) -> str:
    """Return the text of a bullet: no marker, no checkbox."""
    marker = _BULLET.match(line)
    body = line[marker.end() :] if marker else line.strip(" \t")
    box = _CHECKBOX.match(body)
    return body[box.end() :] if box else body


def measure_bullet(line: str) -> int | None:
    """Return the depth of a bullet; None for a line that begins none."""
    match = _BULLET.match(line)
    return len(match[1].expandtabs(_NESTED)) if match else None


LARGEST, LARGEST_CODE = 480, 1600
"""Letters of a piece: a longer limit finds less of long messages, a shorter one less of turns."""
_SENTENCE = re.compile(r"(?<=[.!?…;:])\s+|(?<=[\u3002\uff01\uff1f\uff1b])")


class Piece(Struct, frozen=True, gc=False):
    """A part of a block that is long enough to be found; several may be on one long line."""

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
    body = "\n".join([row.text for row in rows]) if len(rows) > 1 else rows[0].text
    return Piece(rows[0].number, rows[-1].number, body.strip())


def _groups(block: Block, most: int) -> Iterator[tuple[Row, ...]]:
    """Yield groups of lines: a new bullet or a blank line begins another group, and so does a full one."""
    group: list[Row] = []
    size, blank = 0, False
    for row in block.rows:
        if not row.text.strip():
            blank = True
            continue
        begins = blank or (block.kind != "code" and measure_bullet(row.text) is not None)
        if group and ((begins and size > most // 3) or size + len(row.text) > most):
            yield tuple(group)
            group, size = [], 0
        group.append(row)
        size, blank = size + len(row.text) + 1, False
    if group:
        yield tuple(group)


def sentences(line: str, most: int) -> Iterator[str]:
    """Yield parts of a long line, each of at most so many letters: sentences if there are any, else words."""
    buffer = ""
    for sentence in _SENTENCE.split(line):
        if buffer and len(buffer) + len(sentence) >= most:
            yield buffer
            buffer = ""
        buffer = f"{buffer} {sentence}" if buffer else sentence
        while len(buffer) > most:
            cut = buffer.rfind(" ", most // 2, most)
            cut = cut if cut > 0 else most
            yield buffer[:cut]
            buffer = buffer[cut:].lstrip()
    if buffer.strip():
        yield buffer


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
    """The speakers of a file; `short`: three turns in four are lines rather than letters."""

    speakers: frozenset[str]
    short: bool


def talk_in(lines: Sequence[Row]) -> Talk | None:
    """Return the speakers, if the file is a conversation: a few names that begin line after line."""
    turns = [(row.text, match["name"]) for row in lines if (match := _turn(row.text)) and not ATX.match(row.text)]
    if len(turns) < 2:  # noqa: PLR2004 - a question and its answer
        return None
    text_rows = [row.text for row in lines if row.text.strip() and not ATX.match(row.text)]
    names = Counter(name for _, name in turns)
    roles = {name for name in names if name.lower() in _ROLES}
    speakers = frozenset(roles if len(roles) > 1 else (name for name in names if names[name] > 1 or name in roles))
    lengths = [len(text) for text, name in turns if name in speakers]
    if len(lengths) < _FEWEST and len(roles) < 2:  # noqa: PLR2004 - a question and its answer
        return None
    if not 1 < len(speakers) <= _MOST_SPEAKERS or (len(lengths) < _SHARE * len(text_rows) and len(roles) < 2):  # noqa: PLR2004
        return None
    long = sorted(lengths)[len(lengths) * 3 // 4]
    return Talk(speakers, long < _SHORT and len(lengths) >= _SHARE * len(text_rows))


def _turn(line: str) -> "re.Match[str] | None":
    """Return the speaker's name in a line; most have no colon, and are skipped at once."""
    return _TURN.match(line) if ":" in line or "\uff1a" in line else None


def turn_blocks(lines: Sequence[Row], who: Talk) -> Iterator[Block]:
    """Yield the blocks of a conversation; lines of a speaker below a turn belong to it."""
    speaker = ""
    group: list[Row] = []
    for row in lines:
        turn = _turn(row.text)
        name = turn["name"] if turn and turn["name"] in who.speakers else ""
        if name or ATX.match(row.text):
            yield from _split_turn(group, speaker)
            speaker, group = name, [row]
            if not name:
                yield from blocks(group)
                group = []
        else:
            group.append(row)
    yield from _split_turn(group, speaker)


def _split_turn(group: list[Row], speaker: str) -> Iterator[Block]:
    """Yield the blocks of one turn: one, or several if the speaker wrote a letter."""
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
    """Return the words of a turn, without its speaker; `- Error: …` in somebody's list stays whole."""
    match = _TURN.match(text)
    return text[match.start("said") :] if match and match["name"] == speaker else text


class Chunk(Struct, frozen=True, gc=False):
    """A searchable unit: lines `start` to `end` (from 1, both inside) and their text.

    `text` has no comments; `trail` are the headings above, the parents of a nested bullet, the head of a table.
    `speaker` is set in a conversation; `chat`: its turns are short lines. `day` is the one in the nearest heading.
    `triggers`, `importance` (1 to 10, 0 if not given) and `project` come from comments of OpenClaw's on its lines.
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
    row_list = rows(text)
    talk = talk_in(row_list)
    found = _chunks(turn_blocks(row_list, talk) if talk else blocks(row_list), talk)
    if "<!--" not in text:
        return tuple(found)
    lines = text.split("\n")
    return tuple(_add_notes(chunk, "\n".join(lines[chunk.start - 1 : chunk.end])) for chunk in found)


_NOTE = re.compile(r"<!--[ \t]*(trigger|importance|project)[ \t]*:[ \t]*([^>\n]*?)[ \t]*-->", re.IGNORECASE)


def _add_notes(chunk: Chunk, lines: str) -> Chunk:
    """Return a chunk with the data in comments of OpenClaw's on its lines (its `memory-entry annotations`)."""
    notes = [(name.lower(), value) for name, value in _NOTE.findall(lines)]
    triggers = " ".join(value.replace(",", " ") for name, value in notes if name == "trigger")
    marks = [int(value) for name, value in notes if name == "importance" and re.fullmatch("[0-9]{1,3}", value)]
    project = next((value for name, value in notes if name == "project"), "")
    return replace(chunk, triggers=triggers, importance=min(max(marks, default=0), _MOST_IMPORTANT), project=project)


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
        trail = BETWEEN.join((*([titles] if heads else []), *block.above)) if block.above else titles
        chat = block.kind == turns
        for piece in pieces(block):
            yield Chunk(piece.start, piece.end, piece.text, trail, block.speaker if talk else "", chat, day)


def _enter(block: Block, heads: dict[int, str], days: dict[int, date]) -> None:
    """Note a heading, and forget those that it ends."""
    for level in [level for level in heads if level >= block.level]:
        del heads[level]
        days.pop(level, None)
    title = block.text
    heads[block.level] = title
    match = DAY.search(title)
    day = parse_date(match[0]) if match else None
    if day:
        days[block.level] = day
