"""Invisible characters and conflict markers in a text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

from msgspec import Struct

from clawgit.text.unit import closes_fence, fence

_CONTROL = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
_BIDI = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_ZERO_WIDTH = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200d\u2060-\u2065\u206a-\u206f\u2800\u3164\ufeff\uffa0"
)
_SELECTOR = "\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef"
_TAG = "\U000e0000-\U000e007f"
_INVISIBLE = f"[{_CONTROL}{_BIDI}{_ZERO_WIDTH}{_SELECTOR}{_TAG}]"
_RIGHT_TO_LEFT = "[\u05d0-\u05f2\u0620-\u064a\u066e-\u06d3\u06fa-\u085f\u0860-\u08c9\ufb1d-\ufdfb\ufe70-\ufefc]"
_JOINERS = "\u200c\u200d"
_MARKS = "\u061c\u200e\u200f"  # direction marks, ordinary in lines of right-to-left text
_MAX_DISTANCE = 60
_FLAGS = [  # the subdivision flags recommended for interchange, UTS #51: a black flag, tags, and the end of tags
    f"\U0001f3f4{''.join(chr(0xE0000 + ord(letter)) for letter in name)}\U000e007f"
    for name in ("gbeng", "gbsct", "gbwls")
]
# Scripts whose spelling needs joiners: Arabic to Sinhala, Tibetan, Myanmar, Khmer, Mongolian and kin.
_JOINING = (
    (0x0600, 0x0DFF),
    (0x0F00, 0x109F),
    (0x1780, 0x18AF),
    (0x1B00, 0x1BFF),
    (0xA800, 0xABFF),
    (0xFB50, 0xFDFF),
    (0xFE70, 0xFEFC),
)
_BREAKING = ((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF))  # Thai, Lao, Myanmar, Khmer: words without spaces


class Hidden(Struct, frozen=True):
    """A run of invisible characters: 1-based line, character offsets in the text."""

    line: int
    start: int
    end: int


def find_hidden_text(text: str) -> tuple[Hidden, ...]:
    """Find invisible characters that no script, emoji or file format asks for, in the order of the text."""
    runs: list[Hidden] = []
    line, position = 1, 0
    # Flags as that of Scotland are made of invisible tags, and are no finding.
    for flag in _FLAGS:
        text = text.replace(flag, "x" * len(flag))
    for index in (match.start() for match in re.finditer(_INVISIBLE, text) if not _ordinary(text, match.start())):
        line += text.count("\n", position, index)
        position = index
        start = runs.pop().start if runs and runs[-1].end == index else index
        runs.append(Hidden(line, start, index + 1))
    return tuple(runs)


def _ordinary(text: str, index: int) -> bool:
    """Return whether spelling, an emoji or the start of a file explains the character."""
    char, before, after = text[index], text[index - 1 : index], text[index + 1 : index + 2]
    if char in _MARKS:
        return _right_to_left(text, index)
    if re.match(f"[{_SELECTOR}]", char):
        return _selects(char, before)
    is_of_an_emoji = char == "\u200d" and _emoji(_find_base_char(text, index)) and _emoji(after)
    return _spelt(char, before, after) or (char == "\ufeff" and index == 0) or is_of_an_emoji


def _spelt(char: str, before: str, after: str) -> bool:
    if char in _JOINERS:
        return _is_in_ranges(before, _JOINING)
    if char == "\u200b":
        return _is_in_ranges(before, _BREAKING) and _is_in_ranges(after, _BREAKING)
    return char == "\u00ad" and before.isalpha() and after.isalpha()


def _find_base_char(text: str, index: int) -> str:
    """Return the character before `index` that a variation selector or skin tone modifies."""
    while index and (text[index - 1] in "\ufe0e\ufe0f" or "\U0001f3fb" <= text[index - 1] <= "\U0001f3ff"):
        index -= 1
    return text[index - 1 : index] or text[:1]


def _emoji(char: str) -> bool:
    return bool(char) and unicodedata.category(char) in ("So", "Sk", "Sm")


def _is_in_ranges(char: str, ranges: tuple[tuple[int, int], ...]) -> bool:
    return (
        bool(char) and any(low <= ord(char) <= high for low, high in ranges) and unicodedata.category(char)[0] in "LM"
    )


def _right_to_left(text: str, index: int) -> bool:
    """Return whether letters written from right to left are near, on the same line."""
    if text[index - 1 : index] in tuple(_MARKS):
        return False
    low, high = max(0, index - _MAX_DISTANCE), index + _MAX_DISTANCE
    start, end = text.rfind("\n", low, index) + 1, text.find("\n", index, high)
    return bool(re.search(_RIGHT_TO_LEFT, text[max(start, low) : end if end >= 0 else high]))


def _selects(char: str, before: str) -> bool:
    """Return whether a base character takes this selector: an emoji, a digit of a keycap, an ideograph, a symbol."""
    category = unicodedata.category(before) if before else ""
    if char in "\ufe0e\ufe0f":
        return (bool(before) and category[0] in "SPN") or (category[:1] == "L" and not before.isascii())
    if char >= "\U000e0100":
        return category == "Lo"
    return category in ("Lo", "Sm", "So")


_ORDER = tuple(map(re.compile, (r"<{7}(?: .*)?\r*", r"={7}\r*", r">{7}(?: .*)?\r*")))
_MARKER = re.compile(r"[ \t>*+-]*?(<{7,}|\|{7,}|={7,}|>{7,}|%{7}|\+{7})(?:[ \t].*)?\r?")
_SIGN = re.compile(r"(?:([<>|%+])\1{6}(?: .*)?|={7})\r*")


def conflict_markers(text: str) -> int | None:
    """Return the 1-based line of the first `<<<<<<<` that `=======` and `>>>>>>>` follow, else None.

    Each must begin its line; the middle one must be the line, so a heading's underline alone is none. All three in one
    code block are content: an example of a conflict. A set of jj's, or a part of one of diff3's, counts as well.
    """
    rows = text.split("\n") if "<<<<<<<" in text or ">>>>>>>" in text else []
    blocks = _code_blocks(rows)
    first = stage = 0
    block_numbers: set[int] = set()
    for index, line in enumerate(rows):
        if _ORDER[0].fullmatch(line):
            first, stage, block_numbers = index, 1, {blocks[index]}
        elif stage and _ORDER[stage].fullmatch(line):
            stage, block_numbers = stage + 1, block_numbers | {blocks[index]}
        if stage == len(_ORDER):
            stage = 0
            if len(block_numbers) > 1 or 0 in block_numbers:
                return first + 1
    return _find_unreadable(_find_signs(rows, blocks))


def join_sides(text: str) -> str:
    """Return a text with both sides of each conflict, without the markers.

    Markers in a quotation or a list count as well, and those of diff3, whose third part goes. A conflict inside one
    code block is content. A marker that lost its others goes alone.
    """
    if "<<<<<<<" not in text and ">>>>>>>" not in text:
        return text
    rows = text.split("\n")
    result: list[str] = []
    conflicts: list[
        dict[str, tuple[int, int]]
    ] = []  # of each conflict: where its markers stand, and in which code block
    for row, block in zip(rows, _code_blocks(rows), strict=True):
        sign = _MARKER.fullmatch(row)
        word = sign[1][0] if sign else ""
        if word == "<":
            conflicts.append({})
        if word and conflicts:
            conflicts[-1].setdefault(word, (len(result), block))
        result.append(row)
        if word == ">" and conflicts and "=" in conflicts[-1] and conflicts[-1].keys().isdisjoint("%+"):
            places = conflicts.pop()
            if len({place[1] for place in places.values()}) > 1 or not block:
                start, middle, base = (places.get(key, places["="])[0] for key in "<=|")
                ours, theirs = result[start + 1 : min(base, middle)], result[middle + 1 : -1]
                # Lines of both sides are taken once, except blank ones.
                our_lines = {line.strip() for line in ours}
                result[start:] = [
                    *ours,
                    *(line for line in theirs if not line.strip() or line.strip() not in our_lines),
                ]
    signs = _find_signs(result, _code_blocks(result))
    if _find_unreadable(signs):
        return text
    strays = {index for index in signs if "<" in signs.values() or ">" in signs.values()}
    return "\n".join(row for index, row in enumerate(result) if index not in strays)


def _find_signs(rows: Sequence[str], blocks: Sequence[int]) -> dict[int, str]:
    """Return the characters of markers that begin a row, by row; an underline is none, nor is a row of a deep quote."""
    signs, padded = dict[int, str](), ("", "", *rows, "")
    for index, block in enumerate(blocks):
        last_but_one, last, row, next_row = padded[index : index + 4]
        is_underline = row[:1] == "=" and last[:1].isalnum() and not last_but_one.strip()
        is_quote = row[:1] == ">" and ">>>>>>" in (last[:6], next_row[:6])
        if not (block or is_underline or is_quote) and _SIGN.fullmatch(row):
            signs[index] = row[0]
    return signs


def _find_unreadable(signs: Mapping[int, str]) -> int | None:
    """Return the 1-based row of the first end of a set with unknown sides, None for none."""
    ends = (index + 1 for index, sign in signs.items() if sign in "<>")
    return None if {"|", "%", "+"}.isdisjoint(signs.values()) else next(ends, None)


def _code_blocks(rows: Sequence[str]) -> list[int]:
    """Return the number of each row's code block, 0 outside; an unclosed one is none."""
    blocks = [0] * len(rows)
    start, mark = 0, ""
    for index, row in enumerate(rows):
        if mark and closes_fence(row, mark):
            blocks[start : index + 1] = [start + 1] * (index + 1 - start)
            mark = ""
        elif not mark:
            start, mark = index, fence(row)
    return blocks
