"""Scans Markdown and conversations, and cuts them into chunks."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import groupby, zip_longest

from msgspec import Struct
from msgspec.structs import replace

from clawgit.language.dates import parse_date
from clawgit.text import document
from clawgit.text.yaml_reader import read_front_matter

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


class Block(Struct, frozen=True, gc=False):
    """Lines with one statement, without comments; the first one has the number `start`.

    `above` are the parents of a nested bullet, or the head of a table.
    """

    kind: str
    start: int
    lines: tuple[str, ...]
    level: int = 0
    above: tuple[str, ...] = ()
    speaker: str = ""

    @property
    def text(self) -> str:
        """The text of the lines; of a heading its title."""
        if self.kind != "heading":
            return "\n".join(self.lines)
        first = " ".join(self.lines[:-1] or self.lines)
        match = ATX.match(first) or _BOLD.match(first)
        return (match[match.lastindex or 0] if match and match.lastindex else first).strip(" \t#*_:")


def list_visible_rows(text: str) -> list[str]:
    """Return every line without comments, those of front matter empty; a line emptied by that counts as blank."""
    first = read_front_matter(text).lines
    return [""] * first + _uncommented(text)[first:]


_CODE_OR_COMMENT = re.compile(r"(?P<code>`[^`\n]*`)|<!--.*?-->", re.DOTALL)


def _uncommented(text: str) -> list[str]:
    """Return the lines with HTML comments outside of code blanked out. One that nobody closes is text."""
    fenced = document.fenced_lines(text)
    lines = text.removeprefix("\ufeff").replace("\0", " ").split("\n")
    if "<!--" in text:
        parts = []
        for is_fenced, group in groupby(enumerate(lines, 1), key=lambda row: row[0] in fenced):
            part = "\n".join(line for _, line in group)
            parts.append(part if is_fenced else _blank_comments(part))
        lines = "\n".join(parts).split("\n")
    return [document.clip_line(line.rstrip("\r \t")) for line in lines]


def _blank_comments(text: str) -> str:
    before, mark, after = text.rpartition("-->")  # behind it nothing is closed, nor looked for
    return _CODE_OR_COMMENT.sub(lambda match: match["code"] or "\n" * match[0].count("\n"), before + mark) + after


def blocks(lines: Sequence[str], start: int = 1) -> Iterator[Block]:
    """Yield headings, bullets with their nested ones, rows of tables, code and paragraphs."""
    block_list = _scan(lines) or _join_nested(_parse(lines))
    head = ""
    for block, after in zip_longest(block_list, block_list[1:]):
        first = block.start - 1
        number, rows = start + first, tuple(lines[first : block.end])
        if block.kind == "table_head":
            head = " ".join(rows[0].replace("|", " ").split())
            if not after or after.kind != "row":
                yield Block("row", number, rows[:1])
        elif block.kind == "row":
            yield Block("row", number, rows, above=(head,))
        elif block.kind in ("heading", "bullet", "fence"):
            yield Block("code" if block.kind == "fence" else block.kind, number, rows, block.level)
        elif _BOLD.match(rows[0]) and not (first and lines[first - 1].strip()):
            yield Block("heading", number, rows[:1], _BOLD_LEVEL)
            yield from [Block("paragraph", number + 1, rows[1:])] if rows[1:] else ()
        else:
            yield Block("paragraph", number, rows)


def _join_nested(all_blocks: Iterable[document.Block]) -> list[document.Block]:
    """Return the blocks with text, each bullet with its nested ones."""
    result: list[document.Block] = []
    for block in all_blocks:
        is_nested = block.kind == "continuation" or (block.kind == "bullet" and block.level > 1)
        if is_nested and result:
            result[-1] = replace(result[-1], end=block.end)
        elif block.kind not in _EMPTY:
            result.append(block)
    return result


def _parse(lines: Sequence[str]) -> Iterator[document.Block]:
    for block in document.parse_document(document.ABOVE + "\n".join(lines)).blocks[2:]:
        yield replace(block, start=block.start - _LINES_ABOVE, end=block.end - _LINES_ABOVE)


_TEXT = r"(?![0-9]{1,9}[.)](?:\s|$))(?:[^\s#>+*=~|<_:-]|\*\*?[^\s*])"
"""The beginning of text that Markdown takes for nothing else."""
_SIMPLE = re.compile(
    rf"(?P<heading>\#{{1,6}})(?:[ \t]|$)|(?P<bullet>[-*+]|[0-9]{{1,9}}[.)])[ ]{_TEXT}|(?P<paragraph>){_TEXT}"
    rf"|(?P<continuation>[ ]{{2,}})(?:(?:[-*+]|[0-9]{{1,9}}[.)])[ ])?{_TEXT}"
)


def _scan(lines: Sequence[str]) -> list[document.Block]:
    """Return the blocks of lines that are headings, bullets and paragraphs alone, as the parser does.

    None if there are other lines: these need the parser.
    """
    result: list[document.Block] = []
    kind = marker = ""
    for number, line in enumerate(lines, 1):
        if not line:
            kind = ""
            continue
        match = _SIMPLE.match(line)
        if match is None or "```" in line or "~~~" in line:
            return []
        new_kind, mark = str(match.lastgroup), match[match.lastgroup or 0]
        is_numbered = new_kind == "bullet" and mark[0].isdigit()
        # A number begins no list within a paragraph, and a continuation is as far to the right as the text of a bullet.
        if is_numbered and kind and not (kind == "bullet" and marker[-1] == mark[-1]):
            return []
        if new_kind == "continuation" and (kind != "bullet" or len(mark) <= len(marker)):
            return []
        if new_kind == "continuation" or (new_kind == "paragraph" and kind in ("bullet", "paragraph")):
            result[-1] = replace(result[-1], end=number)
            continue
        kind, marker = ("" if new_kind == "heading" else new_kind), mark
        result.append(document.Block(new_kind, number, number, {"heading": len(mark), "bullet": 1}.get(new_kind, 0)))
    return result


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


def cut_block(block: Block) -> Iterator[tuple[int, int, str]]:
    """Yield the pieces of a block, each with its first and last line.

    A short block is one; else it is cut by bullets, lines, sentences, letters.
    """
    limit = LARGEST_CODE if block.kind == "code" else LARGEST
    if sum([len(line) + 1 for line in block.lines]) <= limit:
        yield block.start, block.start + len(block.lines) - 1, "\n".join(block.lines).strip()
        return
    for group in _groups(block, limit):
        (start, line), (end, _) = group[0], group[-1]
        if len(group) == 1 and len(line) > limit:
            yield from ((start, end, text) for text in sentences(line, limit))
        else:
            yield start, end, "\n".join(line for _, line in group).strip()


def _groups(block: Block, limit: int) -> Iterator[list[tuple[int, str]]]:
    """Yield groups of numbered lines: a new bullet or a blank line begins another group, and so does a full one."""
    group: list[tuple[int, str]] = []
    size, blank = 0, False
    for number, line in enumerate(block.lines, block.start):
        if not line.strip():
            blank = True
            continue
        begins = blank or (block.kind != "code" and measure_bullet(line) is not None)
        if group and ((begins and size > limit // 3) or size + len(line) > limit):
            yield group
            group, size = [], 0
        group.append((number, line))
        size, blank = size + len(line) + 1, False
    if group:
        yield group


def sentences(line: str, limit: int) -> Iterator[str]:
    """Yield parts of a long line, each of at most so many letters: sentences if there are any, else words."""
    buffer = ""
    for sentence in _SENTENCE.split(line):
        if buffer and len(buffer) + len(sentence) >= limit:
            yield buffer
            buffer = ""
        buffer = f"{buffer} {sentence}" if buffer else sentence
        while len(buffer) > limit:
            cut = buffer.rfind(" ", limit // 2, limit)
            cut = cut if cut > 0 else limit
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


def talk_in(lines: Sequence[str]) -> Talk | None:
    """Return the speakers, if the file is a conversation: a few names that begin line after line."""
    turns = [(line, match["name"]) for line in lines if (match := _match_turn(line)) and not ATX.match(line)]
    if len(turns) < 2:  # noqa: PLR2004 - a question and its answer
        return None
    count = sum(1 for line in lines if line.strip() and not ATX.match(line))
    names = Counter(name for _, name in turns)
    roles = {name for name in names if name.lower() in _ROLES}
    speakers = frozenset(roles if len(roles) > 1 else (name for name in names if names[name] > 1 or name in roles))
    lengths = [len(text) for text, name in turns if name in speakers]
    is_most = len(lengths) >= _SHARE * count
    if len(roles) < 2 and not (len(lengths) >= _FEWEST and is_most):  # noqa: PLR2004 - a question and its answer
        return None
    if not 1 < len(speakers) <= _MOST_SPEAKERS:
        return None
    return Talk(speakers, sorted(lengths)[len(lengths) * 3 // 4] < _SHORT and is_most)


def _match_turn(line: str) -> "re.Match[str] | None":
    """Return the speaker's name in a line; most have no colon, and are skipped at once."""
    return _TURN.match(line) if ":" in line or "\uff1a" in line else None


