"""Reads and changes the settings of a Markdown file."""

import re
from collections.abc import Collection, Iterator, Mapping
from itertools import accumulate
from typing import Any

from msgspec import Struct

from clawgit.text import document
from clawgit.text.spelling import nearest
from clawgit.text.yaml_reader import BlockError, compose_yaml, read_yaml

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})[ \t]*([^\r\n]*)")
_YAML = re.compile(r"\{?\s*\.?ya?ml\b", re.IGNORECASE)
_KEY = re.compile(r"( *)(\"|'|)([a-z][a-z0-9_]*)\2[ \t]*:(?=\s|$)([^\r\n]*)")
_STRAY = re.compile(r"\s*([a-z][a-z0-9]*(?:_[a-z0-9]+)+)\s*[:=]")
_ODD = re.compile(r"\s*(?:[-*+|]\s*)?[\"'`*]*([a-z][a-z0-9]*(?:_[a-z0-9]+)+)[\"'`*:]*\s*[:=|]")
_GOES_ON = re.compile(r" +\S|-\s|[\]}]$")
_VALUE = re.compile(r"\s*+(?:[^\s#]*|\".*\"|'.*'|\[.*)\s*(?:#.*)?")
_SAYS_NOTHING = re.compile(r"\s*(?:#.*)?")


class Block(Struct, frozen=True):
    """The lines that hold settings, where they begin in the file, on which line (from 1), and if a fence says so."""

    text: str
    start: int
    line: int
    labelled: bool = True


def blocks(text: str, known: Collection[str] = ()) -> list[Block]:
    """Return the blocks of a file; the first one counts.

    A fence that says yaml or yml goes before all else, in its order; one that is never closed reaches to the end.
    Without one, lines of settings count if they are meant for us, by the names that are `known`: alone, between the
    marks of front matter, or in a fence without a label.
    """
    found = list(_parts(text))
    labelled = [block for block in found if block.labelled]
    return labelled + [block for block in found if not block.labelled and _meant(block.text, known)]


def stray(text: str, known: Collection[str]) -> Iterator[tuple[str, int]]:
    """Yield the known keys, with their lines, that seem to be set outside of every block, and so have no effect."""
    found, inside = blocks(text, known), set[int]()
    for block in found:
        inside |= set(range(block.line, block.line + block.text.count("\n") + 1))
    like = _STRAY if found else _ODD  # where there is a block, a list below it may well explain it
    for number, row in enumerate(_without_comments(document.split(text)), 1):
        match = like.match(row) if number not in inside else None
        if match and match[1] in known:
            yield match[1], number


def _meant(text: str, known: Collection[str]) -> bool:
    """Return whether lines are settings of ours: one of their names is ours beyond doubt, or all of them are."""
    said = {match[3]: match[4] for row in text.splitlines() if (match := _KEY.match(row))}
    ours = {name for name in said if name in known or ("_" in name and nearest(name, known, 1))}
    if any("_" in name for name in ours):
        return True
    return bool(ours) and ours == said.keys() and all(_VALUE.fullmatch(value) for value in said.values())


def _parts(text: str) -> Iterator[Block]:
    """Yield every fence of YAML, and lines of settings outside of other fences with a label."""
    rows = document.split(text)
    shown = _without_comments(rows)
    starts = [0, *accumulate(map(len, rows))]
    at = 0
    while at < len(rows):
        row = shown[at].lstrip("\ufeff")
        match = _FENCE.match(row)
        label = match[2].strip() if match else ""
        if match and label and (match[1][0] == "~" or "`" not in label):
            is_yaml = _YAML.match(label) is not None
            end = _closing(rows, at + 1, match[1], lenient=is_yaml)
            if is_yaml:
                yield Block("".join(rows[at + 1 : end]), starts[at + 1], at + 2)
            at = end
        elif _KEY.match(row):
            end = _find_end(shown, at)
            mark = len(rows[at]) - len(rows[at].lstrip("\ufeff")) if at == 0 else 0
            yield Block("".join(rows[at:end])[mark:], starts[at] + mark, at + 1, labelled=False)
            at = end - 1
        at += 1


def _closing(rows: list[str], at: int, mark: str, *, lenient: bool) -> int:
    """Return the row that closes a fence; settings themselves never begin with a mark, whatever stands behind it."""
    for number in range(at, len(rows)):
        row = rows[number].strip()
        if row.startswith(mark) and (lenient or not row.strip(mark[0])):
            return number
    return len(rows)


