"""Edits in place: every other byte stays."""

import re
from collections.abc import Iterable, Sequence

from clawgit import errors
from clawgit.errors import Advice, ClawgitError
from clawgit.text import document
from clawgit.text.document import Block, escape, parse_document
from clawgit.text.entry import STATUS, TAGS, Entry, entries
from clawgit.text.spelling import nearest

_SPACE = " \t\r\n"


def bullet(text: str, tag: str | None = None, status: tuple[str, ...] = ()) -> str:
    r"""Return `- text #tag` without a final line end; further lines are indented under the first.

    Read back by `entries` it is one bullet with exactly this text (outer white space aside, "\r\n" as "\n"). Raises
    ClawgitError if Markdown cannot store it.
    """
    unknown = {*([tag] if tag else []), *status}.difference(TAGS, STATUS)
    if unknown:
        raise errors.tag_unknown(f"no tag #{min(unknown)}", fix=Advice("use one of: " + ", ".join(TAGS)))
    plain = text.replace("\r\n", "\n").strip(_SPACE)
    first, *rest = plain.split("\n")
    body = [f"- {escape(first)}", *("  " + escape(row) if row.strip(_SPACE) else "" for row in rest)]
    line = " ".join(["\n".join(body), *(f"#{name}" for name in (tag, *status) if name)])
    # A text that does not read back unchanged is refused, not altered.
    read_back = [(entry.kind, entry.text, entry.tag) for entry in entries(line)]
    if read_back == [("bullet", plain, tag)] and not document.CLIPPED.search(plain):
        return line
    raise errors.memory_shape(
        "this text cannot stand as one bullet unchanged: " + repr(plain[:60]),
        fix=Advice("leave out a tag, comment or odd line end at its edge, or split it into several entries"),
    )


_LINK = re.compile(r"\[(memory/[^]]*)\]\(\1\)\Z")


def is_link(text: str) -> bool:
    """Return whether the text of a bullet is a link to a file by topic, without a statement of its own."""
    return _LINK.search(text) is not None


_EXCERPT = 80
_BULLET = re.compile(r"[ \t]*(?:[-*+]|(\d{1,9})([.)]))[ \t]+(?:\[[ xX]\][ \t]+)?")


def append_under(text: str, section: str | None, block: str, *, create: bool = False) -> str:
    """Insert lines after the last bullet of a section's own list (None: above the first heading).

    One bullet takes the marker of the list, or its next number. Without a list they follow the section's own text,
    after a blank line. A missing section is made at the end with `create`; without it ClawgitError names the nearest,
    and a bullet becomes a paragraph among paragraphs.
    """
    try:
        low, high = _find_own_span(text, section)
    except ClawgitError:
        if not create or section is None:
            raise
        return append_block(text, f"## {section.rpartition(' > ')[2].strip().lstrip('#').strip()}\n\n{block}")
    own = [entry for entry in parse_document(text).blocks if low <= entry.start <= high and entry.kind != "blank"]
    if items := [item for item in own if item.kind in ("bullet", "continuation")]:
        return _insert_line(text, items[-1].end + 1, _with_next_marker(text, items, block))
    if own and own[-1].kind == "paragraph" and not create:
        block = block.removeprefix("- ")  # a paragraph among paragraphs
    gap = "\n" if own or section is not None else ""
    return _insert_line(text, (own[-1].end if own else low - 1) + 1, gap + block)


def _with_next_marker(text: str, items: list[Block], block: str) -> str:
    """Return one bullet with the marker of a list, or its next number."""
    last = next((item for item in reversed(items) if item.level == 1), items[-1])
    marker = _BULLET.match(document.split(text)[last.start - 1])
    if marker is None or not block.startswith("- ") or "\n" in block.strip():
        return block
    number = f"{int(marker[1]) + 1}{marker[2]} " if marker[1] else f"{marker[0].strip()[0]} "
    return f"{number}{block[2:]}"


def _insert_line(text: str, line: int, block: str) -> str:
    """Insert lines before line `line` (from 1; one past the last appends), with the text's line ends."""
    rows = document.split(text)
    ending = document.eol(text)
    before, after = rows[: line - 1], rows[line - 1 :]
    # A last line without an end would run into the new one.
    if before and not document.end_of(before[-1]):
        before[-1] += document.fill(before[-1], ending)
    return "".join([*before, _own_lines(block, ending), *after])


def append_block(text: str, block: str) -> str:
    """Add a block at the end, after one blank line, with a final line end; nothing before it changes."""
    ending = document.eol(text) if text else document.eol(block)
    rows = document.split(text)
    glue = "" if document.ends_with_newline(text) else document.fill(rows[-1], ending)
    if rows and not document.is_blank(rows[-1]):
        glue += ending
    return text + glue + _own_lines(block, ending)