def turn_blocks(lines: Sequence[str], talk: Talk) -> Iterator[Block]:
    """Yield the blocks of a conversation; lines of a speaker below a turn belong to it."""
    speaker, first = "", 0
    for index, line in enumerate(lines):
        turn = _match_turn(line)
        name = turn["name"] if turn and turn["name"] in talk.speakers else ""
        if name or ATX.match(line):
            yield from _split_turn(lines[first:index], first + 1, speaker)
            speaker, first = name, index
            if not name:
                yield from blocks([line], index + 1)
                first = index + 1
    yield from _split_turn(lines[first:], first + 1, speaker)


def _split_turn(lines: Sequence[str], start: int, speaker: str) -> Iterator[Block]:
    """Yield the blocks of one turn: one, or several if the speaker wrote a letter."""
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    if not speaker and lines:
        yield from blocks(lines, start)
    elif len(lines) == 1:
        yield Block("turn", start, (lines[0],), speaker=speaker)
    elif lines:
        for block in blocks(lines, start):  # headings inside it are words like any other
            kind = "paragraph" if block.kind == "heading" else block.kind
            yield replace(block, kind="turn" if block.start == start else kind, speaker=speaker)


def voice(speaker: str) -> str:
    """Return the word by which a speaker is named: a first name in lower case, or a role."""
    first = next(iter(speaker.split()), "").strip("*_<>:.,'").lower()
    return _ROLES.get(first, first)


