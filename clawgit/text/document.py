"""Markdown as a run of line spans."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from io import StringIO
from itertools import groupby
from typing import TYPE_CHECKING
from zlib import crc32

from msgspec import Struct

from clawgit.errors import Advice, section_missing
from clawgit.text.spelling import nearest
from clawgit.text.yaml_reader import read_front_matter

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token


_HEADS = r"\#{1,6}(?:[ \t]|$)|[-+*](?:[ \t]|$)|>|`{3,}(?![^`]*`)|~~~|=+[ \t]*$|-+[ \t]*$|\[[ xX]\](?:[ \t]|$)"
_RULE = r"([-*_])(?:[ \t]*\3){2,}[ \t]*$"
_HTML = r"<(?![a-z][a-z0-9+.-]*:)[A-Za-z/!?]|\\[-#+*>`~=_<\[\\]"
_NUMBER = r"(?P<number>\d{1,9})(?=[.)](?:[ \t]|$)|\\[.)\\])"
_DANGER = re.compile(rf"(?P<space>[ \t]*)(?:{_NUMBER}|(?={_HEADS}|{_RULE}|{_HTML}))")
_ESCAPED = re.compile(r"\A([ \t]*)(?:(\d{1,9})\\([.)\\])|\\([-#+*>`~=_<\[\\]))")


ABOVE = "above\n\n"
"""Lines to put above a part of a text, so that a line of dashes in it opens no front matter."""


def escape(line: str) -> str:
    r"""Put a backslash before a heading, list, quote, fence, rule or HTML at the begin of the line."""
    match = _DANGER.match(line)
    return line[: match.end()] + "\\" + line[match.end() :] if match else line


def unescape(line: str) -> str:
    """Take that backslash away."""
    return _ESCAPED.sub(r"\1\2\3\4", line)


_BLANK = " \t\r\n"


def split(text: str) -> list[str]:
    r"""Return the lines with their ends; joined they are the text. Only "\n" ends a line."""
    return StringIO(text).readlines()


LONGEST_LINE, LONGEST_WORD = 1 << 16, 1 << 14
"""Letters of a line, and of a word in it, that are read whole; longer ones, such as pictures, fit into no prompt."""
_LONG_WORD = re.compile(f"[!-~]{{{LONGEST_WORD}}}")
_END, CLIPPED = 1000, re.compile(r"… \([\d,]+ letters, [0-9a-f]{8}\)")


def is_long(line: str) -> bool:
    """Return whether of a line only the first and last words are read."""
    return len(line) > LONGEST_LINE or (len(line) >= LONGEST_WORD and _LONG_WORD.search(line) is not None)


def clip_line(line: str) -> str:
    """Return the first and last words of a longer line, with its length and a hash between: no two become one."""
    if not is_long(line):
        return line
    first, last = line[:_END].rpartition(" ")[0], line[-_END:].partition(" ")[2]
    return f"{first} … ({len(line):,} letters, {crc32(line.encode('utf-8', 'surrogatepass')):08x}) {last}".rstrip()


def clip_lines(text: str) -> str:
    """Return a text with long lines shortened, each on its line."""
    return text if len(text) < LONGEST_WORD else "\n".join(map(clip_line, text.split("\n")))


def eol(text: str) -> str:
    r"""Return the line ending most lines have: "\n" or "\r\n"; "\n" on a tie or without any."""
    carriage = text.count("\r\n")
    return "\r\n" if carriage > text.count("\n") - carriage else "\n"


def uniform(text: str) -> str | None:
    """Return the one line ending of all lines, "" without any, None when they are mixed."""
    if "\n" not in text:
        return ""
    return None if 0 < text.count("\r\n") < text.count("\n") else eol(text)


def end_of(line: str) -> str:
    r"""Return the end of this line: "\r\n", "\n" or ""."""
    if line.endswith("\r\n"):
        return "\r\n"
    return "\n" if line.endswith("\n") else ""


def content(line: str) -> str:
    """Return the line without its end."""
    return line.removesuffix(end_of(line))


def is_blank(line: str) -> bool:
    """Return whether Markdown sees nothing on this line."""
    return not line.strip(_BLANK)


def ends_with_newline(text: str) -> bool:
    """Return whether a line appended to `text` would start at a line's start."""
    return not text or text.endswith("\n")


def convert(text: str, ending: str) -> str:
    r"""Give every line the same ending; a "\r" that belongs to the content stays."""
    if uniform(text) in {ending, ""}:
        return text
    return "".join(content(line) + fill(content(line), ending) if end_of(line) else line for line in split(text))


