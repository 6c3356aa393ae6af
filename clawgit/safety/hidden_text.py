"""Invisible characters in a text."""

from __future__ import annotations

import re
import unicodedata

from msgspec import Struct

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