def _find_end(rows: list[str], at: int) -> int:
    """Return the row behind bare lines of settings that begin at `at`.

    These are keys with what stands directly below them: deeper lines, and items of a list that a key opens.
    """
    indent, end, opens = "", at, False
    for number in range(at, len(rows)):
        row = rows[number].lstrip("\ufeff").rstrip("\r\n")
        key = _KEY.match(row)
        if key and (number == at or key[1] == indent):
            indent, end, opens = key[1], number + 1, bool(_SAYS_NOTHING.fullmatch(key[4]))
        elif end == number and _GOES_ON.match(row.removeprefix(indent)) and (opens or not row.startswith("-")):
            end = number + 1
        elif row.strip() and not row.lstrip().startswith("#"):
            break
    return end


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


_BARE = re.compile(r"[A-Za-z_][\w./@-]*")
_WORDS_OF_YAML = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})


def parse(block: str) -> tuple[dict[str, Any], dict[str, int]]:
    """Return values by key as plain Python, and the line of the block (from 1) that each key stands on.

    YAML 1.2: `12:30`, `on` and `yes` are text, and so is a date. Raises BlockError.
    """
    found = read_yaml(block)
    if found is None:
        raise BlockError(1, "the yaml block holds no keys")
    return found


def with_value(text: str, key: str, value: object, title: str = "", known: Collection[str] = ()) -> str:
    """Return the file with `key` of the block that counts set to `value`; no byte of anything else changes.

    `known` are the names by which settings without a mark are told.
    A missing key is added at the end of the block, a missing block at the end of the file, below `title` if that is
    empty. Raises BlockError where the value cannot be replaced by itself.
    """
    found = next(iter(blocks(text, known)), None)
    eol = "\r\n" if "\r\n" in text else "\n"
    if found is None:
        before = text or title.replace("\n", eol)
        gap = "" if not before else eol if before.endswith("\n") else eol * 2
        return f"{before}{gap}```yaml{eol}{key}: {_shown(value)}{eol}```{eol}"
    old, lines = parse(found.text)
    new = _replaced(found.text, key, value) if key in lines else _added(found.text, key, value, eol)
    _verify(old, new, key, value, lines.get(key, 1))
    return text[: found.start] + new + text[found.start + len(found.text) :]


def _verify(old: Mapping[str, Any], new: str, key: str, value: object, line: int) -> None:
    """Raise BlockError unless exactly one value is another now: anchors and odd layouts are for a person."""
    try:
        same = parse(new)[0] == {**old, key: value}
    except BlockError:
        same = False
    if not same:
        raise BlockError(line, f"{key} cannot be changed without touching what stands around it")


def _added(block: str, key: str, value: object, eol: str) -> str:
    node = compose_yaml(block)
    indent = " " * node.value[0][0].start_mark.column if node is not None and node.value else ""
    gap = eol if block and not block.endswith("\n") else ""
    return f"{block}{gap}{indent}{key}: {_shown(value)}{eol}"


def _replaced(block: str, key: str, value: object) -> str:
    name, node = next(pair for pair in compose_yaml(block).value if pair[0].value == key)
    start, end = node.start_mark.index, _end(block, node)
    if end <= start:  # nothing stands there
        start = end = block.index(":", name.end_mark.index) + 1
        return f"{block[:start]} {_shown(value)}{block[end:]}"
    style = node.style if isinstance(node.value, str) else None
    indent = "  " if node.start_mark.column == 0 else ""  # a list in brackets has to stand deeper than its key
    return (
        block[:start] + indent + _shown(value, style or ("plain" if isinstance(node.value, str) else "")) + block[end:]
    )


def _end(block: str, node: Any) -> int:
    """Return where a value ends; that of a list without brackets, by itself, goes on to the next key."""
    start: int = node.start_mark.index
    if isinstance(node.value, list) and not node.flow_style and node.value:
        last = node.value[-1]
        return max(_end(block, last[1] if isinstance(last, tuple) else last), start + 1)
    return start + len(block[start : node.end_mark.index].rstrip())


def _shown(value: object, style: str = "") -> str:
    """Return a value as YAML, a text in the quotes that it had."""
    if isinstance(value, str) and style == "plain" and _BARE.fullmatch(value) and value.lower() not in _WORDS_OF_YAML:
        return value
    if isinstance(value, str) and style == "'" and value.isprintable():
        return "'" + value.replace("'", "''") + "'"
    import json  # noqa: PLC0415 - who only reads does without

    return json.dumps(value, ensure_ascii=False)


def with_rules(text: str, rules: str, title: str) -> str:
    """Return `text` with those of `rules` that it lacks at its end, below the line `title`; unchanged if none is new.

    `rules` may hold blank lines and comments; they are left out. Line ends are those of `text`.
    """
    known = {document.content(row).strip() for row in document.split(text)}
    wanted = [row for row in rules.splitlines() if row.strip() and not row.startswith("#") and row.strip() not in known]
    if not wanted:
        return text
    end = document.eol(text)
    gap = "" if not text else end if document.ends_with_newline(text) else end + end
    return text + gap + end.join([title, *wanted]) + end
