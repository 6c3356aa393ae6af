"""Reads the entries of many versions of a file."""

import re
from collections.abc import Iterator
from functools import cached_property, lru_cache
from itertools import pairwise

from msgspec import Struct

from clawgit.text.document import ABOVE, clip_line, parse_document, read_heading, sections, split_blocks
from clawgit.text.entry import ENTRY_KINDS, flatten, hash_normal, normalise, read_block, remove_comments, split_tags
from clawgit.text.unit import closes_fence, fence
from clawgit.text.yaml_reader import read_front_matter

_MAX_PIECES = 50_000
_ROWS_ABOVE = 2
_BLANK = " \t\r\n"

_BEGIN = re.compile(r"(?:#{1,6}|[-*+])[ \t]+(?=[^ \t\r\n])")
_CLOSING = re.compile(" {0,3}[`~]")
_ODD = re.compile(r"[ \t]*(?:<|[-*+>0-9][-*+>0-9.) \t]*(?:`{3}|~{3}))")
"""HTML, and code that begins an item of a list: only the whole text can be parsed."""
_PLAIN = re.compile(r"[-*+] [^\W\d_][^\r\n\0]*(?:\r?\n[ \t\r\n]*)?")
"""A bullet of one line, as no parser would read it otherwise."""
_COMMENT = re.compile(r"<!--(?:(?!-->).)*-->$")

_WORD = re.compile(r"\w\S*")
_DENSE_LETTER = re.compile("[\u2e80-\U0003ffff]")


class Statement(Struct, frozen=True, eq=False, dict=True):
    """The words of an entry: `key` is the digest of its text, `form` that of its text without emphasis."""

    kind: str
    text: str
    key: str
    form: str
    tag: str | None = None

    @cached_property
    def plain(self) -> str:
        """The text, normalised and without emphasis."""
        return flatten(normalise(self.text))

    @cached_property
    def words(self) -> int:
        """The number of its words; in scripts without spaces two letters are one."""
        dense = 0 if self.plain.isascii() else len(_DENSE_LETTER.findall(self.plain))
        return dense // 2 + len(_WORD.findall(_DENSE_LETTER.sub(" ", self.plain) if dense else self.plain))


class PlacedStatement(Struct, frozen=True, gc=False):
    """A statement on lines `start` to `end` of a version, below the headings `section`."""

    statement: Statement
    start: int
    end: int
    section: tuple[str, ...]


_Heading = tuple[int, str]
_Piece = tuple[tuple[int, int, Statement | _Heading], ...]
"""Entries and headings of a piece, each with its first and last line, from 1."""


class EntryReader:
    """Reads versions of files: a piece of a file that was read before is not parsed again.

    A piece begins with a block that is in no other, and so reads the same whatever is above it.
    """

    def __init__(self) -> None:
        self._pieces: dict[str, _Piece] = {}

    def read(self, text: str) -> list[PlacedStatement]:
        """Return the same as `entry.entries`, in order."""
        pieces = list(_divide(text))
        result: list[PlacedStatement] = []
        headings: list[_Heading] = []
        section: tuple[str, ...] = ()
        for first, source in pieces:
            if source not in self._pieces:
                self._pieces[source] = tuple(self._parse_piece(source))
            for start, end, part in self._pieces[source]:
                if isinstance(part, Statement):
                    result.append(PlacedStatement(part, first + start, first + end, section))
                else:
                    headings = [*(outer for outer in headings if outer[0] < part[0]), part]
                    section = tuple(title for _, title in headings)
        if len(self._pieces) > _MAX_PIECES:  # remember this version alone
            self._pieces = {source: self._pieces[source] for _, source in pieces}
        return result

    def _parse_piece(self, source: str) -> Iterator[tuple[int, int, Statement | _Heading]]:
        """Yield the entries and headings of a piece, each with its first and last line, from 1."""
        if _PLAIN.fullmatch(source):  # as no parser would read it otherwise
            words, tag, _ = split_tags(remove_comments(clip_line(source[2:].rstrip(_BLANK))))
            yield 1, 1, make_statement("bullet", words, tag)
        elif heading := read_heading(source):
            yield 1, 1, heading
        else:
            text = ABOVE + source
            document = parse_document(text)
            has_heading = any(block.kind == "heading" for block in document.blocks)
            titles = {head.line: (head.level, head.title) for head in sections(text)} if has_heading else {}
            for block in document.blocks[2:]:
                start, end, kind = block.start - _ROWS_ABOVE, block.end - _ROWS_ABOVE, ENTRY_KINDS.get(block.kind)
                words, tag, *_ = read_block(document, block) if kind else ("", None)
                if kind and words.strip():
                    yield start, end, make_statement(kind, words, tag)
                elif block.start in titles:
                    yield start, end, titles[block.start]


@lru_cache(_MAX_PIECES)
def make_statement(kind: str, text: str, tag: str | None) -> Statement:
    """Return the statement of these words, the same one each time."""
    normal = normalise(text)
    key, plain = hash_normal(normal), flatten(normal)
    return Statement(kind, text, key, key if plain == normal else hash_normal(plain), tag)


def _is_end(row: str, mark: str, indent: str) -> bool:
    """Return whether a line ends the code that `mark` began, in an item of a list with the same `indent`."""
    is_placed = row.startswith(indent + mark[0]) if indent else _CLOSING.match(row)
    return bool(is_placed) and closes_fence(row, mark)


def _divide(text: str) -> Iterator[tuple[int, str]]:
    """Yield the pieces, each with the number of lines above it; one piece if the division is unknown.

    A piece begins with a heading, an item of a list or the line after a blank one, if it is not indented.
    """
    rows = split_blocks(text)
    head = read_front_matter(text).lines
    if not head and rows and rows[0].startswith("\ufeff"):
        rows[0] = rows[0][1:]
    starts, mark, indent, fresh = [head], "", "", False
    for number in range(head, len(rows)):
        row, bare = rows[number], rows[number].strip(_BLANK)
        if mark:
            if _is_end(row, mark, indent):
                mark = ""
            elif indent and bare and (row[0] not in _BLANK or bare[0] in "<`~"):
                starts = [head]  # only the parser can tell where such code ends
                break
        elif not bare:
            fresh = True
        elif _ODD.match(row) and not _COMMENT.match(bare):
            starts = [head]
            break
        else:
            indent = row[: row.index(bare[0])]
            if not indent and number > head and (fresh or _BEGIN.match(row)):
                starts.append(number)
            mark, fresh = fence(bare), row[0] == "#" and _BEGIN.match(row) is not None
    for first, after in pairwise((*starts, len(rows))):
        yield first, "".join(rows[first:after])
