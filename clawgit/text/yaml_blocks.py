"""Finds what is meant as settings in a Markdown file."""

import re
from collections.abc import Collection, Iterator
from typing import Literal

from msgspec import Struct

from clawgit.text.similarity import nearest

Form = Literal["yaml", "front matter", "unlabelled", "bare"]

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})[ \t]*([^\r\n]*)")
_YAML = re.compile(r"\{?\s*\.?ya?ml\b", re.IGNORECASE)
_KEY = re.compile(r"( *)(\"|'|)([a-z][a-z0-9_]*)\2[ \t]*:(?=\s|$)([^\r\n]*)")
_STRAY = re.compile(r"\s*([a-z][a-z0-9]*(?:_[a-z0-9]+)+)\s*[:=]")
_ODD = re.compile(r"\s*(?:[-*+|]\s*)?[\"'`*]*([a-z][a-z0-9]*(?:_[a-z0-9]+)+)[\"'`*:]*\s*[:=|]")
_ROW = re.compile(r"[^\n]*\n|[^\n]+")
_GOES_ON = re.compile(r" *(?:#|$)|[ ]+\S|-\s|[\]}]")
_VALUE = re.compile(r"\s*(?:[^\s#]*|\".*\"|'.*'|\[.*)\s*(?:#.*)?")
_SAYS_NOTHING = re.compile(r"\s*(?:#.*)?")


class Block(Struct, frozen=True):
    """The lines that hold settings, where they begin in the file, on which line (from 1), and how they are marked."""

    text: str
    start: int
    line: int
    form: Form = "yaml"


def blocks(text: str, known: Collection[str] = ()) -> list[Block]:
    """Return the blocks of a file; the first one counts.

    A fence that says yaml or yml goes before all else, in its order. Without one, settings are read where some stand
    that are meant for us, by the names that are `known`: in front matter, in a fence without a label, or in bare lines.
    One that is never closed reaches to the end.
    """
    found = list(_parts(text))
    labelled = [block for block in found if block.form == "yaml"]
    return labelled + [block for block in found if block.form != "yaml" and _meant(block.text, known)]


def stray(text: str, known: Collection[str]) -> Iterator[tuple[str, int]]:
    """Yield the known keys, with their lines, that seem to be set outside of every block, and so have no effect."""
    found, inside = blocks(text, known), set[int]()
    for block in found:
        inside |= set(range(block.line, block.line + block.text.count("\n") + 1))
    like = _STRAY if found else _ODD  # where there is a block, a list below it may well explain it
    for number, row in enumerate(_without_comments(_ROW.findall(text)), 1):
        match = like.match(row) if number not in inside else None
        if match and match[1] in known:
            yield match[1], number


def _meant(text: str, known: Collection[str]) -> bool:
    """Tell whether lines are settings of ours: one of their names is ours beyond doubt, or all of them are."""
    said = {match[3]: match[4] for row in text.splitlines() if (match := _KEY.match(row))}
    ours = {name for name in said if name in known or ("_" in name and nearest(name, known, 1))}
    if any("_" in name for name in ours):
        return True
    return bool(ours) and ours == said.keys() and all(_VALUE.fullmatch(value) for value in said.values())


def _parts(text: str) -> Iterator[Block]:
    """Yield every fence that may hold settings, the front matter, and the bare lines between them."""
    rows = _ROW.findall(text)
    shown = _without_comments(rows)
    starts = [0]
    for row in rows:
        starts.append(starts[-1] + len(row))
    at = 0
    while at < len(rows):
        if at == 0 and (closing := _front_matter(rows)):
            yield _block(rows, starts, 1, closing, "front matter")
            at = closing + 1
            continue
        if match := _FENCE.match(shown[at].lstrip("\ufeff")):
            label = match[2].strip()
            form: Form | None = "yaml" if _YAML.match(label) else None if label else "unlabelled"
            if match[1][0] == "~" or "`" not in label:
                end = _closing(rows, at + 1, match[1], lenient=form is not None)
                if form:
                    yield _block(rows, starts, at + 1, end, form)
                at = end + 1
                continue
        if _KEY.match(shown[at].lstrip("\ufeff")):
            end = _bare(shown, at)
            yield _block(rows, starts, at, end, "bare")
            at = end
            continue
        at += 1


def _block(rows: list[str], starts: list[int], first: int, end: int, form: Form) -> Block:
    mark = len(rows[first]) - len(rows[first].lstrip("\ufeff")) if first == 0 and rows else 0
    return Block("".join(rows[first:end])[mark:], starts[first] + mark, first + 1, form)


def _front_matter(rows: list[str]) -> int | None:
    """Return the row that closes front matter; None without any."""
    if rows[0].lstrip("\ufeff").rstrip() != "---":
        return None
    return next((at for at, row in enumerate(rows) if at and row.rstrip() in ("---", "...")), None)


def _closing(rows: list[str], at: int, mark: str, *, lenient: bool) -> int:
    """Return the row that closes a fence; settings themselves never begin with a mark, whatever stands behind it."""
    for number in range(at, len(rows)):
        row = rows[number].strip()
        if row.startswith(mark) and (lenient or not row.strip(mark[0])):
            return number
    return len(rows)


def _bare(rows: list[str], at: int) -> int:
    """Return the row behind bare lines of settings that begin at `at`: keys, and what belongs to them."""
    first = _KEY.match(rows[at].lstrip("\ufeff"))
    indent, end, empty = first[1] if first else "", at + 1, bool(first and _SAYS_NOTHING.fullmatch(first[4]))
    for number in range(at + 1, len(rows)):
        row = rows[number].rstrip("\r\n")
        key = _KEY.match(row)
        if key and key[1] == indent:
            end, empty = number + 1, bool(_SAYS_NOTHING.fullmatch(key[4]))
        elif not row.strip() or row.lstrip().startswith("#"):
            continue
        elif _goes_on(row, indent, directly=end == number, empty=empty):
            end = number + 1
        else:
            break
    return end


def _goes_on(row: str, indent: str, *, directly: bool, empty: bool) -> bool:
    """Tell whether a row belongs to the key above it: deeper than the key, or an item of a list that it opens."""
    if directly and (row.startswith(f"{indent} ") or row.strip() in ("]", "}")):
        return True
    return empty and bool(_GOES_ON.match(row))


def _without_comments(rows: list[str]) -> list[str]:
    """Return the rows with those of comments empty; one that is never closed is none."""
    shown, at = list(rows), 0
    while at < len(rows):
        if rows[at].lstrip("\ufeff ").startswith("<!--"):
            end = next((number for number in range(at, len(rows)) if "-->" in rows[number]), None)
            if end is None:
                break
            shown[at : end + 1] = [""] * (end + 1 - at)
            at = end
        at += 1
    return shown
