"""One memory, the equality of two, and table rows."""

import os
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from msgspec import Struct

from clawgit.file_roles import journal_day
from clawgit.text.document import LONGEST_WORD, Block, Document, clip_line, content, parse_document, sections, unescape

_SCORES = re.compile(r"[ \t]*\[score=[\d.]+ (?:\w+=[\d.]+ )*source=[^\]\n]*\](?=[ \t]*$)", re.MULTILINE)
"""What OpenClaw's dreaming puts behind a line that it promotes: why it did, which is no part of the memory."""


def remove_scores(text: str) -> str:
    """Return a text without the scores at the ends of its lines."""
    return _SCORES.sub("", text) if "[score=" in text else text


TAGS = ("event", "knowledge", "skill", "decision")
STATUS = ("correction", "conflict", "superseded")

_LETTERS = "klmnopqrstuvwxyz"
_LENGTH = 10
_TAG = re.compile(r"(?:^|[ \t\n]+)#([a-z]+)$", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_ID = re.compile(rf"[k-z]{{{_LENGTH}}}")


def normalise(text: str) -> str:
    """Return the words of an entry, whatever its letters' case, width, quotes, spaces, comments or tags."""
    # The pattern of comments is slow on text without an end of a comment, so it never sees that.
    until, mark, rest = clip_line(text).rpartition("-->")
    plain = (_COMMENT.sub(" ", until + mark) if mark else "") + rest
    plain = plain if plain.isascii() else unicodedata.normalize("NFKC", plain).replace("’", "'")  # noqa: RUF001
    return split_tags(" ".join(plain.casefold().split()))[0]


def split_tags(text: str) -> tuple[str, str | None, tuple[str, ...]]:
    """Divide off trailing tags: the rest, the primary tag (the first of several), the status tags."""
    primary: str | None = None
    status: list[str] = []
    text = text.rstrip(" \t\r\n")
    while "#" in text[-40:] and (match := _TAG.search(text, max(0, len(text) - 40))):
        name = match[1].lower()
        if name in STATUS:
            status.insert(0, name)
        elif name in TAGS:
            primary = name
        else:
            break
        text = text[: match.start()].rstrip(" \t\r\n")
    return text, primary, tuple(status)


QUOTE = ">"
"""Begins a quoted line."""


CLOCK = re.compile(r"\A[*_\[(]{0,3}\d{1,2}:\d{2}[*_\]):]{0,4}\s+(?:[-–—]\s+)?")  # noqa: RUF001
"""The time of day in front of an entry of a journal."""


def remove_clock(path: str, text: str) -> str:
    """Return the words of an entry; of a journal without the time of day in front."""
    return CLOCK.sub("", text) if journal_day(path) else text


def mark_other_line(row: str) -> str:
    """Return the words of a heading, a quotation or a line of code as a quotation: an entry may have the same words."""
    words = row.strip("#>` \t\r\n")
    marker = _MARKER.match(words)
    return f"{QUOTE} {words[marker.end() :] if marker else words}"


def hash_entry(text: str) -> str:
    """Return the hash that finds an entry again when it has moved: of its normalised text, 16 hex digits."""
    return hash_normal(normalise(text))


def hash_normal(normal: str) -> str:
    """Return the digest of a text that is normalised already."""
    from hashlib import sha256  # noqa: PLC0415 - 3 ms that most commands need not pay

    return sha256(normal.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def entry_id(path: str, text: str, ordinal: int = 1) -> str:
    """Return the ten letters k to z (40 bits) that name an entry by its file, first text and ordinal."""
    return make_name("\0".join((path, normalise(text), str(ordinal))))


def make_name(seed: str) -> str:
    """Return the ten letters k to z for a `seed`: the same ones today and later."""
    return "".join(_LETTERS[int(digit, 16)] for digit in hash_normal(seed)[:_LENGTH])


def new_id() -> str:
    """Return a fresh id: ten letters k to z, 40 random bits, never the beginning of a commit's id."""
    return "".join(_LETTERS[nibble] for byte in os.urandom(5) for nibble in divmod(byte, 16))


def is_id(text: str) -> bool:
    """Return whether this can be an entry's or a change's id."""
    return _ID.fullmatch(text) is not None


_DRESS = " \t\r\ufeff-*+>#|_`~=:."
_EMPHASIS = re.compile("[*_`~]")
_OPENING = re.compile(r"(?:\d{1,9}[.)][ \t]+|\[[ xX]\][ \t]+)+")
_EXTRA = re.compile(r"<!--|#[ \t]*\w+[ \t\r]*$")  # a comment or a tag, which the fast way would leave
_DENSE = r"(?=[\u2e80-\U0003ffff])[^\W\d_]"  # a letter of a script in which two are a word
_SAYS = re.compile(rf"(?:[\W\d_]*[^\W\d_]){{4}}|(?:.*?{_DENSE}){{2}}")
"""A time, a date, a rule or `ok` says nothing that could be lost."""


def read_saying(line: str) -> str:
    """Return the words of a line: no marker, emphasis, case, spacing, tags or comments; "" for next to none.

    Cheap, for it is called for every line of all history.
    """
    plain = line if len(line) < LONGEST_WORD and line.isascii() and not _EXTRA.search(line) else normalise(line)
    plain = plain.strip(_DRESS)
    if plain[:1].isdigit() or plain.startswith("["):
        plain = _OPENING.sub("", plain, count=1)
    text = flatten(plain)
    return text if _SAYS.match(text) else ""


def flatten(text: str) -> str:
    """Return a whole text as one line that contains the words of each of its lines, however they were broken."""
    return " ".join(_EMPHASIS.sub("", text.casefold()).split())


_MARKER = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)")
_CHECKBOX = re.compile(r"\[([ xX])\](?:[ \t]+|$)")
ENTRY_KINDS = {"bullet": "bullet", "row": "row", "paragraph": "paragraph", "continuation": "paragraph"}


class Entry(Struct, frozen=True):
    """One memory on lines `start` to `end` (from 1, both inside).

    `text` are its words: no marker, no trailing comments, no trailing tags. `tag` is its primary tag, `status` the
    status tags. `checked` is None without a checkbox. `section` is the path of titles. `ordinal` counts, from 1,
    entries of the file with the same words.
    """

    kind: str
    text: str
    tag: str | None
    status: tuple[str, ...]
    section: tuple[str, ...]
    start: int
    end: int
    ordinal: int
    depth: int = 0
    checked: bool | None = None


@lru_cache(maxsize=4)
def entries(text: str) -> tuple[Entry, ...]:
    """Return all entries of a Markdown text in order; of a text that was just read they are known."""
    document = parse_document(text)
    paths = {section.line: section.path for section in sections(text)}
    path: tuple[str, ...] = ()
    counts: Counter[str] = Counter()
    result: list[Entry] = []
    for block in document.blocks:
        path = paths.get(block.start, path)
        kind = ENTRY_KINDS.get(block.kind)
        if kind is None:
            continue
        plain, tag, status, checked = read_block(document, block)
        if not plain.strip():
            continue
        counts[key := normalise(plain)] += 1
        result.append(Entry(kind, plain, tag, status, path, block.start, block.end, counts[key], block.level, checked))
    return tuple(result)


def read_block(document: Document, block: Block) -> tuple[str, str | None, tuple[str, ...], bool | None]:
    """Return the text of an entry's block, its primary tag, its status tags, and whether its checkbox is checked."""
    words, checked = _read_block_words(document, block)
    return *split_tags(remove_comments(clip_line(words)).strip(" \t\r\n")), checked


def remove_comments(text: str) -> str:
    """Cut off HTML comments at the end of a text."""
    text = text.rstrip(" \t\r\n")
    while text.endswith("-->") and (start := text.rfind("<!--")) >= 0:
        text = text[:start].rstrip(" \t\r\n")
    return text


def _read_block_words(document: Document, block: Block) -> tuple[str, bool | None]:
    rows = [content(row) for row in document.lines[block.start - 1 : block.end]]
    if block.start == 1:
        # A BOM is no part of the first entry.
        rows[0] = rows[0].removeprefix("\ufeff")
    if block.kind == "row":
        cells = rows[0].strip(" \t").removeprefix("|").removesuffix("|")
        return cells.strip(" \t"), None
    if block.kind != "bullet":
        return "\n".join(row.strip(" \t") for row in rows).strip("\n"), None
    marker = _MARKER.match(rows[0])
    width = len(marker[0].rstrip(" \t")) + 1 if marker else 0
    first = rows[0][marker.end() :] if marker else rows[0]
    box = _CHECKBOX.match(first)
    checked = box[1] != " " if box else None
    first = first[box.end() :] if box else first
    return "\n".join([unescape(first), *(unescape(_dedent(row, width)) for row in rows[1:])]), checked


def _dedent(row: str, width: int) -> str:
    space = len(row) - len(row.lstrip(" "))
    return row[min(space, width) :].rstrip(" \t") if row.strip(" \t") else ""


class Table(Struct, frozen=True):
    """How the rows of a table are named, and joined if two sides changed one: base (None: none), and both lines."""

    name: Callable[[str], str] = lambda line: line.split("\t", 1)[0]
    join: Callable[[str | None, str, str], str] = lambda _, *lines: min(lines)


Settle = Callable[[str, Sequence[str]], Iterable[str]]
"""Returns the final form of a merged row, from it and from the sides that changed it; rows may come with it."""


def merge_table(
    table: Table, base: str | None, ours: str | None, theirs: str | None, settle: Settle = lambda line, _: [line]
) -> str:
    """Merge two versions of a table (None: no file) that grew from `base`, row by row.

    A row that one side deleted and the other one changed stays. A missing file deletes no row: it went with clawgit.
    """
    before, our_rows, their_rows = (read_rows(table, text) for text in (base, ours, theirs))
    our_rows, their_rows = (before if text is None else rows for text, rows in ((ours, our_rows), (theirs, their_rows)))
    result, extra_lines = dict[str, str](), list[str]()
    for name in {**our_rows, **their_rows}:
        base_line, *sides = lines = (before.get(name), our_rows.get(name), their_rows.get(name))
        if line := _choose_line(table, *lines):
            changed_lines = [side for side in sides if side and side != base_line]
            result[name], *others = settle(line, changed_lines) if changed_lines else [line]
            extra_lines += others
    for line in extra_lines:
        result.setdefault(table.name(line), line)
    firsts = ((text or "").partition("\n")[0].rstrip("\r") for text in (ours, theirs, base))
    # The greater of two headers, so that both machines get the same bytes.
    header = max((line for line in firsts if line.startswith("#")), default="#")
    return "".join(f"{line}\n" for line in (header, *sorted(result.values())))


def read_rows(table: Table, text: str | None) -> dict[str, str]:
    """Return the rows of a table (None: no file) by name; those of one name are joined."""
    rows: dict[str, str] = {}
    for line in (line.removesuffix("\r") for line in (text or "").split("\n")):
        if line and not line.startswith(("#", "@")) and "\t" in line:
            name = table.name(line)
            rows[name] = table.join(None, *sorted((rows[name], line))) if rows.get(name, line) != line else line
    return rows


def _choose_line(table: Table, base: str | None, ours: str | None, theirs: str | None) -> str | None:
    if theirs in (ours, base):
        return ours
    if ours == base:
        return theirs
    if ours is None or theirs is None:
        return ours or theirs
    # Sorted, so that both machines get the same row.
    return table.join(base, *sorted((ours, theirs)))