def replace_once(text: str, old: str, new: str, section: str | None = None) -> str:
    r"""Replace `old`, which must occur exactly once in the text or section; "\n" in it matches "\r\n".

    Raises ClawgitError with the line numbers of several, or the nearest line of none.
    """
    if not old:
        raise errors.text_missing("nothing was given to look for", fix=Advice("give the text as it stands in the file"))
    pattern = r"\r?\n".join(re.escape(part) for part in old.replace("\r\n", "\n").split("\n"))
    # A lookahead finds overlapping places as well: `aa` is twice in `aaa`.
    spans = [match.span(1) for match in re.finditer(f"(?=({pattern}))", text)]
    lines = [text.count("\n", 0, start) + 1 for start, _ in spans]
    start, end = spans[_find_once(text, old, section, lines)]
    return text[:start] + document.convert(new, document.eol(text)) + text[end:]


def remove_once(text: str, old: str, section: str | None = None) -> str:
    """Remove exactly the lines of the one bullet, row or paragraph with the text `old`, or of whole lines `old`.

    Raises ClawgitError as `replace_once` does.
    """
    rows = document.split(text)
    target = old.replace("\r\n", "\n").strip(" \t\n")
    parts = [part.strip(" \t\r") for part in target.split("\n")] if target else []
    plain = [document.content(row).strip(" \t") for row in rows]
    spans = {entry.start: entry.end for entry in entries(text) if target and entry.text == target}
    inside = {line for start, end in spans.items() for line in range(start, end + 1)}
    starts = (line for line in range(1, len(rows) + 1) if parts and plain[line - 1 : line - 1 + len(parts)] == parts)
    spans |= {line: line + len(parts) - 1 for line in starts if line not in inside}
    lines = sorted(spans)
    start = lines[_find_once(text, old, section, lines)]
    return "".join(rows[: start - 1] + rows[spans[start] :])


def replace_entry(text: str, old: Entry, line: str) -> str:
    """Return the text with an entry in other words; a bullet keeps its marker."""
    rows = document.split(text)
    marker = _BULLET.match(rows[old.start - 1]) if old.kind == "bullet" else None
    fresh = document.convert(f"{marker[0] if marker else ''}{line}\n", document.eol(text))
    # A file without a final line end keeps none.
    if not document.ends_with_newline(rows[old.end - 1]):
        fresh = fresh.rstrip("\r\n")
    return "".join((*rows[: old.start - 1], fresh, *rows[old.end :]))


def remove_lines(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return the text without these lines (from 1, both inside), and the second blank line around a removed list."""
    rows = document.split(text)
    # From the end, so that the numbers of earlier lines stay true.
    for start, end in sorted(spans, reverse=True):
        is_below_blank = start > 1 and document.is_blank(rows[start - 2])
        alone = is_below_blank and (end == len(rows) or document.is_blank(rows[end]))
        del rows[start - 1 - alone : end]
    return "".join(rows)


def add_bullet(text: str, section: str, line: str) -> str:
    """Return the text with one bullet more, behind the last of the section's own; of the file's without a section."""
    name = section.rpartition(" / ")[2].strip().casefold()
    titles = [item.path for item in document.sections(text) if item.title.strip().casefold() == name]
    lists = [entry.section for entry in entries(text) if entry.kind == "bullet"]
    for path in titles[:1] or lists[-1:]:
        return append_under(text, " > ".join(path) or None, f"- {line}", create=True)
    return append_block(text, f"- {line}")


def _find_once(text: str, old: str, section: str | None, lines: Sequence[int]) -> int:
    """Return the one of the lines of `old` that is in the section. Raises ClawgitError unless there is one."""
    scope = None if section is None else document.find_section(text, section)
    low, high = (scope.body, scope.end) if scope else (1, text.count("\n") + 1)
    numbers = [number for number, line in enumerate(lines) if low <= line <= high]
    if len(numbers) == 1:
        return numbers[0]
    excerpt = old.strip()[:_EXCERPT]
    if numbers:
        places = ", ".join(str(lines[number]) for number in numbers[:5])
        words = f"“{excerpt}” stands {len(numbers)} times, on lines {places}"
        raise errors.text_ambiguous(words, fix=Advice("give more of the text, or the section"))
    rows = [document.content(row) for row in document.split(text)]
    matches = nearest(excerpt, [row[: _EXCERPT * 2] for row in rows[low - 1 : high] if row.strip()], 1)
    line_number = next((number for number, row in enumerate(rows, 1) if matches and row.startswith(matches[0])), 0)
    fix = f"nearest is line {line_number}: {matches[0]}" if matches else "read the file again and quote it exactly"
    raise errors.text_not_found(f"“{excerpt}” was not found", fix=Advice(fix))


def _find_own_span(text: str, section: str | None) -> tuple[int, int]:
    """Return the lines of a section without its subsections."""
    heads = document.sections(text)
    if section is None:
        return 1, heads[0].line - 1 if heads else len(document.split(text))
    scope = document.find_section(text, section)
    inner = [head.line - 1 for head in heads if head.line > scope.line]
    return scope.body, min([scope.end, *inner])


def has_line(text: str, section: str | None, line: str) -> bool:
    """Return whether a section itself, without its subsections, has an equal line."""
    low, high = _find_own_span(text, section)
    rows = {row.strip() for row in document.split(text)[low - 1 : high]}
    return not rows.isdisjoint((line.strip(), line.strip().removeprefix("- ")))


def _own_lines(block: str, ending: str) -> str:
    ended = block if document.ends_with_newline(block) else block + document.fill(block, "\n")
    return document.convert(ended, ending)