def fill(line: str, ending: str) -> str:
    r"""Return the ending that `line` can take: after a bare "\r" only "\r\n" keeps the content apart."""
    # Behind a bare "\r" a "\n" would be read as one "\r\n".
    return "\r\n" if line.endswith("\r") else ending


def join_lines(rows: list[str], ending: str, *, final: bool) -> str:
    """Join lines so that none runs into the next; `final`: the last one gets an end."""
    text = "".join(row if end_of(row) else row + fill(row, ending) for row in rows)
    return text if final or not rows or not content(rows[-1]) else content(text)


_LONE_CR = re.compile("\r(?!\n)")
_COMMENT = re.compile(r"\s*<!--(?:(?!-->).)*-->\s*", re.DOTALL)
_LEAVES = {
    "heading_open": "heading",
    "paragraph_open": "paragraph",
    "fence": "fence",
    "code_block": "code",
    "html_block": "html",
    "hr": "rule",
    "blockquote_open": "quote",
}


_NO_PROSE = frozenset(" \t#-*+>|0123456789")
"""Prose begins with none of these."""


class Block(Struct, frozen=True):
    """Lines `start` to `end` (from 1, both inside) of one kind.

    Kinds: front_matter heading bullet continuation table_head row paragraph fence code html comment quote
    rule blank. `level` is a heading's 1 to 6 or a bullet's depth from 1, else 0. A continuation is text of a
    bullet after its nested ones.
    """

    kind: str
    start: int
    end: int
    level: int = 0


class Document(Struct, frozen=True):
    """A text as lines (with their ends), the blocks that cover them without a gap, and the lines of fenced code."""

    lines: tuple[str, ...]
    blocks: tuple[Block, ...]
    fenced: frozenset[int] = frozenset()


def split_blocks(text: str) -> list[str]:
    """Return the lines of a text, the second of two rules around prose at its beginning so that it is no heading."""
    rows, front = split(text), read_front_matter(text)
    end = front.size - 1
    if end > 0 and not front.values and all(row.strip() and row[0] not in _NO_PROSE for row in rows[1:end]):
        rows[end : front.size] = [row.replace("-", "*") for row in rows[end : front.size]]
    return rows


@lru_cache(maxsize=16)
def parse_document(text: str) -> Document:
    """Divide any text into blocks, whose sources are the text again."""
    rows = split(text)
    owners: list[tuple[int, str, int]] = [(0, "paragraph", 0)] * len(rows)
    head = read_front_matter(text).lines
    owners[:head] = [(0, "front_matter", 0)] * head
    # Blank lines instead of the front matter keep all line numbers.
    source = "\n" * head + "".join(split_blocks(text)[head:])
    # For markdown-it a bare "\r" ends a line, for us only "\n" does.
    tokens = _parser().parse(_LONE_CR.sub(" ", source).replace("\0", " ").removeprefix("\ufeff"))
    for number, (kind, level, start, end) in enumerate(_list_token_spans(tokens), start=1):
        owners[start:end] = [(number, kind, level)] * (min(end, len(rows)) - start)
    spans = (token.map for token in tokens if token.type == "fence" and token.map)
    fenced = frozenset(line for start, end in spans for line in range(start + 1, end + 1))
    return Document(tuple(rows), tuple(_group_blocks(rows, owners)), fenced)


def fenced_lines(text: str) -> frozenset[int]:
    """Return the lines of fenced code, from 1; most texts have none, which needs no parser."""
    return parse_document(text).fenced if "```" in text or "~~~" in text else frozenset()


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt  # noqa: PLC0415 - 40 ms that triage must not pay

    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])  # spans are all we want
    parser.block.ruler.disable("reference")  # or its lines would belong to nothing
    return parser


def _list_token_spans(tokens: "list[Token]") -> Iterator[tuple[str, int, int, int]]:
    """Yield kind, level, first line and line after it; an inner span comes after its outer one."""
    depth = quote_depth = head = 0
    for token in tokens:
        head += token.nesting if token.type.startswith("thead") else 0
        quote_depth += token.nesting if token.type.startswith("blockquote") else 0
        depth += token.nesting if token.type.startswith("list_item") else 0
        # A quote is one block, with all that is in it.
        if token.map is None or quote_depth > (token.type == "blockquote_open"):
            continue
        start, end = token.map
        if token.type == "list_item_open":
            yield "bullet", depth, start, end
        elif depth:
            continue
        elif token.type == "thead_open":
            yield "table_head", 0, start, end + 1
        elif token.type == "tr_open" and not head:
            yield "row", 0, start, end
        elif token.type in _LEAVES:
            level = int(token.tag[1]) if token.type == "heading_open" else 0
            yield _LEAVES[token.type], level, start, end