def strip_speaker(text: str, speaker: str) -> str:
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
    rows = list_visible_rows(text)
    talk = talk_in(rows)
    chunk_list = _chunks(turn_blocks(rows, talk) if talk else blocks(rows), talk)
    if "<!--" not in text:
        return tuple(chunk_list)
    lines = text.split("\n")
    return tuple(_add_notes(chunk, "\n".join(lines[chunk.start - 1 : chunk.end])) for chunk in chunk_list)


_NOTE = re.compile(r"<!--[ \t]*(trigger|importance|project)[ \t]*:[ \t]*([^>\n]*?)[ \t]*-->", re.IGNORECASE)


def _add_notes(chunk: Chunk, lines: str) -> Chunk:
    """Return a chunk with the data in comments of OpenClaw's on its lines (its `memory-entry annotations`)."""
    notes = [(name.lower(), value) for name, value in _NOTE.findall(lines)]
    triggers = " ".join(value.replace(",", " ") for name, value in notes if name == "trigger")
    marks = [int(value) for name, value in notes if name == "importance" and re.fullmatch("[0-9]{1,3}", value)]
    project = next((value for name, value in notes if name == "project"), "")
    return replace(chunk, triggers=triggers, importance=min(max(marks, default=0), _MOST_IMPORTANT), project=project)


def _chunks(all_blocks: Iterator[Block], talk: Talk | None) -> Iterator[Chunk]:
    heads: dict[int, tuple[str, date | None]] = {}
    titles, day = "", None
    turns = "turn" if talk and talk.short else ""
    for block in all_blocks:
        if block.kind == "heading":
            match = DAY.search(block.text)
            heads = {level: head for level, head in heads.items() if level < block.level}
            heads[block.level] = block.text, parse_date(match[0]) if match else None
            titles = BETWEEN.join(title for title, _ in heads.values())
            day = next((day for _, day in reversed(heads.values()) if day), None)
            if block.level == 1 or not block.lines[1:]:
                continue
            block = Block("paragraph", block.start, block.lines[:-1])  # noqa: PLW2901 - a rule was meant as often
        trail = BETWEEN.join((*([titles] if heads else []), *block.above)) if block.above else titles
        for start, end, text in cut_block(block):
            yield Chunk(start, end, text, trail, block.speaker if talk else "", block.kind == turns, day)