def _group_blocks(rows: list[str], owners: list[tuple[int, str, int]]) -> Iterator[Block]:
    numbers: set[int] = set()
    line_number = 1
    for (number, kind, level), run in groupby(owners):
        end = line_number + len(list(run)) - 1
        # Without a filled line `first` is behind `last`, and the whole run is one blank block.
        filled = [line for line in range(line_number, end + 1) if not is_blank(rows[line - 1])] or [end + 1, end]
        first, last = filled[0], filled[-1]
        if first > line_number:
            yield Block("blank", line_number, first - 1)
        if first <= last:
            is_comment = kind == "html" and _COMMENT.fullmatch("".join(rows[first - 1 : last]))
            is_continued = kind == "bullet" and number in numbers
            yield Block("comment" if is_comment else "continuation" if is_continued else kind, first, last, level)
        if last < end:
            yield Block("blank", last + 1, end)
        numbers.add(number)
        line_number = end + 1


_CLOSING = re.compile(r"(?:^|[ \t])#+[ \t]*$")
_STEP = re.compile(r"\s+>\s+")
_HEADING = re.compile(r"(#{1,6})[ \t]+[^ \t\r\n][^\r\n]*(?:\r?\n[ \t\r\n]*)?")


class Section(Struct, frozen=True):
    """A heading on lines `line` to `body` - 1, its text on `body` to `end`, subsections included.

    `path` are the titles from the outermost heading to this one.
    """

    title: str
    level: int
    line: int
    body: int
    end: int
    path: tuple[str, ...]


def sections(text: str) -> tuple[Section, ...]:
    """Return all sections in the order of their headings."""
    document = parse_document(text)
    heads = [block for block in document.blocks if block.kind == "heading"]
    result: list[Section] = []
    outer: list[Section] = []
    for number, head in enumerate(heads):
        following = (heads[later] for later in range(number + 1, len(heads)))
        end = next((other.start - 1 for other in following if other.level <= head.level), len(document.lines))
        title = _read_title(document.lines[head.start - 1 : head.end])
        outer = [section for section in outer if section.end >= head.start]
        path = (*(section.title for section in outer), title)
        result.append(Section(title, head.level, head.start, head.end + 1, end, path))
        outer.append(result[-1])
    return tuple(result)


def find_section(text: str, title: str) -> Section:
    """Return the first section of that title, or of "outer > inner", where the one is directly in the other.

    Case, emphasis, spaces and leading or closing marks do not count. Raises ClawgitError that names the
    nearest titles.
    """
    all_ = sections(text)
    folded_title = " > ".join(map(_fold, _STEP.split(title)))
    for section in all_:
        if f" > {' > '.join(map(_fold, section.path))}".endswith(f" > {folded_title}"):
            return section
    titles = list(dict.fromkeys(section.title for section in all_))
    matches = nearest(_STEP.split(title)[-1], titles) or titles[:5]
    fix = Advice("use one of: " + ", ".join(matches) if matches else "add a heading to the file first")
    raise section_missing(f"no section “{title}”", fix=fix)


def section_titles(text: str) -> list[str]:
    """Return the title above each line, "" above the first heading."""
    rows = [""] * len(split(text))
    for section in sections(text):  # inner ones overwrite
        rows[section.line - 1 : section.end] = [section.title] * (section.end - section.line + 1)
    return rows


def _fold(title: str) -> str:
    plain = re.sub(r"[*_`~]", "", _CLOSING.sub("", title.strip().lstrip("#")))
    return " ".join(unicodedata.normalize("NFKC", plain).casefold().split())


def read_heading(text: str) -> tuple[int, str] | None:
    """Return level and title of a text that is one heading with `#`; no parser is needed."""
    match = _HEADING.fullmatch(text)
    return (len(match[1]), _read_title(split(text)[:1])) if match else None


def _read_title(lines: Sequence[str]) -> str:
    rows = [clip_line(content(row).strip(" \t")) for row in lines]
    rows[0] = rows[0].removeprefix("\ufeff")
    if len(rows) > 1:
        return " ".join(rows[:-1])
    return _CLOSING.sub("", rows[0].lstrip(" \t").lstrip("#")).strip(" \t")


def lowered(text: str, top: int) -> str:
    """Return a text with its headings moved down alike, so that the highest is at level `top`, 1 to 6."""
    heads = sections(f"{ABOVE}{text}")
    shift = top - min((head.level for head in heads), default=top)
    rows = f"{ABOVE}{text}".split("\n")
    for head in reversed(heads) if shift > 0 else ():
        rows[head.line - 1 : head.body - 1] = [f"{'#' * min(6, head.level + shift)} {head.title}"]
    return "\n".join(rows).removeprefix(ABOVE)
